//! Diode bridge, event-driven: the switching times of the diodes are located.
//!
//! The circuit is described in [`diode_bridge`](crate::diode_bridge). The matrix D of its relation has a
//! singular block, but lambda is a function of x in each of the two modes that occur: diodes 2 and 3 conduct
//! while v > 0, and diodes 1 and 4 while v < 0. In both modes the bridge acts as a resistor, so that the
//! oscillator has linear damping,
//!
//! $$ C \dot v = -i - \frac{v}{R}, \qquad L \dot i = v, $$
//!
//! and only the roles of the diodes change when v changes its sign. With v = v_0 and i = 0 at the start, the
//! switching times are the zeros of a damped oscillation with $\alpha = 1 / (2 R C)$ and
//! $\omega^2 = 1 / (L C) - \alpha^2$,
//!
//! $$ v(t) = v_0 e^{-\alpha t} \Bigl( \cos \omega t - \frac{\alpha}{\omega} \sin \omega t \Bigr), \qquad
//!    t_n = \frac{1}{\omega} \Bigl( \arctan \frac{\omega}{\alpha} + n \pi \Bigr). $$
//!
//! The upper panels of the figure show the voltage of the capacitor, the currents of two diodes, and the
//! switching times. The lower panel shows the error of the voltage of the event-driven simulation, and of
//! time-stepping with h = 1 microsecond and theta = gamma = 1 or 1/2.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/diode_bridge_ed.svg"))]
//!
//! ```
//! use siconos_examples::diode_bridge_ed::DiodeBridgeEd;
//!
//! let example = DiodeBridgeEd::default();
//! let times = example.switching_times()?;
//! assert_eq!(times.len(), 16);
//! for (n, t) in times.iter().enumerate() {
//!     assert!((t - example.exact_switching_time(n)).abs() < 1e-13, "switching {n}");
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel, Scale};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings, Tolerance};

use crate::diode_bridge::DiodeBridge;
use crate::{ExampleError, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct DiodeBridgeEd {
    /// Circuit. Its integration scheme and its time step are used by time-stepping only.
    pub circuit: DiodeBridge,
    /// Interval between output points \[s\].
    pub h: f64,
    /// Relative tolerance of the integration. The absolute tolerance in V or A has the same value.
    pub tolerance: f64,
}

impl Default for DiodeBridgeEd {
    fn default() -> Self {
        Self { circuit: DiodeBridge::default(), h: 5e-6, tolerance: 1e-12 }
    }
}

impl DiodeBridgeEd {
    /// Builds the simulation of a model created by [`DiodeBridge::model`].
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let settings = OdeSettings {
            method: Method::HighOrder,
            relative_tolerance: Tolerance::All(self.tolerance),
            absolute_tolerance: Tolerance::All(self.tolerance),
            ..OdeSettings::default()
        };
        Ok(EventDriven::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.circuit.t_end, self.h)?)
            .integrator(settings)
            .build()?)
    }

    /// Simulates the circuit. The table has voltage and current of the oscillator and the currents of diodes
    /// 1 and 3, at the output points and at the switching times, in the columns t, v, i, i_d1, i_d3.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, oscillator, bridge) = self.circuit.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "v", "i", "i_d1", "i_d3"]);
        let sample = |state: &State| {
            let (x, y) = (state.x(oscillator), state.y(bridge, Level::Position));
            [state.t, x[0], x[1], y[0], state.lambda(bridge, Level::Position)[2]]
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }

    /// Returns the times at which the diodes switch \[s\].
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn switching_times(&self) -> Result<Vec<f64>, ExampleError> {
        let (model, _, _) = self.circuit.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut times = Vec::new();
        simulation.run(&model, &mut state, |report, _| {
            if report.events.iter().any(|event| event.kind() == EventKind::NonSmooth) {
                times.push(report.t);
            }
        })?;
        Ok(times)
    }

    /// Returns the damping rate and the angular frequency of the oscillation \[1/s\].
    fn rates(&self) -> (f64, f64) {
        let DiodeBridge { capacitance: c, inductance: l, resistance: r, .. } = self.circuit;
        let alpha = 0.5 / (r * c);
        (alpha, (1.0 / (l * c) - alpha * alpha).sqrt())
    }

    /// Returns the exact switching time `n`, counted from 0 \[s\].
    #[must_use]
    pub fn exact_switching_time(&self, n: usize) -> f64 {
        let (alpha, omega) = self.rates();
        ((omega / alpha).atan() + n as f64 * std::f64::consts::PI) / omega
    }

    /// Returns the exact voltage of the capacitor at time `t` \[V\].
    #[must_use]
    pub fn exact_voltage(&self, t: f64) -> f64 {
        let (alpha, omega) = self.rates();
        self.circuit.voltage * (-alpha * t).exp() * ((omega * t).cos() - alpha / omega * (omega * t).sin())
    }

    /// Returns the error of the voltage in a table \[V\] as a function of the time in milliseconds.
    fn errors(&self, table: &Table) -> Result<Vec<(f64, f64)>, ExampleError> {
        let points = scaled_pairs(table, ("t", 1.0), ("v", 1.0))?;
        // Errors are at least 1e-14, because the logarithm of an error is unbounded where the curves cross.
        Ok(points.iter().map(|&(t, v)| (1e3 * t, (v - self.exact_voltage(t)).abs().max(1e-14))).collect())
    }
}

/// Runs the example, prints the switching times, and writes `diode_bridge_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = DiodeBridgeEd::default();
    println!("diode bridge, event-driven\n{:>16} {:>12}", "switching [ms]", "error [s]");
    let times = example.switching_times()?;
    for (n, t) in times.iter().enumerate() {
        println!("{:16.12} {:12.1e}", 1e3 * t, t - example.exact_switching_time(n));
    }
    let table = example.simulate()?;
    let switches: Vec<_> = times.iter().map(|t| (1e3 * t, 0.0)).collect();
    let voltage = Panel::new("Voltage of the capacitor", "t [ms]", "v [V]")
        .with(Curve::line("v", scaled_pairs(&table, ("t", 1e3), ("v", 1.0))?))
        .with(Curve::points("diodes switch", switches));
    let currents = Panel::new("Currents of diodes", "t [ms]", "i [mA]")
        .with(Curve::line("diode 1", scaled_pairs(&table, ("t", 1e3), ("i_d1", 1e3))?))
        .with(Curve::dashed("diode 3", scaled_pairs(&table, ("t", 1e3), ("i_d3", 1e3))?));
    let mut errors = Panel::new("Error of the voltage", "t [ms]", "|v - exact| [V]");
    errors.y_scale = Scale::Logarithmic;
    for (theta, name) in
        [(1.0, "time-stepping, theta = gamma = 1"), (0.5, "time-stepping, theta = gamma = 1/2")]
    {
        let circuit = DiodeBridge { integrator: ThetaGamma::new(theta, theta)?.into(), ..example.circuit };
        errors.curves.push(Curve::line(name, example.errors(&circuit.simulate()?)?));
    }
    errors.curves.push(Curve::line("event-driven", example.errors(&table)?));
    let mut panels = vec![voltage, currents, errors];
    for panel in &mut panels {
        panel.x_range = Some((0.0, 5.0));
    }
    let figure = Figure::new("Diode bridge with resistor, event-driven", panels);
    crate::save(&figure, output, "diode_bridge_ed")
}
