//! Steps of one ADMM iteration, numbered as in the documentation of [`VelocityAdmm`].

use super::VelocityAdmm;
use crate::contact::bodies::BodiesProblem;

impl VelocityAdmm {
    pub(super) fn prepare(&mut self, problem: &BodiesProblem<'_>) {
        let law = problem.law();
        self.matrices.prepare(problem);
        self.matrices.masses(&law, &mut self.masses, &mut self.inverse_roots);
        let Self { z, z_new, r_new, velocity, shift, reaction, .. } = self;
        for memory in [z, z_new, r_new, velocity, shift, reaction] {
            memory.clear();
            memory.resize(problem.size(), 0.0);
        }
        self.solution.clear();
        self.solution.resize(problem.degrees_of_freedom(), 0.0);
    }

    /// Factorises the matrix of step (1). The penalty of each contact is `penalty` times its effective mass.
    /// Returns `false` if the matrix is singular.
    pub(super) fn factor(&mut self, problem: &BodiesProblem<'_>, penalty: f64) -> bool {
        let law = problem.law();
        self.rho.clear();
        self.rho.extend(self.masses.iter().map(|mass| penalty * mass));
        self.penalties.clear();
        for (block, &rho) in self.rho.iter().enumerate() {
            let d = law.range(block).len();
            self.penalties.extend((0..d * d).map(|k| if k % (d + 1) == 0 { rho } else { 0.0 }));
        }
        self.factors.factor(&self.matrices, &law, &self.penalties, true).is_ok()
    }

    /// Performs steps (1) and (2). Writes `r_new`, `z_new` and `velocity`, and writes v to `solution`.
    /// Returns the squares of the primal and dual residuals.
    pub(super) fn step(&mut self, problem: &BodiesProblem<'_>) -> (f64, f64) {
        let law = problem.law();
        for (block, &rho) in self.rho.iter().enumerate() {
            for j in law.range(block) {
                self.reaction[j] =
                    self.r_extrapolated[j] + rho * (self.z_extrapolated[j] - problem.q()[j] - self.shift[j]);
            }
        }
        self.solution.fill(0.0);
        problem.h().add_product(1.0, &self.reaction, &mut self.solution);
        self.factors.solve(&mut self.solution);
        self.velocity.copy_from_slice(problem.q());
        problem.h().add_transposed_product(1.0, &self.solution, &mut self.velocity);
        let (mut primal, mut dual) = (0.0, 0.0);
        let relaxation = self.settings.relaxation;
        for (block, &rho) in self.rho.iter().enumerate() {
            let range = law.range(block);
            let (z, r) = (&mut self.z_new[range.clone()], &mut self.r_new[range.clone()]);
            for (k, j) in range.clone().enumerate() {
                let shifted = self.velocity[j] + self.shift[j];
                let relaxed = relaxation * shifted + (1.0 - relaxation) * self.z_extrapolated[j];
                z[k] = relaxed - self.r_extrapolated[j] / rho;
                r[k] = -z[k];
            }
            law.project(block, r);
            for (k, j) in range.enumerate() {
                z[k] += r[k];
                r[k] *= rho;
                primal += (r[k] - self.r_extrapolated[j]).powi(2) / rho;
                dual += (z[k] - self.z_extrapolated[j]).powi(2) * rho;
            }
        }
        (primal, dual)
    }

    /// Performs step (4).
    pub(super) fn update_shift(&mut self, problem: &BodiesProblem<'_>) {
        let law = problem.law();
        if law.has_shift() {
            for block in 0..law.blocks() {
                let range = law.range(block);
                self.shift[range.start] = law.shift(block, &self.velocity[range.clone()]);
            }
        }
    }
}

/// Writes $x + \beta (x - x_{old})$ to `target`, where `new` holds x, `old` holds $x_{old}$ and `factor` is
/// $\beta$.
pub(super) fn extrapolate(new: &[f64], old: &[f64], factor: f64, target: &mut [f64]) {
    for ((target, new), old) in target.iter_mut().zip(new).zip(old) {
        *target = new + factor * (new - old);
    }
}
