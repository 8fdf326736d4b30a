//! Adaptation of an event-driven simulation to a model and a state.

use super::EventDriven;
use super::modes::Modes;
use super::stages::Stage;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::SimulationError;
use crate::state::{State, StepStamp};

impl EventDriven {
    /// Updates a state after its positions or velocities were set. Computes index sets, accelerations and
    /// forces. Contacts that touch and close have an impact. A simulation does this automatically before its
    /// next step. Call this function to obtain the result earlier.
    ///
    /// # Errors
    ///
    /// If the update fails: [`SimulationError`]. The state is then unchanged, except that it may have been
    /// adapted to a model that has changed.
    pub fn update_state(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        self.begin_stage()?;
        let settled = self.settle_at(model, state);
        self.is_interrupted = false;
        settled
    }

    fn settle_at(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        if self.stage != Stage::Idle {
            // Discard an event that is being processed.
            self.stage = Stage::Idle;
            self.committed = None;
        }
        self.synchronise(model, state)?;
        // The state contains the result, so the next report does not repeat it.
        self.forget_what_was_settled();
        let evaluated = self.modes.evaluate_point().and_then(|()| self.write(state));
        self.or_give_up(evaluated)
    }

    /// Adapts tables, events and integrator to a state. Restarts the integrator unless it can continue from
    /// this state.
    pub(super) fn synchronise(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        if state.model_uid != model.uid() {
            return Err(SimulationError::StateOfOtherModel);
        }
        if self.modes.tables().epoch != model.epoch() {
            self.rebuild(model)?;
        }
        state.close_gaps(model);
        if !self.modes.fits(state) {
            return Err(SimulationError::StateOfOtherModel);
        }
        if !state.t.is_finite() {
            let nearest = self.discretisation().t0();
            return Err(SimulationError::OtherTime { t: state.t, nearest });
        }
        if self.goes_on_from(state) {
            self.forces_may_change |= self.modes.set_parameters(&state.parameters);
            if self.forces_may_change {
                self.restart_at_iterate(state.t)?;
                self.forces_may_change = false;
            }
            return Ok(());
        }
        self.committed = None;
        self.is_stopped = false;
        self.pressing = None;
        self.repeats.clear();
        self.events.go_to_time(state.t)?;
        self.forces_may_change = false;
        self.modes.read(state);
        self.read_impacts(state);
        self.forget_what_was_settled();
        self.restart_at_iterate(state.t)
    }

    /// Computes index sets, impacts, accelerations and forces at the current time and state, and restarts the
    /// integrator from there.
    fn restart_at_iterate(&mut self, t: f64) -> Result<(), SimulationError> {
        self.modes.begin_event();
        self.fired.clear();
        self.process_nonsmooth()?;
        let outcome = self.modes.outcome();
        self.jumped_before |= outcome.jumped;
        self.impacts_before.extend_from_slice(&outcome.impacts);
        self.restart(t)
    }

    /// Clears the impacts and jumps before the step, which the next report would contain.
    pub(super) fn forget_what_was_settled(&mut self) {
        self.jumped_before = false;
        self.impacts_before.clear();
    }

    /// Returns `true` if the integrator can continue from the given state.
    fn goes_on_from(&self, state: &State) -> bool {
        let (q, v) = self.committed_x.split_at(state.q.len());
        self.committed == Some(state.t) && !state.outputs_stale && q == state.q && v == state.v
    }

    /// Rebuilds all tables for a model that has changed.
    fn rebuild(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        self.committed = None;
        self.modes = Modes::new(model, self.modes.problems(), &self.settings)?;
        let n = self.modes.dimension();
        self.x.resize(n, 0.0);
        self.committed_x.resize(n, 0.0);
        Ok(())
    }

    /// Restarts the integrator at the time `t` and the current state.
    pub(super) fn restart(&mut self, t: f64) -> Result<(), SimulationError> {
        self.modes.x_into(&mut self.x);
        self.integrator.restart(t, &self.x)
    }

    /// Writes the current time and state to `state`, and records that the integrator can continue from it.
    pub(super) fn write(&mut self, state: &mut State) -> Result<(), SimulationError> {
        self.modes.write(state)?;
        self.write_impacts(state);
        (state.outputs_stale, state.parameters_set) = (false, false);
        state.origin = StepStamp::default();
        state.mean_velocity.clear();
        self.committed = Some(state.t);
        let (q, v) = self.committed_x.split_at_mut(state.q.len());
        q.copy_from_slice(&state.q);
        v.copy_from_slice(&state.v);
        Ok(())
    }
}
