//! The stopping measure of the relay problem.

use super::RelayProblem;
use crate::info::Status;
use crate::linalg::norm;
use crate::rounding::allowances;

/// The error of a pair $(z, w)$ with $w = M z + q$, for the bounds $l \le z \le u$ (`lower` and `upper`):
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
    let bounds = problem.lower().iter().zip(problem.upper());
    let squares = z.iter().zip(w).zip(bounds).map(|((z, w), (l, u))| natural(*z, *w, *l, *u).powi(2));
    squares.sum::<f64>().sqrt() / (1.0 + norm(problem.q()))
}

/// $z - P_{[l, u]}(z - w)$, written as the middle one of z - l, z - u and w, which cancels nothing.
pub(crate) fn natural(z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    w.min(z - lower).max(z - upper)
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    // The product first: where huge terms cancel, q added to one of them would be lost with it, and w = 0 seem exact.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem, z, w)
}

/// The status of a point that a method took for a solution; any other but success means that it was mistaken. `scale` is memory.
pub(super) fn judge(
    problem: &RelayProblem<'_>,
    z: &[f64],
    w: &[f64],
    error: f64,
    tolerance: f64,
    scale: &mut Vec<f64>,
) -> Status {
    if error <= tolerance {
        return Status::Converged;
    }
    if !error.is_finite() {
        return Status::Breakdown;
    }
    allowances(problem.m(), problem.q(), z, scale);
    let bounds = problem.lower().iter().zip(problem.upper());
    let exact = z.iter().zip(w).zip(&*scale).zip(bounds).all(|(((&z, &w), &allowed), (&l, &u))| {
        (l..=u).contains(&z) && (w <= allowed || z == l) && (w >= -allowed || z == u)
    });
    if exact { Status::AtRoundingLevel } else { Status::Stalled }
}
