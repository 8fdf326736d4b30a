//! What linear complementarity, mixed and relay problems have in common: w = M z + q, each unknown between bounds of its own.
//!
//! Row i asks for $l_i \le z_i \le u_i$ and $-w_i \in N_{[l_i, u_i]}(z_i)$: w_i is at least 0 at the lower bound, at most 0 at the upper
//! one, and 0 between. A complementarity row has l = 0 and no upper bound, an equality row has none at all, a relay both. The
//! three classes are views with the names of their literature; how a point is measured, and Newton's method, are here.

mod measure;
pub(crate) mod newton;

pub(crate) use measure::{
    Verdict, error, error_by, error_of_point, is_exact, is_lost, judge, natural, nearest_to_zero,
};

use crate::linalg::MatrixRef;

/// A problem of rows between bounds.
pub(crate) trait BoxProblem {
    /// The matrix.
    fn m(&self) -> MatrixRef<'_>;

    /// The vector.
    fn q(&self) -> &[f64];

    /// The bounds of an unknown, infinite where there is none.
    fn bounds(&self, i: usize) -> (f64, f64);
}
