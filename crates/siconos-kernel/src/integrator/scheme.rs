//! Integrator of any kind, and the systems that it supports.

use serde::{Deserialize, Serialize};

use super::description::{ConstraintLevel, SupportedSystems};
use super::{
    Activation, BackwardEuler, D1MinusLinear, EulerMoreau, FitError, FullyImplicit, GyroscopicTerm,
    IntegratorDescription, MeasureEuler, ModalExact, MoreauJean, Projection, SchatzmanPaoli, ThetaGamma,
    Weights, ZeroOrderHold,
};
use crate::model::{DynamicalSystem, DynamicalSystemId, Refusal};
use crate::settings_error::SettingsError;

/// One-step integrator of any kind, as chosen for the systems of a simulation.
///
/// ```
/// use siconos_kernel::integrator::{Integrator, MoreauJean, ThetaGamma};
///
/// assert!(Integrator::from(ThetaGamma::default()).is_first_order());
/// assert_eq!(Integrator::from(MoreauJean::default()).name(), "MoreauJean");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, derive_more::From, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Integrator {
    /// Lagrangian systems and rigid bodies, at velocity level with impulses.
    MoreauJean(MoreauJean),
    /// Linear Lagrangian systems, at position level.
    SchatzmanPaoli(SchatzmanPaoli),
    /// Linear Lagrangian systems in modal coordinates, without time discretisation error.
    ModalExact(ModalExact),
    /// Lagrangian systems, with separate contact forces and impacts.
    D1MinusLinear(D1MinusLinear),
    /// First-order systems with absolutely continuous solutions.
    EulerMoreau(EulerMoreau),
    /// First-order systems with continuously differentiable solutions.
    ThetaGamma(ThetaGamma),
    /// First-order systems with states that may jump.
    MeasureEuler(MeasureEuler),
    /// Passive linear complementarity systems.
    BackwardEuler(BackwardEuler),
    /// Nonlinear first-order systems.
    FullyImplicit(FullyImplicit),
    /// Sampled linear first-order systems.
    ZeroOrderHold(ZeroOrderHold),
}

impl Integrator {
    /// Returns `true` if the integrator is for first-order systems.
    #[must_use]
    pub fn is_first_order(&self) -> bool {
        self.scheme().is_first_order()
    }

    /// Returns the name of the integrator.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.scheme().is.name
    }

    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        match self {
            Self::MoreauJean(own) => own.validate(),
            Self::SchatzmanPaoli(own) => own.validate(),
            Self::ModalExact(own) => own.validate(),
            Self::D1MinusLinear(own) => own.validate(),
            _ => self.scheme().weights.validate(),
        }
    }

    pub(crate) fn scheme(&self) -> Scheme {
        match self {
            Self::MoreauJean(own) => own.scheme(),
            Self::SchatzmanPaoli(own) => own.scheme(),
            Self::ModalExact(own) => own.scheme(),
            Self::D1MinusLinear(own) => own.scheme(),
            Self::EulerMoreau(own) => own.scheme(),
            Self::ThetaGamma(own) => own.scheme(),
            Self::MeasureEuler(own) => own.scheme(),
            Self::BackwardEuler(own) => own.scheme(),
            Self::FullyImplicit(own) => own.scheme(),
            Self::ZeroOrderHold(own) => own.scheme(),
        }
    }
}

/// Properties and parameters of the integrator of one system, in the form that the simulation uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scheme {
    pub(crate) is: &'static IntegratorDescription,
    pub(crate) weights: Weights,
    /// Condition on the gap under which contacts are active; `None` if the integrator has no such condition.
    pub(crate) activation: Option<Activation>,
    /// Projection of the positions of contacts and joints; `None` if positions are not projected.
    pub(crate) projection: Option<Projection>,
    /// Treatment of the gyroscopic moment of rigid bodies.
    pub(crate) gyroscopic: GyroscopicTerm,
    /// Implicitness parameter of the stiffness term in [`SchatzmanPaoli`].
    pub(crate) theta_of_stiffness: f64,
    /// Parameters of [`D1MinusLinear`].
    pub(crate) half_explicit: D1MinusLinear,
}

impl Scheme {
    /// Creates a scheme with defaults for the parameters of other integrators.
    pub(super) fn new(is: &'static IntegratorDescription, weights: Weights) -> Self {
        Self {
            is,
            weights,
            activation: None,
            projection: None,
            gyroscopic: GyroscopicTerm::default(),
            theta_of_stiffness: 0.0,
            half_explicit: D1MinusLinear::default(),
        }
    }

    pub(crate) fn is_first_order(&self) -> bool {
        self.is.level == ConstraintLevel::States
    }

    /// Returns an error if the integrator does not support a system.
    pub(crate) fn check(&self, id: DynamicalSystemId, system: &DynamicalSystem) -> Result<(), FitError> {
        match self.refusal(system) {
            Some(refusal) => Err(FitError::of_system(id, self.is.name, refusal)),
            None => Ok(()),
        }
    }

    fn refusal(&self, system: &DynamicalSystem) -> Option<Refusal> {
        let SupportedSystems { bodies, nonlinear, coupled } = self.is.takes;
        let is_first_order = self.is_first_order();
        let refused = |what, instead| Some(Refusal::new(what, instead));
        match system {
            DynamicalSystem::FirstOrderLinear(_) | DynamicalSystem::FirstOrderNonlinear(_)
                if !is_first_order =>
            {
                refused("a first-order system", "use EulerMoreau, for example")
            }
            DynamicalSystem::NewtonEuler(_) if !bodies => refused("a rigid body", "use MoreauJean"),
            DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) if is_first_order => {
                refused("a Lagrangian system", "use MoreauJean")
            }
            DynamicalSystem::Lagrangian(_) if !nonlinear => {
                refused("a nonlinear Lagrangian system", "use MoreauJean")
            }
            DynamicalSystem::LagrangianLinear(system) if !coupled && !system.is_diagonal() => refused(
                "a mass, damping or stiffness that is not diagonal",
                "give it in the coordinates of its modes, or use MoreauJean",
            ),
            DynamicalSystem::FirstOrderNonlinear(_) if !nonlinear => {
                refused("a nonlinear system", "use EulerMoreau, or a FirstOrderLinear system with constant A")
            }
            DynamicalSystem::FirstOrderLinear(system) if !nonlinear && !system.has_constant_matrix() => {
                refused("a matrix A that depends on time", "use EulerMoreau, or a constant A")
            }
            _ => None,
        }
    }
}
