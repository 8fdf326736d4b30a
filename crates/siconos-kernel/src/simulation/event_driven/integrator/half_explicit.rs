//! Settings of the half-explicit method.

use serde::{Deserialize, Serialize};
use siconos_ode::RootLocation;

use crate::settings_error::{SettingsError, check_number, check_positive};

/// Half-explicit Runge-Kutta method HEM4 of Brasey and Hairer (1993), "Half-explicit Runge-Kutta methods for
/// differential-algebraic systems of index 2".
///
/// The positions and velocities of a stage follow from the previous stages, as in any explicit method. The
/// forces $\Lambda$ act at the held contacts, that is, at the contacts that are kept closed. The forces of
/// each stage are chosen such that the velocities of the next stage satisfy the constraint:
///
/// $$ Q_i = q_n + h \sum_{j < i} a_{ij} V_j, \qquad
///    V_i = v_n + h \sum_{j < i} a_{ij} M_j^{-1} (F_j + J_j^T \Lambda_j),
///    \qquad J(Q_i) V_i + \partial_t h(Q_i) = 0. $$
///
/// The constraint at stage i is a linear equation for $\Lambda_{i-1}$. The end of the step is treated like a
/// stage. Therefore $\dot y$ is zero up to rounding error at each stage and at the end of each step. The
/// motion is computed without the derivative of the Jacobian. This derivative is needed only for the forces
/// that decide whether contacts open.
///
/// In this formulation of index 2, five stages give order 4 for positions and velocities. Positions drift by
/// the integration error; the drift is removed by projection at events. Without held contacts, the method is
/// an explicit Runge-Kutta method of order 4.
///
/// Each step is computed as two half steps, whose result is used, and once as a single step. The error
/// estimate is a fifteenth of the difference between the two results. A step is accepted if the root mean
/// square of the estimate, divided by the tolerances, is at most 1. The global error is proportional to the
/// power 4/5 of the tolerances. HEM5 of Brasey (1997), with eight stages and order 5, is not implemented.
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
    /// Relative tolerance \[1\]. Default: 1e-10. Must be at least 1e-14.
    pub relative_tolerance: f64,
    /// Absolute tolerance, in the units of positions and velocities. Default: 1e-10. Must be positive.
    pub absolute_tolerance: f64,
    /// Length \[s\] of the first step after each event. Default: `None`, which derives the length from the
    /// magnitudes of the state and of its time derivative. Must be positive.
    pub h_initial: Option<f64>,
    /// Maximum step length \[s\]. Default: infinite. Must be positive.
    pub h_max: f64,
    /// Settings of root location.
    pub location: RootLocation,
    /// Maximum number of steps between two events, including rejected steps. Default: 1 000 000. Must be at
    /// least 1.
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
        check_number("h_max", self.h_max, |h| h > 0.0, "positive")?;
        check_number("max_steps", self.max_steps as f64, |steps| steps >= 1.0, "at least 1")?;
        Ok(self.location.check()?)
    }

    /// Returns the error that the tolerances allow in a component with the value `x`.
    pub(super) fn weight(&self, x: f64) -> f64 {
        self.absolute_tolerance + self.relative_tolerance * x.abs()
    }

    /// Returns the root mean square of differences divided by the allowed errors. `differences` contains
    /// pairs of a value and its difference.
    pub(super) fn norm(&self, differences: impl Iterator<Item = (f64, f64)>) -> f64 {
        let squares = differences.map(|(x, difference)| (difference / self.weight(x)).powi(2));
        let (sum, count) = squares.fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
        (sum / f64::from(count.max(1))).sqrt()
    }
}
