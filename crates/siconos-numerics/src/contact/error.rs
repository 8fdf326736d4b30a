//! The error by which all solvers of the module stop.

use siconos_linalg::norm;

use super::bodies::{BodiesProblem, Measure};
use super::problem::Form;
use super::residual::{self, natural_map_norm};
use super::{ContactLaw, ContactProblem};
use crate::info::{SolveInfo, Stop};

/// The error of a pair $(r, u)$ with $u = W r + q$: by how much velocities violate the law, relative to the
/// free velocity,
///
/// $$ e = \max\bigl(x, \min(y, y^2)\bigr), \qquad x^2 = \frac{\sum_i v_i^2}{\sigma^2}, \qquad
///    y^2 = \sum_i \frac{v_i^2}{\sigma_i^2}, $$
///
/// as plain text max(x, min(y, y^2)) with x^2 = sum over blocks of v^2 / sigma^2, and y^2 = sum of v^2 /
/// sigma_i^2. $\sigma$ is the norm of q over the blocks that a zero reaction does not solve: a contact that
/// opens by itself, however fast, says nothing of the others. If there is none, it is the norm of q.
/// $\sigma_i$ is the same over the blocks that W couples with block $i$, directly or by a chain of others; if
/// that is below 64 epsilon of the norm of q, it is $\sigma$. So velocities hold to the tolerance relative to
/// those of the problem, and in each independent set of contacts to half of its digits relative to its own.
/// With one set, e = x.
///
/// With $R_i = d_i r_i$, a velocity, where $d_i$ \[1/kg\] is the mean diagonal of W over the normal and
/// tangential rows of the block, $v_i$ is the smaller of
///
/// - open: the norm of $R_i$ and $\min(u_N, 0)$;
/// - closed: the norm of $u_N$, $\min(R_N, 0)$ and $R_T - P_D(R_T - u_T)$, with the disc $D$ of radius
///   $\mu \max(R_N, 0)$.
///
/// Rolling moments are a further part next to $T$: they enter as $r_R / \mu_r$ and $\mu_r u_R$, with the
/// radius $R_N$, and $q_R$ as $\mu_r q_R$ (with $\mu_r = 0$, $u_R$ is left out, and a moment counts over the
/// radius of gyration $(d / W_{RR})^{1/2}$). Second-order cones have the natural map $R_i - P_K(R_i - u_i)$.
/// A block whose diagonal vanishes takes the mean $d$ of the others.
///
/// It vanishes exactly at solutions, for every coefficient, infinity included: what $v_i$ lists, taken off
/// $R_i$ and $u_i$, leaves a pair that satisfies the law. It is the same in all units of mass, length and
/// time, to the last bit where these change by powers of two. Reactions that run off along $W r = 0$ do not
/// make it small. Without free velocity ($q = 0$, which $r = 0$ solves) it is 0 at a solution and infinite
/// elsewhere. NaN when an entry is not finite.
///
/// Between it and the natural map $\lVert R - P_K(R - u - s e_N) \rVert$ on Coulomb's cone lies a factor of
/// at most $3 + \mu$. [`siconos_error`] is the number of Siconos, for comparison.
///
/// Where the [bodies](super::Operator::Bodies) stand for W, d is that of $H^T M^{-1} H$, with the diagonal of
/// M in the place of M for elastic bodies of more than 64 degrees of freedom. Infinite where M is singular.
#[must_use]
pub fn error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    match problem.form() {
        Form::Delassus(problem) => residual::error(&problem, r, u),
        Form::Bodies(problem) => with_measure(&problem, |measure| measure.error(&problem, r, u)),
    }
}

/// Computes $u = W r + q$ into `u` and returns the [`error`] of the pair. If the bodies have a singular M,
/// the error is infinite and `u` does not change.
///
/// # Panics
///
/// When `r` or `u` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
    match problem.form() {
        Form::Delassus(problem) => residual::error_of_point(&problem, r, u),
        Form::Bodies(problem) => with_measure(&problem, |measure| measure.of(&problem, r, u)),
    }
}

/// Computes $u = W r + q$ into `u`, which does not change if the bodies have a singular M.
pub(super) fn velocity_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) {
    match problem.form() {
        Form::Delassus(problem) => residual::velocity_of_point(&problem, r, u),
        Form::Bodies(problem) => {
            with_measure(&problem, |measure| measure.of(&problem, r, u));
        }
    }
}

/// Looks at what points of a problem with bodies are measured by.
fn with_measure(problem: &BodiesProblem<'_>, look: impl FnOnce(&mut Measure) -> f64) -> f64 {
    let mut measure = Measure::default();
    measure.prepare(problem).map_or(f64::INFINITY, |()| look(&mut measure))
}

/// The error of Siconos (`fc3d_compute_error`, `rolling_fc3d_compute_error`, `soclcp_compute_error`), for
/// comparison: the natural map with $\rho = 1$ over a scale,
/// $\lVert r - P_K(r - u - s(u) e_N) \rVert / \sigma$, as plain text norm(r - P_K(r - u - s(u) e_N)) / sigma.
///
/// $\sigma$ is max(norm(q), norm(r), norm(u)) for friction in the plane and in space and for rolling friction
/// in space (no division when that vanishes); norm(q) for rolling friction in the plane; norm(q) + 1 for
/// second-order cones. NaN when an entry is not finite, or a coefficient: its shift is
/// $\mu \lVert u_T \rVert$.
///
/// Where the bodies stand for W it is that of `gfc3d_compute_error`, whose residual of the equations of
/// motion vanishes here: $\sigma$ is max(norm(r), norm(u)), and where that is below the root of the machine
/// precision nothing is divided.
///
/// It adds impulses to velocities: with W times k, bodies 1/k as heavy, the same motion has another error. No
/// solver stops by it.
#[doc(alias = "fc3d_compute_error")]
#[doc(alias = "fc2d_compute_error")]
#[doc(alias = "rolling_fc3d_compute_error")]
#[doc(alias = "soclcp_compute_error")]
#[doc(alias = "gfc3d_compute_error")]
#[must_use]
pub fn siconos_error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    if let Form::Bodies(problem) = problem.form() {
        let (error, scale) = (natural_map_norm(&problem.law(), r, u), norm(u).max(norm(r)));
        return if scale > f64::EPSILON.sqrt() { error / scale } else { error };
    }
    let q = norm(problem.q());
    let scale = match problem.law() {
        ContactLaw::Coulomb { .. } | ContactLaw::Rolling { dimension: 5, .. } => q.max(norm(r)).max(norm(u)),
        ContactLaw::Rolling { .. } => q,
        ContactLaw::SecondOrder { .. } => q + 1.0,
    };
    natural_map_norm(&problem.law(), r, u) / if scale > f64::EPSILON { scale } else { 1.0 }
}

/// Returns the result of a method that stops at this point; recomputes u. `terms` is memory.
pub(super) fn conclude(
    problem: &ContactProblem<'_>,
    r: &[f64],
    u: &mut [f64],
    tolerance: f64,
    stop: Stop,
    terms: &mut Vec<f64>,
) -> SolveInfo {
    match problem.form() {
        Form::Delassus(problem) => residual::conclude(&problem, r, u, tolerance, stop, terms),
        Form::Bodies(problem) => {
            let mut measure = Measure::default();
            match measure.prepare(&problem) {
                Ok(()) => measure.conclude(&problem, r, u, tolerance, stop),
                Err(_) => {
                    SolveInfo { status: stop.status, iterations: stop.iterations, error: f64::INFINITY }
                }
            }
        }
    }
}
