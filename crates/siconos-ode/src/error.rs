//! Why an integration cannot begin or go on.

use super::Method;
use siconos_linalg::SettingsError;

/// Data of an integration that do not fit together or are not finite.
///
/// That a step became too small, or that too many were taken, is no error but an answer:
/// [`Advance::StepTooSmall`](super::Advance::StepTooSmall), [`Advance::MaxSteps`](super::Advance::MaxSteps).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OdeError {
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// `advance` was called before any `restart`.
    #[error("there is no state yet; call `restart` with the first time and state")]
    NotStarted,
    /// A vector has another length than the state.
    #[error("`{what}` must have {expected} entries, it has {found}")]
    WrongLength {
        /// Which vector.
        what: &'static str,
        /// The length that fits.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// A time is NaN or infinite.
    #[error("`{what}` must be a finite time, it is {value}")]
    Time {
        /// Which time.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The end lies before the current time: the integration runs forward only.
    #[error("`t_out` is {t_out}, before the current time {t}; it must be at or after it")]
    Backward {
        /// The current time.
        t: f64,
        /// The end asked for.
        t_out: f64,
    },
    /// A time for which there is no dense output.
    #[error("{t} is outside the last step, which goes from {first} to {last}")]
    OutsideStep {
        /// The time asked for.
        t: f64,
        /// Start of the last step.
        first: f64,
        /// The current time.
        last: f64,
    },
    /// An entry of the state is NaN or infinite.
    #[error("the state must be finite, entry {index} is {value}")]
    State {
        /// The entry.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// f is NaN or infinite at the current state, or at every state just after it.
    #[error(
        "entry {index} of f is {value} at t = {t}, and steps of any length run into it; it must be finite"
    )]
    RightHandSide {
        /// The entry.
        index: usize,
        /// Its value.
        value: f64,
        /// The time of the evaluation.
        t: f64,
    },
    /// The Jacobian that the system gave is NaN or infinite.
    #[error("entry ({row}, {column}) of the Jacobian is {value} at t = {t}; it must be finite")]
    Jacobian {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Its value.
        value: f64,
        /// The time of the evaluation.
        t: f64,
    },
    /// The mass matrix is NaN or infinite.
    #[error("entry ({row}, {column}) of the mass matrix is {value}; it must be finite")]
    Mass {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// The system has a mass matrix, which the chosen method cannot take.
    #[error("a system with a mass matrix needs `Method::Stiff`, the method is `{method:?}`")]
    MassNeedsStiff {
        /// The method that was chosen.
        method: Method,
    },
    /// A guard is NaN or infinite.
    #[error("guard {guard} is {value} at t = {t}; it must be finite")]
    Guard {
        /// The guard.
        guard: usize,
        /// Its value.
        value: f64,
        /// The time of the evaluation.
        t: f64,
    },
    /// The number of guards has changed without a `restart`.
    #[error("the system has {found} guards, it had {expected}; call `restart` after such a change")]
    GuardsChanged {
        /// The number at the last restart.
        expected: usize,
        /// The number now.
        found: usize,
    },
}
