//! The stamp of the step that left a state.

use std::fmt;

use crate::model::next_stamp;

/// Which step of which simulation left a state as it is; by default nobody can tell: it was set by hand, or
/// comes from a file. Of two states with the same origin one is a copy of the other.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StepStamp {
    simulation: u64,
    step: u64,
}

// It belongs to a process, and not to what a state is.
impl fmt::Debug for StepStamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StepStamp")
    }
}

impl StepStamp {
    /// Before the first step of a new simulation.
    pub(crate) fn of_new_simulation() -> Self {
        Self { simulation: next_stamp(), step: 0 }
    }

    pub(crate) fn is_known(self) -> bool {
        self != Self::default()
    }

    /// The origin of the state after the next step.
    pub(crate) fn next(self) -> Self {
        Self { step: self.step + 1, ..self }
    }
}
