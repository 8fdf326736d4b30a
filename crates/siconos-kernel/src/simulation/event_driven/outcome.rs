//! What an event did, whatever the kind of dynamics.

use siconos_numerics::SolveInfo;

use crate::index::Table;
use crate::nonsmooth_problem::{NOTHING_TO_SOLVE, UnitaryEntry, UnitaryPlace, UnitaryRelation};

/// What the last event did.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Unitary relations that impinged, and these as places in the table.
    pub(super) impacts: Vec<UnitaryRelation>,
    pub(super) impact_places: Vec<UnitaryPlace>,
    /// The largest speed \[m/s\] at which it did, 0 where it did not.
    pub(super) approach: Table<UnitaryEntry, f64>,
    /// Places of those that touched and lift off, by an impact of their own or of others; once these have
    /// been looked at, of those at which impacts accumulate.
    pub(super) lifted_places: Vec<UnitaryPlace>,
    /// Those at which impacts accumulate, and the estimated time.
    pub(super) accumulating: Vec<UnitaryRelation>,
    pub(super) accumulation: f64,
    /// Those that left I_2.
    pub(super) released: Vec<UnitaryRelation>,
    /// Those for which neither acceleration and force nor their derivatives decide.
    pub(super) undetermined: Vec<UnitaryRelation>,
    /// I_2.
    pub(super) closed: Vec<UnitaryRelation>,
    /// Whether the state of first-order systems has jumped.
    pub(super) jumped: bool,
    pub(super) impact_solve: SolveInfo,
    pub(super) acceleration_solve: SolveInfo,
}

impl Outcome {
    /// With room for so many unitary relations.
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

    /// Forgets the last event, but for I_2.
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

    /// Notes that a unitary relation impinges at a speed above 0 \[m/s\]; at one event it counts once.
    pub(super) fn note_impact(&mut self, place: UnitaryPlace, name: UnitaryRelation, speed: f64) {
        if self.approach[place] == 0.0 {
            self.impacts.push(name);
            self.impact_places.push(place);
        }
        self.approach[place] = self.approach[place].max(speed);
    }
}
