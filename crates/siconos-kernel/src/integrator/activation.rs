//! Activation of contacts that are enforced at velocity level.

use crate::settings_error::SettingsError;

/// Condition under which the law of a contact is enforced in a step, at velocity level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Activation {
    /// Time over which the gap is predicted, as a multiple of the step length.
    pub(crate) gamma: f64,
    /// Predicted gap at or below which the contact is active. If it is `None`, the rounding error of the gap
    /// is used.
    pub(crate) threshold: Option<f64>,
}

impl Activation {
    pub(super) fn validate(self) -> Result<(), SettingsError> {
        let Self { gamma: value, threshold } = self;
        if !(value >= 0.0 && value.is_finite()) {
            let (name, must_be) = ("gamma", "finite and nonnegative");
            return Err(SettingsError::OutOfRange { name, value, must_be });
        }
        check_threshold("activation_threshold", threshold)
    }
}

pub(super) fn check_threshold(name: &'static str, threshold: Option<f64>) -> Result<(), SettingsError> {
    match threshold {
        Some(value) if !value.is_finite() => {
            Err(SettingsError::OutOfRange { name, value, must_be: "finite" })
        }
        _ => Ok(()),
    }
}
