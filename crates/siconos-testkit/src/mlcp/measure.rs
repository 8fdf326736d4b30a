//! How good a point of a mixed problem is.

use ndarray::{Array2, ArrayView1};
use siconos_numerics::mlcp::MlcpRow;

use crate::lcp::Measures;

/// The error measure of the class, from $w = M z + q$ formed here; it shares no code with
/// `siconos_numerics::mlcp::error`.
///
/// The norm of $w$ in equality rows and of $\min(d z, w)$ in the others, over that of $q$, with the $d$ of
/// [`Measures::natural`](crate::lcp::Measures::natural). When $q$ vanishes, over the larger of the norms of
/// $w$ and $d z$.
///
/// # Panics
///
/// When the sizes do not fit.
#[track_caller]
#[must_use]
pub fn mixed_error(m: &Array2<f64>, q: &[f64], rows: &[MlcpRow], z: &[f64]) -> f64 {
    let w = m.dot(&ArrayView1::from(z)) + ArrayView1::from(q);
    if z.iter().chain(&w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let own: Vec<f64> = z.iter().zip(Measures::own_responses(m.view())).map(|(z, d)| z * d).collect();
    let residual: Vec<f64> = (0..q.len())
        .map(|i| if rows[i] == MlcpRow::Complementarity && own[i] < w[i] { own[i] } else { w[i] })
        .collect();
    let scale = if length(q) == 0.0 { length(&own).max(length(&w.to_vec())) } else { length(q) };
    if length(&residual) == 0.0 { 0.0 } else { length(&residual) / scale }
}

/// The largest violation of a row over the size $|M| |z| + |q|$ of its terms: an equality row and one with
/// $z_i > 0$ ask for $w_i = 0$, one with $z_i = 0$ for $w_i \ge 0$; infinite for a negative $z_i$ that is not
/// free.
///
/// # Panics
///
/// When the sizes do not fit.
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
    // Not `f64::max`, which loses a NaN.
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
        // w = (3, -4) with q = (3, -4).
        assert_eq!(mixed_error(&m, &[3.0, -4.0], &rows, &[0.0, 0.0]), 1.0);
        // w = (0, 5), z = 10 times 0.5: the smaller is 5.
        let m_of_half = array![[2.0, 0.0], [0.0, 0.5]];
        assert_eq!(mixed_error(&m_of_half, &[3.0, 4.0], &rows, &[-1.5, 10.0]), 1.0);
        // No q: z_1 = 3, w_1 = 3, and the point is as large.
        assert_eq!(mixed_error(&m, &[0.0, 0.0], &rows, &[0.0, 3.0]), 1.0);
        assert!(mixed_error(&m, &[2.0, -4.0], &rows, &[f64::NAN, 0.0]).is_nan());
        let backward = |z: &[f64]| mixed_backward_error(&m, &[2.0, -4.0], &rows, z);
        assert_eq!((backward(&[-1.0, 4.0]), backward(&[-0.5, 4.0])), (0.0, 1.0 / 3.0));
        assert_eq!((backward(&[-1.0, -1.0]), backward(&[-1.0, 0.0])), (f64::INFINITY, 1.0));
        assert!(backward(&[f64::NAN, 0.0]).is_nan() && backward(&[-1.0, f64::NAN]).is_nan());
    }
}
