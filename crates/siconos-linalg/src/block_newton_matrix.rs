//! Block matrix of Newton's method: A + B (M + alpha I), with block-diagonal A and B.

use super::pivoted_lu::PivotedLu;
use super::{Csc, MatrixRef, SingularMatrix, SparseLu, first_non_finite};

/// Factorisation of $A + B (M + \alpha I)$, in plain text A + B (M + alpha I), for $M$ in any storage and
/// block-diagonal $A$ and $B$.
///
/// The Newton matrix of a contact problem has this form: the blocks $A_i$ and $B_i$ are the derivatives of
/// the function of contact $i$ with respect to its reaction and to its velocity. If the factorisation is
/// dense, contacts with $B_i = 0$ (open contacts) are eliminated first.
///
/// Dense LU is used for small matrices, for matrices in dense storage, and for matrices with many nonzero
/// entries. All others are factorised by sparse LU, whose symbolic factorisation is reused.
#[derive(Clone, Debug, Default)]
pub struct BlockNewtonMatrix {
    /// First row of each block, followed by the number of rows.
    starts: Vec<usize>,
    /// Block of each row.
    block_of: Vec<usize>,
    /// First entry of each block of A and of B.
    firsts: Vec<usize>,
    /// All entries of M, row by row. Used by the dense factorisation.
    entries: Vec<f64>,
    /// `source` is M, with explicit zeros at the positions that products with B fill. `target` is the matrix
    /// to be factorised, with the same pattern. Both are used by the sparse factorisation.
    source: Csc,
    target: Csc,
    is_dense: bool,
    /// Rows of the blocks with nonzero B. Used by the dense factorisation.
    active: Vec<usize>,
    place: Vec<usize>,
    row: Vec<f64>,
    right_hand_side: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
    alpha: f64,
    dense: PivotedLu,
    sparse: SparseLu,
}

/// Maximum number of unknowns for which the factorisation is dense, regardless of the storage.
const LARGEST_DENSE: usize = 48;

/// Fraction of stored entries above which the factorisation is dense.
const WELL_FILLED: f64 = 0.1;

impl BlockNewtonMatrix {
    /// Prepares the factorisation for a new $M$, divided into blocks. `starts` contains the first row of each
    /// block, followed by the number of rows.
    pub fn prepare(&mut self, m: MatrixRef<'_>, starts: impl IntoIterator<Item = usize>) {
        self.starts.clear();
        self.starts.extend(starts);
        self.block_of.clear();
        self.firsts.clear();
        self.firsts.push(0);
        let mut end = 0;
        for (block, pair) in self.starts.windows(2).enumerate() {
            let size = pair[1] - pair[0];
            self.block_of.extend(std::iter::repeat_n(block, size));
            end += size * size;
            self.firsts.push(end);
        }
        let n = m.rows();
        let stored = m.stored_entries();
        self.is_dense = n <= LARGEST_DENSE || stored as f64 > WELL_FILLED * (n as f64).powi(2);
        if self.is_dense {
            m.copy_dense(&mut self.entries);
        } else {
            self.complete_blocks(m);
        }
    }

    /// Returns the number of stored entries of A, which equals the number of stored entries of B. Only the
    /// diagonal blocks are stored, one after the other. The entries of a block are stored row by row.
    pub fn block_entries(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// Returns the range of the entries of block `i` in A and in B.
    pub fn block(&self, i: usize) -> std::ops::Range<usize> {
        self.firsts[i]..self.firsts[i + 1]
    }

    /// Factorises the matrix. `a` and `b` contain the blocks in the ranges given by [`block`](Self::block).
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the factorisation detects that the matrix is singular to working precision.
    pub fn factor(&mut self, a: &[f64], b: &[f64], alpha: f64) -> Result<(), SingularMatrix> {
        if self.is_dense { self.factor_dense(a, b, alpha) } else { self.factor_sparse(a, b, alpha) }
    }

    /// Overwrites the right-hand side `x` with the solution.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the solution is not finite.
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SingularMatrix> {
        if self.is_dense {
            self.solve_dense(x)?;
        } else {
            self.sparse.solve(x);
        }
        match first_non_finite(x) {
            None => Ok(()),
            Some(column) => Err(SingularMatrix::Pivot { column, pivot: f64::NAN }),
        }
    }

    /// Copies a sparse matrix and enlarges its pattern: if a column has an entry in a block, all rows of the
    /// block are stored. Diagonal blocks are always stored.
    fn complete_blocks(&mut self, m: MatrixRef<'_>) {
        self.sparse.group_columns();
        let entries = Csc::from_matrix(m);
        let n = m.rows();
        let (mut starts, mut rows, mut values) = (Vec::with_capacity(n + 1), Vec::new(), Vec::new());
        starts.push(0);
        let mut touched = Vec::new();
        for j in 0..n {
            // A product with B mixes the rows of a block, so an entry in one row fills the other rows.
            touched.clear();
            touched.push(self.block_of[j]);
            touched.extend(entries.column(j).map(|(i, _)| self.block_of[i]));
            touched.sort_unstable();
            touched.dedup();
            let mut column = entries.column(j).peekable();
            for &block in &touched {
                for i in self.starts[block]..self.starts[block + 1] {
                    rows.push(i);
                    values.push(column.next_if(|(row, _)| *row == i).map_or(0.0, |(_, value)| value));
                }
            }
            starts.push(rows.len());
        }
        if self.source.starts() != starts || self.source.row_indices() != rows {
            self.target =
                Csc::new(n, starts.clone(), rows.clone(), vec![0.0; values.len()]).unwrap_or_default();
        }
        self.source = Csc::new(n, starts, rows, values).unwrap_or_default();
    }

    fn factor_sparse(&mut self, a: &[f64], b: &[f64], alpha: f64) -> Result<(), SingularMatrix> {
        for j in 0..self.source.columns() {
            let own = self.block_of[j];
            let column = self.source.starts()[j]..self.source.starts()[j + 1];
            let mut k = column.start;
            while k < column.end {
                let block = self.block_of[self.source.row_indices()[k]];
                let size = self.starts[block + 1] - self.starts[block];
                let first = self.firsts[block];
                let values = &self.source.values()[k..k + size];
                let b = &b[first..first + size * size];
                for (row, target) in self.target.values_mut()[k..k + size].iter_mut().enumerate() {
                    *target = b[row * size..].iter().zip(values).map(|(b, m)| b * m).sum();
                    if block == own {
                        let l = row * size + j - self.starts[own];
                        *target += alpha * b[l] + a[first + l];
                    }
                }
                k += size;
            }
        }
        self.sparse.factor(&self.target)
    }

    fn factor_dense(&mut self, a: &[f64], b: &[f64], alpha: f64) -> Result<(), SingularMatrix> {
        let n = self.block_of.len();
        self.a.clear();
        self.a.extend_from_slice(a);
        self.b.clear();
        self.b.extend_from_slice(b);
        self.alpha = alpha;
        self.active.clear();
        self.place.clear();
        self.place.resize(n, usize::MAX);
        for (block, pair) in self.starts.windows(2).enumerate() {
            if b[self.firsts[block]..self.firsts[block + 1]].iter().any(|b| *b != 0.0) {
                for i in pair[0]..pair[1] {
                    self.place[i] = self.active.len();
                    self.active.push(i);
                }
            }
        }
        let k = self.active.len();
        let target = self.dense.entries_mut(k);
        for (position, &i) in self.active.iter().enumerate() {
            let block = self.block_of[i];
            let (start, end) = (self.starts[block], self.starts[block + 1]);
            let size = end - start;
            let own = self.firsts[block] + (i - start) * size;
            self.row.clear();
            self.row.resize(n, 0.0);
            for (l, factor) in b[own..own + size].iter().enumerate().filter(|(_, b)| **b != 0.0) {
                super::add_scaled(
                    *factor,
                    &self.entries[(start + l) * n..(start + l + 1) * n],
                    &mut self.row,
                );
            }
            for l in 0..size {
                self.row[start + l] += a[own + l] + alpha * b[own + l];
            }
            for (column, &j) in self.active.iter().enumerate() {
                target[column * k + position] = self.row[j];
            }
        }
        self.dense.factor()
    }

    fn solve_dense(&mut self, x: &mut [f64]) -> Result<(), SingularMatrix> {
        let n = self.block_of.len();
        let mut coupled = false;
        for (block, pair) in self.starts.windows(2).enumerate() {
            if self.place[pair[0]] == usize::MAX {
                // For an open contact B is 0, so only A remains, the derivative with respect to the reaction.
                // It is a diagonal matrix for every function used here.
                let size = pair[1] - pair[0];
                for k in 0..size {
                    let pivot = self.a[self.firsts[block] + k * size + k];
                    if pivot == 0.0 {
                        return Err(SingularMatrix::Pivot { column: pair[0] + k, pivot });
                    }
                    x[pair[0] + k] /= pivot;
                    coupled |= x[pair[0] + k] != 0.0;
                }
            }
        }
        self.right_hand_side.clear();
        self.right_hand_side.extend(self.active.iter().map(|&i| x[i]));
        if coupled {
            for (position, &i) in self.active.iter().enumerate() {
                let block = self.block_of[i];
                let (start, end) = (self.starts[block], self.starts[block + 1]);
                let own = self.firsts[block] + (i - start) * (end - start);
                let factors = &self.b[own..own + end - start];
                for (l, factor) in factors.iter().enumerate().filter(|(_, b)| **b != 0.0) {
                    let row = &self.entries[(start + l) * n..(start + l + 1) * n];
                    let known =
                        row.iter().zip(&*x).zip(&self.place).filter(|(_, place)| **place == usize::MAX);
                    self.right_hand_side[position] -= factor * known.map(|((m, x), _)| m * x).sum::<f64>();
                }
            }
        }
        self.dense.solve(&mut self.right_hand_side);
        self.active.iter().zip(&self.right_hand_side).for_each(|(&i, solved)| x[i] = *solved);
        Ok(())
    }
}
