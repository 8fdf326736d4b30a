//! The unit of one unknown beside that of its row.
//!
//! In $w = M z + q$ an impulse z and a velocity w cannot be compared, nor may a method ask which of the two
//! is smaller: with bodies a thousand times as heavy the answer would be another. What can be compared is w
//! with $d z$, where $d_i$ is what $z_i$ does to its own row, $|M_{ii}|$: the velocity that the impulse gives
//! its own contact. All stopping measures, and all methods that look at z and w together, do that.

use siconos_linalg::{MatrixRef, norm};

use crate::info::{SolveInfo, Status};

/// The smallest part of the mean that $d_i$ may be: a row whose diagonal is next to nothing is measured by
/// what is usual in its problem, as one without a diagonal is. Masses in a ratio of a million keep their own.
const LEAST: f64 = 1.0 / (1 << 20) as f64;

/// Calls `visit` with i and $d_i > 0$ for every row of a square matrix: $|M_{ii}|$, but not less than
/// $2^{-20}$ times the mean of those that are not 0; where it is 0, that mean; where all are 0, the mean of
/// the $|M_{ij}|$ that are not; and 1 for a matrix of zeros.
///
/// All of these are multiplied by k where the matrix is.
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
            // A NaN is none.
            _ => mean,
        };
        visit(i, own);
    });
}

/// Writes the $d_i$ of [`for_each`].
pub(crate) fn write(m: MatrixRef<'_>, responses: &mut Vec<f64>) {
    responses.clear();
    responses.resize(m.rows(), 0.0);
    for_each(m, |i, d| responses[i] = d);
}

/// Their mean.
pub(crate) fn mean(m: MatrixRef<'_>) -> f64 {
    let n = m.rows().max(1) as f64;
    let mut sum = 0.0;
    for_each(m, |_, d| sum += d);
    if sum > 0.0 { sum / n } else { 1.0 }
}

/// A residual relative to the scale of a problem, mostly norm(q). Where that is 0, as z = 0 is a solution and
/// nothing says how large others are, relative to the point itself, whose norm `size` returns.
pub(crate) fn relative(residual: f64, scale: f64, size: impl FnOnce() -> f64) -> f64 {
    if residual == 0.0 {
        return 0.0;
    }
    residual / if scale > 0.0 { scale } else { size() }
}

/// The norm of a point: the larger of norm(w) and norm(d z).
pub(crate) fn size_of_point(m: MatrixRef<'_>, z: &[f64], w: &[f64]) -> f64 {
    let mut of_z = 0.0;
    for_each(m, |i, d| of_z += (d * z[i]).powi(2));
    norm(w).max(of_z.sqrt())
}

/// z = 0, where q = 0: every method says so at once. From a guess most would come to it in the limit only,
/// and there nothing but the point itself says how large a z is.
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
        // z_1 and w_1 are both positive, and z_1 moves the other row: no solution.
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
