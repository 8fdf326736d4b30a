//! How good a point of a mixed problem is.

use ndarray::{Array2, ArrayView1};
use siconos_numerics::mlcp::MlcpRow;

/// The error measure of the class, from $w = M z + q$ formed here; it shares no code with
/// `siconos_numerics::mlcp::error`.
///
/// Equality rows: $e_1 = \lVert w \rVert$, $s_1 = 1 + \lVert q \rVert$. Others: $e_2$ is the sum of the negative parts of
/// $z_i$ and $w_i$ and of the products where both have one sign, $s_2 = 1 + \lVert w \rVert$. The result is
/// $e / (1 + s)$ of the kind with the larger $e / s$, the second kind on a tie.
///
/// # Panics
///
/// When the sizes do not fit.
#[track_caller]
#[must_use]
pub fn mixed_error(m: &Array2<f64>, q: &[f64], rows: &[MlcpRow], z: &[f64]) -> f64 {
    let w = m.dot(&ArrayView1::from(z)) + ArrayView1::from(q);
    let of = |kind: MlcpRow| (0..q.len()).filter(move |&i| rows[i] == kind);
    let size = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>().sqrt();
    let equality = size(&mut of(MlcpRow::Equality).map(|i| w[i]));
    let equality_scale = 1.0 + size(&mut of(MlcpRow::Equality).map(|i| q[i]));
    let complementarity: f64 = of(MlcpRow::Complementarity)
        .map(|i| {
            let product = if (z[i] < 0.0) == (w[i] < 0.0) { z[i] * w[i] } else { 0.0 };
            (0.0_f64.max(-z[i])) + 0.0_f64.max(-w[i]) + product
        })
        .sum();
    let complementarity_scale = 1.0 + size(&mut of(MlcpRow::Complementarity).map(|i| w[i]));
    if z.iter().chain(&w).any(|x| !x.is_finite()) {
        f64::NAN
    } else if equality / equality_scale > complementarity / complementarity_scale {
        equality / (1.0 + equality_scale)
    } else {
        complementarity / (1.0 + complementarity_scale)
    }
}

/// The largest violation of a row over the size $|M| |z| + |q|$ of its terms: an equality row and one with $z_i > 0$
/// ask for $w_i = 0$, one with $z_i = 0$ for $w_i \ge 0$; infinite for a negative $z_i$ that is not free.
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
        // w = (2, -4): 2 / 3 against 4 / 5.
        assert_eq!(mixed_error(&m, &[2.0, -4.0], &rows, &[0.0, 0.0]), 4.0 / 6.0);
        // w = (6, -4): 6 / 3 against 4 / 5.
        assert_eq!(mixed_error(&m, &[2.0, -4.0], &rows, &[2.0, 0.0]), 6.0 / 4.0);
        assert!(mixed_error(&m, &[2.0, -4.0], &rows, &[f64::NAN, 0.0]).is_nan());
        let backward = |z: &[f64]| mixed_backward_error(&m, &[2.0, -4.0], &rows, z);
        assert_eq!((backward(&[-1.0, 4.0]), backward(&[-0.5, 4.0])), (0.0, 1.0 / 3.0));
        assert_eq!((backward(&[-1.0, -1.0]), backward(&[-1.0, 0.0])), (f64::INFINITY, 1.0));
        assert!(backward(&[f64::NAN, 0.0]).is_nan() && backward(&[-1.0, f64::NAN]).is_nan());
    }
}
