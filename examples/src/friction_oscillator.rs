//! Oscillator with dry friction: the amplitude decreases linearly, then the mass sticks.
//!
//! $$ \dot x = v, \qquad \dot v = -x + \lambda, \qquad -\lambda \in \operatorname{Sgn}(v). $$
//!
//! The equations are dimensionless: mass, stiffness and friction force are 1. Friction is a relay with the
//! velocity as its input. Between two turning points, the motion is a semicircle in the phase plane around
//! (1, 0) or (-1, 0), so that **each turning point is closer to the origin by 2**. At the first turning point
//! with $|x| \le 1$, friction holds the spring, with $\lambda = x$. Viscous damping, in contrast, makes the
//! amplitude decay exponentially.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/friction_oscillator.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // x' = v, v' = -x + lambda; lambda is a relay that opposes v.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let spring = FirstOrderLinearTi::new(vec![12.0, 6.0], array![[0.0, 1.0], [-1.0, 0.0]]);
//! let oscillator = model.add_system(spring)?;
//! let slip = FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]);
//! let friction = model.add_interaction([oscillator], slip, Relay::symmetric(1, 1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 40.0, 0.01)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {}
//! let (x, force) = (state.x(oscillator), state.lambda(friction, Level::Position)[0]);
//! assert!(x[0].abs() <= 1.0 && x[1].abs() < 1e-12, "it stops where friction can hold the spring");
//! assert!((force - x[0]).abs() < 1e-12);
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct FrictionOscillator {
    /// Initial position and velocity.
    pub x0: [f64; 2],
    /// Time step.
    pub h: f64,
    /// End of the simulation.
    pub t_end: f64,
}

impl Default for FrictionOscillator {
    fn default() -> Self {
        Self { x0: [12.0, 6.0], h: 1e-2, t_end: 99.99 }
    }
}

impl FrictionOscillator {
    /// Builds the model and returns it with the ids of the oscillator and the friction.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let mut model = NonSmoothDynamicalSystem::new();
        let oscillator =
            model.add_system(FirstOrderLinearTi::new(self.x0.to_vec(), array![[0.0, 1.0], [-1.0, 0.0]]))?;
        let friction = model.add_interaction(
            [oscillator],
            FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]),
            Relay::symmetric(1, 1.0)?,
        )?;
        Ok((model, oscillator, friction))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(EulerMoreau::default())
            .build()?)
    }

    /// Simulates the motion. The table has position, velocity, friction force, input of the relay, and the
    /// derivatives of position and velocity, in the columns t, x, v, lambda, y, x_dot, v_dot.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, oscillator, friction) = self.model()?;
        let columns = ["t", "x", "v", "lambda", "y", "x_dot", "v_dot"];
        record(&model, self.simulation(&model)?, columns, |s| {
            let x = s.x(oscillator);
            let (y, lambda) = (s.y(friction, Level::Position)[0], s.lambda(friction, Level::Position)[0]);
            [s.t, x[0], x[1], lambda, y, x[1], lambda - x[0]]
        })
    }
}

/// Runs the example, prints the turning points, and writes `friction_oscillator.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = FrictionOscillator::default().simulate()?;
    println!("oscillator with dry friction: the turns\n{:>8} {:>10}", "t", "x");
    let rows: Vec<&[f64]> = table.rows().collect();
    for pair in rows.windows(2).filter(|pair| pair[0][2] != 0.0 && pair[0][2] * pair[1][2] <= 0.0) {
        println!("{:8.2} {:10.4}", pair[1][0], pair[1][1]);
    }
    let until = |points: Vec<(f64, f64)>| points.into_iter().filter(|p| p.0 <= 30.0).collect::<Vec<_>>();
    let after_start = |points: Vec<(f64, f64)>| points.into_iter().skip(1).collect::<Vec<_>>();
    let figure = Figure::grid(
        "Oscillator with dry friction, without dimensions, h = 0.01",
        2,
        vec![
            Panel::new("Phase portrait", "x", "v").with(Curve::line("", pairs(&table, "x", "v")?)),
            Panel::new("Position and friction", "t", "x, lambda")
                .with(Curve::line("position x", until(pairs(&table, "t", "x")?)))
                .with(Curve::line("friction lambda", after_start(until(pairs(&table, "t", "lambda")?)))),
        ],
    );
    crate::save(&figure.with_size(1000, 400), output, "friction_oscillator")
}
