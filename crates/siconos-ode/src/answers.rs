//! Result of a call of the integrator, and state of the integration.

use super::guards::Fired;

/// Result of a call of [`Integrator::advance`](super::Integrator::advance).
#[must_use = "the result reports if the end was reached or a root was found"]
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Advance<'a> {
    /// `t_out` was reached without a root; it is the current time.
    Reached {
        /// Current time, equal to `t_out` \[s\].
        t: f64,
    },
    /// Guards fired at or before `t_out`.
    Roots {
        /// Current time, at which the guards fired \[s\].
        t: f64,
        /// Guards that fired, in the order of their indices.
        fired: &'a [Fired],
    },
    /// The tolerances require a step that is too short for the precision of the time, because the solution is
    /// singular or the tolerances are too tight. The state up to `t` is valid.
    StepTooSmall {
        /// Current time \[s\], up to which the integration succeeded.
        t: f64,
        /// Step length that the tolerances would require \[s\].
        h: f64,
    },
    /// [`OdeSettings::max_steps`](super::OdeSettings::max_steps) steps were taken. The next call continues
    /// the integration.
    MaxSteps {
        /// Current time \[s\], up to which the integration succeeded.
        t: f64,
    },
}

/// State of the integration. The discriminants are the values of `iout` in LSODAR and Siconos.
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
