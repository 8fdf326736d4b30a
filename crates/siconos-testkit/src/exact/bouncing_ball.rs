//! Exact motion of a ball that bounces to rest.

/// Point mass above a floor at height 0, under constant gravity, with Newton's restitution.
///
/// Let $v_1$ be the speed of the first impact, at time $t_1$. Impact n = 1, 2, .. has the speed
/// $v_n = e^{n-1} v_1$, and the flight after it lasts $2 e v_n / g$. For $e < 1$ the durations of the flights
/// have a finite sum, and the ball is at rest from the time
///
/// $$ t_\infty = t_1 + \frac{2 v_1}{g} \frac{e}{1 - e}. $$
///
/// ```
/// use siconos_testkit::exact::BouncingBall;
///
/// let ball = BouncingBall::new(2.0, 0.5, 1.0, 0.0);
/// assert_eq!(ball.impact_time(1), 1.0);
/// assert_eq!(ball.impact_speed(1), 2.0);
/// assert_eq!(ball.accumulation_time(), Some(3.0));
/// assert_eq!((ball.position(5.0), ball.velocity(5.0)), (0.0, 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BouncingBall {
    gravity: f64,
    restitution: f64,
    height: f64,
    velocity: f64,
    first_time: f64,
    first_speed: f64,
}

impl BouncingBall {
    /// Creates a ball that starts at t = 0 from `height` with `velocity` (positive upwards).
    ///
    /// # Panics
    ///
    /// If gravity is not positive, if the restitution is not in [0, 1], or if the ball is below the floor, or
    /// on the floor with a downward velocity.
    #[track_caller]
    #[must_use]
    pub fn new(gravity: f64, restitution: f64, height: f64, velocity: f64) -> Self {
        assert!(gravity > 0.0, "gravity is {gravity}");
        assert!((0.0..=1.0).contains(&restitution), "restitution is {restitution}");
        assert!(height > 0.0 || (height == 0.0 && velocity >= 0.0), "start {height}, {velocity}");
        let first_speed = (velocity * velocity + 2.0 * gravity * height).sqrt();
        // For a downward velocity, velocity + first_speed would cancel, so an equivalent formula is used.
        let first_time = if velocity >= 0.0 {
            (velocity + first_speed) / gravity
        } else {
            2.0 * height / (first_speed - velocity)
        };
        Self { gravity, restitution, height, velocity, first_time, first_speed }
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
        self.first_time + self.flights(f64::from(n - 1))
    }

    /// Returns the downward speed just before impact `n`, counted from 1.
    ///
    /// # Panics
    ///
    /// If `n` is 0.
    #[track_caller]
    #[must_use]
    pub fn impact_speed(&self, n: u32) -> f64 {
        assert!(n > 0, "impacts are counted from 1");
        self.first_speed * self.restitution.powf(f64::from(n - 1))
    }

    /// Returns the time from which the ball is at rest, or `None` if it bounces for ever (e = 1).
    #[must_use]
    pub fn accumulation_time(&self) -> Option<f64> {
        let e = self.restitution;
        (e < 1.0 || self.first_speed == 0.0)
            .then(|| self.first_time + if e < 1.0 { self.unit() * e / (1.0 - e) } else { 0.0 })
    }

    /// Returns the height at time `t`.
    #[must_use]
    pub fn position(&self, t: f64) -> f64 {
        self.state(t).0
    }

    /// Returns the velocity at time `t`. The value at an impact is the right limit.
    #[must_use]
    pub fn velocity(&self, t: f64) -> f64 {
        self.state(t).1
    }

    /// Returns the number of impacts in (0, t], or `None` if `t` is not before the accumulation time, after
    /// which the number is infinite.
    ///
    /// # Panics
    ///
    /// If `t` is negative.
    #[track_caller]
    #[must_use]
    pub fn impacts_until(&self, t: f64) -> Option<u32> {
        assert!(t >= 0.0, "the ball starts at t = 0, not at {t}");
        if t < self.first_time {
            return Some(0);
        }
        if self.accumulation_time().is_some_and(|end| t >= end) {
            return None;
        }
        let e = self.restitution;
        let elapsed = (t - self.first_time) / self.unit();
        // Inverse of `flights`. Near the time of an impact, rounding can change the result by one.
        let estimate = if e < 1.0 { (1.0 - elapsed * (1.0 - e) / e).ln() / e.ln() } else { elapsed };
        let mut n = 1 + estimate.max(0.0) as u32;
        while n > 1 && self.impact_time(n) > t {
            n -= 1;
        }
        while self.impact_time(n + 1) <= t {
            n += 1;
        }
        Some(n)
    }

    /// Returns the duration of a flight that starts with the speed of the first impact.
    fn unit(&self) -> f64 {
        2.0 * self.first_speed / self.gravity
    }

    /// Returns the total duration of the first `n` flights after the first impact: unit * (e + e^2 + .. +
    /// e^n).
    fn flights(&self, n: f64) -> f64 {
        let e = self.restitution;
        let sum = if e < 1.0 { e * (1.0 - e.powf(n)) / (1.0 - e) } else { n };
        self.unit() * sum
    }

    fn state(&self, t: f64) -> (f64, f64) {
        let (since, height, velocity) = match self.impacts_until(t) {
            None => return (0.0, 0.0),
            Some(0) => (t, self.height, self.velocity),
            Some(n) => (t - self.impact_time(n), 0.0, self.restitution * self.impact_speed(n)),
        };
        let position = height + since * (velocity - 0.5 * self.gravity * since);
        (position.max(0.0), velocity - self.gravity * since)
    }
}
