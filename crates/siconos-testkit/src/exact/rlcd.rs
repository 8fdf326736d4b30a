//! LC oscillator in parallel with a resistor and a diode, which are in series.

use ndarray::{Array1, array};

use super::{Affine, LinearModel, Switched, Trajectory};

/// Circuit with an inductor and a capacitor in parallel. A resistor in series with a diode is parallel to
/// both. The diode conducts while the capacitor voltage is positive.
///
/// The state is $x = (v_C, i_L)$ \[V, A\]: $v_C' = -(i_L + \lambda)/C$, $i_L' = v_C / L$. The output
/// $y = R \lambda - v_C$ is the reverse voltage of the diode, and the multiplier $\lambda$ is its current,
/// $0 \le y \perp \lambda \ge 0$. Hence $\lambda = \max(0, v_C) / R$ is continuous, and the state is of class
/// $C^1$. Half waves of a damped oscillator and of an undamped oscillator alternate.
///
/// ```
/// use siconos_testkit::exact::Rlcd;
///
/// let motion = Rlcd::default().solve(1e-3);
/// assert_eq!(motion.mode_names()[..2], ["conducting", "blocked"]);
/// assert!(motion.state(2e-4)[0] < 0.0 && motion.lambda(2e-4)[0] == 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rlcd {
    /// $L$ \[H\].
    pub inductance: f64,
    /// $C$ \[F\].
    pub capacitance: f64,
    /// $R$ \[Ohm\].
    pub resistance: f64,
    /// $(v_C, i_L)$ at $t = 0$.
    pub start: [f64; 2],
}

impl Default for Rlcd {
    /// Returns the circuit of `CircuitRLCD.ref`, with 10 mH, 1 uF, 1 kOhm and 10 V.
    fn default() -> Self {
        Self { inductance: 1e-2, capacitance: 1e-6, resistance: 1e3, start: [10.0, 0.0] }
    }
}

impl Rlcd {
    /// Returns the matrices of the model. The law is complementarity of size 1.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        LinearModel {
            a: array![[0.0, -1.0 / self.capacitance], [1.0 / self.inductance, 0.0]],
            b: array![[-1.0 / self.capacitance], [0.0]],
            c: array![[-1.0, 0.0]],
            d: array![[self.resistance]],
            x0: Array1::from_iter(self.start),
        }
    }

    /// Returns the circuit as a switched system with the modes conducting and blocked.
    #[must_use]
    pub fn switched(&self) -> Switched {
        let model = self.model();
        let current = Affine::linear(array![[1.0 / self.resistance, 0.0]]);
        let reverse_voltage = Affine::linear(array![[-1.0, 0.0]]);
        Switched::new(vec![
            model.mode("conducting", current.clone(), current, Affine::none(2)),
            model.mode("blocked", Affine::constant(array![0.0], 2), reverse_voltage, Affine::none(2)),
        ])
    }

    /// Returns the motion up to `t_end`.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        self.switched().solve(0.0, &Array1::from_iter(self.start), t_end)
    }

    /// Returns the stored energy $\tfrac12 C v_C^2 + \tfrac12 L i_L^2$ \[J\].
    #[must_use]
    pub fn stored_energy(&self, x: &Array1<f64>) -> f64 {
        0.5 * (self.capacitance * x[0] * x[0] + self.inductance * x[1] * x[1])
    }

    /// Returns the power dissipated in the resistor, $R \lambda^2$ \[W\].
    #[must_use]
    pub fn dissipation(&self, lambda: &Array1<f64>) -> f64 {
        self.resistance * lambda[0] * lambda[0]
    }
}
