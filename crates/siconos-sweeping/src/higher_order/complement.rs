//! Linear combinations of the state on which lambda does not act.

use ndarray::{Array2, Axis, Zip};

use super::HigherOrderError;

/// Matrix N with $N K = 0$, for a matrix K of full column rank.
///
/// Elimination divides the coordinates of the state into pivots and kept coordinates. Each row of N is one
/// kept coordinate plus multiples of the pivots, so its unit is the unit of the kept coordinate. (Orthonormal
/// rows would add metres to metres per second.)
#[derive(Clone, Debug)]
pub(super) struct Complement {
    /// Coordinates on which N is the identity, in ascending order.
    pub(super) kept: Vec<usize>,
    /// N, one row for each kept coordinate.
    pub(super) rows: Array2<f64>,
}

impl Complement {
    /// Computes N by elimination with partial pivoting. Pivot candidates are divided by `units` before they
    /// are compared.
    pub(super) fn of(k: &Array2<f64>, units: &[f64]) -> Result<Self, HigherOrderError> {
        let (n, columns) = k.dim();
        let mut work = k.clone();
        let mut pivots = Vec::with_capacity(columns);
        let mut is_left = vec![true; n];
        for column in 0..columns {
            let mut pivot: Option<(usize, f64)> = None;
            for i in (0..n).filter(|&i| is_left[i]) {
                let size = work[[i, column]].abs() / units[i];
                if pivot.is_none_or(|(_, largest)| size > CLEARLY * largest) {
                    pivot = Some((i, size));
                }
            }
            let Some((row, _)) = pivot.filter(|(_, size)| *size > 0.0) else {
                return Err(HigherOrderError::Dependent { column });
            };
            is_left[row] = false;
            pivots.push(row);
            eliminate(&mut work, row, column);
        }
        let kept: Vec<usize> = (0..n).filter(|&i| is_left[i]).collect();
        let mut rows = Array2::zeros((kept.len(), n));
        for (mut to, &i) in rows.axis_iter_mut(Axis(0)).zip(&kept) {
            to[i] = 1.0;
            for (column, &pivot) in pivots.iter().enumerate() {
                to[pivot] = -work[[i, column]];
            }
        }
        Ok(Self { kept, rows })
    }

    /// Returns the columns of a matrix that belong to the kept coordinates.
    pub(super) fn of_columns(&self, matrix: &Array2<f64>) -> Array2<f64> {
        matrix.select(Axis(1), &self.kept)
    }
}

/// Factor by which a pivot must exceed the previous candidate, so that rounding errors of the units do not
/// decide between rows of similar size.
const CLEARLY: f64 = 1.0 + 1e-6;

/// Combines columns so that the row of the pivot becomes a row of the identity.
fn eliminate(work: &mut Array2<f64>, row: usize, column: usize) {
    let pivot = work[[row, column]];
    work.column_mut(column).mapv_inplace(|x| x / pivot);
    let unit = work.column(column).to_owned();
    for (other, mut target) in work.columns_mut().into_iter().enumerate() {
        let factor = target[row];
        if other != column && factor != 0.0 {
            Zip::from(&mut target).and(&unit).for_each(|x, u| *x -= factor * u);
            target[row] = 0.0;
        }
    }
}
