//! W of the event-driven schemes: the mass matrix M(q) of a Lagrangian system, with the forces at a point of
//! the motion.

use siconos_linalg::{FactoredMatrix, SingularMatrix};

use super::Response;
use crate::model::dynamical_system::{LagrangianScratch, LagrangianSystem};
use crate::model::{At, Parameters};

/// The mass of one system, factorised.
#[derive(Clone, Debug)]
pub(crate) struct MassWork {
    system: LagrangianSystem,
    w: FactoredMatrix,
    scratch: LagrangianScratch,
    /// Whether M has been factorised and stays what it is.
    is_final: bool,
}

impl MassWork {
    pub(crate) fn new(system: LagrangianSystem) -> Self {
        let scratch = match &system {
            LagrangianSystem::General(system) => system.scratch(),
            LagrangianSystem::Linear(_) => LagrangianScratch::default(),
        };
        Self { system, w: FactoredMatrix::default(), scratch, is_final: false }
    }

    pub(crate) fn system(&self) -> &LagrangianSystem {
        &self.system
    }

    /// Whether M does not depend on q.
    pub(crate) fn is_constant(&self) -> bool {
        self.system.constant_mass().is_some()
    }

    /// Factorises M(q), unless it is known already.
    pub(crate) fn factor(&mut self, parameters: &Parameters, q: &[f64]) -> Result<(), SingularMatrix> {
        if self.is_final {
            return Ok(());
        }
        match (&self.system, self.system.constant_mass()) {
            (_, Some(mass)) => self.w.factor_sum(&[(1.0, mass.view())])?,
            (LagrangianSystem::General(system), None) => {
                system.mass_into(parameters, q, self.w.dense_mut(system.v0().len()));
                self.w.factor()?;
            }
            (LagrangianSystem::Linear(_), None) => {}
        }
        self.is_final = self.is_constant();
        Ok(())
    }

    /// Writes the forces on the right-hand side: $F = F_{ext} + T_L u_L - F_{int} - F_{gyr}$, or
    /// $F_{ext} - C v - K q$.
    pub(crate) fn forces_into(&mut self, (at, q, v): (At<'_>, &[f64], &[f64]), out: &mut [f64]) {
        match &self.system {
            LagrangianSystem::General(system) => {
                system.forces_into(at, q, v, &mut self.scratch, out);
            }
            LagrangianSystem::Linear(system) => system.forces_into((at, q, v), out),
        }
    }
}

impl Response for MassWork {
    fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }

    fn matrix(&self) -> (&FactoredMatrix, f64) {
        (&self.w, 1.0)
    }
}
