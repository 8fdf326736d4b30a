//! Time grid of a simulation, as given in a file.

use std::ops::Range;

use siconos_expression::{Expression, Scope};
use siconos_kernel::SettingsError;
use siconos_kernel::simulation::TimeDiscretisation;

use super::scopes::Scopes;
use super::values::{evaluated, expression, number_as_expression, vector};
use crate::document::{Diagnostics, Form, Key, Value, flag, is_infinite, optional};

pub(super) const START: Key = optional("start", Form::Number, "start time, in seconds; default 0");
pub(super) const END: Key = optional(
    "end",
    Form::Number,
    "end time, in seconds; `inf` for a run that ends by `stop_when` or by Ctrl-C",
);
pub(super) const STEP: Key = optional("step", Form::Number, "length of a step, in seconds");
pub(super) const STEPS: Key =
    optional("steps", Form::Count, "number of steps: of length `step`, or of equal length up to `end`");
pub(super) const EXACT_END: Key = optional(
    "exact_end",
    Form::Boolean,
    "`true` for a shorter last step if `end` is not a multiple of the step; default false",
);
pub(super) const TIMES: Key = optional(
    "times",
    Form::Vector,
    "all times of the grid, in seconds, instead of `start`, `end` and `step`",
);

/// Reads the start time. Default: 0.
pub(super) fn start(
    value: Option<Value<'_>>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Expression> {
    value.map_or_else(|| number_as_expression(0.0), |value| expression(&value, scope, diagnostics))
}

/// Times of the grid, as expressions of the parameters.
#[derive(Debug)]
pub(super) enum Grid {
    Uniform {
        start: Expression,
        end: Expression,
        step: Expression,
        exact_end: bool,
    },
    Steps {
        start: Expression,
        step: Expression,
        steps: usize,
    },
    EqualSteps {
        start: Expression,
        end: Expression,
        steps: usize,
    },
    /// Grid without end.
    Endless {
        start: Expression,
        step: Expression,
    },
    Times(Vec<Expression>),
}

impl Grid {
    /// Reads the keys that determine the time grid.
    pub(super) fn read(
        [start, end, step, steps, exact_end, times]: [Option<Value<'_>>; 6],
        span: &Range<usize>,
        scopes: &Scopes,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let scope = &scopes.parameters;
        if let Some(times) = times {
            for other in [&start, &end, &step, &steps, &exact_end].into_iter().flatten() {
                diagnostics.note(&other.span, "this cannot be combined with `times`");
            }
            return vector(&times, scope, diagnostics).map(Self::Times);
        }
        let start = self::start(start, scope, diagnostics);
        let of_exact_end = exact_end.as_ref().map(|exact_end| exact_end.span.clone());
        if let Some(end) = end.as_ref().filter(|end| is_infinite(end)) {
            for other in [&steps, &exact_end].into_iter().flatten() {
                diagnostics.note(&other.span, "this cannot be combined with an infinite `end`");
            }
            let step = diagnostics.required(step, "step", &end.span);
            let step = step.and_then(|step| expression(&step, scope, diagnostics));
            return Some(Self::Endless { start: start?, step: step? });
        }
        let exact_end = flag(exact_end, diagnostics);
        if let (Some(end), Some(steps), None) = (&end, &steps, &step) {
            if let Some(exact_end) = of_exact_end {
                diagnostics.note(&exact_end, "`exact_end` requires `step`; equal steps always end at `end`");
            }
            let (end, steps) =
                (expression(end, scope, diagnostics), steps.count_with(scopes.numbers(), diagnostics, 1));
            return Some(Self::EqualSteps { start: start?, end: end?, steps: steps? });
        }
        let step =
            diagnostics.required(step, "step", span).and_then(|step| expression(&step, scope, diagnostics));
        match (end, steps) {
            (Some(end), None) => {
                let end = expression(&end, scope, diagnostics);
                Some(Self::Uniform { start: start?, end: end?, step: step?, exact_end: exact_end? })
            }
            (None, Some(steps)) => {
                if let Some(exact_end) = of_exact_end {
                    diagnostics
                        .note(&exact_end, "`exact_end` requires `end`; `step` and `steps` determine the end");
                }
                let steps = steps.count_with(scopes.numbers(), diagnostics, 1);
                Some(Self::Steps { start: start?, step: step?, steps: steps? })
            }
            (Some(_), Some(steps)) => {
                diagnostics
                    .note(&steps.span, "two of `end`, `step` and `steps` are enough; remove one of them");
                None
            }
            (None, None) => {
                diagnostics.note(span, "one of the keys `end` and `steps` is missing");
                None
            }
        }
    }

    /// Builds the grid for values of the parameters.
    pub(super) fn build(&self, parameters: &[f64]) -> Result<TimeDiscretisation, SettingsError> {
        self.built(parameters).map_err(in_keys)
    }

    /// Returns `true` if another end only adds or removes steps, so that the common steps are the same bit
    /// for bit.
    pub(super) fn has_free_end(&self) -> bool {
        matches!(self, Self::Uniform { exact_end: false, .. } | Self::Steps { .. } | Self::Endless { .. })
    }

    /// Builds the grid with another end, if it [has a free end](Self::has_free_end), and otherwise as in the
    /// file.
    pub(super) fn build_until(
        &self,
        parameters: &[f64],
        end: f64,
    ) -> Result<TimeDiscretisation, SettingsError> {
        let value = |expression: &Expression| expression.evaluate(&[&[], parameters]);
        match self {
            Self::Uniform { start, step, exact_end: false, .. }
            | Self::Steps { start, step, .. }
            | Self::Endless { start, step } => match end == f64::INFINITY {
                true => TimeDiscretisation::endless(value(start), value(step)),
                false => TimeDiscretisation::uniform(value(start), end, value(step)),
            }
            .map_err(in_keys),
            _ => self.build(parameters),
        }
    }

    fn built(&self, parameters: &[f64]) -> Result<TimeDiscretisation, SettingsError> {
        let value = |expression: &Expression| expression.evaluate(&[&[], parameters]);
        Ok(match self {
            Self::Uniform { start, end, step, exact_end } => {
                let of_kind =
                    if *exact_end { TimeDiscretisation::uniform_until } else { TimeDiscretisation::uniform };
                of_kind(value(start), value(end), value(step))?
            }
            Self::Steps { start, step, steps } => {
                TimeDiscretisation::of_steps(value(start), value(step), *steps)?
            }
            Self::EqualSteps { start, end, steps } => {
                TimeDiscretisation::equal_steps(value(start), value(end), *steps)?
            }
            Self::Endless { start, step } => TimeDiscretisation::endless(value(start), value(step))?,
            Self::Times(times) => TimeDiscretisation::from_times(evaluated(times, parameters))?,
        })
    }
}

/// Replaces the kernel's names in an error about the grid by the keys of the file. The function must not be
/// used for errors of other settings, because their messages can contain the same names.
fn in_keys(error: SettingsError) -> SettingsError {
    let SettingsError::OutOfRange { name, value, must_be } = error else { return error };
    let name = match name {
        "t0" => "start",
        "t_end" => "end",
        "h" => "step",
        "time" => "times",
        other => other,
    };
    SettingsError::OutOfRange { name, value, must_be }
}
