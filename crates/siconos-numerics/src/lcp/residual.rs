//! The stopping measure of the linear complementarity problem.

use siconos_linalg::{are_finite, norm};

use super::LcpProblem;
use crate::box_rows;

/// The error of a pair $(z, w)$ with $w = M z + q$:
///
/// $$ e = \frac{\lVert \min(d z, w) \rVert_2}{\lVert q \rVert_2}, $$
///
/// as plain text norm(min(d z, w)) / norm(q), where $d_i = |M_{ii}|$ is what $z_i$ does to its own row:
/// $d_i z_i$ has the unit of $w_i$, so that the error is the same in every unit of z and of w. With masses it
/// is a velocity, relative to that without impulses. It is not taken for less than $2^{-20}$ times the mean
/// of the $|M_{ii}|$ that are not 0: what acts on its own row next to nothing may act on others all the more.
/// Where $M_{ii} = 0$ that mean takes its place, where all are, the mean of the $|M_{ij}|$ that are not. With
/// q = 0, where z = 0 is a solution, the error is relative to the larger of norm(w) and norm(d z). NaN when
/// an entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Cottle, Pang, Stone 1992, section 5.10: the natural residual of the
/// problem in z d). The measure of Siconos, which takes z and w as they are, is [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &LcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_rows::error(problem, z, w)
}

/// The error as `lcp_compute_error` of Siconos has it, so that results are comparable: norm(z - max(0, z -
/// w)) / norm(q), without the division when norm(q) does not exceed the machine precision. NaN when an entry
/// of the pair is not finite.
///
/// It adds up z and w, and so depends on the unit of mass.
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
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &LcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_rows::error_of_point(problem, z, w)
}
