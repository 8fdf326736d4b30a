//! Methods that add events to a system.

use super::action::{Instruction, Target};
use super::event::{Event, EventAction};
use super::names::Names;
use super::point::BELONGS_TO_TRIGGERS;
use super::{Action, DiscreteId, EventNumber, EventOptions, HybridError, HybridSystem, Trigger, Variable};

impl HybridSystem {
    /// Adds an event without options, and returns its event number. Events are numbered from 1 in the order
    /// in which they are added, and are processed in this order.
    ///
    /// # Errors
    ///
    /// [`HybridError`] if a name or id is unknown, if a value of the trigger is outside its range, if the
    /// action assigns a variable that events must not change, or if options cannot be combined. The error
    /// contains the number that the event would have.
    pub fn event(&mut self, trigger: impl Into<Trigger>, action: Action) -> Result<EventNumber, HybridError> {
        self.event_with(trigger, action, EventOptions::default())
    }

    /// Adds an event with options, and returns its event number.
    ///
    /// # Errors
    ///
    /// See [`event`](Self::event).
    pub fn event_with(
        &mut self,
        trigger: impl Into<Trigger>,
        action: Action,
        options: EventOptions,
    ) -> Result<EventNumber, HybridError> {
        let number = self.events.len() + 1;
        let parameters = self.parameter_names();
        let required = &mut self.required;
        let is_new = options.requires.and_then(|(id, _)| required.get_mut(id.0)).filter(|known| !**known);
        let place = is_new.map(|known| *known = true).and(options.requires);
        let names = Names {
            continuous: &self.names,
            discrete: &self.discrete,
            required: &self.required,
            parameters: &parameters,
        };
        let event = Event::new(number, &names, trigger.into(), action, options);
        let event = event.and_then(|event| match place {
            Some((id, _)) => self.check_assignments_of(id, event),
            None => Ok(event),
        });
        match event {
            Ok(event) => {
                self.events.push(event);
                Ok(number)
            }
            Err(error) => {
                if let Some((id, _)) = place {
                    self.required[id.0] = false;
                }
                Err(error)
            }
        }
    }

    /// Returns an error if an earlier event assigns the variable `id`, which this event requires.
    fn check_assignments_of(&self, id: DiscreteId, event: Event) -> Result<Event, HybridError> {
        let assigns = |event: &Event| match &event.work {
            EventAction::Run { instructions, .. } => assigns(instructions, Variable::Discrete(id)),
            EventAction::None | EventAction::Function(_) => false,
        };
        match self.events.iter().position(assigns) {
            None => Ok(event),
            Some(place) => Err(HybridError::Assignment {
                event: place + 1,
                target: self.discrete[id.0].name.clone(),
                why: BELONGS_TO_TRIGGERS,
            }),
        }
    }
}

/// Returns `true` if the instructions contain an assignment to the variable.
fn assigns(instructions: &[Instruction], variable: Variable) -> bool {
    instructions.iter().any(|instruction| match instruction {
        Instruction::Assign { target, .. } => *target == Target::Variable(variable),
        Instruction::If { then, otherwise, .. } => assigns(then, variable) || assigns(otherwise, variable),
        Instruction::Control(_) => false,
    })
}
