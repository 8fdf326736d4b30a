//! RLCD circuit: an oscillator of a capacitor and an inductor. A resistor and a diode in series damp it
//! during one half-wave only.
//!
//! ```text
//!    node 1 ──┬─────┬─────┐
//!             │     │     ▼ D
//!             C     L     │
//!             │     │     R
//!    ground ──┴─────┴─────┘
//! ```
//!
//! The state is x = (v, i), the voltage of the capacitor and the current of the inductor. The multiplier
//! lambda is the current of the diode, and y is the voltage that the diode blocks:
//!
//! $$ C \dot v = -i - \lambda, \quad L \dot i = v, \qquad y = R \lambda - v, \qquad
//!    0 \le y \perp \lambda \ge 0. $$
//!
//! The relation alone has the solution $\lambda = \max(v, 0) / R$. While v is negative, the oscillator is
//! free and conserves its energy; while v is positive, the resistor dissipates the power $\lambda v$.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/rlcd.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // C = 1 microfarad, L = 10 mH, R = 1 kiloohm, initially 10 V.
//! let (c, l, r) = (1e-6, 1e-2, 1e3);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let oscillator = FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]);
//! let oscillator = model.add_system(oscillator)?;
//! let diode = FirstOrderLinearRelation::new(array![[-1.0, 0.0]], array![[-1.0 / c], [0.0]]).with_d(array![[r]]);
//! let diode = model.add_interaction([oscillator], diode, ComplementarityCondition::new(1)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 5e-3, 1e-5)?;
//! let integrator = EulerMoreau::new(0.5)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).integrator(integrator).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let energy = |state: &State| 0.5 * (c * state.x(oscillator)[0].powi(2) + l * state.x(oscillator)[1].powi(2));
//! let mut before = energy(&state);
//! while simulation.step(&model, &mut state)?.is_some() {
//!     let now = energy(&state);
//!     let conducts = state.lambda(diode, Level::Position)[0] > 0.0;
//!     assert!(conducts || (now - before).abs() < 1e-15, "without the diode nothing is lost");
//!     before = now;
//! }
//! assert!(before < 0.1 * 0.5 * c * 100.0, "the resistor has taken most of it");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, record, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Rlcd {
    /// Capacitance C \[F\].
    pub capacitance: f64,
    /// Inductance L \[H\].
    pub inductance: f64,
    /// Resistance R \[ohm\].
    pub resistance: f64,
    /// Initial voltage of the capacitor \[V\].
    pub voltage: f64,
    /// Parameter theta of the scheme. The default is 1/2 + 1e-13, as in the published run.
    pub theta: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for Rlcd {
    fn default() -> Self {
        Self {
            capacitance: 1e-6,
            inductance: 1e-2,
            resistance: 1e3,
            voltage: 10.0,
            theta: 0.5 + 1e-13,
            h: 1e-5,
            t_end: 4.99e-3,
        }
    }
}

impl Rlcd {
    /// Builds the model and returns it with the ids of the oscillator and of the interaction with the diode.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let (c, l) = (self.capacitance, self.inductance);
        let mut model = NonSmoothDynamicalSystem::new();
        let oscillator = model.add_system(FirstOrderLinearTi::new(
            vec![self.voltage, 0.0],
            array![[0.0, -1.0 / c], [1.0 / l, 0.0]],
        ))?;
        let diode = model.add_interaction(
            [oscillator],
            FirstOrderLinearRelation::new(array![[-1.0, 0.0]], array![[-1.0 / c], [0.0]])
                .with_d(array![[self.resistance]]),
            ComplementarityCondition::new(1)?,
        )?;
        Ok((model, oscillator, diode))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(EulerMoreau::new(self.theta)?)
            .build()?)
    }

    /// Simulates the circuit. The table has voltage and current of the oscillator, voltage and current of the
    /// diode, in the columns t, v, i, v_d, i_d. In the first row, before any step, the diode has the whole
    /// voltage and no current.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, oscillator, diode) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "v", "i", "v_d", "i_d"], |s| {
            let x = s.x(oscillator);
            let (y, lambda) = (s.y(diode, Level::Position)[0], s.lambda(diode, Level::Position)[0]);
            [s.t, x[0], x[1], -y, lambda]
        })
    }
}

/// Runs the example, prints the peaks of the half-waves, and writes `rlcd.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = Rlcd::default().simulate()?;
    println!("RLCD circuit: the half-waves\n{:>8} {:>12}", "t [ms]", "peak v [V]");
    let rows: Vec<&[f64]> = table.rows().collect();
    for window in rows.windows(3) {
        let [before, peak, after] = [window[0][1], window[1][1], window[2][1]].map(f64::abs);
        if peak > before && peak >= after {
            println!("{:8.3} {:12.5}", window[1][0] * 1e3, window[1][1]);
        }
    }
    let ms = |column, scale| scaled_pairs(&table, ("t", 1e3), (column, scale));
    let after_start = |points: Vec<(f64, f64)>| points.into_iter().skip(1).collect::<Vec<_>>();
    let figure = Figure::new(
        "Oscillator with a diode and a resistor, h = 10 µs",
        vec![
            Panel::new("Voltages", "t [ms]", "voltage [V]")
                .with(Curve::line("capacitor v", ms("v", 1.0)?))
                .with(Curve::dashed("diode v_D", after_start(ms("v_d", 1.0)?))),
            Panel::new("Currents", "t [ms]", "current [mA]")
                .with(Curve::line("inductor i", ms("i", 1e3)?))
                .with(Curve::line("diode i_D", after_start(ms("i_d", 1e3)?))),
        ],
    );
    crate::save(&figure, output, "rlcd")
}
