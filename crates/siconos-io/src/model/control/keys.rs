//! Keys of devices, by kind.

use super::{EQUIVALENT, FORMS};
use crate::document::{Form, Key, needed, optional};

/// Keys of each kind of device; the first one is `kind`.
pub(in crate::model) const KEYS: [&[Key]; 8] = [
    &LINEAR_SENSOR,
    &LUENBERGER,
    &SLIDING_OBSERVER,
    &PID,
    &SLIDING_MODE,
    &EXPLICIT_SLIDING_MODE,
    &TWISTING,
    &FUNCTION,
];

const PERIOD: Key = needed("period", Form::Number, "sampling period, in seconds");
const FIRST: Key = optional("first", Form::Number, "the time of the first sample; default the start");
const SENSOR: Key = needed("sensor", Form::Names, "the name of the sensor that it reads");
const INPUTS: Key = optional("inputs", Form::Names, "the parameters that form u, in order; default none");
const SIGNAL: Key = needed("signal", Form::Names, "the name of the sensor or observer that it reads");
const INPUT: Key =
    needed("input", Form::Names, "the parameter that it sets, and holds until the next sample");
const A: Key = needed("A", Form::Matrix, "A of the model of the plant, x' = A x + B u");
const B: Key = needed("B", Form::Matrix, "B of the model of the plant");
const B_OR_NONE: Key = optional("B", Form::Matrix, "B of the model of the plant; default without inputs");
const ESTIMATE: Key = optional("estimate", Form::Vector, "estimate at the first sample; default 0");
const AMPLITUDES: Key = needed("amplitudes", Form::Vector, "amplitudes of the signs, a number for each row");
const SURFACE: Key = needed("C", Form::Matrix, "the surface C x = 0, a row for each input");

const LINEAR_SENSOR: [Key; 8] = [
    needed("kind", Form::Word(&["linear_sensor"]), "measures y = C x + D u"),
    needed("systems", Form::Names, "systems whose states form x, in order; (q, q') for a Lagrangian system"),
    needed("C", Form::Matrix, "a row for each number of y"),
    optional("D", Form::Matrix, "D of y = C x + D u; default 0"),
    optional("input", Form::Names, "the parameter that is u in D u"),
    optional("delay", Form::Count, "delay of y, in samples; default 0"),
    PERIOD,
    FIRST,
];

const LUENBERGER: [Key; 11] = [
    needed("kind", Form::Word(&["luenberger_observer"]), "estimates x from y and u, with a gain"),
    SENSOR,
    INPUTS,
    A,
    B_OR_NONE,
    needed("C", Form::Matrix, "C of y = C x + D u"),
    optional("D", Form::Matrix, "of y = C x + D u; default 0"),
    needed("L", Form::Matrix, "the gain, a column for each number of y"),
    ESTIMATE,
    PERIOD,
    FIRST,
];

const SLIDING_OBSERVER: [Key; 11] = [
    needed("kind", Form::Word(&["sliding_observer"]), "drives C xhat to y in finite time, by signs"),
    SENSOR,
    INPUTS,
    A,
    B_OR_NONE,
    needed("C", Form::Matrix, "C of y = C x"),
    needed("G", Form::Matrix, "matrix that multiplies the signs, a column for each number of y"),
    AMPLITUDES,
    ESTIMATE,
    PERIOD,
    FIRST,
];

const PID: [Key; 13] = [
    needed("kind", Form::Word(&["pid"]), "proportional, integral and filtered derivative"),
    SIGNAL,
    INPUT,
    optional("reference", Form::Number, "reference value of y, of time and parameters; default 0"),
    optional("proportional", Form::Number, "K_p; default 0"),
    optional("integral", Form::Number, "K_i; default 0"),
    optional("derivative", Form::Number, "K_d; default 0"),
    optional("filter_time", Form::Number, "time constant of the filtered derivative, in seconds; default 0"),
    optional(
        "tracking_time",
        Form::Number,
        "time constant with which the integral tracks u at its bounds, in seconds; default the period",
    ),
    optional("lower", Form::Number, "bound of u; default none"),
    optional("upper", Form::Number, "bound of u; default none"),
    PERIOD,
    FIRST,
];

const EQUIVALENT_CONTROL: Key = optional(
    "equivalent",
    Form::Word(&[EQUIVALENT[0].0, EQUIVALENT[1].0, EQUIVALENT[2].0, EQUIVALENT[3].0]),
    "control that keeps C x constant; default held",
);

const SLIDING_MODE: [Key; 10] = [
    needed("kind", Form::Word(&["sliding_mode"]), "sliding mode by an implicit step"),
    SIGNAL,
    INPUT,
    A,
    B,
    SURFACE,
    AMPLITUDES,
    EQUIVALENT_CONTROL,
    PERIOD,
    FIRST,
];

const EXPLICIT_SLIDING_MODE: [Key; 10] = [
    needed("kind", Form::Word(&["explicit_sliding_mode"]), "sliding mode by the sign at the sample"),
    SIGNAL,
    INPUT,
    A,
    B,
    SURFACE,
    AMPLITUDES,
    EQUIVALENT_CONTROL,
    PERIOD,
    FIRST,
];

const TWISTING: [Key; 11] = [
    needed("kind", Form::Word(&["twisting"]), "a sliding mode of second order"),
    SIGNAL,
    INPUT,
    A,
    B,
    needed("c", Form::Vector, "c of the output c x"),
    needed("gains", Form::Vector, "r1 and r2, with r1 > r2"),
    optional("form", Form::Word(&FORMS), "discretisation of the signs; default implicit"),
    optional("widths", Form::Vector, "for the form `regularised`: widths for the output and its rate"),
    PERIOD,
    FIRST,
];

const FUNCTION: [Key; 6] = [
    needed("kind", Form::Word(&["function"]), "any feedback without memory"),
    SIGNAL,
    INPUT,
    needed(
        "u",
        Form::VectorOrFunction,
        "value that is set, of time, parameters and the signal, `y`, or `y[0]`, ..",
    ),
    PERIOD,
    FIRST,
];
