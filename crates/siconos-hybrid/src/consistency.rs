//! Newton's method for consistent algebraic variables. It solves 0 = g(t, x, z, d) for z with x constant.

use ndarray::{Array2, ArrayViewMut2};
use siconos_linalg::DenseLu;
use siconos_ode::OdeSettings;

use super::{HybridError, HybridSystem, View};
use siconos_kernel::model::At;

/// Maximum number of Newton iterations.
const MOST_ITERATIONS: usize = 50;
/// Maximum number of times that a Newton step is halved because it would increase the residual.
const MOST_HALVINGS: usize = 30;

/// Newton's method ends if the size of a step is at most this multiple of the tolerance.
const LAST_STEP: f64 = 1e-3;

/// Relative change of a residual below which the change is treated as rounding error.
const LOST: f64 = 1.0 / (1_u64 << 44) as f64;

/// Growth factor of a finite-difference step. The step is lengthened if the changes of all residuals are only
/// rounding errors.
const LONGER: f64 = 64.0;
/// Maximum number of finite-difference steps per variable. It suffices to lengthen a step from the smallest
/// possible tolerance to the largest floating-point number.
const MOST_DIFFERENCES: usize = 360;

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Consistency {
    /// Derivative dg/dz.
    matrix: Array2<f64>,
    /// Derivatives of all equations with respect to all variables, if the user function provides them.
    full: Vec<f64>,
    lu: DenseLu,
    residual: Vec<f64>,
    trial: Vec<f64>,
    step: Vec<f64>,
    x: Vec<f64>,
}

impl Consistency {
    /// Solves the algebraic equations for z. The entries of z follow the states in `x`.
    pub(super) fn establish(
        &mut self,
        system: &HybridSystem,
        settings: &OdeSettings,
        at: At<'_>,
        discrete: &[f64],
        x: &mut [f64],
    ) -> Result<(), HybridError> {
        let Some(g) = &system.algebraic else { return Ok(()) };
        let (states, n) = (system.states(), system.names.len());
        let (count, t) = (n - states, at.t);
        for vector in [&mut self.residual, &mut self.trial, &mut self.step] {
            vector.clear();
            vector.resize(count, 0.0);
        }
        if self.matrix.dim() != (count, count) {
            self.matrix = Array2::zeros((count, count));
        }
        self.x.clear();
        self.x.extend_from_slice(x);
        let evaluate = |x: &[f64], out: &mut [f64]| g(View { at, x, discrete }, out);
        evaluate(&self.x, &mut self.residual);
        check_residual(system, t, &self.residual)?;
        for iteration in 0..MOST_ITERATIONS {
            self.linearise(system, settings, at, discrete);
            self.lu.factor_in_any_units(self.matrix.view()).map_err(|singular| {
                let column = match singular {
                    siconos_linalg::SingularMatrix::Pivot { column, .. } => column.min(count - 1),
                    siconos_linalg::SingularMatrix::Condition { .. } => 0,
                };
                HybridError::SingularIndex { variable: system.names[states + column].clone(), t }
            })?;
            if self.residual.iter().all(|value| *value == 0.0) {
                break;
            }
            self.step.copy_from_slice(&self.residual);
            self.lu.solve(&mut self.step);
            // The residuals can have different units, so the size of the Newton step is used instead of their
            // size.
            let size = |step: &[f64], x: &[f64]| {
                let parts = step
                    .iter()
                    .enumerate()
                    .map(|(k, dz)| dz.abs() / settings.weight(states + k, x[states + k]));
                parts.fold(0.0, f64::max)
            };
            let before = size(&self.step, &self.x);
            let mut length = 1.0;
            let mut halvings = 0;
            loop {
                for (k, dz) in self.step.iter().enumerate() {
                    self.x[states + k] -= length * dz;
                }
                evaluate(&self.x, &mut self.residual);
                self.trial.copy_from_slice(&self.residual);
                let is_finite = self.trial.iter().all(|value| value.is_finite());
                if is_finite {
                    self.lu.solve(&mut self.trial);
                    // Deuflhard's natural monotonicity test: the next step, computed with the same matrix,
                    // must be shorter.
                    if size(&self.trial, &self.x) <= (1.0 - 0.25 * length) * before || before <= LAST_STEP {
                        break;
                    }
                }
                if halvings == MOST_HALVINGS {
                    return Err(self.inconsistent(system, t, iteration + 1));
                }
                for (k, dz) in self.step.iter().enumerate() {
                    self.x[states + k] += length * dz;
                }
                length *= 0.5;
                halvings += 1;
            }
            if before <= LAST_STEP {
                break;
            }
            if iteration + 1 == MOST_ITERATIONS {
                return Err(self.inconsistent(system, t, MOST_ITERATIONS));
            }
        }
        x[states..].copy_from_slice(&self.x[states..]);
        Ok(())
    }

    /// Computes dg/dz, from the Jacobian of the user or by one-sided finite differences.
    fn linearise(&mut self, system: &HybridSystem, settings: &OdeSettings, at: At<'_>, discrete: &[f64]) {
        let (states, n) = (system.states(), system.names.len());
        let (count, rows) = (n - states, n - states + system.unknowns);
        if let Some(jacobian) = &system.jacobian {
            self.full.clear();
            self.full.resize(rows * n, 0.0);
            if let Ok(full) = ArrayViewMut2::from_shape((rows, n), &mut self.full) {
                jacobian(View { at, x: &self.x, discrete }, full);
            }
            for i in 0..count {
                for j in 0..count {
                    self.matrix[[i, j]] = self.full[(system.unknowns + i) * n + states + j];
                }
            }
            return;
        }
        let Some(g) = &system.algebraic else { return };
        self.matrix.fill(0.0);
        for j in 0..count {
            let z = self.x[states + j];
            let mut step = settings.difference_step(states + j, z);
            for _ in 0..MOST_DIFFERENCES {
                let moved = z + step;
                self.x[states + j] = moved;
                g(View { at, x: &self.x, discrete }, &mut self.trial);
                let all = self.trial.iter().zip(&self.residual);
                if all.clone().any(|(trial, _)| !trial.is_finite()) {
                    break;
                }
                for (entry, (trial, residual)) in self.matrix.column_mut(j).iter_mut().zip(all.clone()) {
                    *entry = (trial - residual) / (moved - z);
                }
                if all.into_iter().any(|(trial, residual)| (trial - residual).abs() > LOST * residual.abs()) {
                    break;
                }
                step *= LONGER;
            }
            self.x[states + j] = z;
        }
    }

    /// Returns the error that names the variable of the equation with the largest relative residual.
    fn inconsistent(&self, system: &HybridSystem, t: f64, iterations: usize) -> HybridError {
        let states = system.states();
        let size = |k: usize| {
            let row = self.matrix.row(k);
            let terms = row.iter().zip(&self.x[states..]).map(|(a, z)| (a * z).abs()).sum::<f64>();
            self.residual[k].abs() / terms.max(f64::MIN_POSITIVE)
        };
        let worst = (0..self.residual.len()).max_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(0);
        let variable = system.names[states + worst].clone();
        HybridError::Inconsistent { variable, residual: self.residual[worst], iterations, t }
    }
}

fn check_residual(system: &HybridSystem, t: f64, residual: &[f64]) -> Result<(), HybridError> {
    match residual.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(k) => {
            let variable = system.names[system.states() + k].clone();
            Err(HybridError::Rate { variable, value: residual[k], t })
        }
    }
}
