//! Result of a solve. [`Status`] is the outcome; [`SolveInfo`] contains the status, the number of iterations
//! and the error.
//!
//! A status is not an error. In nonsmooth dynamics a solve often reaches its maximum number of iterations,
//! and the arrays then hold the best point whose error the method computed. For some methods they hold the
//! last point instead, as stated on the page of the method. To require convergence, call
//! [`SolveInfo::require_converged`].

use serde::{Deserialize, Serialize};

/// Outcome of a solve.
///
/// [`Status::is_success`] tests for success. With any other status, the output arrays hold the best or the
/// last point of the method, and [`SolveInfo::error`] is the error of this point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    /// The error, as the problem class defines it, is at or below the tolerance.
    Converged,
    /// The error is above the tolerance, but every row of the problem is satisfied up to a few units in the
    /// last place of the terms of the row. The point is the exact solution of a problem that differs from the
    /// given one only by rounding, and no floating-point vector is a better solution. Typical of a heavy body
    /// that rests on a light body.
    AtRoundingLevel,
    /// The maximum number of iterations was reached. Typical of projected Gauss-Seidel on ill-conditioned or
    /// rank-deficient matrices, and of pivoting methods on problems constructed to need exponentially many
    /// pivots.
    MaxIterations,
    /// The error is above the tolerance, but the method stopped because of its own stopping rule or because
    /// it made no more progress. Typical of badly scaled matrices whose rounding errors exceed the tolerance.
    Stalled,
    /// A pivoting method ended on an unbounded ray. For the matrix classes that the page of the method names
    /// (copositive-plus, P0 with a feasible point, ..) this proves that the problem has no solution; for
    /// other matrices it proves nothing.
    RayTermination,
    /// The problem has no solution. The method has found a proof, which is valid up to rounding errors. The
    /// tolerances below do not depend on the units of the problem, because each is relative to other terms of
    /// the problem. A problem whose data differ from the given data by no more than these tolerances can have
    /// a solution.
    ///
    /// - [`lcp`](crate::lcp): the proof is a Farkas vector, s >= 0 with M^T s <= 0 and q^T s < 0. An entry of
    ///   M^T s is allowed to exceed 0 by 16 n epsilon times its terms, and q^T s must be below 0 by 1e-10
    ///   times its terms, see [`is_infeasibility_certificate`](crate::lcp::is_infeasibility_certificate).
    ///   With enumeration: in every basis some z or w is negative, and its magnitude is at least 1e-11 times
    ///   the largest magnitude of z and w. Ill-conditioned bases require a larger magnitude.
    /// - [`mlcp`](crate::mlcp): the proof is a Farkas vector of the problem that remains after the
    ///   elimination of the free unknowns (the data of this problem contain the rounding errors of the
    ///   elimination), or inconsistent equality rows. Equality rows are inconsistent if they have a linear
    ///   combination in which every coefficient is at most 1e-13 times its terms, and the right-hand side
    ///   exceeds 1e-8 times its terms. With enumeration: in every basis either some z or w has the wrong sign
    ///   by 1e-8 times the largest z or w, or the equations are inconsistent. The equations are inconsistent
    ///   if the left-hand side vanishes up to 1e-12 and the right-hand side exceeds 1e-6 times its terms.
    /// - [`relay`](crate::relay): with enumeration, the candidate point of every face lies outside the face,
    ///   by 1e-9 times the largest z or times the largest terms of w. With pivoting methods, if a bound is
    ///   infinite: as for [`lcp`](crate::lcp) and [`avi`](crate::avi).
    /// - [`avi`](crate::avi): the proof is a combination y of the inequalities with H^T y = 0 up to 1e-11
    ///   times its terms, and K^T y > 0 by 1e-11 times its terms, so the polyhedron is empty; or a Farkas
    ///   vector, as for [`lcp`](crate::lcp), of the reduced problem of the path-following method.
    /// - [`cone::PolyhedronActiveSet`](crate::cone::PolyhedronActiveSet), and projections onto polyhedra that
    ///   use it: the proof is a combination y of the rows with H^T y = 0 up to 1e-10 times its terms, and k^T
    ///   y > 0 by 1e-10 times its terms.
    /// - [`contact`](crate::contact): two bodies that no reaction can move approach each other. The rows of W
    ///   for this contact are exactly zero, so no rounding tolerance is involved. In the plane, with pivoting
    ///   methods or enumeration: as for [`lcp`](crate::lcp).
    /// - [`gmp`](crate::gmp): the equations are inconsistent, regardless of the other laws. They have a
    ///   linear combination in which every coefficient is at most 1e-13 times its terms, and the right-hand
    ///   side exceeds 1e-8 times its terms.
    /// - [`qp`](crate::qp): the constraints are inconsistent, or the objective decreases without bound along
    ///   a direction. The required signs are satisfied up to 8 n epsilon times their terms, and the linear
    ///   form is negative by 1e-8 times its terms.
    NoSolution,
    /// The method completed its search without a solution; a solution may exist.
    NotFound,
    /// Arithmetic broke down, for example at a zero pivot where the method needs a nonzero one.
    Breakdown,
    /// An `Auto` solver reached its [limit on effort](crate::EffortLimit) before it completed its search. A
    /// solution may exist; with a larger limit the solver may find it.
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
            Self::MaxIterations => "maximum number of iterations reached",
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
#[must_use = "a solve that did not converge is reported only here"]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveInfo {
    /// Outcome of the solve.
    pub status: Status,
    /// Number of iterations of the outermost loop, such as pivots or Gauss-Seidel sweeps.
    pub iterations: usize,
    /// Error, recomputed from the returned arrays. The function `error` of the problem class defines it, for
    /// instance [`crate::lcp::error`].
    pub error: f64,
}

/// Status and number of iterations with which a method stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) status: Status,
    pub(crate) iterations: usize,
}

/// Equation that contradicts other equations of the problem; see
/// [`Solver::contradiction`](crate::Solver::contradiction).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// Index of the equation among the rows of the problem.
    pub row: usize,
    /// Index of the block that contains the row.
    pub block: usize,
}

/// Attempt of an `Auto` solver to solve a problem with one method; see
/// [`Solver::trace`](crate::Solver::trace).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Name of the method.
    pub method: &'static str,
    /// Reason for the attempt, in a few words.
    pub why: &'static str,
    /// Result of the attempt. A method that returned an error counts as [`Status::Breakdown`] with error NaN.
    pub info: SolveInfo,
    /// Cost in floating-point operations, computed from the sizes of the matrices that the method factorised
    /// and multiplied.
    pub effort: f64,
}
