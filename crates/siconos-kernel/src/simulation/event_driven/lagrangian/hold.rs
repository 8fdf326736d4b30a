//! Which of the closed contacts the smooth dynamics holds, and where its guards begin.

use super::{Constraint, Independence, LagrangianModes};
use crate::error::SimulationError;

/// A held contact whose force is below this part of the tolerance begins in a band about zero.
const PART_OF_TOLERANCE: f64 = 1e-3;

impl LagrangianModes {
    /// Makes the closed contacts those that f holds: of contacts that carry the same load those with the
    /// largest forces.
    pub(in super::super) fn hold_closed_contacts(&mut self) -> Result<(), SimulationError> {
        self.outcome.closed.clear();
        let closed = &self.closed;
        let names = self.tables.unitary.iter().enumerate().filter(|(place, _)| closed[*place]);
        self.outcome.closed.extend(names.map(|(_, unitary)| unitary.name));
        self.held.set_members(&self.tables, (0..closed.len()).filter(|&place| closed[place]));
        self.is_factorised = false;
        if self.held.members().len() > 1 {
            self.drop_dependent_contacts();
        }
        self.held_place.fill(None);
        let mut k = 0;
        for &place in self.held.members() {
            self.held_place[place] = Some(k);
            k += self.tables.unitary[place].rows.len();
        }
        self.is_factorised = false;
        self.evaluate_point()?;
        self.kinematics.measure(&self.tables, &self.point.q);
        for place in 0..self.bands.len() {
            let row = self.tables.unitary[place].rows.start;
            self.bands[place] = match (self.constraints[place], self.held_place[place]) {
                (Constraint::Bilateral, _) => None,
                (_, Some(k)) => {
                    let band = PART_OF_TOLERANCE * self.tolerances.acceleration;
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
    pub(in super::super) fn gap_resolution(&self, place: usize) -> f64 {
        let unitary = &self.tables.unitary[place];
        let place = (unitary.interaction, unitary.rows.start);
        self.kinematics.gap_rounding(&self.tables, place, (self.point.t, &self.point.q))
    }

    /// The gap velocity of a contact at the work point \[m/s\].
    pub(in super::super) fn gap_velocity(&self, place: usize) -> f64 {
        self.point.y_dot[self.tables.unitary[place].rows.start]
    }

    /// Takes the dependent ones of the closed contacts out of the held ones.
    fn drop_dependent_contacts(&mut self) {
        self.gather_held_matrix();
        let mut work = std::mem::take(&mut self.independence);
        let Independence { rows, is_independent } = &mut work;
        rows.clear();
        for &place in self.held.members() {
            rows.extend(self.tables.unitary[place].rows.clone().map(|row| (place, row)));
        }
        let (constraints, forces) = (&self.constraints, &self.point.force);
        let rank = |k: usize| {
            let (place, row) = rows[k];
            match constraints[place] {
                Constraint::Bilateral => f64::INFINITY,
                Constraint::Unilateral { .. } => forces[row],
            }
        };
        self.held.independent(rank, is_independent);
        // Rows come in the order of their contacts.
        let holds = |place: usize| {
            let first = rows.partition_point(|&(other, _)| other < place);
            let mut own = rows[first..].iter().zip(&is_independent[first..]);
            constraints[place] == Constraint::Bilateral
                || own.by_ref().take_while(|((other, _), _)| *other == place).any(|(_, kept)| *kept)
        };
        self.held.keep(&self.tables, holds);
        self.independence = work;
    }
}
