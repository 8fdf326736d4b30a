//! Error of reactions and velocities for problems with W, and the acceptance test for results of methods.

use siconos_linalg::{largest_magnitude, norm};

use super::scales::{BlockScale, Scales};
use super::violation::violation_square;
use super::{ContactLaw, DelassusProblem};
use crate::info::{SolveInfo, Status, Stop};
use crate::rounding::PART_LOST_IN_ROUNDING;

/// Computes the [error](super::error) of the pair (r, u) for a problem with W.
pub(crate) fn error(problem: &DelassusProblem<'_>, r: &[f64], u: &[f64]) -> f64 {
    with_scales(problem, |scales| {
        relative_violation(&problem.law(), scales.blocks(), scales.free_velocity(), r, u)
    })
}

/// Writes $u = W r + q$ to `u`, and returns the [error](super::error) of the pair (r, u).
#[track_caller]
pub(crate) fn error_of_point(problem: &DelassusProblem<'_>, r: &[f64], u: &mut [f64]) -> f64 {
    velocity_of_point(problem, r, u);
    error(problem, r, u)
}

/// Writes $u = W r + q$ to `u`.
pub(crate) fn velocity_of_point(problem: &DelassusProblem<'_>, r: &[f64], u: &mut [f64]) {
    problem.w().write_affine(r, problem.q(), u);
}

/// Returns the norm of the free velocity. Violations of the law are divided by this norm.
pub(crate) fn scale(problem: &DelassusProblem<'_>) -> f64 {
    with_scales(problem, Scales::free_velocity)
}

/// Calls `look` with the scales of the problem: the attached scales, or scales computed for this call.
fn with_scales<R>(problem: &DelassusProblem<'_>, look: impl FnOnce(&Scales) -> R) -> R {
    match problem.scales() {
        Some(scales) => look(scales),
        None => {
            let mut scales = Scales::default();
            scales.prepare(problem);
            look(&scales)
        }
    }
}

/// Returns the norm of the violations of the law over all blocks \[m/s\], or NaN if an entry is not finite.
pub(crate) fn violation(law: &ContactLaw<'_>, scales: &[BlockScale], r: &[f64], u: &[f64]) -> f64 {
    violations(law, scales, r, u).all.sqrt()
}

/// Returns the relative violation of the law. It is the larger of two values: the violation relative to
/// `free_velocity`, and the violation relative to the free velocity of each independent set of contacts. The
/// latter is squared if it is below 1; see [`error`](super::error).
pub(crate) fn relative_violation(
    law: &ContactLaw<'_>,
    scales: &[BlockScale],
    free_velocity: f64,
    r: &[f64],
    u: &[f64],
) -> f64 {
    let squares = violations(law, scales, r, u);
    // If all violations are zero, the result is 0, even if the free velocity is 0.
    if squares.all == 0.0 {
        return 0.0;
    }
    let of_sets = squares.relative.min(squares.relative.sqrt());
    let of_all = squares.all.sqrt() / free_velocity;
    // If one of the two values is NaN, the comparison is false, and the result is `of_all`.
    if of_sets > of_all { of_sets } else { of_all }
}

/// Sums of the squares of violations over all blocks.
#[derive(Clone, Copy, Debug, Default)]
struct Squares {
    /// Sum of the squares of the violations \[m^2/s^2\].
    all: f64,
    /// Sum of the squares of the violations, each divided by the free velocity of its set of contacts \[-\].
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
    // A projection can turn a NaN into a finite number, so the input is tested for NaN separately.
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

/// Returns the norm of $r - P_K(r - u - s(u) e_N)$, or NaN if an entry or a coefficient of friction is not
/// finite.
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
    // Blocks with friction have at most five components. Only larger cones need an allocation.
    let sum: f64 = (0..law.blocks())
        .map(|block| match law.range(block).len() {
            size @ ..=5 => of_block(block, &mut [0.0; 5][..size]),
            size => of_block(block, &mut vec![0.0; size]),
        })
        .sum();
    sum.sqrt()
}

/// Problem data that are needed by the acceptance test.
pub(crate) trait Posed {
    fn law(&self) -> ContactLaw<'_>;

    fn q(&self) -> &[f64];

    /// Calls `look` with the scales of the problem and returns its result.
    fn with_scales<R>(&self, look: impl FnOnce(&Scales) -> R) -> R;

    /// Adds the magnitudes of the terms of W r to `terms`, that is, $|W| |r|$.
    fn add_magnitudes(&self, r: &[f64], terms: &mut [f64]);
}

impl Posed for DelassusProblem<'_> {
    fn law(&self) -> ContactLaw<'_> {
        self.law()
    }

    fn q(&self) -> &[f64] {
        self.q()
    }

    fn with_scales<R>(&self, look: impl FnOnce(&Scales) -> R) -> R {
        with_scales(self, look)
    }

    fn add_magnitudes(&self, r: &[f64], terms: &mut [f64]) {
        self.w().add_absolute_product(r, terms);
    }
}

/// Acceptance test. Returns the status of reactions that a method reports as a solution. The solution is
/// rejected unless the status is a success.
pub(crate) fn judge(problem: &impl Posed, r: &[f64], error: f64, tolerance: f64) -> Status {
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

/// Iterates over the factors that convert the entries of u to translational velocities: $\mu_r$ for rolling
/// components, and 1 for all other components.
fn levers<'a>(law: &'a ContactLaw<'_>) -> impl Iterator<Item = f64> + 'a {
    let mu_rolling = law.mu_rolling();
    (0..law.blocks()).flat_map(move |block| {
        let rolling = law.rows_of_velocity(block).end;
        let lever = mu_rolling.map_or(1.0, |mu| mu[block]);
        law.range(block).map(move |row| if row < rolling { 1.0 } else { lever })
    })
}

/// Returns `true` if, for at least one contact, the rounding error in W r exceeds a thousandth of the free
/// velocity of the contacts coupled with it. In this case, u is meaningless.
fn is_lost(problem: &impl Posed, r: &[f64]) -> bool {
    let law = problem.law();
    let impulses: f64 = match law {
        ContactLaw::Rolling { .. } => {
            let impulse = |(r, lever): (&f64, f64)| if *r == 0.0 { 0.0 } else { (r / lever).abs() };
            r.iter().zip(levers(&law)).map(impulse).sum()
        }
        _ => r.iter().map(|r| r.abs()).sum(),
    };
    problem.with_scales(|scales| {
        let covers = |terms: f64, free: f64| f64::EPSILON * terms > PART_LOST_IN_ROUNDING * free;
        let (largest_entry, least_free) =
            scales.blocks().iter().fold((0.0_f64, f64::INFINITY), |(a, b), scale| {
                (a.max(scale.largest), b.min(scale.free_velocity))
            });
        // No entry of a semidefinite matrix exceeds its largest diagonal entry. This cheap bound usually
        // suffices.
        if !covers(largest_entry * impulses, least_free) {
            return false;
        }
        let mut terms = vec![0.0; r.len()];
        problem.add_magnitudes(r, &mut terms);
        terms.iter_mut().zip(levers(&law)).for_each(|(term, lever)| *term *= lever);
        scales.blocks().iter().enumerate().any(|(block, scale)| {
            let largest = largest_magnitude(&terms[law.range(block)]);
            scale.free_velocity > 0.0 && covers(largest, scale.free_velocity)
        })
    })
}

/// A result at the level of rounding errors is accepted if its error is at most this multiple of the
/// tolerance.
pub(crate) const MOST_ROUNDING: f64 = 1000.0;

/// Rounding error allowed in a velocity, in units in the last place of the terms whose sum is the velocity.
const UNITS: f64 = 8.0;

/// Computes u and returns the result of a method that stops with the reactions `r`. `terms` is workspace.
pub(crate) fn conclude(
    problem: &DelassusProblem<'_>,
    r: &[f64],
    u: &mut [f64],
    tolerance: f64,
    stop: Stop,
    terms: &mut Vec<f64>,
) -> SolveInfo {
    let error = error_of_point(problem, r, u);
    conclude_at(problem, (r, u), error, tolerance, stop, terms)
}

/// Returns the result of a method that stops with the pair (r, u). The status is [`Status::AtRoundingLevel`]
/// under two conditions: the error is above the tolerance but at most a thousand times the tolerance, and no
/// contact violates its law by more than the rounding error of its velocity. `terms` is workspace.
pub(crate) fn conclude_at(
    problem: &impl Posed,
    (r, u): (&[f64], &[f64]),
    error: f64,
    tolerance: f64,
    stop: Stop,
    terms: &mut Vec<f64>,
) -> SolveInfo {
    let Stop { status: ended, iterations } = stop;
    let is_within = error > tolerance && error <= MOST_ROUNDING * tolerance;
    let may_be = !ended.is_success() && !matches!(ended, Status::NoSolution | Status::Breakdown);
    let is_exact =
        may_be && is_within && is_explained_by_rounding(problem, r, u, terms) && !is_lost(problem, r);
    let status = if is_exact { Status::AtRoundingLevel } else { ended };
    SolveInfo { status, iterations, error }
}

/// Returns `true` if no contact violates its law by more than the rounding error of $|W| |r| + |q|$.
fn is_explained_by_rounding(problem: &impl Posed, r: &[f64], u: &[f64], terms: &mut Vec<f64>) -> bool {
    let law = problem.law();
    terms.clear();
    terms.extend(problem.q().iter().map(|q| q.abs()));
    problem.add_magnitudes(r, terms);
    terms.iter_mut().zip(levers(&law)).for_each(|(term, lever)| *term *= lever);
    problem.with_scales(|scales| {
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

    /// Returns two statuses of the same reactions of one contact in the plane with rolling friction. The
    /// first is for an error within the tolerance, the second for an error of a hundred times the tolerance.
    /// `length` is the unit of length.
    fn verdicts(length: f64, (mu_rolling, spin): (f64, f64), r: [f64; 3]) -> [Status; 2] {
        let w = Array2::from_diag(&ndarray::array![1.0, 1.0, 4.0 / length.powi(2)]);
        let q = [-1.0, 0.0, spin / length];
        let mu_rolling = [mu_rolling * length];
        let law = ContactLaw::Rolling { dimension: 3, mu: &[0.5], mu_rolling: &mu_rolling };
        let problem = DelassusProblem::new((&w).into(), &q, law);
        let r = [r[0], r[1], r[2] * length];
        let mut u = [0.0; 3];
        let error = error_of_point(&problem, &r, &mut u);
        let stop = Stop { status: Status::MaxIterations, iterations: 1 };
        let concluded = conclude(&problem, &r, &mut u, error / 100.0, stop, &mut Vec::new());
        [judge(&problem, &r, 0.0, 1e-8), concluded.status]
    }

    #[test]
    fn verdicts_on_rolling_friction_have_no_unit() {
        let tiny = 64.0 * f64::EPSILON;
        for (rolling, r, expected) in [
            // The three results have a violation above rounding level, a violation at rounding level, and
            // reactions so large that u is meaningless.
            ((0.25, 0.0), [1.0 + tiny, 0.0, 0.0], [Status::Converged, Status::MaxIterations]),
            ((0.25, 0.0), [1.0 + 8.0 * f64::EPSILON, 0.0, 0.0], [Status::Converged, Status::AtRoundingLevel]),
            ((0.25, 0.0), [1e14, 0.0, 0.0], [Status::NotFound, Status::MaxIterations]),
            // With mu_rolling = 0, the law does not restrict the spin. Therefore a fast spin must not make a
            // violation acceptable.
            ((0.0, 1e9), [1.0 + tiny, 0.0, 0.0], [Status::Converged, Status::MaxIterations]),
            ((0.0, 1e9), [1e14, 0.0, 0.0], [Status::NotFound, Status::MaxIterations]),
        ] {
            for length in [1.0, 1024.0, 2.0_f64.powi(-20)] {
                assert_eq!(verdicts(length, rolling, r), expected, "{length}: {rolling:?}, {r:?}");
            }
        }
    }
}
