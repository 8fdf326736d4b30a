//! The stopping measure of contact problems.

use super::{ContactLaw, ContactProblem};
use crate::info::Status;
use crate::linalg::norm;

/// The error of a pair $(r, u)$ with $u = W r + q$: the natural map of the law with $\rho = 1$, divided by a scale,
///
/// $$ e = \frac{1}{\sigma} \Bigl( \sum_i \lVert r_i - P_{K_i}(r_i - u_i - s_i(u_i) e_N) \rVert^2 \Bigr)^{1/2}, $$
///
/// that is sqrt(sum over blocks of norm(r - P_K(r - u - s(u) e_N))^2) / sigma. NaN when an entry is not finite.
///
/// The scale $\sigma$ is, as in Siconos (`fc3d_compute_error`, `rolling_fc3d_compute_error`, `soclcp_compute_error`):
/// max(norm(q), norm(r), norm(u)) for friction in the plane and in space and for rolling friction in space (no division
/// when that vanishes); norm(q) for rolling friction in the plane; norm(q) + 1 for second-order cones.
///
/// It vanishes exactly at solutions (De Saxce and Feng 1998 for the change of variable; Facchinei and Pang 2003,
/// proposition 1.5.8, for the natural map). It is not invariant under a change of units, and it divides by the
/// reaction: what runs off along a direction with $W r = 0$ passes for a solution in the end, which is why a solver's
/// word is its status (see [`Status`]) and not this number alone.
#[doc(alias = "fc3d_compute_error")]
#[doc(alias = "fc2d_compute_error")]
#[doc(alias = "rolling_fc3d_compute_error")]
#[doc(alias = "soclcp_compute_error")]
#[must_use]
pub fn error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    natural_map_norm(&problem.law(), r, u) / scale(problem, r, u)
}

/// Computes $u = W r + q$ into `u` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `r` or `u` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
    velocity_of_point(problem, r, u);
    error(problem, r, u)
}

/// $u = W r + q$.
pub(crate) fn velocity_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) {
    // The product first: where huge terms cancel, q added to one of them would be lost with it.
    u.fill(0.0);
    problem.w().add_product(1.0, r, u);
    u.iter_mut().zip(problem.q()).for_each(|(u, q)| *u += q);
}

/// The norm of the natural map, not divided by anything; NaN when an entry is not finite.
pub(crate) fn natural_map_norm(law: &ContactLaw<'_>, r: &[f64], u: &[f64]) -> f64 {
    let sum = match law.uniform_dimension() {
        Some(2) => sum_of_squares::<2>(law, r, u),
        Some(3) => sum_of_squares::<3>(law, r, u),
        Some(5) => sum_of_squares::<5>(law, r, u),
        _ => {
            let mut x = vec![0.0; law.size()];
            (0..law.blocks())
                .map(|i| {
                    let range = law.range(i);
                    natural_square(law, i, &r[range.clone()], &u[range.clone()], &mut x[range])
                })
                .sum()
        }
    };
    // A NaN may hide from the comparisons of a projection.
    let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
    if finite(r) && finite(u) { sum.sqrt() } else { f64::NAN }
}

fn sum_of_squares<const D: usize>(law: &ContactLaw<'_>, r: &[f64], u: &[f64]) -> f64 {
    let blocks = r.as_chunks::<D>().0.iter().zip(u.as_chunks::<D>().0);
    blocks.enumerate().map(|(block, (r, u))| natural_square(law, block, r, u, &mut [0.0; D])).sum()
}

/// The square of the natural map of one block; `x` is memory.
#[inline(always)]
fn natural_square(law: &ContactLaw<'_>, block: usize, r: &[f64], u: &[f64], x: &mut [f64]) -> f64 {
    x.iter_mut().zip(r.iter().zip(u)).for_each(|(x, (r, u))| *x = r - u);
    x[0] -= law.shift(block, u);
    law.project(block, x);
    r.iter().zip(x).map(|(r, x)| (r - *x).powi(2)).sum()
}

/// What the norm of the natural map is divided by.
pub(crate) fn scale(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    let q = norm(problem.q());
    let scale = match problem.law() {
        ContactLaw::Coulomb { .. } | ContactLaw::Rolling { dimension: 5, .. } => q.max(norm(r)).max(norm(u)),
        ContactLaw::Rolling { .. } => q,
        ContactLaw::SecondOrder { .. } => q + 1.0,
    };
    if scale.is_infinite() {
        // Reactions so large that their squares are not numbers: divided by them any violation would pass.
        f64::NAN
    } else if scale > f64::EPSILON {
        scale
    } else {
        1.0
    }
}

/// Reactions that run off along a direction with $W r = 0$ make any violation of the law small beside them. So reactions of
/// more than a million times q count as a solution only where the violation is below a tenth of q itself.
const FAR_OUT: f64 = 1e6;
const MOST_VIOLATION: f64 = 0.1;

/// The status of a point that a method took for a solution; any other but success means that it was mistaken.
pub(crate) fn judge(
    problem: &ContactProblem<'_>,
    r: &[f64],
    u: &[f64],
    error: f64,
    tolerance: f64,
) -> Status {
    if !error.is_finite() {
        Status::Breakdown
    } else if error > tolerance {
        Status::Stalled
    } else {
        let scale = scale(problem, r, u);
        let q = norm(problem.q());
        // A q that is rounding says nothing of the size of a solution, as in `scale`.
        let is_lost = q > f64::EPSILON && scale > FAR_OUT * q && error * scale > MOST_VIOLATION * q;
        if is_lost { Status::NotFound } else { Status::Converged }
    }
}
