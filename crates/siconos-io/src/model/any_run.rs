//! A run of a model of any kind.

use siconos_kernel::ModelError;

use super::file::BuiltModel;
use super::inclusion::InclusionRun;
use super::kinds::AnyModel;
use crate::hybrid::HybridRun;
use crate::run_error::{ResumeError, RunError, StartError};
use crate::snapshot::content::{Recorded, RunState, Unconverged};

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
