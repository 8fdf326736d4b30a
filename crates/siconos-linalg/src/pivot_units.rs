//! Scale factors (units) of the rows and columns of a matrix, computed from the matrix itself.
//!
//! Elimination compares the entries of a column, and these have the units of their rows: newtons in one row,
//! newton metres in another. Without scaling, the choice of a pivot would depend on whether lengths are in
//! metres or millimetres. The scale factors computed here are powers of two that depend only on the exponents
//! of the entries. If the units change by powers of two, the factors change by the inverse powers. The scaled
//! matrix is therefore bit-identical, and every choice of a pivot stays the same.
//!
//! The scale factors follow a maximum spanning tree. Its edges are the pairs of unknowns with the strongest
//! coupling $a_{ij} a_{ji} / (a_{ii} a_{jj})$, which is dimensionless (Prim 1957, "Shortest connection
//! networks and some generalizations"). Along an edge, scaling makes the diagonal entries close to 1 and the
//! two off-diagonal entries of similar size. For symmetric positive definite matrices this is scaling to a
//! unit diagonal, which is nearly optimal (Van der Sluis 1969, "Condition numbers and equilibration of
//! matrices").

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Csc;
use super::powers::{exponent, power_of_two};

/// Threshold of rounding errors. A pivot below this fraction of the largest entries of its row and column is
/// treated as a rounding error. The fraction exceeds the machine precision, because each entry is a sum of
/// several terms.
pub(super) const ROUNDING_PIVOT: f64 = 1e-12;

/// Scale factors, and the workspace to compute them.
#[derive(Clone, Debug, Default)]
pub(super) struct PivotUnits {
    /// Factors by which the rows are to be multiplied.
    pub(super) rows: Vec<f64>,
    pub(super) columns: Vec<f64>,
    exponents: Vec<Option<i32>>,
    diagonal: Vec<i32>,
    row: Vec<i32>,
    column: Vec<i32>,
    /// Strongest coupling of each unknown outside the tree with an unknown in the tree.
    best: Vec<Option<Edge>>,
    is_in_tree: Vec<bool>,
}

/// Returns the powers of two by which the rows and the columns of a square matrix are to be multiplied, so
/// that the scaled matrix depends neither on the units of the rows nor on the units of the columns.
///
/// In the scaled matrix the diagonal is close to 1, and the two entries of each of the strongest couplings
/// are of similar size. Connected components of the matrix are scaled independently of each other. If a
/// diagonal entry is zero, all factors are 1.
///
/// ```
/// use siconos_linalg::{Csc, units_of_matrix};
///
/// let a = Csc::from_triplets(2, 2, [(0, 0, 4.0), (0, 1, 64.0), (1, 0, 1.0), (1, 1, 32.0)]).expect("entries");
/// let (rows, columns) = units_of_matrix(&a);
/// let scaled = |i: usize, j: usize| rows[i] * a.get(i, j) * columns[j];
/// assert_eq!((scaled(0, 0), scaled(1, 1)), (1.0, 1.0));
/// assert_eq!((scaled(0, 1), scaled(1, 0)), (0.5, 1.0));
/// ```
#[must_use]
pub fn units_of_matrix(a: &Csc) -> (Vec<f64>, Vec<f64>) {
    let (mut units, mut transposed) = (PivotUnits::default(), Csc::default());
    transposed.copy_transposed(a);
    units.find_sparse(a, &transposed);
    (units.rows, units.columns)
}

/// Coupling of an unknown with its partner in the tree. `towards` and `back` are the exponents of the entries
/// in the row and in the column of the partner.
#[derive(Clone, Copy, Debug)]
struct Edge {
    strength: i32,
    partner: usize,
    towards: Option<i32>,
    back: Option<i32>,
}

/// Strength of a one-way coupling, in which only one of the two entries is nonzero. It is weaker than all
/// two-way couplings.
const ONE_WAY: i32 = i32::MIN / 2;

impl PivotUnits {
    /// Sets all row factors to `unit` and all column factors to 1.
    pub(super) fn set(&mut self, n: usize, unit: f64) {
        for (units, unit) in [(&mut self.rows, unit), (&mut self.columns, 1.0)] {
            units.clear();
            units.resize(n, unit);
        }
    }

    /// Computes the factors of a matrix given row by row. All are 1 if a diagonal entry is zero.
    pub(super) fn find(&mut self, a: &[f64], n: usize) {
        self.set(n, 1.0);
        if n == 1 {
            return;
        }
        self.exponents.clear();
        self.exponents.extend(a.iter().map(|x| exponent(*x)));
        self.diagonal.clear();
        self.diagonal.extend(self.exponents.iter().step_by(n + 1).flatten());
        if self.diagonal.len() < n {
            return;
        }
        if n == 2 {
            return self.find_pair();
        }
        self.begin(n);
        for root in 0..n {
            if !self.is_in_tree[root] {
                self.plant(root);
                self.grow(n, root);
                while let Some(next) = self.strongest() {
                    self.attach(next);
                    self.grow(n, next);
                }
            }
        }
        self.take();
    }

    /// Computes the factors of a sparse matrix, given with its transpose. They equal the factors of the dense
    /// matrix.
    pub(super) fn find_sparse(&mut self, a: &Csc, transposed: &Csc) {
        let n = a.columns();
        self.set(n, 1.0);
        self.diagonal.clear();
        self.diagonal.extend((0..n).map_while(|i| exponent(a.get(i, i))));
        if self.diagonal.len() < n {
            return;
        }
        self.begin(n);
        let mut waiting = BinaryHeap::new();
        for root in 0..n {
            if self.is_in_tree[root] {
                continue;
            }
            self.plant(root);
            let mut next = Some(root);
            while let Some(new) = next {
                self.is_in_tree[new] = true;
                for_each_neighbour((transposed, a), new, |other, towards, back| {
                    if self.consider(new, other, towards, back) {
                        let strength = self.best[other].map(|edge| edge.strength);
                        waiting.push((strength, Reverse(other)));
                    }
                });
                // An unknown can be in the heap several times. Its weaker couplings are popped after it has
                // joined the tree.
                next = std::iter::from_fn(|| waiting.pop())
                    .map(|(_, Reverse(k))| k)
                    .find(|&k| !self.is_in_tree[k]);
                if let Some(next) = next {
                    self.attach(next);
                }
            }
        }
        self.take();
    }

    fn begin(&mut self, n: usize) {
        for exponents in [&mut self.row, &mut self.column] {
            exponents.clear();
            exponents.resize(n, 0);
        }
        self.best.clear();
        self.best.resize(n, None);
        self.is_in_tree.clear();
        self.is_in_tree.resize(n, false);
    }

    /// Sets the factors of the root of a new tree. Each connected component of the matrix has its own tree.
    fn plant(&mut self, root: usize) {
        self.row[root] = 0;
        self.column[root] = -self.diagonal[root];
    }

    fn take(&mut self) {
        let units = self.rows.iter_mut().chain(&mut self.columns);
        for (unit, exponent) in units.zip(self.row.iter().chain(&self.column)) {
            *unit = power_of_two(*exponent);
        }
    }

    /// Adds an unknown to the tree, and updates the strongest couplings of the unknowns outside the tree.
    fn grow(&mut self, n: usize, new: usize) {
        self.is_in_tree[new] = true;
        for other in 0..n {
            self.consider(new, other, self.exponents[new * n + other], self.exponents[other * n + new]);
        }
    }

    /// Stores the coupling of the unknown `other` with the new unknown of the tree if it is the strongest
    /// coupling of `other` so far. Returns `true` in this case.
    fn consider(&mut self, new: usize, other: usize, towards: Option<i32>, back: Option<i32>) -> bool {
        if self.is_in_tree[other] {
            return false;
        }
        let Some(edge) = self.edge(new, other, towards, back) else { return false };
        let is_best = self.best[other].is_none_or(|best| edge.strength > best.strength);
        if is_best {
            self.best[other] = Some(edge);
        }
        is_best
    }

    /// Returns the coupling of the unknown `other` with `partner`, or `None` if both of their entries are
    /// zero.
    fn edge(&self, partner: usize, other: usize, towards: Option<i32>, back: Option<i32>) -> Option<Edge> {
        let strength = match (towards, back) {
            (Some(a), Some(b)) => a + b - self.diagonal[partner] - self.diagonal[other],
            (None, None) => return None,
            _ => ONE_WAY,
        };
        Some(Edge { strength, partner, towards, back })
    }

    /// Returns the unknown outside the tree with the strongest coupling. In case of a tie, it returns the
    /// smallest index.
    fn strongest(&self) -> Option<usize> {
        let outside = self.best.iter().enumerate().filter(|(k, _)| !self.is_in_tree[*k]);
        let coupled = outside.filter_map(|(k, best)| best.map(|edge| (edge.strength, k)));
        coupled.max_by(|(a, i), (b, j)| a.cmp(b).then(j.cmp(i))).map(|(_, k)| k)
    }

    /// Sets the factors of an unknown from the factors of its partner in the tree.
    fn attach(&mut self, new: usize) {
        let Some(edge) = self.best[new] else { return };
        self.column[new] = edge.column(self.row[edge.partner], self.column[edge.partner], self.diagonal[new]);
        self.row[new] = -self.diagonal[new] - self.column[new];
    }

    /// Computes the factors for two unknowns, the most common case, without a search for the strongest
    /// coupling.
    fn find_pair(&mut self) {
        let (row, column) = (0, -self.diagonal[0]);
        let edge = self.edge(0, 1, self.exponents[1], self.exponents[2]);
        let of_second = edge.map_or(-self.diagonal[1], |edge| edge.column(row, column, self.diagonal[1]));
        self.rows[1] = power_of_two(-self.diagonal[1] - of_second);
        (self.columns[0], self.columns[1]) = (power_of_two(column), power_of_two(of_second));
    }
}

impl Edge {
    /// Returns the exponent of the column factor of an unknown. `row` and `column` are the exponents of the
    /// factors of its partner, and `diagonal` is the exponent of the diagonal entry of the unknown.
    fn column(self, row: i32, column: i32, diagonal: i32) -> i32 {
        match (self.towards, self.back) {
            // After scaling, each of the two entries has about half the exponent of the coupling.
            (Some(towards), Some(_)) => self.strength.div_euclid(2) - towards - row,
            (Some(towards), None) => -towards - row,
            (None, Some(back)) => back + column - diagonal,
            (None, None) => 0,
        }
    }
}

/// Visits the unknowns that share an entry with the unknown `of`, in increasing order. Each visit receives
/// the exponents of the entries in the row and in the column of `of`.
fn for_each_neighbour(
    (transposed, a): (&Csc, &Csc),
    of: usize,
    mut visit: impl FnMut(usize, Option<i32>, Option<i32>),
) {
    let (mut row, mut column) = (transposed.column(of).peekable(), a.column(of).peekable());
    while let Some(other) = row.peek().into_iter().chain(column.peek()).map(|(k, _)| *k).min() {
        let towards = row.next_if(|(k, _)| *k == other).and_then(|(_, x)| exponent(x));
        let back = column.next_if(|(k, _)| *k == other).and_then(|(_, x)| exponent(x));
        visit(other, towards, back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrix without a particular pattern, with zeros and with entries in one triangle only.
    const A: [f64; 16] =
        [4.0, 0.3, 0.0, -2.5, 0.7, 0.01, 5.0, 0.2, 0.0, -0.4, 30.0, 0.0, 1.5, 0.9, 1e-7, -0.6];

    fn scaled(a: &[f64], n: usize) -> Vec<f64> {
        let mut units = PivotUnits::default();
        units.find(a, n);
        (0..n * n).map(|k| a[k] * units.rows[k / n] * units.columns[k % n]).collect()
    }

    #[test]
    fn a_sparse_matrix_has_the_units_of_its_entries() {
        for (seed, n) in (0..20_u64).flat_map(|seed| [(seed, 2), (seed, 3), (seed, 40)]) {
            // A few entries of widely different sizes. Some couplings are one-way, and some unknowns are not
            // connected.
            let entry = |i: usize, j: usize| {
                let hash = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((i * n + j + 1) as u64);
                let hash = hash
                    .wrapping_mul(0xd6e8_feb8_6659_fd93)
                    .rotate_left(32)
                    .wrapping_mul(0xd6e8_feb8_6659_fd93);
                let size = power_of_two((hash >> 20) as i32 % 30 - 15) * (1.0 + (hash % 7) as f64 / 8.0);
                if i == j || hash % 31 < if n < 40 { 16 } else { 2 } { size } else { 0.0 }
            };
            let dense: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let entries = (0..n * n).map(|k| (k / n, k % n, dense[k])).filter(|(.., x)| *x != 0.0);
            let sparse = Csc::from_triplets(n, n, entries).expect("entries of the matrix");
            let mut transposed = Csc::default();
            transposed.copy_transposed(&sparse);
            let (mut expected, mut found) = (PivotUnits::default(), PivotUnits::default());
            expected.find(&dense, n);
            found.find_sparse(&sparse, &transposed);
            assert_eq!((found.rows, found.columns), (expected.rows, expected.columns), "{seed}, {n}");
        }
    }

    #[test]
    fn the_scaled_matrix_is_the_same_in_all_units() {
        let expected = scaled(&A, 4);
        let powers = [3, -40, 17, 0, 200, -1, 12, 5, 9];
        for shift in 0..powers.len() {
            let power = |k: usize| f64::from(powers[(k + shift) % powers.len()]).exp2();
            let a: Vec<_> = (0..16).map(|k| A[k] * power(k / 4) * power(4 + k % 4)).collect();
            let other = scaled(&a, 4);
            assert!(
                other.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()),
                "{other:?} {expected:?}"
            );
        }
    }

    #[test]
    fn a_positive_definite_matrix_gets_a_diagonal_near_one() {
        // Mass matrix of two coordinates with different units: a tonne that moves by metres, and a milligram
        // that moves by micrometres.
        let a = scaled(&[1e3, 2e-9, 2e-9, 1e-18], 2);
        assert!((1.0..2.0).contains(&a[0]) && (1.0..2.0).contains(&a[3]), "{a:?}");
        assert!(a[1] / a[2] < 2.1 && a[2] / a[1] < 2.1, "{a:?}");
    }

    #[test]
    fn a_zero_on_the_diagonal_leaves_the_units_as_they_are() {
        assert_eq!(scaled(&[0.0, 2.0, 1e9, 1.0], 2), [0.0, 2.0, 1e9, 1.0]);
    }
}
