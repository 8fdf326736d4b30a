//! Diode bridge: an oscillator of a capacitor and an inductor that feeds a resistor through four ideal
//! diodes.
//!
//! ```text
//!    node 1 ──┬─────┬─────┬─────────┐
//!             │     │     │ D3      │ D4
//!             C     L     ▼         ▲
//!             │     │   node 2 ─R─ node 3
//!             │     │     ▲         ▼
//!             │     │     │ D1      │ D2
//!    ground ──┴─────┴─────┴─────────┘
//! ```
//!
//! The state is x = (v, i), the voltage of the capacitor and the current of the inductor. An ideal diode
//! carries current in one direction and blocks voltage in the other: $0 \le i_D \perp -v_D \ge 0$. With
//! $\lambda = (-v_{D1}, -v_{D2}, i_{D3}, i_{D4})$ and $y = (i_{D1}, i_{D2}, -v_{D3}, -v_{D4})$, Kirchhoff's
//! laws are
//!
//! $$ C \dot v = -i - \lambda_3 + \lambda_4, \quad L \dot i = v, \qquad
//!    i_R = \frac{\lambda_1 + \lambda_2}{R}, \qquad
//!    y = \begin{pmatrix} i_R - \lambda_3 \cr i_R - \lambda_4 \cr \lambda_1 - v \cr \lambda_2 + v
//!    \end{pmatrix}, \qquad 0 \le y \perp \lambda \ge 0. $$
//!
//! The solution is continuously differentiable and lambda is continuous, so that the theta-gamma scheme can
//! be used with theta = gamma = 1/2. Let V be the energy stored in the capacitor and the inductor, and D the
//! energy dissipated in the resistor,
//!
//! $$ V = \tfrac{1}{2} (C v^2 + L i^2), \qquad D_{k+1} = D_k + h R \thinspace i_{R, k + \gamma}^2, $$
//!
//! With theta = gamma = 1/2, V + D is constant up to rounding for any h, because the four complementarity
//! conditions at $k + 1/2$ add up to $v_{k+1/2} (\lambda_4 - \lambda_3) = -R i_R^2$. With theta = gamma = 1
//! the sum decreases, because this scheme has numerical damping. The second figure shows both energies and
//! their sum.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/diode_bridge.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/diode_bridge_energy.svg"))]
//!
//! Reference: Acary, Bonnefon and Brogliato (2011), "Nonsmooth Modeling and Simulation for Switched
//! Circuits".
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! let (c, l, g) = (1e-6, 1e-2, 1e-3);
//! let mut model = NonSmoothDynamicalSystem::new();
//! let oscillator = FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / c], [1.0 / l, 0.0]]);
//! let oscillator = model.add_system(oscillator)?;
//! let diodes = FirstOrderLinearRelation::new(
//!     array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
//!     array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0, 0.0, 0.0, 0.0]],
//! )
//! .with_d(array![[g, g, -1.0, 0.0], [g, g, 0.0, -1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]);
//! let bridge = model.add_interaction([oscillator], diodes, ComplementarityCondition::new(4)?)?;
//!
//! let (grid, scheme) = (TimeDiscretisation::uniform(0.0, 5e-3, 1e-6)?, ThetaGamma::new(0.5, 0.5)?);
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).integrator(scheme).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut taken = 0.0;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     // The current of the resistor, from Kirchhoff's law at its upper end.
//!     let (y, lambda) = (state.y(bridge, Level::Position), state.lambda(bridge, Level::Position));
//!     taken += 1e-6 * (y[0] + lambda[2]).powi(2) / g;
//! }
//! let stored = 0.5 * (c * state.x(oscillator)[0].powi(2) + l * state.x(oscillator)[1].powi(2));
//! assert!((stored + taken - 50e-6).abs() < 1e-12 * 50e-6, "1/2 C v^2 at the beginning is 50 microjoules");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::prelude::*;

use crate::{ExampleError, record, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct DiodeBridge {
    /// Capacitance C \[F\].
    pub capacitance: f64,
    /// Inductance L \[H\].
    pub inductance: f64,
    /// Resistance R of the load \[ohm\].
    pub resistance: f64,
    /// Initial voltage of the capacitor \[V\].
    pub voltage: f64,
    /// Integration scheme.
    pub integrator: Integrator,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for DiodeBridge {
    fn default() -> Self {
        Self {
            capacitance: 1e-6,
            inductance: 1e-2,
            resistance: 1e3,
            voltage: 10.0,
            integrator: EulerMoreau::default().into(),
            h: 1e-6,
            t_end: 4.999e-3,
        }
    }
}

impl DiodeBridge {
    /// Builds the model and returns it with the ids of the oscillator and the bridge.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let (c, l, g) = (self.capacitance, self.inductance, 1.0 / self.resistance);
        let mut model = NonSmoothDynamicalSystem::new();
        let oscillator = model.add_system(FirstOrderLinearTi::new(
            vec![self.voltage, 0.0],
            array![[0.0, -1.0 / c], [1.0 / l, 0.0]],
        ))?;
        let bridge = model.add_interaction(
            [oscillator],
            FirstOrderLinearRelation::new(
                array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
                array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0, 0.0, 0.0, 0.0]],
            )
            .with_d(array![
                [g, g, -1.0, 0.0],
                [g, g, 0.0, -1.0],
                [1.0, 0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0, 0.0]
            ]),
            ComplementarityCondition::new(4)?,
        )?;
        Ok((model, oscillator, bridge))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(self.integrator)
            .build()?)
    }

    /// Simulates the circuit. The table has voltage and current of the oscillator, currents and voltages of
    /// the bridge, and energies, in the columns t, v, i, i_d1, v_d1, v_d2, i_d3, i_r, storage, dissipation.
    /// The quantities of the bridge belong to $t_{k+\gamma}$; in the first row they are 0.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, oscillator, bridge) = self.model()?;
        let columns = ["t", "v", "i", "i_d1", "v_d1", "v_d2", "i_d3", "i_r", "storage", "dissipation"];
        let mut dissipation = 0.0;
        record(&model, self.simulation(&model)?, columns, |s| {
            let (x, y, lambda) =
                (s.x(oscillator), s.y(bridge, Level::Position), s.lambda(bridge, Level::Position));
            let (v, i, i_r) = (x[0], x[1], y[0] + lambda[2]);
            // i_r is 0 in the first row, before any step.
            dissipation += self.h * self.resistance * i_r * i_r;
            let storage = 0.5 * (self.capacitance * v * v + self.inductance * i * i);
            // 0 - x instead of -x avoids negative zeros.
            [s.t, v, i, y[0], 0.0 - lambda[0], 0.0 - lambda[1], lambda[2], i_r, storage, dissipation]
        })
    }
}

/// Runs the example, prints the energies for theta = gamma = 1 and 1/2, and writes `diode_bridge.svg`,
/// `diode_bridge_energy.svg` and both as `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let runs = [(1.0, "theta = gamma = 1"), (0.5, "theta = gamma = 1/2")];
    let quantities = [
        ("Voltage of the capacitor", "v", "v [V]", 1.0),
        ("Current of the inductor", "i", "i [mA]", 1e3),
        ("Voltage of diode 1", "v_d1", "v_D1 [V]", 1.0),
        ("Current of diode 3", "i_d3", "i_D3 [mA]", 1e3),
    ];
    let mut panels = quantities.map(|(title, _, label, _)| Panel::new(title, "t [ms]", label));
    let mut energies = Vec::new();
    println!(
        "diode bridge: energies at the end [microjoule]\n{:>20} {:>10} {:>12} {:>14}",
        "", "storage", "dissipated", "sum - 50"
    );
    for (theta, name) in runs {
        let bridge =
            DiodeBridge { integrator: ThetaGamma::new(theta, theta)?.into(), ..DiodeBridge::default() };
        let table = bridge.simulate()?;
        for (panel, (_, column, _, scale)) in panels.iter_mut().zip(quantities) {
            // In the first row, before any step, the quantities of the bridge are not defined.
            let points = scaled_pairs(&table, ("t", 1e3), (column, scale))?.split_off(1);
            panel.curves.push(if theta == 1.0 {
                Curve::dashed(name, points)
            } else {
                Curve::line(name, points)
            });
        }
        let storage = scaled_pairs(&table, ("t", 1e3), ("storage", 1e6))?;
        let dissipation = scaled_pairs(&table, ("t", 1e3), ("dissipation", 1e6))?;
        let sum: Vec<_> = storage.iter().zip(&dissipation).map(|(v, d)| (v.0, v.1 + d.1)).collect();
        if let (Some(v), Some(d), Some(s)) = (storage.last(), dissipation.last(), sum.last()) {
            println!("{name:>20} {:10.4} {:12.4} {:14.3e}", v.1, d.1, s.1 - 50.0);
        }
        energies.push(
            Panel::new(name, "t [ms]", "energy [µJ]")
                .with(Curve::line("storage V", storage))
                .with(Curve::line("dissipated D", dissipation))
                .with(Curve::dashed("V + D", sum)),
        );
    }
    let title = "Diode bridge with resistor, theta-gamma scheme, h = 1 µs";
    let mut files =
        crate::save(&Figure::grid(title, 2, panels.into()).with_size(1000, 620), output, "diode_bridge")?;
    for panel in &mut energies {
        panel.y_range = Some((0.0, 55.0));
    }
    let title = "Diode bridge: what is stored and what the resistor took";
    files.extend(crate::save(&Figure::new(title, energies), output, "diode_bridge_energy")?);
    Ok(files)
}
