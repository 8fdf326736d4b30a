//! Systems by what an integrator has to know of them: which family they belong to, and whether they are
//! linear. Asked once, where its work is made.

use std::sync::Arc;

use siconos_linalg::Matrix;

use super::{
    DynamicalSystem, FirstOrderLinear, FirstOrderNonlinear, Lagrangian, LagrangianLinear, NewtonEuler,
};

/// A system of one of the families.
#[derive(Clone, Debug)]
pub(crate) enum Family {
    Lagrangian(LagrangianSystem),
    Body(Arc<NewtonEuler>),
    FirstOrder(FirstOrderSystem),
}

/// A Lagrangian system, general or linear.
#[derive(Clone, Debug)]
pub(crate) enum LagrangianSystem {
    General(Arc<Lagrangian>),
    Linear(Arc<LagrangianLinear>),
}

/// A first-order system of either kind.
#[derive(Clone, Debug)]
pub(crate) enum FirstOrderSystem {
    Linear(Arc<FirstOrderLinear>),
    Nonlinear(Arc<FirstOrderNonlinear>),
}

impl DynamicalSystem {
    pub(crate) fn family(&self) -> Family {
        match self {
            Self::Lagrangian(system) => Family::Lagrangian(LagrangianSystem::General(Arc::clone(system))),
            Self::LagrangianLinear(system) => {
                Family::Lagrangian(LagrangianSystem::Linear(Arc::clone(system)))
            }
            Self::NewtonEuler(body) => Family::Body(Arc::clone(body)),
            Self::FirstOrderLinear(system) => {
                Family::FirstOrder(FirstOrderSystem::Linear(Arc::clone(system)))
            }
            Self::FirstOrderNonlinear(system) => {
                Family::FirstOrder(FirstOrderSystem::Nonlinear(Arc::clone(system)))
            }
        }
    }
}

impl LagrangianSystem {
    /// M, if it does not depend on q.
    pub(crate) fn constant_mass(&self) -> Option<&Matrix> {
        match self {
            Self::General(system) => system.constant_mass(),
            Self::Linear(system) => Some(system.mass()),
        }
    }
}
