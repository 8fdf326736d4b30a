//! Entries of vectors and matrices: numbers and expressions.

use ndarray::Array2;
use siconos_expression::Expression;

use crate::model::scopes::PARAMETERS;

/// Matrix of expressions, row by row.
#[derive(Clone, Debug)]
pub(in crate::model) struct Grid {
    pub(in crate::model) rows: usize,
    pub(in crate::model) columns: usize,
    pub(in crate::model) entries: Vec<Expression>,
}

impl Grid {
    /// Creates a column.
    pub(in crate::model) fn column(entries: Vec<Expression>) -> Self {
        Self { rows: entries.len(), columns: 1, entries }
    }

    /// Returns all entries, row by row.
    pub(in crate::model) fn as_slice(&self) -> &[Expression] {
        &self.entries
    }

    /// Returns `true` if all entries read only parameters.
    pub(in crate::model) fn is_constant(&self) -> bool {
        is_constant(&self.entries)
    }

    /// Returns the values for the given parameter values, or `None` if an entry reads a name that is not a
    /// parameter.
    pub(in crate::model) fn values(&self, parameters: &[f64]) -> Option<Array2<f64>> {
        let values = self.is_constant().then(|| evaluated(&self.entries, parameters))?;
        Array2::from_shape_vec((self.rows, self.columns), values).ok()
    }
}

/// Returns `true` if expressions read only parameters.
pub(in crate::model) fn is_constant(entries: &[Expression]) -> bool {
    entries.iter().all(|entry| entry.symbols().all(|symbol| symbol.slot == PARAMETERS))
}

/// Returns the values of expressions that read only parameters.
pub(in crate::model) fn evaluated(entries: &[Expression], parameters: &[f64]) -> Vec<f64> {
    entries.iter().map(|entry| entry.evaluate(&[&[], parameters])).collect()
}
