//! Errors of a point as a solution of a mixed linear complementarity problem.

use ndarray::{Array2, ArrayView1};
use siconos_numerics::mlcp::MlcpRow;

use crate::box_error::box_error;

/// Returns the error of the candidate solution `z`, computed by [`box_error`].
///
/// # Panics
///
/// If the sizes differ.
#[track_caller]
#[must_use]
pub fn mixed_error(m: &Array2<f64>, q: &[f64], rows: &[MlcpRow], z: &[f64]) -> f64 {
    let bound = |row: &MlcpRow| if *row == MlcpRow::Equality { f64::NEG_INFINITY } else { 0.0 };
    let lower: Vec<f64> = rows.iter().map(bound).collect();
    box_error(m, q, &lower, &vec![f64::INFINITY; q.len()], z)
}

/// Returns the largest violation of a row divided by its terms $|M| |z| + |q|$. An equality row requires
/// $w_i = 0$. A complementarity row requires $w_i = 0$ if $z_i > 0$ and $w_i \ge 0$ if $z_i = 0$. The result
/// is infinite if $z_i$ is negative in a complementarity row.
///
/// # Panics
///
/// If the sizes differ.
#[track_caller]
#[must_use]
pub fn mixed_backward_error(m: &Array2<f64>, q: &[f64], rows: &[MlcpRow], z: &[f64]) -> f64 {
    let w = m.dot(&ArrayView1::from(z)) + ArrayView1::from(q);
    let terms =
        m.mapv(f64::abs).dot(&ArrayView1::from(z).mapv(f64::abs)) + ArrayView1::from(q).mapv(f64::abs);
    let of_row = |i: usize| {
        let violation = match rows[i] {
            MlcpRow::Complementarity if z[i] < 0.0 => f64::INFINITY,
            MlcpRow::Complementarity if z[i] == 0.0 && w[i] >= 0.0 => 0.0,
            _ => w[i].abs(),
        };
        if violation == 0.0 { 0.0 } else { violation / terms[i] }
    };
    // `f64::max` would ignore a NaN.
    (0..q.len()).map(of_row).fold(0.0, |a, x| if x > a || x.is_nan() { x } else { a })
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use siconos_numerics::mlcp::MlcpRow::{Complementarity, Equality};

    use super::{mixed_backward_error, mixed_error};

    #[test]
    fn by_hand() {
        let (m, rows) = (array![[2.0, 0.0], [0.0, 1.0]], [Equality, Complementarity]);
        assert_eq!(mixed_error(&m, &[2.0, -4.0], &rows, &[-1.0, 4.0]), 0.0);
        // z = 0, so w = q = (3, -4).
        assert_eq!(mixed_error(&m, &[3.0, -4.0], &rows, &[0.0, 0.0]), 1.0);
        // w = (0, 9), and d z_2 = 0.5 * 10. The smaller number, 5, is divided by the scale 4.
        let m_of_half = array![[2.0, 0.0], [0.0, 0.5]];
        assert_eq!(mixed_error(&m_of_half, &[3.0, 4.0], &rows, &[-1.5, 10.0]), 1.25);
        // With q = 0 the scale is the size of the point. Here z_2 = w_2 = 3.
        assert_eq!(mixed_error(&m, &[0.0, 0.0], &rows, &[0.0, 3.0]), 1.0);
        assert!(mixed_error(&m, &[2.0, -4.0], &rows, &[f64::NAN, 0.0]).is_nan());
        let backward = |z: &[f64]| mixed_backward_error(&m, &[2.0, -4.0], &rows, z);
        assert_eq!((backward(&[-1.0, 4.0]), backward(&[-0.5, 4.0])), (0.0, 1.0 / 3.0));
        assert_eq!((backward(&[-1.0, -1.0]), backward(&[-1.0, 0.0])), (f64::INFINITY, 1.0));
        assert!(backward(&[f64::NAN, 0.0]).is_nan() && backward(&[-1.0, f64::NAN]).is_nan());
    }
}
