//! How good a point is.

use ndarray::{ArrayView1, ArrayView2};

/// The quality of a point $z$, from $w = M z + q$ formed here.
///
/// It shares no code with `siconos_numerics::lcp::error`, so that a mistake there cannot hide itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// $M z + q$.
    pub w: Vec<f64>,
    /// The smallest entry of $z$; infinite for an empty problem.
    pub least_z: f64,
    /// The smallest entry of $w$; infinite for an empty problem.
    pub least_w: f64,
    /// The largest $|z_i w_i|$.
    pub complementarity: f64,
    /// The Euclidean norm of $\min(z, w)$ over that of $q$, undivided when $q$ vanishes.
    pub natural: f64,
}

impl Measures {
    /// Measures a point. A NaN anywhere makes `natural` NaN.
    ///
    /// # Panics
    ///
    /// When the sizes do not fit.
    #[track_caller]
    #[must_use]
    pub fn of(m: ArrayView2<'_, f64>, q: &[f64], z: &[f64]) -> Self {
        assert_eq!((m.nrows(), m.ncols(), z.len()), (q.len(), q.len(), q.len()), "sizes");
        let w = (m.dot(&ArrayView1::from(z)) + ArrayView1::from(q)).to_vec();
        let least = |x: &[f64]| x.iter().copied().fold(f64::INFINITY, f64::min);
        let complementarity = z.iter().zip(&w).map(|(z, w)| (z * w).abs()).fold(0.0, f64::max);
        let smaller = |(&z, &w): (&f64, &f64)| if z.is_nan() || z <= w { z } else { w };
        let residual = z.iter().zip(&w).map(smaller).map(|x| x * x).sum::<f64>().sqrt();
        let scale = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let natural = if scale > f64::EPSILON { residual / scale } else { residual };
        Self { least_z: least(z), least_w: least(&w), complementarity, natural, w }
    }
}
