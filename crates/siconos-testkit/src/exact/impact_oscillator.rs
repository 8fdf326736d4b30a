//! Linear oscillator that bounces on a moving obstacle.
//!
//! The free motion is known in closed form, so the times of the impacts are the only source of error. Each
//! flight is scanned in cells. The cells end at the breakpoints of the obstacle and are very short after an
//! impact. The gap is $g = u - c$, with the rate $\dot u - \dot c$. The signs of the rate at both ends of a
//! cell show if the gap has a minimum or a maximum in the cell, so that a gap that closes and reopens within
//! one cell is found. Two minima in one cell are missed: choose cells that are short compared with all time
//! scales. The times are located by bisection to rounding accuracy.

use super::motion::{Arc, End, Impact, ImpactMotion};
use super::root::last_not_negative;
use super::{Cam, Oscillator};

/// Function of time.
type OfTime = Box<dyn Fn(f64) -> f64 + Send + Sync>;

/// Obstacle with the position $c(t)$. The body is above it. The velocity of the obstacle is continuous; its
/// acceleration can jump at breakpoints.
pub struct Obstacle {
    pub(super) position: OfTime,
    pub(super) velocity: OfTime,
    pub(super) acceleration: Option<OfTime>,
    breakpoints: Vec<f64>,
}

impl std::fmt::Debug for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Obstacle").field("breakpoints", &self.breakpoints).finish_non_exhaustive()
    }
}

impl Obstacle {
    /// Creates an obstacle that moves smoothly. `velocity` must be the derivative of `position`.
    #[must_use]
    pub fn new(
        position: impl Fn(f64) -> f64 + Send + Sync + 'static,
        velocity: impl Fn(f64) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            position: Box::new(position),
            velocity: Box::new(velocity),
            acceleration: None,
            breakpoints: Vec::new(),
        }
    }

    /// Creates an obstacle that does not move.
    #[must_use]
    pub fn fixed(level: f64) -> Self {
        Self::new(move |_| level, |_| 0.0).with_acceleration(|_| 0.0)
    }

    /// Creates the obstacle of a cam, with the breakpoints of the cam in (0, `until`).
    #[must_use]
    pub fn cam(cam: Cam, until: f64) -> Self {
        Self::new(move |t| cam.position(t), move |t| cam.velocity(t))
            .with_acceleration(move |t| cam.acceleration(t))
            .with_breakpoints(cam.breakpoints(0.0, until))
    }

    /// Adds the acceleration function, which phases of persistent contact require.
    #[must_use]
    pub fn with_acceleration(mut self, acceleration: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.acceleration = Some(Box::new(acceleration));
        self
    }

    /// Returns the earliest breakpoint after `t`, or infinity if there is none.
    pub(super) fn next_breakpoint(&self, t: f64) -> f64 {
        let passed = self.breakpoints.partition_point(|b| *b <= t);
        self.breakpoints.get(passed).copied().unwrap_or(f64::INFINITY)
    }

    /// Adds breakpoints, the times at which the acceleration jumps.
    #[must_use]
    pub fn with_breakpoints(mut self, times: impl IntoIterator<Item = f64>) -> Self {
        self.breakpoints.extend(times);
        self.breakpoints.sort_by(f64::total_cmp);
        self
    }
}

/// Resolution of the scan for impacts, and thresholds below which values count as zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan {
    /// Maximum length of a cell. The gap must have at most one extremum in each cell.
    pub cell: f64,
    /// Threshold for the relative velocity after an impact. The computation ends if the relative velocity is
    /// lower. Default of [`Scan::cells`]: 1e-9.
    pub least_velocity: f64,
    /// Threshold for the magnitude of a minimum of the gap. A contact with a smaller magnitude is grazing.
    /// Default of [`Scan::cells`]: 1e-12.
    pub grazing_gap: f64,
    /// Threshold for the extrapolated time until impacts accumulate. The computation ends if the time is
    /// shorter. Default of [`Scan::cells`]: 1e-6.
    pub accumulation_window: f64,
}

impl Scan {
    /// Creates a scan with cells of the given maximum length and default thresholds.
    #[must_use]
    pub fn cells(cell: f64) -> Self {
        Self { cell, least_velocity: 1e-9, grazing_gap: 1e-12, accumulation_window: 1e-6 }
    }
}

/// Condition that ends a computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// The computation ends at the given time.
    Time(f64),
    /// The computation ends when a number of impacts have occurred, or at the time `latest`, whichever comes
    /// first.
    Impacts {
        /// Number of impacts.
        count: usize,
        /// Latest time at which the computation ends.
        latest: f64,
    },
}

/// [`Oscillator`] above an [`Obstacle`]. At contact ($u = c$), Newton's law of restitution is applied to the
/// relative velocity: the velocity jumps to $\dot u^+ = (1 + r) \dot c - r \dot u^-$.
#[derive(Debug)]
pub struct ImpactOscillator {
    pub(super) oscillator: Oscillator,
    restitution: f64,
    pub(super) obstacle: Obstacle,
    pub(super) scan: Scan,
}

/// End of a flight.
enum Flight {
    Impact(f64),
    Grazing(f64),
    Over,
}

impl ImpactOscillator {
    /// Creates an impact oscillator.
    ///
    /// # Panics
    ///
    /// If the restitution is not in [0, 1], or if the length of the cells is not positive and finite.
    #[track_caller]
    #[must_use]
    pub fn new(oscillator: Oscillator, restitution: f64, obstacle: Obstacle, scan: Scan) -> Self {
        assert!((0.0..=1.0).contains(&restitution), "restitution is {restitution}");
        assert!(scan.cell > 0.0 && scan.cell.is_finite(), "the cell is {}", scan.cell);
        Self { oscillator, restitution, obstacle, scan }
    }

    /// Computes the motion from a start that is above the obstacle or in contact with it.
    #[must_use]
    pub fn solve(&self, start: Arc, until: Until) -> ImpactMotion {
        self.solve_scanning(start, start.t, until)
    }

    /// Computes the motion. The gap is known to be open from the start up to the time `clear`.
    pub(super) fn solve_scanning(&self, start: Arc, clear: f64, until: Until) -> ImpactMotion {
        let (latest, count) = match until {
            Until::Time(t) => (t, usize::MAX),
            Until::Impacts { count, latest } => (latest, count),
        };
        let mut motion = ImpactMotion {
            oscillator: self.oscillator,
            arcs: vec![start],
            impacts: Vec::new(),
            end: End::TimeReached,
            t_end: start.t,
        };
        (motion.end, motion.t_end) = self.run(&mut motion, start, clear, latest, count);
        motion
    }

    /// Alternates between computing a flight and computing an impact. Returns the reason for the end and its
    /// time.
    fn run(
        &self,
        motion: &mut ImpactMotion,
        start: Arc,
        mut clear: f64,
        latest: f64,
        count: usize,
    ) -> (End, f64) {
        let gap = self.gap(&start, start.t);
        if gap < -self.scan.grazing_gap {
            return (End::StartsInside { depth: -gap }, start.t);
        }
        let mut arc = start;
        if gap <= self.scan.grazing_gap && clear <= start.t {
            let rate = self.rate(&start, start.t);
            if rate.abs() < self.scan.least_velocity {
                return (self.slow_end(start.t), start.t);
            }
            if rate < 0.0 {
                arc = self.impact(motion, start, start.t);
                clear = arc.t;
                if let Some(end) = self.after_impact(motion, &arc, count) {
                    return (end, arc.t);
                }
            }
        }
        loop {
            match self.fly(&arc, clear, latest) {
                Flight::Over => return (End::TimeReached, latest),
                Flight::Grazing(t) => return (End::Grazing { t }, t),
                Flight::Impact(t) => arc = self.impact(motion, arc, t),
            }
            clear = arc.t;
            if let Some(end) = self.after_impact(motion, &arc, count) {
                return (end, arc.t);
            }
        }
    }

    /// Scans one flight for its end, starting at `clear`.
    fn fly(&self, arc: &Arc, clear: f64, latest: f64) -> Flight {
        let (mut a, mut width) = (clear, self.scan.cell * 1e-6);
        while a < latest {
            let b = (a + width).min(latest).min(self.obstacle.next_breakpoint(a));
            // A cell shorter than the spacing of floating-point numbers would not advance.
            let b = if b > a { b } else { a.next_up() };
            match self.first_contact(arc, a, b) {
                Flight::Over => {}
                contact => return contact,
            }
            a = b;
            width = (2.0 * width).min(self.scan.cell);
        }
        Flight::Over
    }

    /// Finds the earliest contact in the cell from `a` to `b`, if there is one.
    fn first_contact(&self, arc: &Arc, a: f64, b: f64) -> Flight {
        let gap = |t| self.gap(arc, t);
        let (rate_a, rate_b) = (self.rate(arc, a), self.rate(arc, b));
        if rate_a < 0.0 && rate_b > 0.0 {
            let least = last_not_negative(|t| -self.rate(arc, t), a, b);
            return if gap(least).abs() <= self.scan.grazing_gap {
                Flight::Grazing(least)
            } else if gap(least) < 0.0 {
                Flight::Impact(last_not_negative(gap, a, least))
            } else {
                Flight::Over
            };
        }
        // If the gap increases throughout the cell but is negative at the end of the cell, the negative value
        // is a rounding error of the contact at the start of the flight.
        if gap(b) >= 0.0 || (rate_a >= 0.0 && rate_b >= 0.0 && gap(b) > -self.scan.grazing_gap) {
            return Flight::Over;
        }
        // In the first cell of a flight, the gap can increase from zero before it becomes negative.
        let top = if rate_a > 0.0 { last_not_negative(|t| self.rate(arc, t), a, b) } else { a };
        Flight::Impact(last_not_negative(gap, top, b))
    }

    /// Applies Newton's law at `t`, the end of `arc`. Returns the arc that starts there.
    fn impact(&self, motion: &mut ImpactMotion, arc: Arc, t: f64) -> Arc {
        let (_, v_minus) = self.oscillator.flow(t - arc.t, arc.u, arc.v);
        // The position is the position of the obstacle, not the end of the arc, so that rounding errors do
        // not accumulate.
        let (u, velocity) = ((self.obstacle.position)(t), (self.obstacle.velocity)(t));
        let v_plus = (1.0 + self.restitution) * velocity - self.restitution * v_minus;
        motion.impacts.push(Impact { t, u, v_minus, v_plus });
        let next = Arc { t, u, v: v_plus };
        motion.arcs.push(next);
        next
    }

    /// Returns the reason to end the computation after the impact at the start of `arc`, or `None` to
    /// continue.
    fn after_impact(&self, motion: &ImpactMotion, arc: &Arc, count: usize) -> Option<End> {
        if motion.impacts.len() >= count {
            Some(End::ImpactsReached)
        } else if self.rate(arc, arc.t) < self.scan.least_velocity {
            Some(self.slow_end(arc.t))
        } else {
            self.accumulation(&motion.impacts)
        }
    }

    /// Returns the end by accumulation if the last five intervals between impacts decrease and the
    /// extrapolated remaining time is short.
    fn accumulation(&self, impacts: &[Impact]) -> Option<End> {
        let last = impacts.len().checked_sub(6).map(|first| &impacts[first..])?;
        let interval = |k: usize| last[k + 1].t - last[k].t;
        let ratio = (interval(4) / interval(0)).powf(0.25);
        let shrinks = (0..4).all(|k| interval(k + 1) < interval(k));
        let left = interval(4) * ratio / (1.0 - ratio);
        let t = last[5].t;
        (shrinks && left < self.scan.accumulation_window).then_some(End::Accumulation { t, limit: t + left })
    }

    /// Returns the reason for the end at a contact without relative velocity. The reason depends on the sign
    /// of the relative acceleration.
    fn slow_end(&self, t: f64) -> End {
        let (u, v) = ((self.obstacle.position)(t), (self.obstacle.velocity)(t));
        let ahead = 1e-3 * self.scan.cell;
        let obstacle_acceleration = ((self.obstacle.velocity)(t + ahead) - v) / ahead;
        if self.oscillator.acceleration(u, v) < obstacle_acceleration {
            End::PersistentContact { t }
        } else {
            End::SlowImpact { t }
        }
    }

    pub(super) fn gap(&self, arc: &Arc, t: f64) -> f64 {
        self.oscillator.flow(t - arc.t, arc.u, arc.v).0 - (self.obstacle.position)(t)
    }

    pub(super) fn rate(&self, arc: &Arc, t: f64) -> f64 {
        self.oscillator.flow(t - arc.t, arc.u, arc.v).1 - (self.obstacle.velocity)(t)
    }
}
