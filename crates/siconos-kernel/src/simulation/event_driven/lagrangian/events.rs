//! What is done at events: index sets, the problem at velocity level, the problem at acceleration level.

use siconos_numerics::SolveInfo;
use siconos_numerics::linalg::add_scaled;

use super::{Constraint, Independence, LagrangianModes, NOTHING_TO_SOLVE, Point};
use crate::error::SimulationError;
use crate::model::NonSmoothDynamicalSystem;

/// How far ahead the next derivative is looked for, as a part of the distance of points of output.
const LOOK_AHEAD: f64 = 1e-3;

/// A held contact whose force is below this part of the tolerance begins in a band about zero.
const PART_OF_TOLERANCE: f64 = 1e-3;

/// So many units in the last place of the terms that make up a gap are its rounding.
const ROUNDINGS: f64 = 16.0;

/// So many impacts one after the other at one time are an accumulation.
const MOST_IMPACTS_AT_ONCE: usize = 200;

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
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            let row = unitary.rows.start;
            let is_bilateral = self.constraints[place] == Constraint::Bilateral;
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
    fn update_lasting_contacts(&mut self) {
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

    /// The problem at velocity level over I_1: $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ with
    /// $\dot y^+ = J M^{-1} J^T \lambda + \dot y^-$; then the velocities after the impact, and I_1 and I_2 from them.
    ///
    /// A contact that touches while it opens takes no part: it opens, as it would have a moment before. Where the
    /// impact makes it close it has one of its own after that, at the same time. So each impact is over contacts with
    /// $\dot y^- \le 0$, and with equal restitution none of them gains energy; a common law over contacts that close and
    /// others that open would. Contacts that hit each other again and again at one time accumulate there: after so many
    /// impacts what is left of their velocities is taken out by a plastic one.
    pub(in super::super) fn solve_impact(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let mut round = 0;
        while self.needs_impact() && round <= MOST_IMPACTS_AT_ONCE {
            let is_plastic = round == MOST_IMPACTS_AT_ONCE;
            let mut point = std::mem::take(&mut self.point);
            let solved = self.solve_impact_at(model, &mut point, is_plastic);
            self.point = point;
            self.outcome.impact_solve = solved?;
            round += 1;
        }
        // What opens now leaves I_1 as well: I_1 - I_2 is empty after an impact.
        self.update_lasting_contacts();
        self.touching.copy_from_slice(&self.closed);
        Ok(())
    }

    fn solve_impact_at(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        point: &mut Point,
        is_plastic: bool,
    ) -> Result<SolveInfo, SimulationError> {
        self.factor_masses(model, point.t, &point.q)?;
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        for (place, unitary) in self.tables.unitary.iter().enumerate() {
            let opens = self.constraints[place] != Constraint::Bilateral
                && point.y_dot[unitary.rows.start] > self.tolerances.velocity;
            if self.touching[place] && (is_plastic || !opens) {
                members.push(place);
            }
        }
        self.begin_problem(&members);
        let mut k = 0;
        for &place in &members {
            for row in self.tables.unitary[place].rows.clone() {
                let before = point.y_dot[row];
                self.problem.q[k] = match self.constraints[place] {
                    Constraint::Unilateral { restitution } if !is_plastic => before + restitution * before,
                    _ => before,
                };
                self.problem.z[k] = 0.0;
                k += 1;
            }
        }
        let solved = self.solve_problem(point.t, &members);
        let mut k = 0;
        for &place in &members {
            let unitary = &self.tables.unitary[place];
            for row in unitary.rows.clone() {
                let percussion = self.problem.z[k];
                k += 1;
                point.percussion[row] += percussion;
                self.add_response(unitary.interaction, row, percussion, &mut point.v);
                let j = self.kinematics.row(&self.tables, unitary.interaction, row);
                for leg in self.tables.legs_of(unitary.interaction) {
                    add_scaled(percussion, &j[leg.columns.clone()], &mut point.impulse[leg.dofs.clone()]);
                }
                let closes = point.y_dot[row] < -self.tolerances.velocity;
                let is_new = !self.outcome.impact_places.contains(&place);
                if closes && is_new && self.constraints[place] != Constraint::Bilateral {
                    self.outcome.impacts.push(unitary.name);
                    self.outcome.impact_places.push(place);
                }
            }
        }
        self.members = members;
        self.evaluate_outputs(model, point)?;
        solved
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

    fn begin_problem(&mut self, members: &[usize]) {
        self.compute_delassus(members);
        self.problem.set_members(&self.tables, members);
        self.problem.assemble(&self.tables, &self.delassus, members);
    }

    fn solve_problem(&mut self, t: f64, members: &[usize]) -> Result<SolveInfo, SimulationError> {
        let described = self.problem.describe_laws(&self.tables, members, (t, t, 1.0));
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

    /// Makes the closed contacts those that f holds: of contacts that carry the same load those with the largest forces.
    pub(in super::super) fn hold_closed_contacts(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
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
        self.evaluate_point(model)?;
        for place in 0..self.bands.len() {
            let row = self.tables.unitary[place].rows.start;
            self.bands[place] = match (self.constraints[place], self.held_place[place]) {
                (Constraint::Bilateral, _) => None,
                (_, Some(k)) => {
                    let band = PART_OF_TOLERANCE * self.tolerances.acceleration;
                    (self.point.held_force[k] <= band).then_some(band)
                }
                (_, None) => {
                    // A contact that has just opened is at a gap of rounding errors. The band is no wider than need be: a
                    // bounce within it falls through to its other end, and so gains energy.
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
        let row = unitary.rows.start;
        let j = self.kinematics.row(&self.tables, unitary.interaction, row);
        let mut size = self.kinematics.time_derivative[row].abs() * self.point.t.abs();
        for leg in self.tables.legs_of(unitary.interaction) {
            let terms = j[leg.columns.clone()].iter().zip(&self.point.q[leg.positions.clone()]);
            size += terms.map(|(j, q)| (j * q).abs()).sum::<f64>();
        }
        (ROUNDINGS * f64::EPSILON * size).max(f64::MIN_POSITIVE)
    }

    /// The gap velocity of a contact at the work point \[m/s\].
    pub(in super::super) fn gap_velocity(&self, place: usize) -> f64 {
        self.point.y_dot[self.tables.unitary[place].rows.start]
    }

    /// Takes the dependent ones of the closed contacts out of the held ones.
    fn drop_dependent_contacts(&mut self) {
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend_from_slice(self.held.members());
        self.compute_delassus(&members);
        self.held.gather(&self.tables, &self.delassus);
        let mut work = std::mem::take(&mut self.independence);
        let Independence { rows, order, is_independent } = &mut work;
        rows.clear();
        for &place in &members {
            rows.extend(self.tables.unitary[place].rows.clone().map(|row| (place, row)));
        }
        order.clear();
        order.extend(0..rows.len());
        let rank = |k: usize| {
            let (place, row) = rows[k];
            match self.constraints[place] {
                Constraint::Bilateral => f64::INFINITY,
                Constraint::Unilateral { .. } => self.point.force[row],
            }
        };
        order.sort_unstable_by(|&a, &b| rank(b).total_cmp(&rank(a)).then(a.cmp(&b)));
        self.held.independent(order, is_independent);
        let constraints = &self.constraints;
        self.held.keep(&self.tables, |place| {
            constraints[place] == Constraint::Bilateral
                || rows.iter().zip(&*is_independent).any(|(&(other, _), kept)| other == place && *kept)
        });
        self.independence = work;
        self.members = members;
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
        let mut k = 0;
        for &place in self.held.members() {
            for row in self.tables.unitary[place].rows.clone() {
                point.force[row] = point.held_force.get(k).copied().unwrap_or(0.0);
                k += 1;
            }
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
