//! Iterative refinement of points whose active set is in doubt, by quadratic programs for the correction.

use super::LcpProblem;
use super::scaled_program::{ACCURACIES, Scaled};
use crate::box_constraints::{Polish, write_image};
use crate::qp::interior_point::{Outcome, Program};

/// Maximum distance to a bound in the program for the correction, in units of the residual. Larger distances
/// are reduced to this value.
const FARTHEST: f64 = 1e4;
/// Maximum number of refinement steps.
const STEPS: usize = 4;
/// Maximum number of interior-point iterations per step.
const ITERATIONS: usize = 200;

/// Refines `point` by scaled iterative refinement (Weber, Sager, Gleixner 2019, algorithm 1). Each step
/// minimises the objective of `program` over corrections of `z`, in units of the residual, and polishes the
/// result. The steps end when the error is at or below the tolerance or does not decrease. Returns the error.
///
/// If $z_i$ and $w_i$ both vanish, an interior-point method finds only half of their digits. The program in
/// units of the residual finds half of the digits that are left.
pub(super) fn refine(
    problem: &LcpProblem<'_>,
    scaled: &Scaled,
    program: Program<'_>,
    polish: &mut Polish,
    tolerance: f64,
    point: PointWithError<'_>,
) -> f64 {
    let PointWithError { mut error, z, w } = point;
    for _ in 0..STEPS {
        if error <= tolerance {
            break;
        }
        let Some((next, next_w)) = corrected(problem, scaled, program, z, w) else { break };
        let refined = super::error(problem, &next, &next_w);
        if refined.is_nan() || refined >= error {
            break;
        }
        z.copy_from_slice(&next);
        w.copy_from_slice(&next_w);
        error = polish.improve(problem, tolerance, z, w);
    }
    error
}

/// Point z with its w and its error. A better point overwrites z and w.
#[derive(Debug)]
pub(super) struct PointWithError<'a> {
    pub(super) error: f64,
    pub(super) z: &'a mut [f64],
    pub(super) w: &'a mut [f64],
}

fn corrected(
    problem: &LcpProblem<'_>,
    scaled: &Scaled,
    program: Program<'_>,
    z: &[f64],
    w: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let (of_z, of_w) = (scaled.of_q / scaled.of_m, scaled.of_q);
    let residual = z.iter().zip(w).map(|(z, w)| (z / of_z).min(w / of_w).abs()).fold(0.0, f64::max);
    let (of_z, of_w) = (of_z * residual, of_w * residual);
    // Compute the gradient of z^T (M z + q), or of z^T M z / 2 + q^T z if w >= 0 is not a constraint.
    let with_w = program.b.len() > z.len();
    let mut linear = w.to_vec();
    if with_w {
        problem.m().add_transposed_product(1.0, z, &mut linear);
    }
    linear.iter_mut().for_each(|x| *x /= of_w);
    let mut b: Vec<_> = z.iter().map(|z| (z / of_z).min(FARTHEST)).collect();
    b.extend(w.iter().filter(|_| with_w).map(|w| (w / of_w).min(FARTHEST)));
    if linear.iter().chain(&b).any(|x| !x.is_finite()) {
        return None;
    }
    let answer = Program { linear: &linear, b: &b, ..program }.solve(ACCURACIES[0], ITERATIONS);
    if answer.outcome != Outcome::Point {
        return None;
    }
    let next: Vec<_> = z.iter().zip(&answer.x).map(|(z, d)| (z + of_z * d).max(0.0)).collect();
    let mut next_w = w.to_vec();
    write_image(problem, &next, &mut next_w);
    Some((next, next_w))
}
