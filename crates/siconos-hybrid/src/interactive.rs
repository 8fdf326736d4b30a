//! Methods that act on events during an integration: enabling, disabling, clearing halts, firing times.

use super::answer::Direction;
use super::event::EventTrigger;
use super::solution::{HybridSolution, Stage};
use super::{EventNumber, HybridError};
use siconos_kernel::SettingsError;
use siconos_kernel::engine::check_finite;

impl HybridSolution {
    /// Returns `true` if an event is enabled. Initially all events are enabled.
    ///
    /// # Errors
    ///
    /// [`HybridError::UnknownEvent`] if the system has no event with this event number.
    pub fn is_enabled(&self, event: EventNumber) -> Result<bool, HybridError> {
        Ok(self.enabled[self.place_of(event)?])
    }

    /// Enables an event. If the event was disabled, the solution restarts at the initial point: all results
    /// are discarded, and halts that were cleared occur again.
    ///
    /// # Errors
    ///
    /// [`HybridError::UnknownEvent`] if the system has no event with this event number.
    pub fn enable(&mut self, event: EventNumber) -> Result<(), HybridError> {
        let place = self.place_of(event)?;
        if !self.enabled[place] {
            self.enabled[place] = true;
            self.reset();
        }
        Ok(())
    }

    /// Disables an event, so that it does not fire after the current point of the integration. If the event
    /// has halted the integration, the halt is cleared. If it has ended the solution by accumulating, the
    /// next request continues the solution.
    ///
    /// # Errors
    ///
    /// [`HybridError::UnknownEvent`] if the system has no event with this event number.
    pub fn disable(&mut self, event: EventNumber) -> Result<(), HybridError> {
        let place = self.place_of(event)?;
        self.enabled[place] = false;
        self.is_stale = true;
        if self.halted_by() == Some(event) {
            self.clear();
        }
        if let Stage::Ended { events, .. } = &self.stage
            && events.contains(&event)
        {
            self.stage = Stage::Underway;
        }
        Ok(())
    }

    /// Returns the event number of the event that halted the integration, or `None` if the integration is not
    /// halted.
    #[must_use]
    pub fn halted_by(&self) -> Option<EventNumber> {
        match self.stage {
            Stage::Halted { event, .. } => Some(event + 1),
            _ => None,
        }
    }

    /// Clears a halt. The next request processes the remaining events of the same instant, starting with the
    /// event after the one that halted, and then continues the integration. If there is no halt, nothing
    /// changes.
    pub fn clear(&mut self) {
        if let Stage::Halted { event, is_over } = self.stage {
            self.stage = if is_over { Stage::Resuming(event) } else { Stage::Iterating };
        }
    }

    /// Returns the times \[s\] of the last firings of events. For an event that has not fired, returns a time
    /// before the initial time (as seen in the direction of integration).
    ///
    /// # Errors
    ///
    /// [`HybridError::NoDirection`] if the direction of integration is not yet known;
    /// [`HybridError::UnknownEvent`] if the system has no event with this event number;
    /// [`HybridError::NoFiringTime`] if an event has a discrete or a range trigger.
    #[doc(alias = "eventfired")]
    pub fn last_fired(&self, events: &[EventNumber]) -> Result<Vec<f64>, HybridError> {
        let direction = self.direction.ok_or(HybridError::NoDirection)?;
        let never = self.t0 - direction.sign() * (1.0 + self.t0.abs());
        events
            .iter()
            .map(|&event| Ok(self.last_fired[self.timed_place_of(event)?].unwrap_or(never)))
            .collect()
    }

    /// Sets the times \[s\] of the last firings of events, and returns the previous times. In the direction
    /// of integration, an event fires only after the time of its last firing.
    ///
    /// # Errors
    ///
    /// See [`last_fired`](Self::last_fired). Also [`HybridError::Model`] if a time is not finite. On error,
    /// all times are unchanged.
    pub fn set_last_fired(&mut self, times: &[(EventNumber, f64)]) -> Result<Vec<f64>, HybridError> {
        let events: Vec<EventNumber> = times.iter().map(|(event, _)| *event).collect();
        let before = self.last_fired(&events)?;
        check_finite("last_fired", times.iter().map(|(_, t)| t))?;
        for (event, t) in times {
            self.last_fired[event - 1] = Some(*t);
            // The integrator must restart after its data have changed.
            self.is_stale = true;
        }
        Ok(before)
    }

    /// Returns the direction of integration, or `None` if it is not known yet.
    #[must_use]
    pub fn direction(&self) -> Option<Direction> {
        self.direction
    }

    /// Sets the direction of integration. All results are discarded.
    pub fn set_direction(&mut self, direction: Direction) {
        self.reset();
        self.direction = Some(direction);
    }

    fn place_of(&self, event: EventNumber) -> Result<usize, HybridError> {
        let count = self.system.events.len();
        event.checked_sub(1).filter(|place| *place < count).ok_or(HybridError::UnknownEvent { event, count })
    }

    /// Returns the index of an event that has a time of the last firing, or an error for other events.
    fn timed_place_of(&self, event: EventNumber) -> Result<usize, HybridError> {
        let place = self.place_of(event)?;
        let why = match self.system.events[place].kind {
            EventTrigger::Discrete { .. } => "its trigger is discrete",
            EventTrigger::Range { .. } => "its trigger is a range",
            EventTrigger::Root { .. } if self.system.events[place].retrigger => {
                tracing::warn!(
                    event,
                    "the event may fire again at any time, so the time at which it last fired has no meaning"
                );
                return Ok(place);
            }
            EventTrigger::Root { .. } | EventTrigger::Time { .. } => return Ok(place),
        };
        Err(HybridError::NoFiringTime { event, why })
    }

    /// Returns an error if the period of a trigger is so short that two of its times count as one instant.
    pub(super) fn check_periods(&self) -> Result<(), HybridError> {
        let settings = &self.settings.instant;
        let shortest = 2.0 * settings.gap_at(self.t0) as f64 * settings.tick;
        if let Some(value) = self.settings.restart_every.filter(|every| *every <= shortest) {
            let must_be = "longer than what counts as one instant";
            return Err(SettingsError::OutOfRange { name: "restart_every", value, must_be }.into());
        }
        for (place, event) in self.system.events.iter().enumerate() {
            if let EventTrigger::Time { start, every: Some(every) } = event.kind {
                let gap = settings.gap_at(start).max(settings.gap_at(self.t0)) as f64 * settings.tick;
                if every <= 2.0 * gap {
                    let (name, must_be) = ("every", "longer than what counts as one instant");
                    return Err(HybridError::Trigger { event: place + 1, name, value: every, must_be });
                }
            }
        }
        Ok(())
    }
}
