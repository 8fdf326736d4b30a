//! Components of a control loop: sensors, observers and actuators with their samples, ids and errors.
//!
//! The components form one module, because an id contains the type of its device, devices return errors, and
//! errors contain ids.

mod device;
mod error;

pub use device::{Actuator, Observer, ObserverInput, Ports, Sensor};
pub use error::ControlError;

use super::{Samples, Sampling};
use siconos_kernel::ModelError;
use siconos_kernel::arena::Id;
use siconos_kernel::engine::check_finite;

/// Device in a control loop, with its latest value and its samples.
///
/// `T` is `dyn Sensor`, `dyn Observer` or `dyn Actuator`. For an example, see [`Samples`].
#[derive(Debug)]
pub struct Component<T: ?Sized> {
    pub(super) device: Box<T>,
    sampling: Sampling,
    pub(super) value: Vec<f64>,
    is_sampled: bool,
    pub(super) samples: Samples,
}

impl<T: ?Sized> Component<T> {
    /// Creates a component. `widths` contains the numbers of entries of its value and of its terms.
    pub(super) fn new(device: Box<T>, sampling: Sampling, widths: [usize; 2]) -> Self {
        Self {
            device,
            sampling,
            value: vec![0.0; widths[0]],
            is_sampled: false,
            samples: Samples::new(widths),
        }
    }

    /// Returns the device.
    #[must_use]
    pub fn device(&self) -> &T {
        &self.device
    }

    /// Returns the sampling times.
    #[must_use]
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Returns the value of the last sample (y, the estimate of x, or u), or `None` before the first sample.
    #[must_use]
    pub fn value(&self) -> Option<&[f64]> {
        self.is_sampled.then_some(&self.value)
    }

    /// Returns the samples that were recorded since the loop was created or restarted.
    #[must_use]
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Marks the component as sampled. Returns an error if its value is not finite.
    pub(super) fn accept(&mut self, what: &'static str) -> Result<(), ModelError> {
        check_finite(what, &self.value)?;
        self.is_sampled = true;
        Ok(())
    }

    /// Restores the component after a sample with the given value, or before the first sample if `value` is
    /// empty. Recorded samples are discarded.
    pub(super) fn put_back(&mut self, value: &[f64]) {
        self.samples.clear();
        self.is_sampled = !value.is_empty();
        match value {
            [] => self.value.fill(0.0),
            value => self.value.copy_from_slice(value),
        }
    }

    /// Resets the component to the state before the first sample.
    pub(super) fn forget(&mut self) {
        self.value.fill(0.0);
        self.is_sampled = false;
        self.samples.clear();
    }
}

/// Identifier of a sensor in its control loop.
pub type SensorId = Id<Component<dyn Sensor>>;

/// Identifier of an observer in its control loop.
pub type ObserverId = Id<Component<dyn Observer>>;

/// Identifier of an actuator in its control loop.
pub type ActuatorId = Id<Component<dyn Actuator>>;

/// Signal that an actuator reads: the latest value of a sensor or of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SignalId {
    /// Measurement y of a sensor.
    Sensor(SensorId),
    /// Estimate of an observer.
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
