//! Bridge of four diodes with a filter capacitor parallel to its load.

use ndarray::{Array1, Array2, array};

use super::state_jump::{StateJump, state_jump};
use super::{Affine, LinearModel, Switched, Trajectory};

/// Circuit of Acary, Bonnefon and Brogliato (2011), section 1.1, with filter: an LC oscillator feeds a
/// full-wave rectifier whose load is a resistor with a capacitor in parallel.
///
/// The state is $x = (v_C, i_L, v_f)$ \[V, A, V\], where $v_f$ is the voltage of the filter capacitor. A
/// state is consistent if $v_f \ge |v_C|$. There are three modes:
///
/// * **blocked**, $|v_C| \le v_f$: the oscillator moves freely, and the filter capacitor discharges through
///   the load;
/// * **plus**, $v_C = v_f$: the two capacitors are in parallel and supply $i_L$ and the load,
///   $(C + C_f) v_C' = -i_L - v_C / R$, and the diode current is $-C v_C' - i_L \ge 0$;
/// * **minus**, $v_C = -v_f$: as in the mode plus, with opposite signs.
///
/// The second multiplier is a potential. While all diodes block it is not unique: it can have any value
/// between $\max(0, -v_C)$ and $\min(v_f, v_f - v_C)$, and this implementation takes the middle of the
/// interval. All other variables are unique.
///
/// ```
/// use siconos_testkit::exact::FilteredBridge;
///
/// let circuit = FilteredBridge::default();
/// // The charge of the oscillator capacitor at 10 V is shared with the empty filter capacitor.
/// assert!((circuit.first_jump().x[2] - 10.0 / 1.3).abs() < 1e-14);
/// assert_eq!(circuit.solve(1e-3).mode_names()[..3], ["plus", "blocked", "minus"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilteredBridge {
    /// $L$ \[H\].
    pub inductance: f64,
    /// Capacitance $C$ of the oscillator \[F\].
    pub capacitance: f64,
    /// Resistance $R$ of the load \[Ohm\].
    pub resistance: f64,
    /// Capacitance $C_f$ of the filter \[F\].
    pub filter_capacitance: f64,
    /// $(v_C, i_L, v_f)$ at $t = 0$. It may be inconsistent.
    pub start: [f64; 3],
}

impl Default for FilteredBridge {
    /// Returns the circuit of `DiodeBridgeCapFilter.ref`, with 10 mH, 1 uF, 1 kOhm and 300 nF. The initial
    /// state, 10 V with an empty filter capacitor, is inconsistent.
    fn default() -> Self {
        Self {
            inductance: 1e-2,
            capacitance: 1e-6,
            resistance: 1e3,
            filter_capacitance: 300e-9,
            start: [10.0, 0.0, 0.0],
        }
    }
}

impl FilteredBridge {
    /// Returns the matrices of the model. The law is complementarity of size 4, and $D$ is skew-symmetric.
    #[must_use]
    pub fn model(&self) -> LinearModel {
        let (c, f) = (1.0 / self.capacitance, 1.0 / self.filter_capacitance);
        LinearModel {
            a: array![[0.0, -c, 0.0], [1.0 / self.inductance, 0.0, 0.0], [0.0, 0.0, -f / self.resistance]],
            b: array![[0.0, 0.0, -c, c], [0.0, 0.0, 0.0, 0.0], [f, 0.0, f, 0.0]],
            c: array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            d: array![
                [0.0, -1.0, 0.0, 0.0],
                [1.0, 0.0, 1.0, -1.0],
                [0.0, -1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0]
            ],
            x0: Array1::from_iter(self.start),
        }
    }

    /// Returns the matrix $P$ = diag($C$, $L$, $C_f$) of the stored energy $\tfrac12 x^T P x$.
    #[must_use]
    pub fn storage(&self) -> Array2<f64> {
        Array2::from_diag(&array![self.capacitance, self.inductance, self.filter_capacitance])
    }

    /// Returns the jump at $t = 0$, in which charge flows instantaneously until no diode is forward biased.
    #[must_use]
    pub fn first_jump(&self) -> StateJump {
        state_jump(&self.model(), &self.storage())
    }

    /// Returns the circuit as a switched system with the modes plus, minus and blocked.
    #[must_use]
    pub fn switched(&self) -> Switched {
        let model = self.model();
        let whole = self.capacitance + self.filter_capacitance;
        let load = 1.0 / self.resistance;
        // The current of the diodes in the modes plus and minus is sign * (-C v' - i) with v' = -(i + v / R)
        // / (C + Cf).
        let by_v = self.capacitance / whole * load;
        let by_i = self.capacitance / whole - 1.0;
        let conducting = |name, sign: f64, rows: Array2<f64>| {
            let guards = Affine::linear(array![[sign * by_v, sign * by_i, 0.0], [sign, 0.0, 0.0]]);
            model.mode(name, Affine::linear(rows), guards, Affine::linear(array![[-sign, 0.0, 1.0]]))
        };
        let zero = [0.0; 3];
        let plus = conducting("plus", 1.0, array![zero, zero, [by_v, by_i, 0.0], zero]);
        let minus = conducting(
            "minus",
            -1.0,
            array![[-by_v, -by_i, 0.0], [-1.0, 0.0, 0.0], zero, [-by_v, -by_i, 0.0]],
        );
        // The middle of [max(0, -v), min(vf, vf - v)] is (vf - v) / 2 for both signs of v.
        let potential = Affine::linear(array![zero, [-0.5, 0.0, 0.5], zero, zero]);
        let blocking = Affine::linear(array![[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]);
        Switched::new(vec![plus, minus, model.mode("blocked", potential, blocking, Affine::none(3))])
    }

    /// Returns the motion after the jump at $t = 0$, up to `t_end`.
    #[must_use]
    pub fn solve(&self, t_end: f64) -> Trajectory {
        self.switched().solve(0.0, &self.first_jump().x, t_end)
    }

    /// Returns the stored energy $\tfrac12 (C v_C^2 + L i_L^2 + C_f v_f^2)$ \[J\].
    #[must_use]
    pub fn stored_energy(&self, x: &Array1<f64>) -> f64 {
        0.5 * x.dot(&self.storage().dot(x))
    }

    /// Returns the power dissipated in the load, $v_f^2 / R$ \[W\].
    #[must_use]
    pub fn dissipation(&self, x: &Array1<f64>) -> f64 {
        x[2] * x[2] / self.resistance
    }
}
