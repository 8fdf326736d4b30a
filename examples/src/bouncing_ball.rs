//! Bouncing ball.
//!
//! A ball of mass 1 kg is released one metre above a floor with restitution 0.9. Its position is
//! $q = (\text{height}, \text{lateral}, \text{angle})$, its weight acts along the first axis, and there is
//! one contact:
//!
//! $$ y = q_0 \ge 0, \qquad \dot y^+ = -e \dot y^- \text{ at impact.} $$
//!
//! Each bounce is shorter than the previous one by the factor e, and the impacts accumulate at
//! $t^* = 19 \sqrt{2 h_0 / g} = 8.58$ s. Time-stepping passes through this point without special treatment,
//! and the ball comes to rest.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/bouncing_ball.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0; 3], array![1.0, 1.0, 0.004])
//!     .with_constant_external_force(vec![-9.81, 0.0, 0.0]);
//! let ball = model.add_system(ball)?;
//! let height = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
//! let floor = model.add_interaction([ball], height, NewtonImpact::new(0.9)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.005)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {}
//! assert!(state.q(ball)[0].abs() < 0.01, "at the end it rests on the floor");
//! let carried = state.lambda(floor, Level::Velocity)[0];
//! assert!((carried - 9.81 * 0.005).abs() < 1e-9, "which carries its weight, an impulse in each step");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BouncingBall {
    /// Initial height \[m\].
    pub height: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for BouncingBall {
    fn default() -> Self {
        Self { height: 1.0, restitution: 0.9, gravity: 9.81, h: 0.005, t_end: 10.0 }
    }
}

impl BouncingBall {
    /// Builds the model and returns it with the ids of the ball and its contact with the floor.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let (m, radius, g) = (1.0, 0.1, self.gravity);
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(
            LagrangianLinear::new(
                vec![self.height, 0.0, 0.0],
                vec![0.0; 3],
                array![m, m, 0.4 * m * radius * radius],
            )
            .with_external_force(move |_t, f| f[0] = -m * g),
        )?;
        let floor = model.add_interaction(
            [ball],
            LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]),
            NewtonImpact::new(self.restitution)?,
        )?;
        Ok((model, ball, floor))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean::default())
            .build()?)
    }

    /// Simulates the motion. The table has height, velocity, contact impulse on the ball and multiplier, in
    /// the columns t, q, v, p, lambda.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, ball, floor) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "q", "v", "p", "lambda"]);
        let sample = |s: &State| {
            [s.t, s.q(ball)[0], s.v(ball)[0], s.impulse(ball)[0], s.lambda(floor, Level::Velocity)[0]]
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the first impacts, and writes `bouncing_ball.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = BouncingBall::default().simulate()?;
    println!("bouncing ball: the first impacts\n{:>8} {:>12} {:>14}", "t [s]", "v+ [m/s]", "impulse [N s]");
    for row in table.rows().filter(|row| row[3] > 0.0).take(8) {
        println!("{:8.3} {:12.6} {:14.6}", row[0], row[2], row[3]);
    }
    let figure = Figure::new(
        "Bouncing ball, e = 0.9, h = 5 ms",
        vec![
            Panel::new("Height", "t [s]", "q [m]").with(Curve::line("", pairs(&table, "t", "q")?)),
            Panel::new("Velocity", "t [s]", "v [m/s]").with(Curve::line("", pairs(&table, "t", "v")?)),
        ],
    );
    crate::save(&figure, output, "bouncing_ball")
}
