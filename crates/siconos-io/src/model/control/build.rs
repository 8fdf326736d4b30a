//! Construction of the devices of the control loop.

use siconos_control::{
    ActuatorId, ControlError, ControlLoop, EquivalentControl, ExplicitLinearSlidingMode, FunctionActuator,
    HeldPlant, LinearSensor, LinearSlidingMode, LuenbergerObserver, ObserverId, Pid, PidGains, Sampling,
    Sensor, SensorId, SignalId, SlidingReducedOrderObserver, Twisting,
};
use siconos_expression::Expression;
use siconos_kernel::ModelError;
use siconos_kernel::model::{At, DynamicalSystemId, NonSmoothDynamicalSystem, ParameterId};
use siconos_kernel::ndarray::Array2;
use siconos_kernel::simulation::{EventKind, EventsManager};

use super::built::{DeviceId, Devices};
use super::{Device, DeviceKind, EQUIVALENT, Field};
use crate::document::Diagnostics;
use crate::model::functions::{self, Evaluation};
use crate::model::registered::VectorFunction;
use crate::model::registry::Registry;
use crate::model::values::evaluated;

/// Model, parameter values and functions that are needed to build devices.
pub(in crate::model) struct Around<'a> {
    pub(in crate::model) model: &'a NonSmoothDynamicalSystem,
    /// Values of all parameters.
    pub(in crate::model) values: &'a [f64],
    pub(in crate::model) registry: &'a Registry,
}

/// Adds all devices to a control loop and schedules their samples. Each error is reported with the location
/// of its device.
pub(in crate::model) fn build(
    devices: &[Device],
    around: &Around<'_>,
    events: &mut EventsManager,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Devices> {
    let mut adding =
        Adding { devices, around, control: ControlLoop::default(), ids: vec![None; devices.len()] };
    // Nothing reads past samples, so they are not recorded.
    adding.control.set_recording(false);
    let mut is_whole = true;
    let orders: [fn(DeviceKind) -> bool; 3] =
        [DeviceKind::is_sensor, DeviceKind::is_observer, |kind| !kind.is_sensor() && !kind.is_observer()];
    for is_next in orders {
        for (place, device) in devices.iter().enumerate().filter(|(_, device)| is_next(device.kind)) {
            if let Some(VectorFunction::Registered(own)) = device.feedback() {
                own.check(around.registry, diagnostics);
            }
            let added = adding.add(device, events);
            match added {
                Ok(id) => adding.ids[place] = Some(id),
                // The cause is an error in a device that this device reads. This error has been reported.
                Err(None) => is_whole = false,
                Err(Some(error)) => {
                    is_whole = false;
                    diagnostics.note(&device.span, error);
                }
            }
        }
    }
    let Adding { mut control, ids, .. } = adding;
    if !is_whole {
        return None;
    }
    match (control.schedule(around.model, events), devices.first()) {
        (Err(error), Some(first)) => {
            diagnostics.note(&first.span, error);
            None
        }
        _ => Some(Devices::new(control, ids.into_iter().flatten().collect())),
    }
}

struct Adding<'a> {
    devices: &'a [Device],
    around: &'a Around<'a>,
    control: ControlLoop,
    ids: Vec<Option<DeviceId>>,
}

/// Error of a device that is not added; `None` if an error in another device is the cause.
type Refused = Option<ControlError>;

impl Adding<'_> {
    fn add(&mut self, device: &Device, events: &EventsManager) -> Result<DeviceId, Refused> {
        let parts = DeviceInput { device, around: self.around };
        let sampling = Sampling {
            first: parts.number("first").unwrap_or_else(|| events.discretisation().t0()),
            period: parts.number("period").unwrap_or(f64::NAN),
        };
        // A copy of the queue is used first, so that an error can be assigned to this device.
        let kind = EventKind::Custom;
        events.clone().schedule_periodic(kind, sampling.first, sampling.period).map_err(refused)?;
        Ok(match device.kind {
            DeviceKind::LinearSensor => {
                let sensor = parts.linear_sensor().map_err(Some)?;
                sensor.check(self.around.model).map_err(Some)?;
                DeviceId::Sensor(self.control.add_named_sensor(&device.name, sampling, sensor).map_err(Some)?)
            }
            DeviceKind::LuenbergerObserver | DeviceKind::SlidingObserver => {
                let sensor = self.sensor(device)?;
                let inputs = parts.parameters("inputs").map_err(refused)?;
                self.check_size("u of an observer", &inputs, parts.plant().map_err(Some)?.inputs())?;
                let added = if device.kind == DeviceKind::LuenbergerObserver {
                    let observer = parts.luenberger().map_err(Some)?;
                    self.control.add_named_observer(&device.name, sampling, observer, sensor, inputs)
                } else {
                    let observer = parts.sliding_observer().map_err(Some)?;
                    self.control.add_named_observer(&device.name, sampling, observer, sensor, inputs)
                };
                DeviceId::Observer(added.map_err(Some)?)
            }
            _ => DeviceId::Actuator(self.actuator(&parts, sampling)?),
        })
    }

    fn actuator(&mut self, parts: &DeviceInput<'_>, sampling: Sampling) -> Result<ActuatorId, Refused> {
        let (name, signal) = (&*parts.device.name, self.signal(parts.device)?);
        let input = parts.parameters("input").map_err(refused)?;
        let [input] = input[..] else { return Err(None) };
        let size = match parts.device.kind {
            DeviceKind::SlidingMode | DeviceKind::ExplicitSlidingMode => {
                parts.plant().map_err(Some)?.inputs()
            }
            DeviceKind::Function => parts.device.feedback().map_or(0, VectorFunction::size),
            _ => 1,
        };
        self.check_size("the input of an actuator", &[input], size)?;
        let added = match parts.device.kind {
            DeviceKind::Pid => {
                let pid = parts.pid().map_err(Some)?;
                self.control.add_named_actuator(name, sampling, pid, signal, input)
            }
            DeviceKind::SlidingMode => {
                let (plant, c, alpha, equivalent) = parts.sliding().map_err(Some)?;
                let sliding = LinearSlidingMode::new(&plant, c, &alpha, equivalent).map_err(Some)?;
                self.control.add_named_actuator(name, sampling, sliding, signal, input)
            }
            DeviceKind::ExplicitSlidingMode => {
                let (plant, c, alpha, equivalent) = parts.sliding().map_err(Some)?;
                let sliding = ExplicitLinearSlidingMode::new(&plant, c, &alpha, equivalent).map_err(Some)?;
                self.control.add_named_actuator(name, sampling, sliding, signal, input)
            }
            DeviceKind::Function => {
                let reads = parts.device.one("signal").and_then(|(name, _)| {
                    let device = self.devices.iter().find(|device| device.name == *name)?;
                    Some(device.outputs().len())
                });
                let feedback = parts.device.feedback().and_then(|own| own.evaluation(self.around.registry));
                let (Some(reads), Some(feedback)) = (reads, feedback) else { return Err(None) };
                let feedback = FunctionActuator::new(reads, size, functions::of_first(feedback));
                self.control.add_named_actuator(name, sampling, feedback, signal, input)
            }
            _ => {
                let twisting = parts.twisting().map_err(Some)?;
                self.control.add_named_actuator(name, sampling, twisting, signal, input)
            }
        };
        added.map_err(Some)
    }

    /// Checks that the parameters have `expected` values in total.
    fn check_size(&self, what: &'static str, inputs: &[ParameterId], expected: usize) -> Result<(), Refused> {
        let size = |id: &ParameterId| self.around.model.parameters().get(*id).map(|own| own.initial().len());
        let found = inputs.iter().filter_map(size).sum();
        if found == expected {
            return Ok(());
        }
        Err(refused(ModelError::WrongShape {
            what,
            expected_rows: expected,
            expected_columns: 1,
            rows: found,
            columns: 1,
        }))
    }

    fn id_of(&self, name: &str) -> Option<DeviceId> {
        let place = self.devices.iter().position(|device| device.name == name)?;
        self.ids.get(place).copied().flatten()
    }

    fn sensor(&self, device: &Device) -> Result<SensorId, Refused> {
        match device.one("sensor").and_then(|(name, _)| self.id_of(name)) {
            Some(DeviceId::Sensor(id)) => Ok(id),
            _ => Err(None),
        }
    }

    fn signal(&self, device: &Device) -> Result<SignalId, Refused> {
        match device.one("signal").and_then(|(name, _)| self.id_of(name)) {
            Some(DeviceId::Sensor(id)) => Ok(id.into()),
            Some(DeviceId::Observer(id)) => Ok(observer(id)),
            _ => Err(None),
        }
    }
}

fn observer(id: ObserverId) -> SignalId {
    id.into()
}

fn refused(error: impl Into<ControlError>) -> Refused {
    Some(error.into())
}

/// Device with the data that are needed to evaluate its expressions.
struct DeviceInput<'p> {
    device: &'p Device,
    around: &'p Around<'p>,
}

impl DeviceInput<'_> {
    fn number(&self, key: &str) -> Option<f64> {
        self.vector(key)?.first().copied()
    }

    fn vector(&self, key: &str) -> Option<Vec<f64>> {
        match self.device.fields.get(key)? {
            Field::Numbers(own) => Some(evaluated(own, self.around.values)),
            _ => None,
        }
    }

    fn matrix(&self, key: &str) -> Option<Array2<f64>> {
        match self.device.fields.get(key)? {
            Field::Matrix(own) => own.values(self.around.values),
            _ => None,
        }
    }

    /// Returns a required matrix.
    fn needed(&self, key: &str) -> Array2<f64> {
        self.matrix(key).unwrap_or_default()
    }

    fn pair(&self, key: &str) -> [f64; 2] {
        self.vector(key).and_then(|own| own.try_into().ok()).unwrap_or([f64::NAN; 2])
    }

    fn parameters(&self, key: &str) -> Result<Vec<ParameterId>, ModelError> {
        let of = |(name, _): &(String, _)| {
            let unknown = || ModelError::UnknownParameterName { name: name.clone() };
            self.around.model.parameter_named(name).ok_or_else(unknown)
        };
        self.device.names(key).unwrap_or_default().iter().map(of).collect()
    }

    fn systems(&self) -> Vec<DynamicalSystemId> {
        let names = self.device.names("systems").unwrap_or_default().iter();
        names.filter_map(|(name, _)| self.around.model.system_named(name)).collect()
    }

    fn linear_sensor(&self) -> Result<LinearSensor, ControlError> {
        let mut sensor = LinearSensor::new(self.systems(), self.needed("C"))?;
        if let (Some(d), [input]) = (self.matrix("D"), &self.parameters("input")?[..]) {
            sensor = sensor.with_feedthrough(d, *input)?;
        }
        Ok(sensor.with_delay(self.device.count("delay").unwrap_or_default()))
    }

    fn plant(&self) -> Result<HeldPlant, ControlError> {
        let a = self.needed("A");
        let b = self.matrix("B").unwrap_or_else(|| Array2::zeros((a.nrows(), 0)));
        HeldPlant::new(a, b, self.number("period").unwrap_or(f64::NAN))
    }

    fn estimate(&self, plant: &HeldPlant) -> Vec<f64> {
        self.vector("estimate").unwrap_or_else(|| vec![0.0; plant.states()])
    }

    fn luenberger(&self) -> Result<LuenbergerObserver, ControlError> {
        let plant = self.plant()?;
        let first = self.estimate(&plant);
        let observer = LuenbergerObserver::new(&plant, self.needed("C"), self.needed("L"), first)?;
        match self.matrix("D") {
            Some(d) => observer.with_feedthrough(d),
            None => Ok(observer),
        }
    }

    fn sliding_observer(&self) -> Result<SlidingReducedOrderObserver, ControlError> {
        let plant = self.plant()?;
        let (first, alpha) = (self.estimate(&plant), self.vector("amplitudes").unwrap_or_default());
        SlidingReducedOrderObserver::new(&plant, self.needed("C"), self.needed("G"), &alpha, first)
    }

    fn pid(&self) -> Result<Pid, ControlError> {
        let number = |key| self.number(key).unwrap_or_default();
        let gains = PidGains {
            proportional: number("proportional"),
            integral: number("integral"),
            derivative: number("derivative"),
            filter_time: number("filter_time"),
            tracking_time: self.number("tracking_time"),
        };
        let lower = self.number("lower").unwrap_or(f64::NEG_INFINITY);
        let upper = self.number("upper").unwrap_or(f64::INFINITY);
        let pid = Pid::new(gains, self.number("period").unwrap_or(f64::NAN))?.with_bounds(lower, upper)?;
        let Some(Field::Numbers(reference)) = self.device.fields.get("reference") else { return Ok(pid) };
        match reference.first().and_then(Expression::constant) {
            Some(constant) => Ok(pid.with_reference(constant)?),
            None => {
                let reference = functions::of_time(Evaluation::of(reference));
                Ok(pid.with_reference_function(move |at: At<'_>| {
                    let mut value = [0.0];
                    reference(at, &mut value);
                    value[0]
                }))
            }
        }
    }

    fn sliding(&self) -> Result<(HeldPlant, Array2<f64>, Vec<f64>, EquivalentControl), ControlError> {
        let equivalent = self.device.count("equivalent").and_then(|place| EQUIVALENT.get(place));
        let equivalent = equivalent.map_or_else(EquivalentControl::default, |(_, own)| *own);
        let alpha = self.vector("amplitudes").unwrap_or_default();
        Ok((self.plant()?, self.needed("C"), alpha, equivalent))
    }

    fn twisting(&self) -> Result<Twisting, ControlError> {
        let (plant, c, gains) = (self.plant()?, self.vector("c").unwrap_or_default(), self.pair("gains"));
        match self.device.count("form") {
            None | Some(0) => Twisting::implicit(&plant, &c, gains),
            Some(1) => Twisting::explicit(&plant, &c, gains),
            Some(_) => Twisting::regularised(&plant, &c, gains, self.pair("widths")),
        }
    }
}
