//! The stopping measure of the linear complementarity problem.

use super::LcpProblem;
use crate::linalg::norm;

/// The error of a pair $(z, w)$ with $w = M z + q$:
///
/// $$ e = \frac{\lVert z - \max(0, z - w) \rVert_2}{\lVert q \rVert_2}, $$
///
/// that is norm(min(z, w)) / norm(q); without the division when norm(q) does not exceed the machine precision. NaN
/// when an entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Cottle, Pang, Stone 1992, section 5.10: the natural residual), and it is the
/// measure `lcp_compute_error` of Siconos, so that results are comparable.
#[doc(alias = "lcp_compute_error")]
#[must_use]
pub fn error(q: &[f64], z: &[f64], w: &[f64]) -> f64 {
    // The smaller of the two, not the difference z - max(0, z - w): where z is so large that z - w rounds to z, that
    // would be 0 whatever w is.
    let natural = z.iter().zip(w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt();
    let scale = norm(q);
    // `f64::max` swallows a NaN, and an infinite w_i with z_i = 0 leaves no trace: a point that is not finite must not
    // look good.
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    if scale > f64::EPSILON { natural / scale } else { natural }
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &LcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    // The product first: where huge terms cancel, q added to one of them would be lost with it, and w = 0 seem exact.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem.q(), z, w)
}
