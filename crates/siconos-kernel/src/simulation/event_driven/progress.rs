//! Progress in time: detection of accumulating impacts, and of events that repeat without progress.

use super::modes::{Dynamics, Modes};
use super::{AccumulationPolicy, EventDriven};
use crate::simulation::{SimulationError, accumulates, is_unresolved, note_impact};
use crate::state::{ImpactHistory, State};

/// Maximum number of times that a guard can fire without progress in time. The limit is larger than the
/// default number of impacts that count as an accumulation (200).
const MOST_EVENTS_AT_ONCE: usize = 500;

/// Maximum advance in time that does not count as progress, as a multiple of the accuracy of root location.
const NO_PROGRESS: f64 = 20.0;

impl EventDriven {
    /// Returns an error if the same contacts open and close, or the same modes alternate, repeatedly without
    /// progress in time.
    pub(super) fn check_progress(&mut self, t: f64) -> Result<(), SimulationError> {
        let width = NO_PROGRESS * self.settings.integrator.location().width(t);
        for &guard in &self.fired {
            let events = self.repeats.note(guard, t, width);
            if events > MOST_EVENTS_AT_ONCE {
                return Err(SimulationError::EventCycle { t, events });
            }
        }
        Ok(())
    }

    /// Records the impacts, and applies the accumulation policy if they accumulate.
    pub(super) fn look_for_accumulation(&mut self) -> Result<(), SimulationError> {
        let Modes::Lagrangian(modes) = &mut self.modes else { return Ok(()) };
        let t = modes.time();
        let settings = &self.settings.accumulation;
        for &place in &modes.outcome.impact_places {
            note_impact(
                &mut self.impacts[place],
                &settings.criterion,
                t,
                Some(modes.outcome.approach[place]),
            );
        }
        let mut places = std::mem::take(&mut modes.outcome.lifted_places);
        let mut estimate = f64::INFINITY;
        places.retain(|&place| {
            let history = &self.impacts[place];
            let unresolved = || {
                let finest = (self.settings.integrator.location().width(t), modes.gap_resolution(place));
                is_unresolved(history, t, modes.gap_velocity(place), finest)
            };
            let found = accumulates(history, &settings.criterion, t).or_else(|| unresolved().then_some(t));
            estimate = estimate.min(found.unwrap_or(f64::INFINITY));
            found.is_some()
        });
        if places.is_empty() {
            modes.outcome.lifted_places = places;
            return Ok(());
        }
        tracing::debug!(t, estimate, contacts = places.len(), "impacts accumulate");
        let tables = &modes.tables;
        let names = places.iter().map(|&place| tables.name(&tables.unitary[place]));
        modes.outcome.accumulating.extend(names);
        modes.outcome.accumulation = estimate;
        let hands_over = matches!(settings.policy, AccumulationPolicy::HandOver { .. });
        for &place in &places {
            // Impacts before the accumulation do not count for later accumulations.
            self.impacts[place] = ImpactHistory { hands_over, ..ImpactHistory::default() };
        }
        match settings.policy {
            AccumulationPolicy::Stop => self.is_stopped = true,
            AccumulationPolicy::HandOver { h } => self.hand_over = Some(h),
            AccumulationPolicy::Stick => modes.stick(&places)?,
        }
        modes.outcome.lifted_places = places;
        Ok(())
    }

    /// Reads the impact history of a state.
    pub(super) fn read_impacts(&mut self, state: &State) {
        self.impacts.clear();
        let unitary = &self.modes.tables().unitary;
        self.impacts.extend(unitary.iter().map(|unitary| state.impacts[unitary.rows.start().index()]));
        self.hand_over = match self.settings.accumulation.policy {
            AccumulationPolicy::HandOver { h } => {
                self.impacts.iter().any(|history| history.hands_over).then_some(h)
            }
            AccumulationPolicy::Stick | AccumulationPolicy::Stop => None,
        };
    }

    pub(super) fn write_impacts(&self, state: &mut State) {
        for (unitary, history) in self.modes.tables().unitary.iter().zip(self.impacts.iter()) {
            state.impacts[unitary.rows.start().index()] = *history;
        }
    }
}
