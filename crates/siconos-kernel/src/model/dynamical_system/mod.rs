//! The smooth dynamics of one body or mechanism: Lagrangian systems, general and linear.

mod control;
mod jacobian;
mod lagrangian;
mod lagrangian_linear;

pub use control::ControlTerm;
pub use jacobian::{DIFFERENCE_STEP, Jacobian, JacobianFunction, JacobianMismatch};
pub(crate) use jacobian::{DifferenceScratch, check_step, compare as compare_jacobians, representable};
pub use lagrangian::Lagrangian;
pub(crate) use lagrangian::LagrangianScratch;
pub use lagrangian_linear::LagrangianLinear;

use crate::error::ModelError;
use crate::model::closure::Closure;

/// A force that depends on time only: `f(t, out)`, with `out` zeroed before the call.
pub(crate) type ExternalForce = Closure<dyn Fn(f64, &mut [f64]) + Send + Sync>;

/// A dynamical system of any family.
#[doc(alias = "LagrangianDS")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DynamicalSystem {
    /// $M(q) \dot v + F_{gyr}(q, v) + F_{int}(t, q, v) = F_{ext}(t) + T_L(q) u_L(t, q, v) + p$.
    Lagrangian(Box<Lagrangian>),
    /// $M \dot v + C v + K q = F_{ext}(t) + p$.
    LagrangianLinear(Box<LagrangianLinear>),
}

impl From<Lagrangian> for DynamicalSystem {
    fn from(system: Lagrangian) -> Self {
        Self::Lagrangian(Box::new(system))
    }
}

impl From<LagrangianLinear> for DynamicalSystem {
    fn from(system: LagrangianLinear) -> Self {
        Self::LagrangianLinear(Box::new(system))
    }
}

impl DynamicalSystem {
    /// Number of degrees of freedom.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.q0().len()
    }

    /// Initial position.
    #[must_use]
    pub fn q0(&self) -> &[f64] {
        match self {
            Self::Lagrangian(system) => system.q0(),
            Self::LagrangianLinear(system) => system.q0(),
        }
    }

    /// Initial velocity.
    #[must_use]
    pub fn v0(&self) -> &[f64] {
        match self {
            Self::Lagrangian(system) => system.v0(),
            Self::LagrangianLinear(system) => system.v0(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::Lagrangian(system) => system.check(),
            Self::LagrangianLinear(system) => system.check(),
        }
    }
}
