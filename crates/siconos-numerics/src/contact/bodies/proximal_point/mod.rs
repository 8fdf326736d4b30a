//! Proximal point method in velocity space.

mod linear_step;
mod system;

use serde::{Deserialize, Serialize};

use self::system::{ProximalWorkspace, System};
use super::units::{BodiesUnits, VelocitySpaceMethod, check_bodies, solve_by};
use super::{BodiesError, BodiesProblem};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::best_iterate::BestIterate;
use crate::contact::proximal_parameter::ProximalParameter;
use crate::contact::{Contact, ContactProblem};
use crate::engine::semismooth_newton::{SemismoothNewton, SemismoothNewtonSettings};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`VelocityProximalPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VelocityProximalPointSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of outer iterations. Default: 100.
    pub max_iterations: usize,
    /// Initial $\alpha$ divided by the error of the initial guess. Errors below 0.01 are replaced by 0.01.
    /// Default: 0.5. Must be positive.
    pub sigma: f64,
    /// Factor by which $\alpha$ is multiplied if the Newton iteration fails. Default: 5. Must be above 1.
    pub retreat: f64,
    /// Tolerance of the Newton iteration for the regularised problem, as a fraction of the outer error.
    /// Default: 0.01. Must be in (0, 1).
    pub inner_accuracy: f64,
    /// Maximum number of Newton steps for each regularised problem. Default: 40.
    pub inner_iterations: usize,
}

impl Default for VelocityProximalPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 100,
            sigma: 0.5,
            retreat: 5.0,
            inner_accuracy: 0.01,
            inner_iterations: 40,
        }
    }
}

/// Proximal point method in velocity space. The regularised problems are solved by the semismooth Newton
/// method.
///
/// **Problem.** [`ContactProblem`] with bodies, with symmetric positive definite M, and with any law with
/// finite coefficients.
///
/// **Method.** (1) From the reactions $r_k$ with error $e_k$, form a regularised problem with slightly
/// compliant contacts: $r_i = P_K(r_{k,i} - R_i (u_i + s_i(u_i) e_N))$ with $R_i = m_i / \alpha$, where $m_i$
/// is the effective mass of contact i. The reactions are then functions of the velocities, and the only
/// remaining equations are $M v = H r(H^T v + q)$. (2) Solve these equations for v by the semismooth Newton
/// method, to a tolerance of `inner_accuracy` times $e_k$. With the derivative G of the reactions, a step
/// solves
///
/// $$ (M + H G H^T) dv = .. . $$
///
/// The matrix is sparse, with one row per degree of freedom and a fixed pattern. The step uses GMRES with the
/// factors of an earlier step, or new factors if GMRES would take too long. The step is halved until the
/// energy norm of the residual of the momentum balance is below the largest of the last four norms. (3) After
/// a success, divide $\alpha$ by 16 if Newton's method took at most 2 steps, and by 4 if it took at most 5
/// steps; otherwise keep $\alpha$. After a failure, multiply $\alpha$ by `retreat`, and keep $r_k$ unless the
/// error has decreased. After a failure with $\alpha = c e$, where e is the error, successes do not reduce
/// $\alpha$ below $2 c e_k$, and each success multiplies c by 0.8. (Rockafellar 1976, "Augmented Lagrangians
/// and applications of the proximal point algorithm in convex programming"; Alart, Curnier 1991 for the
/// reactions and Newton's method; Saad, Schultz 1986 for GMRES.)
///
/// **Guarantee.** Without a shift, the method converges if the inner errors are summable (Rockafellar 1976,
/// theorem 4). With friction, no proof is known.
///
/// In tests, the method starts from an error of 1e-3, which Gauss-Seidel sweeps achieve. It solves walls,
/// towers and piles with little friction. It solves most piles of a few hundred contacts that slide and stick
/// (friction 0.3 to 1) in one to three thousand Newton steps, for which `max_iterations` must be above its
/// default. On the other piles, and on larger piles, it ends with an error of about 1e-4.
///
/// **Result.** With `Converged`, the [`error`](crate::contact::error) is at or below the tolerance. With
/// `NotFound`, the error is within the tolerance, but the reactions are so large that rounding dominates the
/// velocities. With `MaxIterations`, `Stalled` (the reactions no longer change) and `Breakdown` (a value is
/// not finite), r is the iterate with the smallest error. `iterations` is the number of outer iterations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, VelocityProximalPoint};
///
/// // A particle of 2 kg falls onto the ground with a sideways velocity, and slides.
/// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::of_bodies(&m, &h, &[-0.5, 1.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = VelocityProximalPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VelocityProximalPoint {
    units: BodiesUnits,
    settings: VelocityProximalPointSettings,
    newton: SemismoothNewton,
    memory: ProximalWorkspace,
    measure: BodiesError,
    best: BestIterate,
    /// Scaled velocities, which are the unknowns of the regularised problem.
    trial: Vec<f64>,
    /// Cost of the most recent solve, in units of one factorisation.
    spent: f64,
    /// Maximum number of factorisations in one solve.
    most_factorisations: usize,
    /// `true` if the budget has reduced `most_factorisations`.
    is_cut: bool,
}

/// Minimum tolerance of the Newton iteration.
const LEAST_TOLERANCE: f64 = 1e-15;

/// Number of previous values of the merit function in the nonmonotone line search. A Newton step is allowed
/// to increase the merit function up to the largest of these values, so that the iteration passes kinks
/// between sticking and sliding. On piles with much friction, the value 4 takes a sixth fewer steps than the
/// value 1. The proximal point method with W uses the value 1, because with larger values some problems with
/// infinite friction diverge.
const MERITS: usize = 4;

impl Default for VelocityProximalPoint {
    fn default() -> Self {
        Self::of_checked(VelocityProximalPointSettings::default())
    }
}

impl VelocityProximalPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: VelocityProximalPointSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("sigma", s.sigma, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_at_least("retreat", s.retreat, 1.0 + f64::EPSILON, "above 1")?;
        SettingsError::check_fraction("inner_accuracy", s.inner_accuracy)?;
        SettingsError::check_at_least("inner_iterations", s.inner_iterations as f64, 1.0, "at least 1")?;
        Ok(Self::of_checked(settings))
    }

    /// Creates a solver from settings that [`new`](Self::new) would accept.
    pub(in crate::contact) fn of_checked(settings: VelocityProximalPointSettings) -> Self {
        Self {
            settings,
            newton: SemismoothNewton::of_checked(SemismoothNewtonSettings {
                memory: MERITS,
                ..SemismoothNewtonSettings::default()
            }),
            units: BodiesUnits::default(),
            memory: ProximalWorkspace::default(),
            measure: BodiesError::default(),
            best: BestIterate::default(),
            trial: Vec::new(),
            spent: 0.0,
            most_factorisations: usize::MAX,
            is_cut: false,
        }
    }

    /// Solves the problem regularised around the reactions `r`.
    fn solve_inner(
        &mut self,
        problem: &BodiesProblem<'_>,
        (alpha, tolerance): (f64, f64),
        r: &[f64],
    ) -> SolveInfo {
        self.memory.centre_at(r, alpha);
        self.newton.set_tolerance(tolerance);
        self.newton.set_max_iterations(self.settings.inner_iterations);
        self.memory.unknowns(&mut self.trial);
        let most = self.most_factorisations as f64 - self.spent;
        let mut system = System { problem, memory: &mut self.memory, most };
        let info = cancellation::nested(|| self.newton.solve(&mut system, &mut self.trial));
        // After the line search, the workspace holds the reactions of the last trial step, which may have
        // been rejected.
        self.memory.react(problem, &self.trial);
        let spent = self.memory.linear.take_spent();
        // A success without a Newton step is counted as one factorisation.
        self.spent += if spent > 0.0 { spent } else { 1.0 };
        info
    }
}

impl VelocitySpaceMethod for VelocityProximalPoint {
    fn units(&mut self) -> &mut BodiesUnits {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &BodiesProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        self.measure.prepare(problem)?;
        let mut error = self.measure.of(problem, r, u);
        self.best.begin(r, error);
        self.memory.prepare(problem, self.measure.velocities());
        let mut parameter = ProximalParameter::begin(self.settings.sigma, error);
        self.spent = 0.0;
        let mut iterations = 0;
        let status = loop {
            let status = match error <= tolerance {
                true => self.measure.judge(problem, r, error, tolerance),
                false => Status::Stalled,
            };
            if status != Status::Stalled {
                break status;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if self.spent >= self.most_factorisations as f64 {
                break if self.is_cut { Status::EffortSpent } else { Status::MaxIterations };
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            if !parameter.is_of_use() {
                break Status::Stalled;
            }
            iterations += 1;
            let allowed = (self.settings.inner_accuracy * error).max(LEAST_TOLERANCE);
            let alpha = parameter.value;
            let inner = self.solve_inner(problem, (alpha, allowed), r);
            let new = self.measure.of(problem, &self.memory.reactions, u);
            self.best.offer(&self.memory.reactions, new);
            tracing::trace!(alpha, steps = inner.iterations, status = ?inner.status, error = new, "proximal point");
            let success = inner.status.is_success() && new.is_finite();
            if success || new < error {
                r.copy_from_slice(&self.memory.reactions);
                self.memory.start_from_here();
                error = new;
            }
            if success {
                parameter.after_success(inner.iterations as f64, error);
            } else {
                parameter.after_failure(self.settings.retreat, error);
            }
        };
        Ok(self.measure.finish(problem, &mut self.best, (r, u), tolerance, Stop { status, iterations }))
    }
}

impl Stage for VelocityProximalPoint {
    /// Sets the budget in factorisations. An outer iteration takes several factorisations.
    fn set_budget(&mut self, budget: &Budget) {
        self.most_factorisations = budget.iterations;
        self.is_cut = budget.is_cut();
        self.settings.max_iterations = budget.iterations;
    }

    fn effort(&self, _: &ContactProblem<'_>, _: &SolveInfo, budget: &Budget) -> f64 {
        budget.cost * self.spent.max(1.0)
    }
}

/// Description of the method, for tables and the command-line tool.
pub(in crate::contact) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "velocity-proximal-point",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any, with the bodies",
    reference: "Rockafellar (1976); Alart, Curnier (1991)",
};

impl Solver for VelocityProximalPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        check_bodies(self.name(), problem)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        solve_by(self, problem, r, u)
    }
}
