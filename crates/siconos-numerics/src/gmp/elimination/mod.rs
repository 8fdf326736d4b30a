//! Elimination of all equalities at once, followed by sweeps over the other laws.

mod factors;
mod parts;
mod schur;

use ndarray::Array1;

pub(super) use self::schur::SchurReduction;
use super::residual::{begin, is_solution, judge};
use super::{BlockGaussSeidel, BlockGaussSeidelSettings, GenericMechanicalProblem, Gmp};
use crate::cascade::{Budget, Stage};
use crate::error::{SettingsError, SolverError};
use crate::info::{Contradiction, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::rounding::allowances;

/// Elimination of all equalities together, followed by [`BlockGaussSeidel`] on the reduced problem.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage. The principal block $M_{ee}$ of all equality
/// rows may be singular because some equations are redundant (a joint defined twice, a planar mechanism with
/// spatial joints). The reactions are then not unique, and a basic solution is computed: unknowns without a
/// pivot are 0.
///
/// **Method.** Let e be the unknowns of equalities and i all other unknowns. (1) Factorise $M_{ee}$, by dense
/// LU if it is small or has few zeros, and otherwise in the order of its elimination tree. For a chain or a
/// tree of joints, the time is then proportional to the number of joints. The order is kept as long as the
/// sparsity pattern does not change. The factorisation determines the rank of a singular block: a pivot below
/// 1e-12, relative to its row and its column, counts as 0. (2) Form the dense Schur complement
/// $S = M_{ii} - M_{ie} M_{ee}^{-1} M_{ei}$ and $q_i - M_{ie} M_{ee}^{-1} q_e$, by one solve for each unknown
/// of i that is coupled with equalities. (3) Sweep over the blocks of the reduced problem. (4) Set
/// $z_e = -M_{ee}^{-1} (M_{ei} z_i + q_e)$, with one step of iterative refinement, and compute the error of
/// the whole problem. Without elimination, a mechanism with long chains of joints needs many sweeps to pass
/// an impulse on from joint to joint. (Cottle, Pang, Stone 1992, section 2.3.)
///
/// **Guarantee.** The guarantee of the sweeps on S, which is symmetric positive definite if M is.
///
/// **Result.** `Converged`, `AtRoundingLevel`: a solution, according to the error of the whole problem.
/// `Stalled`: only the reduced problem is solved to its tolerance. `NoSolution`: the equations are
/// inconsistent, regardless of the other laws. In this case (1) leaves a row whose entries in $M_{ee}$ and
/// $M_{ei}$ are at most 1e-13 of their terms, but whose right-hand side is more than 1e-8 of its terms; the
/// returned point satisfies the equations that have a pivot. In all other cases, the status is the status of
/// the sweeps. [`contradiction`](Solver::contradiction) returns the equation that contradicts other
/// equations. If no contradiction is proved, it returns the equation that the returned point violates most,
/// among the redundant equations in $M_{ee}$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::gmp::{EqualityElimination, GenericMechanicalProblem, MechanicalLaw};
///
/// let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
/// let problem = GenericMechanicalProblem::new(array![[2.0, 1.0], [1.0, 2.0]], array![0.0, -3.0], laws)?;
/// let (mut z, mut w) = ([0.0; 2], [0.0; 2]);
/// let info = EqualityElimination::default().solve(&problem, &mut z, &mut w)?;
/// assert!(info.status.is_success() && info.iterations <= 1);
/// assert_eq!(z, [-1.0, 2.0]);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[derive(Debug, Default)]
pub struct EqualityElimination {
    sweeps: BlockGaussSeidel,
    schur: SchurReduction,
    contradiction: Option<Contradiction>,
}

impl EqualityElimination {
    /// Creates a solver.
    ///
    /// # Errors
    ///
    /// If the tolerance is not above 0.
    pub fn new(settings: BlockGaussSeidelSettings) -> Result<Self, SettingsError> {
        Ok(Self { sweeps: BlockGaussSeidel::new(settings)?, ..Self::default() })
    }

    /// Creates a solver from settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: BlockGaussSeidelSettings) -> Self {
        Self { sweeps: BlockGaussSeidel::of_checked(settings), ..Self::default() }
    }

    /// Discards the contradiction of the last problem.
    pub(super) fn forget_contradiction(&mut self) {
        self.contradiction = None;
    }

    /// Returns the equation that a point violates most relative to the rounding of its terms, among the
    /// redundant equations. Returns `None` if rounding can explain all violations.
    fn most_violated(&self, problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> Option<usize> {
        let mut allowed = Vec::new();
        allowances(problem.m(), problem.q(), z, &mut allowed);
        let SchurReduction { parts, factors, .. } = &self.schur;
        let rows = factors.repeated().map(|k| parts.equalities[k]);
        let parts = rows.map(|row| (row, w[row].abs() / allowed[row])).filter(|(_, part)| *part > 1.0);
        parts.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
    }
}

impl Stage for EqualityElimination {
    fn set_budget(&mut self, budget: &Budget) {
        self.sweeps.set_budget(budget);
    }

    /// The equalities are eliminated once, in addition to the sweeps.
    fn effort(&self, _: &GenericMechanicalProblem, info: &SolveInfo, budget: &Budget) -> f64 {
        self.sweeps.spent(budget.cost, info.iterations.max(1)) + self.schur.factors.operations()
    }
}

/// Description of the method, for tables and the command-line tool.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "equality-elimination",
    siconos: "NSGS (2000), equalities substituted or assembled",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any",
    reference: "Cottle, Pang, Stone (1992), section 2.3",
};

impl Solver for EqualityElimination {
    type Class = Gmp;

    fn name(&self) -> &'static str {
        DESCRIPTION.name
    }

    fn limits(&self) -> Limits {
        self.sweeps.limits()
    }

    fn solve(
        &mut self,
        problem: &GenericMechanicalProblem,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.forget_contradiction();
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        // (1)
        self.schur.factor(problem)?;
        // (2)
        let (schur, q) = self.schur.reduce(problem);
        let name = |row| Contradiction { row, block: problem.block_of(row) };
        let SchurReduction { parts, factors, .. } = &self.schur;
        let proven = factors.contradiction().map(|row| name(parts.equalities[row]));
        // (3)
        let mut info = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        let mut z_i = parts.of_others(z);
        if !z_i.is_empty() {
            let laws = parts.laws.clone();
            let reduced = GenericMechanicalProblem::new(schur, Array1::from(q), laws)?;
            let mut w_i = vec![0.0; z_i.len()];
            match self.sweeps.solve(&reduced, &mut z_i, &mut w_i) {
                Ok(swept) => info = swept,
                Err(error) if proven.is_none() => return Err(error),
                Err(_) => info.status = Status::Breakdown,
            }
        }
        // (4)
        self.schur.recover(problem, &z_i, z);
        info.error = self.schur.refine(problem, z, w);
        if is_solution(problem, z, (info.error, self.tolerance()), &mut Vec::new()) {
            info.status = Status::Converged;
        } else {
            let ended = match info.status {
                success if success.is_success() && info.error.is_finite() => Status::Stalled,
                success if success.is_success() => Status::Breakdown,
                other => other,
            };
            info.status = judge(problem, (z, w), ended, info.error, &mut Vec::new());
        }
        // A point that solves the problem overrides a proof, because the pivots contain rounding errors.
        if !info.status.is_success() {
            self.contradiction = proven.or_else(|| self.most_violated(problem, z, w).map(name));
            if proven.is_some() {
                info.status = Status::NoSolution;
            }
        }
        Ok(info)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        self.contradiction
    }
}
