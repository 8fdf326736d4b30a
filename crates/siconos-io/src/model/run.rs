//! Run of a built model, step by step or event by event, from its start or from a snapshot.

use std::collections::BTreeMap;

use siconos_kernel::ModelError;
use siconos_kernel::model::Parameter;
use siconos_kernel::simulation::{EventKind, OnNonConvergence};
use siconos_kernel::state::{EventSide, State};

use super::arrays::check_data;
use super::control::Devices;
use super::file::{BuiltModel, ContactStatistics, Restart};
use super::outputs::Recorder;
use super::simulation::BuiltSimulation;
use crate::run_error::{ResumeError, RunError};
use crate::snapshot::content::{DataFile, Recorded, RunState, Unconverged};

impl BuiltModel {
    /// Takes one step, or advances to the next event, and passes each new row to `take`. Returns `false` if
    /// the run has ended, at the end of its grid or because the condition `stop_when` holds. The first call
    /// also passes the row at the start time.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the step fails or `take` returns an error. If the step fails, the state remains as it
    /// was before the step.
    pub fn advance<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        let begins_with_events = self.begins_with_events();
        // A caller can have changed parameters of the state.
        self.laws.follow(&mut self.model, self.state.at().parameters().values()).map_err(RunError::Law)?;
        let Self {
            model,
            simulation,
            state,
            recorder,
            restart,
            laws,
            devices,
            events,
            data,
            unconverged,
            contacts,
            stop,
            is_stopped,
            ..
        } = self;
        let rows = self.outputs.rows;
        let mut hand_on = |row: Option<&[f64]>| row.map_or(Ok(()), |row| take(row).map_err(RunError::Row));
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first && !begins_with_events {
            hand_on(recorder.end_instant(model, state, devices, rows.has_start))?;
        }
        if let Some((_, stop)) = stop
            && stop.holds(model, state, devices)
        {
            *is_stopped = true;
            return Ok(false);
        }
        match simulation {
            BuiltSimulation::TimeStepping(simulation) => {
                let Some(report) = simulation.step(model, state).map_err(RunError::Step)? else {
                    return Ok(false);
                };
                contacts.active = report.active.len();
                contacts.worst_error = contacts.worst_error.max(report.error);
                if !report.is_converged {
                    unconverged.steps = unconverged.steps.saturating_add(1);
                    unconverged.first.get_or_insert(report.t);
                }
                for event in report.events {
                    devices.process(event, model, state).map_err(RunError::Control)?;
                    events.process(event, model, state, devices)?;
                }
                laws.follow(model, state.at().parameters().values()).map_err(RunError::Law)?;
                recorder.set_balance(report.energy);
                // Events at the start are reported as a step in which the state does not move.
                let is_written = !(is_first && begins_with_events) || rows.has_start;
                hand_on(recorder.end_instant(model, state, devices, is_written))?;
            }
            BuiltSimulation::EventDriven(simulation) => {
                let Some(report) = simulation.step(model, state).map_err(RunError::Step)? else {
                    return Ok(false);
                };
                let has = |kind| report.events.iter().any(|event| event.kind() == kind);
                let needs_restart = has(EventKind::NonSmooth) || has(EventKind::Restart);
                // If all events of an instant are restarts, the instant has no rows.
                let is_bare = report.events.iter().all(|event| event.kind() == EventKind::Restart);
                let is_written = !rows.grid_only || has(EventKind::TimeDiscretisation);
                let has_both_sides = !rows.grid_only && !rows.after_only && !is_bare;
                if has_both_sides && report.sides().contains(&EventSide::Before) {
                    hand_on(recorder.row_before(model, state, devices))?;
                }
                for event in report.events {
                    devices.process(event, model, state).map_err(RunError::Control)?;
                    events.process(event, model, state, devices)?;
                }
                laws.follow(model, state.at().parameters().values()).map_err(RunError::Law)?;
                if !is_bare {
                    hand_on(recorder.end_instant(model, state, devices, is_written))?;
                }
                if needs_restart {
                    let recorded = beside(recorder, true, devices, data, *unconverged);
                    let state = state.clone();
                    *restart = Some(Restart { state, recorded, carried: Some(simulation.carried()) });
                }
            }
        }
        Ok(true)
    }

    /// Returns `true` if the first step processes the events at the start time, without a time step.
    fn begins_with_events(&self) -> bool {
        let BuiltSimulation::TimeStepping(simulation) = &self.simulation else { return false };
        let has_events = !(self.devices.is_empty() && self.events.is_empty());
        let start = simulation.discretisation().t0();
        !self.is_begun && has_events && simulation.events().next_time().is_some_and(|time| time <= start)
    }

    /// Runs to the end and passes each row to `take`.
    ///
    /// # Errors
    ///
    /// If [`advance`](Self::advance) fails.
    pub fn to_end<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<(), RunError<E>> {
        while self.advance(&mut take)? {}
        Ok(())
    }

    /// Returns `true` if the run has ended because the condition `stop_when` of the file holds.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Returns the number of steps of the time grid, or `None` for a grid without end.
    #[must_use]
    pub fn steps(&self) -> Option<usize> {
        let grid = match &self.simulation {
            BuiltSimulation::TimeStepping(simulation) => simulation.discretisation(),
            BuiltSimulation::EventDriven(simulation) => simulation.discretisation(),
        };
        (!grid.is_endless()).then(|| grid.steps())
    }

    /// Returns the number of steps that did not converge so far, and the time of the first one. Steps before
    /// a snapshot are included. Returns `None` if the run fails at the first step that does not converge.
    #[must_use]
    pub fn unconverged(&self) -> Option<Unconverged> {
        match &self.simulation {
            BuiltSimulation::TimeStepping(simulation) => {
                (simulation.on_non_convergence() != OnNonConvergence::Fail).then_some(self.unconverged)
            }
            BuiltSimulation::EventDriven(_) => None,
        }
    }

    /// Returns the number of active relations and the largest solver error so far. Returns `None` for an
    /// event-driven simulation, or if the model has no interactions.
    #[must_use]
    pub fn contacts(&self) -> Option<ContactStatistics> {
        let by_steps = matches!(self.simulation, BuiltSimulation::TimeStepping(_));
        (by_steps && !self.interactions.is_empty()).then_some(self.contacts)
    }

    /// Returns the data of a snapshot: the state from which the run can be resumed bit for bit, and the
    /// progress of the outputs at this state.
    ///
    /// In a time-stepping simulation, the recorded state is the current state. An event-driven simulation can
    /// be resumed only where its integrator restarts: at an impact, at the closing or opening of a contact,
    /// and at a [`Restart`](EventKind::Restart). The recorded state is therefore the state after the last of
    /// these events. The resumed run repeats the integration from this state and passes the rows after it
    /// again.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the state does not belong to the model.
    pub fn record(&self) -> Result<(RunState, Recorded), ModelError> {
        let Self { recorder, devices, data, unconverged, .. } = self;
        let start = || (&self.start, Recorded { data: data.clone(), ..Recorded::default() }, None);
        let (state, recorded, carried) = match (&self.simulation, &self.restart) {
            (BuiltSimulation::EventDriven(_), Some(restart)) => {
                (&restart.state, restart.recorded.clone(), restart.carried.clone())
            }
            (BuiltSimulation::EventDriven(_), None) => start(),
            (BuiltSimulation::TimeStepping(_), _) => {
                (&self.state, beside(recorder, self.is_begun, devices, data, *unconverged), None)
            }
        };
        let values = state.at().parameters().values();
        let state = state.record(&self.laws.model_for(&self.model, values))?;
        Ok((RunState::Model { state, carried }, recorded))
    }

    /// Resumes the run from the data of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the state belongs to a different model, if the devices differ, or if an array file
    /// has changed. For a different model, the error contains the first difference.
    pub fn resume(&mut self, kept: &RunState, recorded: &Recorded) -> Result<(), ResumeError> {
        let RunState::Model { state: record, carried } = kept else {
            return Err(ResumeError::Kind { kept: kept.kind(), found: "model" });
        };
        check_data(&self.data, &recorded.data)?;
        let kept: BTreeMap<_, _> = record.parameters().collect();
        let of_parameter = |own: &Parameter| {
            let kept = kept.get(own.name()).copied();
            kept.filter(|kept| kept.len() == own.initial().len()).unwrap_or(own.initial()).to_vec()
        };
        let values: Vec<_> = self.model.parameters().iter().flat_map(|(_, own)| of_parameter(own)).collect();
        self.laws.follow(&mut self.model, &values)?;
        let mut state = State::restore(&self.model, record)?;
        self.recorder.resume(recorded)?;
        self.devices.restore(recorded.control.as_ref())?;
        let begins_with_events = self.begins_with_events();
        self.is_begun = recorded.is_begun;
        self.unconverged = recorded.unconverged;
        match &mut self.simulation {
            BuiltSimulation::TimeStepping(simulation) => {
                let start = simulation.discretisation().t0();
                if self.is_begun && begins_with_events && state.t.to_bits() == start.to_bits() {
                    // The events at the start were processed before the snapshot. This step removes them from
                    // the queue without moving the state.
                    simulation.step(&self.model, &mut state)?;
                }
            }
            BuiltSimulation::EventDriven(simulation) => {
                if let Some(carried) = carried {
                    simulation.recall(state.t, carried);
                }
            }
        }
        let carried = carried.clone();
        self.restart = Some(Restart { state: state.clone(), recorded: recorded.clone(), carried });
        self.state = state;
        Ok(())
    }
}

/// Returns the data that a snapshot contains in addition to the state.
fn beside(
    recorder: &Recorder,
    is_begun: bool,
    devices: &Devices,
    data: &[DataFile],
    unconverged: Unconverged,
) -> Recorded {
    let (control, data) = (devices.record(), data.to_vec());
    Recorded { control, data, unconverged, ..recorder.recorded(is_begun) }
}
