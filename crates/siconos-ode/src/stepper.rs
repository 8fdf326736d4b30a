//! Interface between the integrator and a method. A stepper tries one step from a given state and provides
//! the dense output of the step.

use super::OdeError;
use super::right_hand_side::{NotFinite, RightHandSide};
use super::segment::Segment;

/// Result of a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trial {
    /// The step is accepted; `next` is the length proposed for the next step.
    Accepted { next: f64 },
    /// The step must be repeated with the length `next`.
    Rejected { next: f64 },
    /// f was not finite during the step.
    NotFinite(NotFinite),
}

/// Trial step, and the data known at its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    /// Step length, and time at the end of the step \[s\].
    pub(super) h: f64,
    pub(super) end: f64,
    pub(super) x: &'a [f64],
    pub(super) f: &'a [f64],
}

/// Storage for the results of an accepted step.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) x: &'a mut [f64],
    pub(super) f: &'a mut [f64],
    pub(super) segment: &'a mut Segment,
}

/// Integration method. Each step starts where the last accepted step ended, unless `restart` has been called
/// after that step.
pub(super) trait Stepper {
    /// Discards the history. The state has n components from then on.
    fn restart(&mut self, n: usize);

    /// Tries one step. The system is borrowed only for this call.
    fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        start: Start<'_>,
        target: Target<'_>,
    ) -> Result<Trial, OdeError>;
}
