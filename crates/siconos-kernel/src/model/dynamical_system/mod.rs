//! Smooth dynamics of a body, mechanism or circuit: Lagrangian systems, rigid bodies and first-order systems.

mod control;
mod first_order_linear;
pub(crate) mod first_order_nonlinear;
mod force;
mod inertia;
pub(crate) mod jacobian;
mod lagrangian;
mod lagrangian_linear;
mod lagrangian_view;
mod mechanics;
mod newton_euler;

pub use control::ControlTerm;
pub use first_order_linear::{FirstOrderLinear, FirstOrderLinearTi};
pub(crate) use first_order_nonlinear::FirstOrderScratch;
pub use first_order_nonlinear::{FirstOrderNonlinear, VectorField};
pub use force::StateForce;
pub use inertia::Inertia;
pub use jacobian::{DIFFERENCE_STEP, Jacobian, JacobianFunction, JacobianMismatch};
pub(crate) use jacobian::{DifferenceScratch, Variable, check_step, compare as compare_jacobians};
pub use lagrangian::Lagrangian;
pub(crate) use lagrangian::LagrangianScratch;
pub use lagrangian_linear::LagrangianLinear;
pub(crate) use mechanics::KineticWorkspace;
pub(crate) use newton_euler::BodyScratch;
pub use newton_euler::{Frame, NewtonEuler};

use std::sync::Arc;

use ndarray::ArrayViewMut2;
use siconos_linalg::Matrix;

use crate::model::configuration::{Factor, PositionSpace, VECTOR};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, Parameters, check_finite};

/// Dynamical system of any kind.
#[doc(alias = "LagrangianDS")]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DynamicalSystem {
    /// $M(q) \dot v + F_{gyr}(q, v) + F_{int}(t, q, v) = F_{ext}(t) + T_L(q) u_L(t, q, v) + p$.
    Lagrangian(Arc<Lagrangian>),
    /// $M \dot v + C v + K q = F_{ext}(t) + p$.
    LagrangianLinear(Arc<LagrangianLinear>),
    /// $m \dot V + F_{int} = F_{ext} + p_V$,
    /// $I \dot \Omega + \Omega \times I \Omega + M_{int} = M_{ext} + p_\Omega$.
    NewtonEuler(Arc<NewtonEuler>),
    /// $M \dot x = f(x, t) + T(x) u(x, \dot x, t) + r$.
    FirstOrderNonlinear(Arc<FirstOrderNonlinear>),
    /// $M \dot x = A(t) x + T u(t) + b(t) + r$.
    FirstOrderLinear(Arc<FirstOrderLinear>),
}

impl From<Lagrangian> for DynamicalSystem {
    fn from(system: Lagrangian) -> Self {
        Self::Lagrangian(Arc::new(system))
    }
}

impl From<LagrangianLinear> for DynamicalSystem {
    fn from(system: LagrangianLinear) -> Self {
        Self::LagrangianLinear(Arc::new(system))
    }
}

impl From<NewtonEuler> for DynamicalSystem {
    fn from(body: NewtonEuler) -> Self {
        Self::NewtonEuler(Arc::new(body))
    }
}

impl From<FirstOrderNonlinear> for DynamicalSystem {
    fn from(system: FirstOrderNonlinear) -> Self {
        Self::FirstOrderNonlinear(Arc::new(system))
    }
}

impl From<FirstOrderLinear> for DynamicalSystem {
    fn from(system: FirstOrderLinear) -> Self {
        Self::FirstOrderLinear(Arc::new(system))
    }
}

impl From<FirstOrderLinearTi> for DynamicalSystem {
    fn from(system: FirstOrderLinearTi) -> Self {
        FirstOrderLinear::from(system).into()
    }
}

impl DynamicalSystem {
    /// Returns the number of degrees of freedom: the number of velocities, or of states x of a first-order
    /// system.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.initial_rate().len()
    }

    /// Returns `true` for a first-order system, which has a state x and no velocity.
    #[must_use]
    pub fn is_first_order(&self) -> bool {
        matches!(self, Self::FirstOrderNonlinear(_) | Self::FirstOrderLinear(_))
    }

    /// Returns the initial position; empty for a first-order system.
    #[must_use]
    pub fn q0(&self) -> &[f64] {
        match self {
            Self::Lagrangian(system) => system.q0(),
            Self::LagrangianLinear(system) => system.q0(),
            Self::NewtonEuler(body) => body.q0(),
            Self::FirstOrderNonlinear(_) | Self::FirstOrderLinear(_) => &[],
        }
    }

    /// Returns the initial velocity; empty for a first-order system.
    #[must_use]
    pub fn v0(&self) -> &[f64] {
        match self {
            Self::Lagrangian(system) => system.v0(),
            Self::LagrangianLinear(system) => system.v0(),
            Self::NewtonEuler(body) => body.v0(),
            Self::FirstOrderNonlinear(_) | Self::FirstOrderLinear(_) => &[],
        }
    }

    /// Returns the initial state x of a first-order system; empty for other systems.
    #[must_use]
    pub fn x0(&self) -> &[f64] {
        match self {
            Self::Lagrangian(_) | Self::LagrangianLinear(_) | Self::NewtonEuler(_) => &[],
            Self::FirstOrderNonlinear(system) => system.x0(),
            Self::FirstOrderLinear(system) => system.x0(),
        }
    }

    /// Returns the kinetic energy $\frac{1}{2} v^T M(q) v$ \[J\] at a position and velocity; 0 for a
    /// first-order system.
    ///
    /// # Panics
    ///
    /// If the length of q or v differs from the length of [`q0`](Self::q0) or [`v0`](Self::v0).
    #[must_use]
    pub fn kinetic_energy(&self, parameters: &Parameters, q: &[f64], v: &[f64]) -> f64 {
        assert_eq!((q.len(), v.len()), (self.q0().len(), self.v0().len()), "lengths of q and v");
        let moving = KineticWorkspace::of(self);
        moving.map_or(0.0, |mut system| system.kinetic(parameters, (q, v), (q, v)).energy)
    }

    /// Returns M of a Lagrangian system; `None` if M depends on q, and for systems of other kinds.
    pub(crate) fn constant_mass(&self) -> Option<&Matrix> {
        match self {
            Self::Lagrangian(system) => system.constant_mass(),
            Self::LagrangianLinear(system) => Some(system.mass()),
            _ => None,
        }
    }

    /// Returns the configuration space.
    pub(crate) fn space(&self) -> &PositionSpace {
        match self {
            Self::Lagrangian(system) => system.space(),
            Self::NewtonEuler(body) => body.space(),
            _ => &VECTOR,
        }
    }

    /// Returns the positions as a factor of a product space; `None` for a first-order system.
    pub(crate) fn factor(&self) -> Option<Factor> {
        let own = match self.space() {
            PositionSpace::Product(factors) => factors.first().cloned(),
            PositionSpace::Vector => None,
        };
        let (positions, velocities) = (self.q0().len(), self.v0().len());
        own.or((positions > 0).then_some(Factor { positions, velocities, space: None }))
    }

    /// Returns the initial value of the unknown of a step: the velocity, or the state x of a first-order
    /// system.
    pub(crate) fn initial_rate(&self) -> &[f64] {
        if self.is_first_order() { self.x0() } else { self.v0() }
    }

    /// Writes the mass matrix and the derivative of the vector field of a first-order system at its initial
    /// state. The derivative of the control term with respect to the rate of x is subtracted from the mass
    /// matrix.
    pub(crate) fn linearised_into(
        &self,
        at: At<'_>,
        mass: &mut ArrayViewMut2<'_, f64>,
        a: &mut ArrayViewMut2<'_, f64>,
    ) {
        match self {
            Self::Lagrangian(_) | Self::LagrangianLinear(_) | Self::NewtonEuler(_) => {}
            Self::FirstOrderLinear(system) => {
                system.mass_into(mass);
                system.matrix_into(at, a);
            }
            Self::FirstOrderNonlinear(system) => {
                let (x0, mut scratch) = (system.x0(), system.scratch());
                let rate = vec![0.0; x0.len()];
                system.mass_into(at, x0, &mut scratch, mass);
                system.subtract_jacobian((0.0, 1.0), at, x0, &rate, &mut scratch, mass);
                a.fill(0.0);
                system.subtract_jacobian((-1.0, 0.0), at, x0, &rate, &mut scratch, a);
            }
        }
    }

    pub(crate) fn check(&self) -> Result<(), ModelError> {
        match self {
            Self::Lagrangian(system) => system.check(),
            Self::LagrangianLinear(system) => system.check(),
            Self::NewtonEuler(body) => body.check(),
            Self::FirstOrderNonlinear(system) => system.check(),
            Self::FirstOrderLinear(system) => system.check(),
        }
    }
}

impl HasParts for DynamicalSystem {
    fn parts(&self) -> PartList<'_> {
        match self {
            Self::Lagrangian(system) => system.parts(),
            Self::LagrangianLinear(system) => system.parts(),
            Self::NewtonEuler(body) => body.parts(),
            Self::FirstOrderNonlinear(system) => system.parts(),
            Self::FirstOrderLinear(system) => system.parts(),
        }
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match self {
            Self::Lagrangian(system) => Arc::make_mut(system).origins_mut(),
            Self::LagrangianLinear(system) => Arc::make_mut(system).origins_mut(),
            Self::NewtonEuler(body) => Arc::make_mut(body).origins_mut(),
            Self::FirstOrderNonlinear(system) => Arc::make_mut(system).origins_mut(),
            Self::FirstOrderLinear(system) => Arc::make_mut(system).origins_mut(),
        }
    }
}

/// Checks the initial state of a first-order system.
fn check_initial_state(x0: &[f64]) -> Result<(), ModelError> {
    if x0.is_empty() {
        return Err(ModelError::NoDegreeOfFreedom);
    }
    check_finite("x0", x0)
}

/// Writes a mass matrix; `None` means the identity.
fn write_mass(mass: Option<&Matrix>, out: &mut ArrayViewMut2<'_, f64>) {
    if let Some(mass) = mass {
        mass.view().write_dense(out);
    } else {
        out.fill(0.0);
        out.diag_mut().fill(1.0);
    }
}
