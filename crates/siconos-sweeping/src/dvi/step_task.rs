//! Input and output of one time step.

use super::Dvi;

/// Input of a step.
#[derive(Clone, Copy)]
pub(super) struct StepTask<'a> {
    pub(super) dvi: &'a Dvi,
    pub(super) theta: f64,
    /// $t_k$ \[s\].
    pub(super) t: f64,
    /// Step length \[s\].
    pub(super) h: f64,
    /// $x_k$.
    pub(super) x: &'a [f64],
}

/// Output of a step.
pub(super) struct Iterate<'a> {
    /// $x_k$ on entry, and $x_{k+1}$ on return.
    pub(super) x: &'a mut [f64],
    /// Initial guess on entry, and $u_{k+1}$ on return.
    pub(super) u: &'a mut [f64],
    /// $G + F$ at the end of the step, on return.
    pub(super) w: &'a mut [f64],
}
