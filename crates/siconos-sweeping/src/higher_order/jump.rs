//! Jump of a higher-order sweeping process at one instant.

use ndarray::Array2;
use siconos_numerics::SolveInfo;

use super::HigherOrderState;
use super::one_step_problem::{OneStepProblem, ROUNDING};
use super::{HigherOrderError, NormalForm};

/// Jump at one instant: the state after the jump and the atoms of the measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Jump {
    /// State after the jump. The state of the zero dynamics does not change.
    pub after: HigherOrderState,
    /// Atoms, r x m, nonnegative. For i < r, row i - 1 is $z_i^+ - z_i^-$. The last row contains the atoms of
    /// lambda; H times this row is $z_r^+ - z_r^-$.
    pub atoms: Array2<f64>,
    /// Solver result of the complementarity problem of order r. In this problem, H couples the components.
    pub info: SolveInfo,
}

/// Computes the jump order by order. For i < r, $z_i^+ = \max(0, z_i^-)$ in the components in which order i
/// is constrained. For order r, $z_r^+ = z_r^- + H \mu_r$ with $0 \le z_r^+ \perp \mu_r \ge 0$ in the
/// components in which order r is constrained.
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
