//! Counts of steps and evaluations.

use serde::{Deserialize, Serialize};

/// Counts since the integrator was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Steps that the stiff method took.
    pub stiff_steps: usize,
    /// Rejected steps.
    pub rejected_steps: usize,
    /// Evaluations of f.
    pub f_evaluations: usize,
    /// Jacobians, each by n evaluations of f where the system has none.
    pub jacobian_evaluations: usize,
    /// Pairs of factorisations of the stiff method, one real and one complex.
    pub factorisations: usize,
    /// Evaluations of all guards.
    pub guard_evaluations: usize,
    /// Changes of method by [`Method::Auto`](super::Method::Auto).
    pub switches: usize,
}
