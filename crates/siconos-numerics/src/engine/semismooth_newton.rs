//! Semismooth Newton method with line search, for every problem class.
//!
//! This module is a component of the solvers. It is public for users who write their own solvers. In contrast
//! to the solvers, it may change in any version.
//!
//! The system of equations $\Phi(z) = 0$ is not differentiable, but has generalised Jacobians $H$. One step
//! is
//!
//! $$ H_k d = -\Phi(z_k), \qquad z_{k+1} = z_k + t d, $$
//!
//! as plain text: solve H d = -Phi, then move z by t d. The step length t is the largest of 1, 1/2, 1/4, ..
//! for which the merit function $\theta(z) = \frac{1}{2} \lVert \Phi(z) \rVert^2$ (plain text: norm(Phi)^2 /
//! 2) decreases sufficiently. If $H$ is singular, or if $d$ is not a descent direction, the step along the
//! negative gradient $d = -(2 \theta / \lVert g \rVert^2) g$ with $g = H^T \Phi$ is used. This step reduces
//! the linear model of the merit function to 0 (Polyak 1969). Every test compares values with the same unit,
//! so the iterates do not depend on the units of z and $\Phi$.
//!
//! References: Facchinei and Pang (2003), algorithm 9.1.10 and theorem 9.1.29; De Luca, Facchinei, Kanzow
//! (1996); Qi and Sun (1993) for the local quadratic convergence.

use serde::{Deserialize, Serialize};
use siconos_linalg::{SingularMatrix, dot, norm};

use crate::cancellation;
use crate::error::SettingsError;
use crate::info::{SolveInfo, Status};
use crate::method::Limits;

/// System of equations with generalised Jacobians, to be solved by [`SemismoothNewton`].
///
/// The loop calls [`residual`](Self::residual) at each point before the other functions. The other functions
/// refer to the point of the most recent call of `residual`.
pub trait SemismoothSystem {
    /// Writes $\Phi(z)$ to `phi`, and returns the error of the point z, as defined by the problem class.
    fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64;

    /// Solves $H d = -\Phi$ and writes the Newton direction to `d`.
    ///
    /// # Errors
    ///
    /// If $H$ is singular ([`SingularMatrix`]). The loop then follows the negative gradient.
    fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix>;

    /// Writes the gradient of the merit function, $H^T \Phi$, to `g`.
    fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]);

    /// Returns `true` if the loop may take another step. If it returns `false`, the loop ends with
    /// `MaxIterations`.
    fn may_continue(&self) -> bool {
        true
    }
}

/// Settings of [`SemismoothNewton`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SemismoothNewtonSettings {
    /// Maximum error of an accepted solution, as defined by the problem class. Default: 1e-10. Must be
    /// positive.
    pub tolerance: f64,
    /// Maximum number of Newton steps. Default: 500.
    pub max_iterations: usize,
    /// Minimum decrease of the merit function, as a fraction of the predicted decrease. The prediction is the
    /// step length times the initial slope (Armijo). Default: 1e-4. Must be in (0, 1/2).
    pub sufficient_decrease: f64,
    /// Factor $\rho$ of the descent test: $d$ is a descent direction if
    /// $g^T d \le -\rho \lVert g \rVert \lVert d \rVert$. Default: 1e-8. Must be positive. (In contrast to
    /// the test of De Luca, Facchinei and Kanzow, which has a power of norm(d) instead of the product, this
    /// test does not depend on the units.)
    pub descent_factor: f64,
    /// Number of previous values of the merit function in the nonmonotone line search of Grippo, Lampariello,
    /// Lucidi (1986). A new value is compared with the largest of them. With 1, every step must decrease the
    /// merit function. With a larger number, the iteration can pass kinks. Default: 1. Must be at least 1.
    pub memory: usize,
}

impl Default for SemismoothNewtonSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 500,
            sufficient_decrease: 1e-4,
            descent_factor: 1e-8,
            memory: 1,
        }
    }
}

impl SemismoothNewtonSettings {
    pub(crate) fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.max_iterations }
    }
}

/// Semismooth Newton method with its settings and workspace.
///
/// ```
/// use siconos_linalg::SingularMatrix;
/// use siconos_numerics::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings, SemismoothSystem};
///
/// /// The equation min(z, 2 z - 1) = 0.
/// struct Example;
///
/// impl SemismoothSystem for Example {
///     fn residual(&mut self, z: &[f64], phi: &mut [f64]) -> f64 {
///         phi[0] = z[0].min(2.0 * z[0] - 1.0);
///         phi[0].abs()
///     }
///     fn direction(&mut self, z: &[f64], phi: &[f64], d: &mut [f64]) -> Result<(), SingularMatrix> {
///         d[0] = -phi[0] / if z[0] < 1.0 { 2.0 } else { 1.0 };
///         Ok(())
///     }
///     fn gradient(&mut self, z: &[f64], phi: &[f64], g: &mut [f64]) {
///         g[0] = phi[0] * if z[0] < 1.0 { 2.0 } else { 1.0 };
///     }
/// }
///
/// let mut newton = SemismoothNewton::new(SemismoothNewtonSettings::default())?;
/// let mut z = [7.0];
/// let info = newton.solve(&mut Example, &mut z);
/// assert!(info.status.is_success());
/// assert_eq!(z, [0.5]);
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SemismoothNewton {
    settings: SemismoothNewtonSettings,
    phi: Vec<f64>,
    direction: Vec<f64>,
    gradient: Vec<f64>,
    trial: Vec<f64>,
    merits: Vec<f64>,
    best: Vec<f64>,
}

/// Maximum number of step lengths along one direction. Each is half of the previous one.
const SHORTEST: i32 = 60;

impl SemismoothNewton {
    /// Creates the method.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    pub fn new(settings: SemismoothNewtonSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("descent_factor", s.descent_factor, f64::MIN_POSITIVE, "positive")?;
        if !(s.sufficient_decrease > 0.0 && s.sufficient_decrease < 0.5) {
            let (name, value) = ("sufficient_decrease", s.sufficient_decrease);
            return Err(SettingsError::OutOfRange { name, value, must_be: "strictly between 0 and 1/2" });
        }
        if s.memory == 0 {
            return Err(SettingsError::OutOfRange { name: "memory", value: 0.0, must_be: "at least 1" });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Creates the method from settings that [`new`](Self::new) would accept.
    pub(crate) fn of_checked(settings: SemismoothNewtonSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &SemismoothNewtonSettings {
        &self.settings
    }

    pub(crate) fn limits(&self) -> Limits {
        self.settings.limits()
    }

    /// Changes the maximum number of steps of subsequent solves and keeps the workspace.
    pub(crate) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.settings.max_iterations = max_iterations;
    }

    /// Changes the tolerance of subsequent solves and keeps the workspace.
    pub(crate) fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.tolerance = tolerance;
    }

    /// Iterates from `z`, and replaces `z` by the iterate with the smallest error.
    ///
    /// With `Converged`, the error is at or below the tolerance. With `MaxIterations`, the maximum number of
    /// steps was reached. With `Stalled`, no step along the direction decreases the merit function, or the
    /// gradient vanishes while the error is above the tolerance. With `Breakdown`, the error or the merit
    /// function is not finite.
    pub fn solve(&mut self, system: &mut impl SemismoothSystem, z: &mut [f64]) -> SolveInfo {
        let n = z.len();
        for memory in [&mut self.phi, &mut self.direction, &mut self.gradient, &mut self.trial] {
            memory.clear();
            memory.resize(n, 0.0);
        }
        let mut error = system.residual(z, &mut self.phi);
        let mut best = error;
        self.best.clear();
        self.best.extend_from_slice(z);
        self.merits.clear();
        self.merits.push(0.5 * dot(&self.phi, &self.phi));

        let mut iterations = 0;
        let status = loop {
            if error <= self.settings.tolerance {
                break Status::Converged;
            }
            if !error.is_finite() || !self.merits[self.merits.len() - 1].is_finite() {
                break Status::Breakdown;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error)
                || !system.may_continue()
            {
                break Status::MaxIterations;
            }
            iterations += 1;
            let Some(slope) = self.choose_direction(system, z) else { break Status::Stalled };
            let Some(new) = self.search(system, z, slope) else { break Status::Stalled };
            error = new;
            if error < best || best.is_nan() {
                best = error;
                self.best.copy_from_slice(z);
            }
        };
        if status != Status::Converged {
            z.copy_from_slice(&self.best);
            error = best;
        }
        SolveInfo { status, iterations, error }
    }

    /// Writes the Newton direction, or a multiple of the negative gradient, to `direction`. Returns the slope
    /// of the merit function along this direction, or `None` if the gradient vanishes.
    fn choose_direction(&mut self, system: &mut impl SemismoothSystem, z: &[f64]) -> Option<f64> {
        let solved = system.direction(z, &self.phi, &mut self.direction);
        system.gradient(z, &self.phi, &mut self.gradient);
        let merit = self.merits[self.merits.len() - 1];
        if solved.is_ok() {
            let slope = dot(&self.gradient, &self.direction);
            let lengths = norm(&self.gradient) * norm(&self.direction);
            // Along an exact Newton direction, the slope of the merit function is -2 theta. The descent test
            // alone would reject long Newton directions. Therefore directions with a slope of at most -theta
            // are also accepted.
            let is_descent = slope < 0.0 && slope <= -self.settings.descent_factor * lengths;
            if is_descent || slope <= -merit {
                return Some(slope);
            }
        }
        let length = 2.0 * merit / dot(&self.gradient, &self.gradient);
        if !length.is_finite() {
            return None;
        }
        for (d, g) in self.direction.iter_mut().zip(&self.gradient) {
            *d = -length * g;
        }
        Some(-2.0 * merit)
    }

    /// Halves the step until the merit function is low enough, moves `z`, and returns the error at the new
    /// point. Returns `None` if no step is accepted.
    fn search(&mut self, system: &mut impl SemismoothSystem, z: &mut [f64], slope: f64) -> Option<f64> {
        let reference = self.merits.iter().fold(0.0_f64, |a, m| a.max(*m));
        for halvings in 0..SHORTEST {
            let step = 0.5_f64.powi(halvings);
            for ((t, z), d) in self.trial.iter_mut().zip(&*z).zip(&self.direction) {
                *t = z + step * d;
            }
            if self.trial == z {
                return None;
            }
            let error = system.residual(&self.trial, &mut self.phi);
            let merit = 0.5 * dot(&self.phi, &self.phi);
            let enough = merit <= reference + self.settings.sufficient_decrease * step * slope;
            if enough || error <= self.settings.tolerance {
                z.copy_from_slice(&self.trial);
                if self.merits.len() == self.settings.memory {
                    self.merits.remove(0);
                }
                self.merits.push(merit);
                return Some(error);
            }
        }
        None
    }
}
