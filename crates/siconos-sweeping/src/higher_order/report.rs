//! Report of a step.

use ndarray::ArrayView2;
use siconos_numerics::SolveInfo;

/// Measures of a step, with the solver result.
#[must_use = "a step without a solution is reported only here"]
#[derive(Clone, Copy, Debug)]
pub struct HigherOrderReport<'a> {
    /// Solver result of the complementarity problem: status, pivots, error. If the status is not a success,
    /// the state was advanced with the best measures found.
    pub info: SolveInfo,
    /// $\mu$, r x m, nonnegative: row i - 1 contains the measures of order i of all components. For i < r
    /// they have the unit of $z_i$. For i = r they have the unit of lambda times time, and $z_r$ jumps by H
    /// times the last row. Each entry is an atom, or the product of h and a density.
    pub mu: ArrayView2<'a, f64>,
}
