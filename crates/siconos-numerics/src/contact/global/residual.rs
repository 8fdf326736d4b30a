//! The stopping measure of problems in global form.

use super::GlobalProblem;
use super::mass::Mass;
use crate::contact::residual::natural_map_norm;
use crate::info::Status;
use crate::linalg::norm;

/// Computes $u = H^T v + w$ into `u` and returns the error of reactions `r` and velocities `v`:
///
/// $$ e = \frac{\lVert -M v + H r + f \rVert}{\max(\lVert f \rVert, \lVert M v \rVert, \lVert H r \rVert)} +
///    \frac{\lVert \text{natural map} \rVert}{\max(\lVert u \rVert, \lVert r \rVert)}, $$
///
/// each divided only where its scale exceeds the root of the machine precision; the natural map is that of the
/// [local problem](crate::contact::error). NaN when an entry is not finite. It is `gfc3d_compute_error` of Siconos.
///
/// It differs from the error of the local problem in what it divides by: with bodies of very different mass a local error of
/// 1e-8 may be a global one of 1e-2.
///
/// # Panics
///
/// When a slice has the wrong length.
#[doc(alias = "gfc3d_compute_error")]
#[track_caller]
#[must_use]
pub fn global_error_of_point(problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
    u.fill(0.0);
    problem.h().add_transposed_product(1.0, v, u);
    u.iter_mut().zip(problem.w()).for_each(|(u, w)| *u += w);
    let (mut momentum, mut impulse) = (vec![0.0; problem.freedoms()], vec![0.0; problem.freedoms()]);
    problem.m().add_product(1.0, v, &mut momentum);
    problem.h().add_product(1.0, r, &mut impulse);
    let scale = norm(problem.f()).max(norm(&momentum)).max(norm(&impulse));
    let sums = momentum.iter().zip(&impulse).zip(problem.f());
    let residual = sums.map(|((m, h), f)| (h + f - m).powi(2)).sum::<f64>().sqrt();
    let map = natural_map_norm(&problem.law(), r, u);
    relative(residual, scale) + relative(map, norm(u).max(norm(r)))
}

fn relative(x: f64, scale: f64) -> f64 {
    if scale > f64::EPSILON.sqrt() { x / scale } else { x }
}

/// The part of the free velocity up to which a solution may violate the law: the measure divides by the reaction, and
/// reactions that run off along H r = 0 make any violation small.
const MOST_VIOLATION: f64 = 0.1;

/// The status of a point that a method took for a solution; any other but success means that it was mistaken.
///
/// The free velocity is $H^T M^{-1} f + w$; where M is singular, the given velocity, and where that vanishes the velocity u.
pub(super) fn judge(
    problem: &GlobalProblem<'_>,
    mass: &mut Mass,
    (r, v, u): (&[f64], &[f64], &[f64]),
    error: f64,
    tolerance: f64,
) -> Status {
    if !error.is_finite() {
        return Status::Breakdown;
    }
    if error > tolerance {
        return Status::Stalled;
    }
    let violation = natural_map_norm(&problem.law(), r, u);
    if violation <= MOST_VIOLATION * norm(problem.w()) || v.is_empty() {
        return Status::Converged;
    }
    let mut free = problem.f().to_vec();
    let mut q = problem.w().to_vec();
    if mass.factor(problem.m()).is_ok() {
        mass.solve(&mut free);
        problem.h().add_transposed_product(1.0, &free, &mut q);
    }
    let q = norm(&q);
    if q > 0.0 && violation > MOST_VIOLATION * q { Status::NotFound } else { Status::Converged }
}
