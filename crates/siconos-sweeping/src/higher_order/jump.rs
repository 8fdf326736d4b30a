//! The jump at an instant.

use ndarray::Array2;
use siconos_numerics::SolveInfo;

use super::HigherOrderState;
use super::one_step_problem::{OneStepProblem, ROUNDING};
use super::{HigherOrderError, NormalForm};

/// What happens at one instant: the state behind it, and the atoms of the measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// The state behind the jump. The state of the zero dynamics is as it was.
    pub after: HigherOrderState,
    /// The atoms, r x m, nonnegative: $z_i^+ - z_i^-$ in row i - 1 for i < r; in the last row those of
    /// lambda, H times which is $z_r^+ - z_r^-$.
    pub atoms: Array2<f64>,
    /// How the problem of order r was solved, all of whose rows are coupled by H.
    pub info: SolveInfo,
}

/// Projects order by order: $z_i^+ = \max(0, z_i^-)$ in the components where order i is held, for i < r; and
/// $z_r^+ = z_r^- + H \mu_r$ with $0 \le z_r^+ \perp \mu_r \ge 0$ there.
pub(super) fn jump(
    form: &NormalForm,
    problem: &mut OneStepProblem,
    before: &HigherOrderState,
) -> Result<Jump, HigherOrderError> {
    let (r, m) = (form.relative_degree(), form.multipliers());
    let last = (r - 1) * m;
    let mut after = before.clone();
    let mut atoms = Array2::zeros((r, m));
    problem.begin(m);
    for j in 0..m {
        let orders = before.constrained_orders(j);
        for i in 0..orders.min(r - 1) {
            let z = &mut after.values[i * m + j];
            if *z <= 0.0 {
                atoms[[i, j]] = 0.0 - *z;
                *z = 0.0;
            }
        }
        if orders == r {
            problem.held.push(j);
        }
    }
    problem.q.copy_from_slice(&before.values[last..last + m]);
    let leading: Vec<f64> = form.leading().iter().copied().collect();
    let info = problem.solve(&leading, form.units())?;
    for j in 0..m {
        let parts = leading[j * m..(j + 1) * m].iter().zip(&problem.mu).map(|(h, mu)| h * mu);
        let z = &mut after.values[last + j];
        let magnitude = z.abs() + parts.clone().map(f64::abs).sum::<f64>();
        *z += parts.sum::<f64>();
        let is_zero = problem.mu[j] > 0.0 || *z <= ROUNDING * magnitude;
        if info.status.is_success() && problem.held.binary_search(&j).is_ok() && is_zero {
            *z = 0.0;
        }
        atoms[[r - 1, j]] = problem.mu[j];
    }
    match after.values.iter().enumerate().find(|(_, x)| !x.is_finite()) {
        None => Ok(Jump { after, atoms, info }),
        Some((index, &value)) => Err(HigherOrderError::Unbounded { index, value }),
    }
}
