//! Report of a step of finite elements with switch detection.

use super::FesdResidual;

/// Status of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FesdStatus {
    /// All conditions hold within the tolerance.
    #[default]
    Converged,
    /// The active sets of the elements were found, but the equations of the whole step, with equal lengths
    /// between switches, do not hold within the tolerance. The state is the end of the last element that the
    /// continuation found.
    Stalled,
    /// Newton's method did not find the stages of an element, or no active set allows the solution to
    /// continue. The state is the end of the last element that was found, before the end of the step.
    NoContinuation,
    /// The step has more switches than allowed, possibly because the switches accumulate. The state is the
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
    /// Switches, in chronological order. A switch at the start of the step is included if the step starts at
    /// the end of the previous step with a different active set.
    pub switches: Vec<Switch>,
    /// Lengths of the elements \[s\].
    pub h_elements: Vec<f64>,
    /// Total number of Newton steps, including Newton steps on the path of the homotopy.
    pub iterations: usize,
    /// Errors of all conditions.
    pub residual: FesdResidual,
}
