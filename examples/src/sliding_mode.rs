//! Sliding-mode control of an inverted pendulum: implicit without chattering, and explicit with chattering.
//!
//! The system is a pendulum of length l near its upright position, with an acceleration u as the input:
//!
//! $$ \ddot q = \frac{g}{l} q + u, \qquad \sigma = c q + \dot q, \qquad
//!    u \in u_{eq} - \alpha \operatorname{Sgn}(\sigma). $$
//!
//! As plain text: q'' = (g / l) q + u, sigma = c q + q', u in u_eq - alpha Sgn(sigma). The controller
//! computes u once per period h, and u is held until the next sample. On the surface sigma = 0, the pendulum
//! converges to the upright position with the time constant 1 / c.
//!
//! The explicit controller uses the sign of sigma at the sample. Because its input is held for a period,
//! sigma overshoots: it oscillates by about $\alpha h$, and u jumps between its extremes at every sample. The
//! implicit controller uses the sign of sigma at the next sample, which it predicts with a model of the
//! plant. It solves one relay problem per sample. It reaches the surface after $|\sigma_0| / (\alpha h)$
//! samples, rounded up, and stays on it up to rounding, with a smooth u. The period need not be short.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/sliding_mode.svg"))]
//!
//! References: V. Acary, B. Brogliato (2010), "Implicit Euler numerical scheme and chattering-free
//! implementation of sliding mode systems", Systems and Control Letters 59, 284-293.
//!
//! ```
//! use siconos_examples::sliding_mode::SlidingMode;
//!
//! let table = SlidingMode::default().simulate()?;
//! let sigma = table.column("sigma").unwrap();
//! assert!(sigma.skip(60).all(|sigma| sigma.abs() < 1e-12), "on the surface, without chattering");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use siconos_control::{
    ControlLoop, EquivalentControl, ExplicitLinearSlidingMode, HeldPlant, LinearSensor, LinearSlidingMode,
    Sampling,
};
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct SlidingMode {
    /// Gravity divided by length \[1/s^2\].
    pub gravity_over_length: f64,
    /// Rate c of convergence on the surface \[1/s\].
    pub rate: f64,
    /// Amplitude alpha of the switched part of the input \[rad/s^2\].
    pub alpha: f64,
    /// `true` for the implicit controller, which uses the sign of sigma at the next sample.
    pub is_implicit: bool,
    /// Initial angle \[rad\] and angular velocity \[rad/s\].
    pub x0: [f64; 2],
    /// Sampling period and time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for SlidingMode {
    /// Implicit controller, pendulum of 1 m, period of 20 ms.
    fn default() -> Self {
        Self {
            gravity_over_length: 9.81,
            rate: 2.0,
            alpha: 1.0,
            is_implicit: true,
            x0: [0.3, 0.2],
            h: 0.02,
            t_end: 3.0,
        }
    }
}

impl SlidingMode {
    /// Creates the example with the explicit controller.
    #[must_use]
    pub fn explicit() -> Self {
        Self { is_implicit: false, ..Self::default() }
    }

    fn plant(&self) -> (Array2<f64>, Array2<f64>) {
        (array![[0.0, 1.0], [self.gravity_over_length, 0.0]], array![[0.0], [1.0]])
    }

    /// Simulates the motion. The table has a row for each sample, with the columns t, q, v, sigma, u.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid controller, or a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (a, b) = self.plant();
        let mut model = NonSmoothDynamicalSystem::new();
        let u = model.add_parameter("u [rad/s^2]", vec![0.0])?;
        let pendulum = FirstOrderLinear::new(self.x0.to_vec(), a.clone());
        let pendulum = model.add_system(pendulum.with_source_function(move |at, b| b[1] = at[u][0]))?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(ZeroOrderHold::default())
            .build()?;

        let sampling = Sampling::every(self.h);
        let mut control = ControlLoop::default();
        let x = control.add_sensor(sampling, LinearSensor::new([pendulum], Array2::eye(2))?);
        let (plant, surface) = (HeldPlant::new(a, b, self.h)?, array![[self.rate, 1.0]]);
        let (alpha, equivalent) = ([self.alpha], EquivalentControl::FirstOrder);
        let actuator = if self.is_implicit {
            let sliding = LinearSlidingMode::new(&plant, surface, &alpha, equivalent)?;
            control.add_actuator(sampling, sliding, x, u)?
        } else {
            let sliding = ExplicitLinearSlidingMode::new(&plant, surface, &alpha, equivalent)?;
            control.add_actuator(sampling, sliding, x, u)?
        };
        control.schedule(&model, simulation.events_mut())?;
        let mut state = simulation.initial_state(&model)?;
        while let Some(report) = simulation.step(&model, &mut state)? {
            control.process(report.events, &model, &mut state)?;
        }

        let (x, u) = (control.sensor(x)?.samples(), control.actuator(actuator)?.samples());
        let mut table = Table::with_capacity(["t", "q", "v", "sigma", "u"], x.len());
        for (x, u) in x.iter().zip(u.iter()) {
            table.push_row(&[x.t, x.value[0], x.value[1], u.terms[0], u.value[0]])?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the largest |sigma| after 2 s, and writes `sliding_mode.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let (implicit, explicit) = (SlidingMode::default(), SlidingMode::explicit());
    println!("a pendulum held upright\n{:>10} {:>8} {:>24}", "", "h [ms]", "|sigma| from 2 s on");
    for (name, example) in [("implicit", implicit), ("explicit", explicit)] {
        for h in [0.02, 0.01] {
            let table = SlidingMode { h, ..example }.simulate()?;
            let late = table.rows().filter(|row| row[0] >= 2.0);
            let largest = late.map(|row| row[3].abs()).fold(0.0, f64::max);
            println!("{name:>10} {:8.0} {largest:24.1e}", 1e3 * h);
        }
    }
    let (implicit, explicit) = (implicit.simulate()?, explicit.simulate()?);
    let panel = |title: &str, label: &str, column: &str| -> Result<Panel, ExampleError> {
        Ok(Panel::new(title, "t [s]", label)
            .with(Curve::line("explicit", pairs(&explicit, "t", column)?))
            .with(Curve::line("implicit", pairs(&implicit, "t", column)?)))
    };
    let panels = vec![
        panel("Sliding variable", "sigma [rad/s]", "sigma")?,
        panel("Input", "u [rad/s^2]", "u")?,
        panel("Angle", "q [rad]", "q")?,
    ];
    let figure = Figure::new("Sliding mode of an upright pendulum, h = 20 ms", panels);
    crate::save(&figure.with_size(900, 900), output, "sliding_mode")
}
