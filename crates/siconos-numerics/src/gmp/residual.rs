//! Error of a candidate solution, which the solvers use as their stopping test.

use siconos_linalg::{MatrixRef, norm};

use super::scales::bounds;
use super::{GenericMechanicalProblem, MechanicalLaw};
use crate::box_constraints::{AcceptanceTest, BoxProblem, natural};
use crate::contact::residual::{natural_map_norm, violation};
use crate::contact::scales::BlockScale;
use crate::engine::check_solve;
use crate::error::ProblemError;
use crate::info::{SolveInfo, Status};
use crate::own_response::{relative, size_of_point, solved_by_zero};
use crate::rounding::{PART_LOST_IN_ROUNDING, allowances};

/// Returns the error of a pair $(z, w)$ with $w = M z + q$, that is the amount by which the blocks violate
/// their laws. It is the larger of two values.
///
/// - The norm of the violations, in the unit of w, relative to the norm of q:
///
///   $$ \Bigl( \sum_i \frac{v_i^2}{\sigma_i^2} \Bigr)^{1/2}, $$
///
///   as plain text sqrt(sum of v^2 / sigma^2). The response of row k to its own unknown is $d_k = |M_{kk}|$.
///   The violation $v_i$ is the norm of $w_i$ for equalities, of $\min(d z, w)$ for complementarity, of the
///   median of $d (z - l)$, $w$ and $d (z - u)$ for relays, and the violation of
///   [`contact::error`](crate::contact::error) for friction, with the mean $d$ of the block. A $d_k$ is at
///   least $2^{-20}$ times the mean of the nonzero $|M_{kk}|$. If $M_{kk} = 0$, this mean replaces it, and if
///   the whole diagonal is 0, the mean of the nonzero $|M_{kl}|$.
///
///   $\sigma_i$ is the norm of q plus the norm of $d P(0)$, where $P(0)$ is the point nearest to 0 within the
///   bounds of relays. Both norms are taken over the rows that are violated at $z = 0$ and that M couples
///   with row $i$, directly or through other rows. If row $i$ is not violated at $z = 0$, $\sigma_i^2$ is
///   increased by $q_i^2$. If none of the coupled rows is violated at $z = 0$, $\sigma_i$ is the norm of q
///   over the coupled rows. If this norm is 0, $\sigma_i$ is computed from the whole problem.
/// - The largest violation in a row of a law other than friction, computed as in
///   [`lcp::error`](crate::lcp::error).
///
/// If q = 0 and 0 is within all bounds, z = 0 is a solution. The first value is then relative to the larger
/// of norm(w) and norm(d z). The error is NaN if an entry is not finite.
///
/// The error vanishes exactly at solutions, and does not depend on the units of z and w. [`siconos_error`] is
/// the error as Siconos defines it.
///
/// # Panics
///
/// If the length of `z` or `w` differs from the size of the problem.
#[track_caller]
#[must_use]
pub fn error(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    assert_eq!((z.len(), w.len()), (problem.size(), problem.size()), "lengths of z and w");
    error_with(&mut AcceptanceTest::default(), problem, z, w)
}

/// Computes the [`error`] with the workspace `test`.
fn error_with(test: &mut AcceptanceTest, problem: &GenericMechanicalProblem, z: &[f64], w: &[f64]) -> f64 {
    let (of_rows, norm_wise) = (row_wise(problem, z, w, test), norm_wise(problem, z, w));
    // Unlike `f64::max`, this returns a NaN in `norm_wise`.
    if of_rows > norm_wise { of_rows } else { norm_wise }
}

/// Computes w = M z + q into `w` and returns the [`error`], with the workspace `test`.
pub(super) fn error_of_point_with(
    test: &mut AcceptanceTest,
    problem: &GenericMechanicalProblem,
    z: &[f64],
    w: &mut [f64],
) -> f64 {
    problem.m().write_affine(z, problem.q(), w);
    error_with(test, problem, z, w)
}

/// Returns the [`error`] as exactly as `tolerance` requires: only its norm-wise part, which costs no product,
/// if this part is above the tolerance.
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

/// Rows of laws other than friction, with the reactions of contacts fixed.
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

/// Returns the largest violation in a row of a law other than friction.
fn row_wise(problem: &GenericMechanicalProblem, z: &[f64], w: &[f64], test: &mut AcceptanceTest) -> f64 {
    test.of_rows(&OtherRows { problem, z }, z, w)
}

/// Starts a solve: checks the lengths of its arrays, and returns the solution z = 0 if the scale of the
/// problem is 0.
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
/// If the length of `z` or `w` differs from the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &GenericMechanicalProblem, z: &[f64], w: &mut [f64]) -> f64 {
    problem.m().write_affine(z, problem.q(), w);
    error(problem, z, w)
}

/// Returns `true` if a point is a solution: its error is at or below the tolerance, and rounding errors in w
/// do not hide q. `terms` is workspace.
pub(super) fn is_solution(
    problem: &GenericMechanicalProblem,
    z: &[f64],
    (error, tolerance): (f64, f64),
    terms: &mut Vec<f64>,
) -> bool {
    error <= tolerance && !is_lost(problem, z, terms)
}

/// Returns `true` if rounding in $|M| |z|$ exceeds a thousandth of q in a set of coupled rows. Without this
/// test, a point far out on a ray with $M z = 0$ would be accepted as a solution. `terms` is workspace.
fn is_lost(problem: &GenericMechanicalProblem, z: &[f64], terms: &mut Vec<f64>) -> bool {
    terms.clear();
    terms.resize(z.len(), 0.0);
    problem.m().add_absolute_product(z, terms);
    problem.scales().exceed(terms, PART_LOST_IN_ROUNDING / f64::EPSILON)
}

/// Returns the status of the point at which a method stops with the status `ended`. A point above the
/// tolerance is [`Status::AtRoundingLevel`] if no block violates its law by more than a few units in the last
/// place of the terms of its w, and rounding errors in w do not hide q. `terms` is workspace.
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

/// Returns the square of the violation of the law of a block, with each row divided by its scale. For
/// friction, the scale of the first row applies to the whole block.
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

/// Returns the error that `gmp_compute_error` of Siconos computes, to compare results with Siconos: the
/// largest error of a block, which is max-norm(w) for equality and norm(z - P(z - w)) / (1 + norm(q)) for the
/// other laws, with q of the block. P is the projection onto the nonnegative numbers, the bounds of a relay
/// or Coulomb's cone, with w shifted by $\mu \lVert w_T \rVert$ for friction. NaN if an entry is not finite.
///
/// It depends on the units of z and of w. No solver uses it as a stopping test.
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
