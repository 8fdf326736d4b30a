//! An integrator of any kind, and what the schemes of first-order systems have in common.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{BackwardEuler, EulerMoreau, FullyImplicit, MeasureEuler, MoreauJean, ThetaGamma, ZeroOrderHold};
use crate::error::{SettingsError, SimulationError};
use crate::model::dynamical_system::{Family, FirstOrderSystem, LagrangianSystem};
use crate::model::{DynamicalSystem, DynamicalSystemId, NewtonEuler};

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
        !matches!(self, Self::MoreauJean(_))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.scheme() {
            Scheme::SecondOrder(_) => "MoreauJean",
            Scheme::FirstOrder(scheme) => scheme.name,
        }
    }

    pub(crate) fn validate(&self) -> Result<(), SettingsError> {
        match self.scheme() {
            Scheme::SecondOrder(scheme) => scheme.validate(),
            Scheme::FirstOrder(scheme) => scheme.validate(),
        }
    }

    pub(crate) fn scheme(&self) -> Scheme {
        Scheme::FirstOrder(match *self {
            Self::MoreauJean(scheme) => return Scheme::SecondOrder(scheme),
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
    SecondOrder(MoreauJean),
    FirstOrder(FirstOrderScheme),
}

/// A system with a scheme of its family.
#[derive(Clone, Debug)]
pub(crate) enum Paired {
    SecondOrder(LagrangianSystem),
    Body(Arc<NewtonEuler>, MoreauJean),
    FirstOrder(FirstOrderSystem, FirstOrderScheme),
}

impl Scheme {
    /// Joins the scheme with a system; refuses one of the other family, and a hold of what cannot be held.
    // So that asking only whether they fit takes no share in the system: replacing all contacts took 8 %
    // longer.
    #[inline(always)]
    pub(crate) fn pair(
        &self,
        id: DynamicalSystemId,
        system: &DynamicalSystem,
    ) -> Result<Paired, SimulationError> {
        let refused = |integrator, what, instead| {
            Err(SimulationError::UnsupportedSystem { system: id, integrator, what, instead })
        };
        match (*self, system.family()) {
            (Self::SecondOrder(_), Family::Lagrangian(system)) => Ok(Paired::SecondOrder(system)),
            (Self::SecondOrder(scheme), Family::Body(body)) => Ok(Paired::Body(body, scheme)),
            (Self::SecondOrder(_), Family::FirstOrder(_)) => {
                refused("MoreauJean", "a first-order system", "take EulerMoreau, say")
            }
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

    pub(crate) fn theta(&self) -> f64 {
        match self {
            Self::SecondOrder(scheme) => scheme.theta,
            Self::FirstOrder(scheme) => scheme.theta,
        }
    }
}

/// The instant of a step whose source b a [`ZeroOrderHold`] holds over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeldSource {
    /// $b(t_k)$: the step knows nothing of what comes, as a controller that samples and holds. Default.
    #[default]
    Beginning,
    /// $b(t_{k+1})$, at the time of the law, as Siconos takes it.
    End,
}

/// What the one-step problem is solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// lambda
    Multiplier,
    /// sigma = h lambda
    Measure,
}

/// All schemes of first-order systems in one:
///
/// $M (x - x_k) = h (\theta f + (1 - \theta) f_k) + h \theta_r r + h (1 - \theta_r) r_k$, with y and r taken
/// at $t_k + \gamma h$ and $x_\gamma = (1 - \gamma) x_k + \gamma x$; under a hold, x is the exact solution
/// with r constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FirstOrderScheme {
    pub(crate) name: &'static str,
    pub(crate) theta: f64,
    pub(crate) theta_r: f64,
    pub(crate) gamma: f64,
    pub(crate) unknown: Unknown,
    /// The time of the source under a hold.
    pub(crate) hold: Option<HeldSource>,
}

impl FirstOrderScheme {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        for (name, value) in [("theta", self.theta), ("theta_r", self.theta_r), ("gamma", self.gamma)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(SettingsError::OutOfRange { name, value, must_be: "between 0 and 1" });
            }
        }
        Ok(())
    }

    /// $t_k + \gamma h$, where y, r and the law are taken.
    pub(crate) fn time_of_law(&self, t_k: f64, t_kp1: f64) -> f64 {
        if self.gamma == 1.0 { t_kp1 } else { t_k + self.gamma * (t_kp1 - t_k) }
    }

    /// The unknown of the one-step problem divided by lambda, for a step of length `h`.
    pub(crate) fn scale(&self, h: f64) -> f64 {
        match self.unknown {
            Unknown::Multiplier => 1.0,
            Unknown::Measure => h,
        }
    }
}
