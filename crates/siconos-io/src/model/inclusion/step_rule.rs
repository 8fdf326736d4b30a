//! Step rule of a run: the steps of a grid, or adaptive steps.

use siconos_expression::Expression;
use siconos_kernel::SettingsError;
use siconos_kernel::simulation::TimeDiscretisation;
use siconos_sweeping::{AdaptiveProgress, AdaptiveSettings, SweepingError};

use super::super::grid::Grid;
use super::super::values::evaluated;

/// Step rule as described in the file.
#[derive(Debug)]
pub(super) enum StepRuleDescription {
    Grid(Grid),
    /// Adaptive steps from a start to an end, with times in between at which the set jumps.
    Adaptive {
        start: Expression,
        end: Expression,
        jumps: Vec<Expression>,
        settings: AdaptiveSettings,
    },
}

/// Step rule of a run.
#[derive(Clone, Debug)]
pub(super) enum StepRule {
    Grid(TimeDiscretisation),
    Adaptive(Adaptive),
}

/// Adaptive steps.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    pub(super) start: f64,
    /// Times of the jumps, followed by the end time \[s\].
    goals: Vec<f64>,
    pub(super) settings: AdaptiveSettings,
    pub(super) progress: AdaptiveProgress,
}

impl StepRuleDescription {
    /// Returns `true` if another end only adds or removes steps.
    pub(super) fn has_free_end(&self) -> bool {
        matches!(self, Self::Grid(grid) if grid.has_free_end())
    }

    /// Builds the step rule of a run. `to` replaces the end time of a grid with a free end.
    pub(super) fn build(&self, to: Option<f64>) -> Result<StepRule, SweepingError> {
        match self {
            Self::Grid(grid) => Ok(StepRule::Grid(match to {
                Some(end) => grid.build_until(&[], end)?,
                None => grid.build(&[])?,
            })),
            Self::Adaptive { start, end, jumps, settings } => {
                let (start, end) = (start.evaluate(&[]), end.evaluate(&[]));
                let mut goals = evaluated(jumps, &[]);
                goals.push(end);
                let mut before = start;
                for (index, &time) in goals.iter().enumerate() {
                    // There must be a floating-point number between two consecutive times.
                    let is_later = time.next_down() > before;
                    if !is_later {
                        let error =
                            SettingsError::TimesNotIncreasing { index: index + 1, time, previous: before };
                        return Err(error.into());
                    }
                    before = time;
                }
                let progress = AdaptiveProgress::new((start, end), settings)?;
                Ok(StepRule::Adaptive(Adaptive { start, goals, settings: *settings, progress }))
            }
        }
    }
}

impl StepRule {
    /// Returns the start time \[s\].
    pub(super) fn start(&self) -> f64 {
        match self {
            Self::Grid(grid) => grid.t0(),
            Self::Adaptive(adaptive) => adaptive.start,
        }
    }

    /// Returns the progress of adaptive steps.
    pub(super) fn progress(&self) -> Option<AdaptiveProgress> {
        match self {
            Self::Grid(_) => None,
            Self::Adaptive(adaptive) => Some(adaptive.progress),
        }
    }

    /// Returns the end time \[s\]; infinity for a grid without end.
    pub(super) fn end(&self) -> f64 {
        match self {
            Self::Grid(grid) if grid.is_endless() => f64::INFINITY,
            Self::Grid(grid) => grid.time(grid.steps()).unwrap_or_else(|| grid.t0()),
            Self::Adaptive(adaptive) => adaptive.end(),
        }
    }
}

impl Adaptive {
    pub(super) fn end(&self) -> f64 {
        self.goals.last().copied().unwrap_or(self.start)
    }

    /// Returns the minimum step length \[s\].
    pub(super) fn shortest(&self) -> f64 {
        self.settings.shortest * (self.end() - self.start)
    }

    /// Returns the latest time at which the next step can end: just before a jump, or at the end. Returns
    /// `None` after the end.
    pub(super) fn goal(&self) -> Option<f64> {
        let t = self.progress.t;
        let goal = self.goals.iter().copied().find(|goal| *goal > t)?;
        Some(if goal == self.end() { goal } else { goal.next_down() })
    }

    /// Returns the time of the next jump if the run is just before it.
    pub(super) fn jump(&self) -> Option<f64> {
        let t = self.progress.t;
        self.goals.iter().copied().find(|goal| goal.next_down() == t && *goal != self.end())
    }
}
