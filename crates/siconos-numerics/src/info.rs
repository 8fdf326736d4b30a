//! Result of a solve: a [`Status`] for the outcome, and a [`SolveInfo`] with the numbers.
//!
//! A status is not an error. The largest number of iterations is often reached in nonsmooth dynamics, and the
//! arrays then hold the best point whose error the method computed (or the last point, where the page of the
//! method says so). To require convergence, call [`SolveInfo::require_converged`].

use serde::{Deserialize, Serialize};

/// Outcome of a solve.
///
/// [`Status::is_success`] tests for success. With any other status, the output arrays hold the best point or
/// the last point of the method, and [`SolveInfo::error`] is its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// The error of the problem class is at or below the tolerance.
    Converged,
    /// The error of the problem class is above the tolerance, but every row of the problem holds to a few
    /// units in the last place of its own terms. The point is the exact solution of a problem that differs
    /// from the given one only by rounding, and no floating-point vector is better. Typical of a heavy body
    /// on a light one.
    AtRoundingLevel,
    /// The largest number of iterations was reached. Typical of projected Gauss-Seidel on ill-conditioned or
    /// rank-deficient matrices, and of pivoting methods on problems constructed to need exponentially many
    /// pivots.
    MaxIterations,
    /// The method ended by its own rule, or made no more progress, above the tolerance. Typical of badly
    /// scaled matrices whose rounding errors exceed the tolerance.
    Stalled,
    /// A pivoting method ended on an unbounded ray. This proves that the problem has no solution only for the
    /// matrix classes that the page of the method names (copositive-plus, P0 with a feasible point, ..).
    RayTermination,
    /// The problem has no solution, and the method has a proof, up to rounding, in units that the problem
    /// itself determines. A problem that differs from the given one by no more than the following may have a
    /// solution.
    ///
    /// - [`lcp`](crate::lcp): a vector s >= 0 with M^T s <= 0 and q^T s < 0 (Farkas). The signs hold to 16 n
    ///   epsilon of the terms of M^T s, and to 1e-10 of the terms of q^T s, see
    ///   [`is_infeasibility_certificate`](crate::lcp::is_infeasibility_certificate). With enumeration: in
    ///   every basis some z or w is negative by at least 1e-11 of the largest entry, and by more if the basis
    ///   is ill-conditioned.
    /// - [`mlcp`](crate::mlcp): a Farkas vector of the problem that remains after the elimination of the free
    ///   unknowns, whose entries the elimination has rounded; or equality rows that contradict each other: in
    ///   a combination of these rows the left-hand side vanishes to 1e-13 of its terms, and the right-hand
    ///   side exceeds 1e-8 of its terms. With enumeration: in every basis some z or w has the wrong sign by
    ///   1e-8 of the largest z or w, or the equations contradict each other, to 1e-12 on the left-hand side
    ///   and by 1e-6 on the right-hand side.
    /// - [`relay`](crate::relay): with enumeration, the candidate point of every face lies outside of it by
    ///   1e-9 of the largest z or of the terms of w. With pivots, if a bound is infinite: as for
    ///   [`lcp`](crate::lcp) and [`avi`](crate::avi).
    /// - [`avi`](crate::avi): a combination y of the inequalities with H^T y = 0 to 1e-11 of its terms, and
    ///   K^T y > 0 by 1e-11 of its terms, so that the polyhedron is empty; or a Farkas vector as above of the
    ///   problem in which the path is followed.
    /// - [`cone::PolyhedronActiveSet`](crate::cone::PolyhedronActiveSet), and projections onto polyhedra by
    ///   it: a combination y of the rows with H^T y = 0 to 1e-10 of its terms, and k^T y > 0 by 1e-10 of its
    ///   terms.
    /// - [`contact`](crate::contact): two bodies that no reaction can move approach each other. The rows of W
    ///   are exactly zero, so that rounding plays no role. In the plane, with pivots or enumeration: as for
    ///   [`lcp`](crate::lcp).
    /// - [`gmp`](crate::gmp): equations that contradict each other whatever the other laws: in a combination
    ///   of the equations the left-hand side vanishes to 1e-13 of its terms, and the right-hand side exceeds
    ///   1e-8 of its terms.
    /// - [`qp`](crate::qp): constraints that contradict each other, or a direction along which the objective
    ///   has no lower bound, with signs that hold to 8 n epsilon of their terms, and by 1e-8 of the terms of
    ///   the linear form.
    NoSolution,
    /// The method completed its search without a solution; a solution may exist.
    NotFound,
    /// Arithmetic broke down, for example at a zero pivot where the method needs a nonzero one.
    Breakdown,
    /// An automatic choice spent its [effort](crate::EffortLimit) before it completed its search. A solution
    /// may exist, and may be found with a larger limit.
    EffortSpent,
}

impl Status {
    /// Returns `true` for [`Status::Converged`] and [`Status::AtRoundingLevel`].
    #[must_use]
    pub fn is_success(self) -> bool {
        matches!(self, Self::Converged | Self::AtRoundingLevel)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::AtRoundingLevel => "as exact as rounding allows",
            Self::MaxIterations => "largest number of iterations reached",
            Self::Stalled => "stalled above the tolerance",
            Self::RayTermination => "ended on an unbounded ray",
            Self::NoSolution => "there is no solution",
            Self::NotFound => "no solution found",
            Self::Breakdown => "arithmetic breakdown",
            Self::EffortSpent => "the effort allowed was spent",
        })
    }
}

/// Result of one solve.
///
/// ```
/// use siconos_numerics::{SolveInfo, Status};
///
/// let info = SolveInfo { status: Status::MaxIterations, iterations: 1000, error: 3e-5 };
/// assert!(!info.status.is_success());
/// assert!(info.require_converged().is_err());
/// ```
#[must_use = "a solve that did not converge is reported here, and nowhere else"]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveInfo {
    /// Outcome of the solve.
    pub status: Status,
    /// Iterations of the outermost loop: pivots of a pivoting method, sweeps of Gauss-Seidel.
    pub iterations: usize,
    /// Error of the problem class, recomputed from the returned arrays (see the function `error` of the
    /// class, for instance [`crate::lcp::error`]).
    pub error: f64,
}

/// Status and number of iterations with which a method stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
}

/// Equation that contradicts other equations; see [`Solver::contradiction`](crate::Solver::contradiction).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// Row of the problem.
    pub row: usize,
    /// Block that contains the row.
    pub block: usize,
}

/// Attempt of an automatic choice to solve a problem by one method; see
/// [`Solver::trace`](crate::Solver::trace).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Name of the method.
    pub method: &'static str,
    /// Reason for the attempt, in a few words.
    pub why: &'static str,
    /// Result of the attempt. A method that returned an error counts as [`Status::Breakdown`] with error NaN.
    pub info: SolveInfo,
    /// Cost in floating-point operations, from the sizes of the matrices that were factorised and multiplied.
    pub effort: f64,
}
