//! The stopping measure of contact problems, and what it makes of the point that a method ends with.

use siconos_linalg::{largest_magnitude, norm};

use super::scales::{BlockScale, Scales};
use super::violation::violation_square;
use super::{ContactLaw, ContactProblem};
use crate::info::{SolveInfo, Status};
use crate::rounding::PART_LOST_IN_ROUNDING;

/// The error of a pair $(r, u)$ with $u = W r + q$: by how much velocities violate the law, relative to the
/// free velocity,
///
/// $$ e = \max\bigl(x, \min(y, y^2)\bigr), \qquad x^2 = \frac{\sum_i v_i^2}{\sigma^2}, \qquad
///    y^2 = \sum_i \frac{v_i^2}{\sigma_i^2}, $$
///
/// as plain text max(x, min(y, y^2)) with x^2 = sum over blocks of v^2 / sigma^2, and y^2 = sum of v^2 /
/// sigma_i^2. $\sigma$ is the norm of q over the blocks that a zero reaction does not solve: a contact that
/// opens by itself, however fast, says nothing of the others. If there is none, it is the norm of q.
/// $\sigma_i$ is the same over the blocks that W couples with block $i$, directly or by a chain of others; if
/// that is below 64 epsilon of the norm of q, it is $\sigma$. So velocities hold to the tolerance relative to
/// those of the problem, and in each independent set of contacts to half of its digits relative to its own.
/// With one set, e = x.
///
/// With $R_i = d_i r_i$, a velocity, where $d_i$ \[1/kg\] is the mean diagonal of W over the normal and
/// tangential rows of the block, $v_i$ is the smaller of
///
/// - open: the norm of $R_i$ and $\min(u_N, 0)$;
/// - closed: the norm of $u_N$, $\min(R_N, 0)$ and $R_T - P_D(R_T - u_T)$, with the disc $D$ of radius
///   $\mu \max(R_N, 0)$.
///
/// Rolling moments are a further part beside $T$: they enter as $r_R / \mu_r$ and $\mu_r u_R$, with the
/// radius $R_N$, and $q_R$ as $\mu_r q_R$ (with $\mu_r = 0$, $u_R$ is left out, and a moment counts over the
/// radius of gyration $(d / W_{RR})^{1/2}$). Second-order cones have the natural map $R_i - P_K(R_i - u_i)$.
/// A block whose diagonal vanishes takes the mean $d$ of the others.
///
/// It vanishes exactly at solutions, for every coefficient, infinity included: what $v_i$ lists, taken off
/// $R_i$ and $u_i$, leaves a pair that satisfies the law. It is the same in all units of mass, length and
/// time, to the last bit where these change by powers of two. Reactions that run off along $W r = 0$ do not
/// make it small. Without free velocity ($q = 0$, which $r = 0$ solves) it is 0 at a solution and infinite
/// elsewhere. NaN when an entry is not finite.
///
/// Between it and the natural map $\lVert R - P_K(R - u - s e_N) \rVert$ on Coulomb's cone lies a factor of
/// at most $3 + \mu$. [`siconos_error`] is the number of Siconos, for comparison.
#[must_use]
pub fn error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    with_scales(problem, |scales| {
        relative_violation(&problem.law(), (scales.blocks(), scales.free_velocity()), r, u)
    })
}

/// Computes $u = W r + q$ into `u` and returns the [`error`] of the pair.
///
/// # Panics
///
/// When `r` or `u` has not the size of the problem.
#[track_caller]
pub fn error_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
    velocity_of_point(problem, r, u);
    error(problem, r, u)
}

/// $u = W r + q$.
pub(crate) fn velocity_of_point(problem: &ContactProblem<'_>, r: &[f64], u: &mut [f64]) {
    problem.w().write_affine(r, problem.q(), u);
}

/// What the violation is divided by.
pub(crate) fn scale(problem: &ContactProblem<'_>) -> f64 {
    with_scales(problem, Scales::free_velocity)
}

/// Looks at the scales of a problem: those that came with it, or such as are made for the occasion.
fn with_scales<R>(problem: &ContactProblem<'_>, look: impl FnOnce(&Scales) -> R) -> R {
    match problem.scales() {
        Some(scales) => look(scales),
        None => {
            let mut scales = Scales::default();
            scales.prepare(problem);
            look(&scales)
        }
    }
}

/// The norm of the violations of all blocks \[m/s\]; NaN when an entry is not finite.
pub(crate) fn violation(law: &ContactLaw<'_>, scales: &[BlockScale], r: &[f64], u: &[f64]) -> f64 {
    violations(law, scales, r, u).all.sqrt()
}

/// The violations of all blocks relative to this free velocity, and to half of the digits relative to that of
/// each independent set of contacts: see [`error`].
pub(crate) fn relative_violation(
    law: &ContactLaw<'_>,
    (scales, free_velocity): (&[BlockScale], f64),
    r: &[f64],
    u: &[f64],
) -> f64 {
    let squares = violations(law, scales, r, u);
    // Without free velocity nothing is divided by.
    if squares.all == 0.0 {
        return 0.0;
    }
    let of_sets = squares.relative.min(squares.relative.sqrt());
    let of_all = squares.all.sqrt() / free_velocity;
    // A NaN is none of the larger ones.
    if of_sets > of_all { of_sets } else { of_all }
}

/// Sums of the squares of violations.
#[derive(Clone, Copy, Debug, Default)]
struct Squares {
    /// As velocities.
    all: f64,
    /// Each relative to the free velocity of its set.
    relative: f64,
}

impl Squares {
    #[inline(always)]
    fn add(&mut self, square: f64, scale: &BlockScale) {
        if square != 0.0 {
            self.all += square;
            self.relative += square / (scale.free_velocity * scale.free_velocity);
        }
    }
}

fn violations(law: &ContactLaw<'_>, scales: &[BlockScale], r: &[f64], u: &[f64]) -> Squares {
    let squares = match law.uniform_dimension() {
        Some(2) => sum_of_squares::<2>(law, scales, r, u),
        Some(3) => sum_of_squares::<3>(law, scales, r, u),
        _ => {
            let mut squares = Squares::default();
            for (i, scale) in scales.iter().enumerate() {
                let range = law.range(i);
                squares.add(violation_square(law, i, *scale, &r[range.clone()], &u[range]), scale);
            }
            squares
        }
    };
    // A NaN may hide from the comparisons of a projection.
    let finite = |x: &[f64]| x.iter().all(|x| x.is_finite());
    if finite(r) && finite(u) { squares } else { Squares { all: f64::NAN, relative: f64::NAN } }
}

fn sum_of_squares<const D: usize>(
    law: &ContactLaw<'_>,
    scales: &[BlockScale],
    r: &[f64],
    u: &[f64],
) -> Squares {
    let mut squares = Squares::default();
    let blocks = scales.iter().zip(r.as_chunks::<D>().0.iter().zip(u.as_chunks::<D>().0));
    for (block, (scale, (r, u))) in blocks.enumerate() {
        squares.add(violation_square(law, block, *scale, r, u), scale);
    }
    squares
}

/// The error of Siconos (`fc3d_compute_error`, `rolling_fc3d_compute_error`, `soclcp_compute_error`), for
/// comparison: the natural map with $\rho = 1$ over a scale,
/// $\lVert r - P_K(r - u - s(u) e_N) \rVert / \sigma$, as plain text norm(r - P_K(r - u - s(u) e_N)) / sigma.
///
/// $\sigma$ is max(norm(q), norm(r), norm(u)) for friction in the plane and in space and for rolling friction
/// in space (no division when that vanishes); norm(q) for rolling friction in the plane; norm(q) + 1 for
/// second-order cones. NaN when an entry is not finite, or a coefficient: its shift is
/// $\mu \lVert u_T \rVert$.
///
/// It adds impulses to velocities: with W times k, bodies 1/k as heavy, the same motion has another error. No
/// solver stops by it.
#[doc(alias = "fc3d_compute_error")]
#[doc(alias = "fc2d_compute_error")]
#[doc(alias = "rolling_fc3d_compute_error")]
#[doc(alias = "soclcp_compute_error")]
#[must_use]
pub fn siconos_error(problem: &ContactProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    let q = norm(problem.q());
    let scale = match problem.law() {
        ContactLaw::Coulomb { .. } | ContactLaw::Rolling { dimension: 5, .. } => q.max(norm(r)).max(norm(u)),
        ContactLaw::Rolling { .. } => q,
        ContactLaw::SecondOrder { .. } => q + 1.0,
    };
    natural_map_norm(&problem.law(), r, u) / if scale > f64::EPSILON { scale } else { 1.0 }
}

/// The norm of $r - P_K(r - u - s(u) e_N)$; NaN when an entry is not finite.
pub(crate) fn natural_map_norm(law: &ContactLaw<'_>, r: &[f64], u: &[f64]) -> f64 {
    if law.has_infinite_friction() || r.iter().chain(u).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let of_block = |block: usize, x: &mut [f64]| {
        let range = law.range(block);
        let (r, u) = (&r[range.clone()], &u[range]);
        x.iter_mut().zip(r.iter().zip(u)).for_each(|(x, (r, u))| *x = r - u);
        x[0] -= law.shift(block, u);
        law.project(block, x);
        r.iter().zip(&*x).map(|(r, x)| (r - x).powi(2)).sum::<f64>()
    };
    // Contacts are small: only large cones need memory.
    let sum: f64 = (0..law.blocks())
        .map(|block| match law.range(block).len() {
            size @ ..=5 => of_block(block, &mut [0.0; 5][..size]),
            size => of_block(block, &mut vec![0.0; size]),
        })
        .sum();
    sum.sqrt()
}

/// The status of a point that a method took for a solution; any other but success means that it was mistaken.
pub(crate) fn judge(problem: &ContactProblem<'_>, r: &[f64], error: f64, tolerance: f64) -> Status {
    if !error.is_finite() {
        Status::Breakdown
    } else if error > tolerance {
        Status::Stalled
    } else if is_lost(problem, r) {
        Status::NotFound
    } else {
        Status::Converged
    }
}

/// What each row of a velocity is multiplied by to be a velocity that the law asks for: $\mu_r$ for rates of
/// rolling, 1 for the others.
fn levers<'a>(law: &'a ContactLaw<'_>) -> impl Iterator<Item = f64> + 'a {
    let mu_rolling = law.mu_rolling();
    (0..law.blocks()).flat_map(move |block| {
        let rolling = law.rows_of_velocity(block).end;
        let lever = mu_rolling.map_or(1.0, |mu| mu[block]);
        law.range(block).map(move |row| if row < rolling { 1.0 } else { lever })
    })
}

/// Whether reactions are so large that rounding in W r covers a thousandth of the free velocity of a contact
/// and of those coupled with it: whatever u is then, it says nothing.
fn is_lost(problem: &ContactProblem<'_>, r: &[f64]) -> bool {
    let law = problem.law();
    let impulses: f64 = match law {
        ContactLaw::Rolling { .. } => {
            let impulse = |(r, lever): (&f64, f64)| if *r == 0.0 { 0.0 } else { (r / lever).abs() };
            r.iter().zip(levers(&law)).map(impulse).sum()
        }
        _ => r.iter().map(|r| r.abs()).sum(),
    };
    with_scales(problem, |scales| {
        let covers = |terms: f64, free: f64| f64::EPSILON * terms > PART_LOST_IN_ROUNDING * free;
        let (largest_entry, least_free) =
            scales.blocks().iter().fold((0.0_f64, f64::INFINITY), |(a, b), scale| {
                (a.max(scale.largest), b.min(scale.free_velocity))
            });
        // In a semidefinite matrix no entry is larger than those of the diagonal: mostly that is enough to
        // know.
        if !covers(largest_entry * impulses, least_free) {
            return false;
        }
        let mut terms = vec![0.0; r.len()];
        problem.w().add_absolute_product(r, &mut terms);
        terms.iter_mut().zip(levers(&law)).for_each(|(term, lever)| *term *= lever);
        scales.blocks().iter().enumerate().any(|(block, scale)| {
            let largest = largest_magnitude(&terms[law.range(block)]);
            scale.free_velocity > 0.0 && covers(largest, scale.free_velocity)
        })
    })
}

/// A violation that rounding explains is a success up to this multiple of the tolerance, and none beyond.
pub(crate) const MOST_ROUNDING: f64 = 1000.0;

/// Units in the last place of the terms of a velocity that rounding may cost it.
const UNITS: f64 = 8.0;

/// What a method tells of the point that it ends with, by `ended`; computes u once more. A point above the
/// tolerance is [`Status::AtRoundingLevel`] when it violates no contact by more than a few units in the last
/// place of the terms of its velocity, and all together by no more than a thousand times the tolerance.
/// `terms` is memory.
pub(crate) fn conclude(
    problem: &ContactProblem<'_>,
    (r, u): (&[f64], &mut [f64]),
    tolerance: f64,
    (ended, iterations): (Status, usize),
    terms: &mut Vec<f64>,
) -> SolveInfo {
    let error = error_of_point(problem, r, u);
    let is_within = error > tolerance && error <= MOST_ROUNDING * tolerance;
    let may_be = !ended.is_success() && !matches!(ended, Status::NoSolution | Status::Breakdown);
    let is_exact =
        may_be && is_within && is_explained_by_rounding(problem, r, u, terms) && !is_lost(problem, r);
    let status = if is_exact { Status::AtRoundingLevel } else { ended };
    SolveInfo { status, iterations, error }
}

/// Whether every contact violates its law by no more than rounding in $|W| |r| + |q|$.
fn is_explained_by_rounding(
    problem: &ContactProblem<'_>,
    r: &[f64],
    u: &[f64],
    terms: &mut Vec<f64>,
) -> bool {
    let law = problem.law();
    terms.clear();
    terms.extend(problem.q().iter().map(|q| q.abs()));
    problem.w().add_absolute_product(r, terms);
    terms.iter_mut().zip(levers(&law)).for_each(|(term, lever)| *term *= lever);
    with_scales(problem, |scales| {
        scales.blocks().iter().enumerate().all(|(block, scale)| {
            let range = law.range(block);
            let violation = violation_square(&law, block, *scale, &r[range.clone()], &u[range.clone()]);
            violation.sqrt() <= UNITS * f64::EPSILON * norm(&terms[range])
        })
    })
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// The status of a point of one contact in the plane with rolling friction, with lengths in this unit:
    /// once as one within the tolerance, once as one at a hundred times it.
    fn verdicts(length: f64, (mu_rolling, spin): (f64, f64), r: [f64; 3]) -> [Status; 2] {
        let w = Array2::from_diag(&ndarray::array![1.0, 1.0, 4.0 / length.powi(2)]);
        let q = [-1.0, 0.0, spin / length];
        let mu_rolling = [mu_rolling * length];
        let law = ContactLaw::Rolling { dimension: 3, mu: &[0.5], mu_rolling: &mu_rolling };
        let problem = ContactProblem::new(&w, &q, law).expect("the parts fit");
        let r = [r[0], r[1], r[2] * length];
        let mut u = [0.0; 3];
        let error = error_of_point(&problem, &r, &mut u);
        let end = (Status::MaxIterations, 1);
        let concluded = conclude(&problem, (&r, &mut u), error / 100.0, end, &mut Vec::new());
        [judge(&problem, &r, 0.0, 1e-8), concluded.status]
    }

    #[test]
    fn verdicts_on_rolling_friction_have_no_unit() {
        let tiny = 64.0 * f64::EPSILON;
        for (rolling, r, expected) in [
            // Off by more than rounding, by no more than that, and so far out that nothing can be said.
            ((0.25, 0.0), [1.0 + tiny, 0.0, 0.0], [Status::Converged, Status::MaxIterations]),
            ((0.25, 0.0), [1.0 + 8.0 * f64::EPSILON, 0.0, 0.0], [Status::Converged, Status::AtRoundingLevel]),
            ((0.25, 0.0), [1e14, 0.0, 0.0], [Status::NotFound, Status::MaxIterations]),
            // A spin that the law does not ask for excuses nothing, however fast.
            ((0.0, 1e9), [1.0 + tiny, 0.0, 0.0], [Status::Converged, Status::MaxIterations]),
            ((0.0, 1e9), [1e14, 0.0, 0.0], [Status::NotFound, Status::MaxIterations]),
        ] {
            for length in [1.0, 1024.0, 2.0_f64.powi(-20)] {
                assert_eq!(verdicts(length, rolling, r), expected, "{length}: {rolling:?}, {r:?}");
            }
        }
    }
}
