//! What is done at events: index sets, the problem at acceleration level, the double condition.

use siconos_numerics::SolveInfo;

use super::{Constraint, LagrangianModes, NOTHING_TO_SOLVE, Point};
use crate::error::SimulationError;
use crate::model::{At, NonSmoothDynamicalSystem};

/// How far ahead the next derivative is looked for, as a part of the distance of points of output.
const LOOK_AHEAD: f64 = 1e-3;

/// A gap above so many tolerances at a closed contact is no drift: the position or the constraint was moved.
const LARGEST_DRIFT: f64 = 10.0;

impl LagrangianModes {
    /// Forgets what the last event did: the work point has come to the next.
    pub(in super::super) fn begin_event(&mut self) {
        let (outcome, point) = (&mut self.outcome, &mut self.point);
        outcome.impacts.clear();
        outcome.impact_places.clear();
        outcome.released.clear();
        outcome.undetermined.clear();
        outcome.impact_solve = NOTHING_TO_SOLVE;
        outcome.acceleration_solve = NOTHING_TO_SOLVE;
        point.v_before.copy_from_slice(&point.v);
        point.percussion.fill(0.0);
        point.impulse.fill(0.0);
    }

    /// Evaluates gaps and gap velocities at the work point, and chooses I_1 and I_2: contacts touch whose gap is at most the
    /// tolerance, that have been closed, or whose gap has just fired; those last whose gap velocity is at most the tolerance.
    pub(in super::super) fn update_index_sets(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        fired: &[usize],
    ) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let evaluated =
            self.evaluate_jacobians(model, &point).and_then(|()| self.evaluate_outputs(model, &mut point));
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
            let has_fired = fired.contains(&place);
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
    pub(in super::super) fn solve_acceleration(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let solved = self.solve_acceleration_at(model, &mut point);
        self.point = point;
        self.outcome.acceleration_solve = solved?;
        Ok(())
    }

    /// Writes force, y_ddot and acceleration of a point.
    fn solve_acceleration_at(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        point: &mut Point,
    ) -> Result<SolveInfo, SimulationError> {
        self.evaluate_free(model, point)?;
        self.evaluate_jacobians(model, point)?;
        self.evaluate_convective(model, point)?;
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend((0..self.closed.len()).filter(|&place| self.closed[place]));
        self.begin_problem(&members);
        let mut k = 0;
        for &place in &members {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                self.problem.q[k] = self.row_product(unitary.interaction, row, &point.free_acceleration)
                    + point.convective[row];
                self.problem.z[k] = point.force[row];
                k += 1;
            }
        }
        let solved = self.solve_problem(point.t, &members);
        point.force.fill(0.0);
        point.acceleration.copy_from_slice(&point.free_acceleration);
        let mut k = 0;
        for &place in &members {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                point.force[row] = self.problem.z[k];
                point.y_ddot[row] = self.problem.w[k];
                self.add_response(unitary.interaction, row, point.force[row], &mut point.acceleration);
                k += 1;
            }
        }
        self.members = members;
        solved
    }

    pub(super) fn begin_problem(&mut self, members: &[usize]) {
        self.compute_delassus(members);
        self.problem.set_members(&self.tables, members);
        self.problem.assemble(&self.tables, &self.delassus, members);
    }

    pub(super) fn solve_problem(&mut self, t: f64, members: &[usize]) -> Result<SolveInfo, SimulationError> {
        let at = At::new(t, &self.parameters);
        let described = self.problem.describe_laws(&self.tables, members, (at, at, 1.0));
        described.map_err(|(interaction, source)| SimulationError::Bounds {
            interaction,
            step: 0,
            t,
            source,
        })?;
        let info =
            self.problem.solve().map_err(|source| SimulationError::OneStepProblem { step: 0, t, source })?;
        if info.status.is_success() {
            return Ok(info);
        }
        let SolveInfo { status, iterations, error } = info;
        Err(SimulationError::NotConverged { step: 0, t, status, iterations, error })
    }

    /// The double condition on I_2 after the problem at acceleration level: a contact whose acceleration is positive leaves I_2
    /// and I_1, one with a force stays. Where both are zero the next derivative decides: the problem at acceleration level a
    /// moment later on the motion as it is. Where that says nothing either, the contact stays and is reported.
    pub(in super::super) fn update_index_sets_with_double_condition(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let mut is_undetermined = false;
        for place in 0..self.constraints.len() {
            if !self.closed[place] || self.constraints[place] == Constraint::Bilateral {
                continue;
            }
            let row = self.tables.unitary[place].rows.start;
            match self.verdict(&self.point, place, row, self.tolerances.acceleration) {
                Verdict::Opens => self.open(place),
                Verdict::Stays => {}
                Verdict::Undetermined => is_undetermined = true,
            }
        }
        if is_undetermined {
            self.look_ahead(model)?;
        }
        self.hold_closed_contacts(model)
    }

    fn open(&mut self, place: usize) {
        self.closed[place] = false;
        self.touching[place] = false;
        let name = self.name(place);
        self.outcome.released.push(name);
    }

    /// Compares the acceleration of a contact with that which its force makes.
    fn verdict(&self, point: &Point, place: usize, row: usize, tolerance: f64) -> Verdict {
        let own = self.delassus.couplings(place).find(|&(partner, _)| partner == place);
        let response = own.map_or(1.0, |(_, block)| block[0]);
        let (opening, pressing) = (point.y_ddot[row], response * point.force[row]);
        if opening > tolerance && opening > pressing {
            Verdict::Opens
        } else if pressing > tolerance {
            Verdict::Stays
        } else {
            Verdict::Undetermined
        }
    }

    /// Decides on the contacts with neither acceleration nor force by those a moment later.
    fn look_ahead(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        let delta = LOOK_AHEAD * self.kinematics.step_length;
        // The trial point of f is free between events.
        let mut ahead = std::mem::take(&mut self.trial);
        ahead.copy_from(&self.point);
        ahead.t += delta;
        for ((q, v), a) in ahead.q.iter_mut().zip(&mut ahead.v).zip(&self.point.acceleration) {
            *q += delta * (*v + 0.5 * delta * a);
            *v += delta * a;
        }
        let solved = self.solve_acceleration_at(model, &mut ahead);
        let solved = solved.map(|_| self.decide_by(&ahead));
        self.trial = ahead;
        solved?;
        // The evaluations ahead have left their Jacobians.
        let point = std::mem::take(&mut self.point);
        let evaluated = self
            .factor_masses(model, point.t, &point.q)
            .and_then(|()| self.evaluate_jacobians(model, &point));
        self.point = point;
        evaluated
    }

    /// Applies the double condition at a point ahead to the contacts that are undetermined now.
    fn decide_by(&mut self, ahead: &Point) {
        // What grows from zero within so short a time is small: rounding is the limit here.
        let scale = self.point.free_acceleration.iter().fold(0.0_f64, |largest, a| largest.max(a.abs()));
        let tolerance = (1e-13 * scale).max(f64::MIN_POSITIVE);
        for place in 0..self.constraints.len() {
            if !self.closed[place] || self.constraints[place] == Constraint::Bilateral {
                continue;
            }
            let row = self.tables.unitary[place].rows.start;
            let now = self.verdict(&self.point, place, row, self.tolerances.acceleration);
            if now != Verdict::Undetermined {
                continue;
            }
            match self.verdict(ahead, place, row, tolerance) {
                Verdict::Opens => self.open(place),
                Verdict::Stays => {}
                Verdict::Undetermined => {
                    let name = self.name(place);
                    self.outcome.undetermined.push(name);
                }
            }
        }
    }

    /// Evaluates accelerations, forces and the second derivatives of y at the work point.
    pub(in super::super) fn evaluate_point(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let mut point = std::mem::take(&mut self.point);
        let evaluated = self.evaluate_free(model, &mut point).and_then(|()| {
            self.evaluate_held(model, &mut point)?;
            self.evaluate_convective(model, &mut point)
        });
        point.force.fill(0.0);
        // After an error there are none.
        for ((_, row), force) in self.held_rows().zip(&point.held_force) {
            point.force[row] = *force;
        }
        for (place, entry) in self.tables.interactions.iter().enumerate() {
            for row in entry.rows.clone() {
                point.y_ddot[row] = self.row_product(place, row, &point.acceleration) + point.convective[row];
            }
        }
        self.point = point;
        evaluated?;
        self.check_outputs()
    }

    /// Closes a contact where impacts accumulate: it belongs to I_2, and its gap and gap velocity are projected to zero.
    pub(in super::super) fn stick(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        contacts: &[usize],
    ) -> Result<(), SimulationError> {
        for &place in contacts {
            self.touching[place] = true;
            self.closed[place] = true;
        }
        self.hold_closed_contacts(model)?;
        self.project(model)?;
        Ok(())
    }
}

/// What acceleration and force say of a contact of I_2.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Opens,
    Stays,
    Undetermined,
}
