//! The last digits: the conditions of Karush, Kuhn and Tucker once more, on the inequalities that turned out
//! active.
//!
//! The path is followed in coordinates of the first extreme point, whose numbers may be much larger than
//! those of the problem; what rounding that leaves is taken out in the coordinates of the problem itself.

use super::AviProblem;
use super::residual::error_in;
use crate::linalg::{DenseLu, MatrixRef, square};

/// The factorised system and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Polish {
    active: Vec<usize>,
    matrix: Vec<f64>,
    lu: DenseLu,
    step: Vec<f64>,
    z: Vec<f64>,
    lambda: Vec<f64>,
}

/// Steps of refinement.
const STEPS: usize = 3;

impl Polish {
    /// Solves $M z + q = H_A^T \lambda_A$, $H_A z = K_A$, with A the inequalities whose multiplier exceeds
    /// their slack, and replaces the point where that makes the error smaller; returns the error. `force` and
    /// `slack` are those of the point, and memory.
    pub(super) fn improve(
        &mut self,
        problem: &AviProblem<'_>,
        mut error: f64,
        (z, lambda): (&mut [f64], &mut [f64]),
        (force, slack): (&mut Vec<f64>, &mut Vec<f64>),
    ) -> f64 {
        self.active.clear();
        self.active.extend((0..lambda.len()).filter(|&i| lambda[i] > slack[i]));
        if !self.factor(problem) {
            return error;
        }
        let n = z.len();
        self.z.clear();
        self.z.extend_from_slice(z);
        self.lambda.clear();
        self.lambda.resize(lambda.len(), 0.0);
        self.active.iter().for_each(|&i| self.lambda[i] = lambda[i]);
        error_in(problem, &self.z, &self.lambda, force, slack);
        for _ in 0..STEPS {
            self.step.clear();
            self.step.extend(force.iter().map(|f| -f));
            self.step.extend(self.active.iter().map(|&i| -slack[i]));
            self.lu.solve(&mut self.step);
            self.z.iter_mut().zip(&self.step).for_each(|(z, d)| *z += d);
            for (&i, d) in self.active.iter().zip(&self.step[n..]) {
                self.lambda[i] = (self.lambda[i] + d).max(0.0);
            }
            let polished = error_in(problem, &self.z, &self.lambda, force, slack);
            if polished.is_nan() || polished >= error {
                break;
            }
            error = polished;
            z.copy_from_slice(&self.z);
            lambda.copy_from_slice(&self.lambda);
        }
        error
    }

    /// Factorises $[M, -H_A^T; H_A, 0]$; false when it is singular.
    fn factor(&mut self, problem: &AviProblem<'_>) -> bool {
        let MatrixRef::Dense(m) = problem.m() else { return false };
        let (n, h) = (m.nrows(), problem.h());
        let size = n + self.active.len();
        self.matrix.clear();
        for (i, row) in m.rows().into_iter().enumerate() {
            self.matrix.extend(row);
            self.matrix.extend(self.active.iter().map(|&a| -h[[a, i]]));
        }
        for &a in &self.active {
            self.matrix.extend(h.row(a));
            self.matrix.resize(self.matrix.len() + self.active.len(), 0.0);
        }
        self.lu.factor(square(&self.matrix, size)).is_ok()
    }
}
