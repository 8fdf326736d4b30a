//! All equalities eliminated at once, sweeps over the rest.

mod factors;
mod parts;

use ndarray::{Array1, Array2};
use siconos_linalg::MatrixRef;

use self::factors::EqualityFactors;
use self::parts::Parts;
use super::residual::{begin, is_solution, judge};
use super::{BlockGaussSeidel, BlockGaussSeidelSettings, GenericMechanicalProblem, Gmp, error_of_point};
use crate::chain::{Allowance, Link};
use crate::error::{SettingsError, SolverError};
use crate::info::{Contradiction, SolveInfo, Status};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};
use crate::rounding::allowances;

/// Elimination of all equalities together, and [`BlockGaussSeidel`] on what is left.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage. The principal block $M_{ee}$ of all equality
/// rows may be singular, because equations repeat each other (a joint made twice, a mechanism in the plane
/// with joints of space). The reactions are not unique then, and a basic solution is taken: unknowns without
/// a pivot are 0.
///
/// **Method.** With e the unknowns of equalities and i the others, (1) factorise $M_{ee}$, by dense LU where
/// it is small or well filled, otherwise along its elimination tree, which for a chain or a tree of joints
/// costs time in proportion to their number. The order is kept while the pattern stays. Where the block is
/// singular, the rank is found on the way: a pivot is rounding below 1e-12 beside its row and its column. (2)
/// Form the Schur complement $S = M_{ii} - M_{ie} M_{ee}^{-1} M_{ei}$, with all its entries, and
/// $q_i - M_{ie} M_{ee}^{-1} q_e$, by one solution for each unknown of i that the equalities feel. (3) Sweep
/// over the blocks of that problem. (4) Set $z_e = -M_{ee}^{-1} (M_{ei} z_i + q_e)$, with one step of
/// refinement, and measure the whole. A mechanism with long chains of joints needs many sweeps to pass an
/// impulse on from joint to joint, and none here. (Cottle, Pang, Stone 1992, section 2.3.)
///
/// **Guarantee.** That of the sweeps on S, which is symmetric positive definite when M is.
///
/// **Result.** `Converged`, `AtRoundingLevel` by the error of the whole; `Stalled` when only the reduced
/// problem is solved to its tolerance. `NoSolution`: equations contradict each other whatever the other laws
/// do, since (1) leaves a row with no more than 1e-13, in $M_{ee}$ and in $M_{ei}$, of what was there, and
/// with more than 1e-8 in q of the terms that were summed there; the point is that of the equations with a
/// pivot. Otherwise that of the sweeps. [`contradiction`](Solver::contradiction) tells which equation
/// contradicts others, or which one that repeats others in $M_{ee}$ is violated most by the point found.
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
    parts: Parts,
    factors: EqualityFactors,
    response: Vec<f64>,
    contradiction: Option<Contradiction>,
}

impl EqualityElimination {
    /// Makes a solver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the tolerance is not above 0.
    pub fn new(settings: BlockGaussSeidelSettings) -> Result<Self, SettingsError> {
        Ok(Self { sweeps: BlockGaussSeidel::new(settings)?, ..Self::default() })
    }

    /// Makes a solver with settings that [`new`](Self::new) accepts.
    pub(super) fn of_checked(settings: BlockGaussSeidelSettings) -> Self {
        Self { sweeps: BlockGaussSeidel::of_checked(settings), ..Self::default() }
    }

    /// Forgets the equation that the last problem violates.
    pub(super) fn forget_contradiction(&mut self) {
        self.contradiction = None;
    }

    /// What is left of the other laws when the equalities hold: the Schur complement S, and the velocities
    /// that the equalities leave where the others do nothing.
    fn reduce(&mut self, problem: &GenericMechanicalProblem) -> (Array2<f64>, Vec<f64>) {
        let Self { parts, factors, response, .. } = self;
        let ie = MatrixRef::Csc(&parts.ie);
        let mut q = parts.of_others(problem.q());
        parts.of_equalities(problem.q(), response);
        factors.respond_freely(response);
        ie.add_product(-1.0, response, &mut q);
        // Column by column, in the rows of the transpose.
        let mut schur = Array2::zeros((q.len(), q.len()));
        for (j, mut column) in schur.rows_mut().into_iter().enumerate() {
            let Some(column) = column.as_slice_mut() else { continue };
            parts.ii.column(j).for_each(|(i, value)| column[i] = value);
            if parts.ei.column(j).any(|(_, value)| value != 0.0) {
                response.fill(0.0);
                parts.ei.column(j).for_each(|(i, value)| response[i] = value);
                factors.respond_to_law(response);
                ie.add_product(-1.0, response, column);
            }
        }
        (schur.reversed_axes(), q)
    }

    /// Writes the unknowns of the equalities, from those of the other laws.
    fn recover(&mut self, problem: &GenericMechanicalProblem, z_i: &[f64], z: &mut [f64]) {
        let Self { parts, factors, response, .. } = self;
        parts.of_equalities(problem.q(), response);
        MatrixRef::Csc(&parts.ei).add_product(1.0, z_i, response);
        factors.respond(response);
        parts.others.iter().zip(z_i).for_each(|(&i, x)| z[i] = *x);
        parts.equalities.iter().zip(&*response).for_each(|(&i, x)| z[i] = -x);
    }

    /// One step of refinement of the unknowns of the equalities, which is taken back where it makes the error
    /// larger; returns the error.
    fn refine(&mut self, problem: &GenericMechanicalProblem, z: &mut [f64], w: &mut [f64]) -> f64 {
        let Self { parts, factors, response, .. } = self;
        let before = error_of_point(problem, z, w);
        parts.of_equalities(w, response);
        factors.respond(response);
        let mut unrefined = Vec::new();
        parts.of_equalities(z, &mut unrefined);
        parts.equalities.iter().zip(&*response).for_each(|(&i, x)| z[i] -= x);
        let error = error_of_point(problem, z, w);
        if error <= before {
            return error;
        }
        parts.equalities.iter().zip(&unrefined).for_each(|(&i, x)| z[i] = *x);
        error_of_point(problem, z, w)
    }

    /// The equation, of those that repeat others, which a point violates most beside the rounding of its
    /// terms, and by more than that.
    fn most_violated(&self, problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> Option<usize> {
        let mut allowed = Vec::new();
        allowances(problem.m(), problem.q(), z, &mut allowed);
        let rows = self.factors.repeated().map(|k| self.parts.equalities[k]);
        let parts = rows.map(|row| (row, w[row].abs() / allowed[row])).filter(|(_, part)| *part > 1.0);
        parts.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
    }
}

impl Link for EqualityElimination {
    fn lend(&mut self, allowance: &Allowance) {
        self.sweeps.lend(allowance);
    }

    /// The equations are taken out once.
    fn effort(&self, _: &GenericMechanicalProblem, info: &SolveInfo, allowance: &Allowance) -> f64 {
        self.sweeps.spent(allowance.cost, info.iterations.max(1)) + self.factors.operations()
    }
}

/// What a table says of the method.
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
        self.parts.cut(problem);
        self.factors.factor(&self.parts.ee)?;
        // (2)
        let (schur, q) = self.reduce(problem);
        let name = |row| Contradiction { row, block: problem.block_of(row) };
        let proven = self.factors.contradiction().map(|row| name(self.parts.equalities[row]));
        // (3)
        let mut info = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        let mut z_i = self.parts.of_others(z);
        if !z_i.is_empty() {
            let laws = self.parts.laws.clone();
            let reduced = GenericMechanicalProblem::new(schur, Array1::from(q), laws)?;
            let mut w_i = vec![0.0; z_i.len()];
            match self.sweeps.solve(&reduced, &mut z_i, &mut w_i) {
                Ok(swept) => info = swept,
                Err(error) if proven.is_none() => return Err(error),
                Err(_) => info.status = Status::Breakdown,
            }
        }
        // (4)
        self.recover(problem, &z_i, z);
        info.error = self.refine(problem, z, w);
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
        // No proof, which pivots have rounded, stands against a point of the problem itself.
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
