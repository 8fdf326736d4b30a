//! What a step of finite elements with switch detection tells.

use super::FesdResidual;

/// How a step ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FesdStatus {
    /// All conditions hold to the tolerance.
    #[default]
    Converged,
    /// The modes of the elements were found, but the equations of the whole step do not hold to the tolerance
    /// with equal lengths between switches. The state is where the elements of the continuation end.
    Stalled,
    /// Newton's method found no stages, or no set of weights goes on from a point. The state is where the
    /// last element ends that was found, before the end of the step.
    NoContinuation,
    /// There are more switches in the step than allowed; they may accumulate. The state is where the last
    /// element ends.
    TooManySwitches,
    /// The homotopy ended in no pattern that meets the conditions. The state is as it was.
    NoPattern,
}

impl FesdStatus {
    /// True for [`FesdStatus::Converged`].
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Converged
    }
}

/// A change of the set of weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Switch {
    /// When \[s\].
    pub t: f64,
    /// The set before: modes that act, or constraints that hold.
    pub before: Vec<usize>,
    /// The set afterwards.
    pub after: Vec<usize>,
}

/// What a step of [`Fesd`](super::Fesd) tells.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a step without solution is reported here, and nowhere else"]
pub struct FesdReport {
    /// How it ended.
    pub status: FesdStatus,
    /// The switches in order; one at the very start of a step is among them where the step before, from which
    /// this one goes on, has ended in another set.
    pub switches: Vec<Switch>,
    /// The lengths of the elements \[s\].
    pub h_elements: Vec<f64>,
    /// Newton steps, of all solves; along the path of a homotopy too.
    pub iterations: usize,
    /// The errors of all conditions.
    pub residual: FesdResidual,
}
