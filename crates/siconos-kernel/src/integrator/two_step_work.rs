//! Step of a two-step scheme for the positions of one linear Lagrangian system. The iteration matrix W
//! depends only on h.

use std::sync::Arc;

use ndarray::Array1;
use siconos_linalg::{FactoredMatrix, Matrix, SingularMatrix, add_scaled};

use super::mode::Mode;
use super::system_work::{Impulses, StepTimes};
use super::{ConstraintLevel, EquationRows, FactorError, Scheme};
use crate::model::LagrangianLinear;

/// Workspace of one system.
#[derive(Clone, Debug)]
pub(crate) struct TwoStepWorkspace {
    system: Arc<LagrangianLinear>,
    /// Implicitness parameter of the stiffness term; `None` in modal coordinates, where the motion is exact.
    theta: Option<f64>,
    w: FactoredMatrix,
    modes: Vec<Mode>,
    /// Diagonal of the mass matrix of a modal system; `per_mass` has its damping and stiffness divided by the
    /// mass.
    mass: Vec<f64>,
    per_mass: Vec<(f64, f64)>,
    /// Rows of the equation of motion; created when a nonlinear contact first acts on the system.
    rows: Option<Box<EquationRows>>,
}

impl TwoStepWorkspace {
    pub(super) fn new(system: &Arc<LagrangianLinear>, scheme: &Scheme) -> Self {
        let n = system.v0().len();
        let diagonal = |matrix: Option<&Matrix>| {
            let mut diagonal = vec![0.0; n];
            matrix.into_iter().for_each(|matrix| matrix.view().copy_diagonal(&mut diagonal));
            diagonal
        };
        let mass = diagonal(Some(system.mass()));
        let (damping, stiffness) = (diagonal(system.damping()), diagonal(system.stiffness()));
        let of_mode = |((c, k), m): ((f64, f64), &f64)| (c / m, k / m);
        let per_mass = damping.into_iter().zip(stiffness).zip(&mass).map(of_mode).collect();
        Self {
            system: Arc::clone(system),
            theta: (scheme.is.level == ConstraintLevel::Positions).then_some(scheme.theta_of_stiffness),
            w: FactoredMatrix::default(),
            modes: Vec::new(),
            mass,
            per_mass,
            rows: None,
        }
    }

    /// Factorises W for a step length.
    pub(super) fn prepare(&mut self, h: f64) -> Result<(), SingularMatrix> {
        match self.theta {
            Some(theta) => {
                let system = &self.system;
                let others = [(0.5 * h, system.damping()), (0.5 * theta * h * h, system.stiffness())];
                let others = others.into_iter().filter_map(|(factor, matrix)| Some((factor, matrix?.view())));
                let terms: Vec<_> = std::iter::once((1.0, system.mass().view())).chain(others).collect();
                self.w.factor_sum(&terms)
            }
            None => {
                self.modes.clear();
                self.modes.extend(self.per_mass.iter().map(|&mode| Mode::new(mode, h)));
                let entries = self.mass.iter().zip(&self.modes);
                let w: Array1<f64> = entries.map(|(m, mode)| 2.0 * m / (1.0 + mode.decay)).collect();
                self.w.factor_sum(&[(1.0, Matrix::from(w).view())])
            }
        }
    }

    /// Writes to `u_free` the mean velocity over the step if no contact acts. `u` is the mean velocity over
    /// the previous step, or the velocity at the start of the step if `is_first`.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        (q, u): (&[f64], &[f64]),
        is_first: bool,
        u_free: &mut [f64],
    ) -> Result<(), FactorError> {
        let h = step.h;
        self.system.external_force_into(step.begin, u_free);
        if self.theta.is_none() {
            for (i, out) in u_free.iter_mut().enumerate() {
                let force = *out / self.mass[i];
                *out = if is_first {
                    Mode::first_step(self.per_mass[i], (q[i], u[i]), force, h)
                        .map_err(FactorError::Exponential)?
                } else {
                    let Mode { decay, return_rate, drive } = self.modes[i];
                    decay * u[i] - return_rate / h * q[i] + h * drive * force
                };
            }
            return Ok(());
        }
        u_free.iter_mut().for_each(|x| *x *= h);
        for (matrix, x) in [(self.system.damping(), u), (self.system.stiffness(), q)] {
            matrix.into_iter().for_each(|matrix| matrix.add_product(-h, x, u_free));
        }
        self.w.solve(u_free);
        add_scaled(1.0, u, u_free);
        Ok(())
    }

    /// Computes the residual and the magnitudes of each row of the equation of motion, which is satisfied
    /// exactly by the impulse with the old Jacobian. The residual is due to the change of the Jacobian.
    pub(crate) fn equation_rows(
        &mut self,
        motion: (&[f64], &[f64]),
        impulses: Impulses<'_>,
    ) -> &EquationRows {
        self.rows.get_or_insert_default().write_exact(&self.w, motion, impulses)
    }

    /// Returns `true` if W depends on the step length, that is, if W is not M.
    pub(super) fn has_step_length(&self) -> bool {
        self.system.damping().is_some() || self.system.stiffness().is_some()
    }

    pub(super) fn factored(&self) -> &FactoredMatrix {
        &self.w
    }

    /// Returns an upper bound of the number of nonzero entries of W.
    pub(super) fn entries(&self) -> usize {
        let terms = [Some(self.system.mass()), self.system.damping(), self.system.stiffness()];
        terms.into_iter().flatten().map(|matrix| matrix.view().stored_entries()).sum()
    }

    pub(super) fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }
}
