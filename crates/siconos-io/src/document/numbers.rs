//! Names that expressions of constant values can read, with the values of parameters.

use siconos_expression::{Expression, Scope};

/// Scope of a constant expression. If the scope contains parameters, their values are in the second argument
/// slot, as in all expressions of models.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<'n> {
    pub(crate) scope: &'n Scope,
    parameters: &'n [f64],
}

impl<'n> Numbers<'n> {
    pub(crate) fn new(scope: &'n Scope, parameters: &'n [f64]) -> Self {
        Self { scope, parameters }
    }

    /// Returns the value of an expression of this scope, or `None` if it reads a name that has no value.
    pub(crate) fn value(&self, expression: &Expression) -> Option<f64> {
        let is_known = |place: usize| place < self.parameters.len();
        let can_be_read =
            |symbol: siconos_expression::Symbol| symbol.slot == 1 && is_known(symbol.index as usize);
        expression.symbols().all(can_be_read).then(|| expression.evaluate(&[&[], self.parameters]))
    }
}

impl<'n> From<&'n Scope> for Numbers<'n> {
    fn from(scope: &'n Scope) -> Self {
        Self::new(scope, &[])
    }
}
