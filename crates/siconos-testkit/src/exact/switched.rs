//! Exact solution of piecewise affine systems, computed from event to event.
//!
//! In each mode the state follows a [`LinearFlow`]. A mode lasts until one of its guards becomes negative.
//! Each guard is scanned in cells that are short compared with the fastest time constant and very short after
//! an event. A minimum in a cell is detected by the signs of the rate at both ends, so that a guard that is
//! negative only within one cell is found. The events are located by bisection to rounding accuracy.
//!
//! At an event the next mode is chosen. In this mode each guard, followed by its derivatives, must be
//! lexicographically nonnegative, so that the motion can continue for some time (initial solution of Heemels,
//! Schumacher and Weiland, "Linear complementarity systems", SIAM J. Appl. Math. 60, 2000).

use std::cmp::Ordering;

use ndarray::Array1;

use super::LinearFlow;
use super::affine::Affine;
use super::root::last_not_negative;
use super::trajectory::{Piece, SwitchedEnd, Trajectory};

/// Threshold for zero in the choice of a mode, relative to the typical size of the value.
const CHOICE: f64 = 1e-10;
/// Threshold for events, relative to the typical size of a guard: an event occurs if the guard is negative
/// and its magnitude exceeds the threshold.
const DIP: f64 = 1e-13;
/// Length of a cell times the fastest rate.
const CELL: f64 = 0.1;
/// Number of successive modes of zero duration after which a computation ends.
const STANDSTILL: usize = 10;

/// Mode of a [`Switched`] system.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Name of the mode.
    pub name: &'static str,
    /// Flow of the state.
    pub flow: LinearFlow,
    /// Multiplier.
    pub lambda: Affine,
    /// Output.
    pub y: Affine,
    /// Guards. The mode lasts while all of them are nonnegative.
    pub guards: Affine,
    /// Functions that must be 0 at the start of the mode. The flow must keep them at 0.
    pub equalities: Affine,
}

/// Piecewise affine system.
///
/// ```
/// use ndarray::array;
/// use siconos_testkit::exact::{FrictionOscillator, RelayFeedback};
///
/// // Friction as a relay on the velocity; "sliding" is the mode in which the mass sticks.
/// let system = RelayFeedback { model: FrictionOscillator::default().model() }.switched();
/// let motion = system.solve(0.0, &array![2.5, 0.0], 5.0);
/// assert_eq!(motion.mode_names(), ["plus", "sliding"]);
/// assert!((motion.events()[0] - std::f64::consts::PI).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Switched {
    modes: Vec<Mode>,
    most_events: usize,
}

impl Switched {
    /// Creates a system from its modes, in the order in which they are tried. A computation ends after 100000
    /// events; see [`with_most_events`](Self::with_most_events).
    ///
    /// # Panics
    ///
    /// If `modes` is empty, or if the sizes of the modes differ.
    #[track_caller]
    #[must_use]
    pub fn new(modes: Vec<Mode>) -> Self {
        assert!(!modes.is_empty(), "a system needs a mode");
        let n = modes[0].flow.size();
        for mode in &modes {
            let functions = [&mode.lambda, &mode.y, &mode.guards, &mode.equalities];
            assert!(
                mode.flow.size() == n && functions.iter().all(|f| f.matrix.ncols() == n),
                "{} has another size",
                mode.name
            );
        }
        Self { modes, most_events: 100_000 }
    }

    /// Sets the number of events after which a computation ends.
    #[must_use]
    pub fn with_most_events(mut self, count: usize) -> Self {
        self.most_events = count;
        self
    }

    /// Returns the modes.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Computes the motion from `x0` at `t0` to `t_end`.
    #[must_use]
    pub fn solve(&self, t0: f64, x0: &Array1<f64>, t_end: f64) -> Trajectory {
        let (mut t, mut x, mut pieces) = (t0, x0.clone(), Vec::<Piece>::new());
        let (mut typical, mut standstill) = (self.typical(x0, t_end - t0), 0);
        let end = loop {
            let Some(mode) = self.choose(&x, &typical) else { break SwitchedEnd::NoMode { t } };
            pieces.push(Piece { t, mode, x: x.clone() });
            let Some(duration) = self.first_event(mode, &x, t_end - t, &mut typical) else {
                break SwitchedEnd::TimeReached;
            };
            x = self.modes[mode].flow.state(duration, &x);
            standstill = if t + duration > t { 0 } else { standstill + 1 };
            t += duration;
            if pieces.len() > self.most_events || standstill > STANDSTILL {
                break SwitchedEnd::TooManyEvents { t };
            }
        };
        let t_end = if end == SwitchedEnd::TimeReached { t_end } else { t };
        Trajectory { system: self.clone(), pieces, end, t_end }
    }

    /// Returns typical magnitudes of the states shortly after `x`, in any mode. The magnitudes at `x` alone
    /// are not enough, because a component can be zero up to rounding, for example on a switching surface.
    fn typical(&self, x: &Array1<f64>, span: f64) -> Array1<f64> {
        let mut typical = x.mapv(f64::abs);
        for mode in &self.modes {
            let soon = (1.0 / mode.flow.fastest_rate()).min(span);
            for ((size, rate), x) in typical.iter_mut().zip(mode.flow.rate(x)).zip(x) {
                *size = size.max(x.abs() + soon * rate.abs());
            }
        }
        typical
    }

    /// Returns the first mode in which the motion can continue from `x`.
    fn choose(&self, x: &Array1<f64>, typical: &Array1<f64>) -> Option<usize> {
        self.modes.iter().position(|mode| {
            let equal = (0..mode.equalities.offset.len())
                .all(|i| value(&mode.equalities, i, x).abs() <= CHOICE * size(&mode.equalities, i, typical));
            equal && (0..mode.guards.offset.len()).all(|i| tendency(mode, i, x, typical) != Ordering::Less)
        })
    }

    /// Returns the earliest time at which a guard of the mode becomes negative, measured from the start of
    /// the mode, or `None` if this time is later than `most` or does not exist.
    fn first_event(&self, mode: usize, x: &Array1<f64>, most: f64, typical: &mut Array1<f64>) -> Option<f64> {
        let mode = &self.modes[mode];
        let cell = (CELL / mode.flow.fastest_rate()).min(most / 64.0);
        let (mut a, mut width, mut x_a) = (0.0, cell * 1e-6, x.clone());
        while a < most {
            let b = (a + width).min(most);
            let x_b = mode.flow.state(b, x);
            for (largest, x) in typical.iter_mut().zip(&x_b) {
                *largest = largest.max(x.abs());
            }
            let events = (0..mode.guards.offset.len())
                .filter_map(|i| dip(mode, i, x, (a, b), (&x_a, &x_b), DIP * size(&mode.guards, i, typical)));
            if let Some(first) = events.min_by(f64::total_cmp) {
                return Some(first);
            }
            (a, x_a) = (b, x_b);
            width = (2.0 * width).min(cell);
        }
        None
    }
}

/// Returns the time between `a` and `b` at which guard `i` becomes negative, or `None` if the guard does not
/// fall below -`allowed`.
fn dip(
    mode: &Mode,
    i: usize,
    x: &Array1<f64>,
    (a, b): (f64, f64),
    (x_a, x_b): (&Array1<f64>, &Array1<f64>),
    allowed: f64,
) -> Option<f64> {
    let guard = |s: f64| value(&mode.guards, i, &mode.flow.state(s, x));
    let rate = |s: f64| mode.guards.matrix.row(i).dot(&mode.flow.rate(&mode.flow.state(s, x)));
    let rate_at = |x: &Array1<f64>| mode.guards.matrix.row(i).dot(&mode.flow.rate(x));
    let (rate_a, rate_b) = (rate_at(x_a), rate_at(x_b));
    if value(&mode.guards, i, x_b) < -allowed {
        // In the first cell of a mode, a guard can increase from zero before it becomes negative.
        let top = if rate_a > 0.0 && rate_b < 0.0 { last_not_negative(rate, a, b) } else { a };
        return Some(last_not_negative(guard, top, b));
    }
    if rate_a < 0.0 && rate_b > 0.0 {
        let least = last_not_negative(|s| -rate(s), a, b);
        if guard(least) < -allowed {
            return Some(last_not_negative(guard, a, least));
        }
    }
    None
}

/// Returns entry `i` of the value of `f`.
fn value(f: &Affine, i: usize, x: &Array1<f64>) -> f64 {
    f.matrix.row(i).dot(x) + f.offset[i]
}

/// Returns the magnitude of entry `i` of the value of `f` for states of typical magnitude.
fn size(f: &Affine, i: usize, typical: &Array1<f64>) -> f64 {
    f.matrix.row(i).mapv(f64::abs).dot(typical) + f.offset[i].abs()
}

/// Returns the sign of guard `i` shortly after `x`, the sign of the first nonzero number among the guard and
/// its derivatives.
fn tendency(mode: &Mode, i: usize, x: &Array1<f64>, typical: &Array1<f64>) -> Ordering {
    let row = mode.guards.matrix.row(i);
    let weights = row.mapv(f64::abs);
    let magnitudes = mode.flow.matrix().mapv(f64::abs);
    let (mut g, mut g_size) = (value(&mode.guards, i, x), size(&mode.guards, i, typical));
    let (mut derivative, mut sizes) =
        (mode.flow.rate(x), magnitudes.dot(typical) + mode.flow.constant().mapv(f64::abs));
    for _ in 0..=mode.flow.size() {
        if g.abs() > CHOICE * g_size {
            return g.total_cmp(&0.0);
        }
        (g, g_size) = (row.dot(&derivative), weights.dot(&sizes));
        derivative = mode.flow.matrix().dot(&derivative);
        sizes = magnitudes.dot(&sizes);
    }
    Ordering::Equal
}
