//! Keys of settings whose names follow from their Rust types.

use super::{Variant, plain, variant};
use crate::document::{Form, Key, needed, optional};

const THETA: Key = optional("theta", Form::Number, "weight of the end of the step, from 0 to 1; default 0.5");

const ACTIVATION: Key = optional(
    "activation_threshold",
    Form::Number,
    "predicted gap, in metres, at or below which a contact is active; default: the rounding error of the gap",
);

const PREDICTION: Key = optional(
    "gamma",
    Form::Number,
    "time over which the gap is predicted, as a multiple of the step; default 0.5",
);

const MOREAU_JEAN: [Key; 5] = [
    THETA,
    PREDICTION,
    ACTIVATION,
    optional(
        "gyroscopic",
        Form::Word(&["middle", "ends", "explicit"]),
        "time at which the gyroscopic moment of bodies is evaluated; default middle",
    ),
    optional(
        "projection",
        Form::Word(&["direct", "combined", "gradual"]),
        "projection of positions, which removes the drift of joints and the penetration of contacts: `direct` after each step, so that a contact that closes late in a step still penetrates until the next one; `combined` repeats step and projection until nothing penetrates, and is recommended except for elastic impacts; `gradual` removes penetrations by velocities over several steps, without jumps, and projects joints as `direct`; default: none",
    ),
];

const D1_MINUS_LINEAR: [Key; 3] = [
    optional(
        "forces",
        Form::Word(&["acceleration", "velocity"]),
        "level at which the forces of lasting contacts are computed; default acceleration",
    ),
    optional(
        "gap_threshold",
        Form::Number,
        "gap, in metres, at or below which a contact is closed; default: the rounding error of the gap",
    ),
    optional(
        "velocity_threshold",
        Form::Number,
        "gap velocity, in m/s, at or below which a closed contact stays closed; default: its rounding error",
    ),
];

pub(in super::super) const INTEGRATORS: &[Variant] = &[
    variant(
        "moreau_jean",
        "Lagrangian systems and bodies: theta scheme with impulses, for any number of impacts in a step.",
        &MOREAU_JEAN,
    ),
    variant(
        "schatzman_paoli",
        "Linear Lagrangian systems: contacts are enforced at position level; the rebound is delayed by a step.",
        &[THETA],
    ),
    variant(
        "modal_exact",
        "Linear Lagrangian systems: the motion between impacts has no discretisation error.",
        &[PREDICTION, ACTIVATION],
    ),
    variant(
        "d1_minus_linear",
        "Lagrangian systems: second order, with separate contact forces and impacts.",
        &D1_MINUS_LINEAR,
    ),
    variant("euler_moreau", "First-order systems whose state has no jumps.", &[THETA]),
    variant(
        "theta_gamma",
        "First-order systems with continuous multipliers: second order; the law holds within the step.",
        &[
            THETA,
            optional("gamma", Form::Number, "relative time in the step at which the law holds; default 0.5"),
        ],
    ),
    variant(
        "measure_euler",
        "First-order systems whose state may jump.",
        &[optional("theta", Form::Number, "weight of the end of the step, from 0 to 1; default 1")],
    ),
    variant("backward_euler", "Passive linear complementarity systems.", &[]),
    variant(
        "fully_implicit",
        "Nonlinear first-order systems.",
        &[THETA, optional("theta_r", Form::Number, "weight of the input at the end of the step; default 1")],
    ),
    variant(
        "zero_order_hold",
        "Linear first-order systems with a multiplier that is constant over each step.",
        &[optional(
            "source",
            Form::Word(&["beginning", "end"]),
            "time in the step at which the source b is evaluated; default beginning",
        )],
    ),
];

pub(in super::super) const NEWTON: &[Variant] = &plain(&[
    optional("tolerance", Form::Number, "maximum error that counts as converged; default 1e-10"),
    optional("max_iterations", Form::Count, "maximum number of iterations in a step; default 50"),
    optional(
        "damping",
        Form::Word(&["none", "backtracking"]),
        "damping of the iteration for first-order systems; default none",
    ),
    optional(
        "contact_jacobian",
        Form::Word(&["at_end", "at_beginning"]),
        "position at which the Jacobians of contacts are evaluated; default at_end",
    ),
    optional(
        "joint_reaction",
        Form::Word(&["middle", "end"]),
        "position at which the directions of joint reactions are evaluated; default middle",
    ),
]);

pub(in super::super) const ON_NON_CONVERGENCE: &[Variant] = &[
    variant("continue", "Continue with the last iterate; the step is reported as not converged.", &[]),
    variant("warn", "Continue with the last iterate, and print a warning.", &[]),
    variant("fail", "End the run. This is the default.", &[]),
];

pub(in super::super) const EVENTS: &[Variant] = &plain(&[
    optional("tick", Form::Number, "resolution of times, in seconds; default 1e-16"),
    optional("gap", Form::Count, "number of ticks between times that count as one instant; default 100"),
    optional("keep_past", Form::Count, "number of past events that are kept; default 1000"),
]);

const RELATIVE: Key = optional("relative_tolerance", Form::Number, "relative tolerance; default 1e-10");
const ABSOLUTE: Key = optional("absolute_tolerance", Form::Number, "absolute tolerance; default 1e-10");
const FIRST: Key =
    optional("h_initial", Form::Number, "first step after each event, in seconds; default: computed");
const LONGEST: Key = optional("h_max", Form::Number, "maximum step, in seconds; default inf");
const MAX_STEPS: Key =
    optional("max_steps", Form::Count, "maximum number of steps between two events; default 1000000");
const LOCATION: Key = optional(
    "location",
    Form::Settings,
    "search for events in a step: `samples`, default 8, and `tolerance`, in seconds, default 1e-13",
);

const ODE: [Key; 8] = [
    optional(
        "method",
        Form::Word(&["auto", "explicit", "high_order", "stiff"]),
        "method of integration; default auto",
    ),
    optional(
        "relative_tolerance",
        Form::Vector,
        "relative tolerance, one number or one for each state; default 1e-10",
    ),
    optional(
        "absolute_tolerance",
        Form::Vector,
        "absolute tolerance, one number or one for each state; default 1e-10",
    ),
    FIRST,
    LONGEST,
    MAX_STEPS,
    optional(
        "samples",
        Form::Count,
        "number of intervals of each step at whose ends gaps are checked; default 8",
    ),
    optional("root_tolerance", Form::Number, "accuracy of the times of events, in seconds; default 1e-13"),
];

const NEWMARK_ALPHA: [Key; 7] = [
    needed("h", Form::Number, "step length, in seconds"),
    optional(
        "parameters",
        Form::Settings,
        "`{ kind = \"rho_infinity\", value = 0.8 }`, the default, or other parameters of the method",
    ),
    optional(
        "level",
        Form::Word(&["position", "velocity"]),
        "level at which closed contacts are enforced; default position",
    ),
    optional("tolerance", Form::Number, "tolerance of Newton's method; default 1e-12"),
    optional("max_iterations", Form::Count, "maximum number of iterations in a step; default 20"),
    LOCATION,
    MAX_STEPS,
];

pub(in super::super) const EVENT_INTEGRATORS: &[Variant] = &[
    variant("ode", "Steps of adaptive length, from tolerances. This is the default.", &ODE),
    variant("newmark_alpha", "Generalised-alpha method with fixed steps.", &NEWMARK_ALPHA),
    variant(
        "half_explicit",
        "Half-explicit Runge-Kutta method with adaptive steps.",
        &[RELATIVE, ABSOLUTE, FIRST, LONGEST, LOCATION, MAX_STEPS],
    ),
];

pub(in super::super) const EVENT_DRIVEN: &[Variant] = &plain(&[
    optional("integrator", Form::Settings, "as the key `integrator` of the simulation, which is shorter"),
    optional("gap_tolerance", Form::Number, "maximum gap of a touching contact, in metres; default 1e-10"),
    optional(
        "velocity_tolerance",
        Form::Number,
        "maximum gap velocity of a lasting contact, in m/s; default 1e-10",
    ),
    optional(
        "acceleration_tolerance",
        Form::Number,
        "gap acceleration above which a contact opens, in m/s2; default 1e-9",
    ),
    optional(
        "accumulation",
        Form::Settings,
        "accumulating impacts: `criterion`, with `impacts`, `window` and `most_impacts`, and `policy`",
    ),
    optional(
        "restart_every",
        Form::Number,
        "time between restarts of the integration, in seconds, from which a run can be resumed; default: none",
    ),
]);

pub(in super::super) const CATCHING_UP: &[Variant] = &plain(&[
    optional("tolerance", Form::Number, "relative change of the state in an iteration; default 1e-12"),
    optional(
        "max_outer",
        Form::Count,
        "maximum number of updates of a set that depends on the state; default 10000",
    ),
    optional("max_inner", Form::Count, "maximum number of iterations for f; default 20000"),
]);

pub(in super::super) const ADAPTIVE: &[Variant] = &plain(&[
    optional("tolerance", Form::Number, "difference between one step and two half steps; default 1e-6"),
    optional("h_initial", Form::Number, "first step, in seconds; default: 1/100 of the time span"),
    optional("shortest", Form::Number, "minimum step, as a fraction of the time span; default 1e-9"),
    optional("max_steps", Form::Count, "maximum number of attempted steps; default 1000000"),
]);

pub(in super::super) const DYKSTRA: &[Variant] = &plain(&[
    optional(
        "tolerance",
        Form::Number,
        "change of the corrections in a cycle, relative to the distance moved; default 1e-10",
    ),
    optional("max_cycles", Form::Count, "maximum number of cycles over all sets; default 100000"),
]);

pub(in super::super) const DVI: &[Variant] = &plain(&[
    optional("tolerance", Form::Number, "maximum relative error of a step; default 1e-12"),
    optional(
        "max_iterations",
        Form::Count,
        "maximum number of iterations of a solver in a step; default 10000",
    ),
]);

pub(in super::super) const BOUNDARY: &[Variant] = &plain(&[
    optional("theta", Form::Number, "weight of f at the end of a step; default 1"),
    optional("tolerance", Form::Number, "maximum relative residual; default 1e-12"),
    optional("max_iterations", Form::Count, "maximum number of Newton steps on a grid; default 200"),
    optional(
        "coarsest",
        Form::Count,
        "minimum number of steps of a coarser grid for initial guesses; default 8",
    ),
    optional("psi", Form::Number, "constant of the existence theorem, in 1/s; default: not checked"),
]);
