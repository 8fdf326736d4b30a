//! What a method is to the integrator: a stepper, that tries one step from a given point and leaves its dense
//! output.

use super::OdeError;
use super::right_hand_side::{NotFinite, RightHandSide};
use super::segment::Segment;

/// The outcome of a trial step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trial {
    /// The step stands; the next may have this length.
    Accepted { next: f64 },
    /// To be tried again with this length.
    Rejected { next: f64 },
    /// f was not finite somewhere in the step.
    NotFinite(NotFinite),
}

/// The step that is tried, and what is known at its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    /// Length of the step, and the time where it ends.
    pub(super) h: f64,
    pub(super) end: f64,
    pub(super) x: &'a [f64],
    pub(super) f: &'a [f64],
}

/// Where the result of an accepted step goes.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) x: &'a mut [f64],
    pub(super) f: &'a mut [f64],
    pub(super) segment: &'a mut Segment,
}

/// A method of integration. Successive accepted steps follow each other, unless `restart` is called in
/// between.
pub(super) trait Stepper {
    /// Forgets the past; the state has n components from here on.
    fn restart(&mut self, n: usize);

    /// Tries one step. The system is lent for this call only.
    fn step(
        &mut self,
        rhs: &mut RightHandSide<'_>,
        start: Start<'_>,
        target: Target<'_>,
    ) -> Result<Trial, OdeError>;
}
