//! A path-following interior-point method with Mehrotra's predictor and corrector.

mod path;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use self::path::{Path, SHORTEST, StepLimits};
use super::acceptance::AcceptanceTest;
use super::polish::Polish;
use super::residual::{begin, norm_wise_error, write_image};
use super::storage::{Storage, Stored};
use super::{BoxProblem, UnilateralClass};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Class, Limits, Solver};

/// Settings of [`InteriorPoint`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InteriorPointSettings {
    /// Tolerance on the error that the problem class defines. Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of steps, each of which costs one factorisation. Default: 100.
    pub max_iterations: usize,
    /// Maximum fraction of the distance to the boundary that a step covers. Default: 0.995. Must be in (0,
    /// 1).
    pub step_fraction: f64,
    /// Minimum accepted product $z_i w_i$ as a fraction of the mean product. Default: 1e-4. Must be in (0,
    /// 1).
    pub centrality: f64,
}

impl Default for InteriorPointSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 100, step_fraction: 0.995, centrality: 1e-4 }
    }
}

/// Infeasible-start path-following interior-point method for monotone problems. Equality rows have free
/// unknowns.
///
/// **Problem.** Complementarity rows and equations in any storage, intended for monotone problems,
/// $x^T M x \ge 0$.
///
/// **Method.** Start with z and w that are positive in the complementarity rows and need not satisfy
/// $w = M z + q$. Follow the central path $z_i w_i = \mu$ (as plain text z_i w_i = mu for all i) to
/// $\mu = 0$; in equations w = 0. (1) Predictor: solve $(W + Z M) d_z = -Z W e - Z r$, $d_w = M d_z + r$,
/// with the residual $r = M z + q - w$ and the diagonal matrices Z, W; in an equation $(M d_z)_i = -r_i$. (2)
/// Let $\mu_a$ be the mean product at the end of this step, and $\sigma = (\mu_a / \mu)^3$ (Mehrotra 1992).
/// (3) Corrector: add $\sigma \mu e - D_z D_w e$ to the right-hand side and solve with the same factors. (4)
/// Take this step up to a fraction of the distance to the boundary, and shorten it if a product falls far
/// below the mean (the wide neighbourhood of the path). (5) Near the end, solve for the complementary basis
/// $\lbrace i : d_i z_i > w_i \rbrace$, with the factors d in the error of the problem class. This makes the
/// point exact if the solution is strictly complementary (Ye 1992). Repeat until the error of z is at or
/// below the tolerance. If the matrix of a step is singular, for example because of redundant joints, 1e-10
/// times the mean of the d is added to the diagonal in the equality rows. A dense matrix of more than 48
/// unknowns is factorised as a sparse matrix if less than an eighth of its entries are nonzero.
///
/// **Guarantee.** If $M$ is positive semidefinite, symmetric or not, and a strictly feasible point exists,
/// the path exists and leads to a solution (Kojima, Mizuno, Yoshise 1989). The matrices of the steps are
/// regular for P0-matrices; convergence extends to P*-matrices (Kojima, Megiddo, Noma, Yoshise 1991). The
/// number of steps hardly grows with n. If the steps become too short within the first 15 steps, the path is
/// followed again from a z that is 1e3 and then 1e6 times as large. An initial guess that is a solution is
/// returned. Any other initial guess is ignored, since a point on the boundary is a bad start.
///
/// **Result.** `Converged`: the solution. `AtRoundingLevel`: the point is as exact as rounding allows.
/// `Stalled`: the steps became too short, as they do if the problem has no solution. `MaxIterations`,
/// `Breakdown` (the matrix of a step is singular, and therefore M is not a P0-matrix): the best point. The
/// method never proves that no solution exists.
///
/// References: Wright (1997), chapters 8 and 10; Kojima, Megiddo, Noma, Yoshise (1991); Mehrotra (1992);
/// Potra and Sheng (1997) for the infeasible start.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::{lcp, mlcp};
///
/// // Two contacts that support one body together: any split of the load is a solution.
/// let m = array![[1.0, 1.0], [1.0, 1.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = lcp::InteriorPoint::default().solve(&lcp::LcpProblem::new(&m, &[-1.0, -1.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + z[1] - 1.0).abs() < 1e-9 && z[0] > 0.1 && z[1] > 0.1);
///
/// // The first row is an equation.
/// let rows = [mlcp::MlcpRow::Equality, mlcp::MlcpRow::Complementarity];
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let problem = mlcp::MlcpProblem::new(&m, &[2.0, -4.0], &rows)?;
/// let info = mlcp::InteriorPoint::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 2.0).abs() < 1e-12 && (z[1] - 2.0).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct InteriorPoint<C> {
    settings: InteriorPointSettings,
    storage: Storage,
    memory: InteriorPointWorkspace,
    class: PhantomData<C>,
}

#[derive(Clone, Debug, Default)]
struct InteriorPointWorkspace {
    path: Path,
    /// Best point so far. `least` is its error.
    best: Vec<f64>,
    least: f64,
    polish: Polish,
    test: AcceptanceTest,
}

/// Error below which the complementary basis is tried.
const ERROR_FOR_POLISH: f64 = 1e-4;

/// Number of successive short steps after which the method stops.
const SHORT_STEPS: usize = 5;

/// Magnitudes of the initial z, as multiples of the default magnitude. If the initial z is far below the
/// solution, the first steps are too short. If it is above the solution, the theory guarantees convergence
/// (Wright 1997, chapter 6).
const STARTS: [f64; 3] = [1.0, 1e3, 1e6];

/// If the method stalls within this number of steps, it is restarted from a larger z.
const FEW_STEPS: usize = 15;

impl<C: UnilateralClass> InteriorPoint<C> {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: InteriorPointSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_fraction("step_fraction", settings.step_fraction)?;
        SettingsError::check_fraction("centrality", settings.centrality)?;
        Ok(Self { settings, ..Self::default() })
    }
}

impl InteriorPointSettings {
    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.max_iterations }
    }

    /// Follows the path from each of the [`STARTS`] in turn, and stops at the first attempt that does not
    /// stall within [`FEW_STEPS`] steps. Leaves the best point in `best`. Returns the status and the number
    /// of steps.
    fn follow_from_starts<P: BoxProblem>(
        &self,
        problem: &P,
        memory: &mut InteriorPointWorkspace,
        z: &mut [f64],
        w: &mut [f64],
    ) -> (Status, usize) {
        let (mut status, mut iterations) = (Status::Stalled, 0);
        memory.least = f64::INFINITY;
        for multiple in STARTS {
            memory.path.start(problem, multiple);
            let most = self.max_iterations - iterations;
            let (ended, steps) = self.follow(problem, memory, most, z, w);
            (status, iterations) = (ended, iterations + steps);
            if status != Status::Stalled || steps > FEW_STEPS || iterations >= self.max_iterations {
                break;
            }
        }
        (status, iterations)
    }

    /// Follows the path from the current pair and copies points with a smaller error to `best`. Returns the
    /// status and the number of steps.
    fn follow<P: BoxProblem>(
        &self,
        problem: &P,
        memory: &mut InteriorPointWorkspace,
        max_iterations: usize,
        z: &mut [f64],
        w: &mut [f64],
    ) -> (Status, usize) {
        let InteriorPointWorkspace { path, best, least, polish, test } = memory;
        let reach = StepLimits { fraction: self.step_fraction, centrality: self.centrality };
        let mut short = 0;
        for iterations in 0.. {
            z.copy_from_slice(&path.z);
            write_image(problem, z, w);
            let mut error = norm_wise_error(problem, z, w);
            // (5)
            if error <= ERROR_FOR_POLISH {
                let mut tested = test.of(problem, z, w);
                if tested.error > self.tolerance {
                    polish.improve(problem, self.tolerance, z, w);
                    tested = test.of(problem, z, w);
                }
                let status = tested.status(self.tolerance);
                if status.is_success() {
                    best.copy_from_slice(z);
                    return (status, iterations);
                }
                error = if tested.is_lost { f64::INFINITY } else { tested.error };
            }
            if error < *least {
                *least = error;
                best.copy_from_slice(z);
            }
            if cancellation::is_over(iterations, max_iterations, error) {
                return (Status::MaxIterations, iterations);
            }
            let Some(step) = path.step(problem, reach) else { return (Status::Breakdown, iterations + 1) };
            tracing::trace!(iterations, step, error, mean = path.mean_product(), "interior point");
            short = if step <= SHORTEST.sqrt() { short + 1 } else { 0 };
            if step <= SHORTEST || short == SHORT_STEPS || !path.is_finite() {
                return (Status::Stalled, iterations + 1);
            }
        }
        (Status::MaxIterations, max_iterations)
    }
}

impl<C: UnilateralClass> Stage for InteriorPoint<C> {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

impl<C: UnilateralClass> Solver for InteriorPoint<C> {
    type Class = C;

    fn name(&self) -> &'static str {
        C::interior_point().name
    }

    fn limits(&self) -> Limits {
        self.settings.limits()
    }

    fn solve(
        &mut self,
        problem: &<C as Class>::Problem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let tolerance = self.settings.tolerance;
        let InteriorPointWorkspace { best, test, .. } = &mut self.memory;
        problem.project(z);
        // Test the initial guess, then z = 0. If q >= 0, the path would reach z = 0 only in the limit.
        for is_guess in [true, false] {
            if !is_guess {
                if z.iter().all(|z| *z == 0.0) {
                    break;
                }
                z.fill(0.0);
            }
            let tested = test.of_point(problem, z, w);
            let status = tested.status(tolerance);
            if status == Status::Converged {
                return Ok(SolveInfo { status, iterations: 0, error: tested.error });
            }
        }
        best.clear();
        best.extend_from_slice(z);
        let stored = Stored::new(problem, &mut self.storage);
        let m = stored.m();
        let is_symmetric = m.is_symmetric();
        let memory = &mut self.memory;
        memory.polish.prepare(m, is_symmetric);
        memory.path.prepare(m, is_symmetric);
        let (mut status, iterations) = self.settings.follow_from_starts(&stored, memory, z, w);
        let InteriorPointWorkspace { best, polish, test, .. } = memory;
        z.copy_from_slice(best);
        write_image(&stored, z, w);
        if !status.is_success() {
            polish.improve(&stored, tolerance, z, w);
        }
        let tested = test.of(problem, z, w);
        if !status.is_success() && tested.status(tolerance).is_success() {
            status = tested.status(tolerance);
        }
        let error = tested.error;
        Ok(SolveInfo { status, iterations, error })
    }
}
