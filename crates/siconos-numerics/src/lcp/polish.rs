//! The last digits: one linear system on the active set that an approximate solution shows.

use super::{LcpProblem, error_of_point};
use crate::box_rows::is_lost;
use crate::linalg::{MatrixRef, NewtonMatrix, largest_magnitude};
use crate::own_response;

/// Solves $M_{\alpha\alpha} z_\alpha = -q_\alpha$, $z = 0$ elsewhere, on $\alpha = \lbrace i : M_{ii} z_i > w_i \rbrace$.
///
/// A principal block of a semidefinite matrix may be singular, and where the set is degenerate it often is. So the
/// block is shifted by a little, and the shift is taken back by steps of refinement, each a step of the proximal point
/// method (Rockafellar 1976), which converges when the system has a solution and the block is semidefinite.
#[derive(Clone, Debug, Default)]
pub(super) struct Polish {
    newton: NewtonMatrix,
    /// What each z does to its own row.
    responses: Vec<f64>,
    shift: f64,
    a: Vec<f64>,
    b: Vec<f64>,
    step: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    terms: Vec<f64>,
}

/// The shift as a multiple of the largest diagonal entry.
const SHIFT: f64 = 1e-9;
/// Steps of refinement.
const STEPS: usize = 6;
/// An index is active where M_ii z_i exceeds this times w_i; tried in turn.
const FACTORS: [f64; 3] = [1.0, 1e3, 1e-3];

impl Polish {
    /// Takes notice of a matrix, before [`improve`](Self::improve).
    pub(super) fn prepare(&mut self, m: MatrixRef<'_>, symmetric: bool) {
        self.newton.prepare(m.reborrow(), symmetric);
        own_response::write(m, &mut self.responses);
        self.shift = SHIFT * largest_magnitude(&self.responses);
    }

    /// Replaces `z` and `w` where that makes the error smaller; returns the error. Where z_i and w_i are both nearly zero
    /// the point does not show what is active: then those are left out, and after that all are taken in.
    pub(super) fn improve(
        &mut self,
        problem: &LcpProblem<'_>,
        tolerance: f64,
        mut error: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> f64 {
        for factor in FACTORS {
            self.choose(factor, z, w);
            error = self.solve_on_active(problem, error, z, w);
            if error <= tolerance {
                break;
            }
        }
        error
    }

    fn choose(&mut self, factor: f64, z: &[f64], w: &[f64]) {
        let is_active = |((z, w), d): ((&f64, &f64), &f64)| d * z > factor * w;
        self.b.clear();
        self.b.extend(z.iter().zip(w).zip(&self.responses).map(|i| f64::from(u8::from(is_active(i)))));
        self.a.clear();
        let rows = self.b.iter().zip(&self.responses);
        self.a.extend(rows.map(|(b, d)| if *b > 0.0 { self.shift } else { *d }));
    }

    fn solve_on_active(
        &mut self,
        problem: &LcpProblem<'_>,
        mut error: f64,
        z: &mut [f64],
        w: &mut [f64],
    ) -> f64 {
        if self.newton.factor(problem.m(), &self.a, &self.b).is_err() {
            return error;
        }
        self.z.clear();
        self.z.extend(z.iter().zip(&self.b).map(|(z, b)| z * b));
        self.w.clear();
        self.w.resize(z.len(), 0.0);
        error_of_point(problem, &self.z, &mut self.w);
        for _ in 0..STEPS {
            self.step.clear();
            self.step.extend(self.w.iter().zip(&self.b).map(|(w, b)| -w * b));
            if self.newton.solve(problem.m(), &mut self.step).is_err() {
                break;
            }
            for (z, step) in self.z.iter_mut().zip(&self.step) {
                *z = (*z + step).max(0.0);
            }
            let polished = error_of_point(problem, &self.z, &mut self.w);
            let is_better = polished < error;
            if is_better && !is_lost(problem, &self.z, &mut self.terms) {
                error = polished;
                z.copy_from_slice(&self.z);
                w.copy_from_slice(&self.w);
            } else {
                break;
            }
        }
        error
    }
}
