//! Error for invalid settings, and the checks that return it.

use std::num::NonZeroUsize;

/// Invalid setting of a solver, an integrator or a simulation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// A setting is outside its range.
    #[error("`{name}` is {}; it must be {must_be}", siconos_numerics::display_number(*value))]
    OutOfRange {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f64,
        /// Description of the allowed range.
        must_be: &'static str,
    },
    /// The times of a discretisation do not increase.
    #[error("the times must increase: t[{index}] = {time} comes after t[{before}] = {previous}", before = index - 1)]
    TimesNotIncreasing {
        /// Index of the offending time.
        index: usize,
        /// Offending time.
        time: f64,
        /// Time before the offending time.
        previous: f64,
    },
    /// The time discretisation has fewer than two times.
    #[error("a time discretisation requires at least two times, found {count}")]
    TooFewTimes {
        /// Number of times given.
        count: usize,
    },
    /// The builder was not given a time discretisation.
    #[error("no time discretisation was given; call `discretisation` on the builder")]
    NoTimeDiscretisation,
    /// A solver rejected its settings.
    #[error(transparent)]
    Solver(#[from] siconos_numerics::SettingsError),
    /// The threads could not be started.
    #[error("{count} threads cannot be started ({why}); use fewer")]
    Threads {
        /// Number of threads requested.
        count: NonZeroUsize,
        /// Error message of the operating system.
        why: String,
    },
}

/// Checks that the value of a setting is in a range.
pub fn check_number(
    name: &'static str,
    value: f64,
    is_in_range: impl Fn(f64) -> bool,
    must_be: &'static str,
) -> Result<(), SettingsError> {
    if is_in_range(value) { Ok(()) } else { Err(SettingsError::OutOfRange { name, value, must_be }) }
}

/// Checks that the value of a setting is finite and positive.
pub fn check_positive(name: &'static str, value: f64) -> Result<(), SettingsError> {
    check_number(name, value, |value| value.is_finite() && value > 0.0, "finite and positive")
}
