//! Motion of an impact oscillator with phases of persistent contact.
//!
//! Flights with impacts are computed by [`ImpactOscillator::solve`]. If a flight ends in a persistent
//! contact, or if impacts accumulate, the body follows the obstacle as long as the contact force is
//! compressive. When the force would become tensile, the body takes off. With the obstacle at $c(t)$, the
//! contact force on the body is
//!
//! $$ p(t) = m \ddot c + d \dot c + k c - f \ge 0, $$
//!
//! In plain text, p = m c'' + d c' + k c - f is nonnegative during contact.

use super::impact_oscillator::{ImpactOscillator, Until};
use super::motion::{Arc, End, Impact, ImpactMotion};
use super::root::last_not_negative;

/// Phase of a motion with contact.
#[derive(Clone, Debug)]
pub enum Phase {
    /// Free flights with impacts between them.
    Flights(ImpactMotion),
    /// The body follows the obstacle.
    Contact {
        /// Start of the contact: an impact without rebound, or the limit of an accumulation of impacts.
        from: f64,
        /// End of the contact: the take-off of the body, or the end of the computation.
        to: f64,
    },
}

/// Motion in which flights and contacts alternate.
#[derive(Debug)]
pub struct ContactMotion<'a> {
    system: &'a ImpactOscillator,
    /// Phases in chronological order.
    pub phases: Vec<Phase>,
    /// Reason why the computation ended; [`End::TimeReached`] if the whole interval was covered.
    pub end: End,
}

impl ImpactOscillator {
    /// Computes the motion up to `t_end`, including phases of contact. The obstacle must have an acceleration
    /// ([`Obstacle::with_acceleration`](super::Obstacle::with_acceleration)).
    ///
    /// The computation ends early in two situations, because rounding decides how the motion continues: a
    /// grazing contact ([`End::Grazing`]), and a slow impact after which the force lifts the body off
    /// ([`End::SlowImpact`]).
    ///
    /// # Panics
    ///
    /// If a contact persists and the obstacle has no acceleration function.
    #[track_caller]
    #[must_use]
    pub fn solve_with_contact(&self, start: Arc, t_end: f64) -> ContactMotion<'_> {
        let mut motion = ContactMotion { system: self, phases: Vec::new(), end: End::TimeReached };
        let (mut start, mut clear) = (start, start.t);
        loop {
            let flights = self.solve_scanning(start, clear, Until::Time(t_end));
            let end = flights.end;
            motion.phases.push(Phase::Flights(flights));
            let from = match end {
                End::PersistentContact { t } => t,
                End::Accumulation { limit, .. } => limit.min(t_end),
                end => {
                    motion.end = end;
                    return motion;
                }
            };
            let release = self.release(from, t_end);
            motion.phases.push(Phase::Contact { from, to: release.unwrap_or(t_end) });
            let Some(t) = release else { return motion };
            start = Arc { t, u: (self.obstacle.position)(t), v: (self.obstacle.velocity)(t) };
            match self.opening(&start, t_end) {
                Opening::Clear(t) => clear = t,
                Opening::Over => {
                    // The body takes off so late that the gap does not open before the end.
                    motion.phases.push(Phase::Contact { from: t, to: t_end });
                    return motion;
                }
                Opening::Shut => {
                    motion.end = End::Grazing { t };
                    return motion;
                }
            }
        }
    }

    /// Returns the contact force at `t` on a body that follows the obstacle.
    ///
    /// # Panics
    ///
    /// If the obstacle has no acceleration function.
    #[track_caller]
    #[must_use]
    pub fn contact_force(&self, t: f64) -> f64 {
        let acceleration =
            self.obstacle.acceleration.as_ref().expect("contact needs the obstacle's acceleration");
        let (c, velocity) = ((self.obstacle.position)(t), (self.obstacle.velocity)(t));
        self.oscillator.mass() * (acceleration(t) - self.oscillator.acceleration(c, velocity))
    }

    /// Returns the earliest time after `from` at which the contact force would become tensile.
    fn release(&self, from: f64, t_end: f64) -> Option<f64> {
        let mut a = from;
        while a < t_end {
            let b = (a + self.scan.cell).min(t_end).min(self.obstacle.next_breakpoint(a));
            let b = if b > a { b } else { a.next_up() };
            if self.contact_force(b) < 0.0 {
                return Some(last_not_negative(|t| self.contact_force(t), a, b));
            }
            a = b;
        }
        None
    }

    /// Finds a time after a take-off at which the gap and its rate are clearly above their rounding errors.
    fn opening(&self, arc: &Arc, t_end: f64) -> Opening {
        let mut ahead = 1e-9 * self.scan.cell;
        loop {
            let t = arc.t + ahead;
            if t >= t_end {
                return Opening::Over;
            }
            if self.gap(arc, t) > CLEAR_GAP && self.rate(arc, t) > 0.0 {
                return Opening::Clear(t);
            }
            if ahead > self.scan.cell {
                return Opening::Shut;
            }
            ahead *= 2.0;
        }
    }
}

/// Gap above which a contact is open in spite of rounding errors of positions of order 1.
const CLEAR_GAP: f64 = 1e-14;

enum Opening {
    Clear(f64),
    Over,
    Shut,
}

impl ContactMotion<'_> {
    /// Returns all impacts in chronological order.
    pub fn impacts(&self) -> impl Iterator<Item = Impact> + '_ {
        self.phases
            .iter()
            .flat_map(|phase| match phase {
                Phase::Flights(motion) => motion.impacts.as_slice(),
                Phase::Contact { .. } => &[],
            })
            .copied()
    }

    /// Returns the start and the end of each contact, in chronological order.
    pub fn contacts(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.phases.iter().filter_map(|phase| match *phase {
            Phase::Contact { from, to } => Some((from, to)),
            Phase::Flights(_) => None,
        })
    }

    /// Returns position and velocity at `t`. The value at an impact is the right limit.
    ///
    /// # Panics
    ///
    /// If `t` is before the start or after the end.
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        let begun = self.phases.partition_point(|phase| phase.start() <= t);
        match &self.phases[begun.checked_sub(1).expect("t is before the start")] {
            // Between the last computed impact and the accumulation, the body is at the obstacle up to
            // rounding.
            Phase::Flights(motion) if t <= motion.t_end => motion.state(t),
            Phase::Flights(motion) if !matches!(motion.end, End::Accumulation { .. }) => {
                panic!("t = {t} is after the end of the motion, {}", motion.t_end)
            }
            _ => ((self.system.obstacle.position)(t), (self.system.obstacle.velocity)(t)),
        }
    }

    /// Returns the contact force at `t`, without the impulses of impacts. The force is 0 in flight.
    #[must_use]
    pub fn force(&self, t: f64) -> f64 {
        if self.contacts().any(|(from, to)| from <= t && t < to) { self.system.contact_force(t) } else { 0.0 }
    }
}

impl Phase {
    fn start(&self) -> f64 {
        match self {
            Self::Flights(motion) => motion.arcs[0].t,
            Self::Contact { from, .. } => *from,
        }
    }
}
