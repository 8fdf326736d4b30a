//! The error of a point, and what the point is that a method takes for a solution.

use super::BoxProblem;
use crate::error::{ProblemError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::{are_finite, largest_magnitude, norm, norm_of_normal};
use crate::own_response::{for_each, relative, size_of_point, solved_by_zero};
use crate::rounding::{PART_LOST_IN_ROUNDING, allowances};

/// The middle one of d (z - l), w and d (z - u), with the d of [`own_response`](crate::own_response).
///
/// It is the middle one and not a difference like z - max(0, z - w): where z is so large that z - w rounds to
/// z, that would be 0 whatever w is.
#[inline]
pub(crate) fn natural(response: f64, z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    // Where bounds are constants of the class, the compiler leaves out what is not there.
    let mut middle = w;
    let (above, below) = (response * (z - lower), response * (z - upper));
    if lower > f64::NEG_INFINITY && above < middle {
        middle = above;
    }
    if upper < f64::INFINITY && below > middle {
        middle = below;
    }
    middle
}

/// The number between the bounds that is nearest to 0.
pub(crate) fn nearest_to_zero(lower: f64, upper: f64) -> f64 {
    0.0_f64.max(lower).min(upper)
}

/// The error of a point with its w: the norm of [`natural`] over norm(q) and what the nearest z to 0 does.
/// NaN when the point is not finite: `f64::min` would pass over a NaN, and such a point must not look good.
#[track_caller]
pub(crate) fn error<P: BoxProblem>(problem: &P, z: &[f64], w: &[f64]) -> f64 {
    let n = problem.q().len();
    assert_eq!((z.len(), w.len()), (n, n), "lengths of z and w");
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let mut sums = Sums::default();
    for_each(problem.m(), |i, d| sums.add(problem, i, d, z[i], w[i]));
    sums.error(problem, z, w)
}

/// The [`error`] with the d at hand.
pub(crate) fn error_by<P: BoxProblem>(responses: &[f64], problem: &P, z: &[f64], w: &[f64]) -> f64 {
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let mut sums = Sums::default();
    let rows = responses.iter().zip(z).zip(w).enumerate();
    rows.for_each(|(i, ((d, z), w))| sums.add(problem, i, *d, *z, *w));
    sums.error(problem, z, w)
}

/// Computes w = M z + q into `w` and returns the [`error`].
#[track_caller]
pub(crate) fn error_of_point<P: BoxProblem>(problem: &P, z: &[f64], w: &mut [f64]) -> f64 {
    write_image(problem, z, w);
    error(problem, z, w)
}

/// [`error_of_point`] with the d at hand.
pub(crate) fn error_of_point_by<P: BoxProblem>(
    responses: &[f64],
    problem: &P,
    z: &[f64],
    w: &mut [f64],
) -> f64 {
    write_image(problem, z, w);
    error_by(responses, problem, z, w)
}

/// Computes w = M z + q into `w`.
pub(crate) fn write_image<P: BoxProblem>(problem: &P, z: &[f64], w: &mut [f64]) {
    problem.m().write_affine(z, problem.q(), w);
}

#[derive(Default)]
struct Sums {
    residual: f64,
    of_bounds: f64,
}

impl Sums {
    #[inline(always)]
    fn add<P: BoxProblem>(&mut self, problem: &P, i: usize, d: f64, z: f64, w: f64) {
        let (lower, upper) = problem.bounds(i);
        self.residual += natural(d, z, w, lower, upper).powi(2);
        if lower > 0.0 || upper < 0.0 {
            self.of_bounds += (d * nearest_to_zero(lower, upper)).powi(2);
        }
    }

    fn error<P: BoxProblem>(&self, problem: &P, z: &[f64], w: &[f64]) -> f64 {
        let scale = norm(problem.q()) + self.of_bounds.sqrt();
        relative(self.residual.sqrt(), scale, || size_of_point(problem.m(), z, w))
    }
}

/// Begins a solve: checks its arrays, and solves the problem by z = 0 where q = 0 and 0 is between all
/// bounds.
pub(crate) fn begin<P: BoxProblem>(
    problem: &P,
    z: &mut [f64],
    w: &mut [f64],
) -> Result<Option<SolveInfo>, ProblemError> {
    check_solve(problem.q(), z, w)?;
    let may_be_zero = |i: usize| {
        let (lower, upper) = problem.bounds(i);
        lower <= 0.0 && 0.0 <= upper
    };
    let is_without = problem.q().iter().enumerate().all(|(i, q)| *q == 0.0 && may_be_zero(i));
    Ok(if is_without { Some(solved_by_zero(z, w)) } else { None })
}

/// What a point is: `Converged` at or below the tolerance, `AtRoundingLevel` where rounding keeps it from
/// there, `Breakdown` when it is not finite, else `Stalled`; and never a success so far out that nothing of q
/// is left in w. `memory` is memory.
pub(crate) fn judge<P: BoxProblem>(
    problem: &P,
    tolerance: f64,
    z: &[f64],
    w: &[f64],
    error: f64,
    memory: &mut Vec<f64>,
) -> Status {
    if !error.is_finite() {
        return Status::Breakdown;
    }
    if is_lost(problem, z, memory) {
        return Status::Stalled;
    }
    if error <= tolerance {
        return Status::Converged;
    }
    if is_within_rounding(problem, z, w, memory) { Status::AtRoundingLevel } else { Status::Stalled }
}

/// Measures and judges points; holds memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    memory: Vec<f64>,
}

impl Verdict {
    /// Computes w, and what the point is with its error.
    pub(crate) fn of<P: BoxProblem>(
        &mut self,
        problem: &P,
        z: &[f64],
        w: &mut [f64],
        tolerance: f64,
    ) -> (Status, f64) {
        let error = error_of_point(problem, z, w);
        (self.judge(problem, z, w, error, tolerance), error)
    }

    /// What a point is whose w and error are known.
    pub(crate) fn judge<P: BoxProblem>(
        &mut self,
        problem: &P,
        z: &[f64],
        w: &[f64],
        error: f64,
        tolerance: f64,
    ) -> Status {
        judge(problem, tolerance, z, w, error, &mut self.memory)
    }
}

/// Whether a point solves the problem as exactly as floating point allows, and is not [lost](is_lost).
pub(crate) fn is_exact<P: BoxProblem>(problem: &P, z: &[f64], w: &[f64], memory: &mut Vec<f64>) -> bool {
    !is_lost(problem, z, memory) && is_within_rounding(problem, z, w, memory)
}

/// Whether every row holds up to what w = M z + q cannot be without.
fn is_within_rounding<P: BoxProblem>(problem: &P, z: &[f64], w: &[f64], memory: &mut Vec<f64>) -> bool {
    allowances(problem.m(), problem.q(), z, memory);
    z.iter().zip(w).zip(&*memory).enumerate().all(|(i, ((&z, &w), &allowed))| {
        let (lower, upper) = problem.bounds(i);
        (lower..=upper).contains(&z) && (w <= allowed || z == lower) && (w >= -allowed || z == upper)
    })
}

/// Whether unknowns between their bounds are so large that rounding in their part of M z covers a thousandth
/// of what the others and q make: whatever w is then, it says nothing. Along a ray with M z = 0 a point far
/// out would pass for a solution.
pub(crate) fn is_lost<P: BoxProblem>(problem: &P, z: &[f64], memory: &mut Vec<f64>) -> bool {
    let n = z.len();
    memory.resize(2 * n, 0.0);
    let largest_q = largest_magnitude(problem.q());
    // No term of M z exceeds the product of the norms, which takes a fraction of the time. The 2 covers the
    // rounding of all of this.
    if let (Some(of_m), Some(of_z)) = (problem.m().frobenius_norm(), norm_of_normal(z))
        && 2.0 * f64::EPSILON * of_m * of_z <= PART_LOST_IN_ROUNDING * largest_q
    {
        return false;
    }
    let (part, terms) = memory.split_at_mut(n);
    for (i, (part, z)) in part.iter_mut().zip(z).enumerate() {
        let (lower, upper) = problem.bounds(i);
        *part = if *z == lower || *z == upper { 0.0 } else { *z };
    }
    terms.fill(0.0);
    problem.m().add_absolute_product(part, terms);
    let rounding = f64::EPSILON * largest_magnitude(terms);
    if rounding <= PART_LOST_IN_ROUNDING * largest_q {
        return false;
    }
    part.iter_mut().zip(z).for_each(|(part, z)| *part = z - *part);
    terms.iter_mut().zip(problem.q()).for_each(|(terms, q)| *terms = q.abs());
    problem.m().add_absolute_product(part, terms);
    let given = largest_magnitude(terms);
    given > 0.0 && rounding > PART_LOST_IN_ROUNDING * given
}
