//! Pendulum in Cartesian coordinates, event-driven, with a contact that is always closed.
//!
//! A mass of 1 kg at $q = (x, y)$, with y downwards, hangs on a rope of length L = 1 m:
//! $h(q) = L^2 - x^2 - y^2 \ge 0$. After a release at 60° the rope is always in tension. Therefore the
//! contact stays in the index set I_2, and the simulation integrates
//!
//! $$ \ddot q = F + J^T \lambda, \qquad \ddot h = 0, $$
//!
//! that is, q'' = F + J^T lambda with h'' = 0. A projection removes the drift of h and of its rate. With the
//! angle theta from the lowest point, the multiplier is $\lambda = (L \dot\theta^2 + g \cos\theta) / (2 L)$.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/simple_pendulum_ed.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let (sin, cos) = std::f64::consts::FRAC_PI_3.sin_cos();
//! let mass = LagrangianLinear::new(vec![sin, cos], vec![0.0; 2], array![1.0, 1.0])
//!     .with_constant_external_force(vec![0.0, 9.81]);
//! let mass = model.add_system(mass)?;
//! let rope = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
//!     .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * q[0], -2.0 * q[1]))
//!     .with_convective_acceleration(|_, _q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
//! let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.9)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! loop {
//!     let (q, v, force) = (state.q(mass), state.v(mass), state.lambda(rope, Level::Acceleration)[0]);
//!     let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) - 9.81 * q[1];
//!     assert!((energy + 9.81 * 0.5).abs() < 1e-8 && force > 0.0, "nothing is lost, and the rope pulls");
//!     if simulation.step(&model, &mut state)?.is_none() {
//!         break;
//!     }
//! }
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings, Tolerance};

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Debug)]
pub struct SimplePendulumEd {
    /// Initial angle from the lowest point \[rad\].
    pub angle: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Interval between output points \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
    /// Settings of the smooth integration. The default method has order 8, because the motion is smooth.
    pub ode: OdeSettings,
}

impl Default for SimplePendulumEd {
    fn default() -> Self {
        let ode = OdeSettings {
            method: Method::HighOrder,
            relative_tolerance: Tolerance::All(1e-13),
            absolute_tolerance: Tolerance::All(1e-13),
            // The force of the rope changes little within a step.
            samples: 4,
            ..OdeSettings::default()
        };
        Self { angle: std::f64::consts::FRAC_PI_3, gravity: 9.81, h: 0.01, t_end: 10.0, ode }
    }
}

impl SimplePendulumEd {
    /// Builds the model and returns it with the ids of the mass and its contact.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let gravity = self.gravity;
        let mut model = NonSmoothDynamicalSystem::new();
        let (sin, cos) = self.angle.sin_cos();
        let mass = LagrangianLinear::new(vec![sin, cos], vec![0.0; 2], array![1.0, 1.0]);
        let mass = model.add_system(mass.with_external_force(move |_t, f| f[1] = gravity))?;
        let rope = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1.0 - q[0] * q[0] - q[1] * q[1])
            .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (-2.0 * q[0], -2.0 * q[1]))
            .with_convective_acceleration(|_, _q, v, out| out[0] = -2.0 * (v[0] * v[0] + v[1] * v[1]));
        let rope = model.add_interaction([mass], rope, NewtonImpact::new(0.9)?)?;
        Ok((model, mass, rope))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        Ok(EventDriven::builder(model).discretisation(grid).integrator(self.ode.clone()).build()?)
    }

    /// Simulates the motion. The table has a row for each output point, with the columns t, x, y, vx, vy, ax,
    /// ay, h, h_dot, lambda.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, mass, rope) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "x", "y", "vx", "vy", "ax", "ay", "h", "h_dot", "lambda"]);
        loop {
            let (q, v, a) = (state.q(mass), state.v(mass), state.acceleration(mass));
            let [gap, rate] = [Level::Position, Level::Velocity].map(|level| state.y(rope, level)[0]);
            let force = state.lambda(rope, Level::Acceleration)[0];
            table.push_row(&[state.t, q[0], q[1], v[0], v[1], a[0], a[1], gap, rate, force])?;
            if simulation.step(&model, &mut state)?.is_none() {
                return Ok(table);
            }
        }
    }
}

/// Runs the example, prints the force of the rope and the error of the energy, and writes
/// `simple_pendulum_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = SimplePendulumEd::default();
    let table = example.simulate()?;
    println!("pendulum on a rope, event-driven");
    println!("{:>8} {:>14} {:>18} {:>20}", "t [s]", "x [m]", "force [N/m]", "error of energy [J]");
    let energy = |row: &[f64]| 0.5 * (row[3] * row[3] + row[4] * row[4]) - example.gravity * row[2];
    let first = table.rows().next().map_or(0.0, energy);
    for row in table.rows().step_by(200) {
        println!("{:8.2} {:14.9} {:18.9} {:20.1e}", row[0], row[1], row[9], energy(row) - first);
    }
    let figure = Figure::new(
        "Pendulum on a rope, event-driven",
        vec![
            Panel::new("Place", "t [s]", "[m]")
                .with(Curve::line("x", pairs(&table, "t", "x")?))
                .with(Curve::line("y, downwards", pairs(&table, "t", "y")?)),
            Panel::new("Multiplier of the rope", "t [s]", "lambda [N/m]")
                .with(Curve::line("", pairs(&table, "t", "lambda")?)),
        ],
    );
    crate::save(&figure, output, "simple_pendulum_ed")
}
