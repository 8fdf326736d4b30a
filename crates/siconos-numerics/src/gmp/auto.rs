//! The methods in turn, each from the best point so far.

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;
use siconos_linalg::cost::{factorisation, product};

use super::residual::begin;
use super::{
    BlockGaussSeidel, BlockGaussSeidelSettings, EqualityElimination, GenericMechanicalProblem, Gmp,
    MechanicalLaw, Newton, SemismoothNewtonSettings,
};
use crate::chain::{Chain, Link, Plan, Start};
use crate::effort::EffortLimit;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, Contradiction, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// The [`error`](super::error) at which a point counts as a solution. Default 1e-10, above 0.
    pub tolerance: f64,
    /// The largest number of sweeps of each attempt by sweeps. Default 10 000.
    pub max_iterations: usize,
    /// The equalities are eliminated where the other laws have up to this many unknowns, which are all
    /// coupled by that; of a problem with a dense matrix where it has up to this many itself. Default 1000.
    pub largest_dense: usize,
    /// Largest number of operations for one problem. Default [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, largest_dense: 1000, effort: EffortLimit::default() }
    }
}

/// The automatic choice: a few sweeps, semismooth Newton, elimination of the equalities, and more sweeps.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage.
///
/// **Method.** (1) [`BlockGaussSeidel`] with 50 sweeps. (2) [`Newton`] from there, at most 50 steps. (3)
/// [`EqualityElimination`], where `largest_dense` and the effort allow it, and Newton from there. (4)
/// [`BlockGaussSeidel`] with all its sweeps. A solution of Newton's method gets one sweep more, which puts
/// each block onto its law as exactly as it is solved alone; it is taken back where the error would be above
/// the tolerance. Each starts from the best point so far, and the first success ends it. None gets more than
/// half of the [`effort`](AutoSettings::effort) that is left.
///
/// **Guarantee.** That of the methods.
///
/// **Result.** That of the method that succeeded; if none did, `NotFound` with the best point, or
/// `EffortSpent` where the limit on effort cut a method short. Where equations repeat each other, their
/// reactions are not unique, and are those of that method. Equations that contradict each other are found by
/// the elimination: `NoSolution`, and [`contradiction`](Solver::contradiction) names one of them.
/// [`trace`](Solver::trace) tells what was tried.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::gmp::{Auto, GenericMechanicalProblem, MechanicalLaw};
///
/// let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Friction2 { mu: 0.5 }];
/// let m = array![[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let problem = GenericMechanicalProblem::new(m, array![0.0, -1.75, 3.0], laws)?;
/// let (mut z, mut w) = ([0.0; 3], [0.0; 3]);
/// let mut solver = Auto::default();
/// assert!(solver.solve(&problem, &mut z, &mut w)?.status.is_success());
/// // The joint, then a contact that slides: its friction is half of its normal impulse.
/// assert!((z[0] + 0.5).abs() < 1e-9 && (z[1] - 2.0).abs() < 1e-9 && (z[2] + 1.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    few_sweeps: BlockGaussSeidel,
    newton: Newton,
    elimination: EqualityElimination,
    sweeps: BlockGaussSeidel,
    chain: Chain,
    before: Vec<f64>,
}

/// Sweeps of the first attempt.
const FEW_SWEEPS: usize = 50;

/// Newton steps of one attempt.
const NEWTON_STEPS: usize = 50;

/// Products with a sparse matrix that a solution with its factors costs.
const SOLUTION: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    FewSweeps,
    Newton,
    Elimination,
    Sweeps,
}

impl Default for Auto {
    fn default() -> Self {
        Self::of_checked(AutoSettings::default())
    }
}

impl Auto {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0.
    pub fn new(settings: AutoSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        settings.effort.check()?;
        Ok(Self::of_checked(settings))
    }

    fn of_checked(settings: AutoSettings) -> Self {
        let AutoSettings { tolerance, max_iterations, .. } = settings;
        let few = BlockGaussSeidelSettings { tolerance, max_iterations: FEW_SWEEPS.min(max_iterations) };
        let all = BlockGaussSeidelSettings { tolerance, max_iterations };
        let newton = SemismoothNewtonSettings {
            tolerance,
            max_iterations: NEWTON_STEPS,
            memory: 4,
            ..SemismoothNewtonSettings::default()
        };
        Self {
            settings,
            few_sweeps: BlockGaussSeidel::of_checked(few),
            newton: Newton::of_checked(newton),
            elimination: EqualityElimination::of_checked(all.clone()),
            sweeps: BlockGaussSeidel::of_checked(all),
            chain: Chain::default(),
            before: Vec::new(),
        }
    }

    /// Iterations that a step gets where effort sets no limit, and operations of one.
    fn most_and_cost(&self, step: Step, problem: &GenericMechanicalProblem) -> (usize, f64) {
        let (m, all) = (problem.m(), self.settings.max_iterations);
        match step {
            Step::FewSweeps => (FEW_SWEEPS.min(all), 2.0 * product(m)),
            Step::Newton => (NEWTON_STEPS, factorisation(m.reborrow()) + 16.0 * product(m)),
            // What is left has all entries.
            Step::Elimination => (all, 4.0 * (others(problem) as f64).powi(2) + 4.0 * product(m)),
            Step::Sweeps => (all, 2.0 * product(m)),
        }
    }

    /// Whether the equalities of a problem may be eliminated: what is left of it has all its entries.
    fn may_eliminate(&self, problem: &GenericMechanicalProblem) -> bool {
        let largest = self.settings.largest_dense;
        let (m, others) = (problem.m(), others(problem));
        let once = factorisation(m.reborrow()) + others as f64 * SOLUTION * product(m.reborrow());
        let is_sparse = !matches!(m, MatrixRef::Dense(_));
        problem.size() <= largest
            || is_sparse && others <= largest && once <= 0.5 * self.chain.left().operations
    }

    /// One sweep after Newton's method, where the point stays a solution.
    fn put_onto_laws(
        &mut self,
        problem: &GenericMechanicalProblem,
        info: SolveInfo,
        z: &mut [f64],
        w: &mut [f64],
    ) -> SolveInfo {
        self.before.clear();
        self.before.extend_from_slice(z);
        match self.sweeps.sweep_once(problem, z, w) {
            Some(error) if error <= self.settings.tolerance => SolveInfo { error, ..info },
            _ => {
                z.copy_from_slice(&self.before);
                info
            }
        }
    }

    fn attempt(
        &mut self,
        step: Step,
        why: &'static str,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let (most, cost) = self.most_and_cost(step, problem);
        let link: &mut dyn Link<Class = Gmp> = match step {
            Step::FewSweeps => &mut self.few_sweeps,
            Step::Newton => &mut self.newton,
            Step::Elimination => &mut self.elimination,
            Step::Sweeps => &mut self.sweeps,
        };
        self.chain.attempt(Plan { why, start: Start::Best, cost, most }, link, problem, z, w)
    }
}

/// Unknowns of laws other than equalities.
fn others(problem: &GenericMechanicalProblem) -> usize {
    let is_other = |law: &&MechanicalLaw| !matches!(law, MechanicalLaw::Equality { .. });
    problem.laws().iter().filter(is_other).map(MechanicalLaw::size).sum()
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("that of the methods it tries"),
    storage: "any",
    reference: "",
};

impl Solver for Auto {
    type Class = Gmp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.settings.tolerance, max_iterations: self.settings.max_iterations }
    }

    fn solve(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.elimination.forget_contradiction();
        self.chain.begin();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        self.chain.limit(&self.settings.effort, problem.m());
        let may_eliminate = self.may_eliminate(problem);
        let plan = [
            (true, Step::FewSweeps, "cheap"),
            (true, Step::Newton, "fast from a good start"),
            (may_eliminate, Step::Elimination, "joints pass impulses on at once"),
            (may_eliminate, Step::Newton, "from that start"),
            (true, Step::Sweeps, "all sweeps"),
        ];
        self.chain.begin_search(z, w, f64::NAN);
        for (_, step, why) in plan.into_iter().filter(|(applies, ..)| *applies) {
            let ended = self.attempt(step, why, problem, z, w);
            if ended.is_some_and(|info| info.status.is_success()) {
                self.elimination.forget_contradiction();
            }
            match ended {
                Some(info) if step == Step::Newton && info.status == Status::Converged => {
                    return Ok(self.put_onto_laws(problem, info, z, w));
                }
                Some(info) => return Ok(info),
                None => {}
            }
        }
        Ok(self.chain.finish::<Gmp>(problem, z, w))
    }

    fn trace(&self) -> &[Attempt] {
        self.chain.trace()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.elimination.contradiction()
    }
}
