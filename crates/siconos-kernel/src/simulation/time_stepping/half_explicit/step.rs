//! Stages of a half-explicit step: forces at the beginning of the step, forces at the end, and impact.

use siconos_numerics::SolveInfo;

use super::point::ContactPoint;
use super::{HalfExplicit, level_of};
use crate::index::RowIndex;
use crate::integrator::{FactorError, ForceLevel, Response, SystemWorkspace};
use crate::model::At;
use crate::nonsmooth_problem::{
    Assembly, Coefficients, ImposedVariables, InteractionIndex, NOTHING_TO_SOLVE, Tables, UnitaryIndex,
    together,
};
use crate::simulation::SimulationError;
use crate::simulation::kinematics::{Configuration, Motion};
use crate::simulation::time_stepping::TimeStepping;
use crate::state::State;

/// One of the two ends of a step, at which forces are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Beginning,
    Final,
}

impl HalfExplicit {
    /// Computes the step. [`write`](Self::write) writes the result into the iterate.
    pub(super) fn step(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), SimulationError> {
        self.fit(&of.tables);
        self.solve = NOTHING_TO_SOLVE;
        let begin = state.at();
        self.v.copy_from_slice(&state.v);
        self.accelerate(of, begin, &state.q, &state.v)?;
        self.choose_lasting(of, state);
        self.add_forces(of, state, End::Beginning)?;
        self.advance(&of.tables, state, of.work.h);

        let end = of.work.end(state);
        let (q, predicted) = (std::mem::take(&mut self.q), std::mem::take(&mut self.predicted));
        let accelerated = self.accelerate(of, end, &q, &predicted);
        (self.q, self.predicted) = (q, predicted);
        accelerated?;
        self.choose_closed(of, state);
        self.add_forces(of, state, End::Final)?;
        self.impinge(of, state)
    }

    /// Adds the change of velocity over half a step to the velocity. The change is due to the accelerations
    /// at one end of the step, without contact forces.
    fn accelerate(
        &mut self,
        of: &mut TimeStepping,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
    ) -> Result<(), SimulationError> {
        let TimeStepping { tables, systems, work, .. } = of;
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            let (positions, dofs) = (entry.positions.range(), entry.dofs.range());
            let system_work = &mut systems[place];
            let SystemWorkspace::HalfExplicit(mass) = system_work else { continue };
            if let Err(error) = mass.factor(at.parameters(), &q[positions.clone()]) {
                return Err(work.not_factored(entry.id, FactorError::Singular(error)));
            }
            let gain = &mut self.gain[dofs.clone()];
            mass.forces_into(at, &q[positions], &v[dofs.clone()], gain);
            mass.respond(gain);
            gain.iter_mut().for_each(|gain| *gain *= 0.5 * work.h);
            self.v[dofs.clone()].iter_mut().zip(gain).for_each(|(v, gain)| *v += *gain);
        }
        Ok(())
    }

    /// Selects the contacts that are closed at the beginning of the step and stay closed.
    fn choose_lasting(&mut self, of: &mut TimeStepping, state: &State) {
        let Self { members, was_closed, contacts, v, gain, .. } = self;
        let [y, y_dot, _] = &state.y;
        let free = (&v[..], &gain[..], of.work.h);
        let pressed = [&state.lambda[1][..], &state.lambda[2]];
        let point = ContactPoint { t: state.t, q: &state.q, v: &state.v, y, y_dot, free, pressed };
        members.clear();
        for &contact in &*contacts {
            was_closed[contact] = point.is_closed(&of.tables, &of.kinematics, contact);
            if was_closed[contact] && point.lasts(&of.tables, &of.kinematics, contact) {
                members.push(contact);
            }
        }
    }

    /// Advances positions with the mean of the velocity at the beginning of the step and the predicted
    /// velocity at the end.
    fn advance(&mut self, tables: &Tables, state: &State, h: f64) {
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            for dof in entry.dofs.range() {
                let v_k = state.v[dof];
                self.predicted[dof] = v_k + 2.0 * (self.v[dof] - v_k);
                self.displacement[dof] = 0.5 * h * (v_k + self.predicted[dof]);
            }
            entry.displace(&state.q, &self.displacement, &mut self.q);
        }
    }

    /// Evaluates the relations at the end of the step, and selects the contacts. All contacts that are closed
    /// at the end belong to the impact problem. The contacts that stay closed also belong to the force
    /// problem at the end, except in islands in which a contact has closed in the step.
    fn choose_closed(&mut self, of: &mut TimeStepping, state: &State) {
        self.evaluate_relations(of, End::Final, state);
        let TimeStepping { tables, kinematics, work, .. } = of;
        let motion = Motion { at: work.end(state), q: &self.q, v: &self.predicted, lambda: &work.force };
        for &place in &self.interactions {
            kinematics.output(tables, place, motion, (&mut work.y, &mut work.y_dot));
        }
        let free = (&self.v[..], &self.gain[..], work.h);
        let pressed = [&state.lambda[1][..], &self.force];
        let (y, y_dot) = (&work.y[..], &work.y_dot[..]);
        let point = ContactPoint { t: work.t_kp1, q: &self.q, v: &self.predicted, y, y_dot, free, pressed };
        self.members.clear();
        let is_closed = |&contact: &UnitaryIndex| point.is_closed(tables, kinematics, contact);
        self.members.extend(self.contacts.iter().copied().filter(is_closed));
        self.impacts.set_members(tables, &self.members);
        let islands = self.impacts.islands();
        self.has_closed.fill(false);
        for &member in &self.members {
            if !self.was_closed[member] {
                self.has_closed[islands.of_member(member)] = true;
            }
        }
        let has_closed = &self.has_closed;
        self.members.retain(|&member| {
            !has_closed[islands.of_member(member)] && point.lasts(tables, kinematics, member)
        });
    }

    /// Evaluates the Jacobians for the problems at one end of the step. Forces at the beginning act along the
    /// Jacobians at the beginning. For forces at velocity level, the laws use the Jacobians at the
    /// position $q_k + h v_k$.
    fn evaluate_relations(&mut self, of: &mut TimeStepping, end: End, state: &State) {
        let TimeStepping { tables, kinematics, work, threads, .. } = of;
        let mut evaluate = |place: &InteractionIndex, at, q: &[f64]| {
            let here = Configuration { at, q };
            kinematics.evaluate_some(tables, threads, std::slice::from_ref(place), here);
        };
        self.acting.clear();
        if end == End::Final {
            self.curved.iter().for_each(|(place, _)| evaluate(place, work.end(state), &self.q));
            return;
        }
        self.curved.iter().for_each(|(place, _)| evaluate(place, state.at(), &state.q));
        let is_of_velocity = |place: InteractionIndex| level_of(tables, place) == ForceLevel::Velocity;
        if !self.curved.iter().any(|(place, _)| is_of_velocity(*place)) {
            return;
        }
        self.acting.extend_from_slice(&kinematics.jacobian);
        for &place in &self.blocks {
            let entry = &tables.systems[tables.blocks[place].systems.start()];
            for dof in entry.dofs.range() {
                self.displacement[dof] = work.h * state.v[dof];
            }
            entry.displace(&state.q, &self.displacement, &mut self.q);
        }
        for (place, _) in self.curved.iter().filter(|(place, _)| is_of_velocity(*place)) {
            let end = Configuration { at: work.end(state), q: &self.q };
            kinematics.evaluate_some(tables, threads, std::slice::from_ref(place), end);
        }
    }

    /// Solves for the contact forces at one end of the step, and adds their effect on the velocity over half
    /// a step.
    fn add_forces(&mut self, of: &mut TimeStepping, state: &State, end: End) -> Result<(), SimulationError> {
        self.pose_forces(of, state, end);
        let Self { forces, members, constant, z, w, force, v, acting, .. } = self;
        let TimeStepping { tables, kinematics, delassus, systems, work, threads, .. } = of;
        let coefficients =
            Coefficients { reaction: acting, ..Coefficients::of_jacobian(&kinematics.jacobian) };
        let solved = forces.solve_over(
            Assembly { tables, threads, delassus, systems, coefficients, h: work.h },
            members,
            (state.at(), work.end(state)),
            |row, _| (constant[row.index()], state.lambda[2][row.index()]),
            (z, w),
        );
        let info = solved.map_err(|unsolved| unsolved.at(work.step, work.t_k))?;
        force.fill(0.0);
        for &member in &*members {
            for row in tables.unitary[member].rows.iter() {
                force[row.index()] = z[row.index()];
                delassus.response(tables, row).add_to(0.5 * work.h * z[row.index()], v);
            }
        }
        self.note(of, info)
    }

    /// Writes the constant terms of the force problem. At acceleration level, they are the gap accelerations
    /// without contact forces. At velocity level, they are the velocities that the forces must change,
    /// divided by the time in which the forces act.
    fn pose_forces(&mut self, of: &mut TimeStepping, state: &State, end: End) {
        if end == End::Beginning {
            self.evaluate_relations(of, end, state);
        }
        let TimeStepping { tables, kinematics, work, .. } = of;
        let (h, tables) = (work.h, &*tables);
        let (at, q, v) = match end {
            End::Beginning => (state.at(), &state.q[..], &state.v[..]),
            End::Final => (work.end(state), &self.q[..], &self.predicted[..]),
        };
        for (place, scratch) in &mut self.curved {
            if level_of(tables, *place) == ForceLevel::Acceleration {
                let rows = tables.interactions[*place].rows.range();
                kinematics.convective(tables, *place, at, (q, v), scratch, &mut self.convective[rows]);
            }
        }
        for &member in &self.members {
            let unitary = &tables.unitary[member];
            for row in unitary.rows.iter() {
                let gain = || kinematics.row(tables, row).times(&self.gain);
                self.constant[row.index()] = match (level_of(tables, unitary.interaction), end) {
                    (ForceLevel::Acceleration, _) => 2.0 * gain() / h + self.convective[row.index()],
                    (ForceLevel::Velocity, End::Beginning) => {
                        (kinematics.velocity(tables, row, &state.v) + 2.0 * gain()) / h
                    }
                    (ForceLevel::Velocity, End::Final) => 2.0 * kinematics.velocity(tables, row, &self.v) / h,
                };
            }
        }
    }

    /// Computes the impacts at all contacts that are closed at the end of the step. By default, an impact is
    /// plastic if its rebound velocity would not exceed the change of the contact velocity over the step,
    /// because a step does not resolve the short flight that would follow.
    fn impinge(&mut self, of: &mut TimeStepping, state: &State) -> Result<(), SimulationError> {
        self.members.clear();
        self.members.extend_from_slice(self.impacts.members());
        let TimeStepping { tables, kinematics, .. } = of;
        for &member in &self.members {
            for row in tables.unitary[member].rows.iter() {
                let before = kinematics.velocity(tables, row, &self.v);
                let rebound = tables.rows[row].restitution * before;
                let jacobian = kinematics.row(tables, row);
                let change = || jacobian.times(&self.v) - jacobian.times(&state.v);
                let is_plastic = takes_short_flights_for_rest(tables, row) && rebound.abs() <= change().abs();
                self.constant[row.index()] = before + if is_plastic { 0.0 } else { rebound };
            }
        }
        let Self { impacts, members, constant, z, w, .. } = self;
        let TimeStepping { tables, kinematics, delassus, systems, work, threads, .. } = of;
        let coefficients = Coefficients::of_jacobian(&kinematics.jacobian);
        let solved = impacts.solve_over(
            Assembly { tables, threads, delassus, systems, coefficients, h: work.h },
            members,
            (state.at(), work.end(state)),
            |row, _| (constant[row.index()], 0.0),
            (z, w),
        );
        let info = solved.map_err(|unsolved| unsolved.at(work.step, work.t_k))?;
        self.percussion.fill(0.0);
        self.impulse.fill(0.0);
        for &member in &self.members {
            for row in tables.unitary[member].rows.iter() {
                let percussion = self.z[row.index()];
                self.percussion[row.index()] = percussion;
                delassus.response(tables, row).add_to(percussion, &mut self.v);
                kinematics.row(tables, row).add_to(percussion, &mut self.impulse);
            }
        }
        self.note(of, info)
    }

    /// Records the result of a solver.
    fn note(&mut self, of: &TimeStepping, info: SolveInfo) -> Result<(), SimulationError> {
        self.solve = together(self.solve, info);
        of.report_solver_failure(info)
    }
}

/// Returns `true` if the scheme of a row uses the default velocity threshold.
fn takes_short_flights_for_rest(tables: &Tables, row: RowIndex) -> bool {
    let row = &tables.rows[row];
    matches!(
        tables.kind(row.kind).holds,
        ImposedVariables::ForcesAndImpulses(scheme) if row.has_gap && scheme.velocity_threshold.is_none()
    )
}
