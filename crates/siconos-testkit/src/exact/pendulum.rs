//! The plane pendulum, free and with a stop below its pivot, in closed form.

use super::elliptic::{complete_elliptic, jacobi};

/// $\ddot\theta = -\omega^2 \sin\theta$ with $\omega^2 = g / l$, let go at rest from the amplitude a in (0,
/// pi).
///
/// With $k = \sin(a / 2)$ the angle is $\theta = 2 \arcsin(k \mathrm{cd}(\omega t, k))$ and the period
/// $4 K(k) / \omega$ (Lawden 1989, section 5.1). As plain text: theta = 2 asin(k cn(w t) / dn(w t)).
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
    /// A pendulum by gravity, length and amplitude \[rad\].
    ///
    /// # Panics
    ///
    /// Unless gravity and length are positive and the amplitude is in (0, pi).
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, length: f64, amplitude: f64) -> Self {
        assert!(gravity > 0.0 && length > 0.0, "gravity {gravity}, length {length}");
        assert!(amplitude > 0.0 && amplitude < std::f64::consts::PI, "the amplitude is {amplitude}");
        Self { frequency: (gravity / length).sqrt(), modulus: (0.5 * amplitude).sin() }
    }

    /// Duration of a full swing.
    #[must_use]
    pub fn period(&self) -> f64 {
        4.0 * complete_elliptic(self.modulus) / self.frequency
    }

    /// Angle and its rate at time `t`.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        let k = self.modulus;
        let (sn, cn, dn) = jacobi(self.frequency * t, k);
        let complement = ((1.0 - k) * (1.0 + k)).sqrt();
        (2.0 * (k * cn / dn).asin(), -2.0 * k * self.frequency * complement * sn / dn)
    }

    /// Rate of the angle at the lowest point, without sign.
    #[must_use]
    pub fn lowest_rate(&self) -> f64 {
        2.0 * self.modulus * self.frequency
    }

    /// The force in the rod over its mass, at time `t`: $g \cos\theta + l \dot\theta^2$, positive for a pull.
    /// It stays positive for amplitudes up to pi / 2, so that a rope does as well.
    #[must_use]
    pub fn tension_per_mass(&self, gravity: f64, t: f64) -> f64 {
        let (angle, rate) = self.state(t);
        let length = gravity / (self.frequency * self.frequency);
        gravity * angle.cos() + length * rate * rate
    }
}

/// A pendulum that may not pass below its pivot: $\theta \ge 0$, with Newton's restitution e at the stop.
///
/// It hits the stop at the lowest point each time. A rate v there stands for the amplitude
/// $2 \arcsin(v / 2\omega)$, hence impact n = 1, 2, .. follows a swing with the modulus $k_n = e^{n-1} k_1$,
/// and half a period of that swing passes until the next. For e < 1 the impacts go on for ever, at intervals
/// that tend to $\pi / \omega$.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PendulumWithStop {
    first: Pendulum,
    restitution: f64,
}

impl PendulumWithStop {
    /// Let go at rest from `amplitude` \[rad\].
    ///
    /// # Panics
    ///
    /// As [`Pendulum::new`]; unless the restitution is in (0, 1].
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, length: f64, amplitude: f64, restitution: f64) -> Self {
        assert!(restitution > 0.0 && restitution <= 1.0, "restitution is {restitution}");
        Self { first: Pendulum::new(gravity, length, amplitude), restitution }
    }

    /// The swing before impact `n`, counted from 1.
    #[must_use]
    fn swing(&self, n: u32) -> Pendulum {
        Pendulum { modulus: self.first.modulus * self.restitution.powf(f64::from(n) - 1.0), ..self.first }
    }

    /// The time of impact `n`, counted from 1.
    ///
    /// # Panics
    ///
    /// For `n = 0`.
    #[track_caller]
    #[must_use]
    pub fn impact_time(&self, n: u32) -> f64 {
        assert!(n > 0, "impacts are counted from 1");
        0.25 * self.first.period() + (2..=n).map(|n| 0.5 * self.swing(n).period()).sum::<f64>()
    }

    /// Rate of the angle just before impact `n` (towards the stop, without sign), counted from 1.
    #[must_use]
    pub fn impact_rate(&self, n: u32) -> f64 {
        self.swing(n).lowest_rate()
    }

    /// Angle and rate at time `t`; the right limit at an impact.
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
        // A swing is at rest midway between the impacts.
        let (angle, rate) = self.swing(n).state(t - 0.5 * (last + next));
        (angle.max(0.0), rate)
    }
}
