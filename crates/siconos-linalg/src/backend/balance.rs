//! Balancing of a matrix before its eigenvalues are computed.

use ndarray::Array2;

/// Balances a matrix, without changing its eigenvalues.
///
/// Row k is divided by a power of two and column k is multiplied by it, until the norm of each row is within
/// a factor of about two of the norm of the column with the same index. Both norms exclude the diagonal
/// entry. The method is from Parlett and Reinsch 1969, "Balancing a matrix for calculation of eigenvalues and
/// eigenvectors", with the 2-norm of James, Langou and Lowery 2014, "On matrix balancing and eigenvector
/// computation".
pub(super) fn balance(a: &mut Array2<f64>) {
    /// A scaling is applied only if the sum of both norms after scaling is less than this fraction of the sum
    /// before.
    const WORTHWHILE: f64 = 0.95;
    let n = a.nrows();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for k in 0..n {
            let others = || (0..n).filter(move |&i| i != k);
            let mut column = others().fold(0.0_f64, |sum, i| sum.hypot(a[[i, k]]));
            let mut row = others().fold(0.0_f64, |sum, j| sum.hypot(a[[k, j]]));
            if !(column > 0.0 && row > 0.0 && column.is_finite() && row.is_finite()) {
                continue;
            }
            let before = column + row;
            let mut unit = 1.0;
            while column < row / 2.0 && unit < 1e150 {
                (column, row, unit) = (column * 2.0, row / 2.0, unit * 2.0);
            }
            while column >= row * 2.0 && unit > 1e-150 {
                (column, row, unit) = (column / 2.0, row * 2.0, unit / 2.0);
            }
            if column + row < WORTHWHILE * before {
                is_changed = true;
                a.column_mut(k).mapv_inplace(|x| x * unit);
                a.row_mut(k).mapv_inplace(|x| x / unit);
            }
        }
    }
}
