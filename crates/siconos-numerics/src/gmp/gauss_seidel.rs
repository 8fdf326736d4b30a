//! Gauss-Seidel sweeps over blocks that have different laws.

use serde::{Deserialize, Serialize};

use super::local::LocalSolvers;
use super::residual::{begin, error_by, error_of_point_with, is_solution, judge};
use super::{GenericMechanicalProblem, Gmp};
use crate::box_constraints::AcceptanceTest;
use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::effort::EffortLimit;
use crate::engine::nsgs::{BlockAccess, sweep_blocks};
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Settings of [`BlockGaussSeidel`] and [`EqualityElimination`](super::EqualityElimination).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlockGaussSeidelSettings {
    /// Tolerance on the [`error`](super::error). Default: 1e-10. Must be positive.
    pub tolerance: f64,
    /// Maximum number of sweeps. Default: 10 000.
    pub max_iterations: usize,
}

impl Default for BlockGaussSeidelSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 10_000 }
    }
}

/// Maximum number of successive sweeps with an unsolved local problem.
const MOST_UNSOLVED_SWEEPS: usize = 50;

/// Block Gauss-Seidel, the NSGS of Siconos for generic mechanical problems.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage. The diagonal blocks of equalities must be
/// regular, and the normal diagonal entries of contacts must be positive.
///
/// **Method.** (1) Sweep: for each block in turn, solve its law with the newest values of all other blocks.
/// Equalities use the factors of the diagonal block, which are computed once. Complementarity and relays use
/// the automatic methods of [`lcp`](crate::lcp) and [`relay`](crate::relay). Friction is solved exactly,
/// contact by contact (Bonnefon and Daviet 2011 in space). If the method of a local problem finds no
/// solution, the old values are kept. (2) Compute the full [`error`](super::error), and sweep again while it
/// is above the tolerance. (Jourdan, Alart, Jean 1998, section 4.)
///
/// **Guarantee.** Converges for symmetric positive definite M without friction, as block descent for a convex
/// program. With friction no proof is known.
///
/// **Result.** `Converged`: a solution. `AtRoundingLevel`: the error is above the tolerance, but the point is
/// as exact as rounding allows. `MaxIterations`, `Stalled` (a sweep changed nothing, or 50 successive sweeps
/// had an unsolved local problem), `Breakdown` (values that are not finite): the best iterate.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::gmp::{BlockGaussSeidel, GenericMechanicalProblem, MechanicalLaw};
///
/// let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
/// let problem = GenericMechanicalProblem::new(array![[2.0, 1.0], [1.0, 2.0]], array![0.0, -3.0], laws)?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = BlockGaussSeidel::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success());
/// assert!((z[0] + 1.0).abs() < 1e-9 && (z[1] - 2.0).abs() < 1e-9);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "SICONOS_GENERIC_MECHANICAL_NSGS (2000)")]
#[derive(Debug, Default)]
pub struct BlockGaussSeidel {
    settings: BlockGaussSeidelSettings,
    /// Budget from a solver cascade; `None` if the solver is not part of a solver cascade.
    budget: Option<Budget>,
    access: BlockAccess,
    local: LocalSolvers,
    best: Vec<f64>,
    terms: Vec<f64>,
    test: AcceptanceTest,
}

impl BlockGaussSeidel {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: BlockGaussSeidelSettings) -> Result<Self, SettingsError> {
        SettingsError::check_tolerance(settings.tolerance)?;
        Ok(Self::of_checked(settings))
    }

    /// Performs one sweep, starting from a solution. The sweep solves each block to the last digit with the
    /// other blocks fixed. A closed contact is then exactly closed, and not slightly open by rounding.
    /// Returns the error of the result, or `None` if a block cannot be solved.
    pub(super) fn sweep_once(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Option<f64> {
        self.access.prepare(problem.m(), problem.starts());
        self.local.prepare(problem, &self.access).ok()?;
        let mut law = self.local.with(problem);
        sweep_blocks(problem.m(), &mut self.access, 0..problem.blocks(), problem.q(), &mut law, z);
        Some(self.error_of(problem, z, w))
    }

    /// Computes w, and returns the error as exactly as the tolerance requires.
    fn error_of(&mut self, problem: &GenericMechanicalProblem, z: &[f64], w: &mut [f64]) -> f64 {
        problem.m().write_affine(z, problem.q(), w);
        error_by(self.settings.tolerance, problem, z, w, &mut self.test)
    }

    /// Creates a solver from settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: BlockGaussSeidelSettings) -> Self {
        Self { settings, ..Self::default() }
    }
}

impl BlockGaussSeidel {
    /// Returns the number of operations since the budget was set: `sweep` per sweep, plus the operations for
    /// the blocks that are solved as problems of their own.
    pub(super) fn spent(&self, sweep: f64, iterations: usize) -> f64 {
        sweep * iterations as f64 + self.local.effort()
    }

    /// Returns the number of operations that are left after the given number of sweeps; infinite if the
    /// solver is not part of a solver cascade.
    fn left(&self, iterations: usize) -> f64 {
        self.budget.map_or(f64::INFINITY, |budget| budget.operations - self.spent(budget.cost, iterations))
    }
}

impl Stage for BlockGaussSeidel {
    fn set_budget(&mut self, budget: &Budget) {
        self.settings.max_iterations = budget.iterations;
        self.budget = Some(*budget);
        self.local.begin_count();
    }

    fn effort(&self, _: &GenericMechanicalProblem, info: &SolveInfo, budget: &Budget) -> f64 {
        self.spent(budget.cost, info.iterations.max(1))
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "gauss-seidel",
    siconos: "NSGS (2000), all blocks",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Jourdan, Alart, Jean (1998)",
};

impl Solver for BlockGaussSeidel {
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
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let tolerance = self.settings.tolerance;
        let mut error = self.error_of(problem, z, w);
        if is_solution(problem, z, (error, tolerance), &mut self.terms) {
            return Ok(SolveInfo { status: Status::Converged, iterations: 0, error });
        }
        self.access.prepare(problem.m(), problem.starts());
        self.local.prepare(problem, &self.access)?;
        let mut least = error;
        self.best.clear();
        self.best.extend_from_slice(z);
        let (mut iterations, mut unsolved_sweeps) = (0, 0);
        let mut status = loop {
            if is_solution(problem, z, (error, tolerance), &mut self.terms) {
                break Status::Converged;
            }
            if !error.is_finite() {
                break Status::Breakdown;
            }
            if cancellation::is_over(iterations, self.settings.max_iterations, error) {
                break Status::MaxIterations;
            }
            let left = self.left(iterations);
            if left <= 0.0 {
                break Status::EffortSpent;
            }
            if left.is_finite() {
                self.local.set_effort(EffortLimit::of_operations(left));
            }
            iterations += 1;
            // (1)
            let mut law = self.local.with(problem);
            let order = 0..problem.blocks();
            let change = sweep_blocks(problem.m(), &mut self.access, order, problem.q(), &mut law, z);
            unsolved_sweeps = if self.local.take_unsolved() == 0 { 0 } else { unsolved_sweeps + 1 };
            // (2)
            error = self.error_of(problem, z, w);
            if error < least || least.is_nan() {
                least = error;
                self.best.copy_from_slice(z);
            }
            let is_stuck = change == 0.0 || unsolved_sweeps == MOST_UNSOLVED_SWEEPS;
            if is_stuck && !is_solution(problem, z, (error, tolerance), &mut self.terms) {
                break Status::Stalled;
            }
        };
        if !status.is_success() {
            z.copy_from_slice(&self.best);
            error = error_of_point_with(&mut self.test, problem, z, w);
            status = judge(problem, (z, w), status, error, &mut self.terms);
        }
        Ok(SolveInfo { status, iterations, error })
    }
}
