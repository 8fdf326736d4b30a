//! Errors of finite elements with switch detection.

use siconos_kernel::{ModelError, SettingsError};

/// Error of finite elements with switch detection: invalid data, or a step that cannot be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FesdError {
    /// A vector or a matrix has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting or the step length is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Two modes have the same row in the sign matrix S, so they have the same region.
    #[error("modes {first} and {second} have the same row of signs; each region must have exactly one mode")]
    SameRegion {
        /// Index of the first mode.
        first: usize,
        /// Index of the second mode.
        second: usize,
    },
    /// An entry of the sign matrix S is neither 1 nor -1.
    #[error("the sign of mode {mode} for switching function {function} is {value}; it must be 1 or -1")]
    Sign {
        /// Row of the sign matrix, which is the index of the mode.
        mode: usize,
        /// Column of the sign matrix, which is the index of the switching function.
        function: usize,
        /// Value of the entry.
        value: f64,
    },
    /// A sweeping process starts outside its set.
    #[error("the state at t = {t} is outside the set: h[{index}] is {value}; project it onto the set first")]
    Outside {
        /// Time \[s\].
        t: f64,
        /// Index of the constraint with the largest violation, relative to the scale of the constraint.
        index: usize,
        /// Value of the constraint, below 0.
        value: f64,
    },
}
