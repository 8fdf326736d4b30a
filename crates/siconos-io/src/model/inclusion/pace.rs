//! Which steps a run takes: those of a grid, or steps that choose their length.

use siconos_expression::Expression;
use siconos_kernel::SettingsError;
use siconos_kernel::simulation::TimeDiscretisation;
use siconos_sweeping::{AdaptiveSettings, SweepError, SweepProgress};

use super::super::grid::Grid;
use super::super::values::evaluated;

/// The steps as a file has them.
#[derive(Debug)]
pub(super) enum PaceWords {
    Grid(Grid),
    /// From a start to an end, with times between at which the set jumps.
    Adaptive {
        start: Expression,
        end: Expression,
        jumps: Vec<Expression>,
        settings: AdaptiveSettings,
    },
}

/// The steps of a run.
#[derive(Clone, Debug)]
pub(super) enum Pace {
    Grid(TimeDiscretisation),
    Adaptive(Adaptive),
}

/// Steps that choose their length.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    pub(super) start: f64,
    /// The times of jumps, and the end.
    goals: Vec<f64>,
    pub(super) settings: AdaptiveSettings,
    pub(super) progress: SweepProgress,
}

impl PaceWords {
    /// The steps of a run from the start on.
    pub(super) fn build(&self) -> Result<Pace, SweepError> {
        match self {
            Self::Grid(grid) => Ok(Pace::Grid(grid.build(&[])?)),
            Self::Adaptive { start, end, jumps, settings } => {
                let (start, end) = (start.evaluate(&[]), end.evaluate(&[]));
                let mut goals = evaluated(jumps, &[]);
                goals.push(end);
                let mut before = start;
                for (index, &time) in goals.iter().enumerate() {
                    // Between two times there is a third one at least.
                    let is_later = time.next_down() > before;
                    if !is_later {
                        let error =
                            SettingsError::TimesNotIncreasing { index: index + 1, time, previous: before };
                        return Err(error.into());
                    }
                    before = time;
                }
                let progress = SweepProgress::new((start, end), settings)?;
                Ok(Pace::Adaptive(Adaptive { start, goals, settings: *settings, progress }))
            }
        }
    }
}

impl Pace {
    /// The time at the start.
    pub(super) fn start(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.t0(),
            Self::Adaptive(adaptive) => adaptive.start,
        }
    }

    /// How far steps that choose their length have come.
    pub(super) fn progress(&self) -> Option<SweepProgress> {
        match self {
            Self::Grid(_) => None,
            Self::Adaptive(adaptive) => Some(adaptive.progress),
        }
    }

    /// The time at the end.
    pub(super) fn end(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.time(grid.steps()).unwrap_or_else(|| grid.t0()),
            Self::Adaptive(adaptive) => adaptive.end(),
        }
    }
}

impl Adaptive {
    pub(super) fn end(&self) -> f64 {
        self.goals.last().copied().unwrap_or(self.start)
    }

    /// The shortest step.
    pub(super) fn shortest(&self) -> f64 {
        self.settings.shortest * (self.end() - self.start)
    }

    /// Where the next step has to end at the latest: before a jump, or at the end. Nothing behind that.
    pub(super) fn goal(&self) -> Option<f64> {
        let t = self.progress.t;
        let goal = self.goals.iter().copied().find(|goal| *goal > t)?;
        Some(if goal == self.end() { goal } else { goal.next_down() })
    }

    /// The time of the jump that comes now, if one does.
    pub(super) fn jump(&self) -> Option<f64> {
        let t = self.progress.t;
        self.goals.iter().copied().find(|goal| goal.next_down() == t && *goal != self.end())
    }
}
