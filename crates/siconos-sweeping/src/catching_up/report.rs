//! Report of a step of the catching-up algorithm.

use siconos_numerics::Status;

/// Report of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step that did not converge is reported only here"]
pub struct SweepingReport {
    /// Status. On success, the state solves the one-step problem. Otherwise the state is the best iterate.
    pub status: Status,
    /// Number of outer iterations that update u in the set K(t, u); 1 if the set does not depend on the
    /// state.
    pub outer: usize,
    /// Total number of inner iterations: iterations of Newton's method, of the extragradient method, or of
    /// the projection onto the set, whichever solved the step.
    pub inner: usize,
    /// Contraction factor of the outer iterations: the last change of u divided by the previous change.
    /// `None` after fewer than two outer iterations. If the factor stays at or above 1, the outer iterations
    /// do not converge.
    pub contraction: Option<f64>,
}
