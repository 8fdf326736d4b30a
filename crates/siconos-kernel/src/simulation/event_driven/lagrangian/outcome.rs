//! What the last event did.

use siconos_numerics::SolveInfo;

use super::super::outcome::{NOTHING_TO_SOLVE, OutcomeRef};
use crate::simulation::UnitaryRelation;

/// What an event did.
#[derive(Clone, Debug)]
pub(in super::super) struct Outcome {
    /// Unitary relations that impinged.
    pub(in super::super) impacts: Vec<UnitaryRelation>,
    /// These contacts as places in the table.
    pub(in super::super) impact_places: Vec<usize>,
    /// By unitary relation, whether it is among these, and the largest speed \[m/s\] at which it did.
    has_impinged: Vec<bool>,
    approach: Vec<f64>,
    /// Places of those that touched and lift off, by an impact of their own or of others.
    pub(in super::super) lifted_places: Vec<usize>,
    /// Those that left I_2.
    pub(in super::super) released: Vec<UnitaryRelation>,
    /// Those for which neither acceleration and force nor their derivatives decide.
    pub(in super::super) undetermined: Vec<UnitaryRelation>,
    /// I_2.
    pub(in super::super) closed: Vec<UnitaryRelation>,
    pub(in super::super) impact_solve: SolveInfo,
    pub(in super::super) acceleration_solve: SolveInfo,
}

impl Outcome {
    /// With room for so many contacts.
    pub(super) fn new(contacts: usize) -> Self {
        let room = || Vec::with_capacity(contacts);
        Self {
            impacts: room(),
            impact_places: Vec::with_capacity(contacts),
            has_impinged: vec![false; contacts],
            approach: vec![0.0; contacts],
            lifted_places: Vec::with_capacity(contacts),
            released: room(),
            undetermined: room(),
            closed: room(),
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
        }
    }
}

impl Outcome {
    /// Forgets the last event.
    pub(super) fn clear(&mut self) {
        self.impacts.clear();
        self.impact_places.clear();
        self.has_impinged.fill(false);
        self.approach.fill(0.0);
        self.lifted_places.clear();
        self.released.clear();
        self.undetermined.clear();
        self.impact_solve = NOTHING_TO_SOLVE;
        self.acceleration_solve = NOTHING_TO_SOLVE;
    }

    /// Notes that a unitary relation impinges at a speed \[m/s\]; at one event it counts once.
    pub(super) fn note_impact(&mut self, place: usize, name: UnitaryRelation, speed: f64) {
        self.approach[place] = self.approach[place].max(speed);
        if !std::mem::replace(&mut self.has_impinged[place], true) {
            self.impacts.push(name);
            self.impact_places.push(place);
        }
    }

    /// The largest speed \[m/s\] at which a contact impinged at this event, 0 where it did not.
    pub(in super::super) fn approach(&self, place: usize) -> f64 {
        self.approach[place]
    }

    /// The parts that a report shows.
    pub(in super::super) fn view(&self) -> OutcomeRef<'_> {
        OutcomeRef {
            impacts: &self.impacts,
            released: &self.released,
            undetermined: &self.undetermined,
            closed: &self.closed,
            jumped: false,
            impact_solve: self.impact_solve,
            acceleration_solve: self.acceleration_solve,
        }
    }
}
