//! Scale factors of the rows and columns of any square matrix.
//!
//! Curtis and Reid (1972), "On the automatic scaling of matrices for Gaussian elimination": the logarithms of
//! the scale factors minimise the sum of the squares of the logarithms of the scaled entries. The scaled
//! matrix is therefore independent of the units of rows and columns, except that the factors are rounded to
//! powers of two. The minimum is found by alternating between rows and columns, from the exponents of the
//! entries.

use super::MatrixRef;
use super::powers::exponent;

/// Scale factors of rows and columns, with the workspace to compute them.
#[derive(Clone, Debug, Default)]
pub struct Equilibration {
    /// Exponent of the largest entry. Each row is divided by 2 to this power, so that the other scale factors
    /// do not depend on the size of the matrix entries.
    common: i32,
    rows: Vec<f64>,
    columns: Vec<f64>,
    sums: Vec<Sum>,
}

/// Sum of logarithms, and number of terms.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    count: f64,
}

/// Maximum number of alternations.
const ALTERNATIONS: usize = 20;

/// Tolerance on the change of the logarithms. It is far below the rounding to a power of two.
const SETTLED: f64 = 1e-3;

impl Equilibration {
    /// Computes the scale factors of a square matrix. If the matrix is symmetric, the factor of each row
    /// equals the factor of the column with the same index, except for a power of two common to all rows.
    pub fn find(&mut self, m: MatrixRef<'_>) {
        let n = m.rows();
        for units in [&mut self.rows, &mut self.columns] {
            units.clear();
            units.resize(n, 0.0);
        }
        self.common = i32::MIN;
        m.for_each_entry(|_, _, entry| self.common = self.common.max(exponent(entry).unwrap_or(i32::MIN)));
        for _ in 0..ALTERNATIONS {
            let change = self.update(&m, true) + self.update(&m, false);
            if change <= SETTLED {
                break;
            }
        }
        if m.is_symmetric() {
            for (row, column) in self.rows.iter_mut().zip(&mut self.columns) {
                let mean = 0.5 * (*row + *column);
                (*row, *column) = (mean, mean);
            }
        }
    }

    /// Scales each row or column so that the mean logarithm of its entries is 0. Returns the largest change
    /// of a factor.
    fn update(&mut self, m: &MatrixRef<'_>, is_of_rows: bool) -> f64 {
        let Self { common, rows, columns, sums } = self;
        sums.clear();
        sums.resize(rows.len(), Sum::default());
        m.for_each_entry(|i, j, entry| {
            if let Some(exponent) = exponent(entry) {
                let (own, other) = if is_of_rows { (i, columns[j]) } else { (j, rows[i]) };
                sums[own].sum += f64::from(exponent - *common) + other;
                sums[own].count += 1.0;
            }
        });
        let units = if is_of_rows { rows } else { columns };
        let mut change = 0.0_f64;
        for (unit, Sum { sum, count }) in units.iter_mut().zip(sums).filter(|(_, sum)| sum.count > 0.0) {
            let new = -*sum / *count;
            change = change.max((new - *unit).abs());
            *unit = new;
        }
        change
    }

    /// Returns the exponent of the scale factor of a row, which is a power of two.
    pub fn row_exponent(&self, i: usize) -> i32 {
        nearest(self.rows[i]) - if self.common == i32::MIN { 0 } else { self.common }
    }

    /// Returns the exponent of the scale factor of a column, which is a power of two.
    pub fn column_exponent(&self, j: usize) -> i32 {
        nearest(self.columns[j])
    }

    /// Allocates the workspace for a matrix of `n` rows.
    pub fn reserve(&mut self, n: usize) {
        self.rows.reserve(n);
        self.columns.reserve(n);
        self.sums.reserve(n);
    }
}

/// Returns the nearest integer. Ties are rounded up, with a margin for rounding errors.
fn nearest(logarithm: f64) -> i32 {
    (logarithm + 0.5 + 1e-4).floor() as i32
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;

    fn scaled(m: &Array2<f64>) -> Array2<f64> {
        let mut units = Equilibration::default();
        units.find(m.into());
        Array2::from_shape_fn(m.dim(), |(i, j)| {
            m[[i, j]] * f64::from(units.row_exponent(i) + units.column_exponent(j)).exp2()
        })
    }

    #[test]
    fn units_of_rows_and_columns_make_no_difference() {
        let m = array![[0.0, 3.0, 0.1], [-2.0, 0.5, 0.0], [7.0, 0.0, 1.0]];
        let (rows, columns) = ([1e8, 1.0, 1e-7], [1e-5, 1e7, 1.0]);
        let other = Array2::from_shape_fn((3, 3), |(i, j)| rows[i] * m[[i, j]] * columns[j]);
        let (m, other) = (scaled(&m), scaled(&other));
        assert!(
            m.iter().zip(&other).all(|(a, b)| a.abs() <= 4.0 * b.abs() && b.abs() <= 4.0 * a.abs()),
            "{m} {other}"
        );
        assert!(m.iter().filter(|x| **x != 0.0).all(|x| (0.1..10.0).contains(&x.abs())), "{m}");
    }

    #[test]
    fn a_symmetric_matrix_stays_one() {
        let m = scaled(&array![[1e-9, 2.0, 0.0], [2.0, 1e12, 3e3], [0.0, 3e3, 0.0]]);
        assert_eq!(m, m.t());
        assert_eq!(scaled(&(2.0 * &m)), scaled(&m));
    }
}
