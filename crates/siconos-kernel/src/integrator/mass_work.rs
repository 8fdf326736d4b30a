//! Mass matrix M(q) of a Lagrangian system, and the forces at given positions and velocities. In event-driven
//! and half-explicit schemes, the matrix W is M(q).

use siconos_linalg::{FactoredMatrix, SingularMatrix};

use super::Response;
use crate::model::dynamical_system::LagrangianScratch;
use crate::model::{At, DynamicalSystem, Parameters};

/// Factorised mass matrix of one Lagrangian system.
#[derive(Clone, Debug)]
pub(crate) struct MassWorkspace {
    system: DynamicalSystem,
    w: FactoredMatrix,
    scratch: LagrangianScratch,
    /// `true` if M is constant and has been factorised.
    is_final: bool,
}

impl MassWorkspace {
    pub(crate) fn new(system: &DynamicalSystem) -> Self {
        let scratch = match system {
            DynamicalSystem::Lagrangian(system) => system.scratch(),
            _ => LagrangianScratch::default(),
        };
        Self { system: system.clone(), w: FactoredMatrix::default(), scratch, is_final: false }
    }

    pub(crate) fn system(&self) -> &DynamicalSystem {
        &self.system
    }

    /// Returns `true` if M does not depend on q.
    pub(crate) fn is_constant(&self) -> bool {
        self.system.constant_mass().is_some()
    }

    /// Factorises M(q), unless it is constant and already factorised.
    pub(crate) fn factor(&mut self, parameters: &Parameters, q: &[f64]) -> Result<(), SingularMatrix> {
        if self.is_final {
            return Ok(());
        }
        if let Some(mass) = self.system.constant_mass() {
            self.w.factor_sum(&[(1.0, mass.view())])?;
        } else if let DynamicalSystem::Lagrangian(system) = &self.system {
            system.mass_into(parameters, q, self.w.dense_mut(system.v0().len()));
            self.w.factor()?;
        }
        self.is_final = self.is_constant();
        Ok(())
    }

    /// Writes the forces on the right-hand side of the equation of motion to `out`:
    /// $F = F_{ext} + T_L u_L - F_{int} - F_{gyr}$, or $F_{ext} - C v - K q$ for a linear system.
    pub(crate) fn forces_into(&mut self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        match &self.system {
            DynamicalSystem::Lagrangian(system) => system.forces_into(at, q, v, &mut self.scratch, out),
            DynamicalSystem::LagrangianLinear(system) => system.forces_into(at, q, v, out),
            _ => out.fill(0.0),
        }
    }
}

impl Response for MassWorkspace {
    fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }

    fn matrix(&self) -> (&FactoredMatrix, f64) {
        (&self.w, 1.0)
    }
}
