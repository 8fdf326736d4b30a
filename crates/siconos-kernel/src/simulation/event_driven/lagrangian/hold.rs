//! Choice of the closed contacts that are imposed as constraints on the smooth dynamics (held contacts), and
//! zero bands of the guards.

use super::super::modes::Dynamics;
use super::{Constraint, LagrangianModes};
use crate::nonsmooth_problem::UnitaryIndex;
use crate::simulation::SimulationError;

/// The guard of a held contact starts in a zero band if the acceleration that the contact force produces is
/// at most this fraction of the acceleration tolerance.
const PART_OF_TOLERANCE: f64 = 1e-3;

impl LagrangianModes {
    /// Imposes the closed contacts as constraints on the smooth dynamics. If contacts are linearly dependent
    /// because they share a load, only an independent subset with the largest forces is imposed.
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
                    let acceleration = PART_OF_TOLERANCE * self.settings.acceleration_tolerance;
                    let band = acceleration / self.own_response(place);
                    (self.point.held_force[k] <= band).then_some(band)
                }
                (_, None) => {
                    // The gap of a contact that has just opened is a rounding error. Keep the band as narrow
                    // as possible: a body that bounces within the band falls to the lower end of the band and
                    // thereby gains energy.
                    let (gap, rounding) = (self.point.y[row], self.gap_resolution(place));
                    (gap <= rounding).then_some(gap.abs() + rounding)
                }
            };
        }
        Ok(())
    }

    /// Returns the rounding error \[m\] of the gap of a contact. A bounce that is not higher than this value
    /// cannot be distinguished from rest.
    pub(in super::super) fn gap_resolution(&self, place: UnitaryIndex) -> f64 {
        let row = self.tables.unitary[place].first_row();
        self.kinematics.gap_rounding(&self.tables, row, self.point.t, &self.point.q)
    }

    /// Returns the gap velocity \[m/s\] of a contact at the current time and state.
    pub(in super::super) fn gap_velocity(&self, place: UnitaryIndex) -> f64 {
        self.point.y_dot[self.tables.unitary[place].rows.start().index()]
    }
}
