//! Integrators of the smooth motion between events: public settings, and the interface to the driver.

mod dense;
mod half_explicit;
mod newmark_alpha;
mod smooth_integration;

use serde::{Deserialize, Serialize};
use siconos_ode::{Advance, Integrator, IntegratorState, OdeSettings, RootLocation, Statistics, Tolerance};

pub use self::half_explicit::HalfExplicit;
pub use self::newmark_alpha::{AlphaParameters, ConstraintLevel, NewmarkAlpha};
use self::smooth_integration::SmoothIntegration;
use super::modes::Modes;
use crate::settings_error::SettingsError;
use crate::simulation::SimulationError;

/// Default value of both tolerances, relative and absolute.
const TOLERANCE: f64 = 1e-12;

/// Method that integrates the smooth motion between events.
///
/// | method | closed contacts | order and step size |
/// |---|---|---|
/// | [`Ode`](Self::Ode) | $\ddot y = 0$; drift is removed at events | 5 or 8; steps from tolerances |
/// | [`NewmarkAlpha`](Self::NewmarkAlpha) | $y = 0$ or $\dot y = 0$ after each step | 2; fixed steps |
/// | [`HalfExplicit`](Self::HalfExplicit) | $\dot y = 0$ at each stage | 4; steps from tolerances |
///
/// [`Ode`](Self::Ode) solves an ordinary differential equation, and is the only method for first-order
/// systems. [`NewmarkAlpha`](Self::NewmarkAlpha) has numerical damping for stiff structures. All methods
/// locate events on their dense output.
///
/// ```
/// use siconos_kernel::simulation::{EventIntegrator, NewmarkAlpha};
/// use siconos_ode::{Method, OdeSettings};
///
/// let stiff = EventIntegrator::from(OdeSettings { method: Method::Stiff, ..OdeSettings::default() });
/// let damped = EventIntegrator::from(NewmarkAlpha::new(1e-3).with_rho_infinity(0.6));
/// assert_ne!(stiff, damped);
/// ```
#[derive(Clone, Debug, PartialEq, derive_more::From, Serialize, Deserialize)]
pub enum EventIntegrator {
    /// Ordinary differential equation, with step lengths that follow from tolerances. This is the default.
    #[doc(alias = "LsodarOSI")]
    Ode(OdeSettings),
    /// Generalised-alpha method.
    #[doc(alias = "NewMarkAlphaOSI")]
    NewmarkAlpha(NewmarkAlpha),
    /// Half-explicit Runge-Kutta method.
    #[doc(alias = "Hem5OSI")]
    HalfExplicit(HalfExplicit),
}

impl Default for EventIntegrator {
    /// Returns [`Method::Auto`](siconos_ode::Method::Auto) with tolerances of 1e-12. At these tolerances, it
    /// selects the method of order 8, or the stiff method where needed. Tolerances of 1e-10 would save little
    /// run time and give errors that are a hundred times larger.
    fn default() -> Self {
        let tolerance = Tolerance::All(TOLERANCE);
        Self::Ode(OdeSettings {
            relative_tolerance: tolerance.clone(),
            absolute_tolerance: tolerance,
            ..OdeSettings::default()
        })
    }
}

impl EventIntegrator {
    /// Returns the settings of root location.
    #[must_use]
    pub fn location(&self) -> RootLocation {
        match self {
            Self::Ode(settings) => settings.location(),
            Self::NewmarkAlpha(settings) => settings.location,
            Self::HalfExplicit(settings) => settings.location,
        }
    }

    /// Returns the maximum number of steps between two events.
    #[must_use]
    pub fn max_steps(&self) -> usize {
        match self {
            Self::Ode(settings) => settings.max_steps,
            Self::NewmarkAlpha(settings) => settings.max_steps,
            Self::HalfExplicit(settings) => settings.max_steps,
        }
    }

    /// Creates the integrator. It has no state until [`restart`](SmoothIntegrator::restart) is called.
    pub(super) fn build(&self) -> Result<SmoothIntegrator, SettingsError> {
        Ok(match self {
            Self::Ode(settings) => SmoothIntegrator::Ode(Integrator::new(settings.clone())?),
            Self::NewmarkAlpha(settings) => {
                settings.validate()?;
                SmoothIntegrator::SmoothIntegration(SmoothIntegration::of_newmark_alpha(settings))
            }
            Self::HalfExplicit(settings) => {
                settings.validate()?;
                SmoothIntegrator::SmoothIntegration(SmoothIntegration::of_half_explicit(settings))
            }
        })
    }
}

/// Integrator of the smooth motion.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a simulation holds one, made once")]
pub(super) enum SmoothIntegrator {
    Ode(Integrator),
    SmoothIntegration(SmoothIntegration),
}

impl SmoothIntegrator {
    /// Restarts at the time `t` and the state `x` = (q, v).
    pub(super) fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), SimulationError> {
        let restarted = match self {
            Self::Ode(integrator) => integrator.restart(t, x),
            Self::SmoothIntegration(walk) => walk.restart(t, x),
        };
        restarted.map_err(|source| SimulationError::Integration { t, source })
    }

    /// Integrates to `t_out` or to the earliest root of the guards. No step passes `t_critical`.
    pub(super) fn advance_within(
        &mut self,
        modes: &mut Modes,
        t_out: f64,
        t_critical: f64,
    ) -> Result<Advance<'_>, SimulationError> {
        match (self, modes) {
            (Self::Ode(integrator), modes) => {
                let t = integrator.t();
                let answer = integrator.advance_within(&mut **modes, t_out, t_critical);
                answer.map_err(|source| SimulationError::Integration { t, source })
            }
            (Self::SmoothIntegration(walk), Modes::Lagrangian(modes)) => {
                walk.advance_within(modes, t_out, t_critical)
            }
            (Self::SmoothIntegration(_), Modes::FirstOrder(_)) => Err(SimulationError::MechanicalIntegrator),
        }
    }

    /// Returns the data that the integrator keeps across a restart at the current time.
    pub(super) fn carried(&self) -> IntegratorState {
        let mut carried = IntegratorState::default();
        match self {
            Self::Ode(integrator) => integrator.save_into(&mut carried),
            Self::SmoothIntegration(walk) => walk.save_into(&mut carried),
        }
        carried
    }

    pub(super) fn recall(&mut self, t: f64, carried: &IntegratorState) {
        match self {
            Self::Ode(integrator) => integrator.recall(t, carried),
            Self::SmoothIntegration(walk) => walk.recall(t, carried),
        }
    }

    /// Returns positions and velocities at the current time.
    pub(super) fn x(&self) -> &[f64] {
        match self {
            Self::Ode(integrator) => integrator.x(),
            Self::SmoothIntegration(walk) => walk.x(),
        }
    }

    pub(super) fn statistics(&self) -> &Statistics {
        match self {
            Self::Ode(integrator) => integrator.statistics(),
            Self::SmoothIntegration(walk) => walk.statistics(),
        }
    }
}
