//! The alternating direction method of multipliers, with one factorisation for many steps.

mod iterate;
mod linear_step;

use serde::{Deserialize, Serialize};

use self::iterate::Iterate;
use self::linear_step::LinearStep;
use super::best_iterate::BestIterate;
use super::residual::{error_of_point, judge};
use super::spectrum::mean_diagonal;
use super::{ContactProblem, ContactSolver};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};

/// Settings of [`Admm`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AdmmSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of steps. Default 20 000.
    pub max_iterations: usize,
    /// The first penalty $\rho$, in units of the mean diagonal entry of W. Default 1, above 0.
    pub penalty: f64,
    /// Over-relaxation, in (0, 2); 1 is none. Default 1.
    pub relaxation: f64,
    /// Momentum with restart (Goldstein et al. 2014, algorithm 8). Default true.
    pub acceleration: bool,
    /// The penalty follows the residuals (Wohlberg 2017). Default true.
    pub balancing: bool,
    /// The penalty changes when one relative residual exceeds the other by this factor. Default 5, above 1.
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

/// The alternating direction method of multipliers on the splitting r = y, r free and y in the cones.
///
/// **Problem.** [`ContactProblem`] with any law and storage. W + $\rho$ I has to be regular.
///
/// **Method.** With the multiplier $\xi$, in units of the reaction, so that $-\rho \xi$ is the velocity with the shift: (1)
/// Factorise $W + \rho I$ (Cholesky where W is symmetric, sparse where W is); $\rho$ begins at the mean diagonal entry of W times
/// `penalty`, and y and $\xi$ with one projected step from the guess. (2) $r = (W + \rho I)^{-1} \bigl(\rho (y - \xi) - q - s e_N
/// \bigr)$ with the shift s of the velocity at hand. (3) With the relaxation $\omega$ and $v = \omega r + (1 - \omega) y + \xi$: $y =
/// P_K(v)$, $\xi = v - y$. (4) Momentum: y and $\xi$ are carried on by Nesterov's rule while the combined residual falls, and
/// it begins anew where that does not (Goldstein, O'Donoghue, Setzer, Baraniuk 2014, "Fast alternating direction
/// optimization methods", algorithm 8; the restart keeps the newest point). (5) Every few steps compute the full
/// [`error`](super::error) of y. At steps that become rarer compare $\lVert r - y \rVert / \max(\lVert r \rVert, \lVert y \rVert)$ with
/// $\lVert y - y_{\text{old}} \rVert / \lVert \xi \rVert$, and multiply $\rho$ by the root of their ratio when they differ by more than
/// `imbalance` (Boyd et al. 2011, section 3.4.1; Wohlberg 2017, "ADMM penalty parameter selection by residual balancing"). For friction
/// with the shift updated in the loop: Acary, Bremond, Huber 2018, section 5.
///
/// **Guarantee.** Without friction and with positive semidefinite W, symmetric or not, it converges without momentum (it is
/// the method of Douglas and Rachford; Eckstein and Bertsekas 1992). With friction there is no proof; it mostly does.
///
/// **Result.** `Converged`: error at or below the tolerance, r in the cones. `MaxIterations`, `Breakdown` (not finite): the best
/// iterate that was measured.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{Admm, ContactLaw, ContactProblem, ContactSolver};
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
    settings: AdmmSettings,
    linear: LinearStep,
    iterate: Iterate,
    best: BestIterate,
    diagonal: Vec<f64>,
}

/// Steps between two measurements.
const BETWEEN_MEASUREMENTS: usize = 5;

/// Steps before the penalty may change first, and the factor by which the pauses grow: with a fixed penalty in the end, what
/// is known of the method holds.
const FIRST_PAUSE: f64 = 20.0;
const GROWTH_OF_PAUSES: f64 = 1.3;

/// The most that the penalty changes at once.
const LARGEST_CHANGE: f64 = 10.0;

impl Admm {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
    pub fn new(settings: AdmmSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_at_least("tolerance", s.tolerance, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("penalty", s.penalty, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("imbalance", s.imbalance, 1.0 + f64::EPSILON, "above 1")?;
        let value = s.relaxation;
        if !(value > 0.0 && value < 2.0) {
            let must_be = "between 0 and 2, both excluded";
            return Err(SettingsError::OutOfRange { name: "relaxation", value, must_be });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Sets the error at which a point counts as a solution, for a solver that nests this one.
    pub(super) fn set_tolerance(&mut self, tolerance: f64) {
        self.settings.tolerance = tolerance;
    }

    /// Factorises for the penalty of the iterate.
    fn factor(&mut self, problem: &ContactProblem<'_>) -> Result<(), SolverError> {
        let factored = self.linear.factor(problem.w(), self.iterate.rho);
        factored.map_err(|singular| SolverError::Singular { what: "W + rho I", singular })
    }

    /// The factor by which the penalty should change; 1 where the residuals are balanced.
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

impl ContactSolver for Admm {
    fn name(&self) -> &'static str {
        "ADMM"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn supports(&self, _problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        check_solve(problem.q(), r, u)?;
        if problem.size() == 0 {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 });
        }
        problem.law().project_all(r);
        let mut error = error_of_point(problem, r, u);
        self.best.begin(r, error);
        if error <= self.settings.tolerance || !error.is_finite() {
            let status = judge(problem, r, u, error, self.settings.tolerance);
            return Ok(self.best.finish(problem, r, u, status, 0));
        }
        // (1)
        let rho = self.settings.penalty * mean_diagonal(problem.w(), &mut self.diagonal);
        self.linear.prepare(problem.w());
        self.iterate.begin(problem, r, u, rho);
        self.factor(problem)?;
        let (mut pause, mut next_change) = (FIRST_PAUSE, FIRST_PAUSE);
        let mut iterations = 0;
        let status = loop {
            if iterations == self.settings.max_iterations {
                break Status::MaxIterations;
            }
            iterations += 1;
            let (relaxation, accelerates) = (self.settings.relaxation, self.settings.acceleration);
            if self.iterate.step(problem, &mut self.linear, relaxation, accelerates).is_err() {
                break Status::Breakdown;
            }
            // (5)
            if iterations % BETWEEN_MEASUREMENTS == 0 || iterations == self.settings.max_iterations {
                r.copy_from_slice(&self.iterate.y);
                error = error_of_point(problem, r, u);
                self.best.offer(r, error);
                let status = judge(problem, r, u, error, self.settings.tolerance);
                if status != Status::Stalled {
                    break status;
                }
            }
            if self.settings.balancing && iterations as f64 >= next_change {
                let change = self.change_of_penalty();
                pause *= GROWTH_OF_PAUSES;
                next_change = iterations as f64 + pause;
                if change != 1.0 {
                    self.iterate.set_penalty(change * self.iterate.rho);
                    self.factor(problem)?;
                }
            }
        };
        Ok(self.best.finish(problem, r, u, status, iterations))
    }
}
