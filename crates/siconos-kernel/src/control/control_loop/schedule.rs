//! How a loop begins: its events, what it is checked against, and how it begins anew.

use super::super::component::Component;
use super::super::{ControlError, Sampling};
use super::ControlLoop;
use crate::arena::Arena;
use crate::error::{ModelError, check_shape};
use crate::model::{NonSmoothDynamicalSystem, ParameterId};
use crate::simulation::{EventKind, EventsManager};

impl ControlLoop {
    /// Checks all components against a model and puts their events on the queue of a simulation of it, whose
    /// events [`process`](Self::process) is then called with.
    ///
    /// # Errors
    ///
    /// [`ControlError::Model`]: a system or a parameter that is not of the model, or of another size.
    /// [`ControlError::Event`]: a first time or a period that cannot be scheduled; events of components
    /// before that one are then on the queue.
    pub fn schedule(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        events: &mut EventsManager,
    ) -> Result<(), ControlError> {
        self.check(model)?;
        self.settings = events.settings();
        put_on_queue(&mut self.sensors, EventKind::Sensor, events)?;
        put_on_queue(&mut self.observers, EventKind::Observer, events)?;
        put_on_queue(&mut self.actuators, EventKind::Actuator, events)
    }

    fn check(&self, model: &NonSmoothDynamicalSystem) -> Result<(), ControlError> {
        for (_, sensor) in self.sensors.iter() {
            sensor.device.check(model)?;
        }
        for (id, observer) in self.observers.iter() {
            let inputs = self.observer_wires.get(id).into_iter().flat_map(|wires| &wires.inputs);
            let size: usize = inputs.map(|&input| size_of_parameter(model, input)).sum::<Result<_, _>>()?;
            check_shape("u of an observer", (observer.device.takes()[1], 1), (size, 1))?;
        }
        for (id, actuator) in self.actuators.iter() {
            if let Some(wires) = self.actuator_wires.get(id) {
                let size = size_of_parameter(model, wires.input)?;
                check_shape("the input of an actuator", (actuator.value.len(), 1), (size, 1))?;
            }
        }
        Ok(())
    }

    /// As if nothing had been sampled yet, for another run from the beginning.
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

/// Does something with each component, in the order in which they were added.
fn for_each<T: ?Sized>(components: &mut Arena<Component<T>>, mut work: impl FnMut(&mut Component<T>)) {
    let ids: Vec<_> = components.ids().collect();
    for id in ids {
        components.get_mut(id).map(&mut work);
    }
}

fn put_on_queue<T: ?Sized>(
    components: &mut Arena<Component<T>>,
    kind: EventKind,
    events: &mut EventsManager,
) -> Result<(), ControlError> {
    let mut refused = Ok(());
    for_each(components, |component| {
        let Sampling { first, period } = component.sampling();
        match events.schedule_periodic(kind, first, period) {
            Ok(event) => component.event = Some(event),
            Err(error) => refused = Err(error.into()),
        }
    });
    refused
}

fn size_of_parameter(model: &NonSmoothDynamicalSystem, id: ParameterId) -> Result<usize, ModelError> {
    model
        .parameters()
        .get(id)
        .map(|parameter| parameter.initial().len())
        .ok_or(ModelError::UnknownParameter { id })
}
