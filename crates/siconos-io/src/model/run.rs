//! A built model goes to its end, step by step or event by event, from its start or from where it was.

use siconos_kernel::error::{ModelError, SimulationError};
use siconos_kernel::simulation::EventKind;
use siconos_kernel::state::{Side, State, StateRecord};

use super::file::BuiltModel;
use super::simulation::BuiltSimulation;
use crate::snapshot::Recorded;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// A step failed.
    #[error(transparent)]
    Step(SimulationError),
    /// Whoever takes the rows has an error.
    #[error(transparent)]
    Row(E),
}

impl BuiltModel {
    /// Takes a step, or goes to the next event, and hands each of its rows on; false at the end. The first
    /// one comes with the row of the start.
    ///
    /// # Errors
    ///
    /// [`RunError`]; after an error of a step the state is that before it.
    pub fn advance<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        let Self { model, simulation, state, recorder, restart, .. } = self;
        let rows = self.outputs.rows;
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
                let begins_anew = has(EventKind::NonSmooth);
                let sides = match (rows.grid_only, has(EventKind::TimeDiscretisation)) {
                    (true, false) => &[][..],
                    (true, true) => &[Side::After],
                    (false, _) if rows.after_only => &[Side::After],
                    (false, _) => report.sides(),
                };
                for side in sides {
                    hand_on(state, *side)?;
                }
                if begins_anew {
                    *restart = Some((state.clone(), recorder.recorded(true)));
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
                Ok((self.start.record(&self.model)?, Recorded::default()))
            }
            (BuiltSimulation::TimeStepping(_), _) => {
                Ok((self.state.record(&self.model)?, self.recorder.recorded(self.is_begun)))
            }
        }
    }

    /// Goes on from what [`record`](Self::record) kept.
    ///
    /// # Errors
    ///
    /// [`ModelError`] for the state of another model, with the first difference.
    pub fn resume(&mut self, record: &StateRecord, recorded: &Recorded) -> Result<(), ModelError> {
        let state = State::restore(&self.model, record)?;
        self.recorder.resume(recorded)?;
        self.is_begun = recorded.is_begun;
        self.restart = Some((state.clone(), recorded.clone()));
        self.state = state;
        Ok(())
    }
}
