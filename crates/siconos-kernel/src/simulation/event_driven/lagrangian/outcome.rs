//! What the last event did.

use siconos_numerics::{SolveInfo, Status};

use super::super::modes::OutcomeRef;
use crate::simulation::UnitaryRelation;

/// What an event did.
#[derive(Clone, Debug)]
pub(in super::super) struct Outcome {
    /// Unitary relations that impinged.
    pub(in super::super) impacts: Vec<UnitaryRelation>,
    /// The same as places in the table.
    pub(in super::super) impact_places: Vec<usize>,
    /// Those that left I_2.
    pub(in super::super) released: Vec<UnitaryRelation>,
    /// Those for which neither acceleration and force nor their derivatives decide.
    pub(in super::super) undetermined: Vec<UnitaryRelation>,
    /// I_2.
    pub(in super::super) closed: Vec<UnitaryRelation>,
    pub(in super::super) impact_solve: SolveInfo,
    pub(in super::super) acceleration_solve: SolveInfo,
}

/// What a solver tells of a problem without unknowns.
pub(in super::super) const NOTHING_TO_SOLVE: SolveInfo =
    SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };

impl Outcome {
    /// With room for so many contacts.
    pub(super) fn new(contacts: usize) -> Self {
        let room = || Vec::with_capacity(contacts);
        Self {
            impacts: room(),
            impact_places: Vec::with_capacity(contacts),
            released: room(),
            undetermined: room(),
            closed: room(),
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
        }
    }
}

impl Outcome {
    /// The parts that a report shows.
    pub(in super::super) fn view(&self) -> OutcomeRef<'_> {
        OutcomeRef {
            impacts: &self.impacts,
            released: &self.released,
            undetermined: &self.undetermined,
            closed: &self.closed,
            impact_solve: self.impact_solve,
            acceleration_solve: self.acceleration_solve,
        }
    }
}
