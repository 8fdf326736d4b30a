//! Processing of events by a control loop.

use super::super::{ActuatorId, Component, ControlError, ObserverId, ObserverInput, SensorId, SignalId};
use super::{ControlLoop, Due};
use siconos_kernel::arena::{Arena, Id};
use siconos_kernel::engine::check_shape;
use siconos_kernel::model::{At, NonSmoothDynamicalSystem};
use siconos_kernel::simulation::Event;
use siconos_kernel::{ModelError, State};

impl ControlLoop {
    /// Processes the events of a step in order, and samples the components that are due. Other events are
    /// ignored.
    ///
    /// # Errors
    ///
    /// [`ControlError::Component`] with the error of a component, which is [`ModelError::NotFinite`] if a
    /// value is not finite; [`ControlError::NotSampledYet`] if a component reads a signal before its first
    /// sample; [`ControlError::BetweenPoints`] if a sampling time is not at the end of a time step. If an
    /// error is returned, earlier events of the step have been processed, so the loop must be
    /// [restarted](Self::restart).
    pub fn process(
        &mut self,
        events: &[Event],
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), ControlError> {
        for event in events {
            let Some(&due) = event.id().and_then(|id| self.due.get(&id)) else { continue };
            let t = event.time();
            self.check_time(t, state)?;
            let sampled = match due {
                Due::Sensor(id) => self.measure(id, t, model, state),
                Due::Observer(id) => self.estimate(id, t, state),
                Due::Actuator(id) => self.act(id, t, state),
            };
            sampled.map_err(|source| at_sample(due, t, source))?;
        }
        Ok(())
    }

    fn measure(
        &mut self,
        id: SensorId,
        t: f64,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), ControlError> {
        let Some(sensor) = self.sensors.get_mut(id) else { return Ok(()) };
        sensor.device.measure(model, state, &mut sensor.value)?;
        sensor.accept("y")?;
        if self.is_recording {
            sensor.samples.push(t, &sensor.value, &[]);
        }
        Ok(())
    }

    fn estimate(&mut self, id: ObserverId, t: f64, state: &State) -> Result<(), ControlError> {
        let (Some(observer), Some(wires)) = (self.observers.get_mut(id), self.observer_wires.get(id)) else {
            return Ok(());
        };
        let y = latest(&self.sensors, wires.sensor).ok_or_else(|| ControlError::NotSampledYet {
            reader: Due::Observer(id).to_string(),
            signal: SignalId::from(wires.sensor).to_string(),
            time: t,
        })?;
        self.held.clear();
        for &id in &wires.inputs {
            let values = state.at().parameters().get(id).ok_or(ModelError::UnknownParameter { id })?;
            self.held.extend_from_slice(values);
        }
        check_shape("u of an observer", (observer.device.ports().takes[1], 1), (self.held.len(), 1))?;
        observer.device.estimate(ObserverInput { t, y, u: &self.held }, &mut observer.value)?;
        observer.accept("the estimate")?;
        if self.is_recording {
            observer.samples.push(t, &observer.value, &[]);
        }
        Ok(())
    }

    fn act(&mut self, id: ActuatorId, t: f64, state: &mut State) -> Result<(), ControlError> {
        let (Some(actuator), Some(wires)) = (self.actuators.get_mut(id), self.actuator_wires.get(id)) else {
            return Ok(());
        };
        let measured = match wires.signal {
            SignalId::Sensor(id) => latest(&self.sensors, id),
            SignalId::Observer(id) => latest(&self.observers, id),
        };
        let measured = measured.ok_or_else(|| ControlError::NotSampledYet {
            reader: Due::Actuator(id).to_string(),
            signal: wires.signal.to_string(),
            time: t,
        })?;
        let at = At::new(t, state.at().parameters());
        actuator.device.act(at, measured, &mut actuator.value)?;
        actuator.accept("u")?;
        state.set_parameter(wires.input, &actuator.value)?;
        if self.is_recording {
            actuator.samples.push(t, &actuator.value, actuator.device.terms());
        }
        Ok(())
    }

    /// Returns an error if the step does not end at the time of the event, up to the time resolution of
    /// events.
    fn check_time(&self, due: f64, state: &State) -> Result<(), ControlError> {
        let reached = state.t;
        let near = self.settings.gap_at(due) as f64 * self.settings.tick;
        if (due - reached).abs() <= near { Ok(()) } else { Err(ControlError::BetweenPoints { due, reached }) }
    }
}

/// Adds the component and the time to an error that does not name them.
fn at_sample(due: Due, t: f64, source: ControlError) -> ControlError {
    match source {
        ControlError::NotSampledYet { .. } => source,
        source => ControlError::Component { component: due.to_string(), t, source: Box::new(source) },
    }
}

/// Returns the latest value of a component, if it has been sampled.
fn latest<T: ?Sized>(components: &Arena<Component<T>>, id: Id<Component<T>>) -> Option<&[f64]> {
    components.get(id)?.value()
}
