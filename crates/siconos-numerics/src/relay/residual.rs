//! The stopping measure of the relay problem.

use super::RelayProblem;
use crate::linalg::norm;

/// The error of a pair $(z, w)$ with $w = M z + q$ and $l \le z \le u$ (bounds `lower` and `upper`):
///
/// $$ e = \frac{\lVert P_{[l, u]}(z - w) - z \rVert_2}{1 + \lVert q \rVert_2}, $$
///
/// that is norm(Proj(z - w) - z) / (norm(q) + 1), with the projection onto the bounds. NaN when an entry of the pair is
/// not finite.
///
/// It vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8: the natural map), and it is the measure
/// `relay_compute_error` of Siconos, so that results are comparable.
#[doc(alias = "relay_compute_error")]
#[must_use]
pub fn error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let (lower, upper) = (problem.lower(), problem.upper());
    let mut sum = 0.0;
    for (i, (z, w)) in z.iter().zip(w).enumerate() {
        sum += natural(*z, *w, lower[i], upper[i]).powi(2);
    }
    sum.sqrt() / (1.0 + norm(problem.q()))
}

/// $z - P_{[l, u]}(z - w) = \mathrm{mid}(z - l, z - u, w)$, the middle one of z - l, z - u and w, which cancels nothing.
pub(super) fn natural(z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    w.min(z - lower).max(z - upper)
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    w.copy_from_slice(problem.q());
    problem.m().add_product(1.0, z, w);
    error(problem, z, w)
}
