//! Which of the closed contacts the smooth dynamics holds, and where its guards begin.

use super::super::modes::Dynamics;
use super::{Constraint, LagrangianModes};
use crate::nonsmooth_problem::UnitaryPlace;
use crate::simulation::SimulationError;

/// A held contact whose force is below this part of the tolerance begins in a band about zero.
const PART_OF_TOLERANCE: f64 = 1e-3;

impl LagrangianModes {
    /// Makes the closed contacts those that f holds: of contacts that carry the same load those with the
    /// largest forces.
    pub(super) fn hold(&mut self) -> Result<(), SimulationError> {
        self.outcome.closed.clear();
        let Self { tables, closed, .. } = self;
        let places = || closed.places().filter(|&place| closed[place]);
        self.outcome.closed.extend(places().map(|place| tables.name(&tables.unitary[place])));
        self.held.set_members(tables, places());
        self.is_factorised = false;
        if self.held.members().len() > 1 {
            self.gather_held_matrix();
            let (constraints, forces) = (&self.constraints, &self.point.force);
            self.held.keep_independent(&self.tables, |place, row| match constraints[place] {
                Constraint::Bilateral => f64::INFINITY,
                Constraint::Unilateral { .. } | Constraint::ByCompression(_) => forces[row.index()],
            });
        }
        self.evaluate_point()?;
        self.kinematics.measure(&self.tables, &self.point.q);
        for place in self.bands.places() {
            let row = self.tables.unitary[place].rows.start().index();
            self.bands[place] = match (self.constraints[place], self.held.first_row(place)) {
                (Constraint::Bilateral, _) => None,
                (_, Some(k)) => {
                    let band = PART_OF_TOLERANCE * self.settings.acceleration_tolerance;
                    (self.point.held_force[k] <= band).then_some(band)
                }
                (_, None) => {
                    // A contact that has just opened is at a gap of rounding errors. The band is no wider
                    // than need be: a bounce within it falls through to its other end, and so gains energy.
                    let (gap, rounding) = (self.point.y[row], self.gap_resolution(place));
                    (gap <= rounding).then_some(gap.abs() + rounding)
                }
            };
        }
        Ok(())
    }

    /// The rounding of the gap of a contact \[m\]: a bounce that is not higher cannot be told from rest.
    pub(in super::super) fn gap_resolution(&self, place: UnitaryPlace) -> f64 {
        let row = self.tables.unitary[place].first_row();
        self.kinematics.gap_rounding(&self.tables, row, self.point.t, &self.point.q)
    }

    /// The gap velocity of a contact at the work point \[m/s\].
    pub(in super::super) fn gap_velocity(&self, place: UnitaryPlace) -> f64 {
        self.point.y_dot[self.tables.unitary[place].rows.start().index()]
    }
}
