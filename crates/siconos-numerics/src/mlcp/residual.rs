//! Error of a candidate solution of the mixed linear complementarity problem.

use super::{MlcpProblem, MlcpRow};
use crate::box_constraints;

/// Returns the error of a pair $(z, w)$ with $w = M z + q$: the larger of a norm-wise and a row-wise error,
/// as for [`lcp::error`](crate::lcp::error).
///
/// The norm-wise error is
///
/// $$ e = \frac{\lVert r \rVert_2}{\lVert q_v \rVert_2}, \qquad r_i = w_i \ (i \in E),
///    \qquad r_i = \min(d_i z_i, w_i) \ (i \notin E), $$
///
/// as plain text norm(r) / norm(q_v), with r_i = w_i in equality rows and the smaller of d_i z_i and w_i in
/// the other rows. $q_v$ holds the entries of $w = q$ that violate the conditions at $z = 0$: all entries in
/// equality rows, and the negative entries in the other rows.
///
/// $d_i = |M_{ii}|$ is the response of row i to its own unknown. $d_i z_i$ has the unit of $w_i$, and
/// therefore the error does not depend on the units of z and w. If $M_{ii}$ is 0 or nearly 0, $d_i$ is
/// computed from the other entries of M as for [`lcp::error`](crate::lcp::error), including the equality
/// rows. The documentation of `lcp::error` also describes the row-wise error, rows that M does not couple,
/// and the divisor for q = 0.
///
/// The error vanishes exactly at solutions. It is NaN if an entry of the pair is not finite.
/// [`siconos_error`] is the error as Siconos defines it, which adds quantities with different units:
/// impulses, velocities and powers.
///
/// # Panics
///
/// If `z` or `w` does not have the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &MlcpProblem<'_>, z: &[f64], w: &[f64]) -> f64 {
    box_constraints::error(problem, z, w)
}

/// Returns the error that `mlcp_compute_error` of Siconos computes for one equality block and one
/// complementarity block, to compare results with Siconos. It is the larger of a relative equality error and
/// a relative complementarity error.
///
/// With sums and norms over the rows of each type: e_eq = norm(w), N_eq = 1 + norm(q) over the equality rows;
/// e_in = sum of (-z_i)+ + (-w_i)+ + (z_i w_i)+, N_in = 1 + norm(w) over the complementarity rows. The error
/// is e_in / (1 + N_in) if e_in / N_in >= e_eq / N_eq, and e_eq / (1 + N_eq) otherwise. The error is NaN if
/// e_eq, N_eq, e_in or N_in is not finite.
///
/// The error depends on the units of z and w. No solver uses it as a stopping test.
///
/// # Panics
///
/// If the slices have different lengths.
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
    // The comparison below is false for NaN, and without this check a point that is not finite could get a
    // small error.
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
/// If `z` or `w` does not have the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &MlcpProblem<'_>, z: &[f64], w: &mut [f64]) -> f64 {
    box_constraints::error_of_point(problem, z, w)
}

/// Returns `max(x, 0)`. Propagates a NaN, unlike `f64::max`.
fn positive_part(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}
