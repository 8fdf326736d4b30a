//! End of a step, with the last checks and the transfer of the iterate to the state.

use super::free_motion::forget_forces;
use super::work::{Stage, StepWorkspace};
use super::{Configuration, ContactJacobian, Motion, StepReport, TimeStepping, deepest_gap};
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{ActiveRelations, EventKind, SimulationError};
use crate::state::State;

impl TimeStepping {
    /// Ends the step, and transfers the iterate to the state.
    ///
    /// # Errors
    ///
    /// If the stage is called out of order: [`SimulationError::OutOfOrder`]. If a gap or an input is not
    /// finite: another [`SimulationError`].
    pub fn next_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<StepReport<'_>, SimulationError> {
        self.expect("next_step", &[Stage::Updated, Stage::Checked], model, state)?;
        if self.work.stage != Stage::Checked {
            self.check_end(state)?;
        }
        Ok(self.commit(state))
    }

    /// Transfers the iterate to the state. This function cannot fail.
    #[inline]
    pub(super) fn commit(&mut self, state: &mut State) -> StepReport<'_> {
        let newton_error = self.newton_progress().error;
        if let Some(energy) = &mut self.energy {
            energy.measure_motion(&self.tables, &self.work, state);
        }
        let work = &mut self.work;
        let [y, y_dot, _] = &mut state.y;
        let lambda = &mut state.lambda[1];
        std::mem::swap(&mut state.q, &mut work.q);
        std::mem::swap(&mut state.v, &mut work.v);
        std::mem::swap(&mut state.impulse, &mut work.impulse);
        std::mem::swap(y, &mut work.y);
        std::mem::swap(y_dot, &mut work.y_dot);
        std::mem::swap(lambda, &mut work.lambda);
        write_means(state, work);
        let force = &mut state.lambda[0];
        if work.has_first_order {
            self.alternation.follow(force, &work.force, work.t_kp1);
        }
        if work.has_forces || work.has_first_order {
            force.copy_from_slice(&work.force);
        }
        if work.has_two_step {
            std::mem::swap(&mut state.mean_velocity, &mut work.mean_velocity);
        } else {
            state.mean_velocity.clear();
        }
        if let Some(half_explicit) = &self.half_explicit {
            half_explicit.write_forces(&self.tables, state);
        }
        state.t = work.t_kp1;
        state.step = work.step;
        work.stage = Stage::Idle;
        self.keep_mean_forces(state);
        self.mark(state);
        self.work.relations_of = state.origin;
        let deepest_gap = deepest_gap(&self.tables, state);
        match &self.detected {
            Some(detected) => {
                detected.store(&self.tables, &self.kinematics, state);
                state.drop_detected_rows();
                self.let_bodies_sleep(state);
            }
            None => {
                state.contacts.clear();
                state.rest.clear();
            }
        }
        // The workspace contained the velocities at the beginning of the step until here.
        std::mem::swap(&mut state.v_before, &mut self.work.v);
        let work = &self.work;
        let events = self.events.follow((work.t_k, work.t_kp1), work.step);
        if events.iter().any(|event| matches!(event.kind(), EventKind::Actuator | EventKind::Custom)) {
            // The user can change the forces before the next step.
            forget_forces(&mut self.systems);
        }
        StepReport {
            step: work.step,
            t: work.t_kp1,
            h: work.h,
            active: ActiveRelations::new(&self.tables, self.index_set.members()),
            deepest_gap,
            events,
            energy: self.energy.as_ref().map(|energy| &energy.balance),
            solve: work.solve,
            error: work.solve.error,
            newton_iterations: work.newton_iterations,
            is_converged: work.solve.status.is_success() && !work.falls_short,
            newton_error,
        }
    }

    /// Computes y at the end of the step. This is the last stage that can fail.
    #[inline(always)]
    pub(super) fn check_end(&mut self, state: &State) -> Result<(), SimulationError> {
        if self.projector.is_some() {
            self.project(state)?;
        }
        let work = &mut self.work;
        if work.has_forces {
            for (row, entry) in self.tables.rows.entries() {
                if self.tables.kind(entry.kind).is_force {
                    work.force[row.index()] = work.lambda[row.index()] / work.h;
                }
            }
        }
        self.keep_held(state);
        let work = &mut self.work;
        if !self.nonlinearities.is_constant() {
            // The gap velocities are evaluated with the Jacobians at the end of the step.
            let end = Configuration { at: work.end(state), q: &work.q };
            // A projection moves bodies after the last evaluation of relations that it does not project.
            let is_displaced = self.projector.as_ref().is_some_and(|projector| projector.has_displaced());
            if is_displaced || self.newton.contact_jacobian == ContactJacobian::AtBeginning {
                self.kinematics.evaluate(&self.tables, &self.threads, end);
            } else {
                let idle = &self.unconverged.idle;
                self.kinematics.evaluate_some(&self.tables, &self.threads, idle, end);
            }
        }
        if work.has_two_step {
            work.end_two_step(&self.tables);
        }
        let at = Motion { at: work.end(state), q: &work.q, v: &work.v, lambda: &work.force };
        self.kinematics.outputs(&self.tables, &self.threads, at, (&mut work.y, &mut work.y_dot));
        if work.has_first_order {
            self.end_of_first_order()?;
        }
        self.check_outputs(&self.work.y, &self.work.y_dot, 0, self.work.step, self.work.t_k)?;
        self.work.stage = Stage::Checked;
        Ok(())
    }
}

/// Writes the mean accelerations, gap accelerations and contact forces over the step into the state at the
/// end of the step. `work.v` and `work.y_dot` must contain the velocities at the beginning of the step.
#[inline]
fn write_means(state: &mut State, work: &StepWorkspace) {
    let h = work.h;
    for ((a, v), v_k) in state.acceleration.iter_mut().zip(&state.v).zip(&work.v) {
        *a = (v - v_k) / h;
    }
    let ([_, y_dot, y_ddot], [_, impulse, force]) = (&mut state.y, &mut state.lambda);
    let velocities = y_dot.iter().zip(&work.y_dot);
    for (((a, force), (v, v_k)), impulse) in y_ddot.iter_mut().zip(force).zip(velocities).zip(impulse) {
        *a = (v - v_k) / h;
        *force = *impulse / h;
    }
}
