//! The last step of methods that come near a solution without ending at one: solve for its complementary basis.

use super::{LcpProblem, error_of_point};
use crate::linalg::NewtonMatrix;
use crate::rounding::is_lost_in_rounding;

/// Memory of [`polish`](Self::polish).
#[derive(Clone, Debug, Default)]
pub(super) struct LastBasis {
    of_z: Vec<f64>,
    of_w: Vec<f64>,
    candidate: Vec<f64>,
    step: Vec<f64>,
    scale: Vec<f64>,
}

/// Solves for the basis: the first is from scratch, the others are iterative refinement.
const SOLVES: usize = 5;

/// What is added to the diagonal when the basis is singular, relative to its largest entry; the repeated solves are then
/// steps of the proximal point method.
const SHIFT: f64 = 1e-8;

impl LastBasis {
    /// Solves for the complementary basis $\lbrace i : z_i > w_i \rbrace$ with the matrix of the problem prepared in
    /// `matrix`, and takes the solution when its error is less than that of the pair; returns the error of the pair that
    /// is then there, `w` = M z + q.
    pub(super) fn polish(
        &mut self,
        problem: &LcpProblem<'_>,
        matrix: &mut NewtonMatrix,
        z: &mut [f64],
        w: &mut [f64],
    ) -> f64 {
        let m = problem.m();
        let mut error = error_of_point(problem, z, w);
        let is_active = |(z, w): (&f64, &f64)| f64::from(u8::from(z > w));
        self.of_w.clear();
        self.of_w.extend(z.iter().zip(&*w).map(is_active));
        self.of_z.clear();
        self.of_z.extend(self.of_w.iter().map(|of_w| 1.0 - of_w));
        if matrix.factor(m, &self.of_z, &self.of_w).is_err() {
            self.step.clear();
            self.step.resize(z.len(), 0.0);
            m.copy_diagonal(&mut self.step);
            let largest = self.step.iter().fold(0.0_f64, |a, d| a.max(d.abs()));
            let shift = SHIFT * if largest > 0.0 { largest } else { 1.0 };
            self.of_z.iter_mut().zip(&self.of_w).for_each(|(of_z, of_w)| *of_z += shift * of_w);
            if matrix.factor(m, &self.of_z, &self.of_w).is_err() {
                return error;
            }
        }
        self.candidate.clear();
        self.candidate.extend(z.iter().zip(&self.of_w).map(|(z, of_w)| of_w * z.max(0.0)));
        for _ in 0..SOLVES {
            error_of_point(problem, &self.candidate, w);
            self.step.clear();
            self.step.extend(w.iter().zip(&self.of_w).map(|(w, of_w)| -of_w * w));
            if matrix.solve(m, &mut self.step).is_err() {
                break;
            }
            self.candidate.iter_mut().zip(&self.step).for_each(|(z, d)| *z = (*z + d).max(0.0));
            let polished = error_of_point(problem, &self.candidate, w);
            let is_better = polished < error;
            if !is_better || is_lost_in_rounding(m, problem.q(), &self.candidate, &mut self.scale) {
                break;
            }
            error = polished;
            z.copy_from_slice(&self.candidate);
        }
        error_of_point(problem, z, w)
    }
}
