//! The stopping measure of the linear complementarity problem.

use super::LcpProblem;
use crate::linalg::{are_finite, norm};
use crate::own_response::{for_each, relative, size_of_point};

/// The error of a pair $(z, w)$ with $w = M z + q$:
///
/// $$ e = \frac{\lVert \min(d z, w) \rVert_2}{\lVert q \rVert_2}, $$
///
/// as plain text norm(min(d z, w)) / norm(q), where $d_i = |M_{ii}|$ is what $z_i$ does to its own row: $d_i z_i$ has the
/// unit of $w_i$, so that the error is the same in every unit of z and of w. With masses it is a velocity, relative to
/// that without impulses. It is not taken for less than $2^{-20}$ times the mean of the $|M_{ii}|$ that are not 0:
/// what acts on its own row next to nothing may act on others all the more. Where $M_{ii} = 0$ that mean takes its place, where all
/// are, the mean of the $|M_{ij}|$ that are not. With q = 0, where z = 0 is a solution, the error is relative to the larger of norm(w) and norm(d z).
/// NaN when an entry of the pair is not finite.
///
/// It vanishes exactly at solutions (Cottle, Pang, Stone 1992, section 5.10: the natural residual of the problem in z d).
/// The measure of Siconos, which takes z and w as they are, is [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &LcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    assert_eq!((z.len(), w.len()), (problem.size(), problem.size()), "lengths of z and w");
    // `f64::min` swallows a NaN, and an infinite w_i with z_i = 0 leaves no trace: a point that is not finite must not
    // look good.
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let mut squares = 0.0;
    // The smaller of the two, not the difference z - max(0, z - w): where z is so large that z - w rounds to z, that
    // would be 0 whatever w is.
    for_each(problem.m(), |i, d| squares += (d * z[i]).min(w[i]).powi(2));
    relative(squares.sqrt(), norm(problem.q()), || size_of_point(problem.m(), z, w))
}

/// The error as `lcp_compute_error` of Siconos has it, so that results are comparable: norm(z - max(0, z - w)) / norm(q),
/// without the division when norm(q) does not exceed the machine precision. NaN when an entry of the pair is not finite.
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
    // The product first: where huge terms cancel, q added to one of them would be lost with it, and w = 0 seem exact.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem, z, w)
}
