//! Plane pendulum, free and with a stop below its pivot, in closed form.

use super::elliptic::{complete_elliptic, jacobi};

/// Plane pendulum $\ddot\theta = -\omega^2 \sin\theta$ with $\omega^2 = g / l$, released at rest from the
/// amplitude a in (0, pi).
///
/// With $k = \sin(a / 2)$ the angle is $\theta = 2 \arcsin(k \mathrm{cd}(\omega t, k))$ and the period is
/// $4 K(k) / \omega$ (Lawden 1989, section 5.1). In plain text: theta = 2 asin(k cn(w t) / dn(w t)).
///
/// ```
/// use siconos_testkit::exact::Pendulum;
///
/// let pendulum = Pendulum::new(9.81, 1.0, 0.5);
/// let (angle, rate) = pendulum.state(0.25 * pendulum.period());
/// assert!(angle.abs() < 1e-15 && (rate + pendulum.lowest_rate()).abs() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pendulum {
    frequency: f64,
    modulus: f64,
}

impl Pendulum {
    /// Creates a pendulum with gravity, length and amplitude \[rad\].
    ///
    /// # Panics
    ///
    /// If gravity or length is not positive, or if the amplitude is not in (0, pi).
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, length: f64, amplitude: f64) -> Self {
        assert!(gravity > 0.0 && length > 0.0, "gravity {gravity}, length {length}");
        assert!(amplitude > 0.0 && amplitude < std::f64::consts::PI, "the amplitude is {amplitude}");
        Self { frequency: (gravity / length).sqrt(), modulus: (0.5 * amplitude).sin() }
    }

    /// Returns the period of a full swing.
    #[must_use]
    pub fn period(&self) -> f64 {
        4.0 * complete_elliptic(self.modulus) / self.frequency
    }

    /// Returns the angle and its rate at time `t`.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        let k = self.modulus;
        let (sn, cn, dn) = jacobi(self.frequency * t, k);
        let complement = ((1.0 - k) * (1.0 + k)).sqrt();
        (2.0 * (k * cn / dn).asin(), -2.0 * k * self.frequency * complement * sn / dn)
    }

    /// Returns the magnitude of the angular rate at the lowest point.
    #[must_use]
    pub fn lowest_rate(&self) -> f64 {
        2.0 * self.modulus * self.frequency
    }

    /// Returns the force in the rod at time `t`, divided by the mass: $g \cos\theta + l \dot\theta^2$,
    /// positive for tension. For amplitudes up to pi / 2 it is never negative, so that a rope can replace the
    /// rod.
    #[must_use]
    pub fn tension_per_mass(&self, gravity: f64, t: f64) -> f64 {
        let (angle, rate) = self.state(t);
        let length = gravity / (self.frequency * self.frequency);
        gravity * angle.cos() + length * rate * rate
    }
}

/// Pendulum with a stop below its pivot: $\theta \ge 0$, with Newton's restitution e at the stop.
///
/// The pendulum always hits the stop at its lowest point. If its rate there is v, its amplitude is
/// $2 \arcsin(v / 2\omega)$, so the swing before impact n = 1, 2, .. has the modulus $k_n = e^{n-1} k_1$. The
/// time between impacts n and n + 1 is half the period of swing n + 1. For e < 1 there are infinitely many
/// impacts, at intervals that tend to $\pi / \omega$.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PendulumWithStop {
    first: Pendulum,
    restitution: f64,
}

impl PendulumWithStop {
    /// Creates a pendulum that is released at rest from `amplitude` \[rad\].
    ///
    /// # Panics
    ///
    /// If [`Pendulum::new`] panics, or if the restitution is not in (0, 1].
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, length: f64, amplitude: f64, restitution: f64) -> Self {
        assert!(restitution > 0.0 && restitution <= 1.0, "restitution is {restitution}");
        Self { first: Pendulum::new(gravity, length, amplitude), restitution }
    }

    /// Returns a pendulum that swings as before impact `n`, counted from 1.
    #[must_use]
    fn swing(&self, n: u32) -> Pendulum {
        Pendulum { modulus: self.first.modulus * self.restitution.powf(f64::from(n) - 1.0), ..self.first }
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
        0.25 * self.first.period() + (2..=n).map(|n| 0.5 * self.swing(n).period()).sum::<f64>()
    }

    /// Returns the magnitude of the angular rate just before impact `n`, counted from 1.
    #[must_use]
    pub fn impact_rate(&self, n: u32) -> f64 {
        self.swing(n).lowest_rate()
    }

    /// Returns the angle and its rate at time `t`. The value at an impact is the right limit.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        let mut n = 1;
        let mut next = self.impact_time(1);
        let mut last = -next;
        while next <= t {
            n += 1;
            last = next;
            next += 0.5 * self.swing(n).period();
        }
        // The pendulum is at rest midway between two impacts.
        let (angle, rate) = self.swing(n).state(t - 0.5 * (last + next));
        (angle.max(0.0), rate)
    }
}
