//! Values of the variables at an event: current values, previous values, and temporary variables.

use super::point::Fault;
use super::{EventPoint, EventPre, HybridSystem, View};
use siconos_kernel::model::{At, Parameters};

/// Values of the variables at an event, with the workspace of conditions and actions.
#[derive(Clone, Debug, Default)]
pub(super) struct EventWorkspace {
    pub(super) t: f64,
    /// All variables: the continuous variables followed by the discrete variables.
    pub(super) values: Vec<f64>,
    /// Previous values of all variables, as returned by `pre`.
    pub(super) previous: Vec<f64>,
    pub(super) temporaries: Vec<f64>,
}

/// Result of an action or condition, with its effect on the variables.
pub(super) struct Executed<R> {
    pub(super) result: R,
    pub(super) fault: Option<Fault>,
    pub(super) has_changed: bool,
}

impl EventWorkspace {
    /// Returns the continuous and the discrete variables.
    pub(super) fn split(&self, system: &HybridSystem) -> (&[f64], &[f64]) {
        self.values.split_at(system.names.len())
    }

    /// Returns the current values in the form of the arguments of user functions.
    pub(super) fn view<'v>(&'v self, system: &HybridSystem, parameters: &'v Parameters) -> View<'v> {
        let (x, discrete) = self.split(system);
        View { at: At::new(self.t, parameters), x, discrete }
    }

    /// Calls a condition or an action with the current values and the given temporary variables. Returns its
    /// result, the first rejected assignment, and whether a value has changed.
    pub(super) fn lend<R>(
        &mut self,
        system: &HybridSystem,
        parameters: &Parameters,
        mode: EventPre,
        names: &[String],
        work: impl FnOnce(&mut EventPoint<'_>) -> R,
    ) -> Executed<R> {
        if self.temporaries.len() < names.len() {
            self.temporaries.resize(names.len(), f64::NAN);
        }
        let temporaries = &mut self.temporaries[..names.len()];
        temporaries.fill(f64::NAN);
        let mut point = EventPoint {
            at: At::new(self.t, parameters),
            values: &mut self.values,
            previous: &mut self.previous,
            temporaries,
            names,
            continuous: system.names.len(),
            declared: &system.discrete,
            required: &system.required,
            mode,
            fault: None,
            has_changed: false,
        };
        let result = work(&mut point);
        Executed { result, fault: point.fault, has_changed: point.has_changed }
    }
}
