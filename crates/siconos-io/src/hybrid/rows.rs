//! Rows of a hybrid run.

use siconos_hybrid::{HybridError, HybridSolution};
use siconos_kernel::EventSide;

use super::outputs::Outputs;
use crate::output::RowMaker;
use crate::run_error::RunError;

/// Number of points that are added to a curve between two stops.
const WITHIN: usize = 7;

/// Number of points of a curve above which no further points are added between stops. The rows of such a
/// curve are too close to each other for the additional points to be visible.
const MANY: usize = 40_000;

/// Rows of a hybrid run: at the stops of the integration or on a grid of times, and at events.
#[derive(Debug)]
pub(super) struct HybridRows {
    pub(super) maker: RowMaker,
    /// Time between rows \[s\]; `None` for a row at each stop of the integration.
    step: Option<f64>,
    /// Initial time of the run \[s\].
    start: f64,
    /// Direction of time, 1 or -1.
    sign: f64,
    has_start: bool,
    after_only: bool,
    pub(super) is_begun: bool,
    /// Values of all variables at one point.
    values: Vec<f64>,
    /// Rows of all stops and points between them, if they are stored.
    pub(super) curve: Option<Vec<Vec<f64>>>,
}

/// Time at which the integration stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// Time \[s\].
    pub(super) t: f64,
    /// `true` if events fired at this time.
    pub(super) is_event: bool,
    /// `true` at the end of the run.
    pub(super) is_end: bool,
}

impl HybridRows {
    /// Creates the rows of a run over the time span `span` \[s\] of a system with `variables` variables.
    pub(super) fn new(outputs: &Outputs, span: (f64, f64), variables: usize) -> Self {
        let sign = if span.1 < span.0 { -1.0 } else { 1.0 };
        Self {
            maker: outputs.rows(sign),
            step: outputs.step,
            start: span.0,
            sign,
            has_start: outputs.has_start(),
            after_only: outputs.after_only,
            is_begun: false,
            values: vec![0.0; variables],
            curve: None,
        }
    }

    /// Passes the rows after the previous stop, up to this stop, to `take`.
    pub(super) fn pass<E>(
        &mut self,
        solution: &HybridSolution,
        stop: Stop,
        take: &mut impl FnMut(&[f64]) -> Result<(), E>,
    ) -> Result<(), RunError<E>> {
        let (t, before) = (stop.t, self.maker.last_time());
        let is_start = !std::mem::replace(&mut self.is_begun, true);
        let mut hand_on = |row: Option<&[f64]>| row.map_or(Ok(()), |row| take(row).map_err(RunError::Row));
        self.add_to_curve(solution, stop, before).map_err(RunError::Hybrid)?;
        let mut number = self.step.map_or(0.0, |step| self.number_of(before, step).floor().max(0.0));
        while let Some(next) = self.on_grid_before(&mut number, before, t) {
            hand_on(self.row(solution, next, true).map_err(RunError::Hybrid)?)?;
        }
        let is_written = match self.step {
            _ if is_start => self.has_start,
            None => true,
            Some(step) => {
                stop.is_event || stop.is_end || self.on_grid(step, self.number_of(t, step).round()) == t
            }
        };
        if stop.is_event && is_written && !self.after_only {
            let Self { maker, values, .. } = self;
            let slots = at(solution, &t, EventSide::Before, values).map_err(RunError::Hybrid)?;
            hand_on(maker.row_before(t, &slots))?;
        }
        hand_on(self.row(solution, t, is_written).map_err(RunError::Hybrid)?)
    }

    /// Returns the row after a stop or at a point of the grid.
    fn row(
        &mut self,
        solution: &HybridSolution,
        t: f64,
        is_written: bool,
    ) -> Result<Option<&[f64]>, HybridError> {
        let Self { maker, values, .. } = self;
        let slots = at(solution, &t, EventSide::After, values)?;
        Ok(maker.end_instant(t, &slots, is_written))
    }

    /// Returns a time of the grid \[s\].
    fn on_grid(&self, step: f64, number: f64) -> f64 {
        self.start + self.sign * step * number
    }

    /// Returns the number of a time on the grid; not a whole number between two times of the grid.
    fn number_of(&self, t: f64, step: f64) -> f64 {
        self.sign * (t - self.start) / step
    }

    /// Returns the next time of the grid between two stops \[s\], without the stops. `number` is the number
    /// of the first time that is considered, and is then the number of the following one.
    fn on_grid_before(&self, number: &mut f64, before: f64, t: f64) -> Option<f64> {
        let step = self.step.filter(|_| before.is_finite())?;
        loop {
            let (next, following) = (self.on_grid(step, *number), *number + 1.0);
            // Beyond 2^53, consecutive numbers are equal, and the times of the grid are too close to each
            // other.
            if self.sign * (t - next) <= 0.0 || following == *number {
                return None;
            }
            *number = following;
            if self.sign * (next - before) > 0.0 {
                return Some(next);
            }
        }
    }

    /// Adds the row of a stop and points before it to the curve.
    fn add_to_curve(
        &mut self,
        solution: &HybridSolution,
        stop: Stop,
        before: f64,
    ) -> Result<(), HybridError> {
        let Self { maker, values, curve: Some(curve), .. } = self else { return Ok(()) };
        let count = if before.is_finite() && curve.len() < MANY { WITHIN } else { 0 };
        let within = (1..=count).map(|k| before + (stop.t - before) * k as f64 / (WITHIN + 1) as f64);
        let sides = stop.is_event.then_some((stop.t, EventSide::Before));
        let points = within.map(|t| (t, EventSide::After)).chain(sides).chain([(stop.t, EventSide::After)]);
        for (t, side) in points.filter(|(t, _)| maker.is_inside(*t)).collect::<Vec<_>>() {
            curve.push(maker.between(&at(solution, &t, side, values)?).to_vec());
        }
        Ok(())
    }
}

/// Writes the values of all variables at a point, and returns the argument slots of the columns.
fn at<'v>(
    solution: &'v HybridSolution,
    t: &'v f64,
    side: EventSide,
    values: &'v mut [f64],
) -> Result<[&'v [f64]; 4], HybridError> {
    solution.trajectory().write(*t, side, values)?;
    let (continuous, discrete) = values.split_at(solution.x().len());
    Ok([std::slice::from_ref(t), continuous, discrete, solution.parameters().values()])
}
