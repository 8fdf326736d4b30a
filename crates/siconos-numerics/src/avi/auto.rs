//! Automatic choice of methods for affine variational inequalities.

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::dense_factorisation;
use siconos_linalg::{MatrixRef, square};

use super::active_set::ActiveSet;
use super::mixed::MixedComplementarity;
use super::problem::check_data;
use super::units::ScaledProblem;
use super::{Avi, AviProblem, CaoFerris, CaoFerrisSettings};
use crate::cascade::{AttemptSettings, Cascade, Start};
use crate::effort::EffortLimit;
use crate::engine::{check_finite, check_length};
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of iterations of each method. Default: 10 000.
    pub max_iterations: usize,
    /// Maximum total number of unknowns and inequalities for which pivoting on the whole matrix is tried.
    /// Default: 1000.
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

/// Solver cascade that tries methods in turn until one finds a solution or proves that none exists.
///
/// **Problem.** [`AviProblem`] in any storage.
///
/// **Method.** If the matrix is not stored as dense and has at most 100 rows, it is first converted to dense
/// storage. (1) Dense matrices: the inequalities whose multiplier exceeds their slack at the initial guess
/// form the active set. They are treated as equations, which gives one linear system with M and the active
/// rows of H. If all signs are correct, the solution of this system solves the problem; otherwise up to nine
/// changes of the active set are tried. In time-stepping the active set rarely changes from step to step. (2)
/// Dense matrices up to `largest_for_pivots`: [`CaoFerris`]. (3) Write the Karush-Kuhn-Tucker conditions as a
/// mixed linear complementarity problem with free z,
///
/// $$ 0 = M z + q - H^T \lambda, \qquad 0 \le H z - K \perp \lambda \ge 0, $$
///
/// and solve it by [`mlcp::Auto`](crate::mlcp::Auto). Then solve the linear system of (1) once, to remove
/// rounding errors. Large sparse matrices go directly to (3), in compressed sparse column storage.
/// [`trace`](Solver::trace) lists the attempts.
///
/// **Guarantee.** Dense matrices have the guarantee of [`CaoFerris`]: a solution over every compact
/// polyhedron, and, for M copositive-plus on the recession cone, a solution if one exists. Sparse matrices,
/// and matrices singular on the lines of the polyhedron, which [`CaoFerris`] rejects, have the guarantee of
/// [`mlcp::Auto`](crate::mlcp::Auto).
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution. If there is more than one solution, the solution
/// with the active set of the initial guess is preferred. `NoSolution`: a method has proved that the
/// polyhedron is empty or that the conditions have no solution. `NotFound`: all methods failed; the point is
/// the best one found. `EffortSpent`: as `NotFound`, but the limit [`effort`](AutoSettings::effort) ended the
/// search. `iterations` is the sum over the methods tried.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::avi::{Auto, AviProblem};
///
/// // The point of the triangle z_1, z_2 >= 0, z_1 + z_2 <= 1 nearest to (2, 0.5), and then to (2, 0.6).
/// let (m, h) = (array![[1.0, 0.0], [0.0, 1.0]], array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]);
/// let (mut z, mut lambda) = ([0.0; 2], [0.0; 3]);
/// let mut auto = Auto::default();
/// for y in [0.5, 0.6] {
///     let q = [-2.0, -y];
///     let problem = AviProblem::new(&m, &q, h.view(), &[0.0, 0.0, -1.0])?;
///     assert!(auto.solve(&problem, &mut z, &mut lambda)?.status.is_success());
///     assert!((z[0] - 1.0).abs() < 1e-15 && z[1].abs() < 1e-15);
/// }
/// // The second problem has the active set of the first: one linear system.
/// assert_eq!(auto.trace()[0].method, "active set of the guess");
/// assert_eq!(auto.trace()[0].info.iterations, 1);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    active_set: ActiveSet,
    path: CaoFerris,
    mixed: MixedComplementarity,
    cascade: Cascade,
    /// Dense copy of an M that is not stored as dense.
    entries: Vec<f64>,
    units: ScaledProblem,
}

/// Maximum number of unknowns for which a matrix that is not stored as dense is converted to a dense one.
const SPREAD_OUT: usize = 100;

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
        let AutoSettings { tolerance, max_iterations, effort, .. } = settings;
        effort.check()?;
        Ok(Self {
            path: CaoFerris::new(CaoFerrisSettings { tolerance, max_iterations })?,
            mixed: MixedComplementarity::new(tolerance, max_iterations)?,
            settings,
            active_set: ActiveSet::default(),
            cascade: Cascade::default(),
            entries: Vec::new(),
            units: ScaledProblem::default(),
        })
    }

    fn try_in_turn(&mut self, problem: &AviProblem<'_>, z: &mut [f64], lambda: &mut [f64]) -> SolveInfo {
        let (n, p) = (problem.size(), problem.inequalities());
        let dense = matches!(problem.m(), MatrixRef::Dense(_));
        // If the caller has no guess of the multipliers, the array may contain NaN or infinities.
        lambda.iter_mut().filter(|lambda| !lambda.is_finite()).for_each(|lambda| *lambda = 0.0);
        let factorisation = dense_factorisation(n + p);
        self.cascade.limit_by(&self.settings.effort, factorisation);
        // (1)
        if dense && self.cascade.allow(factorisation, usize::MAX).is_some() {
            let info = self.active_set.solve(problem, self.settings.tolerance, z, lambda);
            let effort = self.active_set.operations();
            let why = "one linear system if the active set is unchanged";
            self.cascade.note_effort("active set of the guess", why, info, effort);
            if info.status.is_success() {
                return info;
            }
        }
        self.cascade.begin_search(z, lambda, f64::NAN);
        // (2)
        if dense && n + p <= self.settings.largest_for_pivots {
            // Estimate of the cost of one pivot, in phase I or in the path-following method.
            let (cost, most) = (8.0 * ((n + p) * p) as f64, self.settings.max_iterations);
            let why = "dense: the path ends at a solution over compact polyhedra";
            let plan = AttemptSettings { why, start: Start::Guess, cost, most };
            if let Some(info) = self.cascade.attempt(plan, &mut self.path, problem, z, lambda) {
                return info;
            }
        }
        // (3)
        self.mixed.set_effort(self.cascade.left());
        let why = "the multipliers as unknowns, by other methods";
        let plan = AttemptSettings { why, start: Start::Guess, cost: 0.0, most: usize::MAX };
        let decided = self.cascade.attempt(plan, &mut self.mixed, problem, z, lambda);
        decided.unwrap_or_else(|| self.cascade.finish::<Avi>(problem, z, lambda))
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("dense: as Cao-Ferris").and("sparse: as the mixed problem"),
    storage: "any",
    reference: "see the page",
};

impl Solver for Auto {
    type Class = Avi;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = problem.size();
        check_length("z", n, z.len())?;
        check_length("lambda", problem.inequalities(), lambda.len())?;
        check_finite("z", z)?;
        check_data(problem)?;
        self.cascade.begin();
        let mut units = std::mem::take(&mut self.units);
        let solved = units.solve(problem, z, lambda, |problem, z, lambda| self.choose(problem, z, lambda));
        self.units = units;
        solved
    }

    fn trace(&self) -> &[Attempt] {
        self.cascade.trace()
    }
}

impl Auto {
    /// Solves a scaled problem.
    fn choose(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = problem.size();
        if n <= SPREAD_OUT && !matches!(problem.m(), MatrixRef::Dense(_)) {
            let mut entries = std::mem::take(&mut self.entries);
            problem.m().copy_dense(&mut entries);
            let spread = AviProblem::new(square(&entries, n), problem.q(), problem.h(), problem.k());
            let info = spread.map(|spread| match problem.scales() {
                Some(scales) => self.try_in_turn(&spread.with_scales(scales), z, lambda),
                None => self.try_in_turn(&spread, z, lambda),
            });
            self.entries = entries;
            return Ok(info?);
        }
        Ok(self.try_in_turn(problem, z, lambda))
    }
}
