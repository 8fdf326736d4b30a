//! Index sets at events, and the interface between the event driver and Lagrangian systems with contacts.

use super::super::modes::Dynamics;
use super::super::outcome::Outcome;
use super::super::problems::Problems;
use super::{Constraint, LagrangianModes, MotionPoint};
use crate::index::RowIndex;
use crate::model::Parameters;
use crate::nonsmooth_problem::{Tables, UnitaryIndex, UnitaryRelation};
use crate::simulation::SimulationError;
use crate::state::State;

/// Maximum drift of a closed contact, as a multiple of the gap tolerance. If the gap is larger, the position
/// or the constraint has been changed.
const LARGEST_DRIFT: f64 = 10.0;

impl Dynamics for LagrangianModes {
    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn problems(&mut self) -> &mut Problems {
        &mut self.problems
    }

    fn adapt_problems(&mut self) -> Result<(), SimulationError> {
        self.problems.adapt(&self.tables)
    }

    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn take_error(&mut self) -> Option<SimulationError> {
        self.error.take()
    }

    fn index_sets(&self) -> Vec<(UnitaryRelation, [bool; 2])> {
        let names = self.tables.unitary.iter().map(|unitary| self.tables.name(unitary));
        let sets = self.touching.iter().zip(self.closed.iter()).map(|(touches, lasts)| [*touches, *lasts]);
        names.zip(sets).collect()
    }

    /// Copies time, positions and velocities from the state, and reads which contacts are closed.
    fn read(&mut self, state: &State) {
        self.parameters.copy_from(&state.parameters);
        self.was_set = state.outputs_stale || state.parameters_set;
        self.point.t = state.t;
        self.point.q.copy_from_slice(&state.q);
        self.point.v.copy_from_slice(&state.v);
        // These forces are the initial guess of the solvers. Two runs from the same state therefore have
        // equal results.
        self.point.force.copy_from_slice(&state.lambda[2]);
        for (place, unitary) in self.tables.unitary.entries() {
            self.closed[place] =
                self.is_bilateral(place) || unitary.rows.range().all(|row| state.closed[row]);
        }
    }

    fn write(&mut self, state: &mut State) -> Result<(), SimulationError> {
        let point = &self.point;
        state.q.copy_from_slice(&point.q);
        state.v.copy_from_slice(&point.v);
        state.v_before.copy_from_slice(&point.v_before);
        state.acceleration.copy_from_slice(&point.acceleration);
        state.impulse.copy_from_slice(&point.impulse);
        for (target, source) in state.y.iter_mut().zip([&point.y, &point.y_dot, &point.y_ddot]) {
            target.copy_from_slice(source);
        }
        state.lambda[1].copy_from_slice(&point.percussion);
        state.lambda[2].copy_from_slice(&point.force);
        for (place, unitary) in self.tables.unitary.entries() {
            state.closed[unitary.rows.range()].fill(self.closed[place]);
        }
        Ok(())
    }

    fn set_parameters(&mut self, parameters: &Parameters) -> bool {
        if self.parameters.same(parameters) {
            return false;
        }
        self.parameters.copy_from(parameters);
        self.was_set = true;
        true
    }

    fn move_to(&mut self, t: f64, x: &[f64]) {
        self.point.move_to(t, x);
        self.space.restore(&mut self.point.q);
    }

    fn x_into(&self, x: &mut [f64]) {
        self.point.x_into(x);
    }

    fn remove_drift(&mut self) -> Result<(), SimulationError> {
        self.on_point(Self::project_point)
    }

    fn begin_event(&mut self) {
        self.outcome.clear();
        let point = &mut self.point;
        point.v_before.copy_from_slice(&point.v);
        point.percussion.fill(0.0);
        point.impulse.fill(0.0);
    }

    /// Evaluates gaps and gap velocities at the current time and state, and chooses I_1 and I_2. A contact
    /// belongs to I_1 if its gap is at most the tolerance, if it was closed, or if its guard has just fired.
    /// A contact of I_1 belongs to I_2 if the magnitude of its gap velocity is at most the tolerance.
    fn update_index_sets(&mut self, fired: &[usize], horizon: f64) -> Result<(), SimulationError> {
        self.horizon = horizon;
        self.on_point(|it, point| {
            let evaluated = it.evaluate_forces(point);
            it.evaluate_jacobians(point);
            it.evaluate_outputs(point);
            evaluated
        })?;
        self.check_outputs()?;
        let was_set = std::mem::take(&mut self.was_set);
        let tolerance = self.settings.gap_tolerance;
        for (place, unitary) in self.tables.unitary.entries() {
            let gap = self.point.y[unitary.rows.start().index()];
            let is_bilateral = self.is_bilateral(place);
            if was_set && gap.abs() > LARGEST_DRIFT * tolerance {
                self.closed[place] = is_bilateral;
            }
            let has_fired = fired.binary_search(&place.index()).is_ok();
            self.touching[place] = is_bilateral || self.closed[place] || gap <= tolerance || has_fired;
            if gap < -2.0 * tolerance && !self.closed[place] && !has_fired {
                let (relation, t) = (self.tables.name(unitary).relation, self.point.t);
                return Err(SimulationError::Penetration { relation, gap, t });
            }
        }
        self.update_lasting_contacts();
        Ok(())
    }

    /// Evaluates accelerations, forces and the second time derivatives of y at the current time and state.
    fn evaluate_point(&mut self) -> Result<(), SimulationError> {
        self.on_point(|it, point| {
            let evaluated = it.evaluate_motion(point).map(|()| it.evaluate_convective(point));
            it.write_forces(point);
            for row in it.tables.rows.places() {
                point.y_ddot[row.index()] =
                    it.row_product(row, &point.acceleration) + point.convective[row.index()];
            }
            evaluated
        })?;
        self.check_outputs()
    }

    fn needs_impact(&self) -> bool {
        let tolerance = self.settings.velocity_tolerance;
        self.tables.unitary.entries().any(|(place, unitary)| {
            let velocities = &self.point.y_dot[unitary.rows.range()];
            match self.constraints[place] {
                Constraint::Bilateral => velocities.iter().any(|v| v.abs() > tolerance),
                Constraint::Unilateral { .. } | Constraint::ByCompression(_) => {
                    self.touching[place] && velocities.iter().any(|v| *v < -tolerance)
                }
            }
        })
    }

    fn has_lasting_contacts(&self) -> bool {
        self.closed.contains(&true)
    }

    fn solve_impact(&mut self) -> Result<(), SimulationError> {
        self.impinge()
    }

    fn solve_acceleration(&mut self) -> Result<(), SimulationError> {
        self.outcome.acceleration_solve = self.on_point(Self::solve_acceleration_at)?;
        Ok(())
    }

    fn update_index_sets_with_double_condition(&mut self) -> Result<(), SimulationError> {
        self.apply_double_condition()
    }

    fn hold_closed_contacts(&mut self) -> Result<(), SimulationError> {
        self.hold()
    }

    /// Adds the contacts to I_2, and projects their gaps and gap velocities to zero.
    fn stick(&mut self, contacts: &[UnitaryIndex]) -> Result<(), SimulationError> {
        for &place in contacts {
            self.touching[place] = true;
            self.closed[place] = true;
        }
        self.hold()?;
        self.remove_drift()
    }
}

impl LagrangianModes {
    pub(super) fn is_bilateral(&self, place: UnitaryIndex) -> bool {
        self.constraints[place] == Constraint::Bilateral
    }

    /// Evaluates the forces of the held contacts, which are the initial guess of the problem at acceleration
    /// level. The forces at the last output point are not used, because the result would then depend on the
    /// output points.
    fn evaluate_forces(&mut self, point: &mut MotionPoint) -> Result<(), SimulationError> {
        // The held contacts can be open if positions or parameters were set.
        if self.was_set || self.held.members().is_empty() {
            return Ok(());
        }
        self.evaluate_motion(point)?;
        self.write_forces(point);
        Ok(())
    }

    /// Writes the last evaluated forces of the held contacts to the rows of these contacts.
    fn write_forces(&self, point: &mut MotionPoint) {
        point.force.fill(0.0);
        // The list of forces is empty after an error.
        for (at, force) in self.held.rows().iter().zip(&point.held_force) {
            point.force[at.index()] = *force;
        }
    }

    /// Returns an error if an output is not finite.
    fn check_outputs(&self) -> Result<(), SimulationError> {
        let MotionPoint { t, y, y_dot, y_ddot, .. } = &self.point;
        for (what, values) in [("y", y), ("y_dot", y_dot), ("y_ddot", y_ddot)] {
            let Some(row) = values.iter().position(|value| !value.is_finite()) else { continue };
            if let Some(error) = self.not_finite(what, values[row], RowIndex::new(row), *t) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns the error for an output that is not finite, with the name of its interaction.
    pub(super) fn not_finite(
        &self,
        what: &'static str,
        value: f64,
        row: RowIndex,
        t: f64,
    ) -> Option<SimulationError> {
        let entry =
            self.tables.interactions.iter().find(|entry| entry.rows.range().contains(&row.index()))?;
        let (relation, index) = (entry.id, entry.rows.index_of(row));
        Some(SimulationError::NotFiniteOutput { relation, what, index, value, step: 0, t })
    }

    /// Computes I_2 from I_1 and the gap velocities.
    pub(super) fn update_lasting_contacts(&mut self) {
        for (place, unitary) in self.tables.unitary.entries() {
            let velocity = self.point.y_dot[unitary.rows.start().index()];
            self.closed[place] = self.is_bilateral(place)
                || (self.touching[place] && velocity.abs() <= self.settings.velocity_tolerance);
        }
    }
}
