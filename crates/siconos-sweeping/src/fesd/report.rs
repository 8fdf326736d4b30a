//! Report of a step of finite elements with switch detection.

use super::FesdResidual;

/// Status of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FesdStatus {
    /// All conditions hold within the tolerance.
    #[default]
    Converged,
    /// The active sets of the elements were found. However, the equations of the whole step, with equal
    /// lengths between switches, do not hold within the tolerance. The state is the end of the last element
    /// that the continuation found.
    Stalled,
    /// Newton's method did not find the stages of an element, or the motion cannot continue with any active
    /// set. The state is the end of the last element that was found, which is before the end of the step.
    NoContinuation,
    /// The step has more switches than allowed. It is possible that the switches accumulate. The state is the
    /// end of the last element that was found.
    TooManySwitches,
    /// The homotopy found no pattern that satisfies the conditions. The state is unchanged.
    NoPattern,
}

impl FesdStatus {
    /// Returns `true` for [`FesdStatus::Converged`].
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Converged
    }
}

/// Change of the active set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switch {
    /// Time \[s\].
    pub t: f64,
    /// Active set before the switch: indices of modes or of constraints.
    pub before: Vec<usize>,
    /// Active set after the switch.
    pub after: Vec<usize>,
}

/// Report of a step of [`Fesd`](super::Fesd).
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a step without a solution is reported only here"]
pub struct FesdReport {
    /// Status.
    pub status: FesdStatus,
    /// Switches, in increasing order of time. A switch at the start of the step is included if the step
    /// continues the previous step and the previous step ended with a different active set.
    pub switches: Vec<Switch>,
    /// Lengths of the elements \[s\].
    pub h_elements: Vec<f64>,
    /// Total number of Newton steps, including steps along the path of a homotopy.
    pub iterations: usize,
    /// Errors of all conditions.
    pub residual: FesdResidual,
}
