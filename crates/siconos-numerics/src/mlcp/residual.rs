//! The stopping measure of the mixed linear complementarity problem.

use super::{MlcpProblem, MlcpRow};
use crate::box_rows;

/// The error of a pair $(z, w)$ with $w = M z + q$:
///
/// $$ e = \frac{\lVert r \rVert_2}{\lVert q \rVert_2}, \qquad r_i = w_i \ (i \in E), \qquad r_i = \min(d_i z_i, w_i) \ (i \notin E), $$
///
/// as plain text norm(r) / norm(q), with r_i = w_i in equality rows and the smaller of d_i z_i and w_i in the
/// others. $d_i = |M_{ii}|$ is what $z_i$ does to its own row, so that $d_i z_i$ has the unit of $w_i$ and
/// the error is the same in every unit of z and of w, as that of [`lcp::error`](crate::lcp::error). Where
/// $M_{ii}$ is 0 or next to nothing, the mean of the others stands in for it as there, equality rows
/// included; where all are, the mean of the $|M_{ij}|$ that are not. With q = 0, where z = 0 is a solution,
/// the error is relative to the larger of norm(w) and norm(d z). NaN when an entry of the pair is not finite.
///
/// It vanishes exactly at solutions. The measure of Siconos, which adds up impulses, velocities and powers,
/// is [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &MlcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_rows::error(problem, z, w)
}

/// The error as `mlcp_compute_error` of Siconos has it for one block of each kind, so that results are
/// comparable: the larger of a relative equality and a relative complementarity error.
///
/// With sums and norms over the rows of each kind: e_eq = norm(w), N_eq = 1 + norm(q) over the equality rows;
/// e_in = sum of (-z_i)+ + (-w_i)+ + z_i w_i (the product where both have the same sign), N_in = 1 + norm(w)
/// over the others. The error is e_in / (1 + N_in) when e_in / N_in >= e_eq / N_eq, and e_eq / (1 + N_eq)
/// otherwise; NaN when one of the four is not finite.
///
/// It depends on the units of z and of w. No solver stops by it.
///
/// # Panics
///
/// When the slices have different lengths.
#[doc(alias = "mlcp_compute_error")]
#[track_caller]
#[must_use]
pub fn siconos_error(q: &[f64], rows: &[MlcpRow], z: &[f64], w: &[f64]) -> f64 {
    assert!(q.len() == rows.len() && z.len() == rows.len() && w.len() == rows.len(), "lengths differ");
    let (mut equality, mut equality_scale) = (0.0, 0.0);
    let (mut complementarity, mut complementarity_scale) = (0.0, 0.0);
    for (i, row) in rows.iter().enumerate() {
        match row {
            MlcpRow::Equality => {
                equality += w[i] * w[i];
                equality_scale += q[i] * q[i];
            }
            MlcpRow::Complementarity => {
                let product = z[i] * w[i];
                complementarity += positive_part(-z[i]) + positive_part(-w[i]) + positive_part(product);
                complementarity_scale += w[i] * w[i];
            }
        }
    }
    let (equality, equality_scale) = (f64::sqrt(equality), 1.0 + f64::sqrt(equality_scale));
    let complementarity_scale = 1.0 + f64::sqrt(complementarity_scale);
    // No comparison below is true of a NaN, and a point that is not finite must not look good.
    if ![complementarity, complementarity_scale, equality, equality_scale].iter().all(|x| x.is_finite()) {
        return f64::NAN;
    }
    if complementarity / complementarity_scale >= equality / equality_scale {
        complementarity / (1.0 + complementarity_scale)
    } else {
        equality / (1.0 + equality_scale)
    }
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &MlcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_rows::error_of_point(problem, z, w)
}

/// `max(x, 0)` that lets a NaN through, as `f64::max` does not.
fn positive_part(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}
