//! Components of a control loop: sensors, observers and actuators with their samples, ids and errors.
//!
//! An id names the type of its device, the device returns errors, and an error has the ids of components.

mod device;
mod error;

pub use device::{Actuator, Knowledge, Observer, Ports, Sensor};
pub use error::ControlError;

use super::{Samples, Sampling};
use siconos_kernel::ModelError;
use siconos_kernel::arena::Id;
use siconos_kernel::engine::check_finite;

/// A device in a control loop, with its latest value and its samples.
///
/// `T` is `dyn Sensor`, `dyn Observer` or `dyn Actuator`. [`Samples`] has an example.
#[derive(Debug)]
pub struct Component<T: ?Sized> {
    pub(super) device: Box<T>,
    sampling: Sampling,
    pub(super) value: Vec<f64>,
    is_sampled: bool,
    pub(super) samples: Samples,
}

impl<T: ?Sized> Component<T> {
    /// `widths`: how many numbers its value and its terms are.
    pub(super) fn new(device: Box<T>, sampling: Sampling, widths: [usize; 2]) -> Self {
        Self {
            device,
            sampling,
            value: vec![0.0; widths[0]],
            is_sampled: false,
            samples: Samples::new(widths),
        }
    }

    /// The device itself.
    #[must_use]
    pub fn device(&self) -> &T {
        &self.device
    }

    /// When it is sampled.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// The value of its last sample: y, the estimate of x, or u; `None` before the first.
    #[must_use]
    pub fn value(&self) -> Option<&[f64]> {
        self.is_sampled.then_some(&self.value)
    }

    /// What it has recorded since the loop was made or restarted.
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Takes a value as that of a sample, if it is finite.
    pub(super) fn accept(&mut self, what: &'static str) -> Result<(), ModelError> {
        check_finite(what, &self.value)?;
        self.is_sampled = true;
        Ok(())
    }

    /// As behind the sample of a value, or before the first sample where there is none.
    pub(super) fn put_back(&mut self, value: &[f64]) {
        self.samples.clear();
        self.is_sampled = !value.is_empty();
        match value {
            [] => self.value.fill(0.0),
            value => self.value.copy_from_slice(value),
        }
    }

    /// As before the first sample.
    pub(super) fn forget(&mut self) {
        self.value.fill(0.0);
        self.is_sampled = false;
        self.samples.clear();
    }
}

/// The name of a sensor in its control loop.
pub type SensorId = Id<Component<dyn Sensor>>;

/// The name of an observer in its control loop.
pub type ObserverId = Id<Component<dyn Observer>>;

/// The name of an actuator in its control loop.
pub type ActuatorId = Id<Component<dyn Actuator>>;

/// What an actuator reads: the latest value of a sensor or of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignalId {
    /// The y of a sensor.
    Sensor(SensorId),
    /// The estimate of an observer.
    Observer(ObserverId),
}

impl From<SensorId> for SignalId {
    fn from(id: SensorId) -> Self {
        Self::Sensor(id)
    }
}

impl From<ObserverId> for SignalId {
    fn from(id: ObserverId) -> Self {
        Self::Observer(id)
    }
}

impl std::fmt::Display for SignalId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sensor(id) => write!(f, "sensor {id}"),
            Self::Observer(id) => write!(f, "observer {id}"),
        }
    }
}
