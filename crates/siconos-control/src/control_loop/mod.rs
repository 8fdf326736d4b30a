//! Control loop: sampling times and connections of its devices.

mod process;
mod schedule;

use std::collections::BTreeMap;
use std::fmt;

use super::component::Component;
use super::{
    Actuator, ActuatorId, ControlError, Observer, ObserverId, Ports, Sampling, Sensor, SensorId, SignalId,
};
use siconos_kernel::ModelError;
use siconos_kernel::arena::{Arena, SideTable};
use siconos_kernel::engine::{check_shape, next_stamp};
use siconos_kernel::model::ParameterId;
use siconos_kernel::simulation::{EventId, EventSettings};

/// Device that is sampled at an event.
#[derive(Clone, Copy, Debug)]
enum Due {
    Sensor(SensorId),
    Observer(ObserverId),
    Actuator(ActuatorId),
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sensor(id) => write!(f, "sensor {id}"),
            Self::Observer(id) => write!(f, "observer {id}"),
            Self::Actuator(id) => write!(f, "actuator {id}"),
        }
    }
}

/// Signals that an observer reads.
#[derive(Debug)]
struct ObserverWires {
    sensor: SensorId,
    inputs: Vec<ParameterId>,
}

/// Signal that an actuator reads, and input that it sets.
#[derive(Debug)]
struct ActuatorWires {
    signal: SignalId,
    input: ParameterId,
}

/// Sensors, observers and actuators around a plant, each sampled with its own period.
///
/// The plant is a model under any simulation that reports events. Its inputs are
/// [parameters](siconos_kernel::model::Parameter) of the model, which keep their values between two samples
/// of an actuator. At equal times, sensors are sampled first, then observers, then actuators. Within each of
/// these groups, components are sampled in the order in which they were added. An actuator therefore sets its
/// input at $t_k$ from the measurement at $t_k$, without delay.
///
/// 1. [`add_sensor`](Self::add_sensor), [`add_observer`](Self::add_observer) and
///    [`add_actuator`](Self::add_actuator) return ids, which connect the components and give access to them.
/// 2. [`schedule`](Self::schedule) adds the events of all components to the queue of a simulation.
/// 3. [`process`](Self::process), called with the events of each step, samples the components that are due.
///
/// Once the loop is running, only the [recorded](Self::set_recording) samples allocate memory.
///
/// ```
/// use ndarray::array;
/// use siconos_control::{ControlLoop, LinearSensor, Pid, PidGains, Sampling};
/// use siconos_kernel::prelude::*;
///
/// // A motor moves a cart of 1 kg to q = 1 m. The loop is sampled every 50 ms.
/// let mut model = NonSmoothDynamicalSystem::new();
/// let motor = model.add_parameter("motor [N]", vec![0.0])?;
/// let cart = model.add_system(
///     LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
///         .with_external_force(move |at, f| f[0] = at[motor][0]),
/// )?;
/// let mut sim = TimeStepping::builder(&model)
///     .discretisation(TimeDiscretisation::uniform(0.0, 20.0, 0.01)?)
///     .build()?;
///
/// let sampling = Sampling::every(0.05);
/// let mut control = ControlLoop::default();
/// let position = control.add_sensor(sampling, LinearSensor::new([cart], array![[1.0, 0.0]])?);
/// let gains = PidGains { proportional: 4.0, derivative: 3.0, ..PidGains::default() };
/// let pid = Pid::new(gains, sampling.period)?.with_reference(1.0)?;
/// let force = control.add_actuator(sampling, pid, position, motor)?;
///
/// control.schedule(&model, sim.events_mut())?;
/// let mut state = sim.initial_state(&model)?;
/// while let Some(report) = sim.step(&model, &mut state)? {
///     control.process(report.events, &model, &mut state)?;
/// }
/// assert!((state.q(cart)[0] - 1.0).abs() < 1e-6);
/// assert_eq!(control.actuator(force)?.samples().len(), 401);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ControlLoop {
    pub(super) sensors: Arena<Component<dyn Sensor>>,
    pub(super) observers: Arena<Component<dyn Observer>>,
    pub(super) actuators: Arena<Component<dyn Actuator>>,
    observer_wires: SideTable<Component<dyn Observer>, ObserverWires>,
    actuator_wires: SideTable<Component<dyn Actuator>, ActuatorWires>,
    /// Device that is sampled at each event on the queue.
    due: BTreeMap<EventId, Due>,
    /// Present values of the inputs that an observer reads, concatenated.
    held: Vec<f64>,
    settings: EventSettings,
    is_recording: bool,
}

impl Default for ControlLoop {
    /// Returns a loop without components. It records samples.
    fn default() -> Self {
        Self {
            sensors: Arena::default(),
            observers: Arena::default(),
            actuators: Arena::default(),
            observer_wires: SideTable::new(),
            actuator_wires: SideTable::new(),
            due: BTreeMap::new(),
            held: Vec::new(),
            settings: EventSettings::default(),
            is_recording: true,
        }
    }
}

impl ControlLoop {
    /// Adds a sensor.
    pub fn add_sensor(&mut self, sampling: Sampling, sensor: impl Sensor + 'static) -> SensorId {
        self.insert_sensor(None, sampling, sensor)
    }

    /// Adds a sensor with a name, which is used in messages.
    ///
    /// # Errors
    ///
    /// [`ModelError::NameTaken`] if another sensor has this name.
    pub fn add_named_sensor(
        &mut self,
        name: &str,
        sampling: Sampling,
        sensor: impl Sensor + 'static,
    ) -> Result<SensorId, ControlError> {
        check_name(&self.sensors, ("sensor", name))?;
        Ok(self.insert_sensor(Some(name), sampling, sensor))
    }

    fn insert_sensor(
        &mut self,
        name: Option<&str>,
        sampling: Sampling,
        sensor: impl Sensor + 'static,
    ) -> SensorId {
        let widths = [sensor.size(), 0];
        self.sensors.insert(name, Component::new(Box::new(sensor), sampling, widths), next_stamp())
    }

    /// Adds an observer that reads a sensor. If the observer also reads inputs of the plant, it receives
    /// their held values, concatenated.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`] if the sensor belongs to another loop; [`ControlError::OtherPeriod`]
    /// if the observer was created for a different period;
    /// [`ModelError::WrongShape`](siconos_kernel::ModelError::WrongShape) if the size of the sensor does not
    /// match.
    pub fn add_observer(
        &mut self,
        sampling: Sampling,
        observer: impl Observer + 'static,
        sensor: SensorId,
        inputs: impl IntoIterator<Item = ParameterId>,
    ) -> Result<ObserverId, ControlError> {
        let wires = ObserverWires { sensor, inputs: inputs.into_iter().collect() };
        self.insert_observer(None, sampling, Box::new(observer), wires)
    }

    /// Adds an observer with a name, which is used in messages.
    ///
    /// # Errors
    ///
    /// See [`add_observer`](Self::add_observer); also [`ModelError::NameTaken`] if another observer has this
    /// name.
    pub fn add_named_observer(
        &mut self,
        name: &str,
        sampling: Sampling,
        observer: impl Observer + 'static,
        sensor: SensorId,
        inputs: impl IntoIterator<Item = ParameterId>,
    ) -> Result<ObserverId, ControlError> {
        check_name(&self.observers, ("observer", name))?;
        let wires = ObserverWires { sensor, inputs: inputs.into_iter().collect() };
        self.insert_observer(Some(name), sampling, Box::new(observer), wires)
    }

    fn insert_observer(
        &mut self,
        name: Option<&str>,
        sampling: Sampling,
        observer: Box<dyn Observer>,
        wires: ObserverWires,
    ) -> Result<ObserverId, ControlError> {
        let Ports { takes: [of_y, _], gives, period } = observer.ports();
        check_shape("y of an observer", (of_y, 1), (self.sensor(wires.sensor)?.value.len(), 1))?;
        check_period("an observer", period, sampling)?;
        let component = Component::new(observer, sampling, [gives, 0]);
        let id = self.observers.insert(name, component, next_stamp());
        self.observer_wires.insert(id, wires);
        Ok(id)
    }

    /// Adds an actuator that reads a sensor or an observer and sets an input, which is a parameter of the
    /// model.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`] or [`ControlError::UnknownObserver`] if the signal belongs to another
    /// loop; [`ControlError::OtherPeriod`] if the actuator was created for a different period;
    /// [`ControlError::InputTaken`] if another actuator sets the input;
    /// [`ModelError::WrongShape`](siconos_kernel::ModelError::WrongShape) if the size of the signal does not
    /// match.
    pub fn add_actuator(
        &mut self,
        sampling: Sampling,
        actuator: impl Actuator + 'static,
        signal: impl Into<SignalId>,
        input: ParameterId,
    ) -> Result<ActuatorId, ControlError> {
        let wires = ActuatorWires { signal: signal.into(), input };
        self.insert_actuator(None, sampling, Box::new(actuator), wires)
    }

    /// Adds an actuator with a name, which is used in messages.
    ///
    /// # Errors
    ///
    /// See [`add_actuator`](Self::add_actuator); also [`ModelError::NameTaken`] if another actuator has this
    /// name.
    pub fn add_named_actuator(
        &mut self,
        name: &str,
        sampling: Sampling,
        actuator: impl Actuator + 'static,
        signal: impl Into<SignalId>,
        input: ParameterId,
    ) -> Result<ActuatorId, ControlError> {
        check_name(&self.actuators, ("actuator", name))?;
        let wires = ActuatorWires { signal: signal.into(), input };
        self.insert_actuator(Some(name), sampling, Box::new(actuator), wires)
    }

    fn insert_actuator(
        &mut self,
        name: Option<&str>,
        sampling: Sampling,
        actuator: Box<dyn Actuator>,
        wires: ActuatorWires,
    ) -> Result<ActuatorId, ControlError> {
        let size = match wires.signal {
            SignalId::Sensor(id) => self.sensor(id)?.value.len(),
            SignalId::Observer(id) => self.observer(id)?.value.len(),
        };
        let Ports { takes, gives, period } = actuator.ports();
        check_shape("what an actuator reads", (takes, 1), (size, 1))?;
        check_period("an actuator", period, sampling)?;
        let sets_input =
            |id: &ActuatorId| self.actuator_wires.get(*id).is_some_and(|own| own.input == wires.input);
        if let Some(by) = self.actuators.ids().find(sets_input) {
            return Err(ControlError::InputTaken { input: wires.input, by });
        }
        let widths = [gives, actuator.terms().len()];
        let component = Component::new(actuator, sampling, widths);
        let id = self.actuators.insert(name, component, next_stamp());
        self.actuator_wires.insert(id, wires);
        Ok(id)
    }

    /// Returns a sensor with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`] if the id belongs to another loop.
    pub fn sensor(&self, id: SensorId) -> Result<&Component<dyn Sensor>, ControlError> {
        self.sensors.get(id).ok_or(ControlError::UnknownSensor { id })
    }

    /// Returns an observer with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownObserver`] if the id belongs to another loop.
    pub fn observer(&self, id: ObserverId) -> Result<&Component<dyn Observer>, ControlError> {
        self.observers.get(id).ok_or(ControlError::UnknownObserver { id })
    }

    /// Returns an actuator with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownActuator`] if the id belongs to another loop.
    pub fn actuator(&self, id: ActuatorId) -> Result<&Component<dyn Actuator>, ControlError> {
        self.actuators.get(id).ok_or(ControlError::UnknownActuator { id })
    }

    /// Enables or disables the recording of samples. Default: enabled.
    pub fn set_recording(&mut self, is_recording: bool) {
        self.is_recording = is_recording;
    }
}

fn check_name<T>(components: &Arena<T>, (what, name): (&str, &str)) -> Result<(), ModelError> {
    match components.named(name) {
        None => Ok(()),
        Some(id) => Err(ModelError::NameTaken { name: name.to_owned(), by: format!("{what} {id}") }),
    }
}

fn check_period(
    component: &'static str,
    made_for: Option<f64>,
    sampling: Sampling,
) -> Result<(), ControlError> {
    match made_for {
        Some(made_for) if made_for.to_bits() != sampling.period.to_bits() => {
            Err(ControlError::OtherPeriod { component, made_for, sampled: sampling.period })
        }
        _ => Ok(()),
    }
}
