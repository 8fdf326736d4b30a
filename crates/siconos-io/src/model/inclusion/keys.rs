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
    "`true` to evaluate f and the set at the state before the step; default false",
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
    optional("process", Form::Table, "motion of the state without the set"),
    needed("set", Form::Table, "set in which the state is kept"),
    SIMULATION_TABLE,
    OUTPUT_TABLE,
];

pub(in crate::model) const OF_SWEEPING: [Key; 2] = [
    optional("f", Form::Vector, "of the time and the state: without the set, u' = -f; default 0"),
    optional("metric", Form::Matrix, "P of the norm for distances; default the identity"),
];

pub(in crate::model) const SIMULATION: [Key; 9] = [
    needed("kind", Form::Word(&["time_stepping"]), "by time steps"),
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
    needed("kind", Form::Word(&["adaptive"]), "by adaptive steps"),
    START,
    needed("end", Form::Number, "the time at the end"),
    optional(
        "jumps",
        Form::Vector,
        "times at which the set jumps: a step ends just before, and the state jumps",
    ),
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
    needed("input", Form::Named, "the numbers u that solve the inequality, with initial guesses"),
    needed("process", Form::Table, "x' = f + B u"),
    optional("inequality", Form::Table, "u in K solves the inequality for G + F"),
    needed("set", Form::Table, "K, which is constant"),
    optional("boundary", Form::Table, "conditions at both ends, instead of an initial state"),
    SIMULATION_TABLE,
    OUTPUT_TABLE,
];

pub(in crate::model) const OF_DVI: [Key; 2] = [
    optional("f", Form::Vector, "of the time and the state; default 0"),
    needed(
        "B",
        Form::Matrix,
        "of the time and the state: a row for each component of the state, a column for each input",
    ),
];

pub(in crate::model) const INEQUALITY: [Key; 2] = [
    optional("G", Form::Vector, "of the time and the state, a number for each input; default 0"),
    optional("F", Form::Vector, "of the time and the input, a number for each input; default 0"),
];

pub(in crate::model) const BOUNDARY: [Key; 3] = [
    needed("M", Form::Matrix, "M of the condition M x(start) + N x(end) = b"),
    needed("N", Form::Matrix, "N of this condition"),
    needed("b", Form::Vector, "b of this condition"),
];

pub(in crate::model) const STEPS_OF_DVI: [Key; 9] = [
    needed("kind", Form::Word(&["time_stepping"]), "by time steps, from an initial state"),
    START,
    END,
    STEP,
    STEPS,
    EXACT_END,
    TIMES,
    optional("theta", Form::Number, "implicitness of f, from 0 to 1; default 1"),
    SETTINGS,
];

pub(in crate::model) const ENDS_OF_DVI: [Key; 5] = [
    needed("kind", Form::Word(&["boundary_value"]), "all steps at once, between conditions at both ends"),
    START,
    needed("end", Form::Number, "the time at the end"),
    needed("steps", Form::Count, "number of equal steps"),
    SETTINGS,
];
