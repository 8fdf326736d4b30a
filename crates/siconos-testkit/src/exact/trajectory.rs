//! Motion of a switched system: pieces of exact flow, and the reason for its end.

use ndarray::Array1;

use super::switched::{Mode, Switched};

/// Piece of a motion in one mode. It lasts until the next piece starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Start of the piece.
    pub t: f64,
    /// Index of the mode.
    pub mode: usize,
    /// State at the start.
    pub x: Array1<f64>,
}

/// Reason why a computation ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SwitchedEnd {
    /// The end of the time interval was reached.
    TimeReached,
    /// The motion cannot continue in any mode: the state is inconsistent, or a mode is missing.
    NoMode {
        /// Time of the end.
        t: f64,
    },
    /// There are more events than the limit, or several successive events occur at the same time. The events
    /// may accumulate.
    TooManyEvents {
        /// Time of the last event.
        t: f64,
    },
}

/// Motion of a [`Switched`] system. States are continuous. Multipliers and outputs can jump at events; their
/// value at an event is the right limit.
#[derive(Clone, Debug)]
pub struct Trajectory {
    pub(super) system: Switched,
    /// Pieces in order.
    pub pieces: Vec<Piece>,
    /// Reason why the computation ended.
    pub end: SwitchedEnd,
    /// Time up to which the motion is known.
    pub t_end: f64,
}

impl Trajectory {
    /// Returns the state at `t`.
    ///
    /// # Panics
    ///
    /// If `t` is before the start or after [`t_end`](Self::t_end). All functions of time panic in this case.
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> Array1<f64> {
        let (piece, mode) = self.at(t);
        mode.flow.state(t - piece.t, &piece.x)
    }

    /// Returns the multiplier at `t`.
    #[track_caller]
    #[must_use]
    pub fn lambda(&self, t: f64) -> Array1<f64> {
        self.at(t).1.lambda.value(&self.state(t))
    }

    /// Returns the output at `t`.
    #[track_caller]
    #[must_use]
    pub fn y(&self, t: f64) -> Array1<f64> {
        self.at(t).1.y.value(&self.state(t))
    }

    /// Returns the mode at `t`.
    #[track_caller]
    #[must_use]
    pub fn mode(&self, t: f64) -> &Mode {
        self.at(t).1
    }

    /// Returns the times of the events in increasing order.
    #[must_use]
    pub fn events(&self) -> Vec<f64> {
        self.pieces.iter().skip(1).map(|piece| piece.t).collect()
    }

    /// Returns the names of the modes in chronological order.
    #[must_use]
    pub fn mode_names(&self) -> Vec<&'static str> {
        self.pieces.iter().map(|piece| self.system.modes()[piece.mode].name).collect()
    }

    /// Returns time, state, multiplier and output just before the event that ends piece `k` (the left
    /// limits).
    ///
    /// # Panics
    ///
    /// If piece `k + 1` does not exist.
    #[track_caller]
    #[must_use]
    pub fn before_event(&self, k: usize) -> (f64, Array1<f64>, Array1<f64>, Array1<f64>) {
        let (piece, mode, t) =
            (&self.pieces[k], &self.system.modes()[self.pieces[k].mode], self.pieces[k + 1].t);
        let x = mode.flow.state(t - piece.t, &piece.x);
        let (lambda, y) = (mode.lambda.value(&x), mode.y.value(&x));
        (t, x, lambda, y)
    }

    /// Returns the integral of `f(x, lambda)` from `a` to `b`, computed by Gaussian quadrature with five
    /// points per cell. The cells are short compared with all time scales and end at events, so the error for
    /// polynomials of the state is only rounding error.
    ///
    /// # Panics
    ///
    /// If the interval is not within the motion.
    #[track_caller]
    #[must_use]
    pub fn integral(&self, mut f: impl FnMut(&Array1<f64>, &Array1<f64>) -> f64, a: f64, b: f64) -> f64 {
        assert!(self.pieces[0].t <= a && a <= b && b <= self.t_end, "[{a}, {b}] is outside the motion");
        let root = (10.0_f64 / 7.0).sqrt();
        let (inner, outer) = ((5.0 - 2.0 * root).sqrt() / 3.0, (5.0 + 2.0 * root).sqrt() / 3.0);
        let (w_inner, w_outer) =
            ((322.0 + 13.0 * 70.0_f64.sqrt()) / 900.0, (322.0 - 13.0 * 70.0_f64.sqrt()) / 900.0);
        let rule =
            [(0.0, 128.0 / 225.0), (-inner, w_inner), (inner, w_inner), (-outer, w_outer), (outer, w_outer)];
        let mut sum = 0.0;
        for (k, piece) in self.pieces.iter().enumerate() {
            let ends = self.pieces.get(k + 1).map_or(self.t_end, |next| next.t);
            let (from, to) = (piece.t.max(a), ends.min(b));
            if from >= to {
                continue;
            }
            let mode = &self.system.modes()[piece.mode];
            let cells = (5.0 * (to - from) * mode.flow.fastest_rate()).ceil().max(1.0);
            let half = 0.5 * (to - from) / cells;
            for cell in 0..cells as usize {
                let middle = from + (2 * cell + 1) as f64 * half;
                for (node, weight) in rule {
                    let x = mode.flow.state(middle + half * node - piece.t, &piece.x);
                    sum += half * weight * f(&x, &mode.lambda.value(&x));
                }
            }
        }
        sum
    }

    /// Returns the piece that contains `t`, and its mode.
    #[track_caller]
    fn at(&self, t: f64) -> (&Piece, &Mode) {
        let begun = self.pieces.partition_point(|piece| piece.t <= t);
        assert!(begun > 0 && t <= self.t_end, "t = {t} is outside the motion, which ends at {}", self.t_end);
        let piece = &self.pieces[begun - 1];
        (piece, &self.system.modes()[piece.mode])
    }
}
