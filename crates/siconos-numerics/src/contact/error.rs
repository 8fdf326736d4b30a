//! Error that all contact solvers compare with their tolerance.

use siconos_linalg::norm;

use super::bodies::{BodiesError, BodiesProblem};
use super::problem::Form;
use super::residual::{self, natural_map_norm};
use super::{ContactLaw, ContactProblem};
use crate::info::{SolveInfo, Stop};

/// Computes the error of a pair $(r, u)$ with $u = W r + q$. The violation of the law is expressed as a
/// velocity. The error is the violation divided by the free velocity:
///
/// $$ e = \max\bigl(x, \min(y, y^2)\bigr), \qquad x^2 = \frac{\sum_i v_i^2}{\sigma^2}, \qquad
///    y^2 = \sum_i \frac{v_i^2}{\sigma_i^2}, $$
///
/// as plain text e = max(x, min(y, y^2)), where x^2 is the sum over all blocks of v_i^2 / sigma^2, and y^2 is
/// the sum over all blocks of v_i^2 / sigma_i^2.
///
/// $\sigma$ is the norm of q over the blocks that violate their law if their reaction is zero. A contact that
/// opens without a reaction is therefore ignored, however large its velocity is. If all blocks satisfy their
/// law with zero reactions, $\sigma$ is the norm of q. $\sigma_i$ is the corresponding norm of q over only
/// those blocks that W couples with block $i$, directly or through other blocks. If this norm is below 64
/// epsilon times the norm of q, $\sigma_i = \sigma$.
///
/// If the error equals the tolerance, the velocities are accurate to the tolerance, relative to the
/// velocities of the whole problem. In each independent set of contacts, they are accurate to half as many
/// digits, relative to the velocities of this set. If all contacts are coupled, e = x.
///
/// The reaction enters as the velocity $R_i = d_i r_i$, where $d_i$ \[1/kg\] is the mean magnitude of the
/// diagonal entries of W in the normal and tangential rows of the block. The violation $v_i$ is the smaller
/// of two norms:
///
/// - the violation of the law of an open contact, which is the norm of the vector of $R_i$ and
///   $\min(u_N, 0)$;
/// - the violation of the law of a closed contact, which is the norm of the vector of $u_N$, $\min(R_N, 0)$
///   and $R_T - P_D(R_T - u_T)$, with the disc $D$ of radius $\mu \max(R_N, 0)$.
///
/// Rolling moments are treated like the tangential components, with a disc of radius $R_N$. The moment enters
/// as $r_R / \mu_r$, its velocity as $\mu_r u_R$, and its free velocity as $\mu_r q_R$. If $\mu_r = 0$, $u_R$
/// is ignored, and the moment is divided by the radius of gyration $(d / W_{RR})^{1/2}$. For second-order
/// cones, $v_i$ is the norm of the natural map $R_i - P_K(R_i - u_i)$. For a block whose diagonal entries are
/// zero, $d_i$ is the mean of the nonzero values of $d$.
///
/// The error is zero if and only if the pair is a solution. This holds for every coefficient, including
/// infinity, because subtracting the terms of $v_i$ from $R_i$ and $u_i$ leaves a pair that satisfies the
/// law. The error does not depend on the units of mass, length and time. If these units are scaled by powers
/// of two, the error is bit-identical. Adding a large reaction with $W r = 0$ does not reduce the error. If
/// the free velocity is zero ($q = 0$), then $r = 0$ is a solution; the error is 0 at a solution and infinite
/// elsewhere. The error is NaN if an entry is not finite.
///
/// For Coulomb's law, the error and the natural map $\lVert R - P_K(R - u - s e_N) \rVert$ differ by a factor
/// of at most $3 + \mu$. [`siconos_error`] computes the error as Siconos defines it, for comparison.
///
/// If the [bodies](super::Operator::Bodies) are given instead of W, the factors $d_i$ are computed from
/// $H^T M^{-1} H$. If an elastic body has more than 64 degrees of freedom, the diagonal of M replaces M in
/// this computation. The error is infinite if M is singular.
#[must_use]
pub fn error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    match problem.form() {
        Form::Delassus(problem) => residual::error(&problem, r, u),
        Form::Bodies(problem) => with_measure(&problem, |measure| measure.error(&problem, r, u)),
    }
}

/// Writes $u = W r + q$ to `u` and returns the [`error`] of the pair (r, u). If the bodies are given and M is
/// singular, the error is infinite, and `u` is unchanged.
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

/// Writes $u = W r + q$ to `u`. If the bodies are given and M is singular, `u` is unchanged.
pub(super) fn velocity_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) {
    match problem.form() {
        Form::Delassus(problem) => residual::velocity_of_point(&problem, r, u),
        Form::Bodies(problem) => {
            with_measure(&problem, |measure| measure.of(&problem, r, u));
        }
    }
}

/// Calls `look` with a [`BodiesError`] prepared for the problem, and returns its result. Returns infinity if
/// M is singular.
fn with_measure(problem: &BodiesProblem<'_>, look: impl FnOnce(&mut BodiesError) -> f64) -> f64 {
    let mut measure = BodiesError::default();
    measure.prepare(problem).map_or(f64::INFINITY, |()| look(&mut measure))
}

/// Computes the error as Siconos defines it (`fc3d_compute_error`, `rolling_fc3d_compute_error`,
/// `soclcp_compute_error`), for comparison. It is the norm of the natural map with $\rho = 1$, divided by a
/// scale: $\lVert r - P_K(r - u - s(u) e_N) \rVert / \sigma$, as plain text norm(r - P_K(r - u - s(u) e_N)) /
/// sigma.
///
/// The scale $\sigma$ depends on the law. For friction, and for rolling friction in space, it is max(norm(q),
/// norm(r), norm(u)). For rolling friction in the plane, it is norm(q). For second-order cones, it is 1 +
/// norm(q). If $\sigma$ is not above the machine epsilon, it is replaced by 1. The result is NaN if an entry
/// or a coefficient is not finite, because the shift is $\mu \lVert u_T \rVert$.
///
/// If the bodies are given instead of W, the result corresponds to `gfc3d_compute_error`. The residual of the
/// equations of motion, which is a term of that function, is zero here. In this case, $\sigma$ is
/// max(norm(r), norm(u)), replaced by 1 if it is not above the square root of the machine epsilon.
///
/// This error adds impulses to velocities, and therefore depends on the units. If all bodies become 1/k times
/// as heavy (W is multiplied by k), the error of the same motion changes. Therefore no solver compares it
/// with its tolerance.
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

/// Computes u and returns the result of a method that stops with the reactions `r`. `terms` is workspace.
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
