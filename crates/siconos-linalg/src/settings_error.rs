//! Error of an invalid setting, shared by all crates of the workspace.

/// A setting outside its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    /// A value is outside its range.
    #[error("setting `{name}` is {}; it must be {must_be}", display_number(*value))]
    OutOfRange {
        /// Name of the field.
        name: &'static str,
        /// Value of the field.
        value: f64,
        /// Accepted range in words.
        must_be: &'static str,
    },
}

/// Formats a number for a message: in the shortest decimal form that determines it, with an exponent if it is
/// very small or very large.
///
/// ```
/// use siconos_linalg::display_number;
///
/// let shown = [0.0, -1.0, 1e-3, 1e-320, 1e300].map(display_number);
/// assert_eq!(shown, ["0", "-1", "0.001", "1e-320", "1e300"]);
/// ```
#[must_use]
pub fn display_number(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-5..1e16).contains(&value.abs()) || !value.is_finite();
    if is_plain { format!("{value}") } else { format!("{value:e}") }
}

impl SettingsError {
    /// Checks that a value is strictly between 0 and 1.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] for any other value.
    pub fn check_fraction(name: &'static str, value: f64) -> Result<(), Self> {
        let must_be = "strictly between 0 and 1";
        if value > 0.0 && value < 1.0 { Ok(()) } else { Err(Self::OutOfRange { name, value, must_be }) }
    }

    /// Checks a relaxation factor, or the step size of a projected fixed-point iteration. The value must be
    /// strictly between 0 and 2.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] for any other value.
    pub fn check_relaxation(name: &'static str, value: f64) -> Result<(), Self> {
        let must_be = "strictly between 0 and 2";
        if value > 0.0 && value < 2.0 { Ok(()) } else { Err(Self::OutOfRange { name, value, must_be }) }
    }

    /// Checks that a tolerance is positive and finite.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] for any other value.
    pub fn check_tolerance(tolerance: f64) -> Result<(), Self> {
        Self::check_at_least("tolerance", tolerance, f64::MIN_POSITIVE, "positive")
    }

    /// Checks that a value is finite and at least `least`.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] for any other value.
    pub fn check_at_least(
        name: &'static str,
        value: f64,
        least: f64,
        must_be: &'static str,
    ) -> Result<(), Self> {
        if value.is_finite() && value >= least {
            Ok(())
        } else {
            Err(Self::OutOfRange { name, value, must_be })
        }
    }
}
