//! Square blocks of a size known at compile time, such as the matrices of one contact.

/// A `D x D` matrix on the stack, row by row.
///
/// ```
/// use siconos_linalg::SmallMatrix;
///
/// let a = SmallMatrix([[4.0, 1.0], [2.0, 3.0]]);
/// let x = a.solve([6.0, 8.0]).expect("the matrix is regular");
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// assert_eq!(SmallMatrix([[1.0, 2.0], [2.0, 4.0]]).solve([1.0, 1.0]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallMatrix<const D: usize>(pub [[f64; D]; D]);

impl<const D: usize> SmallMatrix<D> {
    /// Zero matrix.
    pub const ZERO: Self = Self([[0.0; D]; D]);

    /// Returns the identity matrix.
    #[must_use]
    pub fn identity() -> Self {
        let mut a = Self::ZERO;
        for (i, row) in a.0.iter_mut().enumerate() {
            row[i] = 1.0;
        }
        a
    }

    /// Returns $A x$.
    #[inline]
    #[must_use]
    pub fn mul_vector(&self, x: &[f64; D]) -> [f64; D] {
        let mut y = [0.0; D];
        for (yi, row) in y.iter_mut().zip(&self.0) {
            *yi = row.iter().zip(x).map(|(a, b)| a * b).sum();
        }
        y
    }

    /// Returns $A^T$.
    #[must_use]
    pub fn transpose(&self) -> Self {
        let mut t = Self::ZERO;
        for (i, row) in self.0.iter().enumerate() {
            for (j, &a) in row.iter().enumerate() {
                t.0[j][i] = a;
            }
        }
        t
    }

    /// Solves $A x = b$ by Gaussian elimination with partial pivoting (Golub and Van Loan 2013, section 3.4).
    ///
    /// Returns `None` if a pivot is at most `D` times the machine precision times the largest entry: the
    /// matrix is then singular to working precision.
    #[must_use]
    pub fn solve(&self, mut b: [f64; D]) -> Option<[f64; D]> {
        let mut a = self.0;
        let largest = a.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        let threshold = largest * f64::EPSILON * D as f64;
        for k in 0..D {
            let pivot_row = (k..D).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
            // This condition rejects a NaN as well.
            if a[pivot_row][k].abs() <= threshold || a[pivot_row][k].is_nan() {
                return None;
            }
            a.swap(k, pivot_row);
            b.swap(k, pivot_row);
            let row_k = a[k];
            for i in k + 1..D {
                let factor = a[i][k] / row_k[k];
                for j in k + 1..D {
                    a[i][j] -= factor * row_k[j];
                }
                b[i] -= factor * b[k];
            }
        }
        for k in (0..D).rev() {
            for j in k + 1..D {
                b[k] -= a[k][j] * b[j];
            }
            b[k] /= a[k][k];
        }
        Some(b)
    }
}
