//! Pairs of roots that are armed alternately by one boolean variable.

use serde::{Deserialize, Serialize};
use siconos_ode::Crossing;

use super::event::{Event, EventTrigger};
use super::{HybridError, HybridSystem, View};

/// Relative change up to which the sum of the arguments of two roots counts as constant.
const ROUNDING: f64 = 1e-9;

/// Two roots that require different values of the same variable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pair {
    first: usize,
    second: usize,
    /// Sum of the arguments of the two roots at the start, where the argument of a decreasing root is
    /// multiplied by -1. `size` is the sum of the magnitudes of the arguments.
    sum: f64,
    size: f64,
}

impl Pair {
    /// Restores the sum and the size from a record. The two roots are determined by the system.
    pub(super) fn recall(&mut self, kept: Self) {
        (self.sum, self.size) = (kept.sum, kept.size);
    }

    /// Returns `true` if an event is one of the two roots.
    pub(super) fn has(&self, event: usize) -> bool {
        self.first == event || self.second == event
    }

    /// Stores the sum of the arguments of the two roots at the start.
    pub(super) fn note(&mut self, system: &HybridSystem, view: View<'_>) {
        let [a, b] = self.events(system).map(|event| argument(event, view));
        (self.sum, self.size) = (a + b, a.abs() + b.abs());
    }

    /// Returns an error if the sum of the arguments of the two roots differs from the sum at the start.
    pub(super) fn check(&self, system: &HybridSystem, view: View<'_>) -> Result<(), HybridError> {
        let events = self.events(system);
        let [a, b] = events.map(|event| argument(event, view));
        if (a + b - self.sum).abs() <= ROUNDING * (a.abs() + b.abs() + self.size) {
            return Ok(());
        }
        let [falls, other_falls] =
            events.map(|event| matches!(event.kind, EventTrigger::Root { crossing: Crossing::Falling, .. }));
        Err(HybridError::NotConstant {
            first: self.first + 1,
            second: self.second + 1,
            variable: events[0]
                .requires
                .map_or_else(String::new, |(id, _)| system.discrete[id.0].name.clone()),
            what: if falls == other_falls { "sum" } else { "difference" },
            before: self.sum,
            now: a + b,
            t: view.at.t,
        })
    }

    fn events<'s>(&self, system: &'s HybridSystem) -> [&'s Event; 2] {
        [self.first, self.second].map(|place| &system.events[place])
    }
}

/// Returns the argument of a root, multiplied by -1 if the root is decreasing.
fn argument(event: &Event, view: View<'_>) -> f64 {
    match &event.kind {
        EventTrigger::Root { f, crossing: Crossing::Falling, .. } => -f.value(view),
        EventTrigger::Root { f, .. } => f.value(view),
        EventTrigger::Range { .. } | EventTrigger::Time { .. } | EventTrigger::Discrete { .. } => 0.0,
    }
}

/// Returns the pairs of roots of a system, or an error if a root does not have exactly one partner.
pub(super) fn pairs_of(system: &HybridSystem) -> Result<Vec<Pair>, HybridError> {
    let mut pairs = Vec::new();
    for (place, event) in system.events.iter().enumerate() {
        let Some((id, value)) = event.requires else { continue };
        let is_partner = |other: &Event| other.requires == Some((id, !value));
        let partners = system.events.iter().filter(|other| is_partner(other)).count();
        if partners != 1 {
            let variable = system.discrete[id.0].name.clone();
            return Err(HybridError::Unpaired { event: place + 1, variable, value, partners });
        }
        let partner = system.events.iter().position(is_partner).filter(|partner| *partner > place);
        if let Some(second) = partner {
            pairs.push(Pair { first: place, second, sum: f64::NAN, size: 0.0 });
        }
    }
    Ok(pairs)
}
