//! Conversion between solutions and vectors of unknowns on a grid, and interpolation between grids.

use super::super::DviSolution;
use super::super::initial_value::node;
use super::layout::Layout;

/// Interpolates the unknowns to a grid with a different number of steps. x is linear between nodes; u and the
/// multipliers are constant in each step.
pub(in super::super) fn prolong(coarse: &[f64], from: Layout, to: Layout) -> Vec<f64> {
    let mut fine = vec![0.0; to.size()];
    let ratio = from.steps as f64 / to.steps as f64;
    for k in 0..=to.steps {
        let place = k as f64 * ratio;
        // Step of the coarse grid that contains the node or ends at it.
        let step = (place.ceil() as usize).clamp(1, from.steps);
        let part = place - (step - 1) as f64;
        for i in 0..to.n {
            let (before, after) = (coarse[from.x(step - 1) + i], coarse[from.x(step) + i]);
            fine[to.x(k) + i] = before + part * (after - before);
        }
        if k > 0 {
            // The middle of the fine step selects the coarse step, so that rounding at a node has no effect.
            let step = (((k as f64 - 0.5) * ratio).ceil() as usize).clamp(1, from.steps);
            for j in 0..to.m + to.p {
                fine[to.u(k) + j] = coarse[from.u(step) + j];
            }
        }
    }
    fine
}

/// Returns the unknowns on a grid for an initial guess. The multipliers are 0.
pub(in super::super) fn of_guess(
    guess: Option<&DviSolution>,
    layout: Layout,
    (t0, h): (f64, f64),
) -> Vec<f64> {
    let mut z = vec![0.0; layout.size()];
    let Some(guess) = guess else { return z };
    for k in 0..=layout.steps {
        let x = guess.x_at(node(t0, h, k));
        z[layout.x(k)..layout.x(k) + layout.n].copy_from_slice(&x);
        if k > 0 {
            let u = guess.u_at(node(t0, h, k) - 0.5 * h);
            z[layout.u(k)..layout.u(k) + u.len()].copy_from_slice(&u);
        }
    }
    z
}

/// Converts the unknowns on a grid to a solution.
pub(in super::super) fn to_solution(z: &[f64], layout: Layout, (t0, h): (f64, f64)) -> DviSolution {
    let x = |k: usize| &z[layout.x(k)..layout.x(k) + layout.n];
    let mut solution = DviSolution::new(t0, x(0), layout.m);
    for k in 1..=layout.steps {
        solution.push(node(t0, h, k), x(k), &z[layout.u(k)..layout.u(k) + layout.m]);
    }
    solution
}
