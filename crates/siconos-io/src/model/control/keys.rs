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
const FIRST: Key =
    optional("first", Form::Number, "time of the first sample, in seconds; default: the start time");
const SENSOR: Key = needed("sensor", Form::Names, "name of the sensor that the observer reads");
const INPUTS: Key = optional("inputs", Form::Names, "parameters that form u, in order; default none");
const SIGNAL: Key = needed("signal", Form::Names, "name of the sensor or observer that the controller reads");
const INPUT: Key =
    needed("input", Form::Names, "parameter that the controller sets, and holds until the next sample");
const A: Key = needed("A", Form::Matrix, "A of the model of the plant, x' = A x + B u");
const B: Key = needed("B", Form::Matrix, "B of the model of the plant");
const B_OR_NONE: Key = optional("B", Form::Matrix, "B of the model of the plant; default: no inputs");
const ESTIMATE: Key = optional("estimate", Form::Vector, "estimate at the first sample; default 0");
const AMPLITUDES: Key =
    needed("amplitudes", Form::Vector, "amplitudes of the sign functions, one for each row of C");
const SURFACE: Key = needed("C", Form::Matrix, "C of the sliding surface C x = 0, a row for each input");

const LINEAR_SENSOR: [Key; 8] = [
    needed("kind", Form::Word(&["linear_sensor"]), "measures y = C x + D u"),
    needed("systems", Form::Names, "systems whose states form x, in order; (q, q') for a Lagrangian system"),
    needed("C", Form::Matrix, "C of y = C x + D u, a row for each entry of y"),
    optional("D", Form::Matrix, "D of y = C x + D u; default 0"),
    optional("input", Form::Names, "parameter that is u in D u; required with `D`"),
    optional("delay", Form::Count, "delay of y, in samples; default 0"),
    PERIOD,
    FIRST,
];

const LUENBERGER: [Key; 11] = [
    needed(
        "kind",
        Form::Word(&["luenberger_observer"]),
        "Luenberger observer: estimates x from y and u with a constant gain",
    ),
    SENSOR,
    INPUTS,
    A,
    B_OR_NONE,
    needed("C", Form::Matrix, "C of y = C x + D u"),
    optional("D", Form::Matrix, "D of y = C x + D u; default 0"),
    needed("L", Form::Matrix, "gain that multiplies y - C xhat - D u, a column for each entry of y"),
    ESTIMATE,
    PERIOD,
    FIRST,
];

const SLIDING_OBSERVER: [Key; 11] = [
    needed(
        "kind",
        Form::Word(&["sliding_observer"]),
        "sliding-mode observer: drives C xhat to y in finite time",
    ),
    SENSOR,
    INPUTS,
    A,
    B_OR_NONE,
    needed("C", Form::Matrix, "C of y = C x"),
    needed("G", Form::Matrix, "matrix that multiplies the signs of y - C xhat, a column for each entry of y"),
    AMPLITUDES,
    ESTIMATE,
    PERIOD,
    FIRST,
];

const PID: [Key; 13] = [
    needed(
        "kind",
        Form::Word(&["pid"]),
        "PID controller of the error e = reference - y, with a filtered derivative",
    ),
    SIGNAL,
    INPUT,
    optional("reference", Form::Number, "reference of y, which can depend on time and parameters; default 0"),
    optional("proportional", Form::Number, "gain K_p of e; default 0"),
    optional("integral", Form::Number, "gain K_i of the integral of e; default 0"),
    optional("derivative", Form::Number, "gain K_d of the filtered derivative of e; default 0"),
    optional(
        "filter_time",
        Form::Number,
        "time constant of the derivative filter, in seconds; default 0, no filter",
    ),
    optional(
        "tracking_time",
        Form::Number,
        "time constant, in seconds, with which the integral follows u while u is at a bound; default: the period",
    ),
    optional("lower", Form::Number, "lower bound of u; default none"),
    optional("upper", Form::Number, "upper bound of u; default none"),
    PERIOD,
    FIRST,
];

const EQUIVALENT_CONTROL: Key = optional(
    "equivalent",
    Form::Word(&[EQUIVALENT[0].0, EQUIVALENT[1].0, EQUIVALENT[2].0, EQUIVALENT[3].0]),
    "formula of the equivalent control, which keeps C x constant; default held",
);

const SLIDING_MODE: [Key; 10] = [
    needed(
        "kind",
        Form::Word(&["sliding_mode"]),
        "implicit sliding-mode controller: the signs are evaluated at the next sample",
    ),
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
    needed(
        "kind",
        Form::Word(&["explicit_sliding_mode"]),
        "explicit sliding-mode controller: the signs are evaluated at the current sample",
    ),
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
    needed("kind", Form::Word(&["twisting"]), "twisting controller, a second-order sliding mode"),
    SIGNAL,
    INPUT,
    A,
    B,
    needed("c", Form::Vector, "c of the output c x, an entry for each state"),
    needed("gains", Form::Vector, "r1 for the output and r2 for its rate, with r1 > r2 > 0"),
    optional("form", Form::Word(&FORMS), "discretisation of the signs; default implicit"),
    optional(
        "widths",
        Form::Vector,
        "widths of the smoothed signs of the output and its rate; only with the form `regularised`",
    ),
    PERIOD,
    FIRST,
];

const FUNCTION: [Key; 6] = [
    needed("kind", Form::Word(&["function"]), "static feedback u(t, y)"),
    SIGNAL,
    INPUT,
    needed(
        "u",
        Form::VectorOrFunction,
        "value of `input`, which can depend on time, parameters and the signal, `y`, or `y[0]`, ..",
    ),
    PERIOD,
    FIRST,
];
