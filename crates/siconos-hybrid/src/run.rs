//! Integration up to the next instant at which events or restarts occur.

use siconos_ode::{Advance, Crossing, OdeError};

use super::HybridError;
use super::answer::{Direction, IntegrationOutcome};
use super::firing::IterationEnd;
use super::motion::Motion;
use super::settings::is_one_instant;
use super::solution::{HybridSolution, Stage};

/// Outcome of the integration up to the next instant.
pub(super) enum Arrival {
    /// The requested time was reached.
    Goal,
    /// An instant was reached at which a root, a timed event, a switch or a restart occurs.
    Instant,
    /// The integrator cannot continue.
    Stuck(IntegrationOutcome),
}

impl HybridSolution {
    /// Integrates to the time `goal`, or until an event ends the integration. If `stops` is `true`, the
    /// integration ends at the first instant.
    pub(super) fn advance_to(&mut self, goal: f64, stops: bool) -> Result<IntegrationOutcome, HybridError> {
        let done = self.try_to_advance(goal, stops);
        if let Err(error) = &done {
            // After an error, incomplete effects of events are undone, and the solution cannot continue.
            if self.stage == Stage::Iterating {
                self.event_workspace.values.copy_from_slice(&self.before);
            }
            self.stage = Stage::Failed(Box::new(error.clone()));
        }
        done
    }

    fn try_to_advance(&mut self, goal: f64, stops: bool) -> Result<IntegrationOutcome, HybridError> {
        let direction = self.direction.unwrap_or(Direction::Right);
        let mut has_come = false;
        loop {
            match &self.stage {
                Stage::Failed(error) => return Err((**error).clone()),
                &Stage::Halted { event, .. } => {
                    return Ok(IntegrationOutcome::Halted {
                        t: self.event_workspace.t,
                        event: event + 1,
                        direction,
                    });
                }
                Stage::Ended { t, events } => {
                    return Ok(IntegrationOutcome::Accumulation { t: *t, events: events.clone(), direction });
                }
                &Stage::Sliding { switch } => {
                    let switch = self.system.switches[switch].name.clone();
                    return Ok(IntegrationOutcome::Sliding { t: self.event_workspace.t, switch, direction });
                }
                Stage::AtStart => self.begin()?,
                Stage::Iterating => {
                    let end = self.iterate()?;
                    self.finish_instant(end);
                }
                &Stage::Resuming(event) => self.resume_behind(event)?,
                Stage::Underway => {
                    if self.is_stale && self.restart_integration()? {
                        continue;
                    }
                    // Because of rounding errors, an instant at the goal can be slightly beyond it.
                    if direction.sign() * (self.event_workspace.t - goal) >= 0.0 || (stops && has_come) {
                        return Ok(IntegrationOutcome::Reached);
                    }
                    match self.integrate(goal)? {
                        Arrival::Goal => (),
                        Arrival::Instant => {
                            has_come = true;
                            self.arrive()?;
                        }
                        Arrival::Stuck(answer) => return Ok(answer),
                    }
                }
            }
        }
    }

    /// Integrates to the next instant, or to the goal if the goal comes earlier.
    fn integrate(&mut self, goal: f64) -> Result<Arrival, HybridError> {
        let sign = self.sign();
        let restart = self.next_restart();
        let timed = self.next_stop(restart);
        let is_within =
            |timed: f64| sign * (timed - goal) <= 0.0 || is_one_instant(&self.settings.instant, timed, goal);
        let stop = timed.filter(|timed| is_within(*timed));
        let target = stop.unwrap_or(goal);
        let critical = timed.map_or(f64::INFINITY, |timed| sign * timed);
        self.ways.fill(None);
        let arrival = match self.advance(target, critical)? {
            IntegratorOutcome::Reached if stop.is_some() => Arrival::Instant,
            IntegratorOutcome::Reached => Arrival::Goal,
            IntegratorOutcome::Stuck(answer) => Arrival::Stuck(answer),
            IntegratorOutcome::Roots => {
                self.drop_awaited();
                if self.settings.double_cross > 0.0 {
                    self.look_ahead(critical)?;
                }
                // A timed event that counts as the same instant is processed together with the roots.
                while let Some(timed) = timed.filter(|timed| {
                    *timed != self.event_workspace.t
                        && is_one_instant(&self.settings.instant, self.event_workspace.t, *timed)
                }) {
                    if let IntegratorOutcome::Stuck(answer) = self.advance(timed, critical)? {
                        return Ok(Arrival::Stuck(answer));
                    }
                }
                Arrival::Instant
            }
        };
        let is_here = |restart| is_one_instant(&self.settings.instant, self.event_workspace.t, restart);
        if matches!(arrival, Arrival::Instant) {
            self.has_switched |= self.piece.next.is_some_and(is_here);
            self.is_stale |= self.has_switched || restart.is_some_and(is_here);
        }
        Ok(arrival)
    }

    /// Calls the integrator once. Updates the current point, and stores the roots that fired.
    pub(super) fn advance(&mut self, target: f64, critical: f64) -> Result<IntegratorOutcome, HybridError> {
        let sign = self.sign();
        let continuous = self.system.names.len();
        let (x, discrete) = self.event_workspace.values.split_at_mut(continuous);
        let mut motion =
            Motion::new(&self.system, &self.parameters, discrete, &self.guards, sign, self.piece);
        motion.watches_both_ways = self.settings.double_cross > 0.0;
        let (step, s) = match self.integrator.advance_within(&mut motion, sign * target, critical) {
            Ok(Advance::Reached { t }) => (IntegratorOutcome::Reached, t),
            Ok(Advance::Roots { t, fired }) => {
                for fired in fired {
                    self.ways[fired.guard] = Some(fired.direction);
                }
                (IntegratorOutcome::Roots, t)
            }
            Ok(Advance::StepTooSmall { t, h }) => {
                (IntegratorOutcome::Stuck(IntegrationOutcome::StepTooSmall { t: sign * t, h }), t)
            }
            Ok(Advance::MaxSteps { t }) => {
                (IntegratorOutcome::Stuck(IntegrationOutcome::MaxSteps { t: sign * t }), t)
            }
            Ok(_) => return Err(self.explain(OdeError::NotStarted)),
            Err(source) => {
                // The dense output is valid up to this point.
                self.event_workspace.t = sign * self.integrator.t();
                x.copy_from_slice(self.integrator.x());
                return Err(self.explain(source));
            }
        };
        self.event_workspace.t = if matches!(step, IntegratorOutcome::Reached) { target } else { sign * s };
        x.copy_from_slice(self.integrator.x());
        self.note_sizes();
        Ok(step)
    }

    /// Converts an error of the integrator to an error that contains the names of the system.
    pub(super) fn explain(&self, source: OdeError) -> HybridError {
        let sign = self.sign();
        match source {
            OdeError::RightHandSide { index, value, t } => {
                let variable = self.system.names[index].clone();
                HybridError::Rate { variable, value, t: sign * t }
            }
            OdeError::Guard { guard, value, t } => {
                // The guard belongs to an event, because the value of a switch is always finite.
                let event = self.guards[guard].event().map_or(0, |event| event + 1);
                HybridError::TriggerValue { event, value, t: sign * t }
            }
            source => HybridError::Integration { t: self.event_workspace.t, source },
        }
    }

    /// Records the effects of the events at an instant, and detects accumulations.
    fn finish_instant(&mut self, end: IterationEnd) {
        self.record.note(&self.before, &self.event_workspace, &self.iteration.fired);
        self.is_stale |= self.event_workspace.values != self.before;
        let accumulating = self.note_firings();
        for number in &self.iteration.fired {
            if let Some(firings) = self.firings.get_mut(number - 1) {
                // The count can come from an edited record, so the addition must not overflow.
                (firings.count, firings.last) =
                    (firings.count.saturating_add(1), Some(self.event_workspace.t));
            }
        }
        self.iteration.fired.clear();
        self.stage = match (end, accumulating) {
            (IterationEnd::Halted { event, is_over }, _) => Stage::Halted { event, is_over },
            (IterationEnd::Done, Some(stage)) => stage,
            (IterationEnd::Done, None) => Stage::Underway,
        };
        if self.stage == Stage::Underway || matches!(self.stage, Stage::Halted { is_over: true, .. }) {
            self.before.copy_from_slice(&self.event_workspace.values);
        }
    }
}

/// Outcome of one call of the integrator.
pub(super) enum IntegratorOutcome {
    Reached,
    Roots,
    Stuck(IntegrationOutcome),
}

/// Returns `true` if `fires`, the direction in which a guard fires, includes the direction `way`.
pub(super) fn accepts(fires: Crossing, way: Crossing) -> bool {
    fires == Crossing::Any || fires == way
}
