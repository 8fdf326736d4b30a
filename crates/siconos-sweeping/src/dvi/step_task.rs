//! What a step of any kind is given, and what it changes.

use super::Dvi;

/// The step that is to be taken.
#[derive(Clone, Copy)]
pub(super) struct StepTask<'a> {
    pub(super) dvi: &'a Dvi,
    pub(super) theta: f64,
    /// $t_k$ \[s\].
    pub(super) t: f64,
    /// The step \[s\].
    pub(super) h: f64,
    /// $x_k$.
    pub(super) x: &'a [f64],
}

/// What a step changes.
pub(super) struct Iterate<'a> {
    /// $x_k$, and then $x_{k+1}$.
    pub(super) x: &'a mut [f64],
    /// A guess, and then $u_{k+1}$.
    pub(super) u: &'a mut [f64],
    /// $G + F$ at the end of the step, written.
    pub(super) w: &'a mut [f64],
}
