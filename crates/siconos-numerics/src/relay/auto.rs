//! Automatic choice of methods by a short solver cascade, with cheap methods first.

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::{MatrixCost, factorisation};
use siconos_linalg::{MatrixRef, square};

use super::guessed_faces::{self, GuessedFaces};
use super::{
    CaoFerris, Enumeration, EnumerationSettings, Newton, NewtonSettings, ProjectedGaussSeidel,
    ProjectedGaussSeidelSettings, Relay, RelayProblem,
};
use crate::avi::CaoFerrisSettings;
use crate::box_constraints::{ScaledProblem, begin, solve_row};
use crate::cascade::{AttemptSettings, Cascade, Stage, Start};
use crate::convex_set::ConvexSet;
use crate::effort::EffortLimit;
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::ncp_function::NcpFunction;

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations of each method except enumeration. Default: 10 000.
    pub max_iterations: usize,
    /// Maximum number of unknowns for which pivoting on the whole matrix is tried. Default: 1000.
    pub largest_for_pivots: usize,
    /// Maximum number of operations for one problem. Default: [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 10_000,
            largest_for_pivots: 1000,
            effort: EffortLimit::default(),
        }
    }
}

/// Solver cascade that tries methods in turn until one succeeds.
///
/// **Problem.** [`RelayProblem`] in any storage.
///
/// **Method.** A dense problem with a single row is solved by a formula. (0) Dense problems with up to 8
/// unknowns: solve on the faces of the initial guess (each unknown at the lower bound, at the upper bound, or
/// between) by one elimination. Incorrect faces are changed, in up to 8 rounds. In time-stepping the faces
/// rarely change from step to step. (1) For 500 unknowns or more, if the diagonal is positive and dominates
/// each row: [`ProjectedGaussSeidel`]. (2) [`Newton`] with the minimum function, at most 30 steps. Most
/// problems need a few factorisations, and only one if the initial guess is good. (3) [`CaoFerris`], for
/// dense matrices with up to `largest_for_pivots` rows. (4) [`Newton`] with the Fischer-Burmeister function.
/// (5) [`Enumeration`], for dense problems with up to 8 unknowns. (6) [`ProjectedGaussSeidel`], if the
/// diagonal is positive and (1) did not apply. (7) A problem with up to 500 unknowns that is still undecided
/// is converted to dense storage, its rows and columns are multiplied by powers of two that bring the entries
/// near 1, and the cascade starts again.
///
/// If the matrix is not stored as dense and has at most 32 rows, it is first converted to dense storage. Each
/// method starts from the initial guess, and from (1) on it gets at most half of the remaining
/// [`effort`](AutoSettings::effort). [`trace`](Solver::trace) lists the attempts. If a dense matrix is
/// symmetric, (2) and (4) use Cholesky factorisation.
///
/// **Guarantee.** If [`CaoFerris`] applies, its guarantee: a solution for every matrix if all bounds are
/// finite. Otherwise the guarantees of [`Newton`] and [`ProjectedGaussSeidel`].
///
/// **Result.** The first success, or the first proof of `NoSolution`. Otherwise `NotFound` with the best
/// point found, or `EffortSpent` if the limit on effort ended a method early. `iterations` is the sum over
/// the methods tried.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::relay::{Auto, RelayProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let problem = RelayProblem::new(&m, &[-1.0, 6.0], &[-1.0; 2], &[1.0; 2])?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let mut auto = Auto::default();
/// assert!(auto.solve(&problem, &mut z, &mut w)?.status.is_success());
/// assert_eq!(auto.trace()[0].method, "faces of the guess");
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Auto {
    settings: AutoSettings,
    faces: GuessedFaces,
    active_set: Newton,
    smooth: Newton,
    path: CaoFerris,
    enumeration: Enumeration,
    sweeps: ProjectedGaussSeidel,
    cascade: Cascade,
    ones: Vec<f64>,
    diagonal: Vec<f64>,
    row_sums: Vec<f64>,
    /// Dense copy of a small matrix that is not stored as dense.
    entries: Vec<f64>,
    own_units: ScaledProblem,
}

/// Maximum number of unknowns for which a matrix that is not stored as dense is converted to a dense one.
const SPREAD_OUT: usize = 32;

/// Maximum number of steps of the active-set method.
const ACTIVE_SET_STEPS: usize = 30;

/// Maximum number of steps of Newton's method with the smooth merit function.
const SMOOTH_STEPS: usize = 200;

/// Maximum number of unknowns for which all faces are tried.
const LARGEST_ENUMERATED: usize = 8;

/// Minimum number of unknowns for which Gauss-Seidel is tried before factorisations, if the matrix is
/// diagonally dominant.
const LARGE: usize = 500;

/// Stages of the solver cascade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageKind {
    ActiveSet,
    Dominant,
    Path,
    Smooth,
    Enumeration,
    Sweeps,
}

impl StageKind {
    /// Returns the operation count of one iteration.
    fn cost(self, MatrixCost { product, factorisation }: MatrixCost) -> f64 {
        match self {
            Self::ActiveSet | Self::Smooth => factorisation + 16.0 * product,
            Self::Dominant | Self::Sweeps => 2.0 * product,
            // One product for the driving column and one for the update of the inverse.
            Self::Path => 2.0 * product,
            Self::Enumeration => factorisation,
        }
    }

    /// Returns the iteration limit for the case without a limit on effort.
    fn most_iterations(self, settings: &AutoSettings) -> usize {
        match self {
            Self::ActiveSet => settings.max_iterations.min(ACTIVE_SET_STEPS),
            Self::Smooth => settings.max_iterations.min(SMOOTH_STEPS),
            Self::Enumeration => EnumerationSettings::default().max_iterations,
            Self::Dominant | Self::Path | Self::Sweeps => settings.max_iterations,
        }
    }

    const fn why(self) -> &'static str {
        match self {
            Self::ActiveSet => "few factorisations if the active set is soon found",
            Self::Dominant => "large and diagonally dominant: sweeps are cheap",
            Self::Path => "dense: the path of pivots ends at a solution between finite bounds",
            Self::Smooth => "a smooth merit function if the active set alternates",
            Self::Enumeration => "small enough to try all faces",
            Self::Sweeps => "positive diagonal: sweeps require no factorisation",
        }
    }
}

impl Default for Auto {
    fn default() -> Self {
        Self::new(AutoSettings::default()).expect("the default settings are in their ranges")
    }
}

impl Auto {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        let (tolerance, max_iterations) = (settings.tolerance, settings.max_iterations);
        settings.effort.check()?;
        let newton = |function| {
            let newton = SemismoothNewtonSettings { tolerance, ..Default::default() };
            Newton::new(NewtonSettings { newton, function, merit: function })
        };
        let largest_size = LARGEST_ENUMERATED;
        Ok(Self {
            faces: GuessedFaces::default(),
            active_set: newton(NcpFunction::Minimum)?,
            smooth: newton(NcpFunction::FischerBurmeister)?,
            path: CaoFerris::new(CaoFerrisSettings { tolerance, max_iterations })?,
            enumeration: Enumeration::new(EnumerationSettings {
                tolerance,
                largest_size,
                ..EnumerationSettings::default()
            })?,
            sweeps: ProjectedGaussSeidel::new(ProjectedGaussSeidelSettings {
                tolerance,
                max_iterations,
                ..ProjectedGaussSeidelSettings::default()
            })?,
            settings,
            cascade: Cascade::default(),
            ones: Vec::new(),
            diagonal: Vec::new(),
            row_sums: Vec::new(),
            entries: Vec::new(),
            own_units: ScaledProblem::default(),
        })
    }

    /// Sets the budget of the following solves.
    pub(crate) fn set_effort(&mut self, effort: EffortLimit) {
        self.settings.effort = effort;
    }

    /// Returns the operation count of the last solve.
    pub(crate) fn effort_spent(&self) -> f64 {
        self.cascade.spent()
    }

    /// Returns two flags: each diagonal entry is positive, and each exceeds the sum of the magnitudes of the
    /// other entries of its row.
    fn look_at_diagonal(&mut self, m: MatrixRef<'_>) -> (bool, bool) {
        let n = m.rows();
        self.diagonal.clear();
        self.diagonal.resize(n, 0.0);
        m.copy_diagonal(&mut self.diagonal);
        if !self.diagonal.iter().all(|d| *d > 0.0) {
            return (false, false);
        }
        self.ones.clear();
        self.ones.resize(n, 1.0);
        self.row_sums.clear();
        self.row_sums.resize(n, 0.0);
        m.add_absolute_product(&self.ones, &mut self.row_sums);
        (true, self.diagonal.iter().zip(&self.row_sums).all(|(d, sum)| 2.0 * d > *sum))
    }

    /// Returns `true` if a step applies to this problem.
    fn applies(&mut self, step: StageKind, problem: &RelayProblem<'_>) -> bool {
        let (m, n) = (problem.m(), problem.size());
        let dense = matches!(m, MatrixRef::Dense(_));
        let dominant = |auto: &mut Self| n >= LARGE && auto.look_at_diagonal(m).1;
        match step {
            StageKind::ActiveSet | StageKind::Smooth => true,
            StageKind::Dominant => dominant(self),
            StageKind::Path => dense && n <= self.settings.largest_for_pivots,
            StageKind::Enumeration => dense && n <= LARGEST_ENUMERATED,
            StageKind::Sweeps => !dominant(self) && self.look_at_diagonal(m).0,
        }
    }

    fn attempt(
        &mut self,
        step: StageKind,
        problem: &RelayProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let link: &mut dyn Stage<Class = Relay> = match step {
            StageKind::ActiveSet => &mut self.active_set,
            StageKind::Smooth => &mut self.smooth,
            StageKind::Path => &mut self.path,
            StageKind::Enumeration => &mut self.enumeration,
            StageKind::Dominant | StageKind::Sweeps => &mut self.sweeps,
        };
        let (cost, most) =
            (step.cost(self.cascade.matrix_cost(problem.m())), step.most_iterations(&self.settings));
        let plan = AttemptSettings { why: step.why(), start: Start::Guess, cost, most };
        self.cascade.attempt(plan, link, problem, z, w)
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::General]).only(Scope::FiniteBounds).and("if the matrix is dense"),
    storage: "any",
    reference: "see the page",
};

impl Solver for Auto {
    type Class = Relay;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &RelayProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.cascade.begin();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        if let Some(error) = solve_row(problem, self.settings.tolerance, z, w) {
            let info = SolveInfo { status: Status::Converged, iterations: 1, error };
            self.cascade.note_effort("formula", "one row between bounds", info, 1.0);
            return Ok(info);
        }
        let (n, is_dense) = (problem.size(), matches!(problem.m(), MatrixRef::Dense(_)));
        let info = if n <= SPREAD_OUT && !is_dense {
            let mut entries = std::mem::take(&mut self.entries);
            problem.m().copy_dense(&mut entries);
            let spread =
                RelayProblem::new(square(&entries, n), problem.q(), problem.lower(), problem.upper());
            let info = spread.map(|spread| self.solve_by_chain(&spread, z, w));
            self.entries = entries;
            self.own_units.as_stored(problem, info?, z, w)
        } else {
            self.solve_by_chain(problem, z, w)
        };
        // (7)
        if info.status != Status::NotFound || !self.own_units.spread(problem, is_dense, z) {
            return Ok(info);
        }
        let mut own = std::mem::take(&mut self.own_units);
        let second = RelayProblem::new(square(&own.entries, n), &own.q, &own.lower, &own.upper)
            .map(|spread| self.solve_by_chain(&spread, &mut own.z, &mut own.w));
        let info = second.map(|second| own.conclude(self.settings.tolerance, problem, (info, second), z, w));
        self.own_units = own;
        Ok(info?)
    }

    fn trace(&self) -> &[Attempt] {
        self.cascade.trace()
    }
}

impl Auto {
    /// Performs steps (0) to (6).
    fn solve_by_chain(&mut self, problem: &RelayProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        if problem.size() <= guessed_faces::LARGEST && matches!(problem.m(), MatrixRef::Dense(_)) {
            let info = self.faces.solve(problem, self.settings.tolerance, z, w);
            let effort = factorisation(problem.m()) * info.iterations.max(1) as f64;
            self.cascade.note_effort("faces of the guess", "small and dense", info, effort);
            if info.status.is_success() {
                return info;
            }
        }
        problem.bounds().project(z);
        self.cascade.begin_search(z, w, f64::NAN);
        self.cascade.limit(&self.settings.effort, problem.m());
        let steps = [
            StageKind::Dominant,
            StageKind::ActiveSet,
            StageKind::Path,
            StageKind::Smooth,
            StageKind::Enumeration,
            StageKind::Sweeps,
        ];
        for step in steps {
            if self.applies(step, problem)
                && let Some(info) = self.attempt(step, problem, z, w)
            {
                return info;
            }
        }
        self.cascade.finish::<Relay>(problem, z, w)
    }
}
