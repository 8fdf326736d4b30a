//! The stopping measure of the relay problem.

use siconos_linalg::norm;

use super::RelayProblem;
use crate::box_rows::{self, natural};

/// The error of a pair $(z, w)$ with $w = M z + q$, for the bounds $l \le z \le u$ (`lower` and `upper`):
///
/// $$ e = \frac{\lVert r \rVert_2}{\lVert q \rVert_2 + \lVert d P(0) \rVert_2}, \qquad
///    r_i = \mathrm{mid}\bigl(d_i (z_i - l_i), w_i, d_i (z_i - u_i)\bigr), $$
///
/// that is norm(r) / (norm(q) + norm(d P(0))), with r_i the middle one of d_i (z_i - l_i), w_i and d_i (z_i -
/// u_i): the natural map of the problem in d z. $d_i = |M_{ii}|$ is what $z_i$ does to its own row, so that
/// $d_i z_i$ has the unit of $w_i$, and the error is the same in every unit of z and of w, as that of
/// [`lcp::error`](crate::lcp::error), which it is where l = 0 and u is infinite. Where $M_{ii}$ is 0 or next
/// to nothing, the mean of the others stands in for it as there; where all are 0, the mean of the $|M_{ij}|$
/// that are not. P(0) is the point between the bounds nearest to 0, and mostly 0. Where it is 0, and q too,
/// so that z = 0 is a solution, the error is relative to the larger of norm(w) and norm(d z). NaN when an
/// entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Facchinei and Pang 2003, proposition 1.5.8: the natural map). The
/// measure of Siconos, which takes z and w as they are, is [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &RelayProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_rows::error(problem, z, w)
}

/// The error as `relay_compute_error` of Siconos has it, so that results are comparable: norm(Proj(z - w) -
/// z) / (norm(q) + 1), with the projection onto the bounds. NaN when an entry of the pair is not finite.
///
/// It adds up z and w, and so depends on their units. No solver stops by it.
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
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &RelayProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_rows::error_of_point(problem, z, w)
}
