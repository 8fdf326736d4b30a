//! Diode bridge with a capacitor across its load: a state jump, and its treatment by several schemes.
//!
//! The circuit of [`diode_bridge`](crate::diode_bridge) has an additional capacitor $C_f$ in parallel with
//! the resistor. The model has two systems, the oscillator with x = (v, i) and the filter with its voltage
//! $v_f$. One interaction connects them, with $\lambda = (i_{D1}, -v_{D2}, i_{D3}, i_{D4})$ and
//! $y = (-v_{D1}, i_{D2}, -v_{D3}, -v_{D4})$:
//!
//! $$ C \dot v = -i - \lambda_3 + \lambda_4, \quad L \dot i = v, \quad
//!    C_f \dot v_f = -v_f / R + \lambda_1 + \lambda_3, $$
//!
//! $$ y = \begin{pmatrix} v_f - \lambda_2 \cr \lambda_1 + \lambda_3 - \lambda_4 \cr v_f - v - \lambda_2 \cr
//!    v + \lambda_2 \end{pmatrix}, \qquad 0 \le y \perp \lambda \ge 0. $$
//!
//! The simulation starts with v = 10 V and an empty filter capacitor. A bridge of ideal diodes cannot block
//! this voltage, so the capacitors share their charge instantaneously. The jump conserves $C v + C_f v_f$ and
//! ends at a state for which y is feasible,
//!
//! $$ v^+ = v_f^+ = \frac{C v}{C + C_f} = 7.69 \text{ V}, $$
//!
//! and dissipates energy. The schemes treat it as follows:
//!
//! - [`MeasureEuler`] is made for jumps. The measure sigma of the first step is the charge that flows, for
//!   any h.
//! - [`EulerMoreau`] ends the step at the correct state, because its multiplier is fully implicit. Lambda is
//!   of size 1/h in this step. Theta = 1 damps the subsequent oscillation, theta = 1/2 does not.
//! - [`ThetaGamma`] with theta = gamma = 1 also ends at the correct state. With theta = gamma = 1/2, the law
//!   holds at the midpoint of the step, so that the jump is twice as large as the correct jump and ends at
//!   $2 v^+ - v$. Energy that must be dissipated is conserved. In addition, the current of a diode, which
//!   jumps when the diode starts to conduct, then oscillates from step to step between zero and about twice
//!   its correct value until the diode blocks. If lambda is not continuous, gamma must be 1.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/filtered_bridge.svg"))]
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/filtered_bridge_jump.svg"))]
//!
//! If no diode conducts, the potential of the load is not determined: $\lambda_2$ and $y_1$ can have any
//! value between bounds. They are therefore not in the table.
//!
//! Reference: Acary, Bonnefon and Brogliato (2011), "Nonsmooth Modeling and Simulation for Switched
//! Circuits".
//!
//! ```
//! use siconos_examples::filtered_bridge::FilteredBridge;
//! use siconos_kernel::prelude::*;
//!
//! let first_step = |integrator| {
//!     let bridge = FilteredBridge { integrator, t_end: 1e-6, ..FilteredBridge::default() };
//!     bridge.simulate().map(|table| table.row(1)[1])
//! };
//! let right = 10.0 * 1.0 / 1.3;
//! assert!((first_step(MeasureEuler::default().into())? - right).abs() < 0.01, "the jump, and 1 microsecond");
//! assert!((first_step(ThetaGamma::default().into())? - (2.0 * right - 10.0)).abs() < 0.03, "twice as far");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::integrator::Integrator;
use siconos_kernel::prelude::*;

use crate::{ExampleError, record, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct FilteredBridge {
    /// Capacitance C of the oscillator \[F\].
    pub capacitance: f64,
    /// Inductance L \[H\].
    pub inductance: f64,
    /// Resistance R of the load \[ohm\].
    pub resistance: f64,
    /// Capacitance $C_f$ of the filter \[F\].
    pub filter: f64,
    /// Initial voltages of the oscillator and the filter \[V\].
    pub voltages: [f64; 2],
    /// Integration scheme.
    pub integrator: Integrator,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for FilteredBridge {
    fn default() -> Self {
        Self {
            capacitance: 1e-6,
            inductance: 1e-2,
            resistance: 1e3,
            filter: 300e-9,
            voltages: [10.0, 0.0],
            integrator: EulerMoreau { theta: 1.0 }.into(),
            h: 1e-6,
            t_end: 4.999e-3,
        }
    }
}

/// Systems and interaction of the model.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Oscillator with the state (v, i).
    pub oscillator: DynamicalSystemId,
    /// Filter with the state (v_f).
    pub filter: DynamicalSystemId,
    /// Bridge of four diodes.
    pub bridge: InteractionId,
}

impl FilteredBridge {
    /// Builds the model and returns it with the ids of its systems and its interaction.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<(NonSmoothDynamicalSystem, Parts), ExampleError> {
        let (c, l, c_f) = (self.capacitance, self.inductance, self.filter);
        let mut model = NonSmoothDynamicalSystem::new();
        let oscillator = model.add_system(FirstOrderLinearTi::new(
            vec![self.voltages[0], 0.0],
            array![[0.0, -1.0 / c], [1.0 / l, 0.0]],
        ))?;
        let filter = model.add_system(FirstOrderLinearTi::new(
            vec![self.voltages[1]],
            array![[-1.0 / (self.resistance * c_f)]],
        ))?;
        let diodes = FirstOrderLinearRelation::new(
            array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
            array![[0.0, 0.0, -1.0 / c, 1.0 / c], [0.0, 0.0, 0.0, 0.0], [1.0 / c_f, 0.0, 1.0 / c_f, 0.0]],
        )
        .with_d(array![
            [0.0, -1.0, 0.0, 0.0],
            [1.0, 0.0, 1.0, -1.0],
            [0.0, -1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0]
        ]);
        let bridge =
            model.add_interaction([oscillator, filter], diodes, ComplementarityCondition::new(4)?)?;
        Ok((model, Parts { oscillator, filter, bridge }))
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

    /// Simulates the circuit. The table has voltage and current of the oscillator, the voltage of the filter
    /// and the currents of two diodes, in the columns t, v, i, v_f, i_d1, i_d3.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, Parts { oscillator, filter, bridge }) = self.model()?;
        record(&model, self.simulation(&model)?, ["t", "v", "i", "v_f", "i_d1", "i_d3"], |s| {
            let (x, lambda) = (s.x(oscillator), s.lambda(bridge, Level::Position));
            [s.t, x[0], x[1], s.x(filter)[0], lambda[0], lambda[2]]
        })
    }

    /// Returns v and v_f \[V\] after the initial jump, in which the capacitors share their charge.
    #[must_use]
    pub fn voltages_after_jump(&self) -> [f64; 2] {
        let [v, v_f] = self.voltages;
        if v.abs() <= v_f {
            return [v, v_f];
        }
        let shared = (self.capacitance * v.abs() + self.filter * v_f) / (self.capacitance + self.filter);
        [shared * v.signum(), shared]
    }
}

/// Runs the example, prints the first step of each scheme, and writes `filtered_bridge.svg`,
/// `filtered_bridge_jump.svg` and both as `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let schemes: [(&str, Integrator); 5] = [
        ("theta-gamma, 1, 1", ThetaGamma::new(1.0, 1.0)?.into()),
        ("theta-gamma, 1/2, 1/2", ThetaGamma::default().into()),
        ("theta = 1", EulerMoreau::new(1.0)?.into()),
        ("theta = 1/2", EulerMoreau::default().into()),
        ("measure", MeasureEuler::default().into()),
    ];
    let right = FilteredBridge::default().voltages_after_jump()[0];
    println!("diode bridge with filter: the first step, v = v_f = {right:.4} V after the jump");
    println!("{:>22} {:>9} {:>9} {:>12} {:>14}", "scheme", "v [V]", "v_f [V]", "i_D3 [A]", "energy [µJ]");
    let mut tables = Vec::new();
    for (name, integrator) in schemes {
        let bridge = FilteredBridge { integrator, ..FilteredBridge::default() };
        let table = bridge.simulate()?;
        let row = table.row(1);
        let energy = 0.5
            * (bridge.capacitance * row[1] * row[1]
                + bridge.inductance * row[2] * row[2]
                + bridge.filter * row[3] * row[3]);
        println!("{name:>22} {:9.4} {:9.4} {:12.4} {:14.3}", row[1], row[3], row[5], energy * 1e6);
        tables.push((name, table));
    }
    let [(_, implicit), (half, midpoint), _, (theta_half, theta), (measure, jump)] = &tables[..] else {
        return Ok(Vec::new());
    };
    let ms = |table: &Table, column, scale| scaled_pairs(table, ("t", 1e3), (column, scale));
    let voltages = |name: &str, table: &Table| -> Result<Panel, ExampleError> {
        Ok(Panel::new(name, "t [ms]", "voltage [V]")
            .with(Curve::line("oscillator v", ms(table, "v", 1.0)?))
            .with(Curve::line("filter v_f", ms(table, "v_f", 1.0)?)))
    };
    let current = |name: &str, table: &Table| -> Result<Panel, ExampleError> {
        let mut panel =
            Panel::new(name, "t [ms]", "i_D3 [mA]").with(Curve::line("", ms(table, "i_d3", 1e3)?));
        // The range excludes the current of the first step, which is of order 1/h.
        panel.y_range = Some((-1.0, 20.0));
        Ok(panel)
    };
    let panels = vec![
        voltages(measure, jump)?,
        current(measure, jump)?,
        voltages("theta = 1", implicit)?,
        current("theta = 1", implicit)?,
        voltages(theta_half, theta)?,
        current(theta_half, theta)?,
        voltages(half, midpoint)?,
        current(half, midpoint)?,
    ];
    // The states with theta = gamma = 1 equal the states with theta = 1, so they are not drawn.
    let title = "Diode bridge with filter, h = 1 µs: voltages and the current of diode 3";
    let mut files =
        crate::save(&Figure::grid(title, 2, panels).with_size(1000, 1080), output, "filtered_bridge")?;

    let mut begin = Panel::new("First 20 steps", "t [µs]", "v_f [V]");
    let mut conducting = Panel::new("Diode 3 begins to conduct", "t [µs]", "i_D3 [mA]");
    let mut portrait = Panel::new("Phase portrait", "v [V]", "i [mA]");
    // The midpoint rule is drawn first, so that the current without oscillation is drawn over it.
    for (name, table, colour) in [("midpoint", midpoint, Colour::Vermillion), ("measure", jump, Colour::Blue)]
    {
        let steps = scaled_pairs(table, ("t", 1e6), ("v_f", 1.0))?;
        begin.curves.push(Curve::line(name, steps.into_iter().take(21).collect()).coloured(colour));
        let current = scaled_pairs(table, ("t", 1e6), ("i_d3", 1e3))?;
        let current = current.into_iter().filter(|p| (520.0..=560.0).contains(&p.0)).collect();
        conducting.curves.push(Curve::line(name, current).coloured(colour));
        portrait
            .curves
            .push(Curve::line(name, scaled_pairs(table, ("v", 1.0), ("i", 1e3))?).coloured(colour));
    }
    begin.curves.push(Curve::dashed("right limit", vec![(0.0, right), (20.0, right)]).coloured(Colour::Grey));
    let title =
        "The jump at an inconsistent initial state: in measures, and by theta = gamma = 1/2 (midpoint)";
    let figure = Figure::grid(title, 3, vec![begin, portrait, conducting]).with_size(1320, 400);
    files.extend(crate::save(&figure, output, "filtered_bridge_jump")?);
    Ok(files)
}
