//! Constraints that are held as equations: of contacts that are closed, $J M^{-1} J^T \lambda = b$, over
//! those rows that do not depend on each other; island by island.

use ndarray::Array2;
use siconos_linalg::{DenseLu, SingularMatrix};

use super::class::FrictionPosing;
use super::couplings::{ByBlock, Couplings};
use super::delassus::Blocks;
use super::islands::Islands;
use super::table_entries::{UnitaryEntry, UnitaryPlace};
use super::tables::Tables;
use crate::index::{RowPlace, Table};

/// A row whose part that is independent of the rows before it is smaller than this part of it depends on
/// them.
const DEPENDENT: f64 = 1e-11;

/// The matrix over some unitary relations, factorised.
#[derive(Clone, Debug, Default)]
pub(crate) struct BilateralSystem {
    members: Vec<UnitaryPlace>,
    /// Of the members, one after the other.
    rows: Vec<RowPlace>,
    islands: Islands,
    /// The parts of the matrix, of which the first so many are in use.
    parts: Vec<Part>,
    in_use: usize,
    by_block: ByBlock,
    /// By unitary relation, where its rows begin among those of all; `None` of what is no member.
    first_row: Table<UnitaryEntry, Option<usize>>,
    /// The members before the last change.
    before: Vec<UnitaryPlace>,
    /// By row, while those are looked for that do not depend on others.
    ranks: Vec<f64>,
    is_independent: Vec<bool>,
}

/// The matrix of an island.
#[derive(Clone, Debug, Default)]
struct Part {
    couplings: Couplings,
    /// Where its rows are among those of all.
    rows: Vec<usize>,
    matrix: Array2<f64>,
    lu: DenseLu,
    b: Vec<f64>,
    /// Of the rows before they are reduced.
    sizes: Vec<f64>,
    order: Vec<usize>,
}

impl BilateralSystem {
    /// Holds nothing.
    pub(crate) fn new(tables: &Tables) -> Self {
        let mut system = Self { first_row: tables.unitary.iter().map(|_| None).collect(), ..Self::default() };
        system.islands.begin(tables);
        system
    }

    /// Holds these unitary relations, in increasing order.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: impl Iterator<Item = UnitaryPlace>) {
        std::mem::swap(&mut self.members, &mut self.before);
        self.members.clear();
        self.members.extend(members);
        self.lay_out(tables);
    }

    /// Keeps the members with a row that does not depend on rows before it in the order of their ranks, large
    /// ones first, by elimination in the matrix that was gathered, which is then reduced. `rank` is given a
    /// member and a row; what has an infinite one stays.
    pub(crate) fn keep_independent(&mut self, tables: &Tables, rank: impl Fn(UnitaryPlace, RowPlace) -> f64) {
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
            self.parts.resize_with(self.in_use, Part::default);
        }
        for (part, &island) in self.parts.iter_mut().zip(self.islands.active()) {
            let members = &self.islands.at(island).members;
            part.couplings.lay_out_rows(tables, members, FrictionPosing::Cones);
            part.couplings.couple(tables, &mut self.by_block);
            part.rows.clear();
            for &member in members {
                let first = self.first_row[member].unwrap_or(0);
                part.rows.extend(first..first + tables.unitary[member].rows.len());
            }
        }
    }

    pub(crate) fn members(&self) -> &[UnitaryPlace] {
        &self.members
    }

    /// The rows of the members, one after the other.
    pub(crate) fn rows(&self) -> &[RowPlace] {
        &self.rows
    }

    /// The number of rows.
    pub(crate) fn size(&self) -> usize {
        self.rows.len()
    }

    /// Where the rows of a unitary relation begin among those of all; `None` where it is no member.
    pub(crate) fn first_row(&self, unitary: UnitaryPlace) -> Option<usize> {
        self.first_row[unitary]
    }

    /// Gathers the matrix from the Delassus blocks.
    pub(crate) fn gather(&mut self, blocks: Blocks<'_>) {
        for part in &mut self.parts[..self.in_use] {
            part.couplings.write_dense(blocks, &mut part.matrix);
        }
    }

    /// The matrices that were gathered, island by island, each with where its rows are among those of all.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&[usize], &Array2<f64>)> {
        self.parts[..self.in_use].iter().map(|part| (&part.rows[..], &part.matrix))
    }

    /// Factorises the matrix that was gathered.
    pub(crate) fn factor(&mut self) -> Result<(), SingularMatrix> {
        self.parts[..self.in_use].iter_mut().try_for_each(|part| part.lu.factor(part.matrix.view()))
    }

    /// Overwrites `b` with the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        for part in &mut self.parts[..self.in_use] {
            part.b.clear();
            part.b.extend(part.rows.iter().map(|&row| b[row]));
            part.lu.solve(&mut part.b);
            part.rows.iter().zip(&part.b).for_each(|(&row, x)| b[row] = *x);
        }
    }
}

impl Part {
    /// Marks the rows that do not depend on rows before them in the order of their ranks, by elimination;
    /// leaves the matrix reduced.
    fn mark_independent(&mut self, ranks: &[f64], is_independent: &mut [bool]) {
        let Self { rows, matrix, sizes, order, .. } = self;
        let n = rows.len();
        let Some(a) = matrix.as_slice_mut() else { return };
        order.clear();
        order.extend(0..n);
        order.sort_unstable_by(|&a, &b| ranks[rows[b]].total_cmp(&ranks[rows[a]]).then(a.cmp(&b)));
        // The diagonal is overwritten as the rows are reduced: the sizes have to be known before.
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
