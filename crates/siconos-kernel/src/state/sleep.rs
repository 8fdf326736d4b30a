//! Bodies that are slow or asleep.

use serde::{Deserialize, Serialize};

use super::State;
use crate::model::{DynamicalSystemId, NonSmoothDynamicalSystem};

/// Load of a body: force and moment, or force and moment in the plane followed by zeros.
pub(crate) type Load = [f64; 6];

/// Rest of a body that has detected contacts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Rest {
    /// The body was slow in the given number of consecutive steps.
    Slow(u32),
    /// The body is held in place. The load is `None` until the first step in which it is held.
    Asleep(Option<Load>),
}

/// Record of the rest of a system, which is given by its index in insertion order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RestRecord {
    pub(super) system: usize,
    pub(super) rest: Rest,
}

impl RestRecord {
    /// Returns the recorded load; empty if it is not known.
    pub(super) fn load(&self) -> &[f64] {
        match &self.rest {
            Rest::Asleep(Some(load)) => load,
            Rest::Asleep(None) | Rest::Slow(_) => &[],
        }
    }
}

impl State {
    /// Returns `true` if a body is [asleep](crate::simulation::Sleeping). Its contacts in
    /// [`contacts`](Self::contacts) then have the gaps and impulses of the last step in which it was awake.
    #[must_use]
    pub fn is_asleep(&self, id: DynamicalSystemId) -> bool {
        matches!(self.rest.get(id), Some(Rest::Asleep(_)))
    }

    /// Wakes the bodies whose interactions have changed since the change of the model with the given stamp.
    /// The bodies that are connected to them wake in the next step.
    pub(super) fn wake_changed(&mut self, model: &NonSmoothDynamicalSystem, stamp: u64) {
        let is_kept = |id| model.systems().get(id).is_some() && !model.interactions_changed_since(stamp, id);
        self.rest.retain(is_kept);
    }

    /// Records the bodies that are slow or asleep.
    pub(super) fn rest_records(&self, model: &NonSmoothDynamicalSystem) -> Vec<RestRecord> {
        let at_rest = |(system, id)| Some(RestRecord { system, rest: *self.rest.get(id)? });
        model.systems().ids().enumerate().filter_map(at_rest).collect()
    }
}
