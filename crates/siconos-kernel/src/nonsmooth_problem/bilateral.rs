//! Linear systems $J M^{-1} J^T \lambda = b$ for constraints that are imposed as equations, such as closed
//! contacts. The rows of J must be linearly independent. Each island has a system of its own.

use ndarray::Array2;
use siconos_linalg::{DenseLu, SingularMatrix};

use super::class::FrictionForm;
use super::couplings::{ByBlock, Couplings};
use super::delassus::Blocks;
use super::islands::Islands;
use super::table_entries::{UnitaryEntry, UnitaryIndex};
use super::tables::Tables;
use crate::index::{RowIndex, Table};

/// Threshold for linear dependence. A row counts as linearly dependent on the previous rows if its pivot,
/// divided by its diagonal entry before the elimination, is at most this value.
const DEPENDENT: f64 = 1e-11;

/// Factorised matrices of the rows of a set of unitary relations (the members), one matrix for each island.
#[derive(Clone, Debug, Default)]
pub(crate) struct BilateralSystem {
    members: Vec<UnitaryIndex>,
    /// Rows of all members, in the order of the members.
    rows: Vec<RowIndex>,
    islands: Islands,
    /// Matrices of the islands; only the first `in_use` entries are in use.
    parts: Vec<IslandMatrix>,
    in_use: usize,
    by_block: ByBlock,
    /// For each unitary relation, the index of its first row among the rows of all members; `None` if it is
    /// not a member.
    first_row: Table<UnitaryEntry, Option<usize>>,
    /// Members before the last change.
    before: Vec<UnitaryIndex>,
    /// Priority of each row in the search for independent rows.
    ranks: Vec<f64>,
    is_independent: Vec<bool>,
}

/// Matrix of an island.
#[derive(Clone, Debug, Default)]
struct IslandMatrix {
    couplings: Couplings,
    /// Indices of the rows of the island among the rows of all members.
    rows: Vec<usize>,
    matrix: Array2<f64>,
    lu: DenseLu,
    b: Vec<f64>,
    /// Magnitudes of the diagonal entries before the elimination.
    sizes: Vec<f64>,
    order: Vec<usize>,
}

impl BilateralSystem {
    /// Creates a system without members.
    pub(crate) fn new(tables: &Tables) -> Self {
        let mut system = Self { first_row: tables.unitary.iter().map(|_| None).collect(), ..Self::default() };
        system.islands.begin(tables);
        system
    }

    /// Sets the members, given in increasing order.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: impl Iterator<Item = UnitaryIndex>) {
        std::mem::swap(&mut self.members, &mut self.before);
        self.members.clear();
        self.members.extend(members);
        self.lay_out(tables);
    }

    /// Removes the members whose rows all depend linearly on rows of higher priority. `rank` returns the
    /// priority of a row of a member; a member with a row of infinite priority is always kept.
    /// [`gather`](Self::gather) must have been called. The elimination overwrites the matrices.
    pub(crate) fn keep_independent(&mut self, tables: &Tables, rank: impl Fn(UnitaryIndex, RowIndex) -> f64) {
        self.ranks.clear();
        for &member in &self.members {
            self.ranks.extend(tables.unitary[member].rows.iter().map(|row| rank(member, row)));
        }
        self.is_independent.clear();
        self.is_independent.resize(self.size(), false);
        for part in &mut self.parts[..self.in_use] {
            part.mark_independent(&self.ranks, &mut self.is_independent);
        }
        std::mem::swap(&mut self.members, &mut self.before);
        self.members.clear();
        let is_kept = |row: usize| self.is_independent[row] || self.ranks[row] == f64::INFINITY;
        let kept = self.before.iter().copied().filter(|&member| {
            let first = self.first_row[member].unwrap_or(0);
            (first..first + tables.unitary[member].rows.len()).any(is_kept)
        });
        self.members.extend(kept);
        self.lay_out(tables);
    }

    fn lay_out(&mut self, tables: &Tables) {
        self.islands.update(tables, &self.before, &self.members);
        self.before.iter().for_each(|&member| self.first_row[member] = None);
        self.rows.clear();
        for &member in &self.members {
            self.first_row[member] = Some(self.rows.len());
            self.rows.extend(tables.unitary[member].rows.iter());
        }
        self.in_use = self.islands.active().len();
        if self.parts.len() < self.in_use {
            self.parts.resize_with(self.in_use, IslandMatrix::default);
        }
        for (part, &island) in self.parts.iter_mut().zip(self.islands.active()) {
            let members = &self.islands.at(island).members;
            part.couplings.lay_out_rows(tables, members, FrictionForm::Cones);
            part.couplings.couple(tables, &mut self.by_block);
            part.rows.clear();
            for &member in members {
                let first = self.first_row[member].unwrap_or(0);
                part.rows.extend(first..first + tables.unitary[member].rows.len());
            }
        }
    }

    pub(crate) fn members(&self) -> &[UnitaryIndex] {
        &self.members
    }

    /// Returns the rows of all members, in the order of the members.
    pub(crate) fn rows(&self) -> &[RowIndex] {
        &self.rows
    }

    /// Returns the number of rows.
    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    /// Returns the index of the first row of a unitary relation among the rows of all members, or `None` if
    /// it is not a member.
    pub(crate) fn first_row(&self, unitary: UnitaryIndex) -> Option<usize> {
        self.first_row[unitary]
    }

    /// Assembles the matrices from the Delassus blocks.
    pub(crate) fn gather(&mut self, blocks: Blocks<'_>) {
        for part in &mut self.parts[..self.in_use] {
            part.couplings.write_dense(blocks, &mut part.matrix);
        }
    }

    /// Returns the assembled matrix of each island, with the indices of its rows among the rows of all
    /// members.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&[usize], &Array2<f64>)> {
        self.parts[..self.in_use].iter().map(|part| (&part.rows[..], &part.matrix))
    }

    /// Factorises the assembled matrices.
    pub(crate) fn factor(&mut self) -> Result<(), SingularMatrix> {
        self.parts[..self.in_use].iter_mut().try_for_each(|part| part.lu.factor(part.matrix.view()))
    }

    /// Overwrites the right-hand side `b` with the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        for part in &mut self.parts[..self.in_use] {
            part.b.clear();
            part.b.extend(part.rows.iter().map(|&row| b[row]));
            part.lu.solve(&mut part.b);
            part.rows.iter().zip(&part.b).for_each(|(&row, x)| b[row] = *x);
        }
    }
}

impl IslandMatrix {
    /// Marks the rows that do not depend linearly on rows of higher priority (`ranks`). The elimination
    /// overwrites the matrix.
    fn mark_independent(&mut self, ranks: &[f64], is_independent: &mut [bool]) {
        let Self { rows, matrix, sizes, order, .. } = self;
        let n = rows.len();
        let Some(a) = matrix.as_slice_mut() else { return };
        order.clear();
        order.extend(0..n);
        order.sort_unstable_by(|&a, &b| ranks[rows[b]].total_cmp(&ranks[rows[a]]).then(a.cmp(&b)));
        // The elimination overwrites the diagonal, so the sizes are copied first.
        sizes.clear();
        sizes.extend((0..n).map(|row| a[row * n + row].abs()));
        for (place, &row) in order.iter().enumerate() {
            let pivot = a[row * n + row];
            if pivot.abs() <= DEPENDENT * sizes[row] || pivot == 0.0 {
                continue;
            }
            is_independent[rows[row]] = true;
            for &below in &order[place + 1..] {
                let factor = a[below * n + row] / pivot;
                if factor != 0.0 {
                    for &column in &order[place + 1..] {
                        a[below * n + column] -= factor * a[row * n + column];
                    }
                }
            }
        }
    }
}
