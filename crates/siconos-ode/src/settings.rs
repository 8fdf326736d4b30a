//! Settings of an integration: method, tolerances, steps, and accuracy of root location.

use differential_equations::tolerance::Tolerance as CrateTolerance;
use serde::{Deserialize, Serialize};

use super::{Method, OdeError};
use siconos_linalg::SettingsError;

/// Tolerance: one for all components of the state, or one for each component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Tolerance {
    /// One value for all components.
    All(f64),
    /// One value for each component of the state.
    Each(Vec<f64>),
}

impl Tolerance {
    /// Returns the tolerance of a component. The number of tolerances must have been checked.
    pub(super) fn of(&self, component: usize) -> f64 {
        match self {
            Self::All(value) => *value,
            Self::Each(values) => values[component],
        }
    }

    /// Returns the largest of the tolerances of all components.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Self::All(value) => *value,
            Self::Each(values) => values.iter().fold(0.0, |largest, value| largest.max(*value)),
        }
    }

    /// Converts the tolerance to the type of the crate `differential-equations`.
    pub(super) fn for_crate(&self) -> CrateTolerance<f64> {
        match self {
            Self::All(value) => CrateTolerance::Scalar(*value),
            Self::Each(values) => CrateTolerance::Vector(values.clone()),
        }
    }

    /// Returns one tolerance for each of n components.
    pub(super) fn for_each(&self, n: usize) -> Vec<f64> {
        (0..n).map(|component| self.of(component)).collect()
    }

    fn check(&self, name: &'static str, least: f64, must_be: &'static str) -> Result<(), SettingsError> {
        match self {
            Self::All(value) => SettingsError::check_at_least(name, *value, least, must_be),
            Self::Each(values) => values
                .iter()
                .try_for_each(|value| SettingsError::check_at_least(name, *value, least, must_be)),
        }
    }

    fn check_length(&self, what: &'static str, expected: usize) -> Result<(), OdeError> {
        match self {
            Self::Each(values) if values.len() != expected => {
                Err(OdeError::WrongLength { what, expected, found: values.len() })
            }
            _ => Ok(()),
        }
    }
}

/// Settings of an [`Integrator`](super::Integrator).
///
/// The explicit methods estimate the error of each component, divide it by `absolute_tolerance` +
/// `relative_tolerance` |x_i|, and accept a step if the root mean square over all components is at most 1.
/// Here |x_i| is the larger one of its values at the two ends of the step. For the criterion of the stiff
/// method, see [`Method::Stiff`].
///
/// ```
/// use siconos_ode::{OdeSettings, Tolerance};
///
/// let settings = OdeSettings {
///     absolute_tolerance: Tolerance::Each(vec![1e-12, 1e-9]),
///     ..OdeSettings::default()
/// };
/// assert_eq!(settings.relative_tolerance, Tolerance::All(1e-10));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OdeSettings {
    /// Integration method. Default: [`Method::Auto`].
    pub method: Method,
    /// Relative tolerance \[1\]. Default: 1e-10. Must be at least 1e-14.
    pub relative_tolerance: Tolerance,
    /// Absolute tolerance \[unit of the state\]. Default: 1e-10. Must be positive.
    pub absolute_tolerance: Tolerance,
    /// Length of the first step after each restart \[s\]. Must be positive. Default: `None`, which means that
    /// it is computed from f and its rate of change (Hairer, Norsett, Wanner 1993, section II.4).
    pub h_initial: Option<f64>,
    /// Maximum step length \[s\]. Default: infinite. Must be positive.
    pub h_max: f64,
    /// Maximum number of steps, accepted or rejected, in one call of `advance`. Default: 1 000 000.
    pub max_steps: usize,
    /// Number of subintervals of equal length into which each step is divided. The signs of the guards are
    /// checked at the ends of the subintervals. All roots of one guard that are further apart than 1 /
    /// `samples` of a step are found. Default: 8. Must be between 1 and 100 000.
    pub samples: usize,
    /// Accuracy of the location of roots \[s\]. Default: 1e-13. Must be positive. Near time t, it is replaced
    /// by four units in the last place of t if these are larger.
    pub root_tolerance: f64,
}

impl Default for OdeSettings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            relative_tolerance: Tolerance::All(1e-10),
            absolute_tolerance: Tolerance::All(1e-10),
            h_initial: None,
            h_max: f64::INFINITY,
            max_steps: 1_000_000,
            samples: 8,
            root_tolerance: 1e-13,
        }
    }
}

impl OdeSettings {
    /// Checks the range of every setting.
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        self.relative_tolerance.check("relative_tolerance", 1e-14, "finite and at least 1e-14")?;
        self.absolute_tolerance.check("absolute_tolerance", f64::MIN_POSITIVE, "finite and positive")?;
        SettingsError::check_at_least("root_tolerance", self.root_tolerance, f64::MIN_POSITIVE, "positive")?;
        if let Some(h) = self.h_initial {
            SettingsError::check_at_least("h_initial", h, f64::MIN_POSITIVE, "finite and positive")?;
        }
        if self.h_max.is_nan() || self.h_max <= 0.0 {
            return Err(SettingsError::OutOfRange { name: "h_max", value: self.h_max, must_be: "positive" });
        }
        if self.max_steps == 0 {
            return Err(SettingsError::OutOfRange { name: "max_steps", value: 0.0, must_be: "at least 1" });
        }
        check_samples(self.samples)
    }

    /// Checks that tolerances per component have `n` entries.
    ///
    /// # Errors
    ///
    /// [`OdeError::WrongLength`] if the relative or absolute tolerances are given per component but do not
    /// have `n` entries.
    pub fn check_lengths(&self, n: usize) -> Result<(), OdeError> {
        self.relative_tolerance.check_length("relative_tolerance", n)?;
        self.absolute_tolerance.check_length("absolute_tolerance", n)
    }

    /// Returns the error weight of component i, which has the value x: the absolute tolerance plus the
    /// relative tolerance times |x|.
    ///
    /// # Panics
    ///
    /// If a tolerance of type [`Each`](Tolerance::Each) does not have component i.
    #[must_use]
    pub fn weight(&self, i: usize, x: f64) -> f64 {
        self.absolute_tolerance.of(i) + self.relative_tolerance.of(i) * x.abs()
    }

    /// Returns the step of one-sided finite differences for component i, which has the value x. The step is
    /// the larger one of 2^-26 |x| (half of the digits of x) and 64 absolute tolerances, so it scales with
    /// the unit of the component. It is positive even if x and the absolute tolerance are 0.
    ///
    /// # Panics
    ///
    /// If a tolerance of type [`Each`](Tolerance::Each) does not have component i.
    #[must_use]
    pub fn difference_step(&self, i: usize, x: f64) -> f64 {
        const HALF_OF_THE_DIGITS: f64 = 1.0 / (1 << 26) as f64;
        (HALF_OF_THE_DIGITS * x.abs()).max(64.0 * self.absolute_tolerance.of(i)).max(f64::MIN_POSITIVE.sqrt())
    }

    /// Returns the settings of root location.
    #[must_use]
    pub fn location(&self) -> RootLocation {
        RootLocation { samples: self.samples, tolerance: self.root_tolerance }
    }
}

/// Maximum number of samples in [`OdeSettings`] and [`RootLocation`]. The guards are evaluated at every
/// sample of every step.
pub const MAX_SAMPLES: usize = 100_000;

fn check_samples(samples: usize) -> Result<(), SettingsError> {
    if (1..=MAX_SAMPLES).contains(&samples) {
        return Ok(());
    }
    Err(SettingsError::OutOfRange { name: "samples", value: samples as f64, must_be: "from 1 to 100 000" })
}

/// Settings for the location of roots of guards within a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RootLocation {
    /// Number of subintervals of equal length into which each step is divided. The signs of the guards are
    /// checked at the ends of the subintervals. Default: 8. Must be between 1 and 100 000.
    pub samples: usize,
    /// Accuracy of the location of roots \[s\]. Default: 1e-13. Must be positive. Near time t, it is replaced
    /// by four units in the last place of t if these are larger.
    pub tolerance: f64,
}

impl Default for RootLocation {
    fn default() -> Self {
        OdeSettings::default().location()
    }
}

impl RootLocation {
    /// Checks the range of both settings.
    ///
    /// # Errors
    ///
    /// [`SettingsError::OutOfRange`] if a setting is outside its range.
    pub fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check_at_least("tolerance", self.tolerance, f64::MIN_POSITIVE, "finite and positive")?;
        check_samples(self.samples)
    }

    /// Returns the accuracy of the location of a root near `t` \[s\]: the larger one of the tolerance and
    /// four units in the last place of t.
    #[must_use]
    pub fn width(self, t: f64) -> f64 {
        self.tolerance.max(4.0 * f64::EPSILON * t.abs())
    }
}
