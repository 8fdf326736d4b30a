//! One-step problem of an island with the motion of the systems as additional unknowns.
//!
//! If many contacts act on one large system, all entries of the Delassus matrix are nonzero, because each
//! contact moves all others. If the changes x of the velocities (or states) due to the reactions are
//! additional unknowns, the matrix contains only the entries of W, H and D:
//!
//! $$ \begin{pmatrix} 0 \cr w \end{pmatrix} = \begin{pmatrix} W & -s H^T \cr \gamma H & D \end{pmatrix}
//! \begin{pmatrix} x \cr z \end{pmatrix} + \begin{pmatrix} 0 \cr q \end{pmatrix}. $$
//!
//! As plain text: W x = s H^T z, w = gamma H x + D z + q. This is a mixed complementarity problem, which is
//! solved by sparse factorisation; the cost grows with the number of entries.

use ndarray::{Array2, s};
use siconos_linalg::{
    BlockCsr, Csc, FactoredMatrix, MatrixRef, SingularMatrix, exponent, power_of_two, units_of_matrix,
};
use siconos_numerics::mlcp::{MlcpProblem, MlcpRow};
use siconos_numerics::{SolveInfo, Solver, SolverError};

use super::class::FrictionForm;
use super::delassus::{Coefficients, feedthrough};
use super::fullness::EntryCounts;
use super::islands::Island;
use super::problem_units::{Entries, ProblemUnits};
use super::solver::ClassSolver;
use super::solvers::SolverEntry;
use super::table_entries::{Block, BlockIndex, UnitaryIndex};
use super::tables::Tables;
use crate::index::{RowIndex, Table};
use crate::integrator::Response;
use crate::model::Partition;

/// Minimum number of unitary relations for this form. For smaller islands, dense factorisations are cheap.
const FEWEST_ROWS: usize = 192;

/// Minimum ratio of the entry count of the Delassus matrix to the entry count of this form. The minimum is
/// above 1 because the solvers of this form cost more per entry.
const WORTH: usize = 8;

/// Mixed problem of an island and its workspace.
#[derive(Debug)]
pub(super) struct MixedForm {
    /// Index of the solver of the problem in the list of solvers.
    pub(super) solver: usize,
    rows: Vec<RowIndex>,
    /// Blocks of systems, each with the index of its first unknown.
    blocks: Vec<(BlockIndex, usize)>,
    /// Number of unknowns of the motion.
    dofs: usize,
    laws: Vec<MlcpRow>,
    entries: Vec<(usize, usize, f64)>,
    matrix: BlockCsr,
    /// Step length for which the stored matrix is valid; 0 if it is valid for all step lengths, NaN if no
    /// matrix is stored.
    matrix_for: f64,
    units: ProblemUnits,
    /// Block W of the scaled matrix.
    w_block: FactoredMatrix,
    /// `true` if `w_block` has been factorised.
    is_factored: bool,
    q: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
}

impl MixedForm {
    /// Returns `true` if this form should be used for an island that has only complementarity conditions. The
    /// form requires constant coefficients. `memory` is a workspace.
    pub(super) fn suits(tables: &Tables, island: &Island, memory: &mut Vec<usize>) -> bool {
        if !island.is_constant || island.members.len() < FEWEST_ROWS {
            return false;
        }
        let EntryCounts { of_delassus, of_jacobians, of_systems, is_known, .. } =
            EntryCounts::of(tables, island, memory);
        is_known && of_delassus / WORTH > of_systems + 2 * of_jacobians
    }

    /// Creates the problem of an island. `solver` is the index of its solver in the list of solvers.
    pub(super) fn new(tables: &Tables, island: &Island, posing: FrictionForm, solver: usize) -> Self {
        let of_member = |&member: &UnitaryIndex| tables.unknowns(member, posing).rows.iter();
        let rows: Vec<_> = island.members.iter().flat_map(of_member).collect();
        let (mut dofs, mut blocks) = (0, Vec::with_capacity(island.blocks.len()));
        for &block in &island.blocks {
            blocks.push((block, dofs));
            dofs += tables.blocks[block].dofs.len();
        }
        let n = dofs + rows.len();
        let mut laws = vec![MlcpRow::Equality; dofs];
        laws.resize(n, MlcpRow::Complementarity);
        let mut units = ProblemUnits::default();
        units.lay_out_rows(n);
        let vector = || vec![0.0; n];
        Self {
            solver,
            rows,
            blocks,
            dofs,
            laws,
            entries: Vec::new(),
            matrix: BlockCsr::default(),
            matrix_for: f64::NAN,
            units,
            w_block: FactoredMatrix::default(),
            is_factored: false,
            q: vector(),
            z: vector(),
            w: vector(),
        }
    }

    /// Returns the rows of the problem.
    pub(super) fn rows(&self) -> &[RowIndex] {
        &self.rows
    }

    pub(super) fn has_matrix_for(&self, h: f64) -> bool {
        self.matrix_for == h
    }

    /// Computes the matrix for a step of length `h`. `known_for` is the step length for which the matrix is
    /// then valid; 0 if it is valid for all step lengths.
    pub(super) fn assemble(
        &mut self,
        tables: &Tables,
        systems: &Table<Block, impl Response>,
        coefficients: Coefficients<'_>,
        (h, known_for): (f64, f64),
    ) {
        self.write_entries(tables, systems, coefficients, h);
        self.unify_units();
        self.entries.sort_unstable_by_key(|&(i, j, _)| (i, j));
        let n = self.laws.len();
        self.matrix.begin(std::iter::repeat_n(1, n));
        let mut entries = self.entries.iter().peekable();
        for row in 0..n {
            self.matrix.push_block_row(1);
            while let Some(&(_, column, x)) = entries.next_if(|entry| entry.0 == row) {
                self.matrix.push_block(column)[0] = x;
            }
        }
        self.units.scale(&mut Entries::Blocks(&mut self.matrix));
        let (n, mut of_w) = (self.dofs, Vec::new());
        MatrixRef::from(&self.matrix).for_each_entry(|i, j, x| {
            if i < n && j < n {
                of_w.push((i, j, x));
            }
        });
        self.is_factored = self.w_block.factor_entries(n, of_w).is_ok();
        self.matrix_for = known_for;
    }

    /// Writes the entries of W, followed by the entries of the contacts.
    fn write_entries(
        &mut self,
        tables: &Tables,
        systems: &Table<Block, impl Response>,
        coefficients: Coefficients<'_>,
        h: f64,
    ) {
        let Self { rows, blocks, dofs, entries, .. } = self;
        entries.clear();
        for &(block, first) in &*blocks {
            let (w, _) = systems[block].matrix();
            w.for_each_entry(|i, j, x| entries.push((first + i, first + j, x)));
        }
        let first_of = |block: BlockIndex| {
            blocks.binary_search_by_key(&block, |(own, _)| *own).map_or(0, |place| blocks[place].1)
        };
        for (own, &at) in rows.iter().enumerate() {
            let (acting, divisor, gamma) = coefficients.of(tables.kind(tables.rows[at].kind), h);
            tables.row(acting, at).for_each_entry(|block, within, x| {
                let (_, weight) = systems[block].matrix();
                entries.push((first_of(block) + within, *dofs + own, -weight * x / divisor));
            });
            tables.row(coefficients.jacobian, at).for_each_entry(|block, within, x| {
                entries.push((*dofs + own, first_of(block) + within, gamma * x));
            });
            // The rows of one interaction are adjacent.
            let is_of_same =
                |other: &&RowIndex| tables.rows[**other].interaction == tables.rows[at].interaction;
            let before = rows[..own].iter().rev().take_while(is_of_same).count();
            let of_interaction = rows[own - before..].iter().take_while(is_of_same);
            for (place, &column) in of_interaction.enumerate() {
                let d = feedthrough(tables, coefficients.values, (at, column), h);
                // The diagonal entry is stored even if it is zero.
                if d != 0.0 || column == at {
                    entries.push((*dofs + own, *dofs + own - before + place, d));
                }
            }
        }
    }

    /// Scales the rows and unknowns of the motion so that the product of a row and its unknown has the unit
    /// of w z, whatever the units of the states and of their equations. The factors follow from W, except for
    /// one factor of each connected component of W, which follows from the first contact that acts on the
    /// component. The factors are not stored, because the motion is not read from the solution and its rows
    /// have no constant term.
    fn unify_units(&mut self) {
        let n = self.dofs;
        let of_w = || self.entries.iter().copied().filter(|&(i, j, _)| i < n && j < n);
        let (rows, columns) = units_of_matrix(&Csc::from_triplets(n, n, of_w()).unwrap_or_default());
        let mut parts = Partition::new(n);
        of_w().for_each(|(i, j, _)| parts.join([i, j]));
        // For each connected component, the first row that acts on it and reads it, and the exponents of the
        // two entries of this row.
        let mut first: Vec<Option<(usize, i32, Option<i32>)>> = vec![None; n];
        for &(i, j, x) in &self.entries {
            let known = match (i < n, j < n) {
                (true, false) | (false, true) => &mut first[parts.root(i.min(j))],
                _ => continue,
            };
            match (*known, i < n) {
                (Some((.., Some(_))), _) => {}
                (_, true) => *known = exponent(x * rows[i]).map(|b| (j, b, None)),
                (Some((row, b, None)), false) if row == i => {
                    *known = Some((row, b, exponent(x * columns[j])));
                }
                (_, false) => {}
            }
        }
        let factor = |root: usize| match first[root] {
            Some((_, b, Some(c))) => power_of_two(c - b),
            _ => 1.0,
        };
        for (i, j, x) in &mut self.entries {
            if *i < n {
                *x *= rows[*i] * factor(parts.root(*i));
            }
            if *j < n {
                *x *= columns[*j];
            }
        }
    }

    /// Solves the problem and writes the solution to those entries of `z` and `w` that belong to it. For each
    /// row, `vectors` receives the row and its current entry of `z`, and returns the constant term and the
    /// initial guess of the row.
    pub(super) fn solve(
        &mut self,
        solver: &mut SolverEntry,
        vectors: impl Fn(RowIndex, f64) -> (f64, f64),
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Result<SolveInfo, SolverError> {
        let ClassSolver::Mlcp(solver) = &mut solver.chosen else {
            unreachable!("automatic solvers accept mixed problems")
        };
        let n = self.dofs;
        let own = (&mut self.q[n..], &mut self.z[n..]);
        self.units.gather(n, &self.rows, vectors, z, own);
        self.guess_motion();
        let problem = MlcpProblem::new(MatrixRef::BlockCsr(&self.matrix), &self.q, &self.laws)?;
        let info = solver.solve(&problem, &mut self.z, &mut self.w)?;
        self.units.scatter(n, &self.rows, (&self.z[n..], &self.w[n..]), (z, w));
        Ok(info)
    }

    /// Returns the constant terms of the last problem, each with its row.
    pub(super) fn constant_parts(&self) -> impl Iterator<Item = (RowIndex, f64)> {
        self.units.constant_parts(self.dofs, &self.rows, &self.q[self.dofs..])
    }

    /// Computes the motion that corresponds to the initial guess of the reactions. Without this motion, the
    /// outputs at the initial guess would not include the effect of the reactions, and the error of the
    /// initial guess would be large even for unchanged reactions.
    fn guess_motion(&mut self) {
        let n = self.dofs;
        self.z[..n].fill(0.0);
        if !self.is_factored {
            return;
        }
        self.w.fill(0.0);
        MatrixRef::from(&self.matrix).add_product(-1.0, &self.z, &mut self.w);
        self.z[..n].copy_from_slice(&self.w[..n]);
        self.w_block.solve(&mut self.z[..n]);
    }

    /// Returns the Delassus matrix in the units of the model, by elimination of the motion.
    pub(super) fn condensed(&self) -> Result<Array2<f64>, SingularMatrix> {
        let n = self.dofs;
        let mut whole = self.matrix.to_dense();
        for ((i, j), entry) in whole.indexed_iter_mut() {
            *entry = self.units.take_back_entry(i, j, *entry);
        }
        let mut w = FactoredMatrix::default();
        w.factor_sum(&[(1.0, MatrixRef::Dense(whole.slice(s![..n, ..n])))])?;
        let mut responses = whole.slice(s![..n, n..]).to_owned();
        for mut column in responses.columns_mut() {
            let mut response = column.to_vec();
            w.solve(&mut response);
            column.iter_mut().zip(response).for_each(|(entry, x)| *entry = x);
        }
        Ok(&whole.slice(s![n.., n..]) - &whole.slice(s![n.., ..n]).dot(&responses))
    }
}
