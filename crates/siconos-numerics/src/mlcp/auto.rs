//! The choice of a method for a mixed problem, and of the next one when that fails.

use serde::{Deserialize, Serialize};
use siconos_linalg::cost::{MatrixCost, factorisation};
use siconos_linalg::{MatrixRef, largest_magnitude, square};

use super::warm_active_set::{Trial, write_active};
use super::{
    Elimination, Enumeration, EnumerationSettings, InteriorPoint, InteriorPointSettings, Mlcp, MlcpProblem,
    MlcpRow, Newton, NewtonSettings,
};
use crate::box_rows::{AcceptanceTest, OwnUnits, begin, norm_wise_error, write_image};
use crate::chain::{Chain, Link, Plan, Start};
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
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of iterations of each method but enumeration, in its own unit. Default 1000.
    pub max_iterations: usize,
    /// The largest number of complementarity rows with which all bases are enumerated, when all else fails.
    /// Default 16, at most 62.
    pub largest_enumeration: usize,
    /// Largest number of operations for one problem. Default [`EffortLimit::default`].
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

/// Tries one method after the other until a point is a solution, or there is a proof that there is none.
///
/// **Problem.** [`MlcpProblem`] in any storage.
///
/// **Method.** (1) The guess, if its error is 0. (2) The active set of the guess, the rows with $z_i > 0$, by
/// one linear system; in time-stepping that is mostly the answer. Where equations of a dense problem repeat
/// each other up to rounding (redundant joints), it is solved as far as full pivoting finds pivots, and
/// unknowns without one are 0. (3) For a dense matrix with at most 400 complementarity rows [`Elimination`]
/// with [`Lemke`], redundant rows left out. (4) [`Newton`], from the best point so far and then from unknowns
/// of one size. (5) [`Elimination`] for a dense matrix with more rows. (6) [`Enumeration`] for a dense matrix
/// with at most 16 complementarity rows. (7) [`InteriorPoint`]. Equations alone get eight steps of Newton's
/// method, from the best point, and no interior points. (8) A problem that is undecided, of up to 500
/// unknowns, goes through the same steps once more, spread out and in units of its own: rows and columns are
/// multiplied by powers of two that bring the entries near 1. A matrix of up to 32 unknowns in another
/// storage is spread out first. No method from (3) on gets more than half of the
/// [`effort`](AutoSettings::effort) that is left. Each solution is replaced by the exact one with its active
/// set, where there is one, so that the last bits do not depend on the way: nothing is remembered between
/// calls, and the answer is a function of the problem and the guess. What was tried, why, and how it ended is
/// in [`trace`](Solver::trace).
///
/// **Guarantee.** The best of those of the methods tried. No point counts as a solution but by its own error.
///
/// **Result.** `Converged`, `AtRoundingLevel`: a solution. `NoSolution`: one of the methods has a proof.
/// `NotFound`: all failed; `z` holds the best point met. `EffortSpent`: the same, where the limit on effort
/// cut a method short. The iterations are those of all methods together.
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
    chain: Chain,
    active: Vec<bool>,
    /// All entries of a small matrix that came in another storage.
    entries: Vec<f64>,
    own_units: OwnUnits,
}

/// Up to this size a matrix in another storage is spread out.
const SPREAD_OUT: usize = 32;

/// With more complementarity rows than this, pivots take longer than Newton steps.
const LARGEST_PIVOTED: usize = 400;

/// Iterations of Newton's method for a problem without complementarity rows, which is linear: the others
/// refine the result of the first.
const NEWTON_STEPS_OF_EQUATIONS: usize = 8;

/// The steps of the chain after the guess and its active set.
#[derive(Clone, Copy, Debug)]
enum Step {
    Elimination,
    NewtonFromBest,
    NewtonFromOnes,
    Enumeration,
    InteriorPoint,
}

impl Step {
    /// Operations of one iteration.
    fn cost(self, MatrixCost { product, factorisation }: MatrixCost) -> f64 {
        match self {
            // On the average over the pivots, of which the first have few basic variables.
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
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for a setting outside its range.
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
            chain: Chain::default(),
            active: Vec::new(),
            entries: Vec::new(),
            own_units: OwnUnits::default(),
            settings,
        })
    }

    /// Changes the limit on effort between solves.
    pub(crate) fn set_effort(&mut self, effort: EffortLimit) {
        self.settings.effort = effort;
    }

    /// What the last solve has cost.
    pub(crate) fn effort_spent(&self) -> f64 {
        self.chain.spent()
    }

    /// What there is to try, in order, and why.
    fn steps(&self, problem: &MlcpProblem<'_>) -> [Option<(Step, &'static str)>; 6] {
        let pairs = pairs(problem);
        let dense = matches!(problem.m(), MatrixRef::Dense(_));
        let few = dense && pairs <= LARGEST_PIVOTED;
        let enumerable = dense && pairs <= self.settings.largest_enumeration;
        [
            few.then_some((Step::Elimination, "dense, few enough complementarity rows for pivots")),
            Some((Step::NewtonFromBest, "from the best point so far")),
            (pairs > 0).then_some((Step::NewtonFromOnes, "from unknowns of one size")),
            (dense && !few).then_some((Step::Elimination, "dense, and Newton failed")),
            enumerable.then_some((Step::Enumeration, "few enough complementarity rows to try all bases")),
            (pairs > 0).then_some((Step::InteriorPoint, "the last resort")),
        ]
    }

    fn attempt(
        &mut self,
        step: Step,
        why: &'static str,
        problem: &MlcpProblem<'_>,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let start = match step {
            Step::NewtonFromBest => Start::Best,
            Step::NewtonFromOnes => {
                let one = largest_magnitude(problem.q()) / own_response::mean(problem.m());
                for (z, row) in z.iter_mut().zip(problem.rows()) {
                    *z = if *row == MlcpRow::Complementarity { one } else { 0.0 };
                }
                Start::Here
            }
            Step::Elimination | Step::Enumeration | Step::InteriorPoint => Start::Guess,
        };
        let most = match step {
            Step::Enumeration => EnumerationSettings::default().max_iterations,
            Step::NewtonFromBest if pairs(problem) == 0 => NEWTON_STEPS_OF_EQUATIONS,
            _ => self.settings.max_iterations,
        };
        let link: &mut dyn Link<Class = Mlcp> = match step {
            Step::Elimination => &mut self.elimination,
            Step::NewtonFromBest | Step::NewtonFromOnes => &mut self.newton,
            Step::Enumeration => &mut self.enumeration,
            Step::InteriorPoint => &mut self.interior_point,
        };
        let cost = step.cost(self.chain.matrix_cost(problem.m()));
        let plan = Plan { why, start, cost, most };
        self.chain.attempt(plan, link, problem, z, w)
    }

    /// Replaces a solution by the exact one with its active set, where there is one.
    fn polish(
        &mut self,
        step: Step,
        problem: &MlcpProblem<'_>,
        info: SolveInfo,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        let tolerance = self.settings.tolerance;
        // What is outside of a basis is exactly zero; inside of the cone it is only smaller than its
        // counterpart.
        let has_basis = matches!(step, Step::Elimination | Step::Enumeration);
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

/// Number of complementarity rows.
fn pairs(problem: &MlcpProblem<'_>) -> usize {
    problem.rows().iter().filter(|row| **row == MlcpRow::Complementarity).count()
}

/// What a table says of the method.
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
        self.chain.begin();
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
        self.chain.trace()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.elimination.contradiction()
    }
}

impl Auto {
    /// Steps (1) to (7).
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
        self.chain.note_effort(
            super::warm_active_set::DESCRIPTION.name,
            "that of the guess",
            info,
            factorisation(problem.m()),
        );
        if info.status.is_success() {
            return info;
        }
        let error = self.test.of_point(problem, z, w).error;
        self.chain.begin_search(z, w, error);
        self.chain.limit(&self.settings.effort, problem.m());
        for (step, why) in self.steps(problem).into_iter().flatten() {
            match self.attempt(step, why, problem, z, w) {
                Some(info) if info.status.is_success() => return self.polish(step, problem, info, z, w),
                Some(proof) => return proof,
                None => {}
            }
        }
        self.chain.finish::<Mlcp>(problem, z, w)
    }
}
