//! The settings of the half-explicit method.

use serde::{Deserialize, Serialize};
use siconos_ode::RootLocation;

use crate::settings_error::{SettingsError, check_number, check_positive};

/// A half-explicit Runge-Kutta method for contact phases: HEM4 of Brasey and Hairer (1993), "Half-explicit
/// Runge-Kutta methods for differential-algebraic systems of index 2".
///
/// Positions and velocities of the stages follow from the stages before, as in any explicit method; the
/// forces of the held contacts at a stage are such that the velocities of the next satisfy the constraint,
///
/// $$ Q_i = q_n + h \sum_{j < i} a_{ij} V_j, \qquad V_i = v_n + h \sum_{j < i} a_{ij} M_j^{-1} (F_j + J_j^T \Lambda_j),
///    \qquad J(Q_i) V_i + \partial_t h(Q_i) = 0, $$
///
/// which is linear in $\Lambda_{i-1}$; and likewise at the end of the step. So $\dot y$ is zero up to
/// rounding at each stage and step, and no derivative of the Jacobian is needed for the motion (one is for
/// the forces by which contacts open). Five stages give order 4 for positions and velocities, in this
/// formulation of index 2. Positions drift by the error of the integration, and are projected at events.
/// Without held contacts it is an explicit Runge-Kutta method of order 4.
///
/// Step sizes: each step is two halves, whose result stands; a fifteenth of its difference from one step over
/// the whole length is the estimate of the error, at most 1 in the root mean square over the tolerances; the
/// error of the whole motion goes with the power 4/5 of the tolerances. HEM5 of Brasey (1997), which has
/// eight stages and one order more, is not here.
///
/// ```
/// use siconos_kernel::simulation::HalfExplicit;
///
/// let scheme = HalfExplicit { relative_tolerance: 1e-8, ..HalfExplicit::default() };
/// assert_eq!(scheme.absolute_tolerance, 1e-10);
/// ```
#[doc(alias("Hem5OSI", "HEM5"))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HalfExplicit {
    /// Relative tolerance \[1\]. Default 1e-10, at least 1e-14.
    pub relative_tolerance: f64,
    /// Absolute tolerance \[unit of positions and velocities\]. Default 1e-10, above 0.
    pub absolute_tolerance: f64,
    /// The first step after each event \[s\]. Default `None`: from the sizes of the state and its rate.
    /// Above 0.
    pub h_initial: Option<f64>,
    /// The largest step \[s\]. Default infinite, above 0.
    pub h_max: f64,
    /// How roots are located.
    pub location: RootLocation,
    /// The largest number of steps, accepted or not, between two events. Default 1 000 000, at least 1.
    pub max_steps: usize,
}

impl Default for HalfExplicit {
    fn default() -> Self {
        Self {
            relative_tolerance: 1e-10,
            absolute_tolerance: 1e-10,
            h_initial: None,
            h_max: f64::INFINITY,
            location: RootLocation::default(),
            max_steps: 1_000_000,
        }
    }
}

impl HalfExplicit {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        check_positive("absolute_tolerance", self.absolute_tolerance)?;
        check_positive("h_initial", self.h_initial.unwrap_or(1.0))?;
        let is_tolerance = |value: f64| value.is_finite() && value >= 1e-14;
        check_number(
            "relative_tolerance",
            self.relative_tolerance,
            is_tolerance,
            "finite and at least 1e-14",
        )?;
        check_number("h_max", self.h_max, |h| h > 0.0, "above 0")?;
        check_number("max_steps", self.max_steps as f64, |steps| steps >= 1.0, "at least 1")?;
        Ok(self.location.check()?)
    }

    /// What an error in a component of the value x is measured in.
    pub(super) fn weight(&self, x: f64) -> f64 {
        self.absolute_tolerance + self.relative_tolerance * x.abs()
    }

    /// The root mean square over the tolerances of differences, each given with the value that it is of.
    pub(super) fn norm(&self, differences: impl Iterator<Item = (f64, f64)>) -> f64 {
        let squares = differences.map(|(x, difference)| (difference / self.weight(x)).powi(2));
        let (sum, count) = squares.fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
        (sum / f64::from(count.max(1))).sqrt()
    }
}
