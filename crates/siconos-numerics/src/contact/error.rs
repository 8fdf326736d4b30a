//! Error by which all solvers of the module stop.

use siconos_linalg::norm;

use super::bodies::{BodiesError, BodiesProblem};
use super::problem::Form;
use super::residual::{self, natural_map_norm};
use super::{ContactLaw, ContactProblem};
use crate::info::{SolveInfo, Stop};

/// Computes the error of a pair $(r, u)$ with $u = W r + q$: the violation of the law as a velocity, relative
/// to the free velocity,
///
/// $$ e = \max\bigl(x, \min(y, y^2)\bigr), \qquad x^2 = \frac{\sum_i v_i^2}{\sigma^2}, \qquad
///    y^2 = \sum_i \frac{v_i^2}{\sigma_i^2}, $$
///
/// as plain text max(x, min(y, y^2)) with x^2 = sum over blocks of v^2 / sigma^2, and y^2 = sum of v^2 /
/// sigma_i^2.
///
/// $\sigma$ is the norm of q over the blocks whose law is violated with a zero reaction; a contact that opens
/// by itself does not count, however large its velocity. If a zero reaction solves all blocks, $\sigma$ is
/// the norm of q. $\sigma_i$ is this norm over the blocks that W couples with block $i$, directly or through
/// other blocks; if it is below 64 epsilon times the norm of q, $\sigma_i = \sigma$.
///
/// Velocities are therefore accurate to the tolerance relative to the velocities of the problem, and in each
/// independent set of contacts to half as many digits relative to the velocities of the set. If all contacts
/// are coupled, e = x.
///
/// The reaction enters as the velocity $R_i = d_i r_i$, where $d_i$ \[1/kg\] is the mean magnitude of the
/// diagonal entries of W over the normal and tangential rows of the block. The violation $v_i$ is the smaller
/// of
///
/// - for an open contact, the norm of the vector of $R_i$ and $\min(u_N, 0)$;
/// - for a closed contact, the norm of the vector of $u_N$, $\min(R_N, 0)$ and $R_T - P_D(R_T - u_T)$, with
///   the disc $D$ of radius $\mu \max(R_N, 0)$.
///
/// Rolling moments are treated like the tangential components: they enter as $r_R / \mu_r$ and $\mu_r u_R$,
/// with a disc of radius $R_N$, and $q_R$ enters as $\mu_r q_R$. If $\mu_r = 0$, $u_R$ does not count, and a
/// moment is divided by the radius of gyration $(d / W_{RR})^{1/2}$. For second-order cones, $v_i$ is the
/// norm of the natural map $R_i - P_K(R_i - u_i)$. For a block whose diagonal entries are zero, $d_i$ is the
/// mean of the other $d_i$.
///
/// The error vanishes exactly at solutions, for every coefficient including infinity: subtracting the terms
/// of $v_i$ from $R_i$ and $u_i$ leaves a pair that satisfies the law. The error does not depend on the units
/// of mass, length and time; if these change by powers of two, it is identical to the last bit. Reactions
/// that grow without bound along $W r = 0$ do not reduce it. Without free velocity ($q = 0$, which $r = 0$
/// solves) the error is 0 at a solution and infinite elsewhere. It is NaN if an entry is not finite.
///
/// On Coulomb's cone, the error and the natural map $\lVert R - P_K(R - u - s e_N) \rVert$ differ by a factor
/// of at most $3 + \mu$. [`siconos_error`] computes the error of Siconos, for comparison.
///
/// If the [bodies](super::Operator::Bodies) are given instead of W, d is computed from $H^T M^{-1} H$; for
/// elastic bodies of more than 64 degrees of freedom, the diagonal of M replaces M in this computation. The
/// error is infinite if M is singular.
#[must_use]
pub fn error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    match problem.form() {
        Form::Delassus(problem) => residual::error(&problem, r, u),
        Form::Bodies(problem) => with_measure(&problem, |measure| measure.error(&problem, r, u)),
    }
}

/// Computes $u = W r + q$ into `u` and returns the [`error`] of the pair. If the bodies have a singular M,
/// the error is infinite, and `u` is unchanged.
///
/// # Panics
///
/// If the length of `r` or `u` differs from the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
    match problem.form() {
        Form::Delassus(problem) => residual::error_of_point(&problem, r, u),
        Form::Bodies(problem) => with_measure(&problem, |measure| measure.of(&problem, r, u)),
    }
}

/// Computes $u = W r + q$ into `u`. If the bodies have a singular M, `u` is unchanged.
pub(super) fn velocity_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) {
    match problem.form() {
        Form::Delassus(problem) => residual::velocity_of_point(&problem, r, u),
        Form::Bodies(problem) => {
            with_measure(&problem, |measure| measure.of(&problem, r, u));
        }
    }
}

/// Calls `look` with the scales and the workspace for errors of a problem with bodies. Returns infinity if M
/// is singular.
fn with_measure(problem: &BodiesProblem<'_>, look: impl FnOnce(&mut BodiesError) -> f64) -> f64 {
    let mut measure = BodiesError::default();
    measure.prepare(problem).map_or(f64::INFINITY, |()| look(&mut measure))
}

/// Computes the error that Siconos uses (`fc3d_compute_error`, `rolling_fc3d_compute_error`,
/// `soclcp_compute_error`), for comparison: the natural map with $\rho = 1$ divided by a scale,
/// $\lVert r - P_K(r - u - s(u) e_N) \rVert / \sigma$, as plain text norm(r - P_K(r - u - s(u) e_N)) / sigma.
///
/// $\sigma$ is max(norm(q), norm(r), norm(u)) for friction in the plane and in space and for rolling friction
/// in space; norm(q) for rolling friction in the plane; norm(q) + 1 for second-order cones. If it is not
/// above the machine epsilon, it is replaced by 1. The result is NaN if an entry or a coefficient is not
/// finite, because the shift is $\mu \lVert u_T \rVert$.
///
/// If the bodies are given instead of W, the result corresponds to `gfc3d_compute_error`, whose residual of
/// the equations of motion vanishes here: $\sigma$ is max(norm(r), norm(u)), replaced by 1 if it is not above
/// the square root of the machine epsilon.
///
/// This error adds impulses to velocities, so that it depends on the units: if W is multiplied by k (bodies
/// 1/k as heavy), the error of the same motion changes. Solvers do not stop by it.
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

/// Computes u, and returns the result of a method that stops at this point. `terms` is workspace.
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
            let mut measure = BodiesError::default();
            match measure.prepare(&problem) {
                Ok(()) => measure.conclude(&problem, r, u, tolerance, stop),
                Err(_) => {
                    SolveInfo { status: stop.status, iterations: stop.iterations, error: f64::INFINITY }
                }
            }
        }
    }
}
