//! What a switched system did: pieces of exact flow, and why it ended.

use ndarray::Array1;

use super::switched::{Mode, Switched};

/// A piece of motion in one mode; it lasts until the next begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Start.
    pub t: f64,
    /// Index of the mode.
    pub mode: usize,
    /// The state at the start.
    pub x: Array1<f64>,
}

/// Why a computation ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SwitchedEnd {
    /// The end of the time interval.
    TimeReached,
    /// The motion cannot go on in any mode: an inconsistent state, or a mode is missing.
    NoMode {
        /// When.
        t: f64,
    },
    /// More events than allowed, or events without time between them: they accumulate.
    TooManyEvents {
        /// When the last one was.
        t: f64,
    },
}

/// The motion of a [`Switched`] system. States are continuous; multipliers and outputs may jump at events,
/// where the right limit is given.
#[derive(Clone, Debug)]
pub struct Trajectory {
    pub(super) system: Switched,
    /// The pieces in order.
    pub pieces: Vec<Piece>,
    /// Why it ended.
    pub end: SwitchedEnd,
    /// Up to when the motion is known.
    pub t_end: f64,
}

impl Trajectory {
    /// The state at `t`.
    ///
    /// # Panics
    ///
    /// Before the start and after [`t_end`](Self::t_end); so do the other functions of time.
    #[track_caller]
    #[must_use]
    pub fn state(&self, t: f64) -> Array1<f64> {
        let (piece, mode) = self.at(t);
        mode.flow.state(t - piece.t, &piece.x)
    }

    /// The multiplier at `t`.
    #[track_caller]
    #[must_use]
    pub fn lambda(&self, t: f64) -> Array1<f64> {
        self.at(t).1.lambda.value(&self.state(t))
    }

    /// The output at `t`.
    #[track_caller]
    #[must_use]
    pub fn y(&self, t: f64) -> Array1<f64> {
        self.at(t).1.y.value(&self.state(t))
    }

    /// The mode at `t`.
    #[track_caller]
    #[must_use]
    pub fn mode(&self, t: f64) -> &Mode {
        self.at(t).1
    }

    /// The times of the events in order.
    #[must_use]
    pub fn events(&self) -> Vec<f64> {
        self.pieces.iter().skip(1).map(|piece| piece.t).collect()
    }

    /// The names of the modes in order.
    #[must_use]
    pub fn mode_names(&self) -> Vec<&'static str> {
        self.pieces.iter().map(|piece| self.system.modes()[piece.mode].name).collect()
    }

    /// Just before the event that ends piece `k`: time, state, multiplier and output (left limits).
    ///
    /// # Panics
    ///
    /// When there is no piece `k + 1`.
    #[track_caller]
    #[must_use]
    pub fn before_event(&self, k: usize) -> (f64, Array1<f64>, Array1<f64>, Array1<f64>) {
        let (piece, mode, t) =
            (&self.pieces[k], &self.system.modes()[self.pieces[k].mode], self.pieces[k + 1].t);
        let x = mode.flow.state(t - piece.t, &piece.x);
        let (lambda, y) = (mode.lambda.value(&x), mode.y.value(&x));
        (t, x, lambda, y)
    }

    /// The integral of `f(x, lambda)` from `a` to `b`: Gauss's rule with five points in cells that are short
    /// against all that moves and break at events, which leaves rounding for polynomials of the state.
    ///
    /// # Panics
    ///
    /// Outside of the motion.
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

    /// The piece to which `t` belongs, and its mode.
    #[track_caller]
    fn at(&self, t: f64) -> (&Piece, &Mode) {
        let begun = self.pieces.partition_point(|piece| piece.t <= t);
        assert!(begun > 0 && t <= self.t_end, "t = {t} is outside the motion, which ends at {}", self.t_end);
        let piece = &self.pieces[begun - 1];
        (piece, &self.system.modes()[piece.mode])
    }
}
