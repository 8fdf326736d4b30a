//! Devices of a built model.

use siconos_control::{ActuatorId, ControlError, ControlLoop, ControlRecord, ObserverId, SensorId};
use siconos_kernel::model::NonSmoothDynamicalSystem;
use siconos_kernel::simulation::Event;
use siconos_kernel::state::State;

/// Identifier of a device in its control loop.
#[derive(Clone, Copy, Debug)]
pub(in crate::model) enum DeviceId {
    Sensor(SensorId),
    Observer(ObserverId),
    Actuator(ActuatorId),
}

/// Control loop with its devices in the order of the file.
#[derive(Debug, Default)]
pub(in crate::model) struct Devices {
    control: ControlLoop,
    ids: Vec<DeviceId>,
}

impl Devices {
    pub(super) fn new(control: ControlLoop, ids: Vec<DeviceId>) -> Self {
        Self { control, ids }
    }

    /// Returns `true` if the list of devices is empty.
    pub(in crate::model) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Processes the samples that are due at an event.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if a device fails.
    pub(in crate::model) fn process(
        &mut self,
        event: &Event,
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), ControlError> {
        self.control.process(std::slice::from_ref(event), model, state)
    }

    /// Returns entry `index` of the vector that consists of the value of a device, followed by its terms.
    /// Returns 0 before the first sample.
    pub(in crate::model) fn number(&self, device: usize, index: usize) -> f64 {
        let number = |value: Option<&[f64]>, terms: &[f64]| {
            let value = value?;
            value.get(index).or_else(|| terms.get(index - value.len())).copied()
        };
        let found = match self.ids.get(device) {
            Some(DeviceId::Sensor(id)) => {
                self.control.sensor(*id).ok().and_then(|own| number(own.value(), &[]))
            }
            Some(DeviceId::Observer(id)) => {
                self.control.observer(*id).ok().and_then(|own| number(own.value(), &[]))
            }
            Some(DeviceId::Actuator(id)) => {
                self.control.actuator(*id).ok().and_then(|own| number(own.value(), own.device().terms()))
            }
            None => None,
        };
        found.unwrap_or_default()
    }

    /// Returns the state of the devices.
    pub(in crate::model) fn record(&self) -> Option<ControlRecord> {
        (!self.is_empty()).then(|| self.control.record())
    }

    /// Restores the recorded state of the devices. If `record` is `None`, the devices restart.
    ///
    /// # Errors
    ///
    /// [`ControlError`] if the record belongs to different devices.
    pub(in crate::model) fn restore(&mut self, record: Option<&ControlRecord>) -> Result<(), ControlError> {
        self.control.restart();
        record.map_or(Ok(()), |record| self.control.restore(record))
    }
}
