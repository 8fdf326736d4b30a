//! What a user chooses of an event-driven simulation.

use serde::{Deserialize, Serialize};

use super::EventIntegrator;
use crate::settings_error::{SettingsError, check_positive};
use crate::simulation::AccumulationCriterion;

/// Tolerances and policies of an [`EventDriven`](super::EventDriven) simulation.
///
/// The tolerances decide to which index set a contact belongs, in the units of the model: those of a model in
/// millimetres differ from those of one in metres.
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
    /// The method of the smooth integration, with its tolerances and how it locates roots. Default:
    /// [`EventIntegrator::Ode`] that chooses the method by itself, at tolerances of 1e-12.
    pub integrator: EventIntegrator,
    /// A contact touches (I_1) when its gap is at most this \[m\]. Default 1e-10, above 0.
    pub gap_tolerance: f64,
    /// A contact that touches lasts (I_2) when its gap velocity is at most this \[m/s\]. Default 1e-10,
    /// above 0.
    pub velocity_tolerance: f64,
    /// A contact of I_2 opens when its gap acceleration is above this \[m/s2\], and stays when the
    /// acceleration that its force makes is above it; where neither is, the next derivative decides. Default
    /// 1e-9, above 0.
    pub acceleration_tolerance: f64,
    /// How accumulations of impacts are found, and what is done then.
    pub accumulation: AccumulationSettings,
    /// Begins the integration anew each so many seconds after the start of the points of output \[s\]. Above
    /// 0; default `None`: only where the motion is not smooth. A run goes on from such points, so on long
    /// smooth stretches a snapshot costs no more than one of these. The steps of the integrator end there, so
    /// the bits of the motion depend on it.
    pub restart_every: Option<f64>,
}

/// How accumulations of impacts are found, and what is done there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AccumulationSettings {
    /// When impacts count as an accumulation.
    pub criterion: AccumulationCriterion,
    /// What is done then.
    pub policy: AccumulationPolicy,
}

/// What is done where impacts accumulate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum AccumulationPolicy {
    /// Ends the simulation there; the report holds the estimated time.
    Stop,
    /// Closes the contact: its gap and gap velocity are set to zero, by an impulse that keeps the momentum,
    /// and the simulation goes on with the contact in I_2.
    #[default]
    Stick,
    /// Takes time steps of this length \[s\] with Moreau's scheme to the next point of output, and comes back
    /// there.
    HandOver {
        /// The longest step \[s\].
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
