//! Proximal point method, which solves a sequence of regularised contact problems.

use serde::{Deserialize, Serialize};

use super::best_iterate::BestIterate;
use super::cost;
use super::proximal_parameter::ProximalParameter;
use super::residual::{error_of_point, judge};
use super::scales::Scales;
use super::shifted_matrix::ShiftedMatrix;
use super::units::{ProblemScaling, ScaledSolver, solve_by};
use super::{
    Contact, ContactProblem, DelassusProblem, GaussSeidelSettings, Newton, NewtonSettings,
    NonsmoothGaussSeidel,
};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Solver of the regularised problems. Its tolerance is set by the outer iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProximalInner {
    /// Semismooth [`Newton`].
    Newton(NewtonSettings),
    /// [`NonsmoothGaussSeidel`].
    NonsmoothGaussSeidel(GaussSeidelSettings),
}

impl Default for ProximalInner {
    /// Returns the semismooth Newton method with the natural map and at most 40 steps.
    fn default() -> Self {
        Self::Newton(newton_of_inner())
    }
}

fn newton_of_inner() -> NewtonSettings {
    let mut settings = NewtonSettings::default();
    settings.newton.max_iterations = 40;
    settings
}

/// Settings of [`ProximalPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProximalPointSettings {
    /// Maximum [`error`](super::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of outer iterations. Default: 100.
    pub max_iterations: usize,
    /// Initial $\alpha$ divided by the error of the initial guess. Errors below 0.01 are replaced by 0.01.
    /// Default: 0.5. Must be positive.
    pub sigma: f64,
    /// Factor by which $\alpha$ is multiplied after an inner solve that failed. Default: 5. Must be above 1.
    pub retreat: f64,
    /// Tolerance of the inner solver, as a fraction of the outer error. Default: 0.01. Must be in (0, 1).
    pub inner_accuracy: f64,
    /// Solver of the regularised problems. Default: the semismooth Newton method with the natural map and at
    /// most 40 steps.
    pub inner: ProximalInner,
}

impl Default for ProximalPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 100,
            sigma: 0.5,
            retreat: 5.0,
            inner_accuracy: 0.01,
            inner: ProximalInner::default(),
        }
    }
}

/// Proximal point method, which solves regularised problems with another contact solver.
///
/// **Problem.** [`ContactProblem`] of any form that the inner solver supports.
///
/// **Method.** (1) From the reactions $r_k$ with error $e_k$, form a regularised problem with $W + \alpha D$
/// and $q - \alpha D r_k$ instead of W and q. D is a diagonal matrix; for each contact, its entry is the mean
/// of the diagonal entries of W of this contact. The regularised problem is better conditioned, and its
/// matrix has full rank if W is positive semidefinite. (2) Run the inner solver from $r_k$ to the tolerance
/// `inner_accuracy` times $e_k$. (3) After a success, divide $\alpha$ by 16 if the inner solver took at most
/// 2 steps, and by 4 if it took at most 5 steps; otherwise keep $\alpha$. (250 Gauss-Seidel sweeps count as
/// one step.) This makes the outer iteration superlinear if the problem allows it. (4) If the inner solver
/// fails, multiply $\alpha$ by `retreat`, and keep $r_k$ unless the error has decreased. After a failure,
/// $\alpha$ stays above twice the value that failed, scaled in proportion to the error (Fischer 1999,
/// "Solution of monotone complementarity problems with locally Lipschitzian functions"). Each success lowers
/// this bound by a fifth. Only the diagonal of the copy of W changes, so the symbolic factorisation is
/// reused. (Rockafellar 1976, "Monotone operators and the proximal point algorithm"; for friction Acary,
/// Bremond, Huber 2018, section 5.4.)
///
/// **Guarantee.** Without friction and with positive semidefinite W, the method converges if the inner errors
/// are summable (Rockafellar 1976, theorem 1). With friction, convergence is not proven. The method is useful
/// if W is rank-deficient because there are many more contact unknowns than degrees of freedom.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations`, `Stalled` (the inner solver does not change r even with a large $\alpha$) and `Breakdown`
/// (a value is not finite), r is the best iterate. `iterations` is the number of outer iterations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, ProximalPoint};
///
/// // Two contacts at one point: only the sum of the reactions is determined.
/// let w = array![[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5, 0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0, -1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
/// let info = ProximalPoint::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] + r[2] - 1.0).abs() < 1e-6 && (r[1] + r[3] + 0.5).abs() < 1e-6);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_PROX (502)")]
#[derive(Debug)]
pub struct ProximalPoint {
    units: ProblemScaling,
    scales: Scales,
    /// Number of operations of the most recent solve.
    effort: f64,
    /// Maximum number of operations of one solve.
    most_effort: f64,
    settings: ProximalPointSettings,
    shifted: ShiftedMatrix,
    best: BestIterate,
    q: Vec<f64>,
    trial: Vec<f64>,
    /// Diagonal entries of D.
    unit: Vec<f64>,
    /// Diagonal entries of $\alpha D$.
    shift: Vec<f64>,
    newton: Newton,
    sweeps: NonsmoothGaussSeidel,
}

impl Default for ProximalPoint {
    fn default() -> Self {
        let newton = Newton::of_checked(newton_of_inner());
        Self::around(ProximalPointSettings::default(), newton, NonsmoothGaussSeidel::default())
    }
}

/// Number of Gauss-Seidel sweeps that count as one Newton step.
const SWEEPS_OF_A_STEP: f64 = 250.0;

/// Minimum tolerance of an inner solve.
const LEAST_TOLERANCE: f64 = 1e-15;

impl ProximalPoint {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]); this includes the settings of the inner solver.
    pub fn new(settings: ProximalPointSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("sigma", s.sigma, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_at_least("retreat", s.retreat, 1.0 + f64::EPSILON, "above 1")?;
        SettingsError::check_fraction("inner_accuracy", s.inner_accuracy)?;
        match &s.inner {
            ProximalInner::Newton(inner) => {
                let newton = Newton::new(inner.clone())?;
                Ok(Self::around(settings, newton, NonsmoothGaussSeidel::default()))
            }
            ProximalInner::NonsmoothGaussSeidel(inner) => {
                let sweeps = NonsmoothGaussSeidel::new(inner.clone())?;
                Ok(Self::around(settings, Newton::default(), sweeps))
            }
        }
    }

    fn around(settings: ProximalPointSettings, newton: Newton, sweeps: NonsmoothGaussSeidel) -> Self {
        Self {
            units: ProblemScaling::default(),
            scales: Scales::default(),
            effort: 0.0,
            most_effort: f64::INFINITY,
            settings,
            shifted: ShiftedMatrix::default(),
            best: BestIterate::default(),
            q: Vec::new(),
            trial: Vec::new(),
            unit: Vec::new(),
            shift: Vec::new(),
            newton,
            sweeps,
        }
    }

    /// Changes the maximum number of outer iterations of subsequent solves and keeps the workspace.
    pub(super) fn set_max_iterations(&mut self, max_iterations: usize) {
        self.settings.max_iterations = max_iterations;
    }

    /// Computes the diagonal of D from the mean inverse mass of each contact. With this scaling, $\alpha$ has
    /// the same effect on light and on heavy bodies.
    fn find_units(&mut self, problem: &DelassusProblem<'_>) {
        self.scales.prepare(problem);
        self.unit.clear();
        for (block, scale) in self.scales.blocks().iter().enumerate() {
            self.unit.extend(problem.law().range(block).map(|_| scale.inverse_mass));
        }
    }

    /// Converts a number of inner iterations to Newton steps.
    fn steps_of_inner(&self, iterations: usize) -> f64 {
        match &self.settings.inner {
            ProximalInner::Newton(_) => iterations as f64,
            ProximalInner::NonsmoothGaussSeidel(_) => iterations as f64 / SWEEPS_OF_A_STEP,
        }
    }

    /// Solves the problem regularised around the reactions `r`, and writes the solution to the field `trial`.
    fn solve_inner(
        &mut self,
        problem: &DelassusProblem<'_>,
        alpha: f64,
        tolerance: f64,
        r: &[f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.shift.clear();
        self.shift.extend(self.unit.iter().map(|unit| alpha * unit));
        self.shifted.set_shift(&self.shift);
        self.q.clear();
        self.q.extend(problem.q().iter().zip(r).zip(&self.shift).map(|((q, r), shift)| q - shift * r));
        self.trial.clear();
        self.trial.extend_from_slice(r);
        let regularised = DelassusProblem::new(self.shifted.view(), &self.q, problem.law());
        self.scales.prepare(&regularised);
        let regularised = regularised.with_scales(&self.scales);
        match &self.settings.inner {
            ProximalInner::Newton(inner) => {
                self.newton.set_tolerance(tolerance);
                // The number of steps is limited by the remaining budget of operations.
                let left = ((self.most_effort - self.effort) / cost::of_step(&regularised)).max(1.0);
                self.newton.set_max_iterations(inner.newton.max_iterations.min(left as usize));
                let newton = &mut self.newton;
                let info =
                    cancellation::nested(|| newton.solve_in_own_units(&regularised, &mut self.trial, u))?;
                self.effort += self.newton.effort_of(&regularised, info.iterations);
                Ok(info)
            }
            ProximalInner::NonsmoothGaussSeidel(_) => {
                self.sweeps.set_tolerance(tolerance);
                let sweeps = &mut self.sweeps;
                let info = cancellation::nested(|| sweeps.solve_as_it_is(&regularised, &mut self.trial, u))?;
                self.effort += cost::of_sweep(&(&regularised).into()) * info.iterations as f64;
                Ok(info)
            }
        }
    }
}

impl Stage for ProximalPoint {
    /// Limits the total number of operations of the inner steps. The number of outer iterations is not
    /// limited, because their costs differ.
    fn set_budget(&mut self, budget: &Budget) {
        self.most_effort = budget.cost * budget.iterations as f64;
    }

    fn effort(&self, _: &ContactProblem<'_>, _: &SolveInfo, _: &Budget) -> f64 {
        self.effort
    }
}

/// Description of the method for tables of methods.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "proximal-point",
    siconos: "PROX (502), PROX_WR (602)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Rockafellar (1976)",
};

impl Solver for ProximalPoint {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        match &self.settings.inner {
            ProximalInner::Newton(_) => self.newton.supports(problem),
            ProximalInner::NonsmoothGaussSeidel(_) => self.sweeps.supports(problem),
        }
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        solve_by(self, problem, r, u)
    }
}

impl ScaledSolver for ProximalPoint {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let tolerance = self.settings.tolerance;
        let mut error = error_of_point(problem, r, u);
        self.best.begin(r, error);
        self.shifted.prepare(problem.w());
        self.find_units(problem);
        let mut parameter = ProximalParameter::begin(self.settings.sigma, error);
        self.effort = 0.0;
        let mut iterations = 0;
        let status = loop {
            let status = judge(problem, r, error, tolerance);
            if status != Status::Stalled {
                break status;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            if self.effort >= self.most_effort {
                break Status::EffortSpent;
            }
            if !parameter.is_of_use() {
                break Status::Stalled;
            }
            iterations += 1;
            let alpha = parameter.value;
            let allowed = (self.settings.inner_accuracy * error).max(LEAST_TOLERANCE);
            let inner = self.solve_inner(problem, alpha, allowed, r, u)?;
            self.effort += cost::of_evaluation(problem);
            problem.law().project_all(&mut self.trial);
            let new = error_of_point(problem, &self.trial, u);
            self.best.offer(&self.trial, new);
            tracing::trace!(alpha, steps = inner.iterations, status = ?inner.status, error = new, "proximal point");
            let success = inner.status.is_success() && new.is_finite();
            if success || new < error {
                r.copy_from_slice(&self.trial);
                error = new;
            } else {
                error = error_of_point(problem, r, u);
            }
            if success {
                parameter.after_success(self.steps_of_inner(inner.iterations), error);
            } else {
                parameter.after_failure(self.settings.retreat, error);
            }
        };
        Ok(self.best.finish(problem, (r, u), tolerance, Stop { status, iterations }))
    }
}
