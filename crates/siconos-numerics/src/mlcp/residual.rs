//! The stopping measure of the mixed linear complementarity problem.

use super::{MlcpProblem, MlcpRow};

/// The error of a pair $(z, w)$ with $w = M z + q$: the larger of a relative equality and a relative
/// complementarity error, as `mlcp_compute_error` of Siconos has it for one block of each kind.
///
/// With sums and norms over the rows of each kind:
/// e_eq = norm(w), N_eq = 1 + norm(q) over the equality rows;
/// e_in = sum of (-z_i)+ + (-w_i)+ + z_i w_i (the product where both have the same sign), N_in = 1 + norm(w) over
/// the others. The error is e_in / (1 + N_in) when e_in / N_in >= e_eq / N_eq, and e_eq / (1 + N_eq) otherwise; NaN
/// when one of the four is not finite.
///
/// # Panics
///
/// When the slices have different lengths.
#[doc(alias = "mlcp_compute_error")]
#[track_caller]
#[must_use]
pub fn error(q: &[f64], rows: &[MlcpRow], z: &[f64], w: &[f64]) -> f64 {
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
    // The product first: where huge terms cancel, q added to one of them would be lost with it, and w = 0 seem exact.
    w.fill(0.0);
    problem.m().add_product(1.0, z, w);
    w.iter_mut().zip(problem.q()).for_each(|(w, q)| *w += q);
    error(problem.q(), problem.rows(), z, w)
}

/// `max(x, 0)` that lets a NaN through, as `f64::max` does not.
fn positive_part(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}
