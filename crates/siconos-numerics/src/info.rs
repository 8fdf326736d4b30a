//! What a solver tells about its work: a [`Status`] for the outcome and a [`SolveInfo`] for the figures.
//!
//! A status is not an error. Reaching the largest number of iterations is ordinary in nonsmooth dynamics, and
//! the best point that the method has measured (or, where its page says so, the last one) is in place;
//! whoever insists on convergence calls [`SolveInfo::require_converged`].

use serde::{Deserialize, Serialize};

/// How a solve ended.
///
/// [`Status::is_success`] is the only test of success; every other variant leaves the best point, or the one
/// where the method ended, in the output arrays, and its quality is [`SolveInfo::error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// The error measure of the problem class is at or below the tolerance.
    Converged,
    /// The error measure is above the tolerance, but every row of the problem holds to a few units in the
    /// last place of its own terms: the point is the exact solution of a problem that rounding cannot tell
    /// from the one given, and no point in floating point is better. Seen with a heavy body on a light one.
    AtRoundingLevel,
    /// The largest number of iterations was reached. Seen with projected Gauss-Seidel on ill-conditioned or
    /// rank-deficient matrices, and with pivoting methods on problems made to be exponential for them.
    MaxIterations,
    /// The method ended by its own rule, or made no more progress, above the tolerance. Seen when rounding in
    /// a badly scaled matrix exceeds what the tolerance allows.
    Stalled,
    /// A pivoting method ran along an unbounded ray. That proves that there is no solution only for matrix
    /// classes that the method's page names (copositive-plus, P0 with a feasible point, ..).
    RayTermination,
    /// There is no solution, and the method has a proof: up to rounding, in units that the problem itself
    /// determines. A problem that differs from the one given by no more than the following may have one.
    ///
    /// - [`lcp`](crate::lcp): a vector s >= 0 with M^T s <= 0 and q^T s < 0 (Farkas). Its signs hold to 16 n
    ///   epsilon of the terms of M^T s and 1e-10 of those of q^T s, see
    ///   [`is_infeasibility_certificate`](crate::lcp::is_infeasibility_certificate). By enumeration: in every
    ///   basis some z or w is negative by at least 1e-11 of the largest, by more where the basis is
    ///   ill-conditioned.
    /// - [`mlcp`](crate::mlcp): the same of the problem that remains without the free unknowns, whose entries
    ///   an elimination has rounded; or equality rows that contradict each other: a combination of them
    ///   vanishes to 1e-13 of its terms on the left, and on the right exceeds 1e-8 of its own. By
    ///   enumeration: every basis has a sign that is wrong by 1e-8 of the largest z or w, or equations that
    ///   contradict each other, to 1e-12 on the left and by 1e-6 on the right.
    /// - [`relay`](crate::relay), by enumeration: every face is missed by 1e-9, of the largest z or of the
    ///   terms of w. By pivots, where a bound is infinite: as with [`lcp`](crate::lcp) and
    ///   [`avi`](crate::avi).
    /// - [`avi`](crate::avi): a combination of the inequalities with H^T y = 0 to 1e-11 of its terms, and K^T
    ///   y > 0 by 1e-11 of its own, so that the polyhedron is empty; or a Farkas vector as above of the
    ///   problem that the path is followed in.
    /// - [`cone::BearingFaces`](crate::cone::BearingFaces), and projections onto polyhedra by it: a
    ///   combination of the rows with H^T y = 0 to 1e-10 of its terms, and k^T y > 0 by 1e-10 of its own.
    /// - [`contact`](crate::contact): two bodies that no reaction moves approach each other. Rows of zeros
    ///   are zeros: no rounding. In the plane, by pivots or enumeration: as with [`lcp`](crate::lcp).
    /// - [`gmp`](crate::gmp): equations that contradict each other whatever the other laws do: a combination
    ///   of them vanishes to 1e-13 of its terms on the left, and on the right exceeds 1e-8 of its own.
    /// - [`qp`](crate::qp): constraints that contradict each other, or a direction without a lower bound,
    ///   with signs that hold to 8 n epsilon of their terms, and by 1e-8 of those of the linear form.
    NoSolution,
    /// The method looked at all it looks at and found no solution; there may be one.
    NotFound,
    /// Arithmetic broke down (a vanishing pivot where the method needs one).
    Breakdown,
    /// An automatic choice has spent its [effort](crate::EffortLimit) before it had looked at all it looks
    /// at; there may be a solution, and with a larger limit it may be found.
    EffortSpent,
}

impl Status {
    /// True for [`Status::Converged`] and [`Status::AtRoundingLevel`].
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

/// The figures of one solve.
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
    /// How the solve ended.
    pub status: Status,
    /// Iterations of the outermost loop: pivots of a pivoting method, sweeps of Gauss-Seidel.
    pub iterations: usize,
    /// The error measure of the problem class, recomputed from the returned arrays (see the `residual` module
    /// of the class, for instance [`crate::lcp::error`]).
    pub error: f64,
}

/// Status and number of iterations with which a method stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
}

/// An equation that cannot hold beside others; see [`Solver::contradiction`](crate::Solver::contradiction).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The row of the problem.
    pub row: usize,
    /// The block that the row is in.
    pub block: usize,
}

/// One method that an automatic choice tried, and why; see [`Solver::trace`](crate::Solver::trace).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Name of the method.
    pub method: &'static str,
    /// Why it was tried, in a few words.
    pub why: &'static str,
    /// How it ended. A method that refused the problem counts as [`Status::Breakdown`] with error NaN.
    pub info: SolveInfo,
    /// What it cost by the sizes of what it factorised and multiplied, in floating-point operations.
    pub effort: f64,
}
