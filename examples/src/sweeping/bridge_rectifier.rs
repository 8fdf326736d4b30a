//! Bridge rectifier with a smoothing capacitor, as a differential variational inequality.
//!
//! ```text
//!            ┌──── R_s ──┬─────────┐
//!            │           │ D1      │ D3
//!            │           ▼         ▲           ┌────┬──── +
//!        u ( ~ )         +         -           C    R
//!            │           ▲         ▼           └────┴──── -
//!            │           │ D2      │ D4
//!            └───────────┴─────────┘
//! ```
//!
//! A source $u = V \sin(2 \pi f t)$ with the resistance R_s drives four ideal diodes, followed by a capacitor
//! C in parallel with the load R. The diodes D1 and D4 carry the current $\lambda_1 \ge 0$ of one half-wave,
//! D2 and D3 the current $\lambda_2 \ge 0$ of the other. Each pair blocks while the voltage at the bridge is
//! below the voltage v of the capacitor:
//!
//! $$ C \dot v = \lambda_1 + \lambda_2 - \frac{v}{R}, \qquad
//!    0 \le \lambda \perp \begin{pmatrix} v - u + R_s (\lambda_1 - \lambda_2) \cr
//!    v + u + R_s (\lambda_2 - \lambda_1) \end{pmatrix} \ge 0. $$
//!
//! As plain text: C v' = lambda_1 + lambda_2 - v / R, where lambda_1 >= 0 is complementary to v - u + R_s
//! (lambda_1 - lambda_2), and lambda_2 >= 0 to v + u + R_s (lambda_2 - lambda_1). This is a differential
//! variational inequality over the nonnegative orthant. Its matrix `D = R_s [[1, -1], [-1, 1]]` is positive
//! semidefinite.
//!
//! The first half-wave charges the empty capacitor with a large current. After that, short pulses near the
//! peaks of the source replace the charge that the load draws between the pulses. If the voltages at the
//! start and at the end of a half-wave are equal, v(0) = v(1 / (2 f)), the motion is periodic from the start.
//! This condition defines a boundary value problem, whose solution replaces the simulation of the transient.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sweeping_bridge_rectifier.svg"))]
//!
//! ```
//! use siconos_examples::sweeping::bridge_rectifier::Rectifier;
//!
//! let rectifier = Rectifier::default();
//! // Two hundred steps in each of 24 half-waves from an empty capacitor, and the periodic motion.
//! let (start, periodic) = (rectifier.simulate(24, 200)?, rectifier.periodic(200)?);
//! let (waited, solved) = (start.row(24 * 200)[1], periodic.row(200)[1]);
//! assert!((waited - solved).abs() < 1e-8 * solved, "{waited} V and {solved} V");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```
//!
//! References: Pang and Stewart (2008), "Differential variational inequalities"; Acary, Bonnefon and
//! Brogliato (2011), "Nonsmooth Modeling and Simulation for Switched Circuits".

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_sweeping::dvi::{
    Boundary, BoundarySettings, Dvi, DviSettings, DviSolution, DviStepper, solve_boundary_value,
};

use crate::{ExampleError, scaled_pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Rectifier {
    /// Amplitude V of the source \[V\].
    pub amplitude: f64,
    /// Frequency f of the source \[Hz\].
    pub frequency: f64,
    /// Resistance R_s of the source \[ohm\].
    pub source: f64,
    /// Capacitance C \[F\].
    pub capacitance: f64,
    /// Resistance R of the load \[ohm\].
    pub load: f64,
}

impl Default for Rectifier {
    fn default() -> Self {
        Self { amplitude: 17.0, frequency: 50.0, source: 1.0, capacitance: 2.2e-3, load: 20.0 }
    }
}

impl Rectifier {
    /// Returns the voltage of the source at time `t` \[V\].
    #[must_use]
    pub fn voltage(&self, t: f64) -> f64 {
        self.amplitude * (TAU * self.frequency * t).sin()
    }

    /// Returns the duration of a half-wave \[s\].
    #[must_use]
    pub fn half_wave(&self) -> f64 {
        0.5 / self.frequency
    }

    /// Builds the circuit as a model with an empty capacitor.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<NonSmoothDynamicalSystem, ExampleError> {
        let (rectifier, c, r) = (*self, self.capacitance, self.source);
        let mut model = NonSmoothDynamicalSystem::new();
        let capacitor =
            model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[-1.0 / (self.load * c)]]))?;
        let bridge = FirstOrderLinearRelation::new(array![[1.0], [1.0]], array![[1.0 / c, 1.0 / c]])
            .with_d(array![[r, -r], [-r, r]])
            .with_offset_function(move |at, e| {
                let u = rectifier.voltage(at.t);
                (e[0], e[1]) = (-u, u);
            });
        model.add_interaction([capacitor], bridge, ComplementarityCondition::new(2)?)?;
        Ok(model)
    }

    /// Simulates half-waves from an empty capacitor, with `steps` steps each. The table has the columns t, v,
    /// u and i, where i is the current of the diodes.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model or a step is not solved.
    pub fn simulate(&self, half_waves: u32, steps: usize) -> Result<Table, ExampleError> {
        let model = self.model()?;
        let dvi = Dvi::of(&model)?;
        let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default())?;
        let (end, steps) = (self.half_wave() * f64::from(half_waves), steps * half_waves as usize);
        let run = stepper.solve(&Dvi::initial_state(&model), (0.0, end), steps)?;
        if !run.info.status.is_success() {
            return Err(ExampleError::NoSolution { t: run.solution.t()[run.solution.steps()] });
        }
        self.table(&run.solution)
    }

    /// Computes a half-wave of the periodic motion, in which v(0) = v(1 / (2 f)). The table has the columns
    /// of [`simulate`](Self::simulate).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model or the boundary value problem is not solved.
    pub fn periodic(&self, steps: usize) -> Result<Table, ExampleError> {
        let dvi = Dvi::of(&self.model()?)?;
        let same = Boundary { m: array![[1.0]], n: array![[-1.0]], b: vec![0.0] };
        let (end, settings) = (self.half_wave(), BoundarySettings::default());
        let found = solve_boundary_value(&dvi, &same, (0.0, end), steps, &settings)?;
        if !found.info.status.is_success() {
            return Err(ExampleError::NoSolution { t: end });
        }
        self.table(&found.solution)
    }

    fn table(&self, solution: &DviSolution) -> Result<Table, ExampleError> {
        let mut table = Table::new(["t", "v", "u", "i"]);
        for (k, t) in solution.t().iter().enumerate() {
            let current = if k == 0 { 0.0 } else { solution.u(k).iter().sum() };
            table.push_row(&[*t, solution.x(k)[0], self.voltage(*t), current])?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the voltage and its ripple for three capacitors, and writes
/// `sweeping_bridge_rectifier.svg` and `.png`.
///
/// # Errors
///
/// If a step is not solved or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let rectifier = Rectifier::default();
    let start = rectifier.simulate(8, 500)?;
    let source = scaled_pairs(&start, ("t", 1e3), ("u", 1.0))?;
    let rectified = source.iter().map(|(t, u)| (*t, u.abs())).collect();
    let voltage = Panel::new("From an empty capacitor", "time t [ms]", "voltage [V]")
        .with(Curve::dashed("|u| of the source", rectified))
        .with(Curve::line("v of the capacitor", scaled_pairs(&start, ("t", 1e3), ("v", 1.0))?));
    // The current is defined in steps, so the first row has no current.
    let current = Panel::new("Diodes: a rush, then pulses", "time t [ms]", "current [A]").with(Curve::line(
        "both pairs of diodes together",
        scaled_pairs(&start, ("t", 1e3), ("i", 1.0))?.split_off(1),
    ));
    let mut ripple = Panel::new("Periodic motion, one solve each", "time t [ms]", "v of the capacitor [V]");
    let mut pulses = Panel::new("Pulses of the periodic motion", "time t [ms]", "current [A]");
    println!(
        "a bridge rectifier: periodic motion\n{:>10} {:>10} {:>10} {:>10}",
        "C [mF]", "least [V]", "most [V]", "peak [A]"
    );
    for capacitance in [1e-3, 2.2e-3, 10e-3] {
        let motion = Rectifier { capacitance, ..rectifier }.periodic(500)?;
        let v = scaled_pairs(&motion, ("t", 1e3), ("v", 1.0))?;
        let i = scaled_pairs(&motion, ("t", 1e3), ("i", 1.0))?.split_off(1);
        let largest =
            |points: &[(f64, f64)]| points.iter().fold(f64::NEG_INFINITY, |most, (_, x)| most.max(*x));
        let least = v.iter().fold(f64::INFINITY, |least, (_, x)| least.min(*x));
        println!("{:10.1} {least:10.3} {:10.3} {:10.3}", 1e3 * capacitance, largest(&v), largest(&i));
        let name = format!("C = {} mF", 1e3 * capacitance);
        ripple = ripple.with(Curve::line(name.as_str(), v));
        pulses = pulses.with(Curve::line(name, i));
    }
    let panels = vec![voltage, ripple, current, pulses];
    let figure =
        Figure::grid("A bridge rectifier and its smoothing capacitor", 2, panels).with_size(1000, 620);
    crate::save(&figure, output, "sweeping_bridge_rectifier")
}
