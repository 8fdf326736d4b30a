//! Bodies that lose contact without an impact: a ball on an oscillating table and a point on a dome.

use super::elliptic::jacobi;
use super::root::last_not_negative;
use super::{ImpactOscillator, Obstacle, Oscillator, Scan};

/// Ball that rests on a table $z = A \sin \omega t$ under gravity g.
///
/// The contact force is $m (g - A \omega^2 \sin \omega t)$. For $A \omega^2 > g$ it becomes 0 at
/// $t_0 = \arcsin(g / A \omega^2) / \omega$, and the ball flies on a parabola until it meets the table again.
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
    /// Creates a table with gravity, amplitude \[m\] and angular frequency \[rad/s\].
    ///
    /// # Panics
    ///
    /// If a parameter is not positive.
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, amplitude: f64, frequency: f64) -> Self {
        assert!(gravity > 0.0 && amplitude > 0.0 && frequency > 0.0, "{gravity} {amplitude} {frequency}");
        Self { gravity, amplitude, frequency }
    }

    /// Returns height and velocity of the table at time `t`.
    #[must_use]
    pub fn table(&self, t: f64) -> (f64, f64) {
        let (sin, cos) = (self.frequency * t).sin_cos();
        (self.amplitude * sin, self.amplitude * self.frequency * cos)
    }

    /// Returns the time at which the ball takes off, or `None` if it never does ($A \omega^2 \le g$).
    #[must_use]
    pub fn take_off(&self) -> Option<f64> {
        let ratio = self.gravity / (self.amplitude * self.frequency * self.frequency);
        (ratio < 1.0).then(|| ratio.asin() / self.frequency)
    }

    /// Returns the time at which the ball first lands on the table and the velocity of the ball just before,
    /// or `None` if [`take_off`](Self::take_off) returns `None`.
    #[must_use]
    pub fn landing(&self) -> Option<(f64, f64)> {
        let start = self.take_off()?;
        let gap = |t: f64| self.flight(start, t).0 - self.table(t).0;
        // After the take-off the gap grows as (t - t0)^3. The scan starts at a gap above rounding error. A
        // cell is a thousandth of the period.
        let cell = 2e-3 * std::f64::consts::PI / self.frequency;
        let mut a = start + cell;
        while gap(a + cell) >= 0.0 {
            a += cell;
        }
        let t = last_not_negative(gap, a, a + cell);
        Some((t, self.flight(start, t).1))
    }

    /// Returns height and velocity of the ball at time `t`, which must not be after the landing.
    #[must_use]
    pub fn state(&self, t: f64) -> (f64, f64) {
        match self.take_off() {
            Some(start) if t > start => self.flight(start, t),
            _ => self.table(t),
        }
    }

    /// Returns the ball and the table as an impact oscillator with the given restitution, for
    /// [`ImpactOscillator::solve_with_contact`].
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

    /// Returns height and velocity on the parabola that starts on the table at `start`.
    fn flight(&self, start: f64, t: f64) -> (f64, f64) {
        let ((z, v), tau) = (self.table(start), t - start);
        (z + tau * (v - 0.5 * self.gravity * tau), v - self.gravity * tau)
    }
}

/// Point that slides without friction from the top of a dome of radius R and leaves it.
///
/// Let $\theta$ be the angle from the top, and let the point start at rest at $\theta_0$. Energy conservation
/// gives $R \dot\theta^2 = 2 g (\cos\theta_0 - \cos\theta)$, and the contact force is
/// $m (g \cos\theta - R \dot\theta^2) = m g (3 \cos\theta - 2 \cos\theta_0)$. The point leaves the dome at
/// $\cos\theta = \tfrac23 \cos\theta_0$ and flies on a parabola. On the dome it moves like an upside-down
/// pendulum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dome {
    gravity: f64,
    radius: f64,
    start: f64,
}

impl Dome {
    /// Creates a dome from gravity, radius \[m\] and the initial angle from the top \[rad\].
    ///
    /// # Panics
    ///
    /// If gravity or radius is not positive, or if the initial angle is not in (0, pi / 2).
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, radius: f64, start: f64) -> Self {
        assert!(gravity > 0.0 && radius > 0.0, "gravity {gravity}, radius {radius}");
        assert!(start > 0.0 && start < std::f64::consts::FRAC_PI_2, "the start is {start}");
        Self { gravity, radius, start }
    }

    /// Returns the angle at which the point leaves the dome.
    #[must_use]
    pub fn take_off_angle(&self) -> f64 {
        (2.0 / 3.0 * self.start.cos()).acos()
    }

    /// Returns the contact force divided by the mass, at a given angle.
    #[must_use]
    pub fn force_per_mass(&self, angle: f64) -> f64 {
        self.gravity * (3.0 * angle.cos() - 2.0 * self.start.cos())
    }

    /// Returns the angle and its rate at time `t` while the point is on the dome.
    ///
    /// The angle from the lowest point, $\pi - \theta$, is the angle of a pendulum with the amplitude
    /// $\pi - \theta_0$.
    #[must_use]
    pub fn angle(&self, t: f64) -> (f64, f64) {
        let k = (0.5 * self.start).cos();
        let frequency = (self.gravity / self.radius).sqrt();
        let (sn, cn, dn) = jacobi(frequency * t, k);
        let complement = (0.5 * self.start).sin();
        // The angle theta / 2 = acos(k cd) is computed from its sine k' / dn, which is accurate for small
        // angles.
        (2.0 * (complement / dn).atan2(k * cn / dn), 2.0 * k * frequency * complement * sn / dn)
    }

    /// Returns the time at which the point leaves the dome.
    #[must_use]
    pub fn take_off(&self) -> f64 {
        let limit = self.take_off_angle();
        let mut b = (self.radius / self.gravity).sqrt();
        while self.angle(b).0 <= limit {
            b *= 1.5;
        }
        last_not_negative(|t| limit - self.angle(t).0, 0.0, b)
    }

    /// Returns position and velocity at time `t`, on the dome and in flight. The first entry is horizontal,
    /// the second is vertical, and the origin is the centre of the dome.
    #[must_use]
    pub fn state(&self, t: f64) -> ([f64; 2], [f64; 2]) {
        let end = self.take_off();
        let ((angle, rate), tau, r) = (self.angle(t.min(end)), (t - end).max(0.0), self.radius);
        let (sin, cos) = angle.sin_cos();
        let (vx, vy) = (r * rate * cos, -r * rate * sin);
        ([r * sin + tau * vx, r * cos + tau * (vy - 0.5 * self.gravity * tau)], [vx, vy - self.gravity * tau])
    }
}
