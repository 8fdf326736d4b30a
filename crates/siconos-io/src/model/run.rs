//! A built model goes to its end, step by step or event by event, from its start or from where it was.

use siconos_kernel::control::ControlError;
use siconos_kernel::error::{ModelError, SimulationError};
use siconos_kernel::simulation::EventKind;
use siconos_kernel::state::{Side, State, StateRecord};

use super::arrays::DataFile;
use super::control::Devices;
use super::file::BuiltModel;
use super::outputs::Recorder;
use super::simulation::BuiltSimulation;
use crate::snapshot::Recorded;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// A step failed.
    #[error(transparent)]
    Step(SimulationError),
    /// A sensor, an observer or a controller failed, or an event sets a parameter to what it cannot be. The
    /// step has been taken.
    #[error(transparent)]
    Control(ControlError),
    /// Whoever takes the rows has an error.
    #[error(transparent)]
    Row(E),
}

/// Why a run cannot go on from a record.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The state is that of another model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// What is kept of devices is that of others.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The simulation cannot begin.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A file of an array has changed.
    #[error("the file `{path}` of the model is {now}; the snapshot is of a model with {then}")]
    Data {
        /// The file, as the model names it.
        path: String,
        /// The checksum that it has.
        now: String,
        /// The checksum that it had.
        then: String,
    },
}

impl BuiltModel {
    /// Takes a step, or goes to the next event, and hands each of its rows on; false at the end. The first
    /// one comes with the row of the start.
    ///
    /// # Errors
    ///
    /// [`RunError`]; after an error of a step the state is that before it.
    pub fn advance<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        let begins_with_events = self.begins_with_events();
        let Self { model, simulation, state, recorder, rows, restart, devices, events, data, .. } = self;
        let mut hand_on =
            |state: &_, side, devices: &_| match recorder.next_row(state, side, rows.every, devices) {
                Some(row) => take(row).map_err(RunError::Row),
                None => Ok(()),
            };
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        if is_first && rows.has_start && !begins_with_events {
            hand_on(state, Side::After, devices)?;
        }
        match simulation {
            BuiltSimulation::TimeStepping(simulation) => {
                let Some(report) = simulation.step(model, state).map_err(RunError::Step)? else {
                    return Ok(false);
                };
                for event in report.events {
                    devices.process(event, model, state).map_err(RunError::Control)?;
                    events.process(event, state, devices).map_err(RunError::Control)?;
                }
                // Events at the start are a step in which nothing moves.
                if !(is_first && begins_with_events) || rows.has_start {
                    hand_on(state, Side::After, devices)?;
                }
            }
            BuiltSimulation::EventDriven(simulation) => {
                let Some(report) = simulation.step(model, state).map_err(RunError::Step)? else {
                    return Ok(false);
                };
                let has = |kind| report.events.iter().any(|event| event.kind() == kind);
                let begins_anew = has(EventKind::NonSmooth);
                let sides = match (rows.grid_only, has(EventKind::TimeDiscretisation)) {
                    (true, false) => &[][..],
                    (true, true) => &[Side::After],
                    (false, _) if rows.after_only => &[Side::After],
                    (false, _) => report.sides(),
                };
                for side in sides.iter().filter(|side| **side == Side::Before) {
                    hand_on(state, *side, devices)?;
                }
                for event in report.events {
                    devices.process(event, model, state).map_err(RunError::Control)?;
                    events.process(event, state, devices).map_err(RunError::Control)?;
                }
                for side in sides.iter().filter(|side| **side == Side::After) {
                    hand_on(state, *side, devices)?;
                }
                if begins_anew {
                    *restart = Some((state.clone(), beside(recorder, true, devices, data)));
                }
            }
        }
        Ok(true)
    }

    /// Whether the first step is that of the events at the start, in which nothing moves.
    fn begins_with_events(&self) -> bool {
        let BuiltSimulation::TimeStepping(simulation) = &self.simulation else { return false };
        let has_events = !(self.devices.is_empty() && self.events.is_empty());
        let start = simulation.discretisation().t0();
        !self.is_begun && has_events && simulation.events().next_time().is_some_and(|time| time <= start)
    }

    /// Goes to the end, and hands each row on.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    pub fn to_end<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<(), RunError<E>> {
        while self.advance(&mut take)? {}
        Ok(())
    }

    /// How many steps, or points of the grid, there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        match &self.simulation {
            BuiltSimulation::TimeStepping(simulation) => simulation.discretisation().steps(),
            BuiltSimulation::EventDriven(simulation) => simulation.discretisation().steps(),
        }
    }

    /// What a snapshot keeps of the run: the state from which it goes on to the same bits, and how far the
    /// outputs had come there.
    ///
    /// By time steps that is the present state. From event to event it is the state behind the last impact,
    /// contact or opening: there the integrator begins anew, whereas between two of them it has memory. The
    /// stretch since then is integrated once more by whoever goes on, and its rows are made again.
    ///
    /// # Errors
    ///
    /// None that a user can cause.
    pub fn record(&self) -> Result<(StateRecord, Recorded), ModelError> {
        match (&self.simulation, &self.restart) {
            (BuiltSimulation::EventDriven(_), Some((state, recorded))) => {
                Ok((state.record(&self.model)?, recorded.clone()))
            }
            (BuiltSimulation::EventDriven(_), None) => {
                let recorded = Recorded { data: self.data.clone(), ..Recorded::default() };
                Ok((self.start.record(&self.model)?, recorded))
            }
            (BuiltSimulation::TimeStepping(_), _) => {
                let Self { recorder, devices, data, .. } = self;
                Ok((self.state.record(&self.model)?, beside(recorder, self.is_begun, devices, data)))
            }
        }
    }

    /// Goes on from what [`record`](Self::record) kept.
    ///
    /// # Errors
    ///
    /// [`ResumeError`]: the state of another model, with the first difference; other devices; a file of an
    /// array that has changed.
    pub fn resume(&mut self, record: &StateRecord, recorded: &Recorded) -> Result<(), ResumeError> {
        check_data(&self.data, &recorded.data)?;
        let mut state = State::restore(&self.model, record)?;
        self.recorder.resume(recorded)?;
        self.devices.restore(recorded.control.as_ref())?;
        let begins_with_events = self.begins_with_events();
        self.is_begun = recorded.is_begun;
        if let BuiltSimulation::TimeStepping(simulation) = &mut self.simulation
            && self.is_begun
            && begins_with_events
            && state.t.to_bits() == simulation.discretisation().t0().to_bits()
        {
            // The events at the start have been dealt with; nothing moves in their step.
            simulation.step(&self.model, &mut state)?;
        }
        self.restart = Some((state.clone(), recorded.clone()));
        self.state = state;
        Ok(())
    }
}

/// What a snapshot keeps beside the state.
fn beside(recorder: &Recorder, is_begun: bool, devices: &Devices, data: &[DataFile]) -> Recorded {
    Recorded { control: devices.record(), data: data.to_vec(), ..recorder.recorded(is_begun) }
}

/// Sees to it that files have not changed; which ones there are, the text of the model says.
fn check_data(now: &[DataFile], then: &[DataFile]) -> Result<(), ResumeError> {
    let same = |then: &DataFile| now.iter().find(|now| now.path == then.path && now.check != then.check);
    let Some((then, now)) = then.iter().find_map(|then| Some((then, same(then)?))) else { return Ok(()) };
    let shown = |check: u32| format!("one with the checksum {check:08x}");
    Err(ResumeError::Data { path: then.path.clone(), now: shown(now.check), then: shown(then.check) })
}
