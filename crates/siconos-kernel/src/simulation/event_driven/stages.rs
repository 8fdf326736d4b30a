//! Stages of an event. They have the same names as in Siconos.

use siconos_numerics::SolveInfo;
use siconos_ode::Advance;

use super::{Accumulation, EventDriven, EventReport, OneStepProblem};
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{Event, EventKind, SimulationError};
use crate::state::State;

/// Last completed stage of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    Idle,
    Advanced,
    IndexSets,
    Impact,
    Acceleration,
    DoubleCondition,
}

impl Stage {
    /// Returns the names of the functions that can be called next, for error messages.
    fn expects(self) -> &'static str {
        match self {
            Self::Idle => "advance_to_event",
            Self::Advanced => "update_index_sets (or process_events)",
            Self::IndexSets => "compute_one_step_ns_problem, or next_step if there is nothing to solve",
            Self::Impact => "compute_one_step_ns_problem(Acceleration), or next_step if I_2 is empty",
            Self::Acceleration => "update_index_sets_with_double_condition",
            Self::DoubleCondition => "next_step",
        }
    }
}

impl EventDriven {
    /// Integrates the smooth dynamics to the next event. This is the next scheduled event or an earlier root
    /// of the guards, which is then scheduled as a nonsmooth event.
    ///
    /// Returns `false` if no event is left, or if an accumulation of impacts has stopped the simulation. The
    /// state is not changed, unless it must be adapted to a model that has changed.
    ///
    /// # Errors
    ///
    /// If an event is being processed: [`SimulationError::OutOfOrder`] ([`update_state`](Self::update_state)
    /// discards this event). If the integration fails: [`SimulationError`]; the state is then unchanged, bit
    /// for bit.
    pub fn advance_to_event(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<bool, SimulationError> {
        // The model may have changed since the last event.
        self.expect_stage("advance_to_event", &[Stage::Idle])?;
        let before = (state.outputs_stale || state.epoch != model.epoch()).then(|| state.clone());
        self.begin_stage()?;
        let advanced = self.advance(model, state);
        self.is_interrupted = false;
        if advanced.is_err() {
            self.committed = None;
            self.stage = Stage::Idle;
            if let Some(before) = before {
                *state = before;
            }
        }
        advanced
    }

    fn advance(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<bool, SimulationError> {
        // If the last call found no event, the jump and the impacts before the step are kept for the next
        // report.
        if !std::mem::take(&mut self.has_unreported_start) {
            self.forget_what_was_settled();
        }
        self.synchronise(model, state)?;
        let Some(next) = self.events.next_time().filter(|_| !self.is_stopped) else {
            self.has_unreported_start = true;
            return Ok(false);
        };
        let t = next.max(state.t);
        let critical = self.events.next_critical_time().unwrap_or(f64::INFINITY).max(t);
        self.fired.clear();
        self.root = None;
        if let Some(h) = self.hand_over.take() {
            self.step_through(model, state, (h, t))?;
            self.stage = Stage::Advanced;
            return Ok(true);
        }
        // Discard errors of trial steps that were repeated with a shorter step length.
        let _past = self.modes.take_error();
        let answer = self.integrator.advance_within(&mut self.modes, t, critical);
        let root = match answer {
            Ok(Advance::Reached { .. }) => None,
            Ok(Advance::Roots { t, fired }) => {
                self.fired.extend(fired.iter().map(|fired| fired.guard));
                Some(t)
            }
            Ok(Advance::StepTooSmall { t: reached, h }) => {
                return Err(self.stopped_by(SimulationError::StepTooSmall { t: state.t, reached, h }));
            }
            Ok(Advance::MaxSteps { t: reached }) => {
                let steps = self.settings.integrator.max_steps();
                return Err(self.stopped_by(SimulationError::TooManySteps { t: state.t, reached, steps }));
            }
            Err(error) => return Err(self.stopped_by(error)),
            Ok(_) => unreachable!("an integrator answers with one of the four above"),
        };
        self.x.copy_from_slice(self.integrator.x());
        let root = root.or_else(|| self.root_at_end((t, critical)));
        if let Some(t) = root {
            self.events.schedule_non_smooth(t)?;
        }
        self.root = root;
        self.stage = Stage::Advanced;
        Ok(true)
    }

    /// Searches for a root just after the end of the time discretisation. Rounding errors can move the root
    /// of an impact at the end time to a later time. If there is a root, returns the end time.
    fn root_at_end(&mut self, (t, critical): (f64, f64)) -> Option<f64> {
        let grid = self.discretisation();
        if grid.time(grid.steps()).is_none_or(|end| t < end) {
            return None;
        }
        // Rounding errors of the gap can shift the root by several times the accuracy of root location.
        let past = t + 16.0 * self.settings.integrator.location().width(t);
        let Ok(Advance::Roots { fired, .. }) =
            self.integrator.advance_within(&mut self.modes, past, critical.max(past))
        else {
            // Errors after the end are irrelevant for this run.
            let _behind = self.modes.take_error();
            return None;
        };
        self.fired.extend(fired.iter().map(|fired| fired.guard));
        self.x.copy_from_slice(self.integrator.x());
        Some(t)
    }

    /// Returns the error that a callback has stored, or `otherwise`. The integrator itself detects only
    /// non-finite values.
    fn stopped_by(&mut self, otherwise: SimulationError) -> SimulationError {
        self.modes.take_error().unwrap_or(otherwise)
    }

    /// Processes the event found by [`advance_to_event`](Self::advance_to_event), and all other events at its
    /// tick.
    ///
    /// # Errors
    ///
    /// If [`advance_to_event`](Self::advance_to_event) has not found an event:
    /// [`SimulationError::OutOfOrder`]. If a problem at the event fails: [`SimulationError`]. The state is
    /// then unchanged, bit for bit.
    pub fn process_events(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<EventReport<'_>, SimulationError> {
        self.in_turn("process_events", &[Stage::Advanced], Stage::Idle, model, |it| {
            let comes_back = it.pressing.is_some();
            it.begin_event()?;
            if comes_back || !it.fired.is_empty() {
                it.process_nonsmooth()?;
            }
            it.finish(state)
        })?;
        Ok(self.report())
    }

    /// Discards the integration after an error, so that the next step starts from the state.
    pub(super) fn or_give_up<T>(&mut self, result: Result<T, SimulationError>) -> Result<T, SimulationError> {
        if result.is_err() {
            self.committed = None;
            self.stage = Stage::Idle;
        }
        result
    }

    fn expect_stage(&self, called: &'static str, stages: &[Stage]) -> Result<(), SimulationError> {
        if stages.contains(&self.stage) {
            return Ok(());
        }
        Err(SimulationError::OutOfOrder { called, expected: self.stage.expects() })
    }

    /// Marks the start of a stage. Returns an error if a panic ended an earlier stage.
    pub(super) fn begin_stage(&mut self) -> Result<(), SimulationError> {
        match std::mem::replace(&mut self.is_interrupted, true) {
            true => Err(SimulationError::Interrupted),
            false => Ok(()),
        }
    }

    /// Runs one stage. The last completed stage must be one of `stages`. Afterwards, it is `next`.
    fn in_turn<T>(
        &mut self,
        called: &'static str,
        stages: &[Stage],
        next: Stage,
        model: &NonSmoothDynamicalSystem,
        work: impl FnOnce(&mut Self) -> Result<T, SimulationError>,
    ) -> Result<T, SimulationError> {
        self.expect_stage(called, stages)?;
        if self.modes.tables().epoch != model.epoch() {
            return Err(SimulationError::OtherState { called });
        }
        self.begin_stage()?;
        let done = work(self);
        self.is_interrupted = false;
        self.stage = next;
        self.or_give_up(done)
    }

    /// Returns the time of the current event. If there is a located root, this is the time of the root, even
    /// if output points or other events have the same tick.
    fn time(&self) -> f64 {
        self.root.unwrap_or(self.events.current_event().time())
    }

    /// Takes the events of the tick from the queue, moves the dynamics to their time, and removes the drift
    /// of its state. The state of the integrator does not change, so output points do not change the motion.
    fn begin_event(&mut self) -> Result<(), SimulationError> {
        self.events.process_events();
        let t = self.time();
        self.modes.move_to(t, &self.x);
        self.modes.remove_drift()?;
        self.modes.begin_event();
        let has_any = |kinds: &[EventKind]| {
            self.events.processed_events().iter().any(|event| kinds.contains(&event.kind()))
        };
        self.needs_restart = has_any(&[EventKind::NonSmooth]);
        self.forces_may_change = has_any(&[EventKind::Actuator, EventKind::Custom, EventKind::Restart]);
        self.come_back()
    }

    /// Runs all stages of a nonsmooth event. This function is also called before the first step from a state.
    pub(super) fn process_nonsmooth(&mut self) -> Result<(), SimulationError> {
        self.choose_index_sets()?;
        if self.modes.needs_impact() {
            self.solve_impact()?;
        }
        if self.modes.has_lasting_contacts() {
            self.modes.solve_acceleration()?;
            self.modes.update_index_sets_with_double_condition()?;
        } else {
            self.modes.hold_closed_contacts()?;
        }
        self.modes.remove_drift()
    }

    fn choose_index_sets(&mut self) -> Result<(), SimulationError> {
        // Functions of the model can jump at a user event.
        let horizon = self.events.next_critical_time().unwrap_or(f64::INFINITY);
        self.modes.update_index_sets(&self.fired, horizon)
    }

    fn solve_impact(&mut self) -> Result<(), SimulationError> {
        self.modes.solve_impact()?;
        self.look_for_accumulation()
    }

    /// Chooses I_1 and I_2 at the event found by [`advance_to_event`](Self::advance_to_event).
    ///
    /// # Errors
    ///
    /// If this stage is not the next one: [`SimulationError::OutOfOrder`]. If a value is not finite:
    /// [`SimulationError`].
    #[doc(alias = "updateIndexSets")]
    pub fn update_index_sets(&mut self, model: &NonSmoothDynamicalSystem) -> Result<(), SimulationError> {
        self.in_turn("update_index_sets", &[Stage::Advanced], Stage::IndexSets, model, |it| {
            it.begin_event()?;
            it.choose_index_sets()
        })
    }

    /// Returns `true` if a contact of I_1 that does not belong to I_2 closes. The problem at velocity level
    /// must then be solved.
    #[must_use]
    pub fn needs_impact(&self) -> bool {
        self.stage == Stage::IndexSets && self.modes.needs_impact()
    }

    /// Returns `true` if I_2 is not empty. The problem at acceleration level must then be solved.
    #[must_use]
    pub fn has_lasting_contacts(&self) -> bool {
        self.modes.has_lasting_contacts()
    }

    /// Solves one of the two problems of the event and returns the result of the solver.
    ///
    /// # Errors
    ///
    /// If this stage is not the next one: [`SimulationError::OutOfOrder`]. If the solver fails or does not
    /// converge: [`SimulationError`].
    #[doc(alias = "computeOneStepNSProblem")]
    pub fn compute_one_step_ns_problem(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        problem: OneStepProblem,
    ) -> Result<SolveInfo, SimulationError> {
        match problem {
            OneStepProblem::Impact => {
                let called = "compute_one_step_ns_problem(Impact)";
                self.in_turn(called, &[Stage::IndexSets], Stage::Impact, model, Self::solve_impact)?;
                Ok(self.modes.outcome().impact_solve)
            }
            OneStepProblem::Acceleration => {
                let called = "compute_one_step_ns_problem(Acceleration)";
                let after = &[Stage::IndexSets, Stage::Impact];
                self.in_turn(called, after, Stage::Acceleration, model, |it| it.modes.solve_acceleration())?;
                Ok(self.modes.outcome().acceleration_solve)
            }
        }
    }

    /// Removes contacts with positive acceleration from I_2 and I_1.
    ///
    /// # Errors
    ///
    /// If this stage is not the next one: [`SimulationError::OutOfOrder`]. If a value is not finite:
    /// [`SimulationError`].
    #[doc(alias = "updateIndexSetsWithDoubleCondition")]
    pub fn update_index_sets_with_double_condition(
        &mut self,
        model: &NonSmoothDynamicalSystem,
    ) -> Result<(), SimulationError> {
        let called = "update_index_sets_with_double_condition";
        self.in_turn(called, &[Stage::Acceleration], Stage::DoubleCondition, model, |it| {
            it.modes.update_index_sets_with_double_condition()
        })
    }

    /// Ends the event, and sets the state to its value after the event (right limit).
    ///
    /// # Errors
    ///
    /// If this stage is not the next one: [`SimulationError::OutOfOrder`]. If a value is not finite:
    /// [`SimulationError`].
    #[doc(alias = "nextStep")]
    pub fn next_step(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<EventReport<'_>, SimulationError> {
        let is_done = !self.needs_impact() && !self.modes.has_lasting_contacts();
        let stages = [Stage::DoubleCondition, Stage::IndexSets, Stage::Impact];
        let stages = if is_done { &stages[..] } else { &stages[..1] };
        let holds = self.stage != Stage::DoubleCondition;
        self.in_turn("next_step", stages, Stage::Idle, model, |it| {
            if holds {
                it.modes.hold_closed_contacts()?;
                it.modes.remove_drift()?;
            }
            it.finish(state)
        })?;
        Ok(self.report())
    }

    fn finish(&mut self, state: &mut State) -> Result<(), SimulationError> {
        let t = self.time();
        self.modes.evaluate_point()?;
        self.check_progress(t)?;
        if self.needs_restart {
            self.restart(t)?;
        }
        self.write(state)?;
        (state.t, self.committed) = (t, Some(t));
        let is_point = |event: &&Event| event.kind() == EventKind::TimeDiscretisation;
        state.step += self.events.processed_events().iter().filter(is_point).count();
        Ok(())
    }

    /// Creates the report of the last event.
    fn report(&self) -> EventReport<'_> {
        let outcome = self.modes.outcome();
        let accumulation = Accumulation { t: outcome.accumulation, contacts: &outcome.accumulating };
        EventReport {
            t: self.time(),
            events: self.events.processed_events(),
            impacts: &outcome.impacts,
            impacts_before: &self.impacts_before,
            released: &outcome.released,
            undetermined: &outcome.undetermined,
            closed: &outcome.closed,
            jumped: outcome.jumped || self.jumped_before,
            impact_solve: outcome.impact_solve,
            acceleration_solve: outcome.acceleration_solve,
            accumulation: (!outcome.accumulating.is_empty()).then_some(accumulation),
        }
    }
}
