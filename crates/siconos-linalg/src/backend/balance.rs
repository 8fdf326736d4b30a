//! Balancing of a matrix before its eigenvalues are computed.

use ndarray::Array2;

/// Scales rows by powers of two and columns by their reciprocals until the norms of each row and its column,
/// without the diagonal, are within a factor of about two of each other (Parlett and Reinsch 1969, "Balancing
/// a matrix for calculation of eigenvalues and eigenvectors", with the 2-norm of James, Langou and Lowery
/// 2014, "On matrix balancing and eigenvector computation"). The eigenvalues do not change.
pub(super) fn balance(a: &mut Array2<f64>) {
    /// A scaling is applied only if it reduces the sum of both norms below this fraction.
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
