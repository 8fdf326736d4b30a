//! Automatic choice of a method for linear complementarity problems.

mod last_resorts;

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::MatrixCost;
use siconos_linalg::{MatrixRef, largest_magnitude, square};

use self::last_resorts::{Choice, FACTORISATIONS_PER_PROGRAM, LastResorts};
use super::feasibility::infeasibility_certificate;
use super::matrix_facts::MatrixProperties;
use super::{Lcp, LcpProblem, Lemke, LemkeSettings, NewtonMin, NewtonMinSettings};
use crate::box_constraints::ScaledProblem;
use crate::cascade::{AttemptSettings, Budget, Cascade, Stage, Start};
use crate::effort::EffortLimit;
use crate::engine::check_solve;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Solver};
use crate::own_response;

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-12. Must be positive.
    pub tolerance: f64,
    /// Iteration limit of each method, counted in iterations of that method (pivots, steps, sweeps, ..).
    /// Newton, interior-point and quadratic programming methods have lower limits of their own; enumeration
    /// is limited only by the two settings below. Default: 10 000.
    pub max_iterations: usize,
    /// Maximum number of unknowns n for which all $2^n$ complementary bases are tried if the other methods
    /// fail. Default: 16. Must be at most 24.
    pub largest_enumeration: usize,
    /// Maximum number of operations for one problem. Default: [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            max_iterations: 10_000,
            largest_enumeration: 16,
            effort: EffortLimit::default(),
        }
    }
}

/// Automatic choice of a method: a solver cascade that records its attempts.
///
/// **Problem.** [`LcpProblem`] in any storage.
///
/// **Method.** If the matrix is not stored as dense and has at most 32 rows, it is first converted to dense
/// storage. (1) For a dense matrix with up to 10 unknowns, [`Lemke`], which starts with the active set of the
/// initial guess. (2) For a larger or sparse matrix, [`NewtonMin`] if the diagonal is positive, which is
/// necessary for a P-matrix. If in addition the off-diagonal entries are at most 0, [`NewtonMin`] continues
/// from the best point with its full iteration limit. Then [`Lemke`] for a dense matrix,
/// [`InteriorPoint`](super::InteriorPoint) for a sparse one. (3) [`Newton`](super::Newton), which requires no
/// matrix class, from the initial guess, from the best point so far, and from a point with large positive
/// entries. (4) Projected Gauss-Seidel if the matrix is diagonally dominant, or sparse and symmetric;
/// [`NewtonMin`] with its full iteration limit if the diagonal is positive;
/// [`InteriorPoint`](super::InteriorPoint) if the matrix is dense and a Cholesky factorisation shows that its
/// symmetric part is positive definite. (5) Undecided problems are checked for feasibility
/// ([`infeasibility_certificate`](super::infeasibility_certificate)) if the remaining budget covers the
/// linear program. (6) [`SequentialQuadraticProgram`](super::SequentialQuadraticProgram) up to 100 unknowns;
/// [`Enumeration`](super::Enumeration) up to `largest_enumeration` unknowns. (7) A problem with up to 500
/// unknowns that is still undecided is scaled, converted to dense storage, and passed through the cascade
/// again. The scaling multiplies rows and columns by powers of two that bring the entries near 1.
///
/// Each method starts from the initial guess unless stated otherwise; the first success ends the cascade.
/// From (2) on, no method gets more than half of the remaining [`effort`](AutoSettings::effort). The pivots
/// that Lemke's method performs in integer arithmetic do not count towards this limit; they have
/// [a limit of their own](super::LemkeSettings::exact_operations).
///
/// **Guarantee.** A solution for P-matrices (dense or sparse), for feasible problems with copositive-plus
/// matrices (dense), and for every solvable problem with up to `largest_enumeration` unknowns, up to rounding
/// and within the budget `effort`. The default `effort` suffices to enumerate all bases for 17 unknowns.
/// Every point that is returned as `Converged` has passed the acceptance test of its [`error`](super::error).
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution. `NoSolution`: a Farkas vector
/// ([`is_infeasibility_certificate`](super::is_infeasibility_certificate)) proves that the problem has no
/// solution, or every complementary basis has been excluded. `NotFound`: all stages failed; the point is the
/// best one found by any method. `EffortSpent`: as `NotFound`, but a method was stopped early because the
/// budget was spent. [`trace`](Solver::trace) lists the attempts and their costs; `iterations` is the sum
/// over all attempts.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::lcp::{Auto, LcpProblem};
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let mut auto = Auto::default();
/// let info = auto.solve(&LcpProblem::new(&m, &[-5.0, -6.0])?, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert_eq!(auto.trace()[0].method, "lemke");
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    lemke: Lemke,
    newton_min: NewtonMin,
    /// Later stages, created when a problem first needs them.
    last_resorts: Option<Box<LastResorts>>,
    cascade: Cascade,
    diagonal: Vec<f64>,
    /// Dense copy of a small matrix that is not stored as dense.
    entries: Vec<f64>,
    own_units: ScaledProblem,
}

impl Default for Auto {
    fn default() -> Self {
        Self::new(AutoSettings::default()).expect("the default settings are in their ranges")
    }
}

/// Maximum number of unknowns for which Lemke's method is tried first.
const LARGEST_FOR_LEMKE_FIRST: usize = 10;

/// Maximum number of unknowns for which a matrix that is not stored as dense is converted to a dense one. At
/// this size, access to the methods for dense matrices is worth more than the memory saved.
const SPREAD_OUT: usize = 32;

/// Iteration limit of the first attempt with [`NewtonMin`]. Most problems need only a few iterations. If each
/// iteration changes the active set by a single index, as in an obstacle problem with a smooth free boundary,
/// other methods are faster.
const BASES: usize = 60;

/// Maximum number of unknowns for a sequence of quadratic programs. Each program costs as much as thousands
/// of pivots.
const LARGEST_PROGRAM: usize = 100;

impl Auto {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0, `largest_enumeration` is above 24, or a limit of `effort` is out of
    /// range.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        let (tolerance, max_iterations) = (settings.tolerance, settings.max_iterations);
        SettingsError::check_tolerance(tolerance)?;
        settings.effort.check()?;
        if settings.largest_enumeration > 24 {
            let value = settings.largest_enumeration as f64;
            return Err(SettingsError::OutOfRange {
                name: "largest_enumeration",
                value,
                must_be: "at most 24",
            });
        }
        Ok(Self {
            lemke: Lemke::new(LemkeSettings { tolerance, max_iterations, ..LemkeSettings::default() })?,
            newton_min: NewtonMin::new(NewtonMinSettings { tolerance, ..NewtonMinSettings::default() })?,
            settings,
            last_resorts: None,
            cascade: Cascade::default(),
            diagonal: Vec::new(),
            entries: Vec::new(),
            own_units: ScaledProblem::default(),
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

    /// Runs one method of the cascade. Returns `None` if the cascade continues.
    fn attempt(
        &mut self,
        choice: Choice,
        start: Start,
        why: &'static str,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let (cost, most) =
            (choice.cost(self.cascade.matrix_cost(problem.m())), choice.most_iterations(&self.settings));
        let link: &mut dyn Stage<Class = Lcp> = match choice {
            Choice::Lemke => &mut self.lemke,
            Choice::NewtonMin => &mut self.newton_min,
            later => {
                let tolerance = self.settings.tolerance;
                let make = || Box::new(LastResorts::new(tolerance).expect("the tolerance has been checked"));
                self.last_resorts.get_or_insert_with(make).choose(later)
            }
        };
        self.cascade.attempt(AttemptSettings { why, start, cost, most }, link, problem, z, w)
    }

    /// Runs steps (1) to (6) of the cascade.
    fn solve_by_chain(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = problem.size();
        // (1): this code runs in every time step of a small simulation.
        if n <= LARGEST_FOR_LEMKE_FIRST && matches!(problem.m(), MatrixRef::Dense(_)) && z.len() == n {
            let mut guess = [0.0; LARGEST_FOR_LEMKE_FIRST];
            guess[..n].copy_from_slice(z);
            let budget = Budget::of(
                self.settings.max_iterations,
                Choice::Lemke.cost(MatrixCost::estimate(problem.m())),
            );
            self.lemke.set_budget(&budget);
            let info = self.lemke.solve(problem, z, w)?;
            let effort = self.lemke.effort(problem, &info, &budget);
            self.cascade.note_effort(self.lemke.name(), "small and dense", info, effort);
            if info.status.is_success() || info.status == Status::NoSolution {
                return Ok(info);
            }
            z.copy_from_slice(&guess[..n]);
        }
        check_solve(problem.q(), z, w)?;
        Ok(self.try_in_turn(problem, z, w))
    }

    /// Runs steps (2) to (6).
    fn try_in_turn(&mut self, problem: &LcpProblem<'_>, z: &mut [f64], w: &mut [f64]) -> SolveInfo {
        self.cascade.begin_search(z, w, f64::NAN);
        self.cascade.limit(&self.settings.effort, problem.m());
        let n = problem.size();
        let dense = matches!(problem.m(), MatrixRef::Dense(_));

        // The first attempt depends only on the diagonal. For most problems it is also the last attempt, and
        // a check of all entries would cost as much as the attempt itself.
        self.diagonal.clear();
        self.diagonal.resize(n, 0.0);
        problem.m().copy_diagonal(&mut self.diagonal);
        if (n > LARGEST_FOR_LEMKE_FIRST || !dense) && self.diagonal.iter().all(|&d| d > 0.0) {
            let why = "positive diagonal, necessary for a P-matrix";
            if let Some(info) = self.attempt(Choice::NewtonMin, Start::Guess, why, problem, z, w) {
                return info;
            }
        }

        let facts = MatrixProperties::of(problem.m());
        let mut plan: Vec<(Choice, Start, &'static str)> = Vec::new();
        if facts.positive_diagonal && facts.nonpositive_off_diagonal {
            plan.push((Choice::PatientNewtonMin, Start::Best, "entries off the diagonal are at most 0"));
        }
        if dense && n > LARGEST_FOR_LEMKE_FIRST {
            plan.push((Choice::Lemke, Start::Guess, "dense; serves copositive-plus matrices as well"));
        }
        if !dense {
            plan.push((Choice::InteriorPoint, Start::Guess, "sparse; serves monotone problems"));
        }
        plan.push((Choice::Newton, Start::Guess, "requires no matrix class"));
        plan.push((Choice::Newton, Start::Best, "from the best point so far"));
        plan.push((Choice::Newton, Start::Here, "from a point far inside the orthant"));
        if facts.diagonally_dominant || (!dense && facts.symmetric && facts.positive_diagonal) {
            plan.push((Choice::GaussSeidel, Start::Guess, "diagonally dominant, or sparse and symmetric"));
        }
        if facts.positive_diagonal {
            plan.push((Choice::PatientNewtonMin, Start::Guess, "Murty's rule is finite for P-matrices"));
        }
        if dense && facts.has_definite_symmetric_part(problem.m()) {
            plan.push((Choice::InteriorPoint, Start::Guess, "the symmetric part is positive definite"));
        }
        if let Some(info) = self.carry_out(plan, problem, z, w) {
            return info;
        }

        // (5)
        if self.has_no_feasible_point(problem) {
            return SolveInfo { status: Status::NoSolution, ..self.cascade.finish::<Lcp>(problem, z, w) };
        }

        // (6)
        let mut plan = Vec::new();
        if n <= LARGEST_PROGRAM {
            plan.push((Choice::Programs, Start::Guess, "a stationary point of z^T w may be a solution"));
        }
        if dense && n <= self.settings.largest_enumeration {
            plan.push((Choice::Enumeration, Start::Guess, "few enough unknowns to try every basis"));
        }
        let decided = self.carry_out(plan, problem, z, w);
        decided.unwrap_or_else(|| self.cascade.finish::<Lcp>(problem, z, w))
    }

    /// Returns `true` if a linear program proves that no point is feasible; `false` is not conclusive.
    fn has_no_feasible_point(&mut self, problem: &LcpProblem<'_>) -> bool {
        let cost = FACTORISATIONS_PER_PROGRAM * self.cascade.matrix_cost(problem.m()).factorisation;
        if !self.cascade.affords(cost) {
            return false;
        }
        let is_proven = infeasibility_certificate(problem).is_some();
        let status = if is_proven { Status::NoSolution } else { Status::NotFound };
        let info = SolveInfo { status, iterations: 1, error: f64::NAN };
        self.cascade.note_effort("farkas-vector", "a proof that no point is feasible", info, cost);
        is_proven
    }

    /// Tries the methods of the plan in order. Returns the result of the first method that decides the
    /// problem, or `None` if none does.
    fn carry_out(
        &mut self,
        plan: Vec<(Choice, Start, &'static str)>,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        plan.into_iter().find_map(|(choice, start, why)| match start {
            Start::Best if !self.cascade.has_best() => None,
            Start::Here => {
                point_inside(problem, z);
                self.attempt(choice, start, why, problem, z, w)
            }
            _ => self.attempt(choice, start, why, problem, z, w),
        })
    }
}

/// Writes $z_i = \max_j |q_j| / d_i$, where $d_i$ is the response of row i to its own unknown. This is a
/// point inside the orthant. Each entry is at least as large as the value that solves its row if all other
/// unknowns are 0.
fn point_inside(problem: &LcpProblem<'_>, z: &mut [f64]) {
    let largest_q = largest_magnitude(problem.q());
    let unit = if largest_q > 0.0 { largest_q } else { 1.0 };
    own_response::for_each(problem.m(), |i, d| z[i] = unit / d);
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::of(&[MatrixClass::CopositivePlus, MatrixClass::PMatrix])
        .and("and the problems that its other methods are known to solve"),
    storage: "any",
    reference: "",
};

impl Solver for Auto {
    type Class = Lcp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.cascade.begin();
        let info = self.solve_in_given_units(problem, z, w)?;
        // (7)
        let is_dense = matches!(problem.m(), MatrixRef::Dense(_));
        if info.status != Status::NotFound || !self.own_units.spread(problem, is_dense, z) {
            return Ok(info);
        }
        let mut own = std::mem::take(&mut self.own_units);
        let second = LcpProblem::new(square(&own.entries, z.len()), &own.q)
            .map_err(SolverError::from)
            .and_then(|spread| self.solve_by_chain(&spread, &mut own.z, &mut own.w));
        let info = second.map(|second| own.conclude(self.settings.tolerance, problem, (info, second), z, w));
        self.own_units = own;
        info
    }

    fn trace(&self) -> &[Attempt] {
        self.cascade.trace()
    }
}

impl Auto {
    /// Runs steps (1) to (6) in the units of the problem.
    fn solve_in_given_units(
        &mut self,
        problem: &LcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let n = problem.size();
        if n <= SPREAD_OUT && !matches!(problem.m(), MatrixRef::Dense(_)) {
            let mut entries = std::mem::take(&mut self.entries);
            problem.m().copy_dense(&mut entries);
            let info = LcpProblem::new(square(&entries, n), problem.q())
                .map(|dense| self.solve_by_chain(&dense, z, w));
            self.entries = entries;
            return info?.map(|info| self.own_units.as_stored(problem, info, z, w));
        }
        self.solve_by_chain(problem, z, w)
    }
}
