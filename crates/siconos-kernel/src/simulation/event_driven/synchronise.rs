//! Fits the simulation to the model and the state that it is given.

use super::EventDriven;
use super::modes::Modes;
use super::stages::Stage;
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::SimulationError;
use crate::state::{State, StepStamp};

impl EventDriven {
    /// Computes what belongs to a state whose positions or velocities were set: index sets, accelerations,
    /// forces. Contacts that touch and close have their impact. A simulation does this by itself before its
    /// next step; here one sees it.
    ///
    /// # Errors
    ///
    /// [`SimulationError`]; the state is then as it was, but for its fit to a model that has changed.
    pub fn settle(
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
            // An event that has been begun is given up.
            self.stage = Stage::Idle;
            self.committed = None;
        }
        self.synchronise(model, state)?;
        // It shows in the state.
        self.forget_what_was_settled();
        let evaluated = self.modes.evaluate_point().and_then(|()| self.write(state));
        self.or_give_up(evaluated)
    }

    /// Makes tables, events and integrator fit a state; begins the integration anew unless it goes on from
    /// there.
    pub(super) fn synchronise(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), SimulationError> {
        if state.model_uid != model.uid() {
            return Err(SimulationError::OtherModel);
        }
        if self.modes.tables().epoch != model.epoch() {
            self.rebuild(model)?;
        }
        state.close_gaps(model);
        if !self.modes.fits(state) {
            return Err(SimulationError::OtherModel);
        }
        if !state.t.is_finite() {
            let nearest = self.discretisation().t0();
            return Err(SimulationError::OtherTime { t: state.t, nearest });
        }
        if self.goes_on_from(state) {
            self.forces_may_change |= self.modes.set_parameters(&state.parameters);
            if self.forces_may_change {
                self.begin_anew(state.t)?;
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
        self.begin_anew(state.t)
    }

    /// Index sets, impacts, accelerations and forces at the work point, from where the integration begins
    /// anew.
    fn begin_anew(&mut self, t: f64) -> Result<(), SimulationError> {
        self.modes.begin_event();
        self.fired.clear();
        self.process_nonsmooth()?;
        let outcome = self.modes.outcome();
        self.jumped_before |= outcome.jumped;
        self.impacts_before.extend_from_slice(&outcome.impacts);
        self.restart(t)
    }

    /// Empties what the report of the next event tells of the time before the step.
    pub(super) fn forget_what_was_settled(&mut self) {
        self.jumped_before = false;
        self.impacts_before.clear();
    }

    /// Whether the integrator stands where this state is.
    fn goes_on_from(&self, state: &State) -> bool {
        let (q, v) = self.committed_x.split_at(state.q.len());
        self.committed == Some(state.t) && !state.outputs_stale && q == state.q && v == state.v
    }

    /// Makes all tables anew for a model that has changed.
    fn rebuild(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        self.committed = None;
        self.modes = Modes::new(model, self.modes.problems(), &self.settings)?;
        let n = self.modes.dimension();
        self.x.resize(n, 0.0);
        self.committed_x.resize(n, 0.0);
        Ok(())
    }

    /// Begins the integration anew from the work point.
    pub(super) fn restart(&mut self, t: f64) -> Result<(), SimulationError> {
        self.modes.x_into(&mut self.x);
        self.integrator.restart(t, &self.x)
    }

    /// Writes the work point into a state, from which the integrator can go on.
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
