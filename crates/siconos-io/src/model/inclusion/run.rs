//! Run of a process, step by step, from its start or from a snapshot.

use super::super::arrays::check_data;
use super::model::InclusionModel;
use super::scheme::{ProcessStep, Scheme};
use super::step_rule::StepRule;
use crate::output::RowMaker;
use crate::run_error::{InclusionError, ResumeError, RunError, StartError};
use crate::snapshot::content::{DataFile, InclusionKind, InclusionRecord, Recorded};

/// Number of steps after which the scheme restarts, so that a run can be resumed.
const BEGINS_ANEW: usize = 128;

/// Run of a sweeping process or a differential variational inequality.
#[derive(Debug)]
pub struct InclusionRun {
    kind: InclusionKind,
    scheme: Scheme,
    step_rule: StepRule,
    /// Names of the components of the state, followed by the components of the input.
    variables: Vec<String>,
    x: Vec<f64>,
    /// State before the current step. It is restored if the step fails.
    before: Vec<f64>,
    /// Number of steps so far.
    step: usize,
    /// Values that outputs read: the state, the values of the scheme, the number of steps and the step
    /// length.
    values: Vec<f64>,
    rows: RowMaker,
    has_start: bool,
    is_begun: bool,
    restart: (InclusionRecord, Recorded),
    data: Vec<DataFile>,
}

impl InclusionModel {
    /// Creates a run of the process from its start time to its end time.
    ///
    /// # Errors
    ///
    /// [`StartError`] if the sets or the settings of the file are rejected.
    pub fn run(&self) -> Result<InclusionRun, StartError> {
        self.run_to(None)
    }

    /// Creates a run like [`run`](Self::run). `to` \[s\] replaces the end time of the file.
    ///
    /// # Errors
    ///
    /// If [`run`](Self::run) fails, or if the end time cannot be replaced ([`StartError::Fixed`]).
    pub(in crate::model) fn run_to(&self, to: Option<f64>) -> Result<InclusionRun, StartError> {
        if to.is_some() && !self.has_free_end() {
            return Err(StartError::Fixed);
        }
        let step_rule =
            self.step_rule.build(to).map_err(|error| self.fault(&self.places.simulation, error))?;
        let scheme = self.scheme(&step_rule)?;
        let rows = self.outputs.rows();
        let x = self.state.initial.clone();
        let variables: Vec<_> = self.variables().map(|(name, _)| name.to_owned()).collect();
        let record = InclusionRecord {
            kind: self.kind(),
            variables: variables.clone(),
            t: step_rule.start(),
            step: 0,
            x: x.clone(),
            u: scheme.input().to_vec(),
            progress: step_rule.progress(),
        };
        let recorded = Recorded { data: self.data.clone(), ..Recorded::default() };
        Ok(InclusionRun {
            kind: self.kind(),
            scheme,
            step_rule,
            variables,
            before: x.clone(),
            x,
            step: 0,
            values: vec![0.0; self.outputs.values()],
            rows,
            has_start: self.outputs.has_start(),
            is_begun: false,
            restart: (record, recorded),
            data: self.data.clone(),
        })
    }
}

impl InclusionRun {
    /// Takes one step and passes its row to `take`. Returns `false` if the run has ended. The first call also
    /// passes the row at the start time.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the step fails or `take` returns an error. If the step fails, the state remains as it
    /// was before the step.
    pub fn advance<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        if !self.is_begun {
            self.scheme.begin(self.step_rule.start(), &mut self.x).map_err(RunError::Inclusion)?;
            self.is_begun = true;
            self.hand_on(0.0, self.has_start, &mut take)?;
        }
        if self.is_at_end() {
            return Ok(false);
        }
        if self.step.is_multiple_of(BEGINS_ANEW) {
            self.scheme.forget().map_err(RunError::Inclusion)?;
            self.note_restart();
        }
        self.before.copy_from_slice(&self.x);
        let h = match self.take_step() {
            Ok(h) => h,
            Err(error) => {
                self.x.copy_from_slice(&self.before);
                return Err(RunError::Inclusion(error));
            }
        };
        self.step += 1;
        self.hand_on(h, true, &mut take)?;
        Ok(true)
    }

    fn is_at_end(&self) -> bool {
        match &self.step_rule {
            StepRule::Grid(grid) => self.step >= grid.steps(),
            StepRule::Adaptive(adaptive) => adaptive.goal().is_none(),
        }
    }

    /// Takes a step, and returns its length \[s\].
    fn take_step(&mut self) -> Result<f64, InclusionError> {
        let Self { step_rule, scheme, x, step: number, .. } = self;
        let number = *number;
        match step_rule {
            StepRule::Grid(grid) => {
                let time = |k: usize| grid.time(k).unwrap_or_else(|| grid.t0());
                let h = grid.step_length(number).unwrap_or_default();
                scheme.step(ProcessStep { number, from: time(number), to: time(number + 1), h }, x)?;
                Ok(h)
            }
            StepRule::Adaptive(adaptive) => {
                let before = adaptive.progress.t;
                scheme.adaptive_step(adaptive, x)?;
                Ok(adaptive.progress.t - before)
            }
        }
    }

    /// Stores the current state, so that the run can be resumed from it.
    fn note_restart(&mut self) {
        let t = self.t();
        let (record, recorded) = &mut self.restart;
        (record.t, record.step, record.progress) = (t, self.step, self.step_rule.progress());
        record.x.clone_from(&self.x);
        self.scheme.input().clone_into(&mut record.u);
        *recorded = Recorded { data: self.data.clone(), ..self.rows.recorded(true) };
    }

    fn hand_on<E>(
        &mut self,
        h: f64,
        is_written: bool,
        take: &mut impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let t = self.t();
        let Self { x, values, scheme, rows, step, .. } = self;
        let (state, rest) = values.split_at_mut(x.len());
        state.copy_from_slice(x);
        if let [known @ .., of_step, of_length] = rest {
            scheme.write_values(known);
            (*of_step, *of_length) = (*step as f64, h);
        }
        match rows.end_instant(t, &[&[t], &[], values], is_written) {
            Some(row) => take(row).map_err(RunError::Row),
            None => Ok(()),
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

    /// Starts the run, and takes a step.
    pub(super) fn first_step(&mut self) -> Result<(), InclusionError> {
        match self.advance(|_row| Ok::<(), std::convert::Infallible>(())) {
            Err(RunError::Inclusion(error)) => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the data of a snapshot: the state at the last restart of the scheme, and the progress of the
    /// outputs at this restart. A resumed run repeats the steps after the restart and passes their rows
    /// again.
    #[must_use]
    pub fn record(&self) -> (InclusionRecord, Recorded) {
        self.restart.clone()
    }

    /// Resumes the run from the data of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the record belongs to a different process, or if an array file has changed. For a
    /// different process, the error contains the first difference.
    pub fn resume(&mut self, record: &InclusionRecord, recorded: &Recorded) -> Result<(), ResumeError> {
        if record.kind != self.kind {
            return Err(ResumeError::Kind { kept: record.kind.word(), found: self.kind.word() });
        }
        let (kept, found) = (&record.variables, &self.variables);
        let sizes = |x: &[f64], u: &[f64]| (x.len(), u.len());
        if kept != found || sizes(&record.x, &record.u) != sizes(&self.x, self.scheme.input()) {
            let place = kept.iter().zip(found).take_while(|(kept, found)| kept == found).count();
            let name = |names: &[String]| names.get(place).map_or_else(|| "none".to_owned(), Clone::clone);
            return Err(ResumeError::Variable { place, kept: name(kept), found: name(found) });
        }
        let is_on_the_way = match (&mut self.step_rule, record.progress) {
            (StepRule::Grid(grid), None) => grid.time(record.step) == Some(record.t),
            (StepRule::Adaptive(adaptive), Some(progress)) => {
                let is_within = (adaptive.start..=adaptive.end()).contains(&record.t);
                let is_counted = record.step <= progress.tried;
                let fits = is_within && is_counted && progress.t == record.t && progress.h > 0.0;
                if fits {
                    adaptive.progress = progress;
                }
                fits
            }
            _ => false,
        };
        if !is_on_the_way {
            return Err(ResumeError::Time { t: record.t, step: record.step });
        }
        check_data(&self.data, &recorded.data)?;
        self.rows.resume(recorded)?;
        self.scheme.forget().and_then(|()| self.scheme.set_input(&record.u))?;
        self.x.copy_from_slice(&record.x);
        self.step = record.step;
        self.is_begun = recorded.is_begun;
        self.restart = (record.clone(), recorded.clone());
        Ok(())
    }

    /// Returns the kind of the process.
    #[must_use]
    pub fn kind(&self) -> InclusionKind {
        self.kind
    }

    /// Returns the names of the columns; the first column is the time `t`.
    #[must_use]
    pub fn names(&self) -> &[String] {
        self.rows.names()
    }

    /// Returns the unit of each column; empty for a column without a unit.
    #[must_use]
    pub fn units(&self) -> &[String] {
        self.rows.units()
    }

    /// Returns the row that was computed last, even if it was not passed to `take`.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        self.rows.last_row()
    }

    /// Returns the number of rows passed to `take` so far.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows.count()
    }

    /// Returns the current time \[s\].
    #[must_use]
    pub fn t(&self) -> f64 {
        match &self.step_rule {
            StepRule::Grid(grid) => grid.time(self.step).unwrap_or_else(|| grid.t0()),
            StepRule::Adaptive(adaptive) => adaptive.progress.t,
        }
    }

    /// Returns the current state.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.x
    }

    /// Returns the number of steps so far.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the total number of steps of the run, or `None` for adaptive steps and for a grid without end.
    #[must_use]
    pub fn steps(&self) -> Option<usize> {
        match &self.step_rule {
            StepRule::Grid(grid) => (!grid.is_endless()).then(|| grid.steps()),
            StepRule::Adaptive(_) => None,
        }
    }

    /// Returns the start time and the end time \[s\].
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        (self.step_rule.start(), self.step_rule.end())
    }

    /// Returns the completed fraction of the time span, from 0 to 1.
    #[must_use]
    pub fn part_done(&self) -> f64 {
        let (start, end) = self.span();
        ((self.t() - start) / (end - start)).clamp(0.0, 1.0)
    }
}
