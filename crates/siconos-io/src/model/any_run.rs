//! A run of a model of any kind.

use siconos_control::ControlError;
use siconos_hybrid::{Answer, Direction, HybridError};
use siconos_kernel::{ModelError, SimulationError};

use super::events::NotFinite;
use super::inclusion::{InclusionError, InclusionRun};
use super::{AnyModel, BuiltModel, Unconverged};
use crate::document::DocumentError;
use crate::hybrid::HybridRun;
use crate::snapshot::{Recorded, RunState};

/// A model on its way to its end, whatever its kind.
///
/// ```
/// use siconos_io::model::AnyModel;
///
/// let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 1\n\
///             [variables]\nx = { initial = 1, equation = \"x' = -x\" }\n";
/// let mut run = AnyModel::parse(text, "decay.toml", &[])?.run(None)?;
/// run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
/// assert_eq!(run.names(), ["t", "x"]);
/// assert!((run.last_row()[1] - (-1.0_f64).exp()).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum AnyRun {
    /// Of systems and interactions.
    Model(Box<BuiltModel>),
    /// Of equations with events.
    Hybrid(Box<HybridRun>),
    /// Of a process that a set keeps within bounds.
    Inclusion(Box<InclusionRun>),
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The model cannot be built, or has no solution to begin with.
    #[error(transparent)]
    Model(#[from] DocumentError),
    /// Nothing says up to when a hybrid model is computed.
    #[error("{name}: say up to when, by `end` in [time]")]
    NoEnd {
        /// The file.
        name: String,
    },
    /// A time that is none.
    #[error("the end is {end}; it must be a time in seconds")]
    End {
        /// The time.
        end: f64,
    },
    /// A time up to which a model is to go whose file says it.
    #[error("a time to go to is for hybrid models; set `simulation.end` for this one")]
    Fixed,
}

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// A step failed.
    #[error(transparent)]
    Step(SimulationError),
    /// A sensor, an observer or a controller failed. The step has been taken.
    #[error(transparent)]
    Control(ControlError),
    /// An event sets a parameter to what it cannot be. The step has been taken.
    #[error(transparent)]
    Event(NotFinite),
    /// A hybrid system has no value, or its events have no end.
    #[error(transparent)]
    Hybrid(HybridError),
    /// A step of a process fails.
    #[error(transparent)]
    Inclusion(InclusionError),
    /// The solution of a hybrid system ends before.
    #[error("{0}")]
    Ended(Answer),
    /// Whoever takes the rows has an error.
    #[error(transparent)]
    Row(E),
}

/// Why a run cannot go on from a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The state of another model.
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
    /// The record of another hybrid system.
    #[error(transparent)]
    Hybrid(HybridError),
    /// The record of a process with another variable.
    #[error("variable {place} is `{found}`, and that of the snapshot is `{kept}`")]
    Variable {
        /// Its place, from 0.
        place: usize,
        /// The name that the snapshot has there.
        kept: String,
        /// The name that the model has there.
        found: String,
    },
    /// The record of a process at a time that is none of its steps.
    #[error("the snapshot is at t = {t} after {step} steps, which is no point of the grid of this model")]
    Time {
        /// The time of the snapshot \[s\].
        t: f64,
        /// Its number of steps.
        step: usize,
    },
    /// What the process is followed by cannot go on with the numbers of the snapshot.
    #[error(transparent)]
    Inclusion(#[from] InclusionError),
    /// They are of different kinds.
    #[error("the snapshot is of a model of the kind `{kept}`, and this is one of the kind `{found}`")]
    Kind {
        /// The kind of the snapshot.
        kept: &'static str,
        /// The kind of the model.
        found: &'static str,
    },
    /// The run went the other way.
    #[error("the run of the snapshot goes to the {kept}, away from t = {end}")]
    Direction {
        /// The way of the snapshot.
        kept: Direction,
        /// Where this run is to go \[s\].
        end: f64,
    },
    /// The snapshot is behind the end.
    #[error("the snapshot is at t = {t}, further than the end at t = {end}")]
    Behind {
        /// The time of the snapshot \[s\].
        t: f64,
        /// Where this run is to go \[s\].
        end: f64,
    },
}

impl AnyModel {
    /// A run from the start to its end, or to a time \[s\] where the model is hybrid.
    ///
    /// # Errors
    ///
    /// [`StartError`].
    pub fn run(&self, to: Option<f64>) -> Result<AnyRun, StartError> {
        match (self, to) {
            (Self::Model(_) | Self::Inclusion(_), Some(_)) => Err(StartError::Fixed),
            (Self::Inclusion(model), None) => Ok(AnyRun::Inclusion(Box::new(model.run()?))),
            (Self::Model(file), None) => Ok(AnyRun::Model(Box::new(file.build()?))),
            (Self::Hybrid(model), to) => Ok(AnyRun::Hybrid(Box::new(model.run(to)?))),
        }
    }
}

impl AnyRun {
    /// Takes a step, or goes to the next event or a part of the way, and hands each of its rows on; false at
    /// the end. The first one comes with the row of the start.
    ///
    /// # Errors
    ///
    /// [`RunError`].
    pub fn advance<E>(&mut self, take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        match self {
            Self::Model(built) => built.advance(take),
            Self::Hybrid(run) => run.advance(take),
            Self::Inclusion(run) => run.advance(take),
        }
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

    /// What a snapshot keeps of the run: the state from which it goes on to the same bits, and how far the
    /// outputs had come there.
    ///
    /// # Errors
    ///
    /// None that a user can cause.
    pub fn record(&self) -> Result<(RunState, Recorded), ModelError> {
        match self {
            Self::Model(built) => built.record(),
            Self::Hybrid(run) => {
                let (record, recorded) = run.record();
                Ok((RunState::Hybrid(record), recorded))
            }
            Self::Inclusion(run) => {
                let (record, recorded) = run.record();
                Ok((RunState::Inclusion(record), recorded))
            }
        }
    }

    /// Goes on from what [`record`](Self::record) kept.
    ///
    /// # Errors
    ///
    /// [`ResumeError`] with the first difference.
    pub fn resume(&mut self, state: &RunState, recorded: &Recorded) -> Result<(), ResumeError> {
        match (self, state) {
            (Self::Model(built), state) => built.resume(state, recorded),
            (Self::Hybrid(run), RunState::Hybrid(record)) => run.resume(record, recorded),
            (Self::Hybrid(_), state) => Err(ResumeError::Kind { kept: state.kind(), found: "hybrid" }),
            (Self::Inclusion(run), RunState::Inclusion(record)) => run.resume(record, recorded),
            (Self::Inclusion(run), state) => {
                Err(ResumeError::Kind { kept: state.kind(), found: run.kind().word() })
            }
        }
    }

    /// The steps so far that did not converge, as [`BuiltModel::unconverged`]; nothing for models of
    /// other kinds, which end there.
    #[must_use]
    pub fn unconverged(&self) -> Option<Unconverged> {
        match self {
            Self::Model(built) => built.unconverged(),
            Self::Hybrid(_) | Self::Inclusion(_) => None,
        }
    }

    /// The names of the columns, that of the time `t` first.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            Self::Model(built) => built.recorder.names(),
            Self::Hybrid(run) => run.names(),
            Self::Inclusion(run) => run.names(),
        }
    }

    /// The last row.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        match self {
            Self::Model(built) => built.recorder.last_row(),
            Self::Hybrid(run) => run.last_row(),
            Self::Inclusion(run) => run.last_row(),
        }
    }

    /// How many rows have been handed on.
    #[must_use]
    pub fn rows(&self) -> u64 {
        match self {
            Self::Model(built) => built.recorder.rows(),
            Self::Hybrid(run) => run.rows(),
            Self::Inclusion(run) => run.rows(),
        }
    }

    /// How far it has come \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        match self {
            Self::Model(built) => built.state.t,
            Self::Hybrid(run) => run.solution().t(),
            Self::Inclusion(run) => run.t(),
        }
    }
}
