//! Condition that ends a run: `stop_when` in `[simulation]`.

use siconos_expression::{Expression, parse_condition};
use siconos_kernel::model::NonSmoothDynamicalSystem;
use siconos_kernel::state::State;

use super::control::Devices;
use super::watched::{Ids, Readable, ValueSlot, WatchedTape};
use crate::document::{Diagnostics, Form, Key, Value, optional};

pub(super) const STOP_WHEN: Key = optional(
    "stop_when",
    Form::Text,
    "condition that ends the run at the first step or event after which it holds, such as `\"ball.q < 0\"`; it can read what events can read; default: none",
);

/// Condition as described in the file.
#[derive(Clone, Debug)]
pub(super) struct StopCondition {
    condition: Expression,
    /// Names that the condition can read.
    readable: Readable,
}

impl StopCondition {
    /// Reads the condition.
    pub(super) fn read(
        value: &Value<'_>,
        readable: &Readable,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<Self> {
        let text = value.clone().text(diagnostics)?;
        match parse_condition(&text.content, &readable.scope) {
            Ok(condition) => Some(Self { condition, readable: readable.clone() }),
            Err(error) => {
                diagnostics.note_in(&text, 0, &error);
                None
            }
        }
    }

    /// Returns the condition for a model file.
    pub(super) fn written(&self) -> Value<'static> {
        Value::of_text(self.condition.to_string())
    }

    /// Returns the condition for a built model.
    pub(super) fn built(&self, ids: &Ids) -> BuiltStopCondition {
        let condition = WatchedTape::compile(&[&self.condition], &self.readable);
        BuiltStopCondition { condition, slot: ValueSlot::new(&self.readable, ids) }
    }
}

/// Condition of a built model.
#[derive(Debug)]
pub(super) struct BuiltStopCondition {
    condition: WatchedTape,
    slot: ValueSlot,
}

impl BuiltStopCondition {
    /// Returns `true` if the condition holds.
    pub(super) fn holds(
        &mut self,
        model: &NonSmoothDynamicalSystem,
        state: &State,
        devices: &Devices,
    ) -> bool {
        let mut holds = [0.0];
        self.condition.evaluate(&mut self.slot, model, state, state.t, devices, &mut holds);
        holds[0] != 0.0
    }
}
