//! Record of a control loop, from which a run in another process can resume.

use serde::{Deserialize, Serialize};

use super::component::Component;
use super::{Actuator, ControlError, ControlLoop, Observer, Sensor};
use siconos_kernel::arena::Arena;
use siconos_kernel::engine::check_finite;

/// Latest values and internal states of all devices of a [`ControlLoop`]. The sensors, the observers and the
/// actuators are in the order in which they were added. The recorded [samples](super::Samples) are not
/// included.
///
/// A run resumes from this record together with a [`StateRecord`](siconos_kernel::StateRecord) of the same
/// instant. The record does not contain the times of the next samples, because they follow from the time of
/// the state.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{ControlLoop, LinearSensor, Pid, PidGains, Sampling};
/// use siconos_kernel::prelude::*;
///
/// let mut model = NonSmoothDynamicalSystem::new();
/// let motor = model.add_parameter("motor [N]", vec![0.0])?;
/// let cart = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
/// let cart = model.add_system(cart.with_external_force(move |at, f| f[0] = at[motor][0]))?;
/// let build = || {
///     let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01)?;
///     let mut sim = TimeStepping::builder(&model).discretisation(grid).build()?;
///     let mut control = ControlLoop::default();
///     let sampling = Sampling::every(0.05);
///     let position = control.add_sensor(sampling, LinearSensor::new([cart], array![[1.0, 0.0]])?);
///     let gains = PidGains { proportional: 4.0, integral: 1.0, derivative: 3.0, ..PidGains::default() };
///     control.add_actuator(sampling, Pid::new(gains, 0.05)?.with_reference(1.0)?, position, motor)?;
///     control.schedule(&model, sim.events_mut())?;
///     Ok::<_, Box<dyn std::error::Error>>((sim, control))
/// };
/// let (mut sim, mut control) = build()?;
/// let mut state = sim.initial_state(&model)?;
/// for _ in 0..77 {
///     let Some(report) = sim.step(&model, &mut state)? else { panic!("the end") };
///     control.process(report.events, &model, &mut state)?;
/// }
/// // In another process:
/// let (mut again, mut other) = build()?;
/// other.restore(&control.record())?;
/// let mut same = State::restore(&model, &state.record(&model)?)?;
/// for _ in 0..100 {
///     for (sim, control, state) in [(&mut sim, &mut control, &mut state), (&mut again, &mut other, &mut same)] {
///         let Some(report) = sim.step(&model, state)? else { panic!("the end") };
///         control.process(report.events, &model, state)?;
///     }
///     assert_eq!(state.q(cart), same.q(cart));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ControlRecord {
    sensors: Vec<DeviceRecord>,
    observers: Vec<DeviceRecord>,
    actuators: Vec<DeviceRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct DeviceRecord {
    /// Latest value of the device; empty before the first sample.
    value: Vec<f64>,
    memory: Vec<f64>,
}

impl ControlLoop {
    /// Returns the latest values and internal states of the devices. [`restore`](Self::restore) restores them
    /// in a loop with the same devices.
    #[must_use]
    pub fn record(&self) -> ControlRecord {
        ControlRecord {
            sensors: kept(&self.sensors, Sensor::memory),
            observers: kept(&self.observers, Observer::memory),
            actuators: kept(&self.actuators, Actuator::memory),
        }
    }

    /// Restores the latest values and internal states of the devices from the record of a loop with the same
    /// devices, added in the same order. Recorded samples are discarded.
    ///
    /// # Errors
    ///
    /// [`ControlError::OtherLoop`] if the record belongs to a loop with other devices;
    /// [`ControlError::Model`] if a recorded value is not finite. After an error, the loop must be
    /// [restarted](Self::restart).
    pub fn restore(&mut self, record: &ControlRecord) -> Result<(), ControlError> {
        put_back("sensor", &mut self.sensors, &record.sensors, Sensor::recall)?;
        put_back("observer", &mut self.observers, &record.observers, Observer::recall)?;
        put_back("actuator", &mut self.actuators, &record.actuators, Actuator::recall)
    }
}

fn kept<T: ?Sized>(components: &Arena<Component<T>>, memory: impl Fn(&T) -> Vec<f64>) -> Vec<DeviceRecord> {
    let of = |component: &Component<T>| DeviceRecord {
        value: component.value().unwrap_or_default().to_vec(),
        memory: memory(&component.device),
    };
    components.iter().map(|(_, component)| of(component)).collect()
}

fn put_back<T: ?Sized>(
    kind: &'static str,
    components: &mut Arena<Component<T>>,
    records: &[DeviceRecord],
    recall: impl Fn(&mut T, &[f64]) -> bool,
) -> Result<(), ControlError> {
    let ids: Vec<_> = components.ids().collect();
    if ids.len() != records.len() {
        let what = format!("{} {kind}s, not {}", records.len(), ids.len());
        return Err(ControlError::OtherLoop { what });
    }
    for (place, (id, DeviceRecord { value, memory })) in ids.into_iter().zip(records).enumerate() {
        check_finite("the record of a device", value)?;
        check_finite("the record of a device", memory)?;
        let Some(component) = components.get_mut(id) else { continue };
        let fits = value.is_empty() || value.len() == component.value.len();
        if !(fits && recall(&mut component.device, memory)) {
            let what = format!("a different {kind} at index {}", place + 1);
            return Err(ControlError::OtherLoop { what });
        }
        component.put_back(value);
    }
    Ok(())
}
