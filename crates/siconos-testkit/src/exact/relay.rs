//! Relay systems with motions in closed form.
//!
//! The law of a relay is $\lambda \in [-1, 1]$, $-y \in N_{[-1,1]}(\lambda)$. Therefore $\lambda = -1$ for
//! $y > 0$ and $\lambda = 1$ for $y < 0$. For $y = 0$, $\lambda$ has any value in $[-1, 1]$.

use std::f64::consts::PI;

use ndarray::{Array1, Array2, array};

use super::LinearModel;

/// Plane relay system $x' = 2 \lambda$, $y = x$. Each component moves to zero at speed 2 and stays there.
///
/// ```
/// use siconos_testkit::exact::StraightRelay;
///
/// let relay = StraightRelay { start: [1.0, -0.25] };
/// assert_eq!((relay.state(0.25), relay.lambda(0.25)), ([0.5, -0.0], [-1.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightRelay {
    /// State at $t = 0$.
    pub start: [f64; 2],
}

impl Default for StraightRelay {
    /// Returns the example of `SimpleExampleRelay.ref`, which starts at (1, -1).
    fn default() -> Self {
        Self { start: [1.0, -1.0] }
    }
}

impl StraightRelay {
    /// Returns the matrices of the model, with two relays.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        planar_relay(array![[2.0, 0.0], [0.0, 2.0]], self.start)
    }

    /// Returns the state at $t \ge 0$.
    #[must_use]
    pub fn state(&self, t: f64) -> [f64; 2] {
        self.start.map(|x| x.signum() * (x.abs() - 2.0 * t).max(0.0))
    }

    /// Returns the multiplier at $t \ge 0$. The value at a jump is the right limit.
    #[must_use]
    pub fn lambda(&self, t: f64) -> [f64; 2] {
        self.state(t).map(relay)
    }

    /// Returns the time at which both components have reached zero.
    #[must_use]
    pub fn arrival(&self) -> f64 {
        self.start[0].abs().max(self.start[1].abs()) / 2.0
    }
}

/// Filippov's spiral: $x' = B \lambda$, $y = x$ in the plane with $B = 2 [[1, -(1+c)], [1+c, 1]]$, $c > 0$
/// (after Filippov, "Differential Equations with Discontinuous Righthand Sides", 1988).
///
/// In each quadrant the motion is a straight line. The motion from one axis to the next takes the time
/// $r / (2 (c + 2))$, where $r$ is the distance from the origin at the start of the line, and multiplies $r$
/// by $q = c / (c + 2)$. Therefore there are infinitely many crossings in a finite time. $|x_1| + |x_2|$
/// decreases at the rate 4, so the origin is reached at exactly $T = (|x_1| + |x_2|) / 4$, with the initial
/// values $x_i$. After this time the state stays there, with $\lambda = 0$.
///
/// ```
/// use siconos_testkit::exact::FilippovSpiral;
///
/// let spiral = FilippovSpiral::default();
/// assert_eq!((spiral.accumulation_time(), spiral.state(1.5)), (1.5, [0.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilippovSpiral {
    /// $c$.
    pub twist: f64,
    /// State at $t = 0$. It must not be the origin.
    pub start: [f64; 2],
}

impl Default for FilippovSpiral {
    /// Returns the example of `Filippov.ref`, with $c = 25$ and the start (3, 3).
    fn default() -> Self {
        Self { twist: 25.0, start: [3.0, 3.0] }
    }
}

impl FilippovSpiral {
    /// Returns the matrices of the model, with two relays.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        let off = 2.0 * (1.0 + self.twist);
        planar_relay(array![[2.0, -off], [off, 2.0]], self.start)
    }

    /// Returns the time $T$ at which the crossings accumulate.
    #[must_use]
    pub fn accumulation_time(&self) -> f64 {
        (self.start[0].abs() + self.start[1].abs()) / 4.0
    }

    /// Returns the ratio $q$ of the distances from the origin at successive crossings.
    #[must_use]
    pub fn shrinkage(&self) -> f64 {
        self.twist / (self.twist + 2.0)
    }

    /// Returns the time of crossing `k` of an axis, counted from 0.
    #[must_use]
    pub fn crossing(&self, k: u32) -> f64 {
        let (_, first, r) = self.first_line();
        // A motion that starts on an axis at distance r reaches the origin in the time r / 4.
        first + 0.25 * r * (1.0 - self.shrinkage().powi(k as i32))
    }

    /// Returns the state at $t \ge 0$. Before the accumulation, the error relative to the distance from the
    /// origin is only rounding error.
    #[must_use]
    pub fn state(&self, t: f64) -> [f64; 2] {
        let end = self.accumulation_time();
        if t >= end {
            return [0.0, 0.0];
        }
        let (turned, first, r) = self.first_line();
        let c = self.twist;
        // In the frame rotated to the first quadrant, y decreases to 0 while x increases.
        let local = if t < first {
            let [x, y] = quarter_turns(self.start, -turned);
            [x + 2.0 * c * t, y - 2.0 * (c + 2.0) * t]
        } else {
            // The index k of the line follows from |x|_1 = 4 (T - t), with q^(k+1) r < |x|_1 <= q^k r.
            let left = 4.0 * (end - t);
            let q = self.shrinkage();
            let mut k = ((left / r).ln() / q.ln()).floor().max(0.0) as i32;
            // At the start of a line, rounding of the logarithm can result in the wrong line.
            if r * q.powi(k) < left && k > 0 {
                k -= 1;
            }
            let begin = r * q.powi(k);
            let s = (0.25 * (begin - left)).max(0.0);
            // The line starts at (begin, 0) and is in the fourth quadrant.
            let point = [begin - 2.0 * (c + 2.0) * s, -2.0 * c * s];
            quarter_turns(point, -k)
        };
        quarter_turns(local, turned)
    }

    /// Returns the multiplier at $t \ge 0$. The time must not be the time of a crossing.
    #[must_use]
    pub fn lambda(&self, t: f64) -> [f64; 2] {
        self.state(t).map(relay)
    }

    /// Returns three values: the number of quarter turns from the first quadrant to the quadrant of the
    /// start, the duration of the first line, and the distance from the origin at the end of this line, on an
    /// axis.
    fn first_line(&self) -> (i32, f64, f64) {
        let turned = (0..4)
            .find(|k| {
                let [x, y] = quarter_turns(self.start, -k);
                x >= 0.0 && y > 0.0
            })
            .unwrap_or(0);
        let [x, y] = quarter_turns(self.start, -turned);
        (turned, y / (2.0 * (self.twist + 2.0)), x + self.shrinkage() * y)
    }
}

/// Oscillator with dry friction of unit strength, $x'' + x = -\mathrm{sgn} x'$.
///
/// In the phase plane the motion consists of half circles with centres alternating between $+1$ and $-1$.
/// Each turning point is closer to zero by 2 than the previous one. The mass sticks at the first turning
/// point with $|x| \le 1$, and then $\lambda = x$.
///
/// ```
/// use siconos_testkit::exact::FrictionOscillator;
///
/// // Turns at 6.5, -4.5, 2.5 and sticks at -0.5.
/// let body = FrictionOscillator { start: [6.5, 0.0] };
/// assert_eq!((body.half_swings(), body.sticking().1), (3, -0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionOscillator {
    /// Position and velocity at $t = 0$.
    pub start: [f64; 2],
}

impl Default for FrictionOscillator {
    /// Returns the example of `FrictionOscillator.ref`, which starts at (12, 6).
    fn default() -> Self {
        Self { start: [12.0, 6.0] }
    }
}

impl FrictionOscillator {
    /// Returns the matrices of the model, with one relay and $y = x'$.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        LinearModel {
            a: array![[0.0, 1.0], [-1.0, 0.0]],
            b: array![[0.0], [1.0]],
            c: array![[0.0, 1.0]],
            d: array![[0.0]],
            x0: Array1::from_iter(self.start),
        }
    }

    /// Returns the time and the position of the first turning point. If the velocity is 0 at the start, the
    /// start is a turning point.
    #[must_use]
    pub fn first_turning(&self) -> (f64, f64) {
        let [x, v] = self.start;
        if v == 0.0 {
            return (0.0, x);
        }
        let centre = -v.signum();
        let (radius, phase) = ((x - centre).hypot(v), (-v).atan2(x - centre));
        // With x - centre = radius cos(phase + t), the turning point is at phase 0 if x increases and at
        // phase pi if x decreases.
        if v > 0.0 { (-phase, centre + radius) } else { (PI - phase, centre - radius) }
    }

    /// Returns the number of half swings from the first turning point until the mass sticks.
    #[must_use]
    pub fn half_swings(&self) -> u32 {
        (0.5 * (self.first_turning().1.abs() - 1.0)).ceil().max(0.0) as u32
    }

    /// Returns the time and the position at which the mass sticks.
    #[must_use]
    pub fn sticking(&self) -> (f64, f64) {
        let swings = self.half_swings();
        (self.first_turning().0 + PI * f64::from(swings), self.turning(swings))
    }

    /// Returns position and velocity at $t \ge 0$.
    #[must_use]
    pub fn state(&self, t: f64) -> [f64; 2] {
        let (first, _) = self.first_turning();
        let (stop, at) = self.sticking();
        if t >= stop {
            return [at, 0.0];
        }
        if t < first {
            let [x, v] = self.start;
            let (centre, (sine, cosine)) = (-v.signum(), t.sin_cos());
            return [centre + (x - centre) * cosine + v * sine, v * cosine - (x - centre) * sine];
        }
        let swing = ((t - first) / PI).floor().min(f64::from(self.half_swings()) - 1.0);
        let x = self.turning(swing as u32);
        let (centre, (sine, cosine)) = (x.signum(), (t - first - PI * swing).sin_cos());
        [centre + (x - centre) * cosine, -(x - centre) * sine]
    }

    /// Returns the friction force at $t \ge 0$: $-\mathrm{sgn} x'$, or the position while the mass sticks.
    /// The time must not be the time of a turning point.
    #[must_use]
    pub fn lambda(&self, t: f64) -> f64 {
        let [x, v] = self.state(t);
        if t >= self.sticking().0 { x } else { relay(v) }
    }

    /// Returns the position of turning point `k`, counted from 0.
    fn turning(&self, k: u32) -> f64 {
        let (_, x) = self.first_turning();
        let sign = if k.is_multiple_of(2) { x.signum() } else { -x.signum() };
        sign * (x.abs() - 2.0 * f64::from(k))
    }
}

/// Returns $-\mathrm{sgn} y$, and 0 for $y = 0$.
fn relay(y: f64) -> f64 {
    if y == 0.0 { 0.0 } else { -y.signum() }
}

/// Returns the model $x' = B \lambda$, $y = x$.
fn planar_relay(b: Array2<f64>, start: [f64; 2]) -> LinearModel {
    LinearModel {
        a: Array2::zeros((2, 2)),
        b,
        c: Array2::eye(2),
        d: Array2::zeros((2, 2)),
        x0: Array1::from_iter(start),
    }
}

/// Returns the point rotated counterclockwise about the origin by `k` right angles.
fn quarter_turns([x, y]: [f64; 2], k: i32) -> [f64; 2] {
    match k.rem_euclid(4) {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    }
}
