//! How a call of the integrator ended, and the state of the integration.

use super::guards::Fired;

/// How a call of [`Integrator::advance`](super::Integrator::advance) ended.
#[must_use = "whether the end was reached or a root found is reported here"]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Advance<'a> {
    /// No root up to `t_out`, which is the current time now.
    Reached {
        /// The current time, `t_out`.
        t: f64,
    },
    /// Guards fired, before `t_out` or at it.
    Roots {
        /// The current time, that of the root.
        t: f64,
        /// All guards that fired there, in the order of their indices.
        fired: &'a [Fired],
    },
    /// The tolerances ask for a step that is lost in rounding: a singularity of the solution, or
    /// tolerances that are too small. The state up to `t` is good.
    StepTooSmall {
        /// The current time, the last that was reached.
        t: f64,
        /// The step that would have been needed.
        h: f64,
    },
    /// [`OdeSettings::max_steps`](super::OdeSettings::max_steps) steps were taken; calling again goes on.
    MaxSteps {
        /// The current time, the last that was reached.
        t: f64,
    },
}

/// Where the integration stands, as LSODAR and Siconos number it in `iout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Indicator {
    /// 1: nothing has been integrated since the last restart.
    #[default]
    FirstCall = 1,
    /// 2: the last call found no root.
    NoRoot = 2,
    /// 3: the last call ended at a root.
    RootFound = 3,
}
