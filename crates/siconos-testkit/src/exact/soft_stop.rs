//! Oscillator with a soft stop on one side. The system has relative degree 0.

use ndarray::{Array1, array};

use super::LinearModel;

/// Mass on a spring, with the angular frequency $\omega$. For $x_1 < 0$ the mass also compresses a second
/// spring of compliance $D$: $x_1' = x_2$, $x_2' = -\omega^2 x_1 + \lambda$,
/// $0 \le y = x_1 + D \lambda \perp \lambda \ge 0$.
///
/// $\lambda = \max(0, -x_1) / D$ is continuous, and the state is of class $C^1$. From the initial state
/// $(0, v)$ with $v > 0$, two half sines alternate: $v / \omega \sin \omega t$ for the time $\pi / \omega$,
/// then $-v / \Omega \sin \Omega t$ for the time $\pi / \Omega$, with $\Omega^2 = \omega^2 + 1 / D$. The
/// motion is periodic.
///
/// ```
/// use siconos_testkit::exact::SoftStop;
///
/// let body = SoftStop::default();
/// assert!((body.state(body.period())[1] - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftStop {
    /// $\omega$ \[1/s\].
    pub frequency: f64,
    /// $D$ \[s^2\].
    pub compliance: f64,
    /// $v$ \[m/s\].
    pub speed: f64,
}

impl Default for SoftStop {
    /// Returns a system with $\omega = 1$, $D = 1/8$ (so that $\Omega = 3$), $v = 1$.
    fn default() -> Self {
        Self { frequency: 1.0, compliance: 0.125, speed: 1.0 }
    }
}

impl SoftStop {
    /// Returns the matrices of the model. The law is complementarity of size 1.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        LinearModel {
            a: array![[0.0, 1.0], [-self.frequency * self.frequency, 0.0]],
            b: array![[0.0], [1.0]],
            c: array![[1.0, 0.0]],
            d: array![[self.compliance]],
            x0: array![0.0, self.speed],
        }
    }

    /// Returns the angular frequency $\Omega$ during contact with the stop \[1/s\].
    #[must_use]
    pub fn frequency_on_stop(&self) -> f64 {
        (self.frequency * self.frequency + 1.0 / self.compliance).sqrt()
    }

    /// Returns the period $\pi / \omega + \pi / \Omega$ \[s\].
    #[must_use]
    pub fn period(&self) -> f64 {
        std::f64::consts::PI * (1.0 / self.frequency + 1.0 / self.frequency_on_stop())
    }

    /// Returns the state at $t \ge 0$.
    #[must_use]
    pub fn state(&self, t: f64) -> Array1<f64> {
        let free = std::f64::consts::PI / self.frequency;
        let phase = t.rem_euclid(self.period());
        let (frequency, sign, phase) = if phase < free {
            (self.frequency, 1.0, phase)
        } else {
            (self.frequency_on_stop(), -1.0, phase - free)
        };
        let (sine, cosine) = (frequency * phase).sin_cos();
        array![sign * self.speed / frequency * sine, sign * self.speed * cosine]
    }

    /// Returns the force of the stop at $t \ge 0$.
    #[must_use]
    pub fn lambda(&self, t: f64) -> f64 {
        (-self.state(t)[0]).max(0.0) / self.compliance
    }

    /// Returns the energy $\tfrac12 x_2^2 + \tfrac12 \omega^2 x_1^2 + \tfrac12 D \lambda^2$, which is
    /// constant during the motion.
    #[must_use]
    pub fn energy(&self, x: &Array1<f64>, lambda: f64) -> f64 {
        0.5 * (x[1] * x[1] + (self.frequency * x[0]).powi(2) + self.compliance * lambda * lambda)
    }
}
