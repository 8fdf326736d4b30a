//! The automatic choice: the active set of the guess, the path, the mixed complementarity problem.

use serde::{Deserialize, Serialize};

use super::active_set::ActiveSet;
use super::polish::Polish;
use super::problem::check_data;
use super::residual::{Judge, error_in};
use super::units::OwnUnits;
use super::{Avi, AviProblem, CaoFerris, CaoFerrisSettings};
use crate::chain::Chain;
use crate::effort::{EffortLimit, dense_factorisation};
use crate::error::{SettingsError, SolverError, check_finite, check_length};
use crate::info::{Attempt, SolveInfo, Status};
use crate::linalg::{Csc, MatrixRef, square};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};
use crate::mlcp::{self, MlcpProblem, MlcpRow};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations of each method, in its unit. Default 10 000.
    pub max_iterations: usize,
    /// The largest number of unknowns and inequalities together for which pivots on the whole matrix are
    /// tried. Default 1000.
    pub largest_for_pivots: usize,
    /// The work that one problem may cost before the chain ends. Default [`EffortLimit::default`]: 2e9 operations, or 300
    /// factorisations where that is more.
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

/// Tries methods in turn until one succeeds, or proves that there is no solution.
///
/// **Problem.** [`AviProblem`] in any storage.
///
/// **Method.** Up to 100 unknowns, a matrix in another storage is spread out first. (1) Dense: the
/// inequalities whose multiplier exceeds their slack at the guess as equations, by one linear system with M
/// and their rows of H; when all signs are right that is the solution, and otherwise up to nine changes of
/// the set are tried. In time-stepping the set mostly stays. (2) [`CaoFerris`], dense. (3) The conditions of
/// Karush, Kuhn and Tucker as a mixed linear complementarity problem, z free,
///
/// $$ 0 = M z + q - H^T \lambda, \qquad 0 \le H z - K \perp \lambda \ge 0, $$
///
/// by [`mlcp::Auto`](crate::mlcp::Auto), and once more the system of (1) for the last digits. Large sparse
/// matrices come to (3) at once, in sparse columns. [`trace`](Solver::trace) tells what was tried.
///
/// **Guarantee.** That of [`CaoFerris`] for dense matrices: a solution over every compact polyhedron, and for
/// M that is copositive-plus on the recession cone if there is any. Where M is singular on the lines of the
/// polyhedron, which [`CaoFerris`] refuses, and for sparse M, that of [`mlcp::Auto`](crate::mlcp::Auto).
///
/// **Result.** `Converged`, `AtRoundingLevel`: the solution; where there are several, the one with the active set of the guess
/// is preferred. `NoSolution`: a method has a proof, that the polyhedron is empty or that the conditions have
/// none. `NotFound`: all failed; the point is the best of all. `EffortSpent`: the same, where the
/// [`effort`](AutoSettings::effort) ended before the methods did. `iterations` is the sum over the methods
/// tried.
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
/// // The second step has the active set of the first: one linear system.
/// assert_eq!(auto.trace()[0].method, "active set of the guess");
/// assert_eq!(auto.trace()[0].info.iterations, 1);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    active_set: ActiveSet,
    path: CaoFerris,
    mixed: mlcp::Auto,
    polish: Polish,
    judge: Judge,
    chain: Chain,
    rows: Vec<MlcpRow>,
    matrix: Vec<f64>,
    /// Of the mixed problem: right-hand side, unknowns, their complements.
    q: Vec<f64>,
    x: Vec<f64>,
    w: Vec<f64>,
    guess: (Vec<f64>, Vec<f64>),
    best: (Vec<f64>, Vec<f64>),
    force: Vec<f64>,
    slack: Vec<f64>,
    /// M in full, when it came in another storage.
    entries: Vec<f64>,
    units: OwnUnits,
}

/// Up to this size a matrix in another storage is spread out.
const SPREAD_OUT: usize = 100;

/// The methods of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    ActiveSet,
    Path,
    Mixed,
}

impl Step {
    const fn name_and_why(self) -> (&'static str, &'static str) {
        match self {
            Self::ActiveSet => ("active set of the guess", "one linear system when the set has stayed"),
            Self::Path => ("cao-ferris", "dense: the path ends at a solution over compact polyhedra"),
            Self::Mixed => ("mixed complementarity", "the multipliers as unknowns, by other methods"),
        }
    }
}

impl Default for Auto {
    fn default() -> Self {
        Self::new(AutoSettings::default()).expect("the default settings are in their ranges")
    }
}

impl Auto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        let AutoSettings { tolerance, max_iterations, effort, .. } = settings;
        effort.check()?;
        let mixed = mlcp::AutoSettings { tolerance, max_iterations, ..mlcp::AutoSettings::default() };
        Ok(Self {
            path: CaoFerris::new(CaoFerrisSettings { tolerance, max_iterations })?,
            mixed: mlcp::Auto::new(mixed)?,
            settings,
            active_set: ActiveSet::default(),
            polish: Polish::default(),
            judge: Judge::default(),
            chain: Chain::default(),
            rows: Vec::new(),
            matrix: Vec::new(),
            q: Vec::new(),
            x: Vec::new(),
            w: Vec::new(),
            guess: Default::default(),
            best: Default::default(),
            force: Vec::new(),
            slack: Vec::new(),
            entries: Vec::new(),
            units: OwnUnits::default(),
        })
    }

    /// Step (3).
    fn solve_mixed(
        &mut self,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        let (n, p) = (problem.size(), problem.inequalities());
        self.rows.clear();
        self.rows.resize(n, MlcpRow::Equality);
        self.rows.resize(n + p, MlcpRow::Complementarity);
        self.q.clear();
        self.q.extend_from_slice(problem.q());
        self.q.extend(problem.k().iter().map(|k| -k));
        self.x.clear();
        self.x.extend_from_slice(z);
        self.x.extend_from_slice(lambda);
        self.w.clear();
        self.w.resize(n + p, 0.0);
        let info = if let MatrixRef::Dense(m) = problem.m() {
            let h = problem.h();
            self.matrix.clear();
            for (row, of_lambda) in m.rows().into_iter().zip(h.columns()) {
                self.matrix.extend(row);
                self.matrix.extend(of_lambda.iter().map(|h| -h));
            }
            for row in h.rows() {
                self.matrix.extend(row);
                self.matrix.resize(self.matrix.len() + p, 0.0);
            }
            let mixed = MlcpProblem::new(square(&self.matrix, n + p), &self.q, &self.rows)?;
            self.mixed.solve(&mixed, &mut self.x, &mut self.w)?
        } else {
            let matrix = sparse_conditions(problem)?;
            let mixed = MlcpProblem::new(&matrix, &self.q, &self.rows)?;
            self.mixed.solve(&mixed, &mut self.x, &mut self.w)?
        };
        z.copy_from_slice(&self.x[..n]);
        for (lambda, x) in lambda.iter_mut().zip(&self.x[n..]) {
            *lambda = x.max(0.0);
        }
        let tolerance = self.settings.tolerance;
        let mut error = error_in(problem, z, lambda, &mut self.force, &mut self.slack);
        if error > tolerance {
            let memory = (&mut self.force, &mut self.slack);
            error = self.polish.improve(problem, error, (z, lambda), memory);
        }
        let status = match self.judge.of(problem, (z, lambda), error, tolerance) {
            Status::Stalled if !info.status.is_success() => info.status,
            judged => judged,
        };
        Ok(SolveInfo { status, error, ..info })
    }

    fn run(
        &mut self,
        step: Step,
        problem: &AviProblem<'_>,
        z: &mut [f64],
        lambda: &mut [f64],
    ) -> Option<SolveInfo> {
        let (n, p) = (problem.size(), problem.inequalities());
        let (cost, most) = match step {
            Step::ActiveSet => (dense_factorisation(n + p), usize::MAX),
            // A pivot on the inequalities, or on all rows while an extreme point is sought.
            Step::Path => (8.0 * ((n + p) * p) as f64, self.settings.max_iterations),
            Step::Mixed => (0.0, usize::MAX),
        };
        let allowance = self.chain.allow(cost, most)?;
        self.path.set_max_iterations(allowance.iterations);
        self.mixed.set_effort(self.chain.left());
        let told = match step {
            Step::ActiveSet => Ok(self.active_set.solve(problem, self.settings.tolerance, z, lambda)),
            Step::Path => self.path.solve(problem, z, lambda),
            Step::Mixed => self.solve_mixed(problem, z, lambda),
        };
        let refused = SolveInfo { status: Status::Breakdown, iterations: 0, error: f64::NAN };
        let info = told.unwrap_or(refused);
        let (method, why) = step.name_and_why();
        match step {
            Step::Mixed => self.chain.note_effort(method, why, info, self.mixed.effort_spent()),
            _ => self.chain.note(method, why, info, allowance),
        }
        Some(info)
    }

    fn try_in_turn(&mut self, problem: &AviProblem<'_>, z: &mut [f64], lambda: &mut [f64]) -> SolveInfo {
        let dense = matches!(problem.m(), MatrixRef::Dense(_));
        let few = problem.size() + problem.inequalities() <= self.settings.largest_for_pivots;
        // What is left in the array of multipliers, where nobody has put a guess, may be anything.
        lambda.iter_mut().filter(|lambda| !lambda.is_finite()).for_each(|lambda| *lambda = 0.0);
        let factorisation = dense_factorisation(problem.size() + problem.inequalities());
        self.chain.limit_by(&self.settings.effort, factorisation);
        if dense
            && let Some(info) = self.run(Step::ActiveSet, problem, z, lambda)
            && info.status.is_success()
        {
            return info;
        }
        copy(&mut self.guess, z, lambda);
        let mut best = error_in(problem, z, lambda, &mut self.force, &mut self.slack);
        copy(&mut self.best, z, lambda);
        let steps = [(dense && few).then_some(Step::Path), Some(Step::Mixed)];
        for step in steps.into_iter().flatten() {
            z.copy_from_slice(&self.guess.0);
            lambda.copy_from_slice(&self.guess.1);
            let Some(info) = self.run(step, problem, z, lambda) else { continue };
            if info.status.is_success() || info.status == Status::NoSolution {
                return SolveInfo { iterations: self.chain.iterations(), ..info };
            }
            if info.error < best || (best.is_nan() && info.error.is_finite()) {
                best = info.error;
                copy(&mut self.best, z, lambda);
            }
        }
        z.copy_from_slice(&self.best.0);
        lambda.copy_from_slice(&self.best.1);
        SolveInfo { status: self.chain.status_at_its_end(), iterations: self.chain.iterations(), error: best }
    }
}

fn copy(to: &mut (Vec<f64>, Vec<f64>), z: &[f64], lambda: &[f64]) {
    for (to, from) in [(&mut to.0, z), (&mut to.1, lambda)] {
        to.clear();
        to.extend_from_slice(from);
    }
}

/// $[M, -H^T; H, 0]$ in sparse columns.
fn sparse_conditions(problem: &AviProblem<'_>) -> Result<Csc, SolverError> {
    let (n, p, h) = (problem.size(), problem.inequalities(), problem.h());
    let m = Csc::from_matrix(problem.m());
    let of_m = (0..n).flat_map(|j| m.column(j).map(move |(i, x)| (i, j, x)));
    let of_h = h.indexed_iter().filter(|(_, h)| **h != 0.0);
    let both = of_h.flat_map(|((i, j), &h)| [(n + i, j, h), (j, n + i, -h)]);
    Ok(Csc::from_triplets(n + p, n + p, of_m.chain(both))?)
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("that of Cao-Ferris, dense").and("of the mixed problem, sparse"),
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
        self.chain.begin();
        let mut units = std::mem::take(&mut self.units);
        let solved = units.solve(problem, z, lambda, |problem, z, lambda| self.choose(problem, z, lambda));
        self.units = units;
        solved
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }
}

impl Auto {
    /// Solves a problem that is in its own units.
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
