//! The test whether a point is a solution: its error, row by row, and what rounding makes of it.
//!
//! The norm of all residuals over the norm of q says little of a row whose terms are small beside those of
//! others, in another unit or in a problem of its own. So a point is tested in two ways, and its error is the
//! larger result.
//!
//! - *In each independent problem*, a set of rows that no chain of entries of M couples with others: the norm
//!   of the residuals over that of the q which the point 0 violates. It bounds the change of q that makes the
//!   point a solution. A point far out along a ray with M z = 0 does not pass, and a row that is far open
//!   gives no allowance to others.
//! - *In each row*: the residual over the terms of the row, |M| |z| + |q|. Where z_i has to move to its bound,
//!   all rows that it acts on are affected, and the change of each counts, over the terms of that row. This
//!   result does not change if a row, or a column, is multiplied by a number.

use super::BoxProblem;
use super::far_out::{FarOut, covers};
use super::measure::{Given, norm_wise_error};
use crate::info::Status;
use crate::linalg::{Components, are_finite, power_of_two_below};
use crate::own_response::{self, size_of_point};
use crate::rounding::UNITS;

/// Result of the [test](AcceptanceTest) of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Assessment {
    /// The error; NaN if the point is not finite.
    pub(crate) error: f64,
    /// The part of it that comes from norms over independent problems.
    norm_wise: f64,
    /// Rounding covers a thousandth of q: the point says nothing.
    pub(crate) is_lost: bool,
    /// Every row holds to a few units in the last place of its terms.
    is_exact: bool,
}

impl Assessment {
    const NOT_FINITE: Self = Self { error: f64::NAN, norm_wise: f64::NAN, is_lost: true, is_exact: false };

    /// `Converged` at or below the tolerance, `AtRoundingLevel` if rounding keeps the point from there,
    /// `Breakdown` if it is not finite, else `Stalled`; never a success for a point that says nothing.
    pub(crate) fn status(self, tolerance: f64) -> Status {
        match self {
            Self { error, .. } if !error.is_finite() => Status::Breakdown,
            Self { is_lost: true, .. } => Status::Stalled,
            Self { error, .. } if error <= tolerance => Status::Converged,
            Self { is_exact: true, .. } => Status::AtRoundingLevel,
            _ => Status::Stalled,
        }
    }
}

/// Tests points; holds memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct AcceptanceTest {
    components: Components,
    problems: Vec<IndependentProblem>,
    /// $|M| |z| + |q|$.
    terms: Vec<f64>,
    /// By row: $1 / (|M| |z| + |q|)$, or 0.
    inverse_terms: Vec<f64>,
    /// By unknown: the relative change of all rows that it acts on, for a change of it by 1.
    effects: Vec<f64>,
    diagonal: Vec<f64>,
    /// What each z does to its own row.
    responses: Vec<f64>,
    far_out: FarOut,
    /// The power of two that brings sizes near 1.
    factor: f64,
    /// Rows that fail.
    fails: Vec<bool>,
    /// The settled point and its w.
    settled: Vec<f64>,
    image: Vec<f64>,
}

/// Unknowns that may be moved to a bound.
#[derive(Clone, Copy, Debug)]
enum Near {
    /// The move changes no row that holds by more than the tolerance.
    InOtherRows,
    /// The distance from the bound is within the tolerance of what the norm-wise error is relative to.
    InNorm,
}

/// Times that unknowns are put at their bounds.
const ROUNDS: usize = 3;

/// Sums over the rows of an independent problem.
#[derive(Clone, Copy, Debug, Default)]
struct IndependentProblem {
    given: Given,
    /// What its residuals are relative to, and the sum of their squares.
    base: f64,
    residual: f64,
    largest_term: f64,
    largest_violated_q: f64,
    largest_q: f64,
}

impl IndependentProblem {
    /// The largest q that counts: the one that 0 violates, or any if 0 violates none.
    fn size_of_q(&self) -> f64 {
        if self.largest_violated_q > 0.0 { self.largest_violated_q } else { self.largest_q }
    }
}

impl AcceptanceTest {
    /// Computes w = M z + q into `w` and tests the point.
    pub(crate) fn of_point<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &mut [f64]) -> Assessment {
        problem.m().write_affine(z, problem.q(), w);
        self.of(problem, z, w)
    }

    /// The error that a method in progress looks at: the norm-wise part of it while that is above the
    /// tolerance, then the error of the point after [`settle`](Self::settle).
    pub(crate) fn error_by<P: BoxProblem>(
        &mut self,
        tolerance: f64,
        problem: &P,
        z: &[f64],
        w: &[f64],
    ) -> f64 {
        let error = norm_wise_error(problem, z, w);
        if error <= tolerance { self.settled(tolerance, problem, z, w).error } else { error }
    }

    /// Tests the point that a method ends with. If a row fails, unknowns in it that are [near](Near) a bound, or
    /// near 0 if they have none, are moved there, if that makes the point a solution: in such a row a method has
    /// left rounding, or the rest of its tolerance, in place of zeros.
    pub(crate) fn settle<P: BoxProblem>(
        &mut self,
        tolerance: f64,
        problem: &P,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Assessment {
        let settled = self.settled(tolerance, problem, z, w);
        if !self.settled.is_empty() {
            z.copy_from_slice(&self.settled);
            w.copy_from_slice(&self.image);
        }
        settled
    }

    /// Computes w = M z + q into `w`, and [settles](Self::settle) the point.
    pub(crate) fn settle_point<P: BoxProblem>(
        &mut self,
        tolerance: f64,
        problem: &P,
        z: &mut [f64],
        w: &mut [f64],
    ) -> Assessment {
        problem.m().write_affine(z, problem.q(), w);
        self.settle(tolerance, problem, z, w)
    }

    /// Leaves the settled point in memory, or nothing if the point itself is as good.
    fn settled<P: BoxProblem>(&mut self, tolerance: f64, problem: &P, z: &[f64], w: &[f64]) -> Assessment {
        let first = self.of(problem, z, w);
        self.settled.clear();
        if first.status(tolerance).is_success() || first.norm_wise > tolerance || first.is_lost {
            return first;
        }
        let (mut point, mut image) = (std::mem::take(&mut self.settled), std::mem::take(&mut self.image));
        let mut settled = None;
        for near in [Near::InOtherRows, Near::InNorm] {
            point.clear();
            point.extend_from_slice(z);
            image.clear();
            image.extend_from_slice(w);
            settled = self.move_to_bounds(near, tolerance, problem, (&mut point, &mut image));
            if settled.is_some() {
                break;
            }
        }
        if settled.is_none() {
            point.clear();
        }
        (self.settled, self.image) = (point, image);
        settled.unwrap_or(first)
    }

    /// Moves unknowns of rows that fail to their nearest bound, or to 0; the test of the point if it becomes a
    /// solution.
    fn move_to_bounds<P: BoxProblem>(
        &mut self,
        near: Near,
        tolerance: f64,
        problem: &P,
        (z, w): (&mut [f64], &mut [f64]),
    ) -> Option<Assessment> {
        self.find_terms(problem, z);
        for _ in 0..ROUNDS {
            let mut fails = std::mem::take(&mut self.fails);
            fails.clear();
            fails.resize(z.len(), false);
            self.for_each_violation(problem, z, w, |i, violation| fails[i] = violation > tolerance);
            // The effects on rows that do not fail.
            self.find_effects(problem, &fails);
            let mut has_moved = false;
            let labels = self.components.labels();
            problem.m().for_each_entry(|i, j, entry| {
                let target = nearest_bound(z[j], problem.bounds(j));
                if !fails[i] || entry == 0.0 || z[j] == target {
                    return;
                }
                let distance = (z[j] - target).abs();
                let is_near = match near {
                    Near::InOtherRows => distance * self.effects[j] <= tolerance,
                    Near::InNorm => {
                        let base = self.problems[labels[j]].base;
                        self.factor * self.responses[j] * distance <= tolerance * base
                    }
                };
                if is_near {
                    z[j] = target;
                    has_moved = true;
                }
            });
            self.fails = fails;
            if !has_moved {
                return None;
            }
            let tested = self.of_point(problem, z, w);
            if tested.status(tolerance).is_success() {
                return Some(tested);
            }
        }
        None
    }

    /// Tests a point with its w.
    pub(crate) fn of<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &[f64]) -> Assessment {
        if !are_finite(z) || !are_finite(w) {
            return Assessment::NOT_FINITE;
        }
        self.find_terms(problem, z);
        let largest = self.terms.iter().fold(0.0_f64, |a, x| a.max(*x));
        if !largest.is_finite() {
            return Assessment { error: f64::INFINITY, ..Assessment::NOT_FINITE };
        }
        self.components.find(problem.m());
        self.factor = 1.0 / power_of_two_below(largest);
        self.sum(problem);
        let norm_wise = self.error_of_problems(problem, z, w);
        let mut of_rows = 0.0_f64;
        let is_exact =
            self.for_each_violation(problem, z, w, |_, violation| of_rows = of_rows.max(violation));
        Assessment { error: norm_wise.max(of_rows), norm_wise, is_lost: self.is_lost(problem, z), is_exact }
    }

    /// Calls `visit` with every row that is violated and its relative violation; returns the terms of all rows.
    pub(crate) fn for_each_violated_row<P: BoxProblem>(
        &mut self,
        problem: &P,
        z: &[f64],
        w: &[f64],
        visit: impl FnMut(usize, f64),
    ) -> &[f64] {
        self.find_terms(problem, z);
        self.for_each_violation(problem, z, w, visit);
        &self.terms
    }

    /// Computes |M| |z| + |q|.
    fn find_terms<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) {
        self.terms.clear();
        self.terms.extend(problem.q().iter().map(|q| q.abs()));
        problem.m().add_absolute_product(z, &mut self.terms);
    }

    /// Sums over each independent problem.
    fn sum<P: BoxProblem>(&mut self, problem: &P) {
        let Self { components, problems, terms, factor, responses, .. } = self;
        problems.clear();
        problems.resize(components.count(), IndependentProblem::default());
        own_response::write(problem.m(), responses);
        let rows = components.labels().iter().zip(problem.q()).zip(terms).zip(&*responses).enumerate();
        for (i, (((label, q), terms), d)) in rows {
            let (sums, bounds) = (&mut problems[*label], problem.bounds(i));
            sums.given.add(*factor, *d, *q, bounds);
            sums.largest_term = sums.largest_term.max(*terms - q.abs());
            sums.largest_q = sums.largest_q.max(q.abs());
            if Given::is_violated(*q, bounds) {
                sums.largest_violated_q = sums.largest_violated_q.max(q.abs());
            }
        }
    }

    /// The largest norm-wise error of an independent problem. One without q, which 0 solves, has no scale of
    /// its own: it takes that of the whole problem, or the size of the point if that has none.
    fn error_of_problems<P: BoxProblem>(&mut self, problem: &P, z: &[f64], w: &[f64]) -> f64 {
        let Self { components, problems, factor, responses, .. } = self;
        let whole = problems.iter().fold(Given::default(), |sum, one| sum.and(&one.given)).scale();
        let whole = whole.unwrap_or_else(|| *factor * size_of_point(problem.m(), z, w));
        problems.iter_mut().for_each(|one| one.base = one.given.scale().unwrap_or(whole));
        let rows = components.labels().iter().zip(z).zip(w).zip(&*responses).enumerate();
        for (i, (((label, z), w), d)) in rows {
            let one = &mut problems[*label];
            one.residual += one.given.square(one.base, *factor, problem, (i, *d), (*z, *w));
        }
        let of_problem = |one: &IndependentProblem| match one.residual {
            0.0 => 0.0,
            residual => residual.sqrt() / one.base,
        };
        problems.iter().map(of_problem).fold(0.0, f64::max)
    }

    /// Calls `visit` with every row that is violated and its relative violation; returns `true` if all rows
    /// hold to rounding.
    fn for_each_violation<P: BoxProblem>(
        &mut self,
        problem: &P,
        z: &[f64],
        w: &[f64],
        mut visit: impl FnMut(usize, f64),
    ) -> bool {
        let allowed = UNITS * z.len() as f64 * f64::EPSILON;
        let (mut is_exact, mut has_effects) = (true, false);
        for (i, (&z, &w)) in z.iter().zip(w).enumerate() {
            let (lower, upper) = problem.bounds(i);
            let is_inside = (lower..=upper).contains(&z);
            let bound = if w > 0.0 { lower } else { upper };
            if is_inside && (w == 0.0 || z == bound) {
                continue;
            }
            let of_w = if w == 0.0 { 0.0 } else { w.abs() / self.terms[i] };
            if is_inside && (of_w <= allowed || bound.is_infinite()) {
                is_exact &= of_w <= allowed;
                visit(i, of_w);
                continue;
            }
            is_exact = false;
            if !has_effects {
                self.find_effects(problem, &[]);
                has_effects = true;
            }
            visit(i, self.violation(i, (z, w), (lower, upper)));
        }
        is_exact
    }

    /// The relative violation of a row whose z is not at the bound that w asks for.
    fn violation(&self, i: usize, (z, w): (f64, f64), (lower, upper): (f64, f64)) -> f64 {
        let (of_w, effect) = (w.abs() * self.inverse_terms[i], self.effects[i]);
        let nearest = z.max(lower).min(upper);
        if nearest != z {
            let at_nearest =
                if (w > 0.0 && nearest == lower) || (w < 0.0 && nearest == upper) { 0.0 } else { of_w };
            return at_nearest.max((z - nearest).abs() * effect);
        }
        let distance = if w > 0.0 { z - lower } else { upper - z };
        // What the move does to its own row is a violation as far as it turns the sign of w.
        let (own, inverse) = (self.diagonal[i], self.inverse_terms[i]);
        let of_others = distance * (effect - own.abs() * inverse).max(0.0);
        let of_own = (own * distance - w.abs()).max(0.0) * inverse;
        of_w.min(of_others + of_own)
    }

    /// Finds the effects on all rows but those that are left out.
    fn find_effects<P: BoxProblem>(&mut self, problem: &P, left_out: &[bool]) {
        let Self { terms, inverse_terms, effects, diagonal, .. } = self;
        inverse_terms.clear();
        inverse_terms.extend(terms.iter().map(|terms| if *terms > 0.0 { 1.0 / terms } else { 0.0 }));
        for (inverse, left_out) in inverse_terms.iter_mut().zip(left_out) {
            if *left_out {
                *inverse = 0.0;
            }
        }
        for memory in [&mut *effects, &mut *diagonal] {
            memory.clear();
            memory.resize(terms.len(), 0.0);
        }
        problem.m().add_absolute_transposed_product(inverse_terms, effects);
        problem.m().copy_diagonal(diagonal);
    }

    /// Returns `true` if the point is [far out](FarOut) beside what is given.
    fn is_lost<P: BoxProblem>(&mut self, problem: &P, z: &[f64]) -> bool {
        let Self { components, problems, far_out, .. } = self;
        let labels = components.labels();
        problems.iter().any(|one| covers(one.largest_term, one.size_of_q()))
            && far_out.is_lost(problem, z, |i| problems[labels[i]].largest_q > 0.0)
    }
}

/// The bound that is nearest to an unknown; 0 if it has none.
fn nearest_bound(z: f64, (lower, upper): (f64, f64)) -> f64 {
    match (lower.is_finite(), upper.is_finite()) {
        (false, false) => 0.0,
        (true, false) => lower,
        (false, true) => upper,
        (true, true) => {
            if z - lower <= upper - z {
                lower
            } else {
                upper
            }
        }
    }
}
