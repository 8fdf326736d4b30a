//! Outer loop of the methods of Tresca and of Panagiotopoulos, which fix the friction bounds during their
//! sweeps. In the method of Tresca, the sweeps solve for normal and tangential reactions. In the method of
//! Panagiotopoulos, the normal reactions are computed before the sweeps.

use super::cylinder::{Cylinders, cut_to_cones};
use crate::cancellation;
use crate::contact::DelassusProblem;
use crate::contact::best_iterate::{BestIterate, NewtonDamping};
use crate::contact::classical::outer_loop::{Continuation, iterate};
use crate::contact::gauss_seidel::rows::RowWork;
use crate::contact::residual::scale;
use crate::engine::nsgs::{SweepRows, sweep};
use crate::error::SolverError;
use crate::info::{SolveInfo, Status};
use crate::method::Limits;

/// Solver of the normal problem. It replaces the normal reactions in the first argument, keeps the tangential
/// reactions, and returns `true` if the normal reactions changed. The second argument is workspace.
pub(crate) type NormalStep<'a> = dyn FnMut(&mut [f64], &mut [f64]) -> Result<bool, SolverError> + 'a;

/// Arguments of one solve. The rows of W are passed to `run` separately.
pub(crate) struct Alternation<'a, 'p> {
    pub(crate) problem: &'a DelassusProblem<'p>,
    pub(crate) limits: Limits,
    pub(crate) max_sweeps: usize,
    pub(crate) inner_accuracy: f64,
    pub(crate) cylinders: &'a mut Cylinders,
    pub(crate) best: &'a mut BestIterate,
    /// Solver of the normal problem. If it is `None`, the sweeps also solve for the normal reactions.
    pub(crate) normal: Option<&'a mut NormalStep<'a>>,
    pub(crate) r: &'a mut [f64],
    pub(crate) u: &'a mut [f64],
}

impl<const D: usize> RowWork<D> for Alternation<'_, '_> {
    type Result = Result<SolveInfo, SolverError>;

    fn run(self, rows: &impl SweepRows<D>) -> Self::Result {
        let Self { problem, limits, max_sweeps, inner_accuracy, cylinders, best, mut normal, r, u } = self;
        let law = problem.law();
        let mut damping = NewtonDamping::default();
        iterate(problem, limits, best, (r, u), |error, r, u| {
            let weight = damping.next(error);
            let allowed = inner_accuracy * error.max(limits.tolerance) * scale(problem);
            let mut has_moved = match &mut normal {
                Some(normal) => normal(r, u)?,
                None => false,
            };
            cylinders.follow(&law, r, weight);
            let mut inner = cylinders.law(law, normal.is_none());
            for _ in 0..max_sweeps {
                inner.estimate = 0.0;
                let change = sweep(rows, problem.q(), &mut inner, r);
                has_moved |= change > 0.0;
                if change == 0.0 || inner.estimate.sqrt() <= allowed || cancellation::is_cancelled() {
                    break;
                }
            }
            if !has_moved && weight == 1.0 {
                return Ok(Continuation::End(Status::Stalled));
            }
            cut_to_cones(&law, r);
            Ok(Continuation::Continue)
        })
    }
}
