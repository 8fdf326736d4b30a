//! Projected Gauss-Seidel: nonsmooth Gauss-Seidel sweeps over box-constrained rows, with optional
//! over-relaxation or regularisation.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use siconos_linalg::{MatrixRef, SingularMatrix, SmallMatrix};

use super::acceptance::AcceptanceTest;
use super::residual::{begin, natural, scale, write_image};
use super::{BoxClass, BoxProblem};
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::engine::nsgs::{LocalLaw, RowAccess, scalar_sweep};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Class, Limits, Solver};
use crate::own_response;

/// Settings of [`ProjectedGaussSeidel`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProjectedGaussSeidelSettings {
    /// Tolerance on the error that the problem class defines. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of sweeps. Default: 10 000.
    pub max_iterations: usize,
    /// Over-relaxation factor in (0, 2); 1 is plain Gauss-Seidel. Default: 1.
    pub relaxation: f64,
    /// Proximal shift as a multiple of the mean of the $|M_{ii}|$, at least 0. Default: 0, which requires
    /// $M_{ii} > 0$ (nonzero in equality rows).
    pub regularisation: f64,
}

impl Default for ProjectedGaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, relaxation: 1.0, regularisation: 0.0 }
    }
}

impl ProjectedGaussSeidelSettings {
    /// Returns settings with the over-relaxation factor 1.3 and default values otherwise.
    #[must_use]
    pub fn over_relaxed() -> Self {
        Self { relaxation: 1.3, ..Self::default() }
    }

    /// Returns settings with the regularisation 0.1 and default values otherwise.
    #[must_use]
    pub fn regularised() -> Self {
        Self { regularisation: 0.1, ..Self::default() }
    }

    /// Returns the element for these settings: `regularised` if there is a regularisation, otherwise
    /// `over_relaxed` or `plain`.
    pub(crate) fn pick<T>(&self, [plain, over_relaxed, regularised]: [T; 3]) -> T {
        if self.regularisation > 0.0 {
            regularised
        } else if self.relaxation == 1.0 {
            plain
        } else {
            over_relaxed
        }
    }

    pub(crate) fn of_each_kind() -> [Self; 3] {
        [Self::default(), Self::over_relaxed(), Self::regularised()]
    }
}

/// Projected Gauss-Seidel method. A relaxation other than 1 makes it projected SOR. A regularisation above 0
/// allows $M_{ii} = 0$.
///
/// **Problem.** Any class of [box-constrained problems](crate::box_constraints), in any storage, with
/// $M_{ii} + \rho > 0$. In equality rows $M_{ii}$ can be negative; the shift is then $-\rho$.
///
/// **Method.** (1) Sweep:
/// $z_i \leftarrow \mathrm{clamp}\bigl(z_i - \omega (M z + q)_i / (M_{ii} + \rho), l_i, u_i\bigr)$ for i = 1,
/// .., n with the newest values; as plain text: z_i becomes `z_i - omega (M z + q)_i / (M_ii + rho)`, clamped
/// to its bounds. Before each update, record the residual of the row, which is the median of
/// $M_{ii} (z_i - l_i)$, $(M z + q)_i$ and $M_{ii} (z_i - u_i)$. (2) Compute the error of the point, as the
/// problem class defines it, if the norm of the recorded residuals is near the tolerance, after sweeps 1, 2,
/// 4, 8, .., and after the last sweep. Stop if the error is at or below the tolerance. The error costs about
/// as much as a sweep, so it is not computed after every sweep. The shift $\rho$ slows the iteration down but
/// does not change the solutions, because each step is exact for $M + \rho I$ and $q - \rho z^{old}$. (Cryer
/// 1971, "The solution of a quadratic programming problem using systematic overrelaxation"; Cottle, Pang,
/// Stone 1992, 5.2.)
///
/// **Guarantee.** Without regularisation, converges for symmetric positive definite $M$ and $0 < \omega < 2$,
/// and for strictly diagonally dominant matrices (more generally H-matrices) with positive diagonal and
/// $\omega = 1$ (Cottle, Pang, Stone 1992, section 5.3). The proofs only use that the projection onto a
/// half-line is nonexpansive, which also holds for two bounds and without bounds. With $\rho > 0$,
/// complementarity rows and $0 < \omega < 2$, the splitting $M = B + C$ with $B = L + (D + \rho I) / \omega$
/// is regular for symmetric positive semidefinite $M$, because $B - C$ is then positive definite. The
/// iterates then converge to a solution if one exists, isolated or not (Luo and Tseng 1991, "On the
/// convergence of a matrix splitting algorithm for the symmetric monotone linear complementarity problem",
/// SIAM J. Control Optim. 29). Nothing is proved for the regularised sweep if $M$ is not symmetric. The rate
/// is linear; it becomes slower with a larger condition number and with a larger $\rho$. The guarantee does
/// not cover circuits, which have zeros on the diagonal.
///
/// **Result.** `Converged`: `z` is between the bounds, and the error is at or below the tolerance.
/// `AtRoundingLevel`: the error is above the tolerance, but sweeps no longer change the point, and rounding
/// does not allow a more accurate point. `MaxIterations`: the last iterate. `Stalled`: a sweep changed
/// nothing although the error is above the tolerance. `Breakdown`: the iterates diverged, as they can outside
/// the guarantee, or the matrix has an entry that is not finite; the initial guess is returned. An invalid
/// $M_{ii} + \rho$ results in the error [`SolverError::Singular`], which contains the index of the first such
/// row.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::{lcp, mlcp, relay};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let problem = lcp::LcpProblem::new(&m, &[-1.0, 4.0])?;
/// let info = lcp::ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 0.5).abs() < 1e-8 && z[1] == 0.0);
///
/// // The first row is an equation.
/// let rows = [mlcp::MlcpRow::Equality, mlcp::MlcpRow::Complementarity];
/// let problem = mlcp::MlcpProblem::new(&m, &[3.0, -3.0], &rows)?;
/// let info = mlcp::ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 3.0).abs() < 1e-7 && (z[1] - 3.0).abs() < 1e-7);
///
/// // One unknown between two bounds.
/// let problem = relay::RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[1.0; 2])?;
/// let info = relay::ProjectedGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!((z, w), ([1.0, -1.0], [0.0, 5.0]));
///
/// // A row of zeros: any z[1] is a solution.
/// let m = array![[1.0, 0.0], [0.0, 0.0]];
/// let mut regularised = lcp::ProjectedGaussSeidel::new(lcp::ProjectedGaussSeidelSettings::regularised())?;
/// let info = regularised.solve(&lcp::LcpProblem::new(&m, &[-1.0, 0.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] - 1.0).abs() < 1e-8);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ProjectedGaussSeidel<C> {
    settings: ProjectedGaussSeidelSettings,
    rows: RowAccess,
    guess: Vec<f64>,
    test: AcceptanceTest,
    class: PhantomData<C>,
}

impl<C: BoxClass> ProjectedGaussSeidel<C> {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0, the relaxation is not in (0, 2), or the regularisation is below 0.
    pub fn new(settings: ProjectedGaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        SettingsError::check_relaxation("relaxation", settings.relaxation)?;
        SettingsError::check_at_least("regularisation", settings.regularisation, 0.0, "nonnegative")?;
        Ok(Self { settings, ..Self::default() })
    }
}

/// The iteration counts as diverged if the norm of the residuals exceeds this multiple of a reference value:
/// the larger of the scale of the error and the norm of the residuals of the initial guess. The multiple is
/// far below the largest double, so that the result does not depend on units.
const DIVERGED: f64 = 1e60;

/// Returns the mean of the $|M_{ii}|$, or a replacement if all are 0.
fn mean_diagonal(m: MatrixRef<'_>) -> f64 {
    let mut sum = 0.0;
    m.for_each_diagonal(|_, d| sum += d.abs());
    if sum > 0.0 { sum / m.rows() as f64 } else { own_response::mean(m) }
}

/// Multiple of the tolerance below which the residuals of a sweep trigger a computation of the error.
const MEASURE_BELOW: f64 = 2.0;

/// Relaxed and regularised update of one row, clamped to the bounds of its unknown.
struct Row<'a, P> {
    problem: &'a P,
    relaxation: f64,
    shift: f64,
    /// First invalid divisor, with its row.
    bad_diagonal: Option<(usize, f64)>,
    /// Sum of the squares of the residuals, each taken before the update of its row.
    seen: f64,
}

impl<P: BoxProblem> LocalLaw<1> for Row<'_, P> {
    fn solve(&mut self, i: usize, diagonal: &SmallMatrix<1>, b: &[f64; 1], old: &[f64; 1]) -> [f64; 1] {
        let (m_ii, old) = (diagonal.0[0][0], old[0]);
        let (lower, upper) = self.problem.bounds(i);
        let is_free = lower == f64::NEG_INFINITY && upper == f64::INFINITY;
        // An equation can be multiplied by -1.
        let divisor = if is_free && m_ii < 0.0 { m_ii - self.shift } else { m_ii + self.shift };
        let does = divisor > 0.0 || (is_free && divisor < 0.0);
        if !does {
            self.bad_diagonal.get_or_insert((i, divisor));
            return [old];
        }
        let w = m_ii * old + b[0];
        // `f64::min` would ignore a NaN.
        let residual = if w.is_nan() { w } else { natural(m_ii.abs(), old, w, lower, upper) };
        self.seen += residual * residual;
        let mut new = old - self.relaxation * w / divisor;
        if lower > f64::NEG_INFINITY {
            new = new.max(lower);
        }
        if upper < f64::INFINITY {
            new = new.min(upper);
        }
        [new]
    }
}

impl<C: BoxClass> Stage for ProjectedGaussSeidel<C> {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
    }
}

impl<C: BoxClass> Solver for ProjectedGaussSeidel<C> {
    type Class = C;

    fn name(&self) -> &'static str {
        C::gauss_seidel(&self.settings).name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
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
        let ProjectedGaussSeidelSettings { tolerance, max_iterations, relaxation, regularisation } =
            self.settings;
        problem.project(z);
        let guess = self.test.of_point(problem, z, w);
        let mut error = guess.error;
        if guess.status(tolerance) == Status::Converged {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error });
        }
        self.guess.clear();
        self.guess.extend_from_slice(z);
        self.rows.prepare(problem.m());
        let shift = if regularisation > 0.0 { regularisation * mean_diagonal(problem.m()) } else { 0.0 };
        let mut row = Row { problem, relaxation, shift, bad_diagonal: None, seen: 0.0 };
        let scale = scale(problem);
        let near = MEASURE_BELOW * tolerance * scale;
        // The first sweep records the residuals of the initial guess.
        let mut farthest = scale;
        for iterations in 1..=max_iterations {
            // (1) Sweep.
            row.seen = 0.0;
            let change = scalar_sweep(problem.m(), &self.rows, problem.q(), &mut row, z);
            if let Some((column, pivot)) = row.bad_diagonal {
                let singular = SingularMatrix::Pivot { column, pivot };
                return Err(SolverError::Singular { what: "the diagonal of M", singular });
            }
            // (2) Compute the error if it can be small enough.
            let seen = row.seen.sqrt();
            if iterations == 1 {
                farthest = farthest.max(seen);
            }
            let is_beyond = seen > DIVERGED * farthest;
            let is_far = seen > near && !is_beyond && change > 0.0;
            let is_over = cancellation::is_over(iterations, max_iterations, error);
            if is_far && !iterations.is_power_of_two() && !is_over {
                continue;
            }
            write_image(problem, z, w);
            error = self.test.error_by(tolerance, problem, z, w);
            let is_last = change == 0.0 || is_over;
            let status = if !error.is_finite() || (is_beyond && error > tolerance) {
                z.copy_from_slice(&self.guess);
                error = self.test.of_point(problem, z, w).error;
                Status::Breakdown
            } else if error > tolerance && !is_last {
                continue;
            } else {
                let tested = self.test.of(problem, z, w);
                error = tested.error;
                match tested.status(tolerance) {
                    // Above the tolerance, but the point still changes.
                    Status::Stalled if error > tolerance && change != 0.0 => Status::MaxIterations,
                    status => status,
                }
            };
            return Ok(SolveInfo { status, iterations, error });
        }
        Ok(SolveInfo { status: Status::MaxIterations, iterations: max_iterations, error })
    }
}
