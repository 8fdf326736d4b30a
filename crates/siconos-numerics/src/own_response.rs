//! Scale factors that convert each unknown z to the unit of its row w.
//!
//! In $w = M z + q$, an impulse z and a velocity w have different units. A method must not test which of them
//! is smaller: the answer would change if all bodies were a thousand times as heavy. But w can be compared
//! with $d z$, where $d_i = |M_{ii}|$ is the response of row i to its own unknown: $d_i z_i$ is the velocity
//! that the impulse $z_i$ gives to its own contact. All errors, and all methods that combine z and w, use
//! this scaling.

use siconos_linalg::{MatrixRef, norm};

use crate::info::{SolveInfo, Status};

/// Minimum $d_i$ as a fraction of the mean of all $d_i$. It applies to rows whose diagonal entry is almost
/// zero. A ratio of masses of up to a million does not reach this bound.
const LEAST: f64 = 1.0 / (1 << 20) as f64;

/// Calls `visit` with i and $d_i > 0$ for every row i of a square matrix. $d_i$ is $|M_{ii}|$, but at least
/// $2^{-20}$ times the mean of the nonzero $|M_{ii}|$. If $M_{ii} = 0$, $d_i$ is this mean. If the whole
/// diagonal is zero, every $d_i$ is the mean of the nonzero $|M_{ij}|$, or 1 if the matrix is zero.
///
/// If the matrix is multiplied by k, every $d_i$ is multiplied by k.
pub(crate) fn for_each(m: MatrixRef<'_>, mut visit: impl FnMut(usize, f64)) {
    let (mut sum, mut count) = (0.0, 0);
    m.for_each_diagonal(|_, d| {
        if d != 0.0 && !d.is_nan() {
            sum += d.abs();
            count += 1;
        }
    });
    let mean = match count {
        0 => Some(m.mean_magnitude()).filter(|x| *x > 0.0).unwrap_or(1.0),
        count => sum / f64::from(count),
    };
    let least = LEAST * mean;
    m.for_each_diagonal(|i, d| {
        let own = match d.abs() {
            d if d > least => d,
            d if d > 0.0 => least,
            // Zero or NaN.
            _ => mean,
        };
        visit(i, own);
    });
}

/// Writes the $d_i$ of [`for_each`] to `responses`.
pub(crate) fn write(m: MatrixRef<'_>, responses: &mut Vec<f64>) {
    responses.clear();
    responses.resize(m.rows(), 0.0);
    for_each(m, |i, d| responses[i] = d);
}

/// Returns the mean of the $d_i$.
pub(crate) fn mean(m: MatrixRef<'_>) -> f64 {
    let n = m.rows().max(1) as f64;
    let mut sum = 0.0;
    for_each(m, |_, d| sum += d);
    if sum > 0.0 { sum / n } else { 1.0 }
}

/// Divides a residual by the scale of the problem, usually norm(q). If the scale is 0, z = 0 is a solution
/// and other solutions can have any size; the residual is then divided by the norm of the point, which `size`
/// returns.
pub(crate) fn relative(residual: f64, scale: f64, size: impl FnOnce() -> f64) -> f64 {
    if residual == 0.0 {
        return 0.0;
    }
    residual / if scale > 0.0 { scale } else { size() }
}

/// Returns the norm of a point: the larger of norm(w) and norm(d z).
pub(crate) fn size_of_point(m: MatrixRef<'_>, z: &[f64], w: &[f64]) -> f64 {
    let mut of_z = 0.0;
    for_each(m, |i, d| of_z += (d * z[i]).powi(2));
    norm(w).max(of_z.sqrt())
}

/// Writes the solution z = 0 of a problem with q = 0. Every method returns this point without iterating. From
/// another initial guess most methods would approach it only in the limit, with an error relative to the norm
/// of the point itself.
pub(crate) fn solved_by_zero(z: &mut [f64], w: &mut [f64]) -> SolveInfo {
    z.fill(0.0);
    w.fill(0.0);
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use siconos_linalg::{BlockCsr, Csc};

    fn responses(m: MatrixRef<'_>) -> Vec<f64> {
        let mut d = Vec::new();
        write(m, &mut d);
        d
    }

    #[test]
    fn the_diagonal_and_what_stands_in_for_it() {
        let m = array![[-4.0, 9.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
        assert_eq!(responses((&m).into()), [4.0, 3.0, 2.0]);
        assert_eq!(mean((&m).into()), 3.0);
        assert_eq!(responses((&array![[0.0, -7.0], [2.0, 0.0]]).into()), [4.5, 4.5]);
        assert_eq!(responses((&Array2::zeros((2, 2))).into()), [1.0, 1.0]);
        assert!(responses((&Array2::zeros((0, 0))).into()).is_empty());
    }

    #[test]
    fn next_to_nothing_is_not_less_than_a_millionth_of_the_mean() {
        let m = array![[1e-20, 1.0], [1.0, 1.0]];
        assert_eq!(responses((&m).into()), [0.5 * LEAST, 1.0]);
        // z_1 and w_1 are both positive, and z_1 changes w_0: the point is not a solution.
        let problem = crate::lcp::LcpProblem::new(&m, &[-1.0, -3.0]).expect("a good problem");
        let error = crate::lcp::error_of_point(&problem, &[1.0, 2.0], &mut [0.0; 2]);
        assert!(error > 1e-8, "{error}");
    }

    #[test]
    fn the_storage_makes_no_difference() {
        let m = array![[-4.0, 9.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
        let csc = Csc::from_matrix((&m).into());
        assert_eq!(responses((&csc).into()), [4.0, 3.0, 2.0]);
        let blocks = vec![(0, 0, array![[-4.0, 9.0], [1.0, 0.0]]), (1, 1, array![[2.0]])];
        let blocks = BlockCsr::from_blocks(&[2, 1], &[2, 1], blocks).unwrap();
        assert_eq!(responses((&blocks).into()), [4.0, 3.0, 2.0]);
    }

    #[test]
    fn without_q_the_point_is_its_own_scale() {
        assert_eq!(relative(0.0, 0.0, || f64::NAN), 0.0);
        assert_eq!(relative(1e-3, 0.0, || 2.0), 5e-4);
        assert_eq!(relative(6.0, 5.0, || f64::NAN), 1.2);
        let m = array![[-4.0, 9.0], [1.0, 0.0]];
        assert_eq!(size_of_point((&m).into(), &[3.0, 4.0], &[1.0, 0.0]), 20.0);
    }
}
