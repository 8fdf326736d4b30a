//! Hybrid system between two events, in the form that the integrator requires.
//!
//! The integrator only integrates forward. In backward integration the independent variable is s = -t:
//! derivatives change their sign, and a quantity that increases with time decreases with s.

use ndarray::ArrayViewMut2;
use siconos_ode::{Bounds, Crossing, OdeSystem, ValueBounds, ZeroBand};

use super::event::{Event, EventTrigger, GuardOf};
use super::switch::Piece;
use super::{CourseView, HybridError, HybridSystem, View};
use siconos_kernel::model::{At, Parameters};

/// Guard: a function whose zero crossings are monitored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Watched {
    pub(super) source: Source,
    /// `true` if the guard is monitored at present. The value of an inactive guard is 1.
    pub(super) is_active: bool,
    pub(super) band: Option<ZeroBand>,
}

impl Watched {
    fn new(source: Source) -> Self {
        Self { source, is_active: false, band: None }
    }

    /// Returns the index of the event of the guard, or `None` if the guard belongs to a switch.
    pub(super) fn event(&self) -> Option<usize> {
        match self.source {
            Source::Event(event, _) => Some(event),
            Source::Switch(_) => None,
        }
    }
}

/// Event or switch to which a guard belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Event with this index. The second field is the role of the guard in its trigger.
    Event(usize, Part),
    /// Switch of the equations with this index.
    Switch(usize),
}

/// Role of a guard in the trigger of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Root,
    /// Distance of the function above the lower end of a range. The event fires when the distance becomes
    /// negative.
    AboveLower,
    /// Distance of the function below the upper end of a range.
    BelowUpper,
}

/// Returns the guards of all events, followed by the guards of the switches.
pub(super) fn guards_of(system: &HybridSystem) -> Vec<Watched> {
    let parts = |event: &Event| match event.kind {
        EventTrigger::Root { .. } => &[Part::Root][..],
        EventTrigger::Range { .. } => &[Part::AboveLower, Part::BelowUpper],
        EventTrigger::Time { .. } | EventTrigger::Discrete { .. } => &[],
    };
    let of_event = |(place, event)| parts(event).iter().map(move |&part| Source::Event(place, part));
    let of_events = system.events.iter().enumerate().flat_map(of_event);
    of_events.chain((0..system.switches.len()).map(Source::Switch)).map(Watched::new).collect()
}

/// Hybrid system between two events.
#[derive(Debug)]
pub(super) struct Motion<'a> {
    pub(super) system: &'a HybridSystem,
    pub(super) parameters: &'a Parameters,
    pub(super) discrete: &'a [f64],
    pub(super) guards: &'a [Watched],
    /// 1 for forward integration, -1 for backward integration.
    pub(super) sign: f64,
    /// `true` if pairs of roots that are close in time must not fire. Guards are then monitored in both
    /// directions.
    pub(super) watches_both_ways: bool,
    /// Time interval, between two switches, in which the equations are evaluated.
    pub(super) piece: Piece,
}

impl<'a> Motion<'a> {
    /// Creates the motion of a system for a direction of integration, with the current parameters, discrete
    /// variables and guards.
    pub(super) fn new(
        system: &'a HybridSystem,
        parameters: &'a Parameters,
        discrete: &'a [f64],
        guards: &'a [Watched],
        sign: f64,
        piece: Piece,
    ) -> Self {
        Self { system, parameters, discrete, guards, sign, watches_both_ways: false, piece }
    }

    /// Returns the arguments of user functions at s.
    fn view<'v>(&'v self, s: f64, x: &'v [f64]) -> View<'v> {
        View { at: At::new(self.sign * s, self.parameters), x, discrete: self.discrete }
    }

    /// Returns the arguments of the equations at s. The time is clamped to the interval `piece`.
    fn view_in_piece<'v>(&'v self, s: f64, x: &'v [f64]) -> View<'v> {
        let t = self.piece.nearest(self.sign * s);
        View { at: At::new(t, self.parameters), x, discrete: self.discrete }
    }

    /// Returns the value of a guard. The event fires when the guard crosses zero.
    fn guard(&self, guard: &Watched, view: View<'_>) -> f64 {
        let value = self.argument(guard).map_or(1.0, |argument| argument.value(view));
        match self.sign_and_shift(guard) {
            // The function of a switch can be NaN if the equations do not use it at present.
            None if value.is_finite() => value,
            None => 1.0,
            Some((sign, shift)) => sign * value + shift,
        }
    }

    /// Returns the factor and the offset that convert the argument of an event to a guard, or `None` for a
    /// switch.
    fn sign_and_shift(&self, guard: &Watched) -> Option<(f64, f64)> {
        let Source::Event(event, part) = guard.source else { return None };
        let event = &self.system.events[event];
        Some(match (&event.kind, part) {
            (EventTrigger::Range { lower, .. }, Part::AboveLower) => (1.0, -lower),
            (EventTrigger::Range { upper, .. }, _) => (-1.0, *upper),
            // The variable that arms a pair of roots determines the side of the argument, whatever the
            // direction of integration. Therefore the guards of both roots increase with s.
            (EventTrigger::Root { crossing: Crossing::Falling, .. }, _) if event.requires.is_some() => {
                (-1.0, 0.0)
            }
            _ => (1.0, 0.0),
        })
    }

    /// Returns the function or variable from which a guard is computed.
    fn argument(&self, guard: &Watched) -> Option<&'a GuardOf> {
        match guard.source {
            Source::Event(event, _) => match &self.system.events[event].kind {
                EventTrigger::Root { f, .. } | EventTrigger::Range { f, .. } => Some(f),
                EventTrigger::Time { .. } | EventTrigger::Discrete { .. } => None,
            },
            Source::Switch(place) => Some(&self.system.switches[place].f),
        }
    }

    /// Returns the direction of the zero crossings, with respect to s, at which a guard fires.
    pub(super) fn fires(&self, guard: &Watched) -> Crossing {
        let Source::Event(event, _) = guard.source else { return Crossing::Any };
        let event = &self.system.events[event];
        match &event.kind {
            EventTrigger::Root { .. } if event.requires.is_some() => Crossing::Rising,
            EventTrigger::Root { crossing, .. } if self.sign > 0.0 => *crossing,
            EventTrigger::Root { crossing, .. } => crossing.mirrored(),
            EventTrigger::Range { .. } | EventTrigger::Time { .. } | EventTrigger::Discrete { .. } => {
                Crossing::Falling
            }
        }
    }
}

impl OdeSystem for Motion<'_> {
    fn dimension(&self) -> usize {
        self.system.names.len()
    }

    fn compute_f(&mut self, s: f64, x: &[f64], f: &mut [f64]) {
        self.system.compute(self.view_in_piece(s, x), f);
        if self.sign < 0.0 {
            f[..self.system.states()].iter_mut().for_each(|rate| *rate = -*rate);
        }
    }

    fn compute_jacobian(&mut self, s: f64, x: &[f64], jacobian: &mut [f64]) -> bool {
        let Some(derivative) = &self.system.jacobian else { return false };
        let (n, states) = (self.system.names.len(), self.system.states());
        let first = states - self.system.unknowns;
        let Ok(lower) = ArrayViewMut2::from_shape((n - first, n), &mut jacobian[first * n..]) else {
            return false;
        };
        derivative(self.view_in_piece(s, x), lower);
        for i in 0..first {
            jacobian[i * n + self.system.unknowns + i] = 1.0;
        }
        if self.sign < 0.0 {
            jacobian[..states * n].iter_mut().for_each(|entry| *entry = -*entry);
        }
        true
    }

    fn has_mass(&self) -> bool {
        self.system.is_implicit()
    }

    fn compute_mass(&mut self, mass: &mut [f64]) {
        let (n, states) = (self.system.names.len(), self.system.states());
        for i in 0..states {
            mass[i * n + i] = 1.0;
        }
        if let Some(m) = &self.system.mass {
            let first = states - self.system.unknowns;
            for ((i, j), value) in m.indexed_iter() {
                mass[(first + i) * n + first + j] = *value;
            }
        }
    }

    fn guards(&self) -> usize {
        self.guards.len()
    }

    fn crossing(&self, guard: usize) -> Crossing {
        let guard = &self.guards[guard];
        let is_plain = match guard.source {
            Source::Event(event, part) => part == Part::Root && self.system.events[event].requires.is_none(),
            Source::Switch(_) => true,
        };
        if self.watches_both_ways && is_plain { Crossing::Any } else { self.fires(guard) }
    }

    fn guard_degree(&self, guard: usize) -> Option<usize> {
        let guard = &self.guards[guard];
        if guard.is_active { self.argument(guard).and_then(GuardOf::degree) } else { Some(1) }
    }

    fn has_guard_bounds(&self, guard: usize) -> bool {
        self.argument(&self.guards[guard]).is_some_and(|argument| argument.course().is_some())
    }

    fn guard_bounds(&mut self, guard: usize, s: Bounds, x: &dyn Fn(usize) -> ValueBounds) -> ValueBounds {
        let guard = &self.guards[guard];
        let Some(course) = self.argument(guard).and_then(GuardOf::course) else {
            return ValueBounds::UNKNOWN;
        };
        let t = if self.sign > 0.0 { s } else { s.negated() };
        let parameters = self.parameters.values();
        let own = course(&CourseView { t, direction: self.sign, x, parameters, discrete: self.discrete });
        match self.sign_and_shift(guard) {
            None => own,
            Some((sign, shift)) => if sign < 0.0 { own.negated() } else { own }.shifted(shift),
        }
    }

    fn is_switch(&self, guard: usize) -> bool {
        matches!(self.guards[guard].source, Source::Switch(_))
    }

    fn zero_band(&self, guard: usize) -> Option<ZeroBand> {
        self.guards[guard].band
    }

    fn compute_guards(&mut self, s: f64, x: &[f64], g: &mut [f64]) {
        let view = self.view(s, x);
        for (g, guard) in g.iter_mut().zip(self.guards) {
            *g = if guard.is_active { self.guard(guard, view) } else { 1.0 };
        }
    }
}

impl Motion<'_> {
    /// Returns an error if a guard is not finite.
    pub(super) fn check_guards(&self, s: f64, g: &[f64]) -> Result<(), HybridError> {
        match g.iter().position(|value| !value.is_finite()) {
            None => Ok(()),
            Some(guard) => {
                // The guard belongs to an event, because the value of a switch is always finite.
                let event = self.guards[guard].event().map_or(0, |event| event + 1);
                Err(HybridError::TriggerValue { event, value: g[guard], t: self.sign * s })
            }
        }
    }
}
