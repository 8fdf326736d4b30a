//! Planted solutions. The solution is drawn first, and the vector q is computed from it.

use ndarray::{Array2, ArrayView1};

use crate::random::RandomState;

/// Complementary pair of vectors. For each index, one of `z` and `w` is in [0.5, 1.5) and the other is 0, or
/// both are 0.
pub(super) struct Planted {
    pub(super) z: Vec<f64>,
    w: Vec<f64>,
}

impl Planted {
    /// Draws a pair in which about half of the entries of `z` are positive. At the other indices, `w` is
    /// positive.
    pub(super) fn strict(n: usize, random: &mut RandomState) -> Self {
        Self::with_both_zero(n, 0.0, random)
    }

    /// Draws a pair in which both entries are 0 for about a fraction `share` of the indices.
    pub(super) fn with_both_zero(n: usize, share: f64, random: &mut RandomState) -> Self {
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        for (z, w) in z.iter_mut().zip(&mut w) {
            let (which, value) = (random.uniform(), random.between(0.5, 1.5));
            if which >= share {
                *(if which < share + (1.0 - share) / 2.0 { z } else { w }) = value;
            }
        }
        Self { z, w }
    }

    /// Returns $q = w - M z$.
    pub(super) fn q(&self, m: &Array2<f64>) -> Vec<f64> {
        (ArrayView1::from(&self.w).to_owned() - m.dot(&ArrayView1::from(&self.z))).to_vec()
    }
}

/// Returns independent normal entries, drawn row by row.
pub(super) fn normal(rows: usize, columns: usize, random: &mut RandomState) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || random.standard_normal())
}

/// Returns $A A^T$, made exactly symmetric.
pub(super) fn times_transposed(a: &Array2<f64>) -> Array2<f64> {
    let mut product = a.dot(&a.t());
    for i in 0..product.nrows() {
        for j in 0..i {
            product[[i, j]] = product[[j, i]];
        }
    }
    product
}

/// Returns the skew matrix $B - B^T$, where $B$ has normal entries of variance 1 / n, so that its norm does
/// not grow with n.
pub(super) fn skew(n: usize, random: &mut RandomState) -> Array2<f64> {
    let b = normal(n, n, random) / (n.max(1) as f64).sqrt();
    &b - &b.t()
}
