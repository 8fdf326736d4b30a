//! Why a step of finite elements with switch detection cannot be set up, or cannot be taken.

use siconos_kernel::{ModelError, SettingsError};

/// Why a step of finite elements with switch detection cannot be set up, or cannot be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FesdError {
    /// A vector or a matrix has the wrong shape or is not finite.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A setting, or the length of a step, is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Two modes have the signs of one region.
    #[error("modes {first} and {second} have the same row of signs; each region has one mode")]
    SameRegion {
        /// The first of them.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A sign is neither 1 nor -1.
    #[error("the sign of mode {mode} for switching function {function} is {value}; it must be 1 or -1")]
    Sign {
        /// Row of the matrix of signs.
        mode: usize,
        /// Its column.
        function: usize,
        /// The entry.
        value: f64,
    },
    /// A sweeping process begins outside its set.
    #[error("the state at t = {t} is outside the set: h[{index}] is {value}; project it onto the set first")]
    Outside {
        /// When \[s\].
        t: f64,
        /// The constraint that is violated the most, in units of its own.
        index: usize,
        /// Its value, below 0.
        value: f64,
    },
}
