//! Report of a step of the catching-up algorithm.

use siconos_numerics::Status;

/// Report of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step that did not converge is reported here, and nowhere else"]
pub struct SweepingReport {
    /// Status: a success if the point solves the problem of the step. Otherwise the point is the best
    /// iterate.
    pub status: Status,
    /// Number of iterations over the state u of the set K(t, u); 1 if the set does not move with the state.
    pub outer: usize,
    /// Total number of inner iterations of Newton's method, of the projection method, or of the projection
    /// itself.
    pub inner: usize,
    /// Contraction factor of the iterations over the state, for a set that moves with the state: the ratio of
    /// the last two changes. The iterations do not converge if it stays at or above 1.
    pub contraction: Option<f64>,
}
