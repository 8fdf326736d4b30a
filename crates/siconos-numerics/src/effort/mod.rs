//! Budget of operations that an automatic choice may spend on one problem, and the operations spent.
//!
//! Every stage of a solver cascade ends, but the product of the limits may take hours. Effort is counted in
//! floating-point operations, from the sizes of the matrices that are factorised and multiplied, and not
//! measured by a clock. Two runs, or two machines, therefore stop at the same iteration with the same point.

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;
use siconos_linalg::cost::factorisation;

use crate::error::SettingsError;

/// Largest number of operations that an automatic choice spends on one problem of any class:
/// [`operations`](Self::operations), or the cost of [`factorisations`](Self::factorisations) factorisations
/// of its matrix if that is larger.
///
/// The default is reached after 0.5 to 10 s on one core, which performs 1e9 operations per second on small
/// matrices, and 2e10 in factorisations of large full matrices. If one factorisation takes more than a
/// second, 100 factorisations take longer. The cost of a problem is the sum of
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
/// // A method that costs 1e6 operations per iteration and wants 100 000 iterations may make 10 000.
/// assert_eq!(effort.iterations(1e6, 100_000), 10_000);
/// effort.spend(3.0 * 1e6);
/// assert_eq!(effort.iterations(1e6, 100_000), 9997);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EffortLimit {
    /// Floating-point operations. Default 1e10; above 0.
    pub operations: f64,
    /// Number of factorisations of the matrix of the problem, which raises the limit for very large matrices.
    /// Default 100, at least 0.
    pub factorisations: f64,
}

impl Default for EffortLimit {
    fn default() -> Self {
        Self { operations: 1e10, factorisations: 100.0 }
    }
}

impl EffortLimit {
    /// Creates a limit in operations, whatever a factorisation costs.
    pub(crate) const fn of_operations(operations: f64) -> Self {
        Self { operations, factorisations: 0.0 }
    }

    /// Creates a limit that is never reached: only the limits of the methods apply.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::of_operations(f64::MAX)
    }

    /// Checks that the limits are in their ranges.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let (operations, factorisations) = (self.operations, self.factorisations);
        SettingsError::check_at_least("effort.operations", operations, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("effort.factorisations", factorisations, 0.0, "at least 0")
    }

    /// Returns the budget of a problem with this matrix.
    #[must_use]
    pub fn of(&self, m: MatrixRef<'_>) -> Effort {
        self.of_cost(factorisation(m))
    }

    /// Returns the budget of a problem whose factorisation costs this number of operations.
    #[must_use]
    pub(crate) fn of_cost(&self, factorisation: f64) -> Effort {
        Effort { limit: self.operations.max(self.factorisations * factorisation), spent: 0.0 }
    }
}

/// Budget of one problem: the operations spent, and the operations left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    limit: f64,
    spent: f64,
}

impl Effort {
    /// Returns the operations that may be spent in total.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Returns the operations spent so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// Returns the operations left, at least 0.
    #[must_use]
    pub fn left(&self) -> f64 {
        (self.limit - self.spent).max(0.0)
    }

    /// Returns `true` if no operations are left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.limit
    }

    /// Raises the limit if a factorisation costs more than was estimated.
    pub(crate) fn raise(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.limit = self.limit.max(limit.of_cost(factorisation).limit);
    }

    /// Returns a budget with half of the operations left, for one of several methods, so that the others can
    /// run too.
    #[must_use]
    pub fn half_of_what_is_left(&self) -> Self {
        Self { limit: 0.5 * self.left(), spent: 0.0 }
    }

    /// Returns the number of iterations of this cost that the budget allows, but not more than `at_most`.
    #[must_use]
    pub fn iterations(&self, cost: f64, at_most: usize) -> usize {
        let left = self.left() / cost.max(1.0);
        // The conversion saturates.
        (left as usize).min(at_most)
    }

    /// Records operations that were spent.
    pub fn spend(&mut self, operations: f64) {
        self.spent += operations;
    }
}

#[cfg(all(test, debug_assertions))]
mod account_tests;
#[cfg(test)]
mod tests;
