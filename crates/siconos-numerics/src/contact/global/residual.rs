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
    Measure::default().of(problem, r, v, u)
}

/// The measure with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    momentum: Vec<f64>,
    impulse: Vec<f64>,
    free: Vec<f64>,
}

impl Measure {
    /// See [`global_error_of_point`].
    #[track_caller]
    pub(super) fn of(&mut self, problem: &GlobalProblem<'_>, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
        u.fill(0.0);
        problem.h().add_transposed_product(1.0, v, u);
        u.iter_mut().zip(problem.w()).for_each(|(u, w)| *u += w);
        for memory in [&mut self.momentum, &mut self.impulse] {
            memory.clear();
            memory.resize(problem.freedoms(), 0.0);
        }
        problem.m().add_product(1.0, v, &mut self.momentum);
        problem.h().add_product(1.0, r, &mut self.impulse);
        let scale = norm(problem.f()).max(norm(&self.momentum)).max(norm(&self.impulse));
        let sums = self.momentum.iter().zip(&self.impulse).zip(problem.f());
        let residual = sums.map(|((m, h), f)| (h + f - m).powi(2)).sum::<f64>().sqrt();
        let map = natural_map_norm(&problem.law(), r, u);
        relative(residual, scale) + relative(map, norm(u).max(norm(r)))
    }

    /// The status of a point that a method took for a solution; any other but success means that it was mistaken.
    ///
    /// The free velocity is $H^T M^{-1} f + w$ by the factors at hand; without any (M is singular) the given velocity w, if
    /// there is one.
    pub(super) fn judge(
        &mut self,
        problem: &GlobalProblem<'_>,
        mass: Option<&mut Mass>,
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
        let Self { free, impulse: q, .. } = self;
        q.clear();
        q.extend_from_slice(problem.w());
        if let Some(mass) = mass {
            free.clear();
            free.extend_from_slice(problem.f());
            mass.solve(free);
            problem.h().add_transposed_product(1.0, free, q);
        }
        let q = norm(q);
        if q > 0.0 && violation > MOST_VIOLATION * q { Status::NotFound } else { Status::Converged }
    }
}

fn relative(x: f64, scale: f64) -> f64 {
    if scale > f64::EPSILON.sqrt() { x / scale } else { x }
}

/// The part of the free velocity up to which a solution may violate the law: the measure divides by the reaction, and
/// reactions that run off along H r = 0 make any violation small.
const MOST_VIOLATION: f64 = 0.1;
