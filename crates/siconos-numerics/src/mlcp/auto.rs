//! Solver cascade for mixed linear complementarity problems.

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::{MatrixCost, factorisation};
use siconos_linalg::{MatrixRef, largest_magnitude, square};

use super::warm_active_set::{Trial, write_active};
use super::{
    Elimination, Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings, Mlcp, MlcpProblem,
    MlcpRow, Newton, NewtonSettings,
};
use crate::box_constraints::{AcceptanceTest, ScaledProblem, begin, norm_wise_error, write_image};
use crate::cascade::{AttemptSettings, Cascade, Stage, Start};
use crate::effort::EffortLimit;
use crate::engine::semismooth_newton::SemismoothNewtonSettings;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, Contradiction, SolveInfo, Status};
use crate::lcp::{Lemke, LemkeSettings};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::own_response;

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Iteration limit of each method except enumeration, counted in iterations of that method. Default:
    /// 1000.
    pub max_iterations: usize,
    /// Maximum number of complementarity rows for which all bases are enumerated if the previous methods
    /// fail. Default: 16. Must be at most 62.
    pub largest_enumeration: usize,
    /// Maximum number of operations for one problem. Default: [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-10,
            max_iterations: 1000,
            largest_enumeration: 16,
            effort: EffortLimit::default(),
        }
    }
}

/// Automatic choice of a method: a solver cascade that ends at a solution or at a proof of infeasibility.
///
/// **Problem.** [`MlcpProblem`] in any storage.
///
/// **Method.** If the matrix is not stored as dense and has at most 32 rows, it is first converted to dense
/// storage. (1) Accept the initial guess if its error is 0. (2) Solve one linear system for the active set of
/// the initial guess, the rows with $z_i > 0$; in time-stepping the result is usually the solution. If
/// equations of a dense problem are redundant up to rounding (redundant joints), the system is solved by
/// complete pivoting until no nonzero pivot is left, and unknowns without a pivot are set to 0. (3)
/// [`Elimination`] with [`Lemke`], with redundant rows left out, for a dense matrix with at most 400
/// complementarity rows. (4) [`Newton`], from the best point so far and then from a point whose complementary
/// unknowns are all equal. (5) [`Elimination`] for a dense matrix with more than 400 complementarity rows.
/// (6) [`Enumeration`] for a dense matrix with at most
/// [`largest_enumeration`](AutoSettings::largest_enumeration) complementarity rows. (7) [`InteriorPoint`].
/// (8) A problem with up to 500 unknowns that is still undecided is scaled, converted to dense storage, and
/// passed through these steps again. The scaling multiplies rows and columns by powers of two that bring the
/// entries near 1.
///
/// Without complementarity rows, (4) makes at most eight steps from the best point, and (7) is left out. From
/// (3) on, no method gets more than half of the remaining [`effort`](AutoSettings::effort). Each solution is
/// replaced by the exact solution for its active set, if one exists. The last bits therefore do not depend on
/// the method that found the solution. Nothing is stored between calls. The result depends only on the
/// problem and the initial guess. [`trace`](Solver::trace) lists the attempts, with their reasons and
/// outcomes.
///
/// **Guarantee.** The strongest guarantee of the methods tried. A point counts as a solution only if its
/// error is small enough.
///
/// **Result.** `Converged`, `AtRoundingLevel`: a solution. `NoSolution`: one of the methods has proved that
/// no solution exists. `NotFound`: all methods failed; `z` is the best point found. `EffortSpent`: as
/// `NotFound`, but a method was stopped early because the budget was spent. `iterations` is the sum over all
/// methods.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::mlcp::{Auto, MlcpProblem, MlcpRow};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let m = array![[2.0, 1.0], [1.0, 3.0]];
/// let mut solver = Auto::default();
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = solver.solve(&MlcpProblem::new(&m, &[2.0, -4.0], &rows)?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!(solver.trace().last().map(|attempt| attempt.method), Some("elimination"));
/// // The next problem has the same active set.
/// solver.solve(&MlcpProblem::new(&m, &[2.0, -5.0], &rows)?, &mut z, &mut w)?;
/// assert_eq!(solver.trace()[0].method, "warm-active-set");
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    trial: Trial,
    elimination: Elimination,
    newton: Newton,
    enumeration: Enumeration,
    interior_point: InteriorPoint,
    test: AcceptanceTest,
    cascade: Cascade,
    active: Vec<bool>,
    /// Dense copy of a small matrix that is not stored as dense.
    entries: Vec<f64>,
    own_units: ScaledProblem,
}

/// Maximum number of unknowns for which a matrix that is not stored as dense is converted to a dense one.
const SPREAD_OUT: usize = 32;

/// Maximum number of complementarity rows for which pivots are faster than Newton steps.
const LARGEST_PIVOTED: usize = 400;

/// Maximum number of Newton steps for a problem without complementarity rows. The problem is linear, and
/// later steps only refine the result of the first step.
const NEWTON_STEPS_OF_EQUATIONS: usize = 8;

/// Stage of the solver cascade that follows the tests of the initial guess and of its active set.
#[derive(Clone, Copy, Debug)]
enum StageKind {
    Elimination,
    NewtonFromBest,
    NewtonFromOnes,
    Enumeration,
    InteriorPoint,
}

impl StageKind {
    /// Returns the number of operations of one iteration.
    fn cost(self, MatrixCost { product, factorisation }: MatrixCost) -> f64 {
        match self {
            // Average over the pivots; the first pivots are cheaper, with few basic variables.
            Self::Elimination => 0.5 * product,
            Self::NewtonFromBest | Self::NewtonFromOnes => factorisation + 16.0 * product,
            Self::Enumeration => factorisation + product,
            Self::InteriorPoint => factorisation + 8.0 * product,
        }
    }
}

impl Default for Auto {
    fn default() -> Self {
        match Self::new(AutoSettings::default()) {
            Ok(auto) => auto,
            Err(error) => unreachable!("the default settings are in range: {error}"),
        }
    }
}

impl Auto {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        let AutoSettings { tolerance, max_iterations, largest_enumeration, effort } = settings;
        SettingsError::check_tolerance(tolerance)?;
        effort.check()?;
        let lemke = Lemke::new(LemkeSettings { max_iterations, ..LemkeSettings::default() })?;
        let newton = NewtonSettings {
            newton: SemismoothNewtonSettings { tolerance, ..Default::default() },
            ..NewtonSettings::default()
        };
        let enumeration =
            EnumerationSettings { tolerance, largest_size: largest_enumeration, ..Default::default() };
        let interior = InteriorPointSettings { tolerance, ..Default::default() };
        Ok(Self {
            trial: Trial::default(),
            elimination: Elimination::new(Box::new(lemke))
                .with_redundant_rows(true)
                .with_tolerance(tolerance)?,
            newton: Newton::new(newton)?,
            enumeration: Enumeration::new(enumeration)?,
            interior_point: InteriorPoint::new(interior)?,
            test: AcceptanceTest::default(),
            cascade: Cascade::default(),
            active: Vec::new(),
            entries: Vec::new(),
            own_units: ScaledProblem::default(),
            settings,
        })
    }

    /// Sets the budget of the following solves.
    pub(crate) fn set_effort(&mut self, effort: EffortLimit) {
        self.settings.effort = effort;
    }

    /// Returns the number of operations of the last solve.
    pub(crate) fn effort_spent(&self) -> f64 {
        self.cascade.spent()
    }

    /// Returns the stages to try, in order, each with its reason.
    fn steps(&self, problem: &MlcpProblem<'_>) -> [Option<(StageKind, &'static str)>; 6] {
        let pairs = pairs(problem);
        let dense = matches!(problem.m(), MatrixRef::Dense(_));
        let few = dense && pairs <= LARGEST_PIVOTED;
        let enumerable = dense && pairs <= self.settings.largest_enumeration;
        [
            few.then_some((StageKind::Elimination, "dense, few enough complementarity rows for pivots")),
            Some((StageKind::NewtonFromBest, "from the best point so far")),
            (pairs > 0).then_some((StageKind::NewtonFromOnes, "from unknowns of equal size")),
            (dense && !few).then_some((StageKind::Elimination, "dense, and Newton failed")),
            enumerable
                .then_some((StageKind::Enumeration, "few enough complementarity rows to try all bases")),
            (pairs > 0).then_some((StageKind::InteriorPoint, "the last resort")),
        ]
    }

    fn attempt(
        &mut self,
        step: StageKind,
        why: &'static str,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let start = match step {
            StageKind::NewtonFromBest => Start::Best,
            StageKind::NewtonFromOnes => {
                let one = largest_magnitude(problem.q()) / own_response::mean(problem.m());
                for (z, row) in z.iter_mut().zip(problem.rows()) {
                    *z = if *row == MlcpRow::Complementarity { one } else { 0.0 };
                }
                Start::Here
            }
            StageKind::Elimination | StageKind::Enumeration | StageKind::InteriorPoint => Start::Guess,
        };
        let most = match step {
            StageKind::Enumeration => EnumerationSettings::default().max_iterations,
            StageKind::NewtonFromBest if pairs(problem) == 0 => NEWTON_STEPS_OF_EQUATIONS,
            _ => self.settings.max_iterations,
        };
        let link: &mut dyn Stage<Class = Mlcp> = match step {
            StageKind::Elimination => &mut self.elimination,
            StageKind::NewtonFromBest | StageKind::NewtonFromOnes => &mut self.newton,
            StageKind::Enumeration => &mut self.enumeration,
            StageKind::InteriorPoint => &mut self.interior_point,
        };
        let cost = step.cost(self.cascade.matrix_cost(problem.m()));
        let plan = AttemptSettings { why, start, cost, most };
        self.cascade.attempt(plan, link, problem, z, w)
    }

    /// Replaces a solution by the exact solution for its active set, if one exists.
    fn polish(
        &mut self,
        step: StageKind,
        problem: &MlcpProblem<'_>,
        info: SolveInfo,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let tolerance = self.settings.tolerance;
        // Pivoting methods set a z outside the basis exactly to 0. The other methods stay inside the orthant,
        // where such a z is positive but smaller than its w.
        let has_basis = matches!(step, StageKind::Elimination | StageKind::Enumeration);
        if has_basis {
            self.active.clear();
            self.active.extend(z.iter().map(|z| *z > 0.0));
        } else {
            write_active(problem, z, w, &mut self.active);
        }
        let exact = self.trial.solve(problem, |i| self.active[i], tolerance, z, w);
        if exact.status.is_success() {
            return SolveInfo { iterations: info.iterations, ..exact };
        }
        let tested = self.test.of_point(problem, z, w);
        SolveInfo { status: tested.status(tolerance), error: tested.error, ..info }
    }
}

/// Returns the number of complementarity rows.
fn pairs(problem: &MlcpProblem<'_>) -> usize {
    problem.rows().iter().filter(|row| **row == MlcpRow::Complementarity).count()
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("the best of those it tries"),
    storage: "any",
    reference: "",
};

impl Solver for Auto {
    type Class = Mlcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.cascade.begin();
        self.elimination.forget_contradiction();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let (n, is_dense) = (problem.size(), matches!(problem.m(), MatrixRef::Dense(_)));
        let info = if n <= SPREAD_OUT && !is_dense {
            let mut entries = std::mem::take(&mut self.entries);
            problem.m().copy_dense(&mut entries);
            let info = MlcpProblem::new(square(&entries, n), problem.q(), problem.rows())
                .map(|spread| self.solve_by_chain(&spread, z, w));
            self.entries = entries;
            self.own_units.as_stored(problem, info?, z, w)
        } else {
            self.solve_by_chain(problem, z, w)
        };
        // (8)
        if info.status != Status::NotFound || !self.own_units.spread(problem, is_dense, z) {
            return Ok(info);
        }
        let mut own = std::mem::take(&mut self.own_units);
        let second = MlcpProblem::new(square(&own.entries, n), &own.q, problem.rows())
            .map(|spread| self.solve_by_chain(&spread, &mut own.z, &mut own.w));
        let info = second.map(|second| own.conclude(self.settings.tolerance, problem, (info, second), z, w));
        self.own_units = own;
        Ok(info?)
    }

    fn trace(&self) -> &[Attempt] {
        self.cascade.trace()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.elimination.contradiction()
    }
}

impl Auto {
    /// Runs steps (1) to (7).
    fn solve_by_chain(&mut self, problem: &MlcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        let tolerance = self.settings.tolerance;
        // (1)
        write_image(problem, z, w);
        if norm_wise_error(problem, z, w) == 0.0 {
            let tested = self.test.of(problem, z, w);
            let status = tested.status(tolerance);
            if status.is_success() {
                return SolveInfo { status, iterations: 0, error: tested.error };
            }
        }
        // (2)
        self.active.clear();
        self.active.extend(z.iter().map(|z| *z > 0.0));
        let info = self.trial.solve(problem, |i| self.active[i], tolerance, z, w);
        self.cascade.note_effort(
            super::warm_active_set::DESCRIPTION.name,
            "active set of the guess",
            info,
            factorisation(problem.m()),
        );
        if info.status.is_success() {
            return info;
        }
        let error = self.test.of_point(problem, z, w).error;
        self.cascade.begin_search(z, w, error);
        self.cascade.limit(&self.settings.effort, problem.m());
        for (step, why) in self.steps(problem).into_iter().flatten() {
            match self.attempt(step, why, problem, z, w) {
                Some(info) if info.status.is_success() => return self.polish(step, problem, info, z, w),
                Some(proof) => return proof,
                None => {}
            }
        }
        self.cascade.finish::<Mlcp>(problem, z, w)
    }
}
