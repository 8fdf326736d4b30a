//! Errors of an integration.

use super::Method;
use siconos_linalg::SettingsError;

/// Data of an integration that are inconsistent or not finite.
///
/// Steps that become too short and steps that become too many are not errors. They are reported as
/// [`Advance::StepTooSmall`](super::Advance::StepTooSmall) and
/// [`Advance::MaxSteps`](super::Advance::MaxSteps).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OdeError {
    /// A setting is outside its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// `advance` was called before any `restart`.
    #[error("there is no state yet; call `restart` with the initial time and state")]
    NotStarted,
    /// The length of a vector does not match the length of the state.
    #[error("`{what}` has {found} entries; expected {expected}")]
    WrongLength {
        /// Name of the vector.
        what: &'static str,
        /// Expected length.
        expected: usize,
        /// Actual length.
        found: usize,
    },
    /// A time is NaN or infinite.
    #[error("`{what}` must be a finite time, not {value}")]
    Time {
        /// Name of the time.
        what: &'static str,
        /// Value of the time.
        value: f64,
    },
    /// The requested end is before the current time. Integration backward in time is not possible.
    #[error("`t_out` must be at or after the current time {t}, not {t_out}")]
    Backward {
        /// Current time \[s\].
        t: f64,
        /// Requested end \[s\].
        t_out: f64,
    },
    /// No dense output is available at the requested time.
    #[error("there is no solution at t = {t}; {}", available(*first, *last))]
    OutsideStep {
        /// Requested time \[s\].
        t: f64,
        /// Start of the last step, or of the recorded steps \[s\]. NaN if there are no steps.
        first: f64,
        /// Current time, or end of the recorded steps \[s\]. NaN if there are no steps.
        last: f64,
    },
    /// An entry of the state is NaN or infinite.
    #[error("the state must be finite, but entry {index} is {value}")]
    State {
        /// Index of the entry.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
    /// f is NaN or infinite at the current state, or at every state that was tried after it.
    #[error("entry {index} of f is {value} at t = {t}, and shorter steps do not avoid it; it must be finite")]
    RightHandSide {
        /// Index of the entry.
        index: usize,
        /// Value of the entry.
        value: f64,
        /// Time of the evaluation \[s\].
        t: f64,
    },
    /// An entry of the Jacobian provided by the system is NaN or infinite.
    #[error("entry ({row}, {column}) of the Jacobian is {value} at t = {t}; it must be finite")]
    Jacobian {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Value of the entry.
        value: f64,
        /// Time of the evaluation \[s\].
        t: f64,
    },
    /// An entry of the mass matrix is NaN or infinite.
    #[error("entry ({row}, {column}) of the mass matrix is {value}; it must be finite")]
    Mass {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Value of the entry.
        value: f64,
    },
    /// The system has a mass matrix, which the chosen method does not support.
    #[error("a system with a mass matrix requires `Method::Stiff`, not `{method:?}`")]
    MassNeedsStiff {
        /// Chosen method.
        method: Method,
    },
    /// A guard is NaN or infinite.
    #[error("guard {guard} is {value} at t = {t}; it must be finite")]
    Guard {
        /// Index of the guard.
        guard: usize,
        /// Value of the guard.
        value: f64,
        /// Time of the evaluation \[s\].
        t: f64,
    },
    /// The number of guards has changed without a `restart`.
    #[error("the number of guards has changed from {expected} to {found}; call `restart` after this change")]
    GuardsChanged {
        /// Number of guards at the last restart.
        expected: usize,
        /// Present number of guards.
        found: usize,
    },
}

/// Describes the times at which the solution can be evaluated.
fn available(first: f64, last: f64) -> String {
    if first.is_nan() {
        "no steps were recorded".to_owned()
    } else {
        format!("it must be from {first} to {last}")
    }
}
