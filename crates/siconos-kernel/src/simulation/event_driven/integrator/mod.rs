//! The integrators of the smooth motion between events: what a user chooses, and what the driver uses of
//! each.

mod dense;
mod half_explicit;
mod newmark_alpha;
mod smooth_integration;

use serde::{Deserialize, Serialize};
use siconos_ode::{Advance, Carried, Integrator, OdeSettings, RootLocation, Statistics, Tolerance};

pub use self::half_explicit::HalfExplicit;
pub use self::newmark_alpha::{AlphaParameters, ConstraintLevel, NewmarkAlpha};
use self::smooth_integration::SmoothIntegration;
use super::modes::Modes;
use crate::settings_error::SettingsError;
use crate::simulation::SimulationError;

/// The default of both tolerances.
const TOLERANCE: f64 = 1e-12;

/// Which method integrates the smooth motion between events.
///
/// | method | contacts that are held | order |
/// |---|---|---|
/// | [`Ode`](Self::Ode) | $\ddot y = 0$, an ordinary differential equation; the drift is projected at events | that of the ODE method, 5 or 8, by tolerances |
/// | [`NewmarkAlpha`](Self::NewmarkAlpha) | $y = 0$ (or $\dot y = 0$) at the end of each step | 2, steps of fixed length; numerical damping for stiff structures |
/// | [`HalfExplicit`](Self::HalfExplicit) | $\dot y = 0$ at each stage | 4, by tolerances |
///
/// All find events on their dense output, in the same way.
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
    /// An ordinary differential equation with a step size that follows tolerances. Default.
    #[doc(alias = "LsodarOSI")]
    Ode(OdeSettings),
    /// The generalised-alpha method.
    #[doc(alias = "NewMarkAlphaOSI")]
    NewmarkAlpha(NewmarkAlpha),
    /// A half-explicit Runge-Kutta method.
    #[doc(alias = "Hem5OSI")]
    HalfExplicit(HalfExplicit),
}

impl Default for EventIntegrator {
    /// [`Method::Auto`](siconos_ode::Method::Auto) at tolerances of 1e-12: at these the method of
    /// order 8, which is then hardly slower than at 1e-10 and a hundred times as exact, and the stiff one
    /// where it is needed.
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
    /// How roots are located.
    #[must_use]
    pub fn location(&self) -> RootLocation {
        match self {
            Self::Ode(settings) => settings.location(),
            Self::NewmarkAlpha(settings) => settings.location,
            Self::HalfExplicit(settings) => settings.location,
        }
    }

    /// The largest number of steps between two events.
    #[must_use]
    pub fn max_steps(&self) -> usize {
        match self {
            Self::Ode(settings) => settings.max_steps,
            Self::NewmarkAlpha(settings) => settings.max_steps,
            Self::HalfExplicit(settings) => settings.max_steps,
        }
    }

    /// Makes the integrator, without a state.
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

/// What carries the motion from event to event.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a simulation holds one, made once")]
pub(super) enum SmoothIntegrator {
    Ode(Integrator),
    SmoothIntegration(SmoothIntegration),
}

impl SmoothIntegrator {
    /// Begins anew at a time with a state (q, v).
    pub(super) fn restart(&mut self, t: f64, x: &[f64]) -> Result<(), SimulationError> {
        let restarted = match self {
            Self::Ode(integrator) => integrator.restart(t, x),
            Self::SmoothIntegration(walk) => walk.restart(t, x),
        };
        restarted.map_err(|source| SimulationError::Integration { t, source })
    }

    /// Integrates to `t_out`, by steps that do not go past `t_critical`, or to the first root of the guards.
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

    /// What is carried over a restart at the current time.
    pub(super) fn carried(&self) -> Carried {
        let mut carried = Carried::default();
        match self {
            Self::Ode(integrator) => integrator.carry_into(&mut carried),
            Self::SmoothIntegration(walk) => walk.carry_into(&mut carried),
        }
        carried
    }

    pub(super) fn recall(&mut self, t: f64, carried: &Carried) {
        match self {
            Self::Ode(integrator) => integrator.recall(t, carried),
            Self::SmoothIntegration(walk) => walk.recall(t, carried),
        }
    }

    /// Position and velocity at the current time.
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
