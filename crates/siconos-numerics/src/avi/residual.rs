//! The stopping measure of the affine variational inequality.

use super::AviProblem;
use crate::linalg::{MatrixRef, norm};

/// The error of a point $z$ with multipliers $\lambda$:
///
/// $$ e = \frac{\lVert M z + q - H^T \lambda \rVert_2}{1 + \lVert q \rVert_2}
///   + \frac{\lVert \min(\lambda, H z - K) \rVert_2}{1 + \lVert K \rVert_2}, $$
///
/// that is norm(M z + q - H^T lambda) / (1 + norm(q)) + norm(min(lambda, H z - K)) / (1 + norm(K)). NaN when anything
/// in it is not finite.
///
/// It vanishes exactly when $M z + q = H^T \lambda$, $0 \le \lambda \perp H z - K \ge 0$, which are the conditions of
/// Karush, Kuhn and Tucker of the inequality; z is then a solution, and each solution has such multipliers
/// (Facchinei and Pang 2003, proposition 1.2.1). Siconos has no measure for this class.
///
/// # Panics
///
/// When `z` or `lambda` has the wrong length.
#[track_caller]
#[must_use]
pub fn error(problem: &AviProblem<'_>, z: &[f64], lambda: &[f64]) -> f64 {
    error_in(problem, z, lambda, &mut Vec::new(), &mut Vec::new())
}

/// The [`error`], with `force` and `slack` for memory.
#[track_caller]
pub(super) fn error_in(
    problem: &AviProblem<'_>,
    z: &[f64],
    lambda: &[f64],
    force: &mut Vec<f64>,
    slack: &mut Vec<f64>,
) -> f64 {
    force.clear();
    force.extend_from_slice(problem.q());
    problem.m().add_product(1.0, z, force);
    MatrixRef::Dense(problem.h()).add_transposed_product(-1.0, lambda, force);
    slack.clear();
    slack.extend(problem.k().iter().map(|k| -k));
    MatrixRef::Dense(problem.h()).add_product(1.0, z, slack);
    if force.iter().chain(&*slack).chain(lambda).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let pairs = slack.iter().zip(lambda).map(|(s, l)| s.min(*l).powi(2)).sum::<f64>().sqrt();
    norm(force) / (1.0 + norm(problem.q())) + pairs / (1.0 + norm(problem.k()))
}
