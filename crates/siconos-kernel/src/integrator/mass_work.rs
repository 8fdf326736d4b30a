//! W of the event-driven schemes: the mass matrix M(q) of a Lagrangian system, with the forces at a point of
//! the motion.

use siconos_numerics::linalg::{FactoredMatrix, Matrix, SingularMatrix};

use super::Response;
use crate::model::dynamical_system::LagrangianScratch;
use crate::model::{At, DynamicalSystem, Lagrangian, LagrangianLinear, Parameters};

/// The mass of one system, factorised.
#[derive(Clone, Debug)]
pub(crate) struct MassWork {
    w: FactoredMatrix,
    scratch: LagrangianScratch,
    /// Whether M has been factorised and stays what it is.
    is_final: bool,
}

/// A Lagrangian system, general or linear.
#[derive(Clone, Copy)]
pub(crate) enum LagrangianRef<'a> {
    General(&'a Lagrangian),
    Linear(&'a LagrangianLinear),
}

impl<'a> LagrangianRef<'a> {
    /// `None` for a first-order system.
    pub(crate) fn of(system: &'a DynamicalSystem) -> Option<Self> {
        match system {
            DynamicalSystem::Lagrangian(system) => Some(Self::General(system)),
            DynamicalSystem::LagrangianLinear(system) => Some(Self::Linear(system)),
            _ => None,
        }
    }

    /// M, if it does not depend on q.
    fn constant_mass(self) -> Option<&'a Matrix> {
        match self {
            Self::General(system) => system.constant_mass(),
            Self::Linear(system) => Some(system.mass()),
        }
    }

    /// Whether M does not depend on q.
    pub(crate) fn has_constant_mass(self) -> bool {
        self.constant_mass().is_some()
    }
}

impl MassWork {
    pub(crate) fn new(system: LagrangianRef<'_>) -> Self {
        let scratch = match system {
            LagrangianRef::General(system) => system.scratch(),
            LagrangianRef::Linear(_) => LagrangianScratch::default(),
        };
        Self { w: FactoredMatrix::default(), scratch, is_final: false }
    }

    /// Factorises M(q), unless it is known already.
    pub(crate) fn factor(
        &mut self,
        system: LagrangianRef<'_>,
        parameters: &Parameters,
        q: &[f64],
    ) -> Result<(), SingularMatrix> {
        if self.is_final {
            return Ok(());
        }
        match (system.constant_mass(), system) {
            (Some(mass), _) => self.w.factor_sum(&[(1.0, mass.view())])?,
            (None, LagrangianRef::General(system)) => {
                system.mass_into(parameters, q, self.w.dense_mut(q.len()));
                self.w.factor()?;
            }
            (None, LagrangianRef::Linear(_)) => {}
        }
        self.is_final = system.has_constant_mass();
        Ok(())
    }

    /// Writes the forces on the right-hand side: $F = F_{ext} + T_L u_L - F_{int} - F_{gyr}$, or
    /// $F_{ext} - C v - K q$.
    pub(crate) fn forces_into(
        &mut self,
        system: LagrangianRef<'_>,
        (at, q, v): (At<'_>, &[f64], &[f64]),
        out: &mut [f64],
    ) {
        match system {
            LagrangianRef::General(system) => {
                system.forces_into(at, q, v, &mut self.scratch, out);
                out.iter_mut().for_each(|f| *f = -*f);
            }
            LagrangianRef::Linear(system) => {
                system.external_force_into(at, out);
                if let Some(damping) = system.damping() {
                    damping.add_product(-1.0, v, out);
                }
                if let Some(stiffness) = system.stiffness() {
                    stiffness.add_product(-1.0, q, out);
                }
            }
        }
    }

    /// The reciprocal condition of M, for messages.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        self.w.reciprocal_condition()
    }
}

impl Response for MassWork {
    fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }
}
