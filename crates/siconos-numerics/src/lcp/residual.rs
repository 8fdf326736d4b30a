//! Error of a candidate solution of the linear complementarity problem.

use siconos_linalg::{are_finite, norm};

use super::LcpProblem;
use crate::box_constraints;

/// Returns the error of a pair $(z, w)$ with $w = M z + q$: the larger of a norm-wise and a row-wise error.
///
/// The norm-wise error is the norm of the natural residual divided by its norm at $z = 0$, which is the norm
/// of the negative entries of q:
///
/// $$ e = \frac{\lVert \min(d z, w) \rVert_2}{\lVert \min(q, 0) \rVert_2}, $$
///
/// as plain text norm(min(d z, w)) / norm(min(q, 0)). It is computed separately for each set of rows that M
/// couples, directly or through other rows, and the largest result is used. In a row with $q_i > 0$, the
/// square of the divisor is increased by $q_i^2$. If no entry of q is negative, the divisor is norm(q). For a
/// set of rows with q = 0, the divisor is computed from the q of the whole problem. If q = 0 in all rows,
/// where z = 0 is a solution, the divisor is the larger of norm(w) and norm(d z).
///
/// $d_i = |M_{ii}|$ is the response of row i to its own unknown. $d_i z_i$ has the unit of $w_i$, and
/// therefore the error does not depend on the units of z and w. In contact problems, the error is a velocity,
/// relative to the velocity without impulses. $d_i$ is at least $2^{-20}$ times the mean of the nonzero
/// $|M_{ii}|$, because an unknown with little effect on its own row may have a large effect on other rows. If
/// $M_{ii} = 0$, $d_i$ is this mean; if the diagonal is zero, it is the mean of the nonzero $|M_{ij}|$.
///
/// The row-wise error is the largest violation of a row. The violation of a row is the smaller of two values:
/// its residual divided by its terms $|M| |z| + |q|$, and its residual in units in which the entries of M are
/// near 1, divided by the norm of the negative entries of q in these units. If $z_i$ has to move to 0, the
/// resulting changes in all rows that contain $z_i$ are included.
///
/// The error is NaN if an entry of the pair is not finite, and infinite if the terms of $M z + q$ overflow.
/// It vanishes exactly at solutions (Cottle, Pang, Stone 1992, section 5.10: the natural residual of the
/// problem in d z). [`siconos_error`] is the error as Siconos defines it, which compares z and w without
/// scaling.
///
/// # Panics
///
/// If `z` or `w` does not have the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &LcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_constraints::error(problem, z, w)
}

/// Returns the error that `lcp_compute_error` of Siconos computes, to compare results with Siconos: norm(z -
/// max(0, z - w)) / norm(q), or only the numerator if norm(q) does not exceed the machine precision. NaN if
/// an entry of the pair is not finite.
///
/// z and w are compared without scaling, and therefore the error depends on the unit of mass.
#[doc(alias = "lcp_compute_error")]
#[must_use]
pub fn siconos_error(q: &[f64], z: &[f64], w: &[f64]) -> f64 {
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let natural = z.iter().zip(w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt();
    let scale = norm(q);
    if scale > f64::EPSILON { natural / scale } else { natural }
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// If `z` or `w` does not have the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &LcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_constraints::error_of_point(problem, z, w)
}
