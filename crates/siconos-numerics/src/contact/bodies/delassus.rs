//! Assembly of the Delassus matrix W = H^T M^-1 H in sparse block rows.

use siconos_linalg::{BlockCsr, Csc, MatrixRef, SingularMatrix};

use super::{BodiesProblem, Mass};
use crate::contact::DelassusProblem;
use crate::error::SolverError;

/// Delassus matrix $W = H^T M^{-1} H$ and the workspace of its assembly.
///
/// Column block j of W is $H^T Y_j$ with $Y_j = M^{-1} H_j$. $Y_j$ is zero except on the bodies of contact j.
/// The contacts coupled with contact j are therefore those with entries in the rows of H of these bodies.
/// (Gustavson 1978 for the sparse product column by column.)
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Delassus {
    mass: Mass,
    w: BlockCsr,
    h: Csc,
    h_rows: Csc,
    /// For each column of H, its block and its index inside the block.
    place: Vec<(usize, usize)>,
    y: Vec<f64>,
    touched: Vec<usize>,
    /// Position in `blocks` of each block of the current block column, plus one. There is one entry per block
    /// row, which is 0 if the block column has no block in this row.
    current: Vec<usize>,
    /// Block row, block column and start index of each block, ordered by block columns. The start index is
    /// the position of the block in the array of entries.
    blocks: Vec<(usize, usize, usize)>,
    entries: Vec<f64>,
    order: Vec<usize>,
    firsts: Vec<usize>,
}

impl Delassus {
    /// Assembles W and returns the problem with W instead of the bodies.
    pub(in crate::contact) fn form<'a>(
        &'a mut self,
        problem: &'a BodiesProblem<'_>,
    ) -> Result<DelassusProblem<'a>, SolverError> {
        self.assemble(problem)
            .map_err(|singular| SolverError::Singular { what: "the mass matrix", singular })?;
        Ok(DelassusProblem::new(MatrixRef::from(&self.w), problem.q(), problem.law()))
    }

    /// Factorises M and assembles W.
    fn assemble(&mut self, problem: &BodiesProblem<'_>) -> Result<(), SingularMatrix> {
        self.mass.factor(problem.m())?;
        self.h.copy_from(problem.h(), |_, _| false);
        self.h_rows.copy_transposed(&self.h);
        let law = problem.law();
        self.place.clear();
        for block in 0..law.blocks() {
            self.place.extend((0..law.range(block).len()).map(|k| (block, k)));
        }
        self.y.clear();
        self.y.resize(problem.degrees_of_freedom(), 0.0);
        self.current.clear();
        self.current.resize(law.blocks(), 0);
        self.blocks.clear();
        self.entries.clear();
        for j in 0..law.blocks() {
            self.add_column_block(problem, j);
        }
        self.lay_out(problem);
        Ok(())
    }

    fn add_column_block(&mut self, problem: &BodiesProblem<'_>, j: usize) {
        let law = problem.law();
        let first = self.blocks.len();
        let columns = law.range(j).len();
        for (l, column) in law.range(j).enumerate() {
            self.mass.solve_sparse(self.h.column(column), &mut self.y, &mut self.touched);
            for &k in &self.touched {
                let y = std::mem::take(&mut self.y[k]);
                if y == 0.0 {
                    continue;
                }
                for (row, h) in self.h_rows.column(k) {
                    let (i, place) = self.place[row];
                    if self.current[i] == 0 {
                        self.blocks.push((i, j, self.entries.len()));
                        self.current[i] = self.blocks.len();
                        self.entries.resize(self.entries.len() + law.range(i).len() * columns, 0.0);
                    }
                    let first_entry = self.blocks[self.current[i] - 1].2;
                    self.entries[first_entry + place * columns + l] += h * y;
                }
            }
        }
        for &(i, ..) in &self.blocks[first..] {
            self.current[i] = 0;
        }
    }

    /// Copies the blocks to `w`, sorted by block rows. Within a row, the block columns are already in
    /// ascending order.
    fn lay_out(&mut self, problem: &BodiesProblem<'_>) {
        let law = problem.law();
        self.firsts.clear();
        self.firsts.resize(law.blocks() + 1, 0);
        self.blocks.iter().for_each(|&(i, ..)| self.firsts[i + 1] += 1);
        for i in 0..law.blocks() {
            self.firsts[i + 1] += self.firsts[i];
        }
        self.order.clear();
        self.order.resize(self.blocks.len(), 0);
        for (number, &(i, ..)) in self.blocks.iter().enumerate() {
            self.order[self.firsts[i]] = number;
            self.firsts[i] += 1;
        }
        self.w.begin((0..law.blocks()).map(|i| law.range(i).len()));
        let mut next = 0;
        for i in 0..law.blocks() {
            self.w.push_block_row(law.range(i).len());
            for &number in &self.order[next..self.firsts[i]] {
                let (_, j, first) = self.blocks[number];
                let target = self.w.push_block(j);
                target.copy_from_slice(&self.entries[first..first + target.len()]);
            }
            next = self.firsts[i];
        }
    }
}
