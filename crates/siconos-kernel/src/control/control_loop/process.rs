//! What a loop does at an event.

use super::super::component::Component;
use super::super::{ControlError, Knowledge, SignalId};
use super::ControlLoop;
use crate::State;
use crate::arena::{Arena, Id};
use crate::error::{ModelError, check_shape};
use crate::model::NonSmoothDynamicalSystem;
use crate::simulation::{Event, EventKind};

impl ControlLoop {
    /// Does what is due at the events of a step, in their order. Events of others are passed over.
    ///
    /// # Errors
    ///
    /// What the components say; [`ModelError::NotFinite`] for a value that is not finite;
    /// [`ControlError::NotSampledYet`]; [`ControlError::BetweenPoints`] where time steps do not end at the
    /// samples. What came before is done then: begin anew with [`restart`](Self::restart).
    pub fn process(
        &mut self,
        events: &[Event],
        model: &NonSmoothDynamicalSystem,
        state: &mut State,
    ) -> Result<(), ControlError> {
        for event in events {
            match event.kind() {
                EventKind::Sensor => self.measure(event, model, state)?,
                EventKind::Observer => self.estimate(event, state)?,
                EventKind::Actuator => self.act(event, state)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn measure(
        &mut self,
        event: &Event,
        model: &NonSmoothDynamicalSystem,
        state: &State,
    ) -> Result<(), ControlError> {
        let Some(id) = due(&self.sensors, event) else { return Ok(()) };
        self.check_time(event, state)?;
        let Some(sensor) = self.sensors.get_mut(id) else { return Ok(()) };
        sensor.device.measure(model, state, &mut sensor.value)?;
        sensor.accept("y of a sensor")?;
        if self.is_recording {
            sensor.samples.push(event.time(), &sensor.value, &[]);
        }
        Ok(())
    }

    fn estimate(&mut self, event: &Event, state: &State) -> Result<(), ControlError> {
        let Some(id) = due(&self.observers, event) else { return Ok(()) };
        self.check_time(event, state)?;
        let (Some(observer), Some(wires)) = (self.observers.get_mut(id), self.observer_wires.get(id)) else {
            return Ok(());
        };
        let t = event.time();
        let y = latest(&self.sensors, wires.sensor).ok_or_else(|| ControlError::NotSampledYet {
            reader: format!("observer {id}"),
            signal: SignalId::from(wires.sensor).to_string(),
            time: t,
        })?;
        self.held.clear();
        for &id in &wires.inputs {
            let values = state.at().parameters().get(id).ok_or(ModelError::UnknownParameter { id })?;
            self.held.extend_from_slice(values);
        }
        check_shape("u of an observer", (observer.device.takes()[1], 1), (self.held.len(), 1))?;
        observer.device.estimate(Knowledge { t, y, u: &self.held }, &mut observer.value)?;
        observer.accept("the estimate of an observer")?;
        if self.is_recording {
            observer.samples.push(t, &observer.value, &[]);
        }
        Ok(())
    }

    fn act(&mut self, event: &Event, state: &mut State) -> Result<(), ControlError> {
        let Some(id) = due(&self.actuators, event) else { return Ok(()) };
        self.check_time(event, state)?;
        let (Some(actuator), Some(wires)) = (self.actuators.get_mut(id), self.actuator_wires.get(id)) else {
            return Ok(());
        };
        let t = event.time();
        let measured = match wires.signal {
            SignalId::Sensor(id) => latest(&self.sensors, id),
            SignalId::Observer(id) => latest(&self.observers, id),
        };
        let measured = measured.ok_or_else(|| ControlError::NotSampledYet {
            reader: format!("actuator {id}"),
            signal: wires.signal.to_string(),
            time: t,
        })?;
        actuator.device.act(t, measured, &mut actuator.value)?;
        actuator.accept("u of an actuator")?;
        state.set_parameter(wires.input, &actuator.value)?;
        if self.is_recording {
            actuator.samples.push(t, &actuator.value, actuator.device.terms());
        }
        Ok(())
    }

    /// An event belongs to the state if the step ends at it.
    fn check_time(&self, event: &Event, state: &State) -> Result<(), ControlError> {
        let (due, reached) = (event.time(), state.t);
        let near = self.settings.gap_at(due) as f64 * self.settings.tick;
        if (due - reached).abs() <= near { Ok(()) } else { Err(ControlError::BetweenPoints { due, reached }) }
    }
}

/// The component whose event it is.
fn due<T: ?Sized>(components: &Arena<Component<T>>, event: &Event) -> Option<Id<Component<T>>> {
    let id = event.id()?;
    components.iter().find(|(_, component)| component.event == Some(id)).map(|(found, _)| found)
}

/// The latest value of a component, if there is one.
fn latest<T: ?Sized>(components: &Arena<Component<T>>, id: Id<Component<T>>) -> Option<&[f64]> {
    components.get(id)?.value()
}
