//! A run of a model of any kind.

use siconos_kernel::ModelError;

use super::file::BuiltModel;
use super::inclusion::InclusionRun;
use super::kinds::AnyModel;
use crate::hybrid::HybridRun;
use crate::run_error::{ResumeError, RunError, StartError};
use crate::snapshot::content::{Recorded, RunState, Unconverged};

/// A run of a model of any kind.
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
    /// Run of a model with systems and interactions.
    Model(Box<BuiltModel>),
    /// Run of a hybrid system: equations with events.
    Hybrid(Box<HybridRun>),
    /// Run of a sweeping process or a differential variational inequality.
    Inclusion(Box<InclusionRun>),
}

impl AnyModel {
    /// Creates a run of the model from its start time to its end time. `to` \[s\] replaces the end time of
    /// the file; infinity gives a run without end.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the model cannot be built, or if the end time cannot be replaced.
    pub fn run(&self, to: Option<f64>) -> Result<AnyRun, StartError> {
        if let Some(end) = to.filter(|end| end.is_nan()) {
            return Err(StartError::End { end });
        }
        Ok(match (self, to) {
            (Self::Inclusion(model), to) => AnyRun::Inclusion(Box::new(model.run_to(to)?)),
            (Self::Model(file), None) => AnyRun::Model(Box::new(file.build()?)),
            (Self::Model(file), Some(end)) => AnyRun::Model(Box::new(file.build_until(end)?)),
            (Self::Hybrid(model), to) => AnyRun::Hybrid(Box::new(model.run(to)?)),
        })
    }
}

impl AnyRun {
    /// Advances the run by one step, to the next event, or by a fraction of the time span; this depends on
    /// the kind of the model and on its simulation. Passes each new row to `take`. Returns `false` if the run
    /// has ended. The first call also passes the row at the start time.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the step fails or `take` returns an error.
    pub fn advance<E>(&mut self, take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        match self {
            Self::Model(built) => built.advance(take),
            Self::Hybrid(run) => run.advance(take),
            Self::Inclusion(run) => run.advance(take),
        }
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

    /// Returns the data of a snapshot: the state from which the run can be resumed bit for bit, and the
    /// progress of the outputs at this state.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the state does not belong to the model.
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

    /// Resumes the run from the data of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the data belong to a different model. The error contains the first difference.
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

    /// Returns the number of steps that did not converge so far, and the time of the first one, see
    /// [`BuiltModel::unconverged`]. Returns `None` for a hybrid system or an inclusion, because such a run
    /// ends with an error at the first step that does not converge.
    #[must_use]
    pub fn unconverged(&self) -> Option<Unconverged> {
        match self {
            Self::Model(built) => built.unconverged(),
            Self::Hybrid(_) | Self::Inclusion(_) => None,
        }
    }

    /// Returns the names of the columns; the first column is the time `t`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        match self {
            Self::Model(built) => built.recorder.names(),
            Self::Hybrid(run) => run.names(),
            Self::Inclusion(run) => run.names(),
        }
    }

    /// Returns the unit of each column, from the key `unit` in the file; empty for a column without a unit.
    #[must_use]
    pub fn units(&self) -> &[String] {
        match self {
            Self::Model(built) => built.recorder.units(),
            Self::Hybrid(run) => run.units(),
            Self::Inclusion(run) => run.units(),
        }
    }

    /// Returns the row that was computed last, even if it was not passed to `take`.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        match self {
            Self::Model(built) => built.recorder.last_row(),
            Self::Hybrid(run) => run.last_row(),
            Self::Inclusion(run) => run.last_row(),
        }
    }

    /// Returns the number of rows passed to `take` so far.
    #[must_use]
    pub fn rows(&self) -> u64 {
        match self {
            Self::Model(built) => built.recorder.rows(),
            Self::Hybrid(run) => run.rows(),
            Self::Inclusion(run) => run.rows(),
        }
    }

    /// Returns the current time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        match self {
            Self::Model(built) => built.state.t,
            Self::Hybrid(run) => run.solution().t(),
            Self::Inclusion(run) => run.t(),
        }
    }
}
