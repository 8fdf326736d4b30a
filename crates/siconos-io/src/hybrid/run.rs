//! Run of a hybrid model, event by event, from its initial time or from a snapshot.

use siconos_hybrid::{
    Direction, HybridError, HybridRecord, HybridSolution, IntegrationOutcome, VariableType,
};

use super::HybridModel;
use super::rows::{HybridRows, Stop};
use crate::run_error::{ResumeError, RunError, StartError};
use crate::snapshot::Recorded;

/// Number of intervals into which the time span is divided. [`HybridRun::advance`] returns at the end of each
/// interval, or at an earlier event.
const PARTS: u32 = 200;

/// First interval of a run without end \[s\].
const FIRST_INTERVAL: f64 = 1.0;

/// Minimum and maximum number of integration steps in an interval of a run without end.
const STEPS_OF_INTERVAL: std::ops::RangeInclusive<usize> = 20..=200;

/// Run of a hybrid model. By default, each row contains the time and all variables. The run outputs one row
/// for each time at which the integration stops, and two rows for each event: one before it and one after it.
/// The table `[output]` selects other rows and columns.
///
/// ```
/// use siconos_io::hybrid::HybridModel;
///
/// let text = "format = 1\nkind = \"hybrid\"\n[time]\nend = 2\n\
///             [variables]\nx = { initial = 0, equation = \"x' = 1\" }\n\
///             [[events]]\ntrigger = \"x - 1\"\naction = \"x = 0\"\n";
/// let mut run = HybridModel::parse(text, "saw.toml")?.run(None)?;
/// let mut jumps = Vec::new();
/// let mut last = [f64::NAN; 2];
/// run.to_end(|row| {
///     if row[0] == last[0] {
///         jumps.push(row[0]);
///     }
///     last.copy_from_slice(row);
///     Ok::<_, std::convert::Infallible>(())
/// })?;
/// assert_eq!(run.names(), ["t", "x"]);
/// assert!((jumps[0] - 1.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HybridRun {
    solution: HybridSolution,
    span: (f64, f64),
    /// Types of the columns.
    types: Vec<VariableType>,
    /// Index of the current interval. The run stops at its end.
    part: u32,
    /// Length of the intervals of a run without end \[s\].
    interval: f64,
    rows: HybridRows,
    /// Progress of the rows at the last restart of the integration.
    restart: Option<Recorded>,
    answer: Option<IntegrationOutcome>,
}

impl HybridModel {
    /// Creates a run from the initial time to the time `to` \[s\], or to the end time given in the file. If
    /// the end is before the initial time, the run goes backward. A run with an infinite end continues until
    /// an event halts it or the caller stops.
    ///
    /// # Errors
    ///
    /// [`StartError`] if neither `to` nor the file gives an end, if the end is NaN, or if
    /// [`check`](Self::check) fails.
    pub fn run(&self, to: Option<f64>) -> Result<HybridRun, StartError> {
        let end = to.or(self.end).ok_or_else(|| StartError::NoEnd { name: self.name().to_owned() })?;
        if end.is_nan() {
            return Err(StartError::End { end });
        }
        let solution = self.begun()?;
        let span = (self.t0, end);
        let variables = self.system.names().len() + self.system.discrete_variables().count();
        Ok(HybridRun {
            solution,
            span,
            types: self.outputs.types(&self.system),
            rows: HybridRows::new(&self.outputs, span, variables),
            part: 1,
            interval: FIRST_INTERVAL,
            restart: None,
            answer: None,
        })
    }
}

impl HybridRun {
    /// Advances to the next event, but by at most 1/200 of a finite time span, and passes the new rows to
    /// `take`. Returns `false` at the end of the run. The run also ends if an event halts the solution. The
    /// first call also passes the row at the initial time.
    ///
    /// # Errors
    ///
    /// [`RunError::Hybrid`] if the integration fails, [`RunError::Ended`] if the solution ends before the end
    /// time, and [`RunError::Row`] if `take` returns an error. The rows before the error have been passed to
    /// `take`.
    pub fn advance<E>(&mut self, take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<bool, RunError<E>> {
        if self.answer.is_some() {
            return Ok(false);
        }
        let goal = self.goal();
        let steps_before = self.solution.statistics().steps;
        let answer = self.solution.step_towards(goal);
        if self.solution.t() == goal {
            let taken = self.solution.statistics().steps - steps_before;
            self.interval *= match taken {
                _ if taken < *STEPS_OF_INTERVAL.start() => 2.0,
                _ if taken > *STEPS_OF_INTERVAL.end() => 0.5,
                _ => 1.0,
            };
        }
        let is_on_its_way = answer == Ok(IntegrationOutcome::Reached) && !self.is_at_end(self.solution.t());
        let handed_on = self.hand_on(!is_on_its_way, take);
        match answer {
            Err(error) => return Err(RunError::Hybrid(error)),
            Ok(_) if is_on_its_way => (),
            Ok(answer) => {
                self.solution.warn_of_small_variables();
                self.answer = Some(answer);
            }
        }
        handed_on?;
        match &self.answer {
            None | Some(IntegrationOutcome::Reached | IntegrationOutcome::Halted { .. }) => Ok(true),
            Some(answer) => Err(RunError::Ended(answer.clone())),
        }
    }

    /// Runs to the end, and passes each row to `take`.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    pub fn to_end<E>(&mut self, mut take: impl FnMut(&[f64]) -> Result<(), E>) -> Result<(), RunError<E>> {
        while self.advance(&mut take)? {}
        Ok(())
    }

    /// Returns `true` if `t` is the end time, or exceeds it only by rounding error.
    fn is_at_end(&self, t: f64) -> bool {
        let (start, end) = self.span;
        t == end || ((t - end) * (end - start) > 0.0 && self.solution.is_one_instant(t, end))
    }

    /// Returns the time to advance to: the end of the next interval.
    fn goal(&mut self) -> f64 {
        let (start, end) = self.span;
        let sign = if end < start { -1.0 } else { 1.0 };
        if end.is_infinite() {
            return (self.solution.t() + sign * self.interval).clamp(f64::MIN, f64::MAX);
        }
        while self.part < PARTS {
            let goal = start + (end - start) * f64::from(self.part) / f64::from(PARTS);
            if sign * (goal - self.solution.t()) > 0.0 {
                return goal;
            }
            self.part += 1;
        }
        end
    }

    /// Passes the new rows to `take`. The current time has a row only at an event, at a restart, or at the
    /// end, because the times of all other stops depend on the calls of `advance`.
    fn hand_on<E>(
        &mut self,
        is_end: bool,
        mut take: impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let sign = self.solution.direction().map_or(1.0, Direction::sign);
        let trajectory = self.solution.trajectory();
        let marks: Vec<f64> = trajectory.events().map(|mark| mark.t).collect();
        let mut next_mark = 0;
        let restarted_at = self.solution.restarted_at();
        let present = trajectory.span().1;
        let mut is_settled = false;
        for t in trajectory.times() {
            let is_event = marks.get(next_mark) == Some(&t);
            next_mark += usize::from(is_event);
            if sign * (t - self.rows.maker.last_time()) <= 0.0 {
                continue;
            }
            is_settled = t != present || is_event || restarted_at == Some(t);
            if !is_settled && !is_end {
                continue;
            }
            let stop = Stop { t, is_event, is_end: is_end && t == present };
            self.rows.pass(&self.solution, stop, &mut take)?;
            if restarted_at == Some(t) {
                self.restart = Some(self.rows.maker.recorded(true));
            }
        }
        if is_settled && self.rows.maker.last_time() == present {
            self.solution.forget_trajectory();
        }
        Ok(())
    }

    /// Returns the data of a snapshot: the state at the last restart of the integration, and the progress of
    /// the output at this restart. A resumed run repeats the integration from this restart and outputs the
    /// same rows again.
    #[must_use]
    pub fn record(&self) -> (HybridRecord, Recorded) {
        (self.solution.record(), self.restart.clone().unwrap_or_default())
    }

    /// Resumes the run from the data of [`record`](Self::record).
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the record belongs to a different system (the error contains the first difference),
    /// if the recorded run has the opposite direction of time, or if the recorded time is after the end of
    /// this run.
    pub fn resume(&mut self, record: &HybridRecord, recorded: &Recorded) -> Result<(), ResumeError> {
        let (start, end) = self.span;
        let way = Direction::of(start, end);
        if let Some(kept) = record.direction()
            && Some(kept) != way
        {
            return Err(ResumeError::Direction { kept, end });
        }
        let is_behind = way.is_some_and(|way| way.sign() * (record.t() - end) > 0.0);
        if is_behind && !self.is_at_end(record.t()) {
            return Err(ResumeError::Behind { t: record.t(), end });
        }
        let mut recorded = recorded.clone();
        if recorded.sums.is_empty() {
            // Snapshots of hybrid runs did not contain sums before there was a table of outputs.
            recorded.sums = vec![0.0; self.names().len()];
        }
        self.solution.resume(record)?;
        self.rows.maker.resume(&recorded)?;
        self.rows.is_begun = recorded.is_begun;
        self.restart = recorded.is_begun.then_some(recorded);
        Ok(())
    }

    /// Stores all further rows and additional points between them, so that a curve can be drawn.
    pub fn keep_curve(&mut self) {
        self.rows.curve = Some(Vec::new());
    }

    /// Returns the stored rows and the points between them, or `None` if they are not stored.
    #[must_use]
    pub fn curve(&self) -> Option<&[Vec<f64>]> {
        self.rows.curve.as_deref()
    }

    /// Returns the solution computed so far. Its trajectory is discarded during the run.
    #[must_use]
    pub fn solution(&self) -> &HybridSolution {
        &self.solution
    }

    /// Returns the reason why the solution ended, or `None` before its end.
    #[must_use]
    pub fn answer(&self) -> Option<&IntegrationOutcome> {
        self.answer.as_ref()
    }

    /// Returns the names of the columns; the first column is the time `t`. Without a table `[output]`, the
    /// continuous and the discrete variables follow.
    #[must_use]
    pub fn names(&self) -> &[String] {
        self.rows.maker.names()
    }

    /// Returns the unit of each column; empty for a column without a unit.
    #[must_use]
    pub fn units(&self) -> &[String] {
        self.rows.maker.units()
    }

    /// Returns the types of the columns.
    pub fn types(&self) -> impl Iterator<Item = VariableType> + '_ {
        self.types.iter().copied()
    }

    /// Returns the row that was computed last, even if it was not passed to `take`.
    #[must_use]
    pub fn last_row(&self) -> &[f64] {
        self.rows.maker.last_row()
    }

    /// Returns the number of rows passed to `take` so far.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows.maker.count()
    }

    /// Returns the start time and the end time \[s\]; the end is infinite for a run without end.
    #[must_use]
    pub fn span(&self) -> (f64, f64) {
        self.span
    }

    /// Returns the completed fraction of the time span, from 0 to 1; 0 for a run without end.
    #[must_use]
    pub fn part_done(&self) -> f64 {
        let (start, end) = self.span;
        if end == start { 1.0 } else { ((self.solution.t() - start) / (end - start)).clamp(0.0, 1.0) }
    }
}

impl From<HybridError> for ResumeError {
    fn from(error: HybridError) -> Self {
        Self::Hybrid(error)
    }
}
