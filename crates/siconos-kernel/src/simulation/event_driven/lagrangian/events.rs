//! What is done at events: index sets, the problem at acceleration level, the double condition.

use siconos_numerics::SolveInfo;

use super::super::OneStepProblem;
use super::{Constraint, LagrangianModes, Point};
use crate::error::SimulationError;
use crate::model::At;
use crate::nonsmooth_problem::Coefficients;
use crate::simulation::Threads;

/// A gap above so many tolerances at a closed contact is no drift: the position or the constraint was moved.
const LARGEST_DRIFT: f64 = 10.0;

impl LagrangianModes {
    /// Forgets what the last event did: the work point has come to the next.
    pub(in super::super) fn begin_event(&mut self) {
        self.outcome.clear();
        let point = &mut self.point;
        point.v_before.copy_from_slice(&point.v);
        point.percussion.fill(0.0);
        point.impulse.fill(0.0);
    }

    /// Evaluates gaps and gap velocities at the work point, and chooses I_1 and I_2: contacts touch whose gap
    /// is at most the tolerance, that have been closed, or whose gap has just fired; those last whose gap
    /// velocity is at most the tolerance. `fired` is in increasing order. At the horizon \[s\] functions of
    /// the model may next have a kink or a jump; it is infinite if they have none.
    pub(in super::super) fn update_index_sets(
        &mut self,
        fired: &[usize],
        horizon: f64,
    ) -> Result<(), SimulationError> {
        self.horizon = horizon;
        let mut point = std::mem::take(&mut self.point);
        let evaluated = self.evaluate_forces(&mut point);
        self.evaluate_jacobians(&point);
        self.evaluate_outputs(&mut point);
        self.point = point;
        evaluated?;
        self.check_outputs()?;
        let was_set = std::mem::take(&mut self.was_set);
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            let row = unitary.rows.start;
            let is_bilateral = self.constraints[place] == Constraint::Bilateral;
            if was_set && self.point.y[row].abs() > LARGEST_DRIFT * self.tolerances.gap {
                self.closed[place] = is_bilateral;
            }
            let has_fired = fired.binary_search(&place).is_ok();
            self.touching[place] =
                is_bilateral || self.closed[place] || self.point.y[row] <= self.tolerances.gap || has_fired;
            if self.point.y[row] < -2.0 * self.tolerances.gap && !self.closed[place] && !has_fired {
                let (gap, t) = (self.point.y[row], self.point.t);
                return Err(SimulationError::Penetration { interaction: unitary.name.interaction, gap, t });
            }
        }
        self.update_lasting_contacts();
        Ok(())
    }

    /// The forces of the contacts that have been held up to here, from which the problem at acceleration
    /// level begins: those of the last point of output would be others with other output.
    fn evaluate_forces(&mut self, point: &mut Point) -> Result<(), SimulationError> {
        // A position that was set has nothing to do with what was held.
        if self.was_set || self.held.members().is_empty() {
            return Ok(());
        }
        self.evaluate_free(point)?;
        self.evaluate_held(point)?;
        self.write_forces(point);
        Ok(())
    }

    /// Writes the forces of the held contacts, as they were evaluated last, to their rows.
    fn write_forces(&self, point: &mut Point) {
        point.force.fill(0.0);
        // After an error there are none.
        for ((_, row), force) in self.held_rows().zip(&point.held_force) {
            point.force[row] = *force;
        }
    }

    /// Refuses outputs that are not finite.
    fn check_outputs(&self) -> Result<(), SimulationError> {
        let Point { t, y, y_dot, y_ddot, .. } = &self.point;
        for (what, values) in [("y", y), ("y_dot", y_dot), ("y_ddot", y_ddot)] {
            let Some(row) = values.iter().position(|value| !value.is_finite()) else { continue };
            let Some(unitary) = self.tables.unitary.iter().find(|unitary| unitary.rows.contains(&row)) else {
                continue;
            };
            let (interaction, value, t) = (unitary.name.interaction, values[row], *t);
            let index = row - self.tables.interactions[unitary.interaction].rows.start;
            return Err(SimulationError::NotFiniteOutput { interaction, what, index, value, step: 0, t });
        }
        Ok(())
    }

    /// I_2 from I_1 and the gap velocities.
    pub(super) fn update_lasting_contacts(&mut self) {
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            self.closed[place] = self.constraints[place] == Constraint::Bilateral
                || (self.touching[place]
                    && self.point.y_dot[unitary.rows.start].abs() <= self.tolerances.velocity);
        }
    }

    /// Whether I_1 - I_2 holds a contact that closes.
    pub(in super::super) fn needs_impact(&self) -> bool {
        self.tables.unitary.iter().enumerate().any(|(place, unitary)| {
            let velocities = &self.point.y_dot[unitary.rows.clone()];
            match self.constraints[place] {
                Constraint::Bilateral => velocities.iter().any(|v| v.abs() > self.tolerances.velocity),
                Constraint::Unilateral { .. } => {
                    self.touching[place] && velocities.iter().any(|v| *v < -self.tolerances.velocity)
                }
            }
        })
    }

    /// Whether I_2 holds anything.
    pub(in super::super) fn has_lasting_contacts(&self) -> bool {
        self.closed.contains(&true)
    }

    /// The problem at acceleration level over I_2: $0 \le \ddot y \perp \lambda \ge 0$ with
    /// $\ddot y = J M^{-1} J^T \lambda + J M^{-1} F + \dot J v$.
    pub(in super::super) fn solve_acceleration(&mut self) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let solved = self.solve_acceleration_at(&mut point);
        self.point = point;
        self.outcome.acceleration_solve = solved?;
        Ok(())
    }

    /// Writes force, y_ddot and acceleration of a point.
    pub(super) fn solve_acceleration_at(&mut self, point: &mut Point) -> Result<SolveInfo, SimulationError> {
        self.evaluate_free(point)?;
        self.evaluate_jacobians(point);
        self.evaluate_convective(point);
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend((0..self.closed.len()).filter(|&place| self.closed[place]));
        self.begin_problem(OneStepProblem::Acceleration, &members);
        for &place in &members {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                let free = self.row_product((unitary.interaction, row), &point.free_acceleration);
                self.problems.acceleration.q[row] = free + point.convective[row];
                self.problems.acceleration.z[row] = point.force[row];
            }
        }
        let solved = self.solve_problem(OneStepProblem::Acceleration, point.t);
        point.force.fill(0.0);
        point.acceleration.copy_from_slice(&point.free_acceleration);
        for &place in &members {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                point.force[row] = self.problems.acceleration.z[row];
                point.y_ddot[row] = self.problems.acceleration.w[row];
                self.add_response((unitary.interaction, row), point.force[row], &mut point.acceleration);
            }
        }
        self.members = members;
        solved
    }

    pub(super) fn begin_problem(&mut self, which: OneStepProblem, members: &[usize]) {
        let Self { tables, kinematics, delassus, masses, problems, .. } = self;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        let problem = problems.of(which);
        problem.set_members(tables, members);
        problem.assemble(tables, delassus, (&mut masses[..], coefficients), 1.0, |_| false);
    }

    pub(super) fn solve_problem(
        &mut self,
        which: OneStepProblem,
        t: f64,
    ) -> Result<SolveInfo, SimulationError> {
        let at = At::new(t, &self.parameters);
        let problem = self.problems.of(which);
        let described = problem.describe_laws(&self.tables, (at, at, 1.0));
        described.map_err(|(interaction, source)| SimulationError::Bounds {
            interaction,
            step: 0,
            t,
            source,
        })?;
        let info = problem
            .solve(&Threads::default(), |_| false)
            .map_err(|source| SimulationError::OneStepProblem { step: 0, t, source })?;
        if info.status.is_success() {
            return Ok(info);
        }
        let SolveInfo { status, iterations, error } = info;
        Err(SimulationError::NotConverged { step: 0, t, status, iterations, error })
    }

    /// Evaluates accelerations, forces and the second derivatives of y at the work point.
    pub(in super::super) fn evaluate_point(&mut self) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let evaluated = self.evaluate_free(&mut point).and_then(|()| {
            self.evaluate_held(&mut point)?;
            self.evaluate_convective(&mut point);
            Ok(())
        });
        self.write_forces(&mut point);
        for (place, entry) in self.tables.interactions.iter().enumerate() {
            for row in entry.rows.clone() {
                point.y_ddot[row] =
                    self.row_product((place, row), &point.acceleration) + point.convective[row];
            }
        }
        self.point = point;
        evaluated?;
        self.check_outputs()
    }

    /// Closes a contact where impacts accumulate: it belongs to I_2, and its gap and gap velocity are
    /// projected to zero.
    pub(in super::super) fn stick(&mut self, contacts: &[usize]) -> Result<(), SimulationError> {
        for &place in contacts {
            self.touching[place] = true;
            self.closed[place] = true;
        }
        self.hold_closed_contacts()?;
        self.project()?;
        Ok(())
    }
}
