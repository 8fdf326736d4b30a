//! Pairs of roots that one boolean variable arms in turn.

use serde::{Deserialize, Serialize};
use siconos_ode::Crossing;

use super::event::{Event, Kind};
use super::solution::HybridSolution;
use super::{EventNumber, HybridError, HybridSystem, View};
use siconos_kernel::model::At;

/// So much of the arguments may be rounding of their sum.
const ROUNDING: f64 = 1e-9;

/// Two roots with one variable; the arguments are compared at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pair {
    first: usize,
    second: usize,
    /// The sum of their increasing arguments at the start, and the size of what is added.
    sum: f64,
    size: f64,
}

impl Pair {
    /// Takes over what the arguments add up to. Which roots these are, the system says.
    pub(super) fn recall(&mut self, kept: Self) {
        (self.sum, self.size) = (kept.sum, kept.size);
    }
}

/// The argument of a root as an increasing one.
fn argument(event: &Event, view: View<'_>) -> f64 {
    match &event.kind {
        Kind::Root { f, crossing: Crossing::Falling, .. } => -f.value(view),
        Kind::Root { f, .. } => f.value(view),
        Kind::Range { .. } | Kind::Time { .. } | Kind::Discrete { .. } => 0.0,
    }
}

/// The pairs of a system; an error for a root without a partner.
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

impl HybridSolution {
    /// Notes what the arguments of the pairs add up to at the start.
    pub(super) fn note_pairs(&mut self) {
        let (x, discrete) = self.desk.split(&self.system);
        let view = View { at: At::new(self.desk.t, &self.parameters), x, discrete };
        for pair in &mut self.pairs {
            let [a, b] = [pair.first, pair.second].map(|place| argument(&self.system.events[place], view));
            (pair.sum, pair.size) = (a + b, a.abs() + b.abs());
        }
    }

    /// Refuses a pair whose arguments no longer add up to what they did.
    pub(super) fn check_pair(&self, place: usize) -> Result<(), HybridError> {
        let Some(pair) = self.pairs.iter().find(|pair| pair.first == place || pair.second == place) else {
            return Ok(());
        };
        let (x, discrete) = self.desk.split(&self.system);
        let view = View { at: At::new(self.desk.t, &self.parameters), x, discrete };
        let events = [pair.first, pair.second].map(|place| &self.system.events[place]);
        let [a, b] = events.map(|event| argument(event, view));
        if (a + b - pair.sum).abs() <= ROUNDING * (a.abs() + b.abs() + pair.size) {
            return Ok(());
        }
        let falls = |event: &Event| matches!(event.kind, Kind::Root { crossing: Crossing::Falling, .. });
        let what = if falls(events[0]) == falls(events[1]) { "sum" } else { "difference" };
        let (first, second): (EventNumber, EventNumber) = (pair.first + 1, pair.second + 1);
        let variable =
            events[0].requires.map_or_else(String::new, |(id, _)| self.system.discrete[id.0].name.clone());
        Err(HybridError::NotConstant {
            first,
            second,
            variable,
            what,
            before: pair.sum,
            now: a + b,
            t: self.desk.t,
        })
    }
}
