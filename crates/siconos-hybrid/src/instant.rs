//! Simultaneous events: the triggers that fire, and the restart of the integration after the events. The
//! *root location width* is the length \[s\] of the time interval to which a root is located.

use siconos_ode::{Crossing, ZeroBand};

use super::HybridError;
use super::motion::{Motion, Source, Watched};
use super::probe::CrossedGuard;
use super::run::accepts;
use super::solution::{HybridSolution, Stage};
use siconos_kernel::engine::{accumulates, is_unresolved, note_impact};

/// Number of successive shrinking intervals after which one unresolved interval counts as an accumulation.
/// An interval between two firings is unresolved if it is too short to locate its ends, or if the guard
/// stays within its rounding error during the interval.
const SHRINKING: usize = 3;

/// Multiple of the root location width. If a trigger jumps across zero at shrinking intervals, the firings
/// count as an accumulation when the predicted next interval is at most this long.
const BELOW_JUMPS: f64 = 16.0;

impl HybridSolution {
    /// Processes the initial point: the events that can fire there, and the initial iteration if the settings
    /// request one.
    pub(super) fn begin(&mut self) -> Result<(), HybridError> {
        self.event_workspace.t = self.t0;
        self.instant = self.t0;
        self.before.clone_from(&self.event_workspace.values);
        self.iteration.clear(self.system.events.len());
        let here = self.event_workspace.view(&self.system, &self.parameters);
        self.pairs.iter_mut().for_each(|pair| pair.note(&self.system, here));
        self.piece = self.piece_here();
        self.look_at_guards()?;
        self.located.note(self.event_workspace.t, &self.probe);
        for guard in 0..self.guards.len() {
            let Some(place) = self.guards[guard].event() else { continue };
            let is_zero = self.probe.g[guard].abs() <= self.probe.band(guard);
            if !self.system.events[place].fire_initial || !self.guards[guard].is_active || !is_zero {
                continue;
            }
            let fires = self.motion().fires(&self.guards[guard]);
            let way = if self.probe.g_rates[guard] < 0.0 { Crossing::Falling } else { Crossing::Rising };
            if accepts(fires, way) {
                self.ways[guard] = Some(way);
                self.iteration.pending[place] = Some(way);
            }
        }
        for place in 0..self.system.events.len() {
            if self.system.events[place].fire_initial {
                self.call_timed(place);
            }
        }
        self.iteration.is_called = self.settings.event_initial;
        self.is_stale = true;
        self.begin_iteration_if_asked_for(0)
    }

    /// Continues after `event` has halted the integration at the end of an iteration. If the settings request
    /// an iteration at each resumption, this iteration starts with the event that follows `event`.
    pub(super) fn resume_behind(&mut self, event: usize) -> Result<(), HybridError> {
        self.iteration.clear(self.system.events.len());
        self.iteration.is_called = self.settings.event_initial;
        self.begin_iteration_if_asked_for(event + 1)
    }

    fn begin_iteration_if_asked_for(&mut self, first: usize) -> Result<(), HybridError> {
        if !self.iteration.is_asked_for() {
            self.stage = Stage::Underway;
            return Ok(());
        }
        self.stage = Stage::Iterating;
        self.begin_iteration(first)
    }

    /// Collects the triggers that fire at the current time.
    pub(super) fn arrive(&mut self) -> Result<(), HybridError> {
        self.instant = self.event_workspace.t;
        self.before.copy_from_slice(&self.event_workspace.values);
        self.iteration.clear(self.system.events.len());
        self.measure_guards()?;
        self.located.note(self.event_workspace.t, &self.probe);
        for guard in 0..self.guards.len() {
            self.call_guard(guard);
        }
        let is_fired = |(guard, way): (&Watched, &Option<Crossing>)| guard.event().is_none() && way.is_some();
        if !self.system.is_implicit() && self.guards.iter().zip(&self.ways).any(is_fired) {
            // The derivatives at the located point can belong to the other side of the switch.
            self.located.rates.clear();
            self.located.rates.extend_from_slice(self.integrator.slope_before());
        }
        for place in 0..self.system.events.len() {
            self.call_timed(place);
        }
        self.begin_iteration_if_asked_for(0)
    }

    /// Marks the event of a guard as pending if the guard has crossed zero, or if it will cross zero within
    /// the root location width. The latter crossing might be missed after the restart if another event
    /// changes the state at this instant.
    fn call_guard(&mut self, guard: usize) {
        let watched = self.guards[guard];
        if !watched.is_active {
            return;
        }
        let fires = self.motion().fires(&watched);
        if self.ways[guard].is_none()
            && let Some(way) = self.probe.about_to_cross(guard).filter(|way| accepts(fires, *way))
        {
            self.ways[guard] = Some(way);
            self.is_stale = true;
        }
        let Some(way) = self.ways[guard].filter(|way| accepts(fires, *way)) else { return };
        match watched.event() {
            Some(event) if self.may_fire(event) => self.iteration.pending[event] = Some(way),
            Some(_) => (),
            None => (self.has_switched, self.is_stale) = (true, true),
        }
    }

    fn call_timed(&mut self, place: usize) {
        if self.enabled[place] && self.comes_at(place, self.event_workspace.t) && self.may_fire(place) {
            self.iteration.pending[place] = Some(Crossing::Any);
        }
    }

    /// Returns `true` if the current time is after the last firing of the event with index `place`.
    fn may_fire(&self, place: usize) -> bool {
        self.last_fired[place].is_none_or(|last| self.sign() * (self.event_workspace.t - last) > 0.0)
    }

    /// Restarts the integration at the current point. Returns `true` if a root fires at the restart, or if
    /// the motion stays at a switch.
    pub(super) fn restart_integration(&mut self) -> Result<bool, HybridError> {
        self.piece = self.piece_here();
        if std::mem::take(&mut self.has_switched) {
            if let Some(switch) = self.sliding_switch() {
                self.stage = Stage::Sliding { switch };
                return Ok(true);
            }
            // The solution of the algebraic equations can jump at the switch.
            self.make_consistent()?;
        }
        let s = self.sign() * self.event_workspace.t;
        let x = &self.event_workspace.values[..self.system.names.len()];
        // The guards are re-evaluated individually below.
        self.integrator.forget_roots();
        self.integrator.restart(s, x).map_err(|source| self.explain(source))?;
        self.look_at_guards()?;
        self.iteration.clear(self.system.events.len());
        for guard in 0..self.guards.len() {
            self.guards[guard].band = self.zero_band_of(guard);
        }
        self.await_returns();
        self.is_stale = false;
        if !self.iteration.is_asked_for() {
            self.note_restart();
            return Ok(false);
        }
        self.is_stale = true;
        self.before.copy_from_slice(&self.event_workspace.values);
        self.begin_iteration_if_asked_for(0)?;
        Ok(true)
    }

    /// Returns the band in which a guard counts as zero after an event, or `None` if the sign of the guard is
    /// used as it is. If an armed root is already beyond zero, its event becomes pending immediately.
    fn zero_band_of(&mut self, guard: usize) -> Option<ZeroBand> {
        let watched = self.guards[guard];
        if !watched.is_active {
            return None;
        }
        let (g, located) = (self.probe.g[guard], self.located.at(guard, self.event_workspace.t));
        let own_width = self.probe.band(guard).max(f64::MIN_POSITIVE);
        let was_left = located.filter(|it| it.is_left_by(g, self.probe.rounding[guard]));
        let width = was_left.map_or(own_width, |it| own_width.max(it.band));
        let way = self.ways[guard].filter(|_| located.is_some());
        if let Some(event) = watched.event().filter(|event| self.system.events[*event].requires.is_some()) {
            if g > width {
                self.ways[guard] = Some(Crossing::Rising);
                self.iteration.pending[event] = Some(Crossing::Rising);
                return None;
            }
            return (g >= -width).then_some(ZeroBand { width, fires: Some(Crossing::Rising) });
        }
        let Some(way) = way else {
            return (g.abs() <= width).then_some(ZeroBand { width, fires: None });
        };
        let width = match was_left {
            // A guard that jumps has a definite sign on each side of the jump.
            Some(it) if it.jumps.any() => return None,
            // A guard that has fired counts as zero.
            Some(it) => width.max(it.g.abs()),
            None => width,
        };
        // The guard fires again at its next crossing, whatever its present sign, in two cases: if it does not
        // clearly continue in the direction of its crossing, and if an action has moved it back.
        let sent_by = located.map_or(0.0, |it| if way == Crossing::Falling { g - it.g } else { it.g - g });
        let is_by_action = self.system.algebraic.is_none()
            && !watched.event().is_some_and(|it| self.system.events[it].takes_a_side());
        let is_sent_back = was_left.is_none() && is_by_action && sent_by > 0.0;
        let is_turned = self.probe.way(guard) != Some(way);
        (g.abs() <= width).then_some(ZeroBand { width, fires: (is_turned || is_sent_back).then_some(way) })
    }

    /// Records the guards that have fired by a jump at this instant. The time of the jump is known only up to
    /// the root location width, so a guard can be on either side of its jump. A second crossing of the same
    /// jump near this instant is therefore ignored.
    fn await_returns(&mut self) {
        let (t, s) = (self.event_workspace.t, self.sign() * self.event_workspace.t);
        for guard in 0..self.guards.len() {
            let left = self.located.at(guard, t);
            let left = left.filter(|it| it.is_left_by(self.probe.g[guard], self.probe.rounding[guard]));
            if left.is_none() && self.settings.double_cross == 0.0 {
                self.awaited[guard] = None;
            }
            let (Some(way), Some(left)) = (self.ways[guard], left.filter(|it| it.jumps.any())) else {
                continue;
            };
            let (x, discrete) = self.event_workspace.values.split_at(self.system.names.len());
            let mut motion =
                Motion::new(&self.system, &self.parameters, discrete, &self.guards, self.sign(), self.piece);
            let crossed = CrossedGuard { guard, s, x, came_with: &self.located.rates };
            let (settings, consistency) = (&self.settings.ode, &mut self.consistency);
            let time = self.probe.time_of_return(&mut motion, settings, consistency, crossed);
            // If this is false, the guard is still on the near side of its jump.
            let has_crossed = (left.g < 0.0) == (way == Crossing::Falling);
            let other = if has_crossed { way.mirrored() } else { way };
            self.awaited[guard] = time.map(|time| (other, s + time));
        }
    }

    /// Determines which guards are monitored, and evaluates all guards.
    fn look_at_guards(&mut self) -> Result<(), HybridError> {
        let continuous = self.system.names.len();
        for guard in &mut self.guards {
            let Some(event) = guard.event() else {
                guard.is_active = true;
                continue;
            };
            let requires = self.system.events[event].requires;
            let is_armed = |(id, value): (super::DiscreteId, bool)| {
                (self.event_workspace.values[continuous + id.0] != 0.0) == value
            };
            guard.is_active = self.enabled[event] && requires.is_none_or(is_armed);
        }
        self.measure_guards()
    }

    /// Evaluates the guards at the current point, with their derivatives and rounding errors.
    pub(super) fn measure_guards(&mut self) -> Result<(), HybridError> {
        if self.guards.is_empty() {
            return Ok(());
        }
        let sign = self.sign();
        let (x, discrete) = self.event_workspace.values.split_at(self.system.names.len());
        let mut motion =
            Motion::new(&self.system, &self.parameters, discrete, &self.guards, sign, self.piece);
        let s = sign * self.event_workspace.t;
        self.probe.measure(&mut motion, &self.settings.ode, &mut self.consistency, s, x)
    }

    fn motion(&self) -> Motion<'_> {
        let (_, discrete) = self.event_workspace.split(&self.system);
        Motion::new(&self.system, &self.parameters, discrete, &self.guards, self.sign(), self.piece)
    }

    /// Records the roots that have fired at the current time. If they accumulate, returns the stage that ends
    /// the solution.
    pub(super) fn note_firings(&mut self) -> Option<Stage> {
        let mut end: Option<(f64, Vec<usize>)> = None;
        for guard in 0..self.guards.len() {
            let Some(place) = self.guards[guard].event() else { continue };
            if self.ways[guard].is_none() || !self.iteration.fired.contains(&(place + 1)) {
                continue;
            }
            if let Some(at) = self.note_firing(guard, place) {
                let (earliest, events) = end.get_or_insert((at, Vec::new()));
                *earliest = earliest.min(at);
                events.push(place + 1);
            }
        }
        end.map(|(s, events)| Stage::Ended { t: self.sign() * s, events })
    }

    /// Records in the history with index `place` that a guard has fired at the current time. If its firings
    /// accumulate, returns the accumulation time, multiplied by the sign of the direction of integration.
    fn note_firing(&mut self, guard: usize, place: usize) -> Option<f64> {
        let criterion = self.settings.accumulation;
        let s = self.sign() * self.event_workspace.t;
        let width = self.settings.ode.location().width(s);
        let history = &mut self.histories[place];
        // If the rate of a guard is zero at its root, the rate does not show how far from zero the guard has
        // been.
        let rate = Some(self.probe.g_rates[guard].abs()).filter(|rate| *rate > 0.0).unwrap_or(f64::INFINITY);
        let finest = (width, self.probe.rounding[guard]);
        let was_unresolved = history.last.is_some_and(|last| is_unresolved(history, last, rate, finest));
        note_impact(history, &criterion, s, None);
        // A single short interval can be a coincidence. Therefore an accumulation requires two unresolved
        // intervals in a row, or an unresolved interval after shrinking intervals. If the guard jumps, the
        // predicted length of the next interval decides.
        let shrinks = history.shrinking >= SHRINKING;
        let is_at_jump = self.located.at(guard, self.event_workspace.t).is_some_and(|it| it.jumps.any());
        let next = history.interval.map_or(f64::INFINITY, |interval| history.ratio * interval);
        let unresolved = || {
            let is_rest = (was_unresolved || shrinks) && is_unresolved(history, s, rate, finest);
            (is_rest || (is_at_jump && shrinks && next <= BELOW_JUMPS * width)).then_some(s)
        };
        accumulates(history, &criterion, s).or_else(unresolved)
    }

    /// Returns a switch that has fired at the current time and at which the motion stays, or `None`. The
    /// motion stays at a switch if the equations on both sides lead to the switch, or if the switch fires at
    /// shrinking intervals.
    fn sliding_switch(&mut self) -> Option<usize> {
        let events = self.system.events.len();
        let mut sliding = None;
        for guard in 0..self.guards.len() {
            let (Source::Switch(switch), Some(way)) = (self.guards[guard].source, self.ways[guard]) else {
                continue;
            };
            let accumulates = self.note_firing(guard, events + switch).is_some();
            if accumulates || self.leads_back(guard, way) {
                sliding = sliding.or(Some(switch));
            }
        }
        sliding
    }

    /// Returns `true` if the equations on both sides lead to a switch that has fired in the direction `way`.
    fn leads_back(&mut self, guard: usize, way: Crossing) -> bool {
        let sign = self.sign();
        let (x, discrete) = self.event_workspace.values.split_at(self.system.names.len());
        let mut motion =
            Motion::new(&self.system, &self.parameters, discrete, &self.guards, sign, self.piece);
        let crossed =
            CrossedGuard { guard, s: sign * self.event_workspace.t, x, came_with: &self.located.rates };
        self.probe.leads_back(&mut motion, &self.settings.ode, crossed, way)
    }
}
