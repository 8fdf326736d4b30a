//! Error of a candidate solution of a relay problem.

use siconos_linalg::norm;

use super::RelayProblem;
use crate::box_constraints::{self, natural};

/// Returns the error of a pair $(z, w)$ with $w = M z + q$, for the bounds $l \le z \le u$ (`lower` and
/// `upper`). It is the larger of a norm-wise and a row-wise error. The norm-wise error is
///
/// $$ e = \frac{\lVert r \rVert_2}{\lVert q \rVert_2 + \lVert d P(0) \rVert_2}, \qquad
///    r_i = \mathrm{mid}\bigl(d_i (z_i - l_i), w_i, d_i (z_i - u_i)\bigr), $$
///
/// as plain text norm(r) / (norm(q) + norm(d P(0))), where r_i, the median of d_i (z_i - l_i), w_i and d_i
/// (z_i - u_i), is the natural map of the problem in d z, and P(0) is the point within the bounds that is
/// nearest to 0, usually 0 itself. $d_i = |M_{ii}|$ is the response of row i to its own unknown, so $d_i z_i$
/// has the unit of $w_i$. $d_i$ is at least $2^{-20}$ times the mean of the nonzero $|M_{ii}|$. If
/// $M_{ii} = 0$, $d_i$ is this mean; if all $M_{ii}$ are 0, it is the mean of the nonzero $|M_{ij}|$. The
/// norm of q is taken over the rows that are violated at z = 0, if there are any. If q and P(0) are 0, z = 0
/// is a solution, and the error is relative to the larger of norm(w) and norm(d z). Sets of rows that M does
/// not couple are independent problems, and the largest of their norm-wise errors is used.
///
/// The row-wise error compares the violation of each row with its terms |M| |z| + |q|, independently of the
/// units of rows and columns.
///
/// The error does not depend on the units of z and w. With l = 0 and infinite u it is
/// [`lcp::error`](crate::lcp::error). It is NaN if an entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8: the natural map). The error
/// of Siconos, which combines z and w without scaling, is [`siconos_error`].
///
/// # Panics
///
/// If `z` or `w` has the wrong length.
#[track_caller]
#[must_use]
pub fn error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_constraints::error(problem, z, w)
}

/// Returns the error as computed by `relay_compute_error` of Siconos, to compare results with Siconos:
/// `norm(Proj(z - w) - z) / (norm(q) + 1)` with the projection onto the bounds. It is NaN if an entry of the
/// pair is not finite.
///
/// It combines z and w without scaling, and therefore depends on their units. No solver uses it as a stopping
/// test.
#[doc(alias = "relay_compute_error")]
#[must_use]
pub fn siconos_error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let bounds = problem.lower().iter().zip(problem.upper());
    let squares = z.iter().zip(w).zip(bounds).map(|((z, w), (l, u))| natural(1.0, *z, *w, *l, *u).powi(2));
    squares.sum::<f64>().sqrt() / (1.0 + norm(problem.q()))
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// If `z` or `w` has the wrong length.
#[track_caller]
pub fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_constraints::error_of_point(problem, z, w)
}
