//! Karush-Kuhn-Tucker system for a given set of active inequalities.

use siconos_linalg::{DenseLu, MatrixRef, square};

use super::AviProblem;

/// Karush-Kuhn-Tucker system $M z - H_A^T \lambda_A = -q$, $H_A z = K_A$ for a set A of active inequalities.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSystem {
    /// Indices of the active inequalities.
    pub(super) active: Vec<usize>,
    matrix: Vec<f64>,
    lu: DenseLu,
}

impl ActiveSystem {
    /// Selects the inequalities whose multiplier exceeds their slack.
    pub(super) fn choose(&mut self, lambda: &[f64], slack: &[f64]) {
        self.active.clear();
        self.active.extend((0..lambda.len()).filter(|&i| lambda[i] > slack[i]));
    }

    /// Returns the number of unknowns of the system.
    pub(super) fn size(&self, problem: &AviProblem<'_>) -> usize {
        problem.size() + self.active.len()
    }

    /// Factorises $[M, -H_A^T; H_A, 0]$. Returns `false` if M is not dense, or if the block matrix is
    /// singular, which is always so with more active inequalities than unknowns.
    pub(super) fn factor(&mut self, problem: &AviProblem<'_>) -> bool {
        let MatrixRef::Dense(m) = problem.m() else { return false };
        let (n, h, active) = (m.nrows(), problem.h(), &self.active);
        if active.len() > n {
            return false;
        }
        self.matrix.clear();
        for (i, row) in m.rows().into_iter().enumerate() {
            self.matrix.extend(row);
            self.matrix.extend(active.iter().map(|&a| -h[[a, i]]));
        }
        for &a in active {
            self.matrix.extend(h.row(a));
            self.matrix.resize(self.matrix.len() + active.len(), 0.0);
        }
        self.lu.factor(square(&self.matrix, n + active.len())).is_ok()
    }

    /// Writes to `step` the step in z and in the active multipliers after which the force
    /// $M z + q - H^T \lambda$ and the active slacks are 0.
    pub(super) fn write_step(&self, force: &[f64], slack: &[f64], step: &mut Vec<f64>) {
        step.clear();
        step.extend(force.iter().map(|f| -f));
        step.extend(self.active.iter().map(|&i| -slack[i]));
        self.lu.solve(step);
    }
}
