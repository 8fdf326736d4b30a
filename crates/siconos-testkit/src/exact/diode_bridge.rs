//! LC oscillator that feeds a resistor through a bridge of four diodes.

use ndarray::{Array1, array};

use super::{Affine, LinearModel, Oscillator, Switched, Trajectory};

/// Circuit of Acary, Bonnefon and Brogliato, "Nonsmooth Modeling and Simulation for Switched Circuits"
/// (2011), section 1.1: inductor and capacitor in parallel, and a full-wave rectifier with a resistor as
/// load.
///
/// The state is $x = (v_C, i_L)$ \[V, A\]. The complementarity problem has size 4. Its multipliers are two
/// voltages and two diode currents, $\lambda = (-v_2, -v_3, i_{2}, i_{3})$, with the node potentials
/// $v_2, v_3$ of the load. The voltage of the load is $|v_C|$, so that the current drawn from the capacitor
/// is $v_C / R$ for both signs. Therefore the state is always the state of a damped oscillator. The
/// multipliers are unique:
///
/// $$ \lambda = (v^+, v^-, v^+ / R, v^- / R), \qquad y = (v^- / R, v^+ / R, v^-, v^+) $$
///
/// with $v^\pm = \max(0, \pm v_C)$. In plain text: lambda = (v+, v-, v+/R, v-/R), y = (v-/R, v+/R, v-, v+).
///
/// ```
/// use siconos_testkit::exact::DiodeBridge;
///
/// let circuit = DiodeBridge::default();
/// let (motion, t) = (circuit.solve(5e-3), 1.7e-3);
/// assert!((motion.state(t)[0] - circuit.state(t)[0]).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiodeBridge {
    /// $L$ \[H\].
    pub inductance: f64,
    /// $C$ \[F\].
    pub capacitance: f64,
    /// Resistance $R$ of the load \[Ohm\].
    pub resistance: f64,
    /// $(v_C, i_L)$ at $t = 0$.
    pub start: [f64; 2],
}

impl Default for DiodeBridge {
    /// Returns a circuit with 10 mH, 1 uF, 1 kOhm, 10 V: the circuit of `DiodeBridge.ref`.
    fn default() -> Self {
        Self { inductance: 1e-2, capacitance: 1e-6, resistance: 1e3, start: [10.0, 0.0] }
    }
}

impl DiodeBridge {
    /// Returns the matrices of the model. The law is complementarity of size 4. $D$ is positive semidefinite
    /// but not definite.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        let (c, g) = (1.0 / self.capacitance, 1.0 / self.resistance);
        LinearModel {
            a: array![[0.0, -c], [1.0 / self.inductance, 0.0]],
            b: array![[0.0, 0.0, -c, c], [0.0, 0.0, 0.0, 0.0]],
            c: array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
            d: array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
            x0: Array1::from_iter(self.start),
        }
    }

    /// Returns the circuit as a switched system with one mode for each conducting pair of diodes.
    #[must_use]
    pub fn switched(&self) -> Switched {
        let (model, g) = (self.model(), 1.0 / self.resistance);
        let plus = Affine::linear(array![[1.0, 0.0], [0.0, 0.0], [g, 0.0], [0.0, 0.0]]);
        let minus = Affine::linear(array![[0.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [-g, 0.0]]);
        let voltage = |sign: f64| Affine::linear(array![[sign, 0.0]]);
        Switched::new(vec![
            model.mode("plus", plus, voltage(1.0), Affine::none(2)),
            model.mode("minus", minus, voltage(-1.0), Affine::none(2)),
        ])
    }

    /// Returns the motion up to `t_end`.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        self.switched().solve(0.0, &Array1::from_iter(self.start), t_end)
    }

    /// Returns the state at `t` in closed form, the solution of $L C i'' + (L / R) i' + i = 0$ with
    /// $v_C = L i'$.
    #[must_use]
    pub fn state(&self, t: f64) -> [f64; 2] {
        let (l, [v, i]) = (self.inductance, self.start);
        let (i, rate) =
            Oscillator::new(l * self.capacitance, l / self.resistance, 1.0, 0.0).flow(t, i, v / l);
        [l * rate, i]
    }

    /// Returns the stored energy $\tfrac12 C v_C^2 + \tfrac12 L i_L^2$ \[J\].
    #[must_use]
    pub fn stored_energy(&self, x: &Array1<f64>) -> f64 {
        0.5 * (self.capacitance * x[0] * x[0] + self.inductance * x[1] * x[1])
    }

    /// Returns the power dissipated in the load, $(\lambda_1 + \lambda_2)^2 / R$ \[W\].
    #[must_use]
    pub fn dissipation(&self, lambda: &Array1<f64>) -> f64 {
        (lambda[0] + lambda[1]).powi(2) / self.resistance
    }
}
