//! Counts of steps and evaluations.

use serde::{Deserialize, Serialize};

/// Counts of steps and evaluations since the integrator was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Number of accepted steps.
    pub steps: usize,
    /// Number of accepted steps of the stiff method.
    pub stiff_steps: usize,
    /// Number of rejected steps.
    pub rejected_steps: usize,
    /// Number of evaluations of f.
    pub f_evaluations: usize,
    /// Number of evaluations of the Jacobian. Each takes n evaluations of f if the system does not provide a
    /// Jacobian.
    pub jacobian_evaluations: usize,
    /// Number of factorisations in the stiff method, each of which factorises one real and one complex
    /// matrix.
    pub factorisations: usize,
    /// Number of evaluations of the guards; one evaluation computes all guards.
    pub guard_evaluations: usize,
    /// Number of changes of method by [`Method::Auto`](super::Method::Auto).
    pub switches: usize,
}
