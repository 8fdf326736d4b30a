//! Checks of user input.

use siconos_linalg::Matrix;

use super::ModelError;

/// Checks that every entry of model data is finite.
pub fn check_finite<'a>(
    what: &'static str,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<(), ModelError> {
    match values.into_iter().enumerate().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some((index, &value)) => Err(ModelError::NotFinite { what, index, value }),
    }
}

/// Checks the shape of model data.
pub fn check_shape(
    what: &'static str,
    expected: (usize, usize),
    found: (usize, usize),
) -> Result<(), ModelError> {
    if expected == found {
        return Ok(());
    }
    Err(ModelError::WrongShape {
        what,
        expected_rows: expected.0,
        expected_columns: expected.1,
        rows: found.0,
        columns: found.1,
    })
}

/// Checks the shape and the entries of a matrix in any storage.
pub(crate) fn check_matrix(
    what: &'static str,
    shape: (usize, usize),
    matrix: &Matrix,
) -> Result<(), ModelError> {
    check_shape(what, shape, (matrix.rows(), matrix.columns()))?;
    match matrix.view().first_non_finite() {
        None => Ok(()),
        Some((index, value)) => Err(ModelError::NotFinite { what, index, value }),
    }
}

/// Checks that the values written by a user function at time `t` are finite.
pub fn check_written<'a>(
    what: &'static str,
    t: f64,
    values: impl IntoIterator<Item = &'a f64>,
) -> Result<(), ModelError> {
    match values.into_iter().enumerate().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some((index, &value)) => Err(ModelError::NotFiniteAt { what, t, index, value }),
    }
}
