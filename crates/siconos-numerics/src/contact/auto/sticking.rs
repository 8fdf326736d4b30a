//! Enumeration for infinite friction. In this case, a contact is open or sticks, so only the set of closed
//! contacts is unknown.

use ndarray::Array2;
use siconos_linalg::DenseLu;

use crate::cancellation;
use crate::cascade::{Budget, Stage};
use crate::contact::residual::{error_of_point, judge};
use crate::contact::{Contact, ContactProblem};
use crate::error::{SolverError, Unsupported};
use crate::info::{SolveInfo, Status};
use crate::method::{Limits, Solver};

/// Maximum number of contacts for which all sets of closed contacts are tried.
const MOST_CONTACTS: usize = 12;

/// Regularisation added to the diagonal of the matrix of the closed contacts, as a fraction of its largest
/// entry. The matrix can be singular because of redundant contacts.
const SHIFT: f64 = 1e-9;

/// Number of iterative refinement steps that remove the effect of the regularisation.
const REFINEMENTS: usize = 6;

/// Solver that tries all sets of closed contacts. For each set, the reactions follow from u = 0 in the closed
/// contacts. The set is a solution if all other contacts open and no closed contact pulls.
#[derive(Debug)]
pub(super) struct StickingSets {
    tolerance: f64,
    most_sets: usize,
    lu: DenseLu,
}

impl StickingSets {
    pub(super) fn new(tolerance: f64) -> Self {
        Self { tolerance, most_sets: 0, lu: DenseLu::default() }
    }

    /// Computes the reactions for which all contacts of a set stick. Returns `false` if the matrix is
    /// singular.
    fn stick(&mut self, w: &Array2<f64>, q: &[f64], closed: &[usize], r: &mut [f64]) -> bool {
        r.fill(0.0);
        let n = closed.len();
        let largest = closed.iter().fold(0.0_f64, |largest, &i| largest.max(w[[i, i]].abs()));
        let shift = |i, j| if i == j { SHIFT * largest } else { 0.0 };
        let shifted = Array2::from_shape_fn((n, n), |(i, j)| w[[closed[i], closed[j]]] + shift(i, j));
        if self.lu.factor(shifted.view()).is_err() {
            return false;
        }
        let mut step = vec![0.0; n];
        for _ in 0..REFINEMENTS {
            for (step, &i) in step.iter_mut().zip(closed) {
                *step = -q[i] - closed.iter().map(|&j| w[[i, j]] * r[j]).sum::<f64>();
            }
            self.lu.solve(&mut step);
            closed.iter().zip(&step).for_each(|(&i, step)| r[i] += step);
        }
        true
    }
}

impl Stage for StickingSets {
    fn set_budget(&mut self, budget: &Budget) {
        self.most_sets = budget.iterations;
    }
}

impl Solver for StickingSets {
    type Class = Contact;

    fn name(&self) -> &'static str {
        "sticking-sets"
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: 1 << MOST_CONTACTS }
    }

    fn supports(&self, problem: &ContactProblem<'_>) -> Result<(), Unsupported> {
        let law = problem.law();
        let is_infinite = |block| law.cone(block).parts().iter().all(|part| part.coefficient.is_infinite());
        if law.blocks() <= MOST_CONTACTS && law.has_shift() && (0..law.blocks()).all(is_infinite) {
            return Ok(());
        }
        let (found, takes) =
            ("this number of contacts, or finite friction", "up to 12 contacts with infinite friction");
        Err(Unsupported { solver: self.name(), found, takes })
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<'_>,
        r: &mut [f64],
        u: &mut [f64],
    ) -> Result<SolveInfo, SolverError> {
        self.supports(problem)?;
        let problem = &problem.need_delassus(self.name())?;
        let (law, q) = (problem.law(), problem.q());
        let w = problem.w().to_dense();
        let sets = (1_usize << law.blocks()).min(self.most_sets);
        let mut tried = 0;
        for set in (0..sets).take_while(|_| !cancellation::is_cancelled()) {
            tried += 1;
            let closed: Vec<usize> = (0..law.blocks())
                .filter(|block| set >> block & 1 == 1)
                .flat_map(|block| law.range(block))
                .collect();
            if !self.stick(&w, q, &closed, r) {
                continue;
            }
            let error = error_of_point(problem, r, u);
            let status = judge(problem, r, error, self.tolerance);
            if status.is_success() {
                return Ok(SolveInfo { status, iterations: tried, error });
            }
        }
        r.fill(0.0);
        let error = error_of_point(problem, r, u);
        Ok(SolveInfo { status: Status::Stalled, iterations: tried, error })
    }
}
