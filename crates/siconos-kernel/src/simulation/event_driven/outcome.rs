//! Outcome of an event, for all kinds of dynamics.

use siconos_numerics::SolveInfo;

use crate::index::Table;
use crate::nonsmooth_problem::{NOTHING_TO_SOLVE, UnitaryEntry, UnitaryIndex, UnitaryRelation};

/// Outcome of the last event.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Unitary relations that had an impact.
    pub(super) impacts: Vec<UnitaryRelation>,
    /// Table indices of the relations that had an impact.
    pub(super) impact_places: Vec<UnitaryIndex>,
    /// Largest approach speed \[m/s\] of each relation; 0 if the relation had no impact.
    pub(super) approach: Table<UnitaryEntry, f64>,
    /// Relations that touched and open because of an impact at the same contact or at another contact.
    /// After the search for accumulations, only the relations at which impacts accumulate.
    pub(super) lifted_places: Vec<UnitaryIndex>,
    /// Relations at which impacts accumulate.
    pub(super) accumulating: Vec<UnitaryRelation>,
    /// Estimated time of the accumulation.
    pub(super) accumulation: f64,
    /// Relations that were removed from I_2.
    pub(super) released: Vec<UnitaryRelation>,
    /// Relations that stay in I_2 although their accelerations and forces, and the derivatives of both, are
    /// zero.
    pub(super) undetermined: Vec<UnitaryRelation>,
    /// Relations in I_2 after the event.
    pub(super) closed: Vec<UnitaryRelation>,
    /// `true` if the state of first-order systems has jumped.
    pub(super) jumped: bool,
    pub(super) impact_solve: SolveInfo,
    pub(super) acceleration_solve: SolveInfo,
}

impl Outcome {
    /// Creates an empty outcome with capacity for `count` unitary relations.
    pub(super) fn new(count: usize) -> Self {
        let room = || Vec::with_capacity(count);
        Self {
            impacts: room(),
            impact_places: Vec::with_capacity(count),
            approach: (0..count).map(|_| 0.0).collect(),
            lifted_places: Vec::with_capacity(count),
            accumulating: room(),
            accumulation: f64::INFINITY,
            released: room(),
            undetermined: room(),
            closed: room(),
            jumped: false,
            impact_solve: NOTHING_TO_SOLVE,
            acceleration_solve: NOTHING_TO_SOLVE,
        }
    }

    /// Clears the data of the last event, except I_2.
    pub(super) fn clear(&mut self) {
        for names in [&mut self.impacts, &mut self.accumulating, &mut self.released, &mut self.undetermined] {
            names.clear();
        }
        for places in [&mut self.impact_places, &mut self.lifted_places] {
            places.clear();
        }
        self.approach.fill(0.0);
        (self.accumulation, self.jumped) = (f64::INFINITY, false);
        (self.impact_solve, self.acceleration_solve) = (NOTHING_TO_SOLVE, NOTHING_TO_SOLVE);
    }

    /// Records an impact of a unitary relation. The approach speed \[m/s\] must be positive. A relation is
    /// listed once per event.
    pub(super) fn note_impact(&mut self, place: UnitaryIndex, name: UnitaryRelation, speed: f64) {
        if self.approach[place] == 0.0 {
            self.impacts.push(name);
            self.impact_places.push(place);
        }
        self.approach[place] = self.approach[place].max(speed);
    }
}
