//! The stopping measure.

use super::{GenericMechanicalProblem, MechanicalLaw};
use crate::box_rows::{natural, nearest_to_zero};
use crate::contact::residual::{natural_map_norm, violation};
use crate::contact::scales::BlockScale;
use crate::error::{ProblemError, check_solve};
use crate::info::{SolveInfo, Status};
use crate::linalg::norm;
use crate::own_response::{relative, size_of_point, solved_by_zero};
use crate::rounding::{allowances, is_lost_in_rounding};

/// The error of a pair $(z, w)$ with $w = M z + q$: by how much all blocks together violate their laws, in
/// the unit of w,
///
/// $$ e = \frac{1}{\sigma} \Bigl( \sum_i v_i^2 \Bigr)^{1/2}, \qquad \sigma = \lVert q \rVert + \lVert d P(0) \rVert, $$
///
/// that is sqrt(sum over blocks of v^2) / (norm(q) + norm(d P(0))). With $d_k = |M_{kk}|$, what $z_k$ does to
/// its own row, $v_i$ is
///
/// - equality: the norm of $w_i$;
/// - complementarity: the norm of $\min(d z, w)$, as in [`lcp::error`](crate::lcp::error);
/// - relay: the norm of the middle ones of $d (z - l)$, $w$ and $d (z - u)$, as in
///   [`relay::error`](crate::relay::error);
/// - friction: the violation of [`contact::error`](crate::contact::error), with the mean $d$ of the block.
///
/// No $d_k$ is below $2^{-20}$ times their mean. Where $M_{kk} = 0$ the mean of the $|M_{kk}|$ that are not
/// takes its place; where all are, the mean of the $|M_{kl}|$ that are not. P(0) is 0 but for relays, where
/// it is the point between the bounds nearest to 0. Where $\sigma = 0$, so that z = 0 is a solution, the
/// error is relative to the larger of norm(w) and norm(d z). NaN when an entry is not finite.
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
    if z.iter().chain(w).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let squares: f64 = (0..problem.blocks()).map(|block| violation_square(problem, block, z, w)).sum();
    relative(squares.sqrt(), problem.scale(), || size_of_point(problem.m(), z, w))
}

/// What the error is relative to, by q and the laws.
pub(super) fn scale(problem: &GenericMechanicalProblem) -> f64 {
    let of_block = |(block, law): (usize, &MechanicalLaw)| match law {
        MechanicalLaw::Relay { lower, upper } => {
            let bounds = lower.iter().zip(upper).zip(&problem.responses()[problem.range(block)]);
            bounds.map(|((l, u), d)| (d * nearest_to_zero(*l, *u)).powi(2)).sum::<f64>()
        }
        _ => 0.0,
    };
    norm(problem.q()) + problem.laws().iter().enumerate().map(of_block).sum::<f64>().sqrt()
}

/// Begins a solve: checks its arrays, and solves the problem by z = 0 where nothing moves.
pub(super) fn begin(
    problem: &GenericMechanicalProblem,
    z: &mut [f64],
    w: &mut [f64],
) -> Result<Option<SolveInfo>, ProblemError> {
    check_solve(problem.q(), z, w)?;
    Ok((problem.scale() == 0.0).then(|| solved_by_zero(z, w)))
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
    error <= tolerance && !is_lost_in_rounding(problem.m(), problem.q(), z, terms)
}

/// What a method tells of the point that it ends with, by `ended`. A point above the tolerance is
/// [`Status::AtRoundingLevel`] when no block violates its law by more than a few units in the last place of
/// the terms of its w, and rounding leaves something of q in these. `terms` is memory.
pub(super) fn judge(
    problem: &GenericMechanicalProblem,
    (z, w): (&[f64], &[f64]),
    (ended, error): (Status, f64),
    terms: &mut Vec<f64>,
) -> Status {
    if !error.is_finite() {
        return ended;
    }
    if is_lost_in_rounding(problem.m(), problem.q(), z, terms) {
        return if ended.is_success() { Status::Stalled } else { ended };
    }
    if ended.is_success() {
        return ended;
    }
    allowances(problem.m(), problem.q(), z, terms);
    let is_exact =
        |block: usize| violation_square(problem, block, z, w).sqrt() <= norm(&terms[problem.range(block)]);
    if (0..problem.blocks()).all(is_exact) { Status::AtRoundingLevel } else { ended }
}

/// The square of the violation of the law of a block.
fn violation_square(problem: &GenericMechanicalProblem, block: usize, z: &[f64], w: &[f64]) -> f64 {
    let (law, range) = (&problem.laws()[block], problem.range(block));
    let (z, w, d) = (&z[range.clone()], &w[range.clone()], &problem.responses()[range]);
    match law {
        MechanicalLaw::Equality { .. } => w.iter().map(|w| w * w).sum(),
        MechanicalLaw::Complementarity { .. } => {
            z.iter().zip(w).zip(d).map(|((z, w), d)| (d * z).min(*w).powi(2)).sum()
        }
        MechanicalLaw::Relay { lower, upper } => {
            let parts = z.iter().zip(w).zip(d).zip(lower.iter().zip(upper));
            parts.map(|(((z, w), d), (l, u))| natural(*d, *z, *w, *l, *u).powi(2)).sum()
        }
        MechanicalLaw::Friction2 { .. }
        | MechanicalLaw::Friction3 { .. }
        | MechanicalLaw::Rolling3 { .. }
        | MechanicalLaw::Rolling5 { .. } => law.friction().map_or(f64::NAN, |law| {
            let scales = [BlockScale::of(&law, 0, |row| d[row])];
            violation(&law, &scales, z, w).powi(2)
        }),
    }
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
