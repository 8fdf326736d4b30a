//! The control loop: which device is sampled when, and what it reads and sets.

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

/// Which device an event is for.
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

/// What an observer reads.
#[derive(Debug)]
struct ObserverWires {
    sensor: SensorId,
    inputs: Vec<ParameterId>,
}

/// What an actuator reads and sets.
#[derive(Debug)]
struct ActuatorWires {
    signal: SignalId,
    input: ParameterId,
}

/// Sensors, observers and actuators around a plant, each sampled with a period of its own.
///
/// The plant is a model, under any simulation that reports events. Its inputs are
/// [parameters](siconos_kernel::model::Parameter) of the model, which hold their values from one sample of an
/// actuator to the next. At equal times sensors come first, then observers, then actuators, each kind in the
/// order in which it was added: what an actuator sets at $t_k$ follows from what was measured at $t_k$,
/// without delay.
///
/// 1. [`add_sensor`](Self::add_sensor), [`add_observer`](Self::add_observer),
///    [`add_actuator`](Self::add_actuator) give ids, by which components read each other and are read.
/// 2. [`schedule`](Self::schedule) puts all of them on the queue of a simulation.
/// 3. [`process`](Self::process), called with the events of each step, does what is due.
///
/// In steady state nothing is allocated but what is [recorded](Self::set_recording).
///
/// ```
/// use ndarray::array;
/// use siconos_control::{ControlLoop, LinearSensor, Pid, PidGains, Sampling};
/// use siconos_kernel::prelude::*;
///
/// // A cart of 1 kg that a motor moves to q = 1 m; it is sampled every 50 ms.
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
    /// Whose the events are that are on the queue.
    due: BTreeMap<EventId, Due>,
    /// The present values of the inputs that an observer knows of, one after the other.
    held: Vec<f64>,
    settings: EventSettings,
    is_recording: bool,
}

impl Default for ControlLoop {
    /// A loop without components, which records.
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

    /// Adds a sensor under a name, which messages show.
    ///
    /// # Errors
    ///
    /// [`ModelError::NameTaken`].
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

    /// Adds an observer of what a sensor measures and, where the plant has inputs that it knows of, of their
    /// held values, one after the other.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`]; [`ControlError::OtherPeriod`];
    /// [`ModelError::WrongShape`](siconos_kernel::ModelError::WrongShape) for a sensor of another size.
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

    /// Adds an observer under a name, which messages show.
    ///
    /// # Errors
    ///
    /// As [`add_observer`](Self::add_observer); [`ModelError::NameTaken`].
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

    /// Adds an actuator that reads a sensor or an observer and sets an input, a parameter of the model.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`], [`ControlError::UnknownObserver`]; [`ControlError::OtherPeriod`];
    /// [`ControlError::InputTaken`]; [`ModelError::WrongShape`](siconos_kernel::ModelError::WrongShape) for a
    /// signal of another size.
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

    /// Adds an actuator under a name, which messages show.
    ///
    /// # Errors
    ///
    /// As [`add_actuator`](Self::add_actuator); [`ModelError::NameTaken`].
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

    /// A sensor with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownSensor`] for an id of another loop.
    pub fn sensor(&self, id: SensorId) -> Result<&Component<dyn Sensor>, ControlError> {
        self.sensors.get(id).ok_or(ControlError::UnknownSensor { id })
    }

    /// An observer with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownObserver`] for an id of another loop.
    pub fn observer(&self, id: ObserverId) -> Result<&Component<dyn Observer>, ControlError> {
        self.observers.get(id).ok_or(ControlError::UnknownObserver { id })
    }

    /// An actuator with its samples.
    ///
    /// # Errors
    ///
    /// [`ControlError::UnknownActuator`] for an id of another loop.
    pub fn actuator(&self, id: ActuatorId) -> Result<&Component<dyn Actuator>, ControlError> {
        self.actuators.get(id).ok_or(ControlError::UnknownActuator { id })
    }

    /// Whether samples are recorded from now on. Default: they are.
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
