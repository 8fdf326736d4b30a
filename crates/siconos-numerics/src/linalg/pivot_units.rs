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

use super::powers::{exponent, power_of_two};

/// Powers of two, and the memory to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct PivotUnits {
    /// What rows and columns are to be multiplied by.
    pub(super) rows: Vec<f64>,
    pub(super) columns: Vec<f64>,
    exponents: Vec<Option<i32>>,
    row: Vec<i32>,
    column: Vec<i32>,
    /// Of each unknown that is not in the tree: its strongest coupling with one that is, and that one.
    best: Vec<Option<(i32, usize)>>,
    is_in_tree: Vec<bool>,
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
        if n == 1 {
            // There is nothing to compare.
            return self.set(n, 1.0);
        }
        for units in [&mut self.rows, &mut self.columns] {
            units.clear();
            units.resize(n, 1.0);
        }
        self.exponents.clear();
        self.exponents.extend(a.iter().map(|x| exponent(*x)));
        if (0..n).any(|i| self.exponents[i * n + i].is_none()) {
            return;
        }
        for exponents in [&mut self.row, &mut self.column] {
            exponents.clear();
            exponents.resize(n, 0);
        }
        self.best.clear();
        self.best.resize(n, None);
        self.is_in_tree.clear();
        self.is_in_tree.resize(n, false);
        for root in 0..n {
            if !self.is_in_tree[root] {
                // Nothing is compared with what it is not connected with.
                self.row[root] = 0;
                self.column[root] = -self.diagonal(n, root);
                self.grow(n, root);
                while let Some(next) = self.strongest() {
                    self.attach(n, next);
                    self.grow(n, next);
                }
            }
        }
        let units = self.rows.iter_mut().chain(&mut self.columns);
        for (unit, exponent) in units.zip(self.row.iter().chain(&self.column)) {
            *unit = power_of_two(*exponent);
        }
    }

    fn diagonal(&self, n: usize, i: usize) -> i32 {
        self.exponents[i * n + i].unwrap_or(0)
    }

    /// Takes an unknown into the tree, and looks at its couplings with those that are not.
    fn grow(&mut self, n: usize, new: usize) {
        self.is_in_tree[new] = true;
        for other in (0..n).filter(|&other| !self.is_in_tree[other]) {
            let strength = match (self.exponents[new * n + other], self.exponents[other * n + new]) {
                (Some(a), Some(b)) => a + b - self.diagonal(n, new) - self.diagonal(n, other),
                (None, None) => continue,
                _ => ONE_WAY,
            };
            if self.best[other].is_none_or(|(best, _)| strength > best) {
                self.best[other] = Some((strength, new));
            }
        }
    }

    /// The unknown outside of the tree that is coupled with it most, the first of equals.
    fn strongest(&self) -> Option<usize> {
        let outside = self.best.iter().enumerate().filter(|(k, _)| !self.is_in_tree[*k]);
        let coupled = outside.filter_map(|(k, best)| best.map(|(strength, _)| (strength, k)));
        coupled.max_by(|(a, i), (b, j)| a.cmp(b).then(j.cmp(i))).map(|(_, k)| k)
    }

    /// Gives an unknown its units, from those of its partner in the tree.
    fn attach(&mut self, n: usize, new: usize) {
        let Some((strength, partner)) = self.best[new] else { return };
        let towards = self.exponents[partner * n + new];
        let back = self.exponents[new * n + partner];
        self.column[new] = match (towards, back) {
            // Scaled, both entries have about half of the exponent of the coupling.
            (Some(towards), Some(_)) => strength.div_euclid(2) - towards - self.row[partner],
            (Some(towards), None) => -towards - self.row[partner],
            (None, Some(back)) => back + self.column[partner] - self.diagonal(n, new),
            (None, None) => 0,
        };
        self.row[new] = -self.diagonal(n, new) - self.column[new];
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
