//! How much work an automatic choice may spend on one problem before it gives up, and how much it has spent.
//!
//! A chain of methods has an end, but the product of their limits may be hours. Work is counted in
//! floating-point operations by the sizes of what is factorised and multiplied, and not by a clock: two runs,
//! and two machines, give up at the same place with the same point.

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;
use siconos_linalg::cost::factorisation;

use crate::error::SettingsError;

/// Largest number of operations that an automatic choice spends on one problem, the same for every class of
/// problems: [`operations`](Self::operations), or [`factorisations`](Self::factorisations) of its matrix
/// where these cost more.
///
/// The default is reached after 0.5 to 10 s on one core, which does 1e9 operations a second in small matrices
/// and 2e10 in factorisations of large full ones. Where one factorisation takes more than a second, 100 of
/// them take longer. What a problem has cost is the sum of [`Attempt::effort`](crate::Attempt) over
/// [`trace`](crate::Solver::trace).
///
/// ```
/// use ndarray::Array2;
/// use siconos_numerics::EffortLimit;
/// use siconos_linalg::MatrixRef;
///
/// let m = Array2::<f64>::eye(30);
/// let mut effort = EffortLimit::default().of(MatrixRef::from(&m));
/// assert_eq!(effort.limit(), 1e10);
/// // A method that costs 1e6 operations per iteration and would make 100 000 of them may make 10 000.
/// assert_eq!(effort.iterations(1e6, 100_000), 10_000);
/// effort.spend(3.0 * 1e6);
/// assert_eq!(effort.iterations(1e6, 100_000), 9997);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EffortLimit {
    /// Floating-point operations. Default 1e10; above 0.
    pub operations: f64,
    /// Factorisations of the matrix of the problem, so that a problem with a very large matrix is tried as
    /// well. Default 100, at least 0.
    pub factorisations: f64,
}

impl Default for EffortLimit {
    fn default() -> Self {
        Self { operations: 1e10, factorisations: 100.0 }
    }
}

impl EffortLimit {
    /// A number of operations, whatever a factorisation costs.
    pub(crate) const fn of_operations(operations: f64) -> Self {
        Self { operations, factorisations: 0.0 }
    }

    /// As much as the limits of the methods themselves allow.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::of_operations(f64::MAX)
    }

    /// Accepts limits in their ranges.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        let (operations, factorisations) = (self.operations, self.factorisations);
        SettingsError::check_at_least("effort.operations", operations, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("effort.factorisations", factorisations, 0.0, "at least 0")
    }

    /// The account for a problem with this matrix.
    #[must_use]
    pub fn of(&self, m: MatrixRef<'_>) -> Effort {
        self.of_cost(factorisation(m))
    }

    /// The account for a problem whose factorisation costs so many operations.
    #[must_use]
    pub(crate) fn of_cost(&self, factorisation: f64) -> Effort {
        Effort { limit: self.operations.max(self.factorisations * factorisation), spent: 0.0 }
    }
}

/// What has been spent on a problem, and how much is left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    limit: f64,
    spent: f64,
}

impl Effort {
    /// Operations that may be spent in all.
    #[must_use]
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// Operations spent so far.
    #[must_use]
    pub fn spent(&self) -> f64 {
        self.spent
    }

    /// Operations that are left, at least 0.
    #[must_use]
    pub fn left(&self) -> f64 {
        (self.limit - self.spent).max(0.0)
    }

    /// Whether nothing is left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.limit
    }

    /// Raises the limit to that of a problem whose factorisation costs more than was estimated.
    pub(crate) fn raise(&mut self, limit: &EffortLimit, factorisation: f64) {
        self.limit = self.limit.max(limit.of_cost(factorisation).limit);
    }

    /// An account with half of what is left: what one of several methods may spend, so that others have their
    /// turn.
    #[must_use]
    pub fn half_of_what_is_left(&self) -> Self {
        Self { limit: 0.5 * self.left(), spent: 0.0 }
    }

    /// How many iterations are left when one costs so many operations, and `at_most` are wanted.
    #[must_use]
    pub fn iterations(&self, cost: f64, at_most: usize) -> usize {
        let left = self.left() / cost.max(1.0);
        // A conversion saturates.
        (left as usize).min(at_most)
    }

    /// Notes so many operations.
    pub fn spend(&mut self, operations: f64) {
        self.spent += operations;
    }
}

#[cfg(all(test, debug_assertions))]
mod account_tests;
#[cfg(test)]
mod tests;
