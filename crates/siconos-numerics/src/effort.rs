//! How much work an automatic choice may spend on one problem before it gives up, and how much it has spent.
//!
//! A chain of methods has an end, but the product of their limits may be hours. Work is counted in
//! floating-point operations by the sizes of what is factorised and multiplied, and not by a clock: two runs,
//! and two machines, give up at the same place with the same point.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;
use crate::linalg::MatrixRef;

/// The work that an automatic choice may spend on one problem: the larger of two numbers.
///
/// ```
/// use ndarray::Array2;
/// use siconos_numerics::EffortLimit;
/// use siconos_numerics::linalg::MatrixRef;
///
/// let m = Array2::<f64>::eye(30);
/// let mut effort = EffortLimit::default().of(MatrixRef::from(&m));
/// assert_eq!(effort.limit(), 2e9);
/// // A method that costs 1e6 operations per iteration and would make 10 000 of them may make 2000.
/// assert_eq!(effort.iterations(1e6, 10_000), 2000);
/// effort.spend(3.0 * 1e6);
/// assert_eq!(effort.iterations(1e6, 10_000), 1997);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EffortLimit {
    /// Floating-point operations. Default 2e9, which is a second or two; above 0.
    pub operations: f64,
    /// Factorisations of the matrix of the problem: what is little for a large problem is much for a small
    /// one. Default 300, at least 0.
    pub factorisations: f64,
}

impl Default for EffortLimit {
    fn default() -> Self {
        Self { operations: 2e9, factorisations: 300.0 }
    }
}

impl EffortLimit {
    /// As much as the limits of the methods themselves allow.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { operations: f64::MAX, factorisations: 0.0 }
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

    /// Whether nothing is left.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.limit
    }

    /// An account with half of what is left: what one of several methods may spend, so that others have their
    /// turn.
    #[must_use]
    pub fn half_of_what_is_left(&self) -> Self {
        Self { limit: 0.5 * (self.limit - self.spent).max(0.0), spent: 0.0 }
    }

    /// How many iterations are left when one costs so many operations, and `at_most` are wanted.
    #[must_use]
    pub fn iterations(&self, cost: f64, at_most: usize) -> usize {
        let left = (self.limit - self.spent).max(0.0) / cost.max(1.0);
        // A conversion saturates.
        (left as usize).min(at_most)
    }

    /// Notes so many operations.
    pub fn spend(&mut self, operations: f64) {
        self.spent += operations;
    }
}

/// Operations of a product with the matrix: two per stored entry.
#[must_use]
pub(crate) fn product(m: MatrixRef<'_>) -> f64 {
    2.0 * m.stored_entries() as f64
}

/// Operations of LU with all entries.
#[must_use]
pub(crate) fn dense_factorisation(n: usize) -> f64 {
    2.0 / 3.0 * (n as f64).powi(3)
}

/// Operations of a factorisation: of LU with all entries, and of a sparse matrix those of the fill that a
/// mesh of surfaces brings (a power of 3/2 of the entries; George 1973), or those of its band. Neither is
/// above the first.
#[must_use]
pub(crate) fn factorisation(m: MatrixRef<'_>) -> f64 {
    let entries = m.stored_entries() as f64;
    let dense = dense_factorisation(m.rows());
    match m {
        MatrixRef::Dense(_) => dense,
        MatrixRef::Diagonal(_) => entries,
        MatrixRef::BlockCsr(_) => sparse_factorisation(entries).min(dense),
        MatrixRef::Csc(_) => sparse_factorisation(entries).min(dense).min(band_factorisation(m)),
    }
}

/// Operations of LU without fill outside the band, with pivots.
fn band_factorisation(m: MatrixRef<'_>) -> f64 {
    let mut width = 0;
    m.for_each_entry(|i, j, x| width = if x == 0.0 { width } else { width.max(i.abs_diff(j)) });
    let width = 1.0 + width as f64;
    4.0 * m.rows() as f64 * width * width
}

/// Operations of a factorisation of a sparse matrix with that many entries.
#[must_use]
pub(crate) fn sparse_factorisation(entries: f64) -> f64 {
    FILL * entries * entries.sqrt()
}

/// Operations of a sparse factorisation beside the power 3/2 of the entries.
const FILL: f64 = 10.0;

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn large_problems_get_more() {
        let m = Array2::<f64>::eye(1000);
        let effort = EffortLimit::default().of(MatrixRef::from(&m));
        assert_eq!(effort.limit(), 300.0 * 2.0 / 3.0 * 1e9);
    }

    #[test]
    fn an_account_ends_at_its_limit_and_not_below_zero() {
        let limit = EffortLimit { operations: 10.0, factorisations: 0.0 };
        let mut effort = limit.of_cost(1e9);
        assert_eq!((effort.iterations(3.0, 100), effort.iterations(3.0, 2)), (3, 2));
        effort.spend(12.0);
        assert!(effort.is_exhausted());
        assert_eq!(effort.iterations(1.0, 5), 0);
        assert_eq!(EffortLimit::unlimited().of_cost(1e30).iterations(1e12, usize::MAX), usize::MAX);
    }

    #[test]
    fn limits_outside_their_range_are_refused() {
        for (operations, factorisations) in
            [(0.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1.0, -1.0), (1.0, f64::NAN)]
        {
            assert!(EffortLimit { operations, factorisations }.check().is_err());
        }
    }
}
