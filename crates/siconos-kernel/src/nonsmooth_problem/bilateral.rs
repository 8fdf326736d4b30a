//! Constraints that are held as equations: of contacts that are closed, $J M^{-1} J^T \lambda = b$, over
//! those rows that do not depend on each other.

use siconos_numerics::linalg::{DenseLu, SingularMatrix, square};

use super::assembly::{Places, fill_dense};
use super::delassus::Delassus;
use super::tables::Tables;

/// A row whose part that is independent of the rows before it is smaller than this part of it depends on
/// them.
const DEPENDENT: f64 = 1e-11;

/// The matrix over some unitary relations, factorised.
#[derive(Clone, Debug, Default)]
pub(crate) struct BilateralSystem {
    members: Vec<usize>,
    places: Places,
    rows: usize,
    dense: Vec<f64>,
    /// Of the rows before they are reduced.
    sizes: Vec<f64>,
    lu: DenseLu,
}

impl BilateralSystem {
    /// Holds these unitary relations, in increasing order.
    pub(crate) fn set_members(&mut self, tables: &Tables, members: impl Iterator<Item = usize>) {
        self.members.clear();
        self.members.extend(members);
        self.rows = self.places.put_all(tables, &self.members);
    }

    /// Takes out the members that are not wanted.
    pub(crate) fn keep(&mut self, tables: &Tables, wanted: impl Fn(usize) -> bool) {
        self.members.retain(|&member| wanted(member));
        self.rows = self.places.put_all(tables, &self.members);
    }

    pub(crate) fn members(&self) -> &[usize] {
        &self.members
    }

    /// The number of rows.
    pub(crate) fn size(&self) -> usize {
        self.rows
    }

    /// Gathers the matrix from the Delassus blocks.
    pub(crate) fn gather(&mut self, tables: &Tables, delassus: &Delassus) {
        fill_dense(tables, delassus, (&self.members, self.rows), &self.places, &mut self.dense);
    }

    /// Factorises the matrix that was gathered.
    pub(crate) fn factor(&mut self) -> Result<(), SingularMatrix> {
        self.lu.factor(square(&self.dense, self.size()))
    }

    /// Overwrites `b` with the solution.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        self.lu.solve(b);
    }

    /// Marks the rows that do not depend on rows before them in the given order, by elimination; leaves the
    /// matrix reduced.
    pub(crate) fn independent(&mut self, order: &[usize], is_independent: &mut Vec<bool>) {
        let n = self.size();
        is_independent.clear();
        is_independent.resize(n, false);
        let (a, sizes) = (&mut self.dense, &mut self.sizes);
        // The diagonal is overwritten as the rows are reduced: the sizes have to be known before.
        sizes.clear();
        sizes.extend((0..n).map(|row| a[row * n + row].abs()));
        for (place, &row) in order.iter().enumerate() {
            let pivot = a[row * n + row];
            if pivot.abs() <= DEPENDENT * sizes[row] || pivot == 0.0 {
                continue;
            }
            is_independent[row] = true;
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
