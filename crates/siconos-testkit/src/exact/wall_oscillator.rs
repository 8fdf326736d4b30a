//! Harmonic oscillator with a wall at the rest point of its spring.

use std::f64::consts::PI;

/// Oscillator $\ddot u + \omega^2 u = 0$ above a wall at u = 0, with Newton's restitution e.
///
/// The first impact is at $t_1$ with the speed $V = \sqrt{v_0^2 + \omega^2 u_0^2}$. For every amplitude, the
/// interval between impacts is half a period: $t_n = t_1 + (n - 1) \pi / \omega$. After impact n,
/// $u = e^n (V / \omega) \sin \omega (t - t_n)$. The impacts do not accumulate.
///
/// ```
/// use siconos_testkit::exact::WallOscillator;
///
/// let body = WallOscillator::new(2.0, 0.5, 1.0, 0.0);
/// assert_eq!(body.impact_time(1), std::f64::consts::FRAC_PI_4);
/// assert!((body.impact_speed(3) - 0.5).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallOscillator {
    frequency: f64,
    restitution: f64,
    speed: f64,
    first: f64,
}

impl WallOscillator {
    /// Creates an oscillator with an angular frequency \[rad/s\] and a restitution. It starts at t = 0 at the
    /// position `u` with the velocity `v`.
    ///
    /// # Panics
    ///
    /// If the frequency is not positive, if the restitution is not in (0, 1], or if the oscillator starts
    /// neither above the wall (`u > 0`) nor on the wall with a velocity away from it (`u = 0` and `v > 0`).
    #[track_caller]
    #[must_use]
    pub fn new(frequency: f64, restitution: f64, u: f64, v: f64) -> Self {
        assert!(frequency > 0.0, "the frequency is {frequency}");
        assert!(restitution > 0.0 && restitution <= 1.0, "restitution is {restitution}");
        assert!(u > 0.0 || (u == 0.0 && v > 0.0), "the start is {u}, {v}");
        // The motion is u = (V / w) sin(phase), v = V cos(phase), with the initial phase in [0, pi).
        let phase = (frequency * u).atan2(v);
        Self { frequency, restitution, speed: v.hypot(frequency * u), first: (PI - phase) / frequency }
    }

    /// Returns the time of impact `n`, counted from 1.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    #[track_caller]
    #[must_use]
    pub fn impact_time(&self, n: u32) -> f64 {
        assert!(n > 0, "impacts are counted from 1");
        self.first + f64::from(n - 1) * PI / self.frequency
    }

    /// Returns the speed towards the wall just before impact `n`, counted from 1.
    #[must_use]
    pub fn impact_speed(&self, n: u32) -> f64 {
        self.speed * self.restitution.powf(f64::from(n) - 1.0)
    }

    /// Returns position and velocity at `t >= 0`. The value at an impact is the right limit.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        let half = PI / self.frequency;
        let n = ((t - self.first) / half).floor() + 1.0;
        let (speed, angle) =
            (self.speed * self.restitution.powf(n), self.frequency * (t - self.first - (n - 1.0) * half));
        ((speed / self.frequency * angle.sin()).max(0.0), speed * angle.cos())
    }
}
