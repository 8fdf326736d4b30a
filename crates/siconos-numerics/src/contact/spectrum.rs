//! Norm of a Delassus matrix, and its relative deviation from symmetry.

use siconos_linalg::{Csc, MatrixRef, norm};

/// Returns the mean magnitude of the diagonal entries of W \[1/kg\], or 1 if the mean is zero or not finite.
/// `diagonal` is workspace.
pub(super) fn mean_diagonal(w: MatrixRef<'_>, diagonal: &mut Vec<f64>) -> f64 {
    diagonal.clear();
    diagonal.resize(w.rows(), 0.0);
    w.copy_diagonal(diagonal);
    let mean = diagonal.iter().map(|x| x.abs()).sum::<f64>() / diagonal.len() as f64;
    if mean > 0.0 && mean.is_finite() { mean } else { 1.0 }
}

/// Maximum number of steps of the power method.
const MOST_STEPS: usize = 50;

/// The power method ends when the estimate grows by less than this fraction in one step.
const LEAST_GROWTH: f64 = 1e-3;

/// Safety factor applied to the estimate of the power method.
const MARGIN: f64 = 1.05;

/// Returns an estimate of the spectral norm of a matrix. It is usually an upper bound. The estimate of the
/// power method on $W^T W$ (Golub and Van Loan 2013, section 7.3) is multiplied by a safety factor and
/// limited to $(\lVert W \rVert_1 \lVert W \rVert_\infty)^{1/2}$. `x` and `y` are workspace.
pub(super) fn spectral_norm(w: MatrixRef<'_>, x: &mut Vec<f64>, y: &mut Vec<f64>) -> f64 {
    let n = w.rows();
    for memory in [&mut *x, &mut *y] {
        memory.clear();
        memory.resize(n, 0.0);
    }
    let largest = |v: &[f64]| v.iter().fold(0.0_f64, |a, x| a.max(*x));
    let ones = vec![1.0; n];
    w.add_absolute_product(&ones, y);
    w.add_absolute_transposed_product(&ones, x);
    let bound = (largest(x) * largest(y)).sqrt();
    // The initial vector is irregular, so that it is not an eigenvector of a matrix with a regular structure.
    x.iter_mut().enumerate().for_each(|(i, x)| *x = 1.0 + 0.5 * (1.7 * i as f64).sin());
    let mut estimate = 0.0;
    for _ in 0..MOST_STEPS {
        let length = norm(x);
        if length == 0.0 || !length.is_finite() {
            break;
        }
        x.iter_mut().for_each(|x| *x /= length);
        y.fill(0.0);
        w.add_product(1.0, x, y);
        let new = norm(y);
        let is_settled = new <= (1.0 + LEAST_GROWTH) * estimate;
        estimate = new.max(estimate);
        if is_settled {
            break;
        }
        x.fill(0.0);
        w.add_transposed_product(1.0, y, x);
    }
    let norm = (MARGIN * estimate).min(bound);
    if norm > 0.0 && norm.is_finite() { norm } else { 1.0 }
}

/// Returns the Frobenius norm of the skew-symmetric part of W divided by the Frobenius norm of W, or 0 if W
/// is zero.
pub(super) fn relative_skewness(w: MatrixRef<'_>) -> f64 {
    let (mut skew, mut all) = (0.0, 0.0);
    match w {
        MatrixRef::Diagonal(_) => return 0.0,
        MatrixRef::Dense(a) => {
            for ((i, j), &x) in a.indexed_iter() {
                all += x * x;
                skew += (0.5 * (x - a[[j, i]])).powi(2);
            }
        }
        MatrixRef::BlockCsr(_) | MatrixRef::Csc(_) => {
            let a = Csc::from_matrix(w);
            let mut mirror = Csc::default();
            mirror.copy_transposed(&a);
            for j in 0..a.columns() {
                for (i, x) in a.column(j) {
                    all += x * x;
                    let stored = mirror.column(j).any(|(k, _)| k == i);
                    // If the transposed entry is not stored, the loop does not visit it, so this entry is
                    // counted twice.
                    let times = if stored { 1.0 } else { 2.0 };
                    skew += times * (0.5 * (x - mirror.get(i, j))).powi(2);
                }
            }
        }
    }
    if all > 0.0 { (skew / all).sqrt() } else { 0.0 }
}
