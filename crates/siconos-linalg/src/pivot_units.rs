//! Units of the rows and columns of a matrix, found in the matrix itself.
//!
//! Elimination compares the entries of a column, which have the units of their rows: newtons beside newton
//! metres. Which is the largest then depends on whether lengths are in metres or millimetres. Here rows and
//! columns get powers of two as units from the exponents of entries alone. A change of units by powers of two
//! changes them by the same powers, so the scaled matrix is the same bit for bit, and so is every choice that
//! is made on it.
//!
//! The units follow a tree. Its edges are the pairs of unknowns with the strongest coupling
//! $a_{ij} a_{ji} / (a_{ii} a_{jj})$, a number without units (Prim 1957, "Shortest connection networks and
//! some generalizations"); along an edge they are such that the diagonal is near 1 and the two entries beside
//! it are of the same size. On symmetric positive definite matrices this is the scaling to a unit diagonal,
//! which is nearly the best of all (Van der Sluis 1969, "Condition numbers and equilibration of matrices").

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Csc;
use super::powers::{exponent, power_of_two};

/// Pivots below this fraction of their rows and columns are rounding errors: entries are sums of some terms.
pub(super) const ROUNDING_PIVOT: f64 = 1e-12;

/// Powers of two, and the memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct PivotUnits {
    /// What rows and columns are to be multiplied by.
    pub(super) rows: Vec<f64>,
    pub(super) columns: Vec<f64>,
    exponents: Vec<Option<i32>>,
    diagonal: Vec<i32>,
    row: Vec<i32>,
    column: Vec<i32>,
    /// Of each unknown that is not in the tree: its strongest coupling with one that is.
    best: Vec<Option<Edge>>,
    is_in_tree: Vec<bool>,
}

/// What the rows and the columns of a square matrix are to be multiplied by, powers of two, so that it does
/// not depend on the units of either: the diagonal comes near 1, and the two entries of the strongest
/// couplings to one size. Parts that are not connected are not compared; where a diagonal entry is zero, all
/// units are 1.
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

/// How an unknown is coupled with one in the tree: the exponents of the entry in the row of that one, and of
/// the entry in its column.
#[derive(Clone, Copy, Debug)]
struct Edge {
    strength: i32,
    partner: usize,
    towards: Option<i32>,
    back: Option<i32>,
}

/// The coupling of two unknowns of which one does not act on the other: weaker than all others.
const ONE_WAY: i32 = i32::MIN / 2;

impl PivotUnits {
    /// Gives all rows one unit.
    pub(super) fn set(&mut self, n: usize, unit: f64) {
        for (units, unit) in [(&mut self.rows, unit), (&mut self.columns, 1.0)] {
            units.clear();
            units.resize(n, unit);
        }
    }

    /// Finds the units of a matrix given row by row; all are 1 where a diagonal entry is zero.
    pub(super) fn find(&mut self, a: &[f64], n: usize) {
        self.set(n, 1.0);
        if n == 1 {
            // There is nothing to compare.
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

    /// Finds the units of a sparse matrix, given with its transpose: the same as of its entries row by row.
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
                // Of what has been found again by a stronger coupling, the weaker ones come when it is in.
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

    /// Begins a tree: nothing is compared with what it is not connected with.
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

    /// Takes an unknown into the tree, and looks at its couplings with those that are not.
    fn grow(&mut self, n: usize, new: usize) {
        self.is_in_tree[new] = true;
        for other in 0..n {
            self.consider(new, other, self.exponents[new * n + other], self.exponents[other * n + new]);
        }
    }

    /// Looks at the coupling of an unknown outside of the tree with one that has come in, whether it is its
    /// strongest.
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

    /// The coupling of an unknown with its partner in the tree, if there is one.
    fn edge(&self, partner: usize, other: usize, towards: Option<i32>, back: Option<i32>) -> Option<Edge> {
        let strength = match (towards, back) {
            (Some(a), Some(b)) => a + b - self.diagonal[partner] - self.diagonal[other],
            (None, None) => return None,
            _ => ONE_WAY,
        };
        Some(Edge { strength, partner, towards, back })
    }

    /// The unknown outside of the tree that is coupled with it most, the first of equals.
    fn strongest(&self) -> Option<usize> {
        let outside = self.best.iter().enumerate().filter(|(k, _)| !self.is_in_tree[*k]);
        let coupled = outside.filter_map(|(k, best)| best.map(|edge| (edge.strength, k)));
        coupled.max_by(|(a, i), (b, j)| a.cmp(b).then(j.cmp(i))).map(|(_, k)| k)
    }

    /// Gives an unknown its units, from those of its partner in the tree.
    fn attach(&mut self, new: usize) {
        let Some(edge) = self.best[new] else { return };
        self.column[new] = edge.column(self.row[edge.partner], self.column[edge.partner], self.diagonal[new]);
        self.row[new] = -self.diagonal[new] - self.column[new];
    }

    /// The tree of two unknowns, the commonest of all, without looking for its edge.
    fn find_pair(&mut self) {
        let (row, column) = (0, -self.diagonal[0]);
        let edge = self.edge(0, 1, self.exponents[1], self.exponents[2]);
        let of_second = edge.map_or(-self.diagonal[1], |edge| edge.column(row, column, self.diagonal[1]));
        self.rows[1] = power_of_two(-self.diagonal[1] - of_second);
        (self.columns[0], self.columns[1]) = (power_of_two(column), power_of_two(of_second));
    }
}

impl Edge {
    /// The exponent of the column of an unknown, from those of its partner and that of its diagonal entry.
    fn column(self, row: i32, column: i32, diagonal: i32) -> i32 {
        match (self.towards, self.back) {
            // Scaled, both entries have about half of the exponent of the coupling.
            (Some(towards), Some(_)) => self.strength.div_euclid(2) - towards - row,
            (Some(towards), None) => -towards - row,
            (None, Some(back)) => back + column - diagonal,
            (None, None) => 0,
        }
    }
}

/// Visits the unknowns that share an entry of their rows or columns with one, in order, with the exponents of
/// that in its row and of that in its column.
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

    /// A matrix without pattern, with a zero and entries in one triangle only.
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
            // Few entries, of many sizes: some places one way, some not connected.
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
        // Two coordinates, of a tonne and of a milligram in micrometres.
        let a = scaled(&[1e3, 2e-9, 2e-9, 1e-18], 2);
        assert!((1.0..2.0).contains(&a[0]) && (1.0..2.0).contains(&a[3]), "{a:?}");
        assert!(a[1] / a[2] < 2.1 && a[2] / a[1] < 2.1, "{a:?}");
    }

    #[test]
    fn a_zero_on_the_diagonal_leaves_the_units_as_they_are() {
        assert_eq!(scaled(&[0.0, 2.0, 1e9, 1.0], 2), [0.0, 2.0, 1e9, 1.0]);
    }
}
