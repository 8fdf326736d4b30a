//! Settings of an event-driven simulation.

use serde::{Deserialize, Serialize};

use super::EventIntegrator;
use crate::settings_error::{SettingsError, check_positive};
use crate::simulation::AccumulationCriterion;

/// Tolerances and policies of an [`EventDriven`](super::EventDriven) simulation.
///
/// The three contact tolerances determine the index sets: touching contacts form I_1, and lasting contacts
/// form I_2. The tolerances are absolute and in the units of the model, so a model in millimetres requires
/// other values than a model in metres.
///
/// ```
/// use siconos_kernel::simulation::{AccumulationPolicy, EventDrivenSettings};
///
/// let mut settings = EventDrivenSettings::default();
/// settings.accumulation.policy = AccumulationPolicy::Stop;
/// assert_eq!(settings.gap_tolerance, 1e-10);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EventDrivenSettings {
    /// Method of the smooth integration, with its tolerances and the settings of root location. Default:
    /// [`EventIntegrator::Ode`] with automatic choice of the ODE method and tolerances of 1e-12.
    pub integrator: EventIntegrator,
    /// Maximum gap \[m\] of a touching contact, which belongs to I_1. Default: 1e-10. Must be positive.
    pub gap_tolerance: f64,
    /// Maximum magnitude of the gap velocity \[m/s\] of a lasting contact, which belongs to I_2. Default:
    /// 1e-10. Must be positive.
    pub velocity_tolerance: f64,
    /// Gap acceleration \[m/s2\] above which a contact of I_2 opens. The contact stays in I_2 if the
    /// acceleration that its contact force produces exceeds this value. If neither acceleration exceeds this
    /// value, the next derivative decides. Default: 1e-9. Must be positive.
    pub acceleration_tolerance: f64,
    /// Detection and treatment of accumulating impacts.
    pub accumulation: AccumulationSettings,
    /// Interval \[s\] between additional restarts of the integrator, counted from the first output point.
    /// Default: `None`, with which the integrator restarts only where the motion is not smooth. Must be
    /// positive.
    ///
    /// A run can be resumed from a snapshot only at a restart. With additional restarts, at most one interval
    /// of a long smooth motion is repeated after an interruption. The integrator ends a step at each restart,
    /// so this setting changes the last bits of the motion.
    pub restart_every: Option<f64>,
}

/// Detection and treatment of accumulating impacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccumulationSettings {
    /// Criterion that decides whether impacts count as an accumulation.
    pub criterion: AccumulationCriterion,
    /// Treatment of an accumulation.
    pub policy: AccumulationPolicy,
}

/// Treatment of an accumulation of impacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AccumulationPolicy {
    /// Ends the simulation at the event. The report holds the estimated time of the accumulation.
    Stop,
    /// Adds the contact to I_2: an impulse that conserves momentum sets its gap velocity to zero, and its gap
    /// is projected to zero. The simulation continues with the closed contact.
    #[default]
    Stick,
    /// Takes time steps with Moreau's scheme to the next scheduled event, and then resumes event-driven
    /// integration.
    HandOver {
        /// Maximum length of the time steps \[s\]. Must be positive.
        h: f64,
    },
}

impl Default for EventDrivenSettings {
    fn default() -> Self {
        Self {
            integrator: EventIntegrator::default(),
            gap_tolerance: 1e-10,
            velocity_tolerance: 1e-10,
            acceleration_tolerance: 1e-9,
            accumulation: AccumulationSettings::default(),
            restart_every: None,
        }
    }
}

impl EventDrivenSettings {
    pub(super) fn validate(&self) -> Result<(), SettingsError> {
        let accumulation = &self.accumulation;
        if let AccumulationPolicy::HandOver { h } = accumulation.policy {
            check_positive("h", h)?;
        }
        self.restart_every.map_or(Ok(()), |every| check_positive("restart_every", every))?;
        check_positive("gap_tolerance", self.gap_tolerance)?;
        check_positive("velocity_tolerance", self.velocity_tolerance)?;
        check_positive("acceleration_tolerance", self.acceleration_tolerance)?;
        accumulation.criterion.validate()
    }
}
