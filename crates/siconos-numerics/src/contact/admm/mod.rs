//! Alternating direction method of multipliers (ADMM) with the Delassus matrix. A factorisation is reused for
//! many steps.

mod iterate;
mod linear_step;

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::factorisation;

use self::iterate::Iterate;
use self::linear_step::LinearStep;
use super::best_iterate::BestIterate;
use super::law::refuse_infinite_friction;
use super::residual::{error_of_point, judge, velocity_of_point};
use super::spectrum::mean_diagonal;
use super::units::{ProblemScaling, ScaledSolver, solve_by};
use super::{Contact, ContactProblem, DelassusProblem};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError, Unsupported};
use crate::info::{SolveInfo, Status, Stop};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`Admm`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdmmSettings {
    /// Maximum [`error`](super::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of steps. Default: 20 000.
    pub max_iterations: usize,
    /// Initial penalty $\rho$, as a multiple of the mean diagonal entry of W. Default: 1. Must be positive.
    pub penalty: f64,
    /// Over-relaxation factor. Must be in (0, 2). Default: 1, which means no relaxation.
    pub relaxation: f64,
    /// `true` if momentum with restart is used (Goldstein et al. 2014, algorithm 8). Default: `true`.
    pub acceleration: bool,
    /// `true` if the penalty is adapted to keep the primal and dual residuals balanced (Wohlberg 2017).
    /// Default: `true`.
    pub balancing: bool,
    /// Maximum ratio of the larger to the smaller relative residual. If the ratio exceeds this value, the
    /// penalty changes. Default: 5. Must be above 1.
    pub imbalance: f64,
}

impl Default for AdmmSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 20_000,
            penalty: 1.0,
            relaxation: 1.0,
            acceleration: true,
            balancing: true,
            imbalance: 5.0,
        }
    }
}

/// Alternating direction method of multipliers (ADMM) with W. The reactions are split into two vectors, r and
/// y, with the constraint r = y. r is unconstrained otherwise, and y is in the cones.
///
/// **Problem.** [`ContactProblem`] of any form, with any law with finite coefficients. $W + \rho I$ must be
/// nonsingular.
///
/// **Method.** The multiplier $\xi$ has the unit of the reaction; the shifted velocity is $-\rho \xi$. (1)
/// Factorise $W + \rho I$, by Cholesky if W is symmetric, and with sparse factors if W is sparse. The initial
/// $\rho$ is the mean diagonal entry of W times `penalty`. The initial y and $\xi$ are computed by one
/// projected step from the initial guess. (2) Compute
/// $r = (W + \rho I)^{-1} \bigl(\rho (y - \xi) - q - s e_N \bigr)$ with the shift s of the current velocity.
/// (3) With the relaxation factor $\omega$ and $v = \omega r + (1 - \omega) y + \xi$, set $y = P_K(v)$ and
/// $\xi = v - y$. (4) If the combined residual has decreased, extrapolate y and $\xi$ by Nesterov's rule;
/// otherwise restart the momentum (Goldstein, O'Donoghue, Setzer, Baraniuk 2014, "Fast alternating direction
/// optimization methods", algorithm 8; in contrast to that algorithm, a restart keeps the newest iterate).
/// (5) Every five steps, compute the [`error`](super::error) of y. At growing intervals, compute the primal
/// residual $\lVert r - y \rVert / \max(\lVert r \rVert, \lVert y \rVert)$ and the dual residual
/// $\lVert y - y_{\text{old}} \rVert / \lVert \xi \rVert$. If the two residuals differ by more than a factor
/// of `imbalance`, multiply $\rho$ by the square root of the primal residual divided by the dual residual
/// (Boyd et al. 2011, section 3.4.1; Wohlberg 2017, "ADMM penalty parameter selection by residual
/// balancing"). For friction with the shift updated in the loop, see Acary, Bremond, Huber 2018, section 5.
///
/// **Guarantee.** Without friction, without momentum and with positive semidefinite W, symmetric or not, the
/// method converges, because it is then the method of Douglas and Rachford (Eckstein and Bertsekas 1992).
/// With friction, it usually converges, but this is not proven.
///
/// **Result.** With `Converged`, the error is at or below the tolerance, and r is in the cones. With
/// `MaxIterations` and `Breakdown` (a value is not finite), r is the best iterate whose error was computed.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{Admm, ContactLaw, ContactProblem};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = Admm::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 1.0).abs() < 1e-7 && (r[1] + 0.5).abs() < 1e-7);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_FRICTION_3D_ADMM (523)")]
#[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ADMM (3010)")]
#[derive(Clone, Debug, Default)]
pub struct Admm {
    units: ProblemScaling,
    settings: AdmmSettings,
    linear: LinearStep,
    iterate: Iterate,
    best: BestIterate,
    diagonal: Vec<f64>,
    factorisations: usize,
}

/// Number of steps between two computations of the error.
const BETWEEN_MEASUREMENTS: usize = 5;

/// Number of steps before the first change of the penalty.
const FIRST_PAUSE: f64 = 20.0;

/// Growth factor of the intervals between changes of the penalty. The changes become rare because convergence
/// is proven only for a constant penalty.
const GROWTH_OF_PAUSES: f64 = 1.3;

/// Maximum factor by which a single change multiplies or divides the penalty.
const LARGEST_CHANGE: f64 = 10.0;

/// Maximum factor by which all changes together multiply or divide the penalty. Without this limit, balancing
/// would decrease the penalty indefinitely if the problem has no solution. W + rho I would then equal W
/// within rounding errors, and would be singular if W is singular.
const PENALTIES: f64 = 1e8;

impl Admm {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range ([`SettingsError`]).
    pub fn new(settings: AdmmSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_tolerance(s.tolerance)?;
        SettingsError::check_at_least("penalty", s.penalty, f64::MIN_POSITIVE, "positive")?;
        SettingsError::check_at_least("imbalance", s.imbalance, 1.0 + f64::EPSILON, "above 1")?;
        SettingsError::check_relaxation("relaxation", s.relaxation)?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Solves the convex problem $K^{\ast} \ni W r + q \perp r \in K$ from the initial guess in `r`, until
    /// the norm of the natural map of this problem is at most `accuracy`. Writes the final iterate, which is
    /// in the cones, to `r`. `u` is workspace.
    pub(super) fn solve_convex(
        &mut self,
        problem: &DelassusProblem<'_>,
        accuracy: f64,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<(), SolverError> {
        let mut memory = std::mem::take(&mut self.diagonal);
        let is_near = |r: &[f64], u: &mut [f64]| {
            velocity_of_point(problem, r, u);
            let map = convex_map_norm(problem, r, u, &mut memory);
            // Once the map is not finite, it stays so, and the iteration ends.
            (map <= accuracy || map.is_nan()).then_some(Status::Converged)
        };
        let ended = self.iterate(problem, false, r, u, is_near);
        self.diagonal = memory;
        ended.map(|_| ())
    }

    /// Iterates from the initial guess in `r` until `measure` returns a status. The initial guess must be in
    /// the cones. `measure` is called every few steps with the current reactions and a workspace. Returns the
    /// status and the number of steps.
    fn iterate(
        &mut self,
        problem: &DelassusProblem<'_>,
        shifts: bool,
        r: &mut [f64],
        u: &mut [f64],
        mut measure: impl FnMut(&[f64], &mut [f64]) -> Option<Status>,
    ) -> Result<(Status, usize), SolverError> {
        let settings = self.settings.clone();
        // Step (1): factorise the matrix and compute the initial y and xi.
        let rho = settings.penalty * mean_diagonal(problem.w(), &mut self.diagonal);
        self.linear.prepare(problem.w());
        self.iterate.begin(problem, r, u, rho, shifts);
        self.factor(problem)?;
        let (mut pause, mut next_change) = (FIRST_PAUSE, FIRST_PAUSE);
        for iterations in 1..=settings.max_iterations {
            let step =
                self.iterate.step(problem, &mut self.linear, settings.relaxation, settings.acceleration);
            if step.is_err() {
                return Ok((Status::Breakdown, iterations));
            }
            // Step (5): compute the error and adapt the penalty.
            let is_last = cancellation::is_over(iterations, settings.max_iterations, f64::NAN);
            if iterations % BETWEEN_MEASUREMENTS == 0 || is_last {
                r.copy_from_slice(&self.iterate.y);
                if let Some(status) = measure(r, u) {
                    return Ok((status, iterations));
                }
            }
            if is_last {
                return Ok((Status::MaxIterations, iterations));
            }
            if settings.balancing && iterations as f64 >= next_change {
                let change = self.change_of_penalty();
                pause *= GROWTH_OF_PAUSES;
                next_change = iterations as f64 + pause;
                let new = (change * self.iterate.rho).clamp(rho / PENALTIES, rho * PENALTIES);
                if new != self.iterate.rho {
                    self.iterate.set_penalty(new);
                    self.factor(problem)?;
                }
            }
        }
        Ok((Status::MaxIterations, 0))
    }

    /// Factorises W + rho I for the current penalty.
    fn factor(&mut self, problem: &DelassusProblem<'_>) -> Result<(), SolverError> {
        self.factorisations += 1;
        let factored = self.linear.factor(problem.w(), self.iterate.rho);
        factored.map_err(|singular| SolverError::Singular { what: "W + rho I", singular })
    }

    /// Returns the factor for the next change of the penalty, or 1 if the residuals are balanced.
    fn change_of_penalty(&self) -> f64 {
        let ratio = self.iterate.primal / self.iterate.dual;
        let imbalance = self.settings.imbalance;
        let is_balanced = ratio <= imbalance && ratio >= 1.0 / imbalance;
        if is_balanced || ratio.is_nan() {
            1.0
        } else {
            ratio.sqrt().clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE)
        }
    }
}

impl Stage for Admm {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }

    fn effort(&self, problem: &ContactProblem<'_>, info: &SolveInfo, budget: &Budget) -> f64 {
        let factorisations =
            self.factorisations as f64 * problem.delassus().map_or(0.0, |problem| factorisation(problem.w()));
        budget.cost * info.iterations.max(1) as f64 + factorisations
    }
}

/// Description of the method for tables of methods.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "admm",
    siconos: "ADMM (523, 3010), ADMM_WR (614)",
    guarantee: Guarantee::of(&[MatrixClass::PositiveSemidefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Boyd et al. (2011); Goldstein et al. (2014)",
};

impl Solver for Admm {
    type Class = Contact;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
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
        self.factorisations = 0;
        solve_by(self, problem, r, u)
    }
}

impl ScaledSolver for Admm {
    fn units(&mut self) -> &mut ProblemScaling {
        &mut self.units
    }

    fn solve_in_own_units(
        &mut self,
        problem: &DelassusProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (tolerance, mut best) = (self.settings.tolerance, std::mem::take(&mut self.best));
        let error = error_of_point(problem, r, u);
        best.begin(r, error);
        let status = judge(problem, r, error, tolerance);
        let ended = if status == Status::Stalled {
            self.iterate(problem, true, r, u, |r, u| {
                let error = error_of_point(problem, r, u);
                best.offer(r, error);
                let status = judge(problem, r, error, tolerance);
                (status != Status::Stalled).then_some(status)
            })
        } else {
            Ok((status, 0))
        };
        self.best = best;
        let (status, iterations) = ended?;
        Ok(self.best.finish(problem, (r, u), tolerance, Stop { status, iterations }))
    }
}

/// Returns the norm of the natural map $r - P_K(r - u)$, where u is not shifted. `x` is workspace.
pub(super) fn convex_map_norm(problem: &DelassusProblem<'_>, r: &[f64], u: &[f64], x: &mut Vec<f64>) -> f64 {
    x.clear();
    x.extend(r.iter().zip(u).map(|(r, u)| r - u));
    if x.iter().any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    problem.law().project_all(x);
    r.iter().zip(x).map(|(r, x)| (r - *x).powi(2)).sum::<f64>().sqrt()
}
