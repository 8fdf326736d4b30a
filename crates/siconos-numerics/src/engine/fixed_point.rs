//! Projection methods with an adaptive step length, for any convex set and any map.
//!
//! This module is a component of the solvers. It is public for users who write their own solvers. In contrast
//! to the solvers, it may change in any version.
//!
//! A point z solves the variational inequality over a convex set X with the map F if and only if
//! $z = P_X(z - \rho F(z))$ for any $\rho > 0$. One iteration is
//!
//! $$ \bar z = P_X(z - \rho F(z)), \qquad z_+ = \bar z \quad \text{or} \quad z_+ = P_X(z - \rho F(\bar z)), $$
//!
//! as plain text: the trial point is zbar = P(z - rho F(z)). The new point is the trial point itself
//! (fixed-point iteration, Goldstein-Levitin-Polyak), or P(z - rho F(zbar)) (extragradient, Korpelevich
//! 1976). The step length $\rho$ is reduced until the [`StepRule`] accepts it. After a step for which the
//! value of Khobotov's rule is small, the step length is increased.
//!
//! References: Khobotov (1987), "Modification of the extra-gradient method for solving variational
//! inequalities and certain optimization problems", for the rule; Solodov and Tseng (1996), "Modified
//! projection-type methods for monotone variational inequalities"; Han and Sun (2004), "A new modified
//! Goldstein-Levitin-Polyak projection method for variational inequality problems"; Facchinei and Pang
//! (2003), section 12.1.

use serde::{Deserialize, Serialize};
use siconos_linalg::{dot, norm};

use crate::cancellation;
use crate::error::SettingsError;
use crate::info::{SolveInfo, Status};
use crate::method::Limits;

/// Variational inequality to be solved by [`FixedPoint`].
pub trait ProjectedMap {
    /// Writes F(z) to `f`.
    fn map(&mut self, z: &[f64], f: &mut [f64]);

    /// Replaces `x` by the nearest point of the set.
    fn project(&mut self, x: &mut [f64]);

    /// Returns the error of the point z, as defined by the problem class. z is in the set, and `f` is F(z).
    fn error(&mut self, z: &[f64], f: &[f64]) -> f64;
}

/// Rule for the new point of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scheme {
    /// The new point is the trial point. This scheme needs one evaluation of F per iteration. It converges
    /// for co-coercive maps, for example gradients of convex functions and strongly monotone Lipschitz maps.
    FixedPoint,
    /// The new point is computed by a second projection, with F at the trial point. This scheme needs two
    /// evaluations of F per iteration. It converges for monotone Lipschitz maps.
    #[default]
    Extragradient,
}

/// Quantity that decides whether a step is accepted. A step is accepted if the quantity does not exceed
/// [`longest`](FixedPointSettings::longest). In the formulas, $\Delta z = z - \bar z$ and
/// $\Delta F = F(z) - F(\bar z)$.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepRule {
    /// $\rho \lVert \Delta F \rVert / \lVert \Delta z \rVert$ (Khobotov 1987).
    #[default]
    Khobotov,
    /// $\rho \Delta z^T \Delta F / \lVert \Delta z \rVert^2$ (Solodov and Tseng 1996). It allows longer steps
    /// than Khobotov's rule if F rotates. With this rule, the second projection of the extragradient scheme
    /// follows algorithm 2.2 of Solodov and Tseng: $z_+ = P_X(z - \gamma d)$ with
    /// $d = \Delta z - \rho \Delta F$ and $\gamma = \Delta z^T d / \lVert d \rVert^2$.
    SolodovTseng,
    /// $\rho \lVert \Delta F \rVert^2 / \Delta z^T \Delta F$ (Han and Sun 2004). It estimates the modulus of
    /// co-coercivity. It is intended for the fixed-point scheme.
    HanSun,
}

/// Settings of [`FixedPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FixedPointSettings {
    /// Maximum error of an accepted solution, as defined by the problem class. Default: 1e-8. Must be
    /// positive.
    pub tolerance: f64,
    /// Maximum number of iterations. Default: 20 000.
    pub max_iterations: usize,
    /// Rule that decides whether a step is accepted. Default: [`StepRule::Khobotov`].
    pub rule: StepRule,
    /// Initial step length $\rho$. Default: 1. Must be positive.
    pub step: f64,
    /// Maximum value of the rule for which a step is accepted. If the value is larger, $\rho$ is reduced.
    /// Default: 0.9. Must be in (0, 1).
    pub longest: f64,
    /// If the value of Khobotov's rule for an accepted step is below this value, $\rho$ is increased for the
    /// next step. Default: 0.3. Must be in (0, 1) and below `longest`.
    pub shortest: f64,
    /// Factor by which $\rho$ is multiplied when it is reduced, and divided when it is increased. Default:
    /// 2/3. Must be in (0, 1).
    pub factor: f64,
}

impl Default for FixedPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 20_000,
            rule: StepRule::default(),
            step: 1.0,
            longest: 0.9,
            shortest: 0.3,
            factor: 2.0 / 3.0,
        }
    }
}

/// Projection method with its settings and workspace.
///
/// ```
/// use siconos_numerics::engine::fixed_point::{FixedPoint, FixedPointSettings, ProjectedMap, Scheme};
///
/// /// The map F(z) = 2 z - 1 on the set z >= 1.
/// struct Example;
///
/// impl ProjectedMap for Example {
///     fn map(&mut self, z: &[f64], f: &mut [f64]) {
///         f[0] = 2.0 * z[0] - 1.0;
///     }
///     fn project(&mut self, x: &mut [f64]) {
///         x[0] = x[0].max(1.0);
///     }
///     fn error(&mut self, z: &[f64], f: &[f64]) -> f64 {
///         (z[0] - (z[0] - f[0]).max(1.0)).abs()
///     }
/// }
///
/// let mut method = FixedPoint::new(Scheme::FixedPoint, FixedPointSettings::default())?;
/// let mut z = [7.0];
/// assert!(method.solve(&mut Example, &mut z).status.is_success());
/// assert_eq!(z, [1.0]);
/// # Ok::<(), siconos_numerics::SettingsError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FixedPoint {
    scheme: Scheme,
    settings: FixedPointSettings,
    f: Vec<f64>,
    trial: Vec<f64>,
    f_trial: Vec<f64>,
    next: Vec<f64>,
    best: Vec<f64>,
}

/// Maximum number of reductions of the step length in one iteration.
const MOST_CUTS: usize = 200;

impl FixedPoint {
    /// Creates the method.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    pub fn new(scheme: Scheme, settings: FixedPointSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("step", s.step, f64::MIN_POSITIVE, "positive")?;
        for (name, value) in [("longest", s.longest), ("factor", s.factor), ("shortest", s.shortest)] {
            SettingsError::check_fraction(name, value)?;
        }
        if s.shortest >= s.longest {
            let (name, value) = ("shortest", s.shortest);
            return Err(SettingsError::OutOfRange { name, value, must_be: "below `longest`" });
        }
        Ok(Self { scheme, settings, ..Self::default() })
    }

    /// Creates the method with default settings.
    #[must_use]
    pub fn with_defaults(scheme: Scheme) -> Self {
        Self { scheme, ..Self::default() }
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &FixedPointSettings {
        &self.settings
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    /// Iterates from the projection of `z` onto the set, and replaces `z` by the iterate with the smallest
    /// error.
    ///
    /// With `Converged`, the error is at or below the tolerance. With `MaxIterations`, the maximum number of
    /// iterations was reached. With `Stalled`, the trial point equals z, or no step length is accepted. With
    /// `Breakdown`, the error of an iterate is not finite.
    pub fn solve(&mut self, problem: &mut impl ProjectedMap, z: &mut [f64]) -> SolveInfo {
        for memory in [&mut self.f, &mut self.trial, &mut self.f_trial, &mut self.next] {
            memory.clear();
            memory.resize(z.len(), 0.0);
        }
        problem.project(z);
        problem.map(z, &mut self.f);
        let mut error = problem.error(z, &self.f);
        let mut best = error;
        self.best.clear();
        self.best.extend_from_slice(z);
        let mut step = self.settings.step;
        let mut iterations = 0;
        let status = loop {
            if error <= self.settings.tolerance {
                break Status::Converged;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            iterations += 1;
            let Some(slope) = self.find_step(problem, z, &mut step) else { break Status::Stalled };
            match self.scheme {
                Scheme::FixedPoint => {
                    z.copy_from_slice(&self.trial);
                    std::mem::swap(&mut self.f, &mut self.f_trial);
                }
                Scheme::Extragradient => {
                    self.correct(z, step);
                    problem.project(&mut self.next);
                    z.copy_from_slice(&self.next);
                    problem.map(z, &mut self.f);
                }
            }
            error = problem.error(z, &self.f);
            if error < best {
                best = error;
                self.best.copy_from_slice(z);
            }
            if step * slope < self.settings.shortest {
                step = (step / self.settings.factor).min(f64::MAX.sqrt());
            }
        };
        if status != Status::Converged {
            z.copy_from_slice(&self.best);
            error = best;
        }
        SolveInfo { status, iterations, error }
    }

    /// Computes the argument of the second projection of the extragradient scheme, and writes it to `next`.
    fn correct(&mut self, z: &[f64], step: f64) {
        self.next.clear();
        if self.settings.rule != StepRule::SolodovTseng {
            self.next.extend(z.iter().zip(&self.f_trial).map(|(z, f)| z - step * f));
            return;
        }
        let pairs = z.iter().zip(&self.trial).zip(self.f.iter().zip(&self.f_trial));
        self.next.extend(pairs.map(|((z, t), (f, f_trial))| (z - t) - step * (f - f_trial)));
        let along: f64 = z.iter().zip(&self.trial).zip(&self.next).map(|((z, t), d)| (z - t) * d).sum();
        let length = along / dot(&self.next, &self.next);
        self.next.iter_mut().zip(z).for_each(|(d, z)| *d = z - length * *d);
    }

    /// Reduces the step length until the rule accepts it, and stores the trial point and the value of F
    /// there. Returns the slope of F between z and the trial point. Returns `None` if no step length is
    /// accepted or if the trial point equals z.
    fn find_step(&mut self, problem: &mut impl ProjectedMap, z: &[f64], step: &mut f64) -> Option<f64> {
        for _ in 0..MOST_CUTS {
            for ((t, z), f) in self.trial.iter_mut().zip(z).zip(&self.f) {
                *t = z - *step * f;
            }
            problem.project(&mut self.trial);
            problem.map(&self.trial, &mut self.f_trial);
            if self.trial == z {
                return None;
            }
            let (measure, slope) = self.measure(z, *step);
            // If F is not finite at the trial point, the value is NaN. The comparison is then false, and the
            // step is rejected.
            if measure <= self.settings.longest {
                return Some(slope);
            }
            *step *= self.settings.factor;
        }
        None
    }

    /// Returns the value of the rule, and the slope $\lVert \Delta F \rVert / \lVert \Delta z \rVert$ of F
    /// between z and the trial point.
    fn measure(&mut self, z: &[f64], step: f64) -> (f64, f64) {
        let dz = &mut self.next;
        dz.clear();
        dz.extend(z.iter().zip(&self.trial).map(|(z, t)| z - t));
        let length = norm(dz);
        let turn: f64 = dz.iter().zip(self.f.iter().zip(&self.f_trial)).map(|(d, (f, t))| d * (f - t)).sum();
        dz.clear();
        dz.extend(self.f.iter().zip(&self.f_trial).map(|(f, t)| f - t));
        let square = dot(dz, dz);
        let slope = square.sqrt() / length;
        let measure = match self.settings.rule {
            StepRule::Khobotov => step * slope,
            StepRule::SolodovTseng => step * turn / (length * length),
            StepRule::HanSun if square == 0.0 => 0.0,
            // F is not monotone between the two points. Reducing the step length need not satisfy this rule,
            // so the step is rejected.
            StepRule::HanSun if turn <= 0.0 => f64::INFINITY,
            StepRule::HanSun => step * square / turn,
        };
        (measure, slope)
    }
}
