//! The stopping measure.

use siconos_linalg::{MatrixRef, norm};

use super::scales::bounds;
use super::{GenericMechanicalProblem, MechanicalLaw};
use crate::box_rows::{AcceptanceTest, BoxProblem, natural};
use crate::contact::residual::{natural_map_norm, violation};
use crate::contact::scales::BlockScale;
use crate::engine::check_solve;
use crate::error::ProblemError;
use crate::info::{SolveInfo, Status};
use crate::own_response::{relative, size_of_point, solved_by_zero};
use crate::rounding::{PART_LOST_IN_ROUNDING, allowances};

/// The error of a pair $(z, w)$ with $w = M z + q$: by how much the blocks violate their laws. It is the
/// larger of two numbers.
///
/// - The norm of the violations, in the unit of w, over that of q:
///
///   $$ \Bigl( \sum_i \frac{v_i^2}{\sigma_i^2} \Bigr)^{1/2}, $$
///
/// as plain text sqrt(sum of v^2 / sigma^2). With $d_k = |M_{kk}|$, what $z_k$ does to its own row, $v_i$ is
/// the norm of $w_i$ for equalities, of $\min(d z, w)$ for complementarity, of the middle ones of
/// $d (z - l)$, $w$ and $d (z - u)$ for relays, and the violation of
/// [`contact::error`](crate::contact::error) for friction, with the mean $d$ of the block. No $d_k$ is below
/// $2^{-20}$ times their mean; if $M_{kk} = 0$ the mean of the $|M_{kk}|$ that are not takes its place; if
/// all are, the mean of the $|M_{kl}|$ that are not. $\sigma_i$ is the norm of q, and of what the bounds of
/// relays keep away from 0, $d P(0)$, over the rows that M couples with row $i$, directly or by a chain of
/// others, and that $z = 0$ violates; in a row that it does not violate, $q_i$ counts as well. If it violates
/// none, $\sigma_i$ is the norm of q over the coupled rows, and if that is 0 over the problem.
/// - In each row of a law other than friction, the violation that [`lcp::error`](crate::lcp::error) has.
///
/// If q = 0 and no bound keeps z away from 0, so that z = 0 is a solution, the first is relative to the
/// larger of norm(w) and norm(d z). NaN when an entry is not finite.
///
/// It vanishes exactly at solutions, and is the same in every unit of z and of w. The measure of Siconos is
/// [`siconos_error`].
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    assert_eq!((z.len(), w.len()), (problem.size(), problem.size()), "lengths of z and w");
    error_with(&mut AcceptanceTest::default(), problem, z, w)
}

/// Computes the [`error`] with memory at hand.
fn error_with(test: &mut AcceptanceTest, problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    let (of_rows, norm_wise) = (row_wise(problem, z, w, test), norm_wise(problem, z, w));
    // A NaN is none of the larger ones.
    if of_rows > norm_wise { of_rows } else { norm_wise }
}

/// Computes w = M z + q into `w` and the [`error`], with memory at hand.
pub(super) fn error_of_point_with(
    test: &mut AcceptanceTest,
    problem: &GenericMechanicalProblem,
    z: &[f64],
    w: &mut [f64],
) -> f64 {
    problem.m().write_affine(z, problem.q(), w);
    error_with(test, problem, z, w)
}

/// The [`error`] as far as `tolerance` asks: its norm-wise part alone, which costs no product, if that is
/// above.
pub(super) fn error_by(
    tolerance: f64,
    problem: &GenericMechanicalProblem,
    z: &[f64],
    w: &[f64],
    test: &mut AcceptanceTest,
) -> f64 {
    let norm_wise = norm_wise(problem, z, w);
    if norm_wise <= tolerance { norm_wise.max(row_wise(problem, z, w, test)) } else { norm_wise }
}

fn norm_wise(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let scales = problem.scales();
    let of_blocks = |scale: &dyn Fn(usize) -> f64| {
        let squares = |block| violation_square(problem, block, (z, w), scale);
        (0..problem.blocks()).map(squares).sum::<f64>().sqrt()
    };
    if scales.whole() > 0.0 {
        return of_blocks(&|row| scales.of_rows()[row]);
    }
    relative(of_blocks(&|_| 1.0), 0.0, || size_of_point(problem.m(), z, w))
}

/// The rows of laws other than friction, with the reactions of contacts given.
struct OtherRows<'a> {
    problem: &'a GenericMechanicalProblem,
    z: &'a [f64],
}

impl BoxProblem for OtherRows<'_> {
    fn m(&self) -> MatrixRef<'_> {
        self.problem.m()
    }

    fn q(&self) -> &[f64] {
        self.problem.q()
    }

    fn bounds(&self, i: usize) -> (f64, f64) {
        let block = self.problem.block_of(i);
        match &self.problem.laws()[block] {
            law if law.friction().is_some() => (self.z[i], self.z[i]),
            law => bounds(law, i - self.problem.range(block).start),
        }
    }
}

/// The largest violation of a row of a law other than friction.
fn row_wise(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64], test: &mut AcceptanceTest) -> f64 {
    test.of_rows(&OtherRows { problem, z }, z, w)
}

/// Begins a solve: checks its arrays, and solves the problem by z = 0 where nothing moves.
pub(super) fn begin(
    problem: &GenericMechanicalProblem,
    z: &mut [f64],
    w: &mut [f64],
) -> Result<Option<SolveInfo>, ProblemError> {
    check_solve(problem.q(), z, w)?;
    Ok((problem.scales().whole() == 0.0).then(|| solved_by_zero(z, w)))
}

/// Computes $w = M z + q$ into `w` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `z` or `w` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &GenericMechanicalProblem, z: &[f64], w: &mut [f64]) -> f64 {
    problem.m().write_affine(z, problem.q(), w);
    error(problem, z, w)
}

/// Whether a point is a solution: its error is at or below the tolerance, and rounding leaves something of q
/// in its w. `terms` is memory.
pub(super) fn is_solution(
    problem: &GenericMechanicalProblem,
    z: &[f64],
    (error, tolerance): (f64, f64),
    terms: &mut Vec<f64>,
) -> bool {
    error <= tolerance && !is_lost(problem, z, terms)
}

/// Returns `true` if rounding in $|M| |z|$ reaches a thousandth of q in a set of rows that are coupled: along
/// a ray with
/// $M z = 0$ a point far out would pass for a solution. `terms` is memory.
fn is_lost(problem: &GenericMechanicalProblem, z: &[f64], terms: &mut Vec<f64>) -> bool {
    terms.clear();
    terms.resize(z.len(), 0.0);
    problem.m().add_absolute_product(z, terms);
    problem.scales().exceed(terms, PART_LOST_IN_ROUNDING / f64::EPSILON)
}

/// What a method tells of the point that it ends with, by `ended`. A point above the tolerance is
/// [`Status::AtRoundingLevel`] when no block violates its law by more than a few units in the last place of
/// the terms of its w, and rounding leaves something of q in these. `terms` is memory.
pub(super) fn judge(
    problem: &GenericMechanicalProblem,
    (z, w): (&[f64], &[f64]),
    ended: Status,
    error: f64,
    terms: &mut Vec<f64>,
) -> Status {
    if !error.is_finite() {
        return ended;
    }
    if is_lost(problem, z, terms) {
        return if ended.is_success() { Status::Stalled } else { ended };
    }
    if ended.is_success() {
        return ended;
    }
    allowances(problem.m(), problem.q(), z, terms);
    let is_exact = |block: usize| {
        violation_square(problem, block, (z, w), &|_| 1.0).sqrt() <= norm(&terms[problem.range(block)])
    };
    if (0..problem.blocks()).all(is_exact) { Status::AtRoundingLevel } else { ended }
}

/// The square of the violation of the law of a block, each row over its scale; for friction that of the
/// first.
fn violation_square(
    problem: &GenericMechanicalProblem,
    block: usize,
    (z, w): (&[f64], &[f64]),
    scale: &dyn Fn(usize) -> f64,
) -> f64 {
    let (law, range) = (&problem.laws()[block], problem.range(block));
    let first = range.start;
    let (z, w, d) = (&z[range.clone()], &w[range.clone()], &problem.responses()[range]);
    if let Some(law) = law.friction() {
        let blocks = [BlockScale::of(&law, 0, |row| d[row])];
        return match violation(&law, &blocks, z, w) {
            0.0 => 0.0,
            violation => (violation / scale(first)).powi(2),
        };
    }
    let rows = z.iter().zip(w).zip(d).enumerate();
    let square = |(place, ((z, w), d)): (usize, ((&f64, &f64), &f64))| {
        let (lower, upper) = bounds(law, place);
        match natural(*d, *z, *w, lower, upper) {
            0.0 => 0.0,
            residual => (residual / scale(first + place)).powi(2),
        }
    };
    rows.map(square).sum()
}

/// The error as `gmp_compute_error` of Siconos has it, so that results are comparable: the largest of the
/// errors of the blocks, which are max-norm(w) for equality and norm(z - P(z - w)) / (1 + norm(q)) for the
/// others, with q of the block. P is the projection onto the positive numbers, the bounds of a relay or
/// Coulomb's cone, with w shifted by $\mu \lVert w_T \rVert$ for friction. NaN when an entry is not finite.
///
/// It depends on the units of z and of w. No solver stops by it.
#[doc(alias = "gmp_compute_error")]
#[must_use]
pub fn siconos_error(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    (0..problem.blocks()).map(|block| siconos_error_of_block(problem, block, z, w)).fold(0.0, f64::max)
}

fn siconos_error_of_block(problem: &GenericMechanicalProblem, block: usize, z: &[f64], w: &[f64]) -> f64 {
    let (law, range) = (&problem.laws()[block], problem.range(block));
    let (z, w, q) = (&z[range.clone()], &w[range.clone()], &problem.q()[range]);
    let map = match law {
        MechanicalLaw::Equality { .. } => return w.iter().fold(0.0, |a, w| w.abs().max(a)),
        MechanicalLaw::Complementarity { .. } => {
            z.iter().zip(w).map(|(z, w)| z.min(*w).powi(2)).sum::<f64>().sqrt()
        }
        MechanicalLaw::Relay { lower, upper } => {
            let bounds = lower.iter().zip(upper);
            let parts = z.iter().zip(w).zip(bounds);
            parts.map(|((z, w), (l, u))| natural(1.0, *z, *w, *l, *u).powi(2)).sum::<f64>().sqrt()
        }
        MechanicalLaw::Friction2 { .. }
        | MechanicalLaw::Friction3 { .. }
        | MechanicalLaw::Rolling3 { .. }
        | MechanicalLaw::Rolling5 { .. } => {
            law.friction().map_or(f64::NAN, |law| natural_map_norm(&law, z, w))
        }
    };
    map / (1.0 + norm(q))
}
