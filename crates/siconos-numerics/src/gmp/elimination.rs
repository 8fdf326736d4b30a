//! All equalities eliminated at once, sweeps over the rest.

use ndarray::{Array1, Array2, ArrayView2};

use super::residual::{begin, is_solution, judge};
use super::{
    BlockGaussSeidel, BlockGaussSeidelSettings, GenericMechanicalProblem, Gmp, MechanicalLaw, error_of_point,
};
use crate::chain::{Allowance, Link};
use crate::effort::dense_factorisation;
use crate::error::{SettingsError, SolverError};
use crate::info::{SolveInfo, Status};
use crate::linalg::{DenseLu, FullPivotLu};
use crate::method::{Guarantee, Limits, MatrixClass, MethodDescription, Scope, Solver};

/// Elimination of all equalities together, and [`BlockGaussSeidel`] on what is left.
///
/// **Problem.** [`GenericMechanicalProblem`] in any storage. Where the principal block $M_{ee}$ of all
/// equality rows is singular, because equations repeat each other (a joint made twice, a mechanism in the
/// plane with joints of space), a basic solution is taken: unknowns without a pivot are 0.
///
/// **Method.** With e the unknowns of equalities and i the others, (1) factorise $M_{ee}$ by dense LU, (2)
/// form the Schur complement $S = M_{ii} - M_{ie} M_{ee}^{-1} M_{ei}$ and $q_i - M_{ie} M_{ee}^{-1} q_e$, (3)
/// sweep over the blocks of that problem, (4) set $z_e = -M_{ee}^{-1} (M_{ei} z_i + q_e)$, with one step of
/// refinement, and measure the whole. A mechanism with long chains of joints needs many sweeps to pass an
/// impulse on from joint to joint, and none here. (Cottle, Pang, Stone 1992, section 2.3.)
///
/// Everything is spread out to a dense matrix and made anew for each problem.
///
/// **Guarantee.** That of the sweeps on S, which is symmetric positive definite when M is.
///
/// **Result.** `Converged`, `AtRoundingLevel` by the error of the whole; `Stalled` when only the reduced
/// problem is solved to its tolerance; else that of the sweeps.
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
    lu: DenseLu,
    /// Of equations that repeat each other.
    redundant: FullPivotLu,
    is_redundant: bool,
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

    fn factor(&mut self, ee: ArrayView2<'_, f64>) -> Result<(), SolverError> {
        let factored = self.lu.factor(ee);
        self.is_redundant = (factored.is_err() || self.lu.is_near_singular())
            && ee.iter().all(|x| x.is_finite())
            && self.redundant.factor(ee) < ee.nrows();
        match factored {
            Err(singular) if !self.is_redundant => {
                Err(SolverError::Singular { what: "the block of all equalities", singular })
            }
            _ => Ok(()),
        }
    }

    /// Overwrites `b` with a solution of $M_{ee} x = b$.
    fn respond(&mut self, b: &mut [f64]) {
        match self.is_redundant {
            true => self.redundant.solve(b),
            false => self.lu.solve(b),
        }
    }
}

/// The unknowns of equalities, those of the other laws, and these laws.
fn split(problem: &GenericMechanicalProblem) -> (Vec<usize>, Vec<usize>, Vec<MechanicalLaw>) {
    let (mut equalities, mut others, mut laws) = (Vec::new(), Vec::new(), Vec::new());
    for (block, law) in problem.laws().iter().enumerate() {
        if let MechanicalLaw::Equality { .. } = law {
            equalities.extend(problem.range(block));
        } else {
            others.extend(problem.range(block));
            laws.push(law.clone());
        }
    }
    (equalities, others, laws)
}

impl Link for EqualityElimination {
    fn lend(&mut self, allowance: &Allowance) {
        self.sweeps.lend(allowance);
    }

    /// The equations are taken out once; they are at most as many as the unknowns.
    fn effort(&self, problem: &GenericMechanicalProblem, info: &SolveInfo, allowance: &Allowance) -> f64 {
        allowance.cost * info.iterations.max(1) as f64 + dense_factorisation(problem.size())
    }
}

/// What a table says of the method.
pub(super) const DESCRIPTION: MethodDescription = MethodDescription {
    name: "equality-elimination",
    siconos: "NSGS (2000), equalities substituted or assembled",
    guarantee: Guarantee::of(&[MatrixClass::SymmetricPositiveDefinite]).only(Scope::WithoutFriction),
    storage: "any; spread out",
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
        if let Some(solved) = begin(problem, z, w)? {
            return Ok(solved);
        }
        let (equalities, others, laws) = split(problem);
        let m = problem.m().to_dense();
        let part = |rows: &[usize], columns: &[usize]| {
            Array2::from_shape_fn((rows.len(), columns.len()), |(i, j)| m[[rows[i], columns[j]]])
        };
        // (1)
        let (ee, ei, ie) =
            (part(&equalities, &equalities), part(&equalities, &others), part(&others, &equalities));
        self.factor(ee.view())?;
        // (2)
        let mut solved = Array2::zeros((others.len(), equalities.len()));
        for (mut row, column) in solved.rows_mut().into_iter().zip(ei.columns()) {
            let mut x = column.to_vec();
            self.respond(&mut x);
            row.iter_mut().zip(&x).for_each(|(row, x)| *row = *x);
        }
        let schur = part(&others, &others) - ie.dot(&solved.t());
        let mut free: Vec<f64> = equalities.iter().map(|&i| problem.q()[i]).collect();
        self.respond(&mut free);
        let free = Array1::from(free);
        let q = Array1::from_iter(others.iter().map(|&i| problem.q()[i])) - ie.dot(&free);
        // (3)
        let mut info = SolveInfo { status: Status::Converged, iterations: 0, error: 0.0 };
        let mut z_i: Vec<f64> = others.iter().map(|&i| z[i]).collect();
        if !others.is_empty() {
            let reduced = GenericMechanicalProblem::new(schur, q, laws)?;
            let mut w_i = vec![0.0; others.len()];
            info = self.sweeps.solve(&reduced, &mut z_i, &mut w_i)?;
        }
        // (4)
        let z_e = -(free + solved.t().dot(&Array1::from(z_i.clone())));
        others.iter().zip(&z_i).for_each(|(&i, x)| z[i] = *x);
        equalities.iter().zip(&z_e).for_each(|(&i, x)| z[i] = *x);
        let before = error_of_point(problem, z, w);
        let mut correction: Vec<f64> = equalities.iter().map(|&i| w[i]).collect();
        self.respond(&mut correction);
        equalities.iter().zip(&correction).for_each(|(&i, x)| z[i] -= x);
        info.error = error_of_point(problem, z, w);
        if info.error > before {
            equalities.iter().zip(&z_e).for_each(|(&i, x)| z[i] = *x);
            info.error = error_of_point(problem, z, w);
        }
        if is_solution(problem, z, (info.error, self.tolerance()), &mut Vec::new()) {
            info.status = Status::Converged;
        } else {
            let ended = match info.status {
                success if success.is_success() && info.error.is_finite() => Status::Stalled,
                success if success.is_success() => Status::Breakdown,
                other => other,
            };
            info.status = judge(problem, (z, w), (ended, info.error), &mut Vec::new());
        }
        Ok(info)
    }
}
