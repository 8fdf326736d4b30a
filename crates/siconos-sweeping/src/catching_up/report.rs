//! What a step of the catching-up algorithm came to.

use siconos_numerics::Status;

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step that did not converge is reported here, and nowhere else"]
pub struct SweepReport {
    /// Whether the point solves the problem of the step; else it is the best iterate.
    pub status: Status,
    /// Iterations over the state in the set K(t, u), 1 where the set does not move with the state.
    pub outer: usize,
    /// Iterations within, of Newton's or the projection method, or of the projection itself, in all.
    pub inner: usize,
    /// Of a set that moves with the state: by what factor the last iterations over the state brought the
    /// points together. At or above 1 they do not come together.
    pub contraction: Option<f64>,
}
