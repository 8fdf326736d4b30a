//! Keys of files of hybrid systems.

use super::settings::{ITERATE, METHODS, PRE};
use crate::document::{Form, Key, needed, optional};

pub(crate) const ROOT: [Key; 11] = [
    needed("format", Form::Count, "version of the file format: 1"),
    needed("kind", Form::Word(&["hybrid"]), "`\"hybrid\"`"),
    optional("title", Form::Text, "title, as shown in figures"),
    optional(
        "constants",
        Form::Named,
        "numbers, or expressions of the constants above; the name of a constant is replaced by its value in the whole file",
    ),
    optional("time", Form::Table, "time span of the integration"),
    needed("variables", Form::Named, "continuous variables; at least one must have a differential equation"),
    optional(
        "discrete",
        Form::Named,
        "initial values of discrete variables; the type is float for a number and boolean for `true` and `false`, and can be given in a table",
    ),
    optional(
        "parameters",
        Form::Named,
        "default values; a run can set other values; the times in triggers cannot read parameters",
    ),
    optional(
        "events",
        Form::Tables,
        "events, which are numbered from 1 and processed in the order of the file",
    ),
    optional("settings", Form::Table, "settings of the integration and of the events"),
    optional("output", Form::Table, "outputs of a run"),
];

pub(crate) const TIME: [Key; 2] = [
    optional("start", Form::Number, "initial time, in seconds; default 0"),
    optional(
        "end",
        Form::Number,
        "end of the integration, in seconds, or `inf` for a run until an event halts it; default: none, so `--to` must give it",
    ),
];

pub(crate) const VARIABLE: [Key; 2] = [
    needed(
        "initial",
        Form::Vector,
        "initial values of `y`, `y'`, .. below the order of the equation; for an algebraic variable, an initial guess",
    ),
    needed(
        "equation",
        Form::Text,
        "`\"y' = ..\"`, `\"y'' = ..\"` up to order 9, or `\"0 = ..\"` for an algebraic variable",
    ),
];

pub(crate) const DISCRETE: [Key; 2] = [
    needed("type", Form::Word(&["float", "integer", "boolean"]), "type of the variable"),
    needed("initial", Form::Number, "initial value"),
];

pub(crate) const EVENT: [Key; 6] = [
    needed(
        "trigger",
        Form::Text,
        "when the event fires, such as `\"decreasing(y)\"` or `\"t = [first, period]\"`; see Events of hybrid systems",
    ),
    optional(
        "action",
        Form::Text,
        "assignments separated by `;` or line ends, such as `\"y' = -0.9 * y'; n = n + 1\"`, or `\"halt\"`; default `\"none\"`",
    ),
    optional(
        "retrigger",
        Form::Boolean,
        "`true` if the event can fire again in the same instant; default: `true` for a condition, otherwise `false`",
    ),
    optional(
        "fire_initial",
        Form::Boolean,
        "`true` if the event fires at the start if its trigger holds there; default: `true` for times, otherwise `false`",
    ),
    optional("requires", Form::Text, "`\"b\"` or `\"not b\"`, with a boolean variable; default: none"),
    optional("enabled", Form::Boolean, "`true` if the event is enabled at the start; default true"),
];

pub(crate) const SETTINGS: [Key; 19] = [
    optional("method", Form::Word(&words(&METHODS)), "integration method; default auto"),
    optional(
        "relative_tolerance",
        Form::Vector,
        "relative tolerance, one number or one for each continuous variable; default 1e-12",
    ),
    optional(
        "absolute_tolerance",
        Form::Vector,
        "absolute tolerance, one number or one for each continuous variable; default 1e-12",
    ),
    optional("h_initial", Form::Number, "first step after each restart, in seconds; default: computed"),
    optional("h_max", Form::Number, "maximum step, in seconds; default: none"),
    optional("max_steps", Form::Count, "maximum number of steps between two events; default 1000000"),
    optional(
        "samples",
        Form::Count,
        "number of intervals of each step at whose ends the signs of triggers are checked; default 8",
    ),
    optional(
        "root_tolerance",
        Form::Number,
        "accuracy of the times of events, in seconds; default 1e-13, and less for a time span below one second",
    ),
    optional(
        "event_maxiter",
        Form::Count,
        "maximum number of passes over the events in one instant; default 100",
    ),
    optional("event_iterate", Form::Word(&words(&ITERATE)), "condition for another pass; default trigger"),
    optional("event_pre", Form::Word(&words(&PRE)), "values that `pre` returns; default iteration"),
    optional(
        "event_initial",
        Form::Boolean,
        "`true` for a pass over the events at the start, and when a halted run continues; default false",
    ),
    optional(
        "double_cross",
        Form::Number,
        "a trigger that crosses zero twice within this time, in seconds, does not fire; default 0",
    ),
    optional(
        "impacts",
        Form::Count,
        "number of firings at shrinking intervals before an accumulation is considered; default 8",
    ),
    optional(
        "window",
        Form::Number,
        "maximum estimated time until an accumulation, in seconds; default 1e-6, and less for a time span below one second",
    ),
    optional("most_impacts", Form::Count, "more firings in one window count as an accumulation; default 200"),
    optional(
        "tick",
        Form::Number,
        "resolution of times, in seconds; default 1e-16, and less for a time span below one second",
    ),
    optional("gap", Form::Count, "number of ticks between times that count as one instant; default 100"),
    optional(
        "restart_every",
        Form::Number,
        "time between restarts of the integration, in seconds; a run can be resumed from a restart; default: none",
    ),
];

/// Returns the words of a list of choices.
const fn words<T, const N: usize>(choices: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut i = 0;
    while i < N {
        words[i] = choices[i].0;
        i += 1;
    }
    words
}

/// Returns the names of keys.
pub(crate) fn names<const N: usize>(keys: &[Key; N]) -> [&'static str; N] {
    keys.map(|key| key.name)
}
