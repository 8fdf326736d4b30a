//! Nonsmooth Gauss-Seidel: sweeps over the contacts, each of which solves its own law with the others held.

mod exact;
mod exact_plane;
mod laws;
mod rows;

use serde::{Deserialize, Serialize};

pub(crate) use self::exact::ExactContact;
pub(crate) use self::exact_plane::solve_plane;
use self::laws::{ExactPlane, ExactSpace, Projection, Watched};
use self::rows::{ContactRows, RowWork};
use super::residual::{error_of_point, judge, scale};
use super::{ContactLaw, ContactProblem, ContactSolver};
use crate::error::{SettingsError, SolverError, Unsupported, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{SingularMatrix, SmallMatrix};
use crate::nsgs::{LocalLaw, SweepRows, sweep};

/// How the law of one contact is solved with the others held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LocalSolver {
    /// Exactly, for Coulomb friction: opening, sticking, or sliding by the root of a quartic (Bonnefon and Daviet 2011).
    #[default]
    Exact,
    /// One projection on the cone, with a step of the inverse size of the diagonal block; for every law.
    Projection,
}

/// Settings of [`NonsmoothGaussSeidel`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GaussSeidelSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// The solver of one contact. Default [`LocalSolver::Exact`]; laws other than Coulomb's take the projection in its place.
    pub local: LocalSolver,
}

impl Default for GaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, local: LocalSolver::default() }
    }
}

/// Nonsmooth Gauss-Seidel, the NSGS of Siconos and the NLGS of LMGC90.
///
/// **Problem.** [`ContactProblem`] in any storage, with blocks of equal size and a positive first diagonal entry in each.
///
/// **Method.** (1) Sweep: for each contact in turn solve its law for $r_i$ with the newest values of all others. On the
/// way the natural map of each contact is summed up before it is solved, an estimate of the error that costs no product.
/// (2) Where the estimate comes near the tolerance, and after 1, 2, 4, 8, .. sweeps, compute the full
/// [`error`](super::error), and stop when it is within. (Jourdan, Alart, Jean 1998, section 4; Acary, Bremond, Huber 2018,
/// section 5.1.)
///
/// **Guarantee.** Without friction and with symmetric positive definite W it converges (block Gauss-Seidel of a convex
/// program). With friction there is no proof; it mostly does, slowly where the contacts outnumber the degrees of freedom.
///
/// **Result.** `Converged`: error at or below the tolerance, `r` in the cones. `MaxIterations`, `Stalled` (a sweep changed
/// nothing), `Breakdown` (not finite): the best iterate that was measured.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem, ContactSolver, NonsmoothGaussSeidel};
///
/// let w = array![[1.0, 0.0], [0.0, 1.0]];
/// // Pressed on by 1, pushed sideways by 2: friction of at most 0.5 gives way.
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = ContactProblem::new(&w, &[-1.0, 2.0], law)?;
/// let (mut r, mut u) = ([0.0; 2], [0.0; 2]);
/// let info = NonsmoothGaussSeidel::default().solve(&problem, &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert_eq!((r, u), ([1.0, -0.5], [0.0, 1.5]));
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "NSGS")]
#[doc(alias = "NLGS")]
#[doc(alias = "SICONOS_FRICTION_3D_NSGS (500)")]
#[doc(alias = "SICONOS_FRICTION_2D_NSGS (400)")]
#[derive(Clone, Debug, Default)]
pub struct NonsmoothGaussSeidel {
    settings: GaussSeidelSettings,
    rows: ContactRows,
    exact: Vec<ExactContact>,
    steps: Vec<f64>,
    best: Vec<f64>,
}

impl NonsmoothGaussSeidel {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0.
    pub fn new(settings: GaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_at_least("tolerance", settings.tolerance, f64::MIN_POSITIVE, "above 0")?;
        Ok(Self { settings, ..Self::default() })
    }

    /// Prepares the rows; every contact needs a positive first diagonal entry.
    fn prepare<const D: usize>(&mut self, problem: &ContactProblem<'_>) -> Result<(), SolverError> {
        self.rows.prepare::<D>(problem.w());
        for contact in 0..problem.law().blocks() {
            let pivot = self.rows.diagonal::<D>(contact).0[0][0];
            if pivot.is_nan() || pivot <= 0.0 {
                let singular = SingularMatrix::Pivot { column: contact * D, pivot };
                return Err(SolverError::Singular { what: "the diagonal of W", singular });
            }
        }
        Ok(())
    }

    fn solve_by_projection<const D: usize>(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.prepare::<D>(problem)?;
        let law = problem.law();
        self.steps.clear();
        for contact in 0..law.blocks() {
            self.steps.push(1.0 / largest_row_sum(&self.rows.diagonal::<D>(contact)));
        }
        let local = Projection { law, steps: &self.steps };
        let (settings, best) = (&self.settings, &mut self.best);
        Ok(self.rows.with::<D, _>(problem.w(), Iteration { problem, settings, local, best, r, u }))
    }

    fn solve_exactly_in_space(
        &mut self,
        problem: &ContactProblem<'_>,
        mu: &[f64],
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.prepare::<3>(problem)?;
        self.exact.clear();
        self.exact.extend((0..mu.len()).filter_map(|i| ExactContact::new(&self.rows.diagonal(i))));
        let local = ExactSpace { mu, contacts: &mut self.exact };
        let (settings, best) = (&self.settings, &mut self.best);
        Ok(self.rows.with::<3, _>(problem.w(), Iteration { problem, settings, local, best, r, u }))
    }

    fn solve_exactly_in_the_plane(
        &mut self,
        problem: &ContactProblem<'_>,
        mu: &[f64],
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.prepare::<2>(problem)?;
        let (settings, best, local) = (&self.settings, &mut self.best, ExactPlane { mu });
        Ok(self.rows.with::<2, _>(problem.w(), Iteration { problem, settings, local, best, r, u }))
    }
}

impl ContactSolver for NonsmoothGaussSeidel {
    fn name(&self) -> &'static str {
        "nonsmooth Gauss-Seidel"
    }

    fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        match problem.law().uniform_dimension() {
            Some(2 | 3 | 5) => Ok(()),
            _ => Err(Unsupported {
                solver: "nonsmooth Gauss-Seidel",
                found: "cones of other sizes",
                takes: "contacts, and cones of 2, 3 or 5 components each",
            }),
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
        problem.law().project_all(r);
        let exactly = self.settings.local == LocalSolver::Exact;
        match (problem.law(), problem.law().uniform_dimension()) {
            (ContactLaw::Coulomb { dimension: 3, mu }, _) if exactly => {
                self.solve_exactly_in_space(problem, mu, r, u)
            }
            (ContactLaw::Coulomb { mu, .. }, _) if exactly => {
                self.solve_exactly_in_the_plane(problem, mu, r, u)
            }
            (_, Some(2)) => self.solve_by_projection::<2>(problem, r, u),
            (_, Some(3)) => self.solve_by_projection::<3>(problem, r, u),
            _ => self.solve_by_projection::<5>(problem, r, u),
        }
    }
}

/// A bound of the eigenvalues of a block.
fn largest_row_sum<const D: usize>(a: &SmallMatrix<D>) -> f64 {
    a.0.iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}

/// The sweeps of one solve, for rows of any storage.
struct Iteration<'a, 'p, L> {
    problem: &'a ContactProblem<'p>,
    settings: &'a GaussSeidelSettings,
    local: L,
    best: &'a mut Vec<f64>,
    r: &'a mut [f64],
    u: &'a mut [f64],
}

impl<const D: usize, L: LocalLaw<D>> RowWork<D> for Iteration<'_, '_, L> {
    type Result = SolveInfo;

    fn run(self, rows: &(impl SweepRows<D> + Sync)) -> SolveInfo {
        let Self { problem, settings, local, best, r, u } = self;
        let tolerance = settings.tolerance;
        let mut local = Watched { law: problem.law(), local, estimate: 0.0 };
        let mut error = error_of_point(problem, r, u);
        let mut least = error;
        best.clear();
        best.extend_from_slice(r);
        let mut iterations = 0;
        let status = loop {
            let status = judge(problem, r, u, error, tolerance);
            if status != Status::Stalled {
                break status;
            }
            // Sweeps until the estimate says that it is worth a product.
            let mut change = f64::INFINITY;
            let first = iterations;
            while iterations < settings.max_iterations && change > 0.0 {
                local.estimate = 0.0;
                change = sweep(rows, problem.q(), &mut local, r);
                iterations += 1;
                let near = local.estimate.sqrt() <= NEAR * tolerance * scale(problem, r, u);
                if near || (iterations.is_power_of_two() || iterations - first >= MOST_UNMEASURED) {
                    break;
                }
            }
            error = error_of_point(problem, r, u);
            if error < least || least.is_nan() {
                least = error;
                best.copy_from_slice(r);
            }
            if error > tolerance && change == 0.0 {
                break Status::Stalled;
            }
            if error > tolerance && iterations >= settings.max_iterations {
                break Status::MaxIterations;
            }
        };
        if !status.is_success() {
            r.copy_from_slice(best);
            error = error_of_point(problem, r, u);
        }
        SolveInfo { status, iterations, error }
    }
}

/// The full error is computed when the estimate is within this multiple of the tolerance: a sweep mostly leaves less than
/// it found.
const NEAR: f64 = 2.0;

/// And after this many sweeps without it.
const MOST_UNMEASURED: usize = 64;
