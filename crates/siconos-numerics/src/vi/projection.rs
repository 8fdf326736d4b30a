//! Projection methods with an adaptive step length, for any convex set.

use super::residual::{natural_error, scale};
use super::{Vi, ViProblem};
use crate::engine::fixed_point::{self, FixedPointSettings, ProjectedMap, Scheme};
use crate::engine::{check_finite, check_length};
use crate::error::{SettingsError, SolverError};
use crate::info::SolveInfo;
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Problem in the form that the fixed-point iteration requires.
struct Task<'a, 'p> {
    problem: &'a ViProblem<'p>,
    scale: f64,
    memory: Vec<f64>,
}

impl ProjectedMap for Task<'_, '_> {
    fn map(&mut self, z: &[f64], f: &mut [f64]) {
        self.problem.map(z, f);
    }

    fn project(&mut self, x: &mut [f64]) {
        self.problem.set().project(x);
    }

    fn error(&mut self, z: &[f64], f: &[f64]) -> f64 {
        natural_error(self.problem, self.scale, z, f, &mut self.memory)
    }
}

fn solve(
    method: &mut fixed_point::FixedPoint,
    problem: &ViProblem<'_>,
    z: &mut [f64],
    w: &mut [f64],
) -> Result<SolveInfo, SolverError> {
    check_length("z", problem.size(), z.len())?;
    check_length("w", problem.size(), w.len())?;
    check_finite("z", z)?;
    let mut task = Task { problem, scale: scale(problem), memory: Vec::new() };
    let info = method.solve(&mut task, z);
    problem.map(z, w);
    Ok(info)
}

/// The projected fixed-point iteration (Goldstein-Levitin-Polyak).
///
/// **Problem.** [`ViProblem`].
///
/// **Method.** (1) $\bar z = P_X(z - \rho F(z))$; reduce $\rho$ until the step rule of the settings is
/// satisfied. (2) $z = \bar z$; increase $\rho$ if the rule was satisfied by a wide margin. (3) Stop when the
/// [`error`](super::error) is at or below the tolerance. See [`crate::engine::fixed_point`] for the rules and
/// references.
///
/// **Guarantee.** Converges for co-coercive maps (gradients of convex functions with Lipschitz gradient,
/// strongly monotone Lipschitz maps), and linearly for strongly monotone maps (Han and Sun 2004; Facchinei
/// and Pang 2003, theorem 12.1.8). It does not converge if the map is a rotation; use [`Extragradient`] then.
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Stalled`, `Breakdown`: the best iterate.
///
/// ```
/// use siconos_numerics::cone::Orthant;
/// use siconos_numerics::Solver;
/// use siconos_numerics::vi::{FixedPoint, ViProblem};
///
/// let map = |z: &[f64], f: &mut [f64]| f.copy_from_slice(&[z[0] - 1.0, z[1] + 1.0]);
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = FixedPoint::default().solve(&ViProblem::new(2, &map, &Orthant), &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-7 && z[1] == 0.0);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_VI_FPP (1001)")]
#[derive(Clone, Debug)]
pub struct FixedPoint(fixed_point::FixedPoint);

impl FixedPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: FixedPointSettings) -> Result<Self, SettingsError> {
        fixed_point::FixedPoint::new(Scheme::FixedPoint, settings).map(Self)
    }
}

impl Default for FixedPoint {
    fn default() -> Self {
        Self(fixed_point::FixedPoint::with_defaults(Scheme::FixedPoint))
    }
}

/// Description of the extragradient method.
pub(super) const EXTRAGRADIENT: MethodDescription = MethodDescription {
    name: "extragradient",
    siconos: "EG (1000)",
    guarantee: Guarantee::in_words("monotone Lipschitz maps"),
    storage: "any set with a projection",
    reference: "Khobotov (1987)",
};

/// Description of the projected fixed-point iteration.
pub(super) const FIXED_POINT: MethodDescription = MethodDescription {
    name: "fixed-point",
    siconos: "FPP (1001)",
    guarantee: Guarantee::in_words("co-coercive maps"),
    storage: "any set with a projection",
    reference: "Han, Sun (2004)",
};

impl Solver for FixedPoint {
    type Class = Vi;

    fn name(&self) -> &'static str {
        FIXED_POINT.name
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn solve(
        &mut self,
        problem: &ViProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve(&mut self.0, problem, z, w)
    }
}

/// The extragradient method.
///
/// **Problem.** [`ViProblem`].
///
/// **Method.** (1) $\bar z = P_X(z - \rho F(z))$; reduce $\rho$ until the step rule of the settings is
/// satisfied. (2) $z = P_X(z - \rho F(\bar z))$; increase $\rho$ if the rule was satisfied by a wide margin.
/// (3) Stop when the [`error`](super::error) is at or below the tolerance. See [`crate::engine::fixed_point`]
/// for the rules and references.
///
/// **Guarantee.** Converges for monotone (even pseudo-monotone) Lipschitz maps if a solution exists (Khobotov
/// 1987; Facchinei and Pang 2003, theorem 12.1.11).
///
/// **Result.** `Converged`: the solution. `MaxIterations`, `Stalled`, `Breakdown`: the best iterate.
///
/// ```
/// use siconos_numerics::Solver;
/// use siconos_numerics::vi::{Extragradient, ViProblem};
///
/// // A rotation on the unit disc: monotone, but not a gradient.
/// let map = |z: &[f64], f: &mut [f64]| f.copy_from_slice(&[z[1], -z[0]]);
/// let disc = |x: &mut [f64]| {
///     let length = x[0].hypot(x[1]).max(1.0);
///     x.iter_mut().for_each(|x| *x /= length);
/// };
/// let (mut z, mut w) = ([0.5, 0.5], [0.0; 2]);
/// let info = Extragradient::default().solve(&ViProblem::new(2, &map, &disc), &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!(z[0].hypot(z[1]) < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_VI_EG (1000)")]
#[derive(Clone, Debug)]
pub struct Extragradient(fixed_point::FixedPoint);

impl Extragradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: FixedPointSettings) -> Result<Self, SettingsError> {
        fixed_point::FixedPoint::new(Scheme::Extragradient, settings).map(Self)
    }
}

impl Default for Extragradient {
    fn default() -> Self {
        Self(fixed_point::FixedPoint::with_defaults(Scheme::Extragradient))
    }
}

impl Solver for Extragradient {
    type Class = Vi;

    fn name(&self) -> &'static str {
        EXTRAGRADIENT.name
    }

    fn limits(&self) -> Limits {
        self.0.limits()
    }

    fn solve(
        &mut self,
        problem: &ViProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve(&mut self.0, problem, z, w)
    }
}
