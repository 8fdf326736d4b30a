//! Keys of files of sweeping processes and differential variational inequalities.

use super::super::grid::{END, EXACT_END, START, STEP, STEPS, TIMES};
use super::super::header::{CONSTANTS, FORMAT_KEY, FUNCTIONS, TITLE};
pub(in crate::model) use super::outputs::KEYS as OUTPUT;
pub(in crate::model) use super::set::KEYS as SETS;
use crate::document::{Form, Key, needed, optional};

const PARAMETERS: Key = optional("parameters", Form::Named, "numbers that are constant during a run");
const STATE: Key =
    needed("state", Form::Named, "variables with their initial values, each a number or an array");
const SIMULATION_TABLE: Key = needed("simulation", Form::Table, "simulation of the process");
const OUTPUT_TABLE: Key = optional("output", Form::Table, "outputs of a run");
const AT_START: Key = optional(
    "at_start",
    Form::Boolean,
    "`true` to evaluate f and the set with the state at the start of the step, instead of the end; default false",
);
const SETTINGS: Key = optional("settings", Form::Settings, "stopping criteria of the iterations");

pub(in crate::model) const SWEEPING: [Key; 11] = [
    FORMAT_KEY,
    needed("kind", Form::Word(&["sweeping"]), "`\"sweeping\"`"),
    TITLE,
    CONSTANTS,
    PARAMETERS,
    FUNCTIONS,
    STATE,
    optional("process", Form::Table, "f and the metric of the process"),
    needed("set", Form::Table, "set K that contains the state"),
    SIMULATION_TABLE,
    OUTPUT_TABLE,
];

pub(in crate::model) const OF_SWEEPING: [Key; 2] = [
    optional("f", Form::Vector, "f, which can depend on time and state; inside the set, x' = -f; default 0"),
    optional(
        "metric",
        Form::Matrix,
        "symmetric positive definite matrix P of the norm sqrt(x P x) for distances; default: the identity",
    ),
];

pub(in crate::model) const SIMULATION: [Key; 9] = [
    needed("kind", Form::Word(&["time_stepping"]), "steps of a time grid"),
    START,
    END,
    STEP,
    STEPS,
    EXACT_END,
    TIMES,
    AT_START,
    SETTINGS,
];

pub(in crate::model) const ADAPTIVE: [Key; 7] = [
    needed("kind", Form::Word(&["adaptive"]), "steps of adaptive length"),
    START,
    needed("end", Form::Number, "end time, in seconds"),
    optional("jumps", Form::Vector, "times, in seconds, at which the set and the state jump; default none"),
    optional("lengths", Form::Settings, "control of the step length"),
    AT_START,
    SETTINGS,
];

pub(in crate::model) const DVI: [Key; 14] = [
    FORMAT_KEY,
    needed("kind", Form::Word(&["dvi"]), "`\"dvi\"`"),
    TITLE,
    CONSTANTS,
    PARAMETERS,
    FUNCTIONS,
    STATE,
    needed("input", Form::Named, "variables u that solve the inequality, with their initial guesses"),
    needed("process", Form::Table, "f and B of x' = f + B u"),
    optional(
        "inequality",
        Form::Table,
        "G and F of the inequality (v - u) (G + F) >= 0 for all v in K; default 0",
    ),
    needed("set", Form::Table, "constant set K that contains u"),
    optional("boundary", Form::Table, "conditions at both ends, instead of an initial state"),
    SIMULATION_TABLE,
    OUTPUT_TABLE,
];

pub(in crate::model) const OF_DVI: [Key; 2] = [
    optional("f", Form::Vector, "f, which can depend on time and state; default 0"),
    needed(
        "B",
        Form::Matrix,
        "B, which can depend on time and state: a row for each component of the state, a column for each input",
    ),
];

pub(in crate::model) const INEQUALITY: [Key; 2] = [
    optional("G", Form::Vector, "G, which can depend on time and state: an entry for each input; default 0"),
    optional("F", Form::Vector, "F, which can depend on time and input: an entry for each input; default 0"),
];

pub(in crate::model) const BOUNDARY: [Key; 3] = [
    needed("M", Form::Matrix, "M of the condition M x(start) + N x(end) = b"),
    needed("N", Form::Matrix, "N of the condition M x(start) + N x(end) = b"),
    needed("b", Form::Vector, "b of the condition M x(start) + N x(end) = b"),
];

pub(in crate::model) const STEPS_OF_DVI: [Key; 9] = [
    needed("kind", Form::Word(&["time_stepping"]), "steps of a time grid, from an initial state"),
    START,
    END,
    STEP,
    STEPS,
    EXACT_END,
    TIMES,
    optional(
        "theta",
        Form::Number,
        "weight of the state at the end of the step in f, from 0 (explicit) to 1 (implicit); default 1",
    ),
    SETTINGS,
];

pub(in crate::model) const ENDS_OF_DVI: [Key; 5] = [
    needed(
        "kind",
        Form::Word(&["boundary_value"]),
        "boundary value problem, which is solved for all steps together",
    ),
    START,
    needed("end", Form::Number, "end time, in seconds"),
    needed("steps", Form::Count, "number of equal steps"),
    SETTINGS,
];
