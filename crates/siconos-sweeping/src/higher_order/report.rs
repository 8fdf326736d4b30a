//! What a step tells.

use ndarray::ArrayView2;
use siconos_numerics::SolveInfo;

/// The measures of a step, and how they were found.
#[must_use = "a step without solution is reported here, and nowhere else"]
#[derive(Clone, Copy, Debug)]
pub struct HigherOrderReport<'a> {
    /// How the complementarity problem was solved: status, pivots, error. Where the status is no success, the
    /// state has gone on with the best measures that were found.
    pub info: SolveInfo,
    /// $\mu$, r x m, nonnegative: row i - 1 has the measures of order i of all components. For i < r they are
    /// in the unit of $z_i$; for i = r in that of lambda times time, and $z_r$ jumps by H times the last row.
    /// An entry is an atom, or h times a density.
    pub mu: ArrayView2<'a, f64>,
}
