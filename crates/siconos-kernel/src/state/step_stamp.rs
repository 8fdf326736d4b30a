//! Stamp of the step that produced a state.

use std::fmt;

use crate::model::next_stamp;

/// Stamp that identifies the simulation and the step that produced a state. The default value is used if
/// simulation and step are unknown, because the state was set by hand or read from a file. Two states with
/// equal known stamps are copies of each other.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StepStamp {
    simulation: u64,
    step: u64,
}

// The stamps differ between processes, so the debug output of a state must not contain them.
impl fmt::Debug for StepStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StepStamp")
    }
}

impl StepStamp {
    /// Returns the stamp before the first step of a new simulation.
    pub(crate) fn of_new_simulation() -> Self {
        Self { simulation: next_stamp(), step: 0 }
    }

    pub(crate) fn is_known(self) -> bool {
        self != Self::default()
    }

    /// Returns the stamp of the state after the next step.
    pub(crate) fn next(self) -> Self {
        Self { step: self.step + 1, ..self }
    }
}
