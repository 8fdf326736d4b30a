//! Errors of a candidate solution of a linear complementarity problem.

use crate::box_error::box_error;
use crate::compare::worse;
use ndarray::{ArrayView1, ArrayView2};

/// Errors of a candidate solution $z$. The vector $w = M z + q$ is recomputed.
///
/// The computation shares no code with `siconos_numerics::lcp::error`, so that it detects mistakes there.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// $M z + q$.
    pub w: Vec<f64>,
    /// Smallest entry of $z$; infinite for an empty problem.
    pub least_z: f64,
    /// Smallest entry of $w$; infinite for an empty problem.
    pub least_w: f64,
    /// Largest $|z_i w_i|$.
    pub complementarity: f64,
    /// Error of $z$, computed by [`box_error`].
    pub natural: f64,
    /// Largest violation of a row divided by its terms $|M| |z| + |q|$. A row requires $w_i = 0$ if $z_i > 0$
    /// and $w_i \ge 0$ if $z_i = 0$. The violation is infinite if $z_i$ is negative. A violation of a few
    /// units of the machine precision cannot be improved in floating point (Oettli and Prager 1964).
    pub backward: f64,
}

impl Measures {
    /// Computes the errors of a point. If any value is NaN, `natural` and `backward` are NaN.
    ///
    /// # Panics
    ///
    /// If the sizes differ.
    #[track_caller]
    #[must_use]
    pub fn of(m: ArrayView2<'_, f64>, q: &[f64], z: &[f64]) -> Self {
        assert_eq!((m.nrows(), m.ncols(), z.len()), (q.len(), q.len(), q.len()), "sizes");
        let w = (m.dot(&ArrayView1::from(z)) + ArrayView1::from(q)).to_vec();
        let least = |x: &[f64]| x.iter().copied().fold(f64::INFINITY, f64::min);
        let complementarity = z.iter().zip(&w).map(|(z, w)| (z * w).abs()).fold(0.0, worse);
        let natural = box_error(&m.to_owned(), q, &vec![0.0; q.len()], &vec![f64::INFINITY; q.len()], z);
        let backward = Self::backward_error(m, q, z, &w);
        Self { least_z: least(z), least_w: least(&w), complementarity, natural, backward, w }
    }

    fn backward_error(m: ArrayView2<'_, f64>, q: &[f64], z: &[f64], w: &[f64]) -> f64 {
        let mut largest = 0.0_f64;
        for (i, row) in m.rows().into_iter().enumerate() {
            let terms: f64 = row.iter().zip(z).map(|(m, z)| (m * z).abs()).sum();
            let violation = if z[i] < 0.0 {
                f64::INFINITY
            } else if z[i] > 0.0 {
                w[i].abs()
            } else {
                (-w[i]).max(0.0)
            };
            if z[i].is_nan() || w[i].is_nan() {
                return f64::NAN;
            }
            if violation > 0.0 {
                largest = largest.max(violation / (terms + q[i].abs()));
            }
        }
        largest
    }
}
