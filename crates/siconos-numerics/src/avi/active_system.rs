//! The conditions of Karush, Kuhn and Tucker with some inequalities as equations.

use siconos_linalg::{DenseLu, MatrixRef, square};

use super::AviProblem;

/// The system $M z - H_A^T \lambda_A = -q$, $H_A z = K_A$ of a set A of inequalities.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSystem {
    /// The set.
    pub(super) active: Vec<usize>,
    matrix: Vec<f64>,
    lu: DenseLu,
}

impl ActiveSystem {
    /// Chooses the inequalities whose multiplier exceeds their slack.
    pub(super) fn choose(&mut self, lambda: &[f64], slack: &[f64]) {
        self.active.clear();
        self.active.extend((0..lambda.len()).filter(|&i| lambda[i] > slack[i]));
    }

    /// Unknowns of the system.
    pub(super) fn size(&self, problem: &AviProblem<'_>) -> usize {
        problem.size() + self.active.len()
    }

    /// Factorises $[M, -H_A^T; H_A, 0]$; false when it is singular, as it is with more inequalities than
    /// unknowns, and when M is not dense.
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

    /// Writes the step in z and in the multipliers of the set that takes force and slack to 0.
    pub(super) fn write_step(&self, force: &[f64], slack: &[f64], step: &mut Vec<f64>) {
        step.clear();
        step.extend(force.iter().map(|f| -f));
        step.extend(self.active.iter().map(|&i| -slack[i]));
        self.lu.solve(step);
    }
}
