//! Products of small dense matrices with vectors, and linear systems with small dense matrices.

use ndarray::Array2;
use siconos_linalg::DenseLu;

use super::ControlError;

/// Computes $y \leftarrow y + M x$.
pub(super) fn add_product(m: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    for (row, y) in m.rows().into_iter().zip(y) {
        *y += row.iter().zip(x).map(|(m, x)| m * x).sum::<f64>();
    }
}

/// Computes $y = M x$.
pub(super) fn product(m: &Array2<f64>, x: &[f64], y: &mut [f64]) {
    y.fill(0.0);
    add_product(m, x, y);
}

/// Computes $M^{-1} R$. If M is singular, the error contains `name`, the name of M.
pub(super) fn solve_columns(
    name: &'static str,
    m: &Array2<f64>,
    right: &Array2<f64>,
) -> Result<Array2<f64>, ControlError> {
    let mut lu = DenseLu::default();
    lu.factor_in_any_units(m.view())
        .map_err(|singular| ControlError::NoEquivalentControl { product: name, singular })?;
    let mut solution = Array2::zeros(right.dim());
    for (mut to, from) in solution.columns_mut().into_iter().zip(right.columns()) {
        let mut column = from.to_vec();
        lu.solve(&mut column);
        to.iter_mut().zip(column).for_each(|(to, x)| *to = x);
    }
    Ok(solution)
}
