//! Linear oscillator with one degree of freedom.

/// Linear oscillator $m \ddot u + d \dot u + k u = f$ with constant coefficients, $m > 0$, $d \ge 0$,
/// $k \ge 0$.
///
/// Let $a = d / 2m$, $\delta = a^2 - k / m$, $C = \cosh \sqrt\delta \tau$ and
/// $S = \sinh(\sqrt\delta \tau) / \sqrt\delta$. For $\delta < 0$ these are cosine and sine functions, for
/// $\delta = 0$ they are $1$ and $\tau$. With $u$ relative to the rest point $f / k$, the free motion is
///
/// $$ u = e^{-a\tau} \bigl( u_0 C + (v_0 + a u_0) S \bigr), \qquad
///    v = e^{-a\tau} \bigl( v_0 C - (a v_0 + \tfrac{k}{m} u_0) S \bigr), $$
///
/// in plain text: u = exp(-a t) (u0 C + (v0 + a u0) S), v = exp(-a t) (v0 C - (a v0 + (k/m) u0) S). If
/// $k = 0$, a rest point does not exist: the velocity tends to $f / d$ or, without damping, the motion is a
/// parabola.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    mass: f64,
    damping: f64,
    stiffness: f64,
    force: f64,
}

impl Oscillator {
    /// Creates an oscillator from its coefficients.
    ///
    /// # Panics
    ///
    /// If a coefficient is not finite, if the mass is not positive, or if damping or stiffness is negative.
    #[track_caller]
    #[must_use]
    pub fn new(mass: f64, damping: f64, stiffness: f64, force: f64) -> Self {
        assert!(
            [mass, damping, stiffness, force].iter().all(|x| x.is_finite()),
            "coefficients must be finite"
        );
        assert!(mass > 0.0 && damping >= 0.0 && stiffness >= 0.0, "m {mass}, d {damping}, k {stiffness}");
        Self { mass, damping, stiffness, force }
    }

    /// Returns position and velocity at the time `tau` after the state $(u_0, v_0)$.
    #[must_use]
    pub fn flow(&self, tau: f64, u0: f64, v0: f64) -> (f64, f64) {
        if self.stiffness == 0.0 {
            return self.flow_without_stiffness(tau, u0, v0);
        }
        let rest = self.force / self.stiffness;
        let (a, omega_squared) = (self.damping / (2.0 * self.mass), self.stiffness / self.mass);
        let (c, s) = damped_pair(a, omega_squared, tau);
        let x0 = u0 - rest;
        (rest + x0 * c + (v0 + a * x0) * s, v0 * c - (a * v0 + omega_squared * x0) * s)
    }

    /// Returns the mass.
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Returns the acceleration at a position and a velocity.
    #[must_use]
    pub fn acceleration(&self, u: f64, v: f64) -> f64 {
        (self.force - self.damping * v - self.stiffness * u) / self.mass
    }

    /// Returns the mechanical energy $\tfrac12 m v^2 + \tfrac12 k u^2 - f u$.
    #[must_use]
    pub fn energy(&self, u: f64, v: f64) -> f64 {
        0.5 * (self.mass * v * v + self.stiffness * u * u) - self.force * u
    }

    /// Returns the shortest time scale of the free motion, the smaller of $1 / \sqrt{k/m}$ and $m / d$. It is
    /// infinite without stiffness and damping.
    #[must_use]
    pub fn time_scale(&self) -> f64 {
        let oscillation = (self.mass / self.stiffness).sqrt();
        let decay = self.mass / self.damping;
        oscillation.min(decay)
    }

    fn flow_without_stiffness(&self, tau: f64, u0: f64, v0: f64) -> (f64, f64) {
        if self.damping == 0.0 {
            let acceleration = self.force / self.mass;
            return (u0 + tau * (v0 + 0.5 * acceleration * tau), v0 + acceleration * tau);
        }
        let (rate, drift) = (self.damping / self.mass, self.force / self.damping);
        // This is 1 - exp(-rate tau), without cancellation for short times.
        let decayed = -(-rate * tau).exp_m1();
        (u0 + drift * tau + (v0 - drift) * decayed / rate, v0 + (drift - v0) * decayed)
    }
}

/// Returns $e^{-a \tau} C$ and $e^{-a \tau} S$.
fn damped_pair(a: f64, omega_squared: f64, tau: f64) -> (f64, f64) {
    let delta = a * a - omega_squared;
    let x = delta * tau * tau;
    if x.abs() < 1e-2 {
        // Near critical damping the closed forms divide zero by zero. Five terms of the series are exact up
        // to rounding there.
        let c = 1.0 + x / 2.0 * (1.0 + x / 12.0 * (1.0 + x / 30.0 * (1.0 + x / 56.0 * (1.0 + x / 90.0))));
        let s = 1.0 + x / 6.0 * (1.0 + x / 20.0 * (1.0 + x / 42.0 * (1.0 + x / 72.0 * (1.0 + x / 110.0))));
        let decay = (-a * tau).exp();
        (decay * c, decay * s * tau)
    } else if delta < 0.0 {
        let frequency = (-delta).sqrt();
        let (sine, cosine) = (frequency * tau).sin_cos();
        let decay = (-a * tau).exp();
        (decay * cosine, decay * sine / frequency)
    } else {
        // Two decaying exponentials are used, because cosh alone would overflow. The slow rate is a - root,
        // written without the difference, which cancels for strong damping.
        let root = delta.sqrt();
        let (slow, fast) = ((-omega_squared / (a + root) * tau).exp(), (-(a + root) * tau).exp());
        (0.5 * (slow + fast), 0.5 * (slow - fast) / root)
    }
}
