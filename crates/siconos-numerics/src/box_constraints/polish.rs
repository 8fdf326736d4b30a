//! Polishing: one linear system on the active set of an approximate solution.

use siconos_linalg::{MatrixRef, NewtonMatrix, largest_magnitude};

use super::BoxProblem;
use super::acceptance::AcceptanceTest;
use super::residual::write_image;
use crate::own_response;

/// Solver for the active set of a point. Let $\alpha$ be the set of unknowns that are between their bounds
/// according to the point, $d_i (z_i - l_i) > w_i > d_i (z_i - u_i)$. The solver sets all other unknowns to
/// their bounds and solves $w_\alpha = 0$.
///
/// A principal block of a semidefinite matrix may be singular, and often is if the active set is degenerate.
/// Therefore the block is shifted slightly, and steps of refinement remove the effect of the shift. Each
/// refinement step is a step of the proximal point method (Rockafellar 1976), which converges if the system
/// has a solution and the block is semidefinite.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polish {
    newton: NewtonMatrix,
    /// Factors $d_i$ that convert $z_i$ to the unit of $w_i$; see [`own_response`](crate::own_response).
    responses: Vec<f64>,
    shift: f64,
    a: Vec<f64>,
    b: Vec<f64>,
    step: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    test: AcceptanceTest,
}

/// Shift as a multiple of the largest diagonal entry.
const SHIFT: f64 = 1e-9;
/// Number of refinement steps.
const STEPS: usize = 6;
/// Factors by which w is multiplied before it is compared with the distances to the bounds, tried in turn.
const FACTORS: [f64; 3] = [1.0, 1e3, 1e-3];

impl Polish {
    /// Analyses a matrix; must be called before [`improve`](Self::improve).
    pub(crate) fn prepare(&mut self, m: MatrixRef<'_>, symmetric: bool) {
        self.newton.prepare(m.reborrow(), symmetric);
        own_response::write(m, &mut self.responses);
        self.shift = SHIFT * largest_magnitude(&self.responses);
    }

    /// Replaces `z` and `w` if this reduces the error, and returns the error. If an unknown is nearly at its
    /// bound and its w is nearly zero, the point does not determine the active set. A second attempt
    /// therefore fixes all such unknowns at their bounds, and a third attempt releases all of them.
    pub(crate) fn improve<P: BoxProblem>(
        &mut self,
        problem: &P,
        tolerance: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> f64 {
        let mut error = self.test.of(problem, z, w).error;
        for factor in FACTORS {
            self.choose(problem, factor, z, w);
            error = self.solve_on_active(problem, error, z, w);
            if error <= tolerance {
                break;
            }
        }
        error
    }

    /// Decides for each unknown whether it is at a bound, according to the point. If it is, sets it to this
    /// bound; otherwise sets its entry of `b` to 1.
    fn choose<P: BoxProblem>(&mut self, problem: &P, factor: f64, z: &[f64], w: &[f64]) {
        for memory in [&mut self.a, &mut self.b, &mut self.z] {
            memory.clear();
        }
        for (i, ((&z, w), &d)) in z.iter().zip(w).zip(&self.responses).enumerate() {
            let (lower, upper) = problem.bounds(i);
            let w = factor * w;
            let (z, is_between) = if d * (z - lower) <= w {
                (lower, false)
            } else if d * (z - upper) >= w {
                (upper, false)
            } else {
                (z, true)
            };
            self.z.push(z);
            self.b.push(f64::from(u8::from(is_between)));
            self.a.push(if is_between { self.shift } else { d });
        }
    }

    fn solve_on_active<P: BoxProblem>(
        &mut self,
        problem: &P,
        mut error: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> f64 {
        if self.newton.factor(problem.m(), &self.a, &self.b).is_err() {
            return error;
        }
        self.w.clear();
        self.w.resize(z.len(), 0.0);
        write_image(problem, &self.z, &mut self.w);
        for _ in 0..STEPS {
            self.step.clear();
            self.step.extend(self.w.iter().zip(&self.b).map(|(w, b)| -w * b));
            if self.newton.solve(problem.m(), &mut self.step).is_err() {
                break;
            }
            for (i, (z, step)) in self.z.iter_mut().zip(&self.step).enumerate() {
                let (lower, upper) = problem.bounds(i);
                *z = (*z + step).max(lower).min(upper);
            }
            let polished = self.test.of_point(problem, &self.z, &mut self.w);
            if polished.error < error && !polished.is_lost {
                error = polished.error;
                z.copy_from_slice(&self.z);
                w.copy_from_slice(&self.w);
            } else {
                break;
            }
        }
        error
    }
}
