//! Residual of a row, and norm-wise error of a point.

use siconos_linalg::{are_finite, largest_magnitude, power_of_two_below};

use super::BoxProblem;
use crate::engine::check_solve;
use crate::error::ProblemError;
use crate::info::SolveInfo;
use crate::own_response::{for_each, size_of_point, solved_by_zero};

/// Returns the median of d (z - l), w and d (z - u), with the d of [`own_response`](crate::own_response).
///
/// A difference like z - max(0, z - w) would be 0 for every w if z is so large that z - w rounds to z.
#[inline]
pub(crate) fn natural(response: f64, z: f64, w: f64, lower: f64, upper: f64) -> f64 {
    // If the bounds are constants of the class, the compiler removes the unused branches.
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

/// Returns the value between the bounds that is nearest to 0.
pub(crate) fn nearest_to_zero(lower: f64, upper: f64) -> f64 {
    0.0_f64.max(lower).min(upper)
}

/// Returns the larger of two errors; NaN if one of them is NaN.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Returns the norm-wise error of the whole problem: the norm of [`natural`] divided by the norm of the data
/// of the rows that are violated at z = 0. It needs no matrix product, so methods can compute it in every
/// iteration. It is NaN if the point is not finite; `f64::min` would ignore a NaN and accept the point.
pub(crate) fn norm_wise_error<P: BoxProblem>(problem: &P, z: &[f64], w: &[f64]) -> f64 {
    let given = |factor: f64| {
        let mut given = Given::default();
        for_each(problem.m(), |i, d| given.add(factor, d, problem.q()[i], problem.bounds(i)));
        given
    };
    let residual = |given: &Given, base: f64, factor: f64| {
        let mut sum = 0.0;
        for_each(problem.m(), |i, d| sum += given.square(base, factor, problem, i, d, (z[i], w[i])));
        sum
    };
    norm_wise(problem, z, w, given, residual)
}

/// Returns the [`norm_wise_error`] for given factors d.
pub(crate) fn norm_wise_error_by<P: BoxProblem>(responses: &[f64], problem: &P, z: &[f64], w: &[f64]) -> f64 {
    let given = |factor: f64| {
        let mut given = Given::default();
        let rows = responses.iter().zip(problem.q()).enumerate();
        rows.for_each(|(i, (d, q))| given.add(factor, *d, *q, problem.bounds(i)));
        given
    };
    let residual = |given: &Given, base: f64, factor: f64| {
        let rows = responses.iter().zip(z).zip(w).enumerate();
        let square = |(i, ((d, z), w)): (usize, ((&f64, &f64), &f64))| {
            given.square(base, factor, problem, i, *d, (*z, *w))
        };
        rows.map(square).sum()
    };
    norm_wise(problem, z, w, given, residual)
}

#[inline(always)]
fn norm_wise<P: BoxProblem>(
    problem: &P,
    z: &[f64],
    w: &[f64],
    given: impl Fn(f64) -> Given,
    residual: impl Fn(&Given, f64, f64) -> f64,
) -> f64 {
    if !are_finite(z) || !are_finite(w) {
        return f64::NAN;
    }
    let (mut factor, mut sums) = (1.0, given(1.0));
    if sums.is_out_of_range() {
        factor = 1.0 / power_of_two_below(largest_magnitude(problem.q()).max(largest_magnitude(w)));
        sums = given(factor);
    }
    let base = sums.scale().unwrap_or_else(|| factor * size_of_point(problem.m(), z, w));
    match residual(&sums, base, factor).sqrt() {
        0.0 => 0.0,
        residual => residual / base,
    }
}

/// Returns the scale of the [`norm_wise_error`]; 0 if q is 0 and 0 is within all bounds.
pub(super) fn scale<P: BoxProblem>(problem: &P) -> f64 {
    let mut given = Given::default();
    for_each(problem.m(), |i, d| given.add(1.0, d, problem.q()[i], problem.bounds(i)));
    given.scale().unwrap_or(0.0)
}

/// Computes w = M z + q into `w`.
pub(crate) fn write_image<P: BoxProblem>(problem: &P, z: &[f64], w: &mut [f64]) {
    problem.m().write_affine(z, problem.q(), w);
}

/// Sums of squares of the data to which residuals are relative. These are the q of the rows that are violated
/// at z = 0, and the bounds nearest to 0 where 0 is outside the bounds. If no row is violated at z = 0, all
/// of q is used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Given {
    violated: f64,
    of_bounds: f64,
    open: f64,
}

/// Range outside which sums of squares may have lost terms to overflow or underflow.
const RANGE: std::ops::Range<f64> = 1e-250..1e250;

impl Given {
    /// Adds the data of a row with the given d, q and bounds. q and the bounds are first multiplied by
    /// `factor`.
    #[inline(always)]
    pub(super) fn add(&mut self, factor: f64, d: f64, q: f64, bounds: (f64, f64)) {
        self.add_as(Self::is_violated(q, bounds), factor, d, q, bounds);
    }

    /// Adds the data of a row as [`add`](Self::add) does. `is_violated` must be `true` if the row is violated
    /// at z = 0.
    #[inline(always)]
    pub(crate) fn add_as(
        &mut self,
        is_violated: bool,
        factor: f64,
        d: f64,
        q: f64,
        (lower, upper): (f64, f64),
    ) {
        let square = (factor * q).powi(2);
        if is_violated {
            self.violated += square;
            if lower > 0.0 || upper < 0.0 {
                self.of_bounds += (factor * d * nearest_to_zero(lower, upper)).powi(2);
            }
        } else {
            self.open += square;
        }
    }

    /// Returns `true` if the bounds do not allow w = q at z = 0.
    #[inline(always)]
    pub(crate) fn is_violated(q: f64, (lower, upper): (f64, f64)) -> bool {
        let is_at_lower = q >= 0.0 && lower == 0.0 && upper >= 0.0;
        let is_at_upper = q <= 0.0 && upper == 0.0 && lower <= 0.0;
        !is_at_lower && !is_at_upper
    }

    /// Returns the sums over the union of two disjoint sets of rows.
    pub(crate) fn and(self, other: &Self) -> Self {
        Self {
            violated: self.violated + other.violated,
            of_bounds: self.of_bounds + other.of_bounds,
            open: self.open + other.open,
        }
    }

    /// Returns the size of the data, or `None` if it is 0.
    pub(crate) fn scale(&self) -> Option<f64> {
        let violated = self.violated.sqrt() + self.of_bounds.sqrt();
        let scale = if violated > 0.0 { violated } else { self.open.sqrt() };
        (scale > 0.0).then_some(scale)
    }

    /// Returns `true` if a row is violated at z = 0.
    pub(crate) fn has_violated(&self) -> bool {
        self.violated + self.of_bounds > 0.0
    }

    /// Returns the square of the residual of row i, which the caller divides by the square of `base`. In a
    /// row that is not violated at z = 0, the effective divisor is `base`^2 + q_i^2, because q_i can have a
    /// different unit.
    #[inline(always)]
    pub(super) fn square<P: BoxProblem>(
        &self,
        base: f64,
        factor: f64,
        problem: &P,
        i: usize,
        d: f64,
        (z, w): (f64, f64),
    ) -> f64 {
        let (q, (lower, upper)) = (problem.q()[i], problem.bounds(i));
        let square = (factor * natural(d, z, w, lower, upper)).powi(2);
        if square == 0.0 || !self.has_violated() || Self::is_violated(q, (lower, upper)) {
            return square;
        }
        square / (1.0 + (factor * q / base).powi(2))
    }

    /// Returns `true` if the sums may have lost some of their terms.
    pub(super) fn is_out_of_range(&self) -> bool {
        let violated = self.violated + self.of_bounds;
        !RANGE.contains(&if violated > 0.0 { violated } else { self.open })
    }
}

/// Checks the arguments of a solve. If q = 0 and 0 is within all bounds, writes the solution z = 0 and
/// returns its result.
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
