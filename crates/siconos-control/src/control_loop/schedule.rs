//! Start and restart of a control loop. At the start, components are checked and events are created.

use super::super::{Component, ControlError, Sampling};
use super::{ControlLoop, Due};
use siconos_kernel::ModelError;
use siconos_kernel::arena::Arena;
use siconos_kernel::engine::check_shape;
use siconos_kernel::model::{NonSmoothDynamicalSystem, ParameterId};
use siconos_kernel::simulation::{EventKind, EventsManager};

impl ControlLoop {
    /// Checks all components against a model and adds their events to the queue of a simulation of this
    /// model. Call [`process`](Self::process) with the events of this simulation.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`] if a system or parameter does not belong to the model or has the wrong size;
    /// [`ControlError::Event`] if the first sampling time or the period of a component cannot be scheduled.
    /// After [`ControlError::Event`], the events of the preceding components are already on the queue.
    pub fn schedule(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        events: &mut EventsManager,
    ) -> Result<(), ControlError> {
        self.check(model)?;
        self.settings = events.settings();
        let mut put_on_queue =
            |kind, Sampling { first, period }| events.schedule_periodic(kind, first, period);
        self.due.clear();
        for (id, sensor) in self.sensors.iter() {
            let event = put_on_queue(EventKind::Sensor, sensor.sampling())?;
            self.due.insert(event, Due::Sensor(id));
        }
        for (id, observer) in self.observers.iter() {
            let event = put_on_queue(EventKind::Observer, observer.sampling())?;
            self.due.insert(event, Due::Observer(id));
        }
        for (id, actuator) in self.actuators.iter() {
            let event = put_on_queue(EventKind::Actuator, actuator.sampling())?;
            self.due.insert(event, Due::Actuator(id));
        }
        Ok(())
    }

    fn check(&self, model: &NonSmoothDynamicalSystem) -> Result<(), ControlError> {
        for (_, sensor) in self.sensors.iter() {
            sensor.device.check(model)?;
        }
        for (id, observer) in self.observers.iter() {
            let inputs = self.observer_wires.get(id).into_iter().flat_map(|wires| &wires.inputs);
            let size: usize = inputs.map(|&input| size_of_parameter(model, input)).sum::<Result<_, _>>()?;
            check_shape("u of an observer", (observer.device.ports().takes[1], 1), (size, 1))?;
        }
        for (id, actuator) in self.actuators.iter() {
            if let Some(wires) = self.actuator_wires.get(id) {
                let size = size_of_parameter(model, wires.input)?;
                check_shape("the input of an actuator", (actuator.value.len(), 1), (size, 1))?;
            }
        }
        Ok(())
    }

    /// Resets the loop to its state before the first sample, so that another run can start. Recorded samples
    /// are discarded.
    pub fn restart(&mut self) {
        for_each(&mut self.sensors, |sensor| {
            sensor.forget();
            sensor.device.restart();
        });
        for_each(&mut self.observers, |observer| {
            observer.forget();
            observer.device.restart();
        });
        for_each(&mut self.actuators, |actuator| {
            actuator.forget();
            actuator.device.restart();
        });
    }
}

/// Applies a function to each component, in the order in which they were added.
fn for_each<T: ?Sized>(components: &mut Arena<Component<T>>, mut work: impl FnMut(&mut Component<T>)) {
    let ids: Vec<_> = components.ids().collect();
    for id in ids {
        components.get_mut(id).map(&mut work);
    }
}

fn size_of_parameter(model: &NonSmoothDynamicalSystem, id: ParameterId) -> Result<usize, ModelError> {
    model
        .parameters()
        .get(id)
        .map(|parameter| parameter.initial().len())
        .ok_or(ModelError::UnknownParameter { id })
}
