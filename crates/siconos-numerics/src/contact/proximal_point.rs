//! The proximal point method: a sequence of regularised contact problems.

use serde::{Deserialize, Serialize};

use super::best_iterate::BestIterate;
use super::residual::{error_of_point, judge};
use super::shifted_matrix::ShiftedMatrix;
use super::spectrum::mean_diagonal;
use super::tresca::check_part;
use super::{ContactProblem, ContactSolver, GaussSeidelSettings, NonsmoothGaussSeidel};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};

/// The solver of the regularised problems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProximalInner {
    /// [`NonsmoothGaussSeidel`]; its tolerance is set by the outer iteration.
    NonsmoothGaussSeidel(GaussSeidelSettings),
}

impl Default for ProximalInner {
    fn default() -> Self {
        Self::NonsmoothGaussSeidel(GaussSeidelSettings { max_iterations: 1000, ..Default::default() })
    }
}

/// Settings of [`ProximalPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProximalPointSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of outer iterations. Default 1000.
    pub max_iterations: usize,
    /// The first $\alpha$, in units of the mean diagonal entry of W. Default 0.01, above 0.
    pub alpha: f64,
    /// The factor by which $\alpha$ changes. Default 5, above 1.
    pub sigma: f64,
    /// $\alpha$ falls when an outer iteration has not brought the error below this part of the one before. Default
    /// 0.5, in (0, 1).
    pub decrease: f64,
    /// The regularised problem is solved to this part of the outer error. Default 0.1, in (0, 1).
    pub inner_accuracy: f64,
    /// The solver of the regularised problems.
    pub inner: ProximalInner,
}

impl Default for ProximalPointSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 1000,
            alpha: 0.01,
            sigma: 5.0,
            decrease: 0.5,
            inner_accuracy: 0.1,
            inner: ProximalInner::default(),
        }
    }
}

/// The proximal point method around another contact solver.
///
/// **Problem.** [`ContactProblem`] as the inner solver takes them.
///
/// **Method.** (1) From $r_k$, the problem with $W + \alpha I$ and $q - \alpha r_k$ in place of W and q: better
/// conditioned, and of full rank where W is positive semidefinite. (2) The inner solver begins at $r_k$ and ends at
/// `inner_accuracy` times the outer error. (3) Compute the full [`error`](super::error). $\alpha$ is divided by
/// `sigma` when the inner solver has succeeded and the error is still above `decrease` times the one before, since
/// then $\alpha$ holds the outer iteration back, and multiplied by it when the inner solver has failed. Only the
/// diagonal of the copy of W is written again. (Rockafellar 1976, "Monotone operators and the proximal point
/// algorithm"; for friction Acary, Bremond, Huber 2018, section 5.4.)
///
/// **Guarantee.** Without friction and with positive semidefinite W it converges when the inner errors are summable
/// (Rockafellar 1976, theorem 1). With friction there is no proof; it is of use where W is rank-deficient, with many
/// more contacts than degrees of freedom.
///
/// **Result.** `Converged`: error at or below the tolerance, r in the cones. `MaxIterations`, `Stalled` (the inner
/// solver does not move r even with a large $\alpha$), `Breakdown` (not finite): the best iterate. `iterations` counts
/// outer iterations.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, ContactSolver, ProximalPoint};
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
#[derive(Debug, Default)]
pub struct ProximalPoint {
    settings: ProximalPointSettings,
    shifted: ShiftedMatrix,
    best: BestIterate,
    q: Vec<f64>,
    before: Vec<f64>,
    diagonal: Vec<f64>,
    sweeps: NonsmoothGaussSeidel,
}

/// $\alpha$ stays between these, in units of the mean diagonal entry of W.
const LEAST_ALPHA: f64 = 1e-8;
const LARGEST_ALPHA: f64 = 1e4;

impl ProximalPoint {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range, of the inner solver too.
    pub fn new(settings: ProximalPointSettings) -> Result<Self, SettingsError> {
        let s = &settings;
        SettingsError::check_at_least("tolerance", s.tolerance, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("alpha", s.alpha, f64::MIN_POSITIVE, "above 0")?;
        SettingsError::check_at_least("sigma", s.sigma, 1.0 + f64::EPSILON, "above 1")?;
        check_part("decrease", s.decrease)?;
        check_part("inner_accuracy", s.inner_accuracy)?;
        let sweeps = match &s.inner {
            ProximalInner::NonsmoothGaussSeidel(inner) => NonsmoothGaussSeidel::new(inner.clone())?,
        };
        Ok(Self { settings, sweeps, ..Self::default() })
    }

    /// Solves the regularised problem around `r` in place.
    fn solve_inner(
        &mut self,
        problem: &ContactProblem<'_>,
        alpha: f64,
        tolerance: f64,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.shifted.set_shift(alpha);
        self.q.clear();
        self.q.extend(problem.q().iter().zip(&*r).map(|(q, r)| q - alpha * r));
        let regularised = ContactProblem::of_checked(self.shifted.view(), &self.q, problem.law());
        match &self.settings.inner {
            ProximalInner::NonsmoothGaussSeidel(_) => {
                self.sweeps.set_tolerance(tolerance);
                self.sweeps.solve(&regularised, r, u)
            }
        }
    }
}

impl ContactSolver for ProximalPoint {
    fn name(&self) -> &'static str {
        "proximal point"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        match &self.settings.inner {
            ProximalInner::NonsmoothGaussSeidel(_) => self.sweeps.supports(problem),
        }
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
        self.supports(problem)?;
        let tolerance = self.settings.tolerance;
        problem.law().project_all(r);
        let mut error = error_of_point(problem, r, u);
        self.best.begin(r, error);
        self.shifted.prepare(problem.w());
        let unit = mean_diagonal(problem.w(), &mut self.diagonal);
        let mut alpha = self.settings.alpha;
        let mut iterations = 0;
        let status = loop {
            let status = judge(problem, r, u, error, tolerance);
            if status != Status::Stalled {
                break status;
            }
            if iterations == self.settings.max_iterations {
                break Status::MaxIterations;
            }
            iterations += 1;
            self.before.clear();
            self.before.extend_from_slice(r);
            let allowed = self.settings.inner_accuracy * error.max(tolerance).min(1.0);
            let inner = self.solve_inner(problem, alpha * unit, allowed, r, u)?;
            let old = error;
            error = error_of_point(problem, r, u);
            self.best.offer(r, error);
            tracing::trace!(alpha, sweeps = inner.iterations, status = ?inner.status, error, "proximal point");
            if *r == self.before {
                // The regularised problem was good enough already: its tolerance divides by larger numbers.
                if alpha <= LEAST_ALPHA {
                    break Status::Stalled;
                }
                alpha = (alpha / self.settings.sigma).max(LEAST_ALPHA);
            } else if !inner.status.is_success() {
                alpha = (alpha * self.settings.sigma).min(LARGEST_ALPHA);
            } else if error > self.settings.decrease * old {
                alpha = (alpha / self.settings.sigma).max(LEAST_ALPHA);
            }
        };
        Ok(self.best.finish(problem, r, u, status, iterations))
    }
}
