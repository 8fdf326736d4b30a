//! Automatic choice, which runs the methods one after the other, each from the best point so far.

use serde::{Deserialize, Serialize};
use siconos_linalg::MatrixRef;
use siconos_linalg::cost::{factorisation, product};

use super::contact_reduction::ContactReduction;
use super::residual::begin;
use super::{
    BlockGaussSeidel, BlockGaussSeidelSettings, EqualityElimination, GenericMechanicalProblem, Gmp,
    MechanicalLaw, Newton, SemismoothNewtonSettings,
};
use crate::cascade::{AttemptSettings, Cascade, Stage, Start};
use crate::effort::EffortLimit;
use crate::error::{SettingsError, SolverError};
use crate::info::{Attempt, Contradiction, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MethodDescription, Solver};

/// Settings of [`Auto`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of sweeps per attempt. Default: 10 000.
    pub max_iterations: usize,
    /// Maximum number of unknowns that do not belong to equalities. If there are more, the equalities are not
    /// eliminated, because the elimination couples all of these unknowns. For a dense matrix, the limit
    /// applies to the total number of unknowns. Default: 1000.
    pub largest_dense: usize,
    /// Maximum number of operations for one problem. Default: [`EffortLimit::default`].
    pub effort: EffortLimit,
}

impl Default for AutoSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000, largest_dense: 1000, effort: EffortLimit::default() }
    }
}

/// The automatic choice: a few sweeps, semismooth Newton, reduction to the contacts, elimination of the
/// equalities, and more sweeps.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage.
///
/// **Method.** (1) [`BlockGaussSeidel`] with 50 sweeps. (2) [`Newton`], at most 50 steps. (3) If
/// `largest_dense` and the remaining effort allow it, and if all laws are equalities, relays and friction of
/// one kind: an active-set method for the relays, which eliminates the equalities and solves the contacts
/// that remain by [`contact::Auto`](crate::contact::Auto). (4) [`EqualityElimination`], on the same
/// conditions for the size, followed by Newton again. (5) [`BlockGaussSeidel`] with up to `max_iterations`
/// sweeps. Each method starts from the best point so far, and the first success ends the solve. No method
/// gets more than half of the remaining [`effort`](AutoSettings::effort). A solution of Newton's method is
/// followed by one more sweep, which
/// solves each block to full accuracy with the other blocks fixed. The sweep is undone if it raises the error
/// above the tolerance.
///
/// **Guarantee.** The guarantees of the methods listed above.
///
/// **Result.** The result of the method that succeeded. If none did, `NotFound` with the best point, or
/// `EffortSpent` if the limit on effort stopped a method early. If equations are redundant, their reactions
/// are not unique, and the result depends on the method. If the elimination detects inconsistent equations,
/// the status is `NoSolution`, and [`contradiction`](Solver::contradiction) returns one of them.
/// [`trace`](Solver::trace) lists the attempts.
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
/// // z[0] is the reaction of the joint. The contact slides: its friction is half of its normal impulse.
/// assert!((z[0] + 0.5).abs() < 1e-9 && (z[1] - 2.0).abs() < 1e-9 && (z[2] + 1.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug)]
pub struct Auto {
    settings: AutoSettings,
    few_sweeps: BlockGaussSeidel,
    newton: Newton,
    contacts: ContactReduction,
    elimination: EqualityElimination,
    sweeps: BlockGaussSeidel,
    cascade: Cascade,
    before: Vec<f64>,
}

/// Number of sweeps of the first attempt.
const FEW_SWEEPS: usize = 50;

/// Maximum number of Newton steps per attempt.
const NEWTON_STEPS: usize = 50;

/// Cost of a solve with sparse factors, as a multiple of the cost of a matrix-vector product.
const SOLUTION: f64 = 4.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageKind {
    FewSweeps,
    Newton,
    Contacts,
    Elimination,
    Sweeps,
}

impl Default for Auto {
    fn default() -> Self {
        Self::of_checked(AutoSettings::default())
    }
}

impl Auto {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If a setting is outside its range.
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
            contacts: ContactReduction::of_checked(tolerance),
            elimination: EqualityElimination::of_checked(all.clone()),
            sweeps: BlockGaussSeidel::of_checked(all),
            cascade: Cascade::default(),
            before: Vec::new(),
        }
    }

    /// Returns the iteration limit of a stage if effort is not limited, and the number of operations of one
    /// iteration.
    fn most_and_cost(&self, step: StageKind, problem: &GenericMechanicalProblem) -> (usize, f64) {
        let (m, all) = (problem.m(), self.settings.max_iterations);
        match step {
            StageKind::FewSweeps => (FEW_SWEEPS.min(all), 2.0 * product(m)),
            StageKind::Newton => (NEWTON_STEPS, factorisation(m.reborrow()) + 16.0 * product(m)),
            // The reduced matrix is dense.
            StageKind::Contacts => (1, factorisation(m.reborrow()) + 4.0 * (others(problem) as f64).powi(2)),
            StageKind::Elimination => (all, 4.0 * (others(problem) as f64).powi(2) + 4.0 * product(m)),
            StageKind::Sweeps => (all, 2.0 * product(m)),
        }
    }

    /// Returns `true` if the problem is small enough to eliminate its equalities, which leaves a dense
    /// matrix.
    fn may_eliminate(&self, problem: &GenericMechanicalProblem) -> bool {
        let largest = self.settings.largest_dense;
        let (m, others) = (problem.m(), others(problem));
        let once = factorisation(m.reborrow()) + others as f64 * SOLUTION * product(m.reborrow());
        let is_sparse = !matches!(m, MatrixRef::Dense(_));
        problem.size() <= largest
            || is_sparse && others <= largest && once <= 0.5 * self.cascade.left().operations
    }

    /// Makes one sweep after Newton's method, and undoes it unless the point remains a solution.
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
        step: StageKind,
        why: &'static str,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<SolveInfo> {
        let (most, cost) = self.most_and_cost(step, problem);
        let link: &mut dyn Stage<Class = Gmp> = match step {
            StageKind::FewSweeps => &mut self.few_sweeps,
            StageKind::Newton => &mut self.newton,
            StageKind::Contacts => &mut self.contacts,
            StageKind::Elimination => &mut self.elimination,
            StageKind::Sweeps => &mut self.sweeps,
        };
        self.cascade.attempt(AttemptSettings { why, start: Start::Best, cost, most }, link, problem, z, w)
    }
}

/// Returns the number of unknowns of laws other than equalities.
fn others(problem: &GenericMechanicalProblem) -> usize {
    let is_other = |law: &&MechanicalLaw| !matches!(law, MechanicalLaw::Equality { .. });
    problem.laws().iter().filter(is_other).map(MechanicalLaw::size).sum()
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "auto",
    siconos: "",
    guarantee: Guarantee::in_words("as the methods it tries"),
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
        self.cascade.begin();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        self.cascade.limit(&self.settings.effort, problem.m());
        let may_eliminate = self.may_eliminate(problem);
        let plan = [
            (true, StageKind::FewSweeps, "cheap"),
            (true, StageKind::Newton, "fast from a good start"),
            (
                may_eliminate && ContactReduction::applies(problem),
                StageKind::Contacts,
                "only contacts remain",
            ),
            (may_eliminate, StageKind::Elimination, "joints pass impulses on at once"),
            (may_eliminate, StageKind::Newton, "from that start"),
            (true, StageKind::Sweeps, "all sweeps"),
        ];
        self.cascade.begin_search(z, w, f64::NAN);
        for (_, step, why) in plan.into_iter().filter(|(applies, ..)| *applies) {
            let ended = self.attempt(step, why, problem, z, w);
            if ended.is_some_and(|info| info.status.is_success()) {
                self.elimination.forget_contradiction();
            }
            match ended {
                Some(info) if step == StageKind::Newton && info.status == Status::Converged => {
                    return Ok(self.put_onto_laws(problem, info, z, w));
                }
                Some(info) => return Ok(info),
                None => {}
            }
        }
        Ok(self.cascade.finish::<Gmp>(problem, z, w))
    }

    fn trace(&self) -> &[Attempt] {
        self.cascade.trace()
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.elimination.contradiction()
    }
}
