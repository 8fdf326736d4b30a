//! Bodies that lose contact without an impact: an oscillating table, a dome.

use super::elliptic::jacobi;
use super::root::last_not_negative;
use super::{ImpactOscillator, Obstacle, Oscillator, Scan};

/// A ball that rests on a table $z = A \sin \omega t$ under gravity g.
///
/// The table presses with $m (g - A \omega^2 \sin \omega t)$. For $A \omega^2 > g$ this vanishes first at
/// $t_0 = \arcsin(g / A \omega^2) / \omega$, and the ball flies until the parabola meets the table again.
///
/// ```
/// use siconos_testkit::exact::OscillatingTable;
///
/// let table = OscillatingTable::new(9.81, 0.01, 40.0);
/// let t = table.take_off().expect("A w^2 = 16 > g");
/// assert!((9.81 - 16.0 * (40.0 * t).sin()).abs() < 1e-13);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OscillatingTable {
    gravity: f64,
    amplitude: f64,
    frequency: f64,
}

impl OscillatingTable {
    /// A table by gravity, amplitude \[m\] and angular frequency \[rad/s\].
    ///
    /// # Panics
    ///
    /// Unless all are positive.
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, amplitude: f64, frequency: f64) -> Self {
        assert!(gravity > 0.0 && amplitude > 0.0 && frequency > 0.0, "{gravity} {amplitude} {frequency}");
        Self { gravity, amplitude, frequency }
    }

    /// Height and velocity of the table.
    #[must_use]
    pub fn table(&self, t: f64) -> (f64, f64) {
        let (sin, cos) = (self.frequency * t).sin_cos();
        (self.amplitude * sin, self.amplitude * self.frequency * cos)
    }

    /// When the ball takes off; `None` when it never does ($A \omega^2 \le g$).
    #[must_use]
    pub fn take_off(&self) -> Option<f64> {
        let ratio = self.gravity / (self.amplitude * self.frequency * self.frequency);
        (ratio < 1.0).then(|| ratio.asin() / self.frequency)
    }

    /// When the ball comes down on the table for the first time, and its velocity just before; `None` as
    /// [`take_off`](Self::take_off).
    #[must_use]
    pub fn landing(&self) -> Option<(f64, f64)> {
        let start = self.take_off()?;
        let gap = |t: f64| self.flight(start, t).0 - self.table(t).0;
        // Right after the take-off the gap grows as (t - t0)^3: the scan begins where it is above rounding. A
        // cell is a thousandth of the period.
        let cell = 2e-3 * std::f64::consts::PI / self.frequency;
        let mut a = start + cell;
        while gap(a + cell) >= 0.0 {
            a += cell;
        }
        let t = last_not_negative(gap, a, a + cell);
        Some((t, self.flight(start, t).1))
    }

    /// Height and velocity of the ball up to its landing.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        match self.take_off() {
            Some(start) if t > start => self.flight(start, t),
            _ => self.table(t),
        }
    }

    /// The whole motion with restitution, for [`ImpactOscillator::solve_with_contact`].
    #[must_use]
    pub fn with_impacts(&self, restitution: f64) -> ImpactOscillator {
        let table = *self;
        let obstacle = Obstacle::new(move |t| table.table(t).0, move |t| table.table(t).1)
            .with_acceleration(move |t| -table.frequency.powi(2) * table.table(t).0);
        let cell = 2e-3 * std::f64::consts::PI / self.frequency;
        ImpactOscillator::new(
            Oscillator::new(1.0, 0.0, 0.0, -self.gravity),
            restitution,
            obstacle,
            Scan::cells(cell),
        )
    }

    /// The parabola that begins at `start` on the table.
    fn flight(&self, start: f64, t: f64) -> (f64, f64) {
        let ((z, v), tau) = (self.table(start), t - start);
        (z + tau * (v - 0.5 * self.gravity * tau), v - self.gravity * tau)
    }
}

/// A point that slides without friction from the top of a dome of radius R and leaves it.
///
/// With the angle $\theta$ from the top, started at rest at $\theta_0$, energy gives
/// $R \dot\theta^2 = 2 g (\cos\theta_0 - \cos\theta)$ and the dome presses with
/// $m (g \cos\theta - R \dot\theta^2) = m g (3 \cos\theta - 2 \cos\theta_0)$: the point leaves at
/// $\cos\theta = \tfrac23 \cos\theta_0$, and flies a parabola. The angle up to there is that of an
/// upside-down pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dome {
    gravity: f64,
    radius: f64,
    start: f64,
}

impl Dome {
    /// A dome by gravity, radius \[m\] and angle of the start from the top \[rad\].
    ///
    /// # Panics
    ///
    /// Unless gravity and radius are positive and the start is in (0, pi / 2).
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, radius: f64, start: f64) -> Self {
        assert!(gravity > 0.0 && radius > 0.0, "gravity {gravity}, radius {radius}");
        assert!(start > 0.0 && start < std::f64::consts::FRAC_PI_2, "the start is {start}");
        Self { gravity, radius, start }
    }

    /// The angle at which the point leaves.
    #[must_use]
    pub fn take_off_angle(&self) -> f64 {
        (2.0 / 3.0 * self.start.cos()).acos()
    }

    /// The force of the dome on the point over its mass, by the angle.
    #[must_use]
    pub fn force_per_mass(&self, angle: f64) -> f64 {
        self.gravity * (3.0 * angle.cos() - 2.0 * self.start.cos())
    }

    /// Angle and rate at time `t` while the point is on the dome.
    ///
    /// The angle from below, $\pi - \theta$, is that of a pendulum with the amplitude $\pi - \theta_0$.
    #[must_use]
    pub fn angle(&self, t: f64) -> (f64, f64) {
        let k = (0.5 * self.start).cos();
        let frequency = (self.gravity / self.radius).sqrt();
        let (sn, cn, dn) = jacobi(frequency * t, k);
        let complement = (0.5 * self.start).sin();
        // theta / 2 = acos(k cd): by the sine k' / dn, which is exact for small angles.
        (2.0 * (complement / dn).atan2(k * cn / dn), 2.0 * k * frequency * complement * sn / dn)
    }

    /// When the point leaves the dome.
    #[must_use]
    pub fn take_off(&self) -> f64 {
        let limit = self.take_off_angle();
        let mut b = (self.radius / self.gravity).sqrt();
        while self.angle(b).0 <= limit {
            b *= 1.5;
        }
        last_not_negative(|t| limit - self.angle(t).0, 0.0, b)
    }

    /// Position and velocity (across, up; the centre of the dome is the origin) at time `t`, on the dome and
    /// in flight.
    #[must_use]
    pub fn state(&self, t: f64) -> ([f64; 2], [f64; 2]) {
        let end = self.take_off();
        let ((angle, rate), tau, r) = (self.angle(t.min(end)), (t - end).max(0.0), self.radius);
        let (sin, cos) = angle.sin_cos();
        let (vx, vy) = (r * rate * cos, -r * rate * sin);
        ([r * sin + tau * vx, r * cos + tau * (vy - 0.5 * self.gravity * tau)], [vx, vy - self.gravity * tau])
    }
}
