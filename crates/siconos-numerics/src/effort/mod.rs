//! Budget of operations for one problem. It limits the automatic choice of a method, and counts the
//! operations spent.
//!
//! Every stage of a solver cascade ends, but all stages together could take hours. Effort is counted in
//! floating-point operations, which are computed from the sizes of the matrices that are factorised and
//! multiplied. It is not measured by a clock. Two runs, even on different machines, therefore stop at the
//! same iteration with the same result.

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;
use siconos_linalg::cost::factorisation;

use crate::error::SettingsError;

/// Maximum number of operations that an automatic choice spends on one problem of any class. The limit is the
/// larger of two numbers: [`operations`](Self::operations), and the cost of
/// [`factorisations`](Self::factorisations) factorisations of the matrix of the problem.
///
/// The default limit corresponds to 0.5 to 10 s on one core. (One core performs about 1e9 operations per
/// second on small matrices, and 2e10 in factorisations of large full matrices.) The time is longer if one
/// factorisation takes more than a second. The cost of a problem is the sum of
/// [`Attempt::effort`](crate::Attempt) over the [`trace`](crate::Solver::trace).
///
/// ```
/// use ndarray::Array2;
/// use siconos_numerics::EffortLimit;
/// use siconos_linalg::MatrixRef;
///
/// let m = Array2::<f64>::eye(30);
/// let mut effort = EffortLimit::default().of(MatrixRef::from(&m));
/// assert_eq!(effort.limit(), 1e10);
/// // A method that costs 1e6 operations per iteration and requests 100 000 iterations is allowed 10 000.
/// assert_eq!(effort.iterations(1e6, 100_000), 10_000);
/// effort.spend(3.0 * 1e6);
/// assert_eq!(effort.iterations(1e6, 100_000), 9997);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EffortLimit {
    /// Number of floating-point operations. Default: 1e10. Must be positive.
    pub operations: f64,
    /// Number of factorisations of the problem matrix. Their cost is the limit if it exceeds `operations`,
    /// which happens only for very large matrices. Default: 100. Must be at least 0.
    pub factorisations: f64,
}

impl Default for EffortLimit {
    fn default() -> Self {
        Self { operations: 1e10, factorisations: 100.0 }
    }
}

impl EffortLimit {
    /// Creates a limit on the number of operations that does not depend on the cost of a factorisation.
    pub(crate) const fn of_operations(operations: f64) -> Self {
        Self { operations, factorisations: 0.0 }
    }

    /// Creates a limit that is never reached. Only the limits of the individual methods apply.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::of_operations(f64::MAX)
    }

    /// Checks that both fields are in their ranges.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let (operations, factorisations) = (self.operations, self.factorisations);
        SettingsError::check_at_least("effort.operations", operations, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_at_least("effort.factorisations", factorisations, 0.0, "nonnegative")
    }

    /// Returns the budget of a problem with the matrix `m`.
    #[must_use]
    pub fn of(&self, m: MatrixRef<'_>) -> Effort {
        self.of_cost(factorisation(m))
    }

    /// Returns the budget of a problem. `factorisation` is the cost of a factorisation in operations.
    #[must_use]
    pub(crate) fn of_cost(&self, factorisation: f64) -> Effort {
        Effort { limit: self.operations.max(self.factorisations * factorisation), spent: 0.0 }
    }
}

/// Budget of one problem, with the numbers of operations spent and left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    limit: f64,
    spent: f64,
}

impl Effort {
    /// Returns the number of operations that the budget allows in total.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Returns the number of operations spent so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// Returns the number of operations left, at least 0.
    #[must_use]
    pub fn left(&self) -> f64 {
        (self.limit - self.spent).max(0.0)
    }

    /// Returns `true` if no operations are left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.limit
    }

    /// Raises the limit if a factorisation costs more than previously estimated.
    pub(crate) fn raise(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.limit = self.limit.max(limit.of_cost(factorisation).limit);
    }

    /// Returns a budget with half of the remaining operations. A stage with this budget leaves the other half
    /// to the following stages.
    #[must_use]
    pub fn half_of_what_is_left(&self) -> Self {
        Self { limit: 0.5 * self.left(), spent: 0.0 }
    }

    /// Returns the number of iterations that the remaining budget allows, but at most `at_most`. `cost` is
    /// the number of operations per iteration.
    #[must_use]
    pub fn iterations(&self, cost: f64, at_most: usize) -> usize {
        let left = self.left() / cost.max(1.0);
        // The conversion saturates if `left` exceeds the range of `usize`.
        (left as usize).min(at_most)
    }

    /// Adds `operations` to the operations spent.
    pub fn spend(&mut self, operations: f64) {
        self.spent += operations;
    }
}

#[cfg(all(test, debug_assertions))]
mod account_tests;
#[cfg(test)]
mod tests;
