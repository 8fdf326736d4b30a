//! Projection methods with an adaptive step length: fixed-point iteration and extragradient method.

use crate::contact::law::refuse_infinite_friction;
use crate::contact::residual::{conclude, error, error_of_point, judge, velocity_of_point};
use crate::contact::spectrum::mean_diagonal;
use crate::contact::units::ProblemScaling;
use crate::contact::{Contact, ContactProblem, DelassusProblem};
use crate::engine::fixed_point::{FixedPoint, FixedPointSettings, ProjectedMap, Scheme};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Contact problem in the form that [`FixedPoint`] solves.
struct Task<'a, 'p> {
    problem: &'a DelassusProblem<'p>,
    /// Mean magnitude of the diagonal entries of W. F is divided by this number, so that the step length of
    /// [`FixedPoint`] is in units of its reciprocal.
    size: f64,
    /// Velocity for the most recent reactions for which the map was evaluated. The error is requested only
    /// for these reactions.
    u: &'a mut [f64],
}

impl ProjectedMap for Task<'_, '_> {
    fn map(&mut self, r: &[f64], f: &mut [f64]) {
        velocity_of_point(self.problem, r, self.u);
        f.copy_from_slice(self.u);
        let law = self.problem.law();
        for block in 0..law.blocks() {
            let range = law.range(block);
            f[range.start] += law.shift(block, &self.u[range.clone()]);
        }
        f.iter_mut().for_each(|f| *f /= self.size);
    }

    fn project(&mut self, r: &mut [f64]) {
        self.problem.law().project_all(r);
    }

    fn error(&mut self, r: &[f64], _: &[f64]) -> f64 {
        error(self.problem, r, self.u)
    }
}

/// Projection method with its workspace for contact problems.
#[derive(Clone, Debug)]
struct Projection {
    iteration: FixedPoint,
    diagonal: Vec<f64>,
    units: ProblemScaling,
}

impl Projection {
    fn new(iteration: FixedPoint) -> Self {
        Self { iteration, diagonal: Vec::new(), units: ProblemScaling::default() }
    }
}

impl Projection {
    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let Self { iteration, diagonal, units } = self;
        let tolerance = iteration.settings().tolerance;
        units.solve(problem, tolerance, r, u, |problem, r, u| {
            let size = mean_diagonal(problem.w(), diagonal);
            let info = iteration.solve(&mut Task { problem, size, u }, r);
            let error = error_of_point(problem, r, u);
            let status = match info.status {
                Status::Converged => judge(problem, r, error, tolerance),
                status => status,
            };
            Ok(conclude(problem, r, u, tolerance, Stop { status, iterations: info.iterations }, diagonal))
        })
    }
}

/// Projected fixed-point iteration with an adaptive step length.
///
/// **Problem.** [`ContactProblem`] of any form, with any law.
///
/// **Method.** Let $F(r) = W r + q + s(u) e_N$ be the velocity with De Saxce's shift. (1) Compute
/// $\bar r = P_K(r - \rho F(r))$, and reduce $\rho$ until the step rule accepts $\bar r$. (2) Set
/// $r = \bar r$, and increase $\rho$ if the step rule is satisfied by a large margin. (3) End when the
/// [`error`](crate::contact::error) is at or below the tolerance. Each evaluation of F takes one product with
/// W. The step rules (Khobotov 1987; Solodov and Tseng 1996; Han and Sun 2004) are defined in
/// [`crate::engine::fixed_point`]. The setting `step` is the initial $\rho$, multiplied by the mean diagonal
/// entry of W.
///
/// **Guarantee.** Without friction and with symmetric positive semidefinite W, the method converges, because
/// F is co-coercive (Facchinei and Pang 2003, theorem 12.1.8). With friction, F is not monotone, and no proof
/// is known.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (no step changes r) and `Breakdown` (a value is not finite), r is the best
/// iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::FixedPointProjection;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = FixedPointProjection::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_FPP (511)")]
#[doc(alias = "SICONOS_FRICTION_3D_VI_FPP (506)")]
#[doc(alias = "SICONOS_SOCLCP_VI_FPP (1106)")]
#[derive(Clone, Debug)]
pub struct FixedPointProjection(Projection);

impl FixedPointProjection {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: FixedPointSettings) -> Result<Self, SettingsError> {
        FixedPoint::new(Scheme::FixedPoint, settings).map(|iteration| Self(Projection::new(iteration)))
    }
}

impl Default for FixedPointProjection {
    fn default() -> Self {
        Self(Projection::new(FixedPoint::with_defaults(Scheme::FixedPoint)))
    }
}

/// Description of [`FixedPointProjection`], for tables and the command-line tool.
pub(in crate::contact) const FIXED_POINT: MethodDescription = MethodDescription {
    name: "fixed-point-projection",
    siconos: "FPP (506, 511, 610, 1106)",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Khobotov (1987); Han, Sun (2004)",
};

/// Description of [`Extragradient`], for tables and the command-line tool.
pub(in crate::contact) const EXTRAGRADIENT: MethodDescription = MethodDescription {
    name: "extragradient",
    siconos: "EG (507, 512, 611, 1107)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Korpelevich (1976); Khobotov (1987)",
};

impl Solver for FixedPointProjection {
    type Class = Contact;

    fn name(&self) -> &'static str {
        FIXED_POINT.name
    }

    fn limits(&self) -> Limits {
        self.0.iteration.limits()
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        self.0.solve(problem, r, u)
    }
}

/// Extragradient method (Korpelevich 1976) with an adaptive step length.
///
/// **Problem.** [`ContactProblem`] of any form, with any law.
///
/// **Method.** Let $F(r) = W r + q + s(u) e_N$ be the velocity with De Saxce's shift. (1) Compute
/// $\bar r = P_K(r - \rho F(r))$, and reduce $\rho$ until the step rule accepts $\bar r$. (2) Set
/// $r = P_K(r - \rho F(\bar r))$, and increase $\rho$ if the step rule is satisfied by a large margin. (3)
/// End when the [`error`](crate::contact::error) is at or below the tolerance. Each iteration takes two
/// products with W, plus one product for each reduction of $\rho$. The step rules (Khobotov 1987; Solodov and
/// Tseng 1996; Han and Sun 2004) are defined in [`crate::engine::fixed_point`]. The setting `step` is the
/// initial $\rho$, multiplied by the mean diagonal entry of W.
///
/// **Guarantee.** The method converges if F is monotone. Without friction, F is monotone for every positive
/// semidefinite W, symmetric or not (Facchinei and Pang 2003, theorem 12.1.11). With friction, no proof is
/// known.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (no step changes r) and `Breakdown` (a value is not finite), r is the best
/// iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::classical::Extragradient;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = Extragradient::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_EG (512)")]
#[doc(alias = "SICONOS_FRICTION_3D_VI_EG (507)")]
#[doc(alias = "SICONOS_SOCLCP_VI_EG (1107)")]
#[derive(Clone, Debug)]
pub struct Extragradient(Projection);

impl Extragradient {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: FixedPointSettings) -> Result<Self, SettingsError> {
        FixedPoint::new(Scheme::Extragradient, settings).map(|iteration| Self(Projection::new(iteration)))
    }
}

impl Default for Extragradient {
    fn default() -> Self {
        Self(Projection::new(FixedPoint::with_defaults(Scheme::Extragradient)))
    }
}

impl Solver for Extragradient {
    type Class = Contact;

    fn name(&self) -> &'static str {
        EXTRAGRADIENT.name
    }

    fn limits(&self) -> Limits {
        self.0.iteration.limits()
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        refuse_infinite_friction(self.name(), &problem.law())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        self.0.solve(problem, r, u)
    }
}
