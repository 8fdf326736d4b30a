//! A built model goes to its end, step by step or event by event, from its start or from where it was.

use siconos_kernel::error::ModelError;
use siconos_kernel::simulation::EventKind;
use siconos_kernel::state::{Side, State};

use super::any_run::{ResumeError, RunError};
use super::file::{BuiltModel, Restart};
use super::simulation::BuiltSimulation;
use crate::snapshot::{Recorded, RunState};

impl BuiltModel {
    /// Takes a step, or goes to the next event, and hands each of its rows on; false at the end. The first
    /// one comes with the row of the start.
    ///
    /// # Errors
    ///
    /// [`RunError`]; after an error of a step the state is that before it.
    pub fn advance<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        let Self { model, simulation, state, recorder, rows, restart, .. } = self;
        let mut hand_on = |state: &_, side| match recorder.next_row(state, side, rows.every) {
            Some(row) => take(row).map_err(RunError::Row),
            None => Ok(()),
        };
        if !std::mem::replace(&mut self.is_begun, true) && rows.has_start {
            hand_on(state, Side::After)?;
        }
        match simulation {
            BuiltSimulation::TimeStepping(simulation) => {
                if simulation.step(model, state).map_err(RunError::Step)?.is_none() {
                    return Ok(false);
                }
                hand_on(state, Side::After)?;
            }
            BuiltSimulation::EventDriven(simulation) => {
                let Some(report) = simulation.step(model, state).map_err(RunError::Step)? else {
                    return Ok(false);
                };
                let has = |kind| report.events.iter().any(|event| event.kind() == kind);
                let begins_anew = has(EventKind::NonSmooth) || has(EventKind::Restart);
                // Where nothing is but a restart there is nothing to see.
                let is_bare = report.events.iter().all(|event| event.kind() == EventKind::Restart);
                let sides = match (rows.grid_only || is_bare, has(EventKind::TimeDiscretisation)) {
                    (true, false) => &[][..],
                    (true, true) => &[Side::After],
                    (false, _) if rows.after_only => &[Side::After],
                    (false, _) => report.sides(),
                };
                for side in sides {
                    hand_on(state, *side)?;
                }
                if begins_anew {
                    let (state, recorded) = (state.clone(), recorder.recorded(true));
                    *restart = Some(Restart { state, recorded, carried: Some(simulation.carried()) });
                }
            }
        }
        Ok(true)
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
    /// contact, opening or [`Restart`](EventKind::Restart): there the integrator begins anew, whereas between
    /// two of them it has memory. The stretch since then is integrated once more by whoever goes on, and its
    /// rows are made again.
    ///
    /// # Errors
    ///
    /// None that a user can cause.
    pub fn record(&self) -> Result<(RunState, Recorded), ModelError> {
        let start = || (&self.start, Recorded::default(), None);
        let (state, recorded, carried) = match (&self.simulation, &self.restart) {
            (BuiltSimulation::EventDriven(_), Some(restart)) => {
                (&restart.state, restart.recorded.clone(), restart.carried.clone())
            }
            (BuiltSimulation::EventDriven(_), None) => start(),
            (BuiltSimulation::TimeStepping(_), _) => {
                (&self.state, self.recorder.recorded(self.is_begun), None)
            }
        };
        Ok((RunState::Model { state: state.record(&self.model)?, carried }, recorded))
    }

    /// Goes on from what [`record`](Self::record) kept.
    ///
    /// # Errors
    ///
    /// [`ResumeError`] for the state of another model, with the first difference.
    pub fn resume(&mut self, kept: &RunState, recorded: &Recorded) -> Result<(), ResumeError> {
        let RunState::Model { state: record, carried } = kept else {
            return Err(ResumeError::Kind { kept: kept.kind(), found: "model" });
        };
        let state = State::restore(&self.model, record)?;
        self.recorder.resume(recorded)?;
        self.is_begun = recorded.is_begun;
        if let (BuiltSimulation::EventDriven(simulation), Some(carried)) = (&mut self.simulation, carried) {
            simulation.recall(state.t, carried);
        }
        let carried = carried.clone();
        self.restart = Some(Restart { state: state.clone(), recorded: recorded.clone(), carried });
        self.state = state;
        Ok(())
    }
}
