//! Counts of steps and evaluations.

use serde::{Deserialize, Serialize};

/// Counts since the integrator was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Accepted steps of the stiff method.
    pub stiff_steps: usize,
    /// Rejected steps.
    pub rejected_steps: usize,
    /// Evaluations of f.
    pub f_evaluations: usize,
    /// Evaluations of the Jacobian. Each takes n evaluations of f if the system does not provide a Jacobian.
    pub jacobian_evaluations: usize,
    /// Factorisations of the stiff method, counted in pairs of a real and a complex matrix.
    pub factorisations: usize,
    /// Evaluations of the guards; one evaluation computes all of them.
    pub guard_evaluations: usize,
    /// Changes of method by [`Method::Auto`](super::Method::Auto).
    pub switches: usize,
}
