//! An integrator of any kind, and which systems it is for.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    BackwardEuler, D1MinusLinear, EulerMoreau, FirstOrderScheme, FullyImplicit, MeasureEuler, ModalExact,
    MoreauJean, SchatzmanPaoli, SecondOrderScheme, ThetaGamma, TwoStep, ZeroOrderHold,
};
use crate::integrator::FitError;
use crate::model::dynamical_system::{Family, FirstOrderSystem, LagrangianSystem};
use crate::model::{DynamicalSystem, DynamicalSystemId, LagrangianLinear, NewtonEuler};
use crate::settings_error::SettingsError;

/// A one-step integrator of any kind: what a simulation is given for its systems.
///
/// ```
/// use siconos_kernel::integrator::{Integrator, MoreauJean, ThetaGamma};
///
/// assert!(Integrator::from(ThetaGamma::default()).is_first_order());
/// assert_eq!(Integrator::from(MoreauJean::default()).name(), "MoreauJean");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Integrator {
    /// Lagrangian systems, in velocities and impulses.
    MoreauJean(MoreauJean),
    /// Linear Lagrangian systems, in positions alone.
    SchatzmanPaoli(SchatzmanPaoli),
    /// Linear Lagrangian systems in the coordinates of their modes, without error in time.
    ModalExact(ModalExact),
    /// Lagrangian systems, with contact forces and impacts apart.
    D1MinusLinear(D1MinusLinear),
    /// First-order systems with absolutely continuous solutions.
    EulerMoreau(EulerMoreau),
    /// First-order systems with continuously differentiable solutions.
    ThetaGamma(ThetaGamma),
    /// First-order systems whose state may jump.
    MeasureEuler(MeasureEuler),
    /// Passive linear complementarity systems.
    BackwardEuler(BackwardEuler),
    /// Nonlinear first-order systems.
    FullyImplicit(FullyImplicit),
    /// Sampled linear first-order systems.
    ZeroOrderHold(ZeroOrderHold),
}

impl Integrator {
    /// Whether it is for first-order systems.
    #[must_use]
    pub fn is_first_order(&self) -> bool {
        matches!(self.scheme(), Scheme::FirstOrder(_))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.scheme().name()
    }

    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        match self.scheme() {
            Scheme::SecondOrder(scheme) => scheme.validate(),
            Scheme::FirstOrder(scheme) => scheme.validate(),
        }
    }

    pub(crate) fn scheme(&self) -> Scheme {
        Scheme::FirstOrder(match *self {
            Self::MoreauJean(scheme) => return Scheme::SecondOrder(scheme.into()),
            Self::SchatzmanPaoli(scheme) => return Scheme::SecondOrder(scheme.into()),
            Self::ModalExact(scheme) => return Scheme::SecondOrder(scheme.into()),
            Self::D1MinusLinear(scheme) => return Scheme::SecondOrder(scheme.into()),
            Self::EulerMoreau(scheme) => scheme.into(),
            Self::ThetaGamma(scheme) => scheme.into(),
            Self::MeasureEuler(scheme) => scheme.into(),
            Self::BackwardEuler(scheme) => scheme.into(),
            Self::FullyImplicit(scheme) => scheme.into(),
            Self::ZeroOrderHold(scheme) => scheme.into(),
        })
    }
}

impl From<MoreauJean> for Integrator {
    fn from(scheme: MoreauJean) -> Self {
        Self::MoreauJean(scheme)
    }
}

impl From<SchatzmanPaoli> for Integrator {
    fn from(scheme: SchatzmanPaoli) -> Self {
        Self::SchatzmanPaoli(scheme)
    }
}

impl From<ModalExact> for Integrator {
    fn from(scheme: ModalExact) -> Self {
        Self::ModalExact(scheme)
    }
}

impl From<D1MinusLinear> for Integrator {
    fn from(scheme: D1MinusLinear) -> Self {
        Self::D1MinusLinear(scheme)
    }
}

impl From<EulerMoreau> for Integrator {
    fn from(scheme: EulerMoreau) -> Self {
        Self::EulerMoreau(scheme)
    }
}

impl From<ThetaGamma> for Integrator {
    fn from(scheme: ThetaGamma) -> Self {
        Self::ThetaGamma(scheme)
    }
}

impl From<MeasureEuler> for Integrator {
    fn from(scheme: MeasureEuler) -> Self {
        Self::MeasureEuler(scheme)
    }
}

impl From<BackwardEuler> for Integrator {
    fn from(scheme: BackwardEuler) -> Self {
        Self::BackwardEuler(scheme)
    }
}

impl From<FullyImplicit> for Integrator {
    fn from(scheme: FullyImplicit) -> Self {
        Self::FullyImplicit(scheme)
    }
}

impl From<ZeroOrderHold> for Integrator {
    fn from(scheme: ZeroOrderHold) -> Self {
        Self::ZeroOrderHold(scheme)
    }
}

/// The integrator of one system as the simulation sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scheme {
    SecondOrder(SecondOrderScheme),
    FirstOrder(FirstOrderScheme),
}

/// A system with a scheme of its family.
#[derive(Clone, Debug)]
pub(crate) enum Paired {
    Theta(LagrangianSystem),
    TwoStep(Arc<LagrangianLinear>, TwoStep),
    HalfExplicit(LagrangianSystem),
    Body(Arc<NewtonEuler>, MoreauJean),
    FirstOrder(FirstOrderSystem, FirstOrderScheme),
}

impl Scheme {
    /// Joins the scheme with a system; refuses one of the other family, and a hold of what cannot be held.
    // So that asking only whether they fit takes no share in the system: replacing all contacts took 8 %
    // longer.
    #[inline(always)]
    pub(crate) fn pair(&self, id: DynamicalSystemId, system: &DynamicalSystem) -> Result<Paired, FitError> {
        let refused = |integrator, what, instead| {
            Err(FitError::UnsupportedSystem { system: id, integrator, what, instead })
        };
        match (*self, system.family()) {
            (Self::SecondOrder(scheme), Family::FirstOrder(_)) => {
                refused(scheme.name(), "a first-order system", "take EulerMoreau, say")
            }
            (Self::SecondOrder(scheme), Family::Body(body)) => match scheme {
                SecondOrderScheme::MoreauJean(scheme) => Ok(Paired::Body(body, scheme)),
                _ => refused(scheme.name(), "a rigid body", "take MoreauJean"),
            },
            (Self::SecondOrder(scheme), Family::Lagrangian(system)) => match (scheme.two_step(), system) {
                (None, system) if matches!(scheme, SecondOrderScheme::D1MinusLinear(_)) => {
                    Ok(Paired::HalfExplicit(system))
                }
                (None, system) => Ok(Paired::Theta(system)),
                (Some(_), LagrangianSystem::General(_)) => {
                    refused(scheme.name(), "a nonlinear Lagrangian system", "take MoreauJean")
                }
                (Some(TwoStep::Modal), LagrangianSystem::Linear(system)) if !system.is_diagonal() => refused(
                    scheme.name(),
                    "a mass, damping or stiffness that is not diagonal",
                    "give it in the coordinates of its modes, or take MoreauJean",
                ),
                (Some(two_step), LagrangianSystem::Linear(system)) => Ok(Paired::TwoStep(system, two_step)),
            },
            (Self::FirstOrder(scheme), Family::Lagrangian(_)) => {
                refused(scheme.name, "a Lagrangian system", "take MoreauJean")
            }
            (Self::FirstOrder(scheme), Family::Body(_)) => {
                refused(scheme.name, "a rigid body", "take MoreauJean")
            }
            (Self::FirstOrder(scheme), Family::FirstOrder(system)) => match &system {
                FirstOrderSystem::Nonlinear(_) if scheme.hold.is_some() => refused(
                    scheme.name,
                    "a nonlinear system",
                    "take EulerMoreau, or a FirstOrderLinear system with constant A",
                ),
                FirstOrderSystem::Linear(linear)
                    if scheme.hold.is_some() && !linear.has_constant_matrix() =>
                {
                    refused(
                        scheme.name,
                        "a matrix A that depends on time",
                        "take EulerMoreau, or a constant A",
                    )
                }
                _ => Ok(Paired::FirstOrder(system, scheme)),
            },
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::SecondOrder(scheme) => scheme.name(),
            Self::FirstOrder(scheme) => scheme.name,
        }
    }

    pub(crate) fn theta(&self) -> f64 {
        match self {
            Self::SecondOrder(scheme) => scheme.theta(),
            Self::FirstOrder(scheme) => scheme.theta,
        }
    }
}
