//! Two relays in the plane: a trajectory that reaches the origin in finite time, on straight lines or on a
//! spiral.
//!
//! $$ \dot x = B \lambda, \qquad y = x, \qquad -\lambda_i \in \operatorname{Sgn}(y_i). $$
//!
//! This is a differential inclusion in the sense of Filippov. Off the axes, the value of each relay is either
//! 1 or -1. On an axis, a relay takes the value in between that keeps the trajectory on the axis, if such a
//! value exists. The example has two matrices B:
//!
//! - B = 2 I, [`Relays::straight`]. Each component converges to zero independently, with speed 2, and stays
//!   there. The origin is reached at t = 1/2.
//! - $B = 2 \begin{pmatrix} 1 & -(1 + c) \cr 1 + c & 1 \end{pmatrix}$, [`Relays::spiral`]. With the signs
//!   $s_i$ of x, $\dot x_1 = -2 s_1 + 2 (1 + c) s_2$ and $\dot x_2 = -2 (1 + c) s_1 - 2 s_2$, so that
//!
//!   $$ \frac{d}{dt} (|x_1| + |x_2|) = -4. $$
//!
//!   From (3, 3) the origin is reached at t = 1.5, after infinitely many revolutions of a spiral. An
//!   event-driven scheme
//!   cannot pass this time. Time-stepping passes it without special treatment.
//!
//! The relays are implicit. The trajectory reaches the origin and stays there exactly, whereas an explicit
//! relay would chatter with an amplitude of order h. On the spiral, the scheme has order 1. A step that
//! crosses an axis leaves out the corner of the trajectory. Near the origin, where a revolution takes no
//! longer than a step, the step leaves out the whole revolution. The published run with h = 1 ms therefore
//! reaches the origin at 1.11 s, and a run with h = 0.1 ms at 1.43 s.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/filippov.svg"))]
//!
//! Reference: Filippov (1988), "Differential Equations with Discontinuous Righthand Sides"; Acary and
//! Brogliato (2010), "Implicit Euler numerical scheme and chattering-free implementation of sliding mode
//! systems".
//!
//! ```
//! use ndarray::{Array2, array};
//! use siconos_kernel::prelude::*;
//!
//! // x' = B lambda with two relays, lambda in -sign(x): the state spirals into the origin in finite time.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let point = model.add_system(FirstOrderLinearTi::new(vec![1.0, -1.0], Array2::zeros((2, 2))))?;
//! let switched = FirstOrderLinearRelation::new(Array2::eye(2), array![[1.0, 2.0], [-2.0, 1.0]]);
//! let relays = model.add_interaction([point], switched, Relay::symmetric(2, 1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {}
//! assert!(state.x(point).iter().all(|x| x.abs() < 1e-12), "it has arrived, and rests");
//! assert!(state.lambda(relays, Level::Position).iter().all(|l| l.abs() < 1e-9), "without chattering");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::{Array2, array};
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Relays {
    /// Matrix B by rows \[1/s\].
    pub input: [[f64; 2]; 2],
    /// Initial state.
    pub x0: [f64; 2],
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for Relays {
    /// The spiral with c = 25.
    fn default() -> Self {
        Self::spiral(25.0)
    }
}

impl Relays {
    /// Creates the example with B = 2 I and the initial state (1, -1).
    #[must_use]
    pub fn straight() -> Self {
        Self { input: [[2.0, 0.0], [0.0, 2.0]], x0: [1.0, -1.0], h: 1e-3, t_end: 0.799 }
    }

    /// Creates the spiral with the parameter c and the initial state (3, 3).
    #[must_use]
    pub fn spiral(c: f64) -> Self {
        let turn = 2.0 * (1.0 + c);
        Self { input: [[2.0, -turn], [turn, 2.0]], x0: [3.0, 3.0], h: 1e-3, t_end: 1.999 }
    }

    /// Builds the model and returns it with the ids of the point and its relays.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let [[b11, b12], [b21, b22]] = self.input;
        let mut model = NonSmoothDynamicalSystem::new();
        let point = model.add_system(FirstOrderLinearTi::new(self.x0.to_vec(), Array2::zeros((2, 2))))?;
        let relays = model.add_interaction(
            [point],
            FirstOrderLinearRelation::new(Array2::eye(2), array![[b11, b12], [b21, b22]]),
            Relay::symmetric(2, 1.0)?,
        )?;
        Ok((model, point, relays))
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

    /// Simulates the motion. The table has the state, the relays and their inputs, in the columns t, x1, x2,
    /// lambda1, lambda2, y1, y2. In the first row, before any step, lambda is 0.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, point, relays) = self.model()?;
        let columns = ["t", "x1", "x2", "lambda1", "lambda2", "y1", "y2"];
        record(&model, self.simulation(&model)?, columns, |s| {
            let (x, y) = (s.x(point), s.y(relays, Level::Position));
            let lambda = s.lambda(relays, Level::Position);
            [s.t, x[0], x[1], lambda[0], lambda[1], y[0], y[1]]
        })
    }
}

/// Runs the example, prints the time at which the origin is reached, and writes `filippov.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    println!("two relays, h = 1 ms\n{:>10} {:>22} {:>12}", "", "at the origin from [s]", "exact [s]");
    let mut portraits = Vec::new();
    let mut distances = Vec::new();
    for (name, example, exact) in
        [("straight", Relays::straight(), 0.5), ("spiral", Relays::spiral(25.0), 1.5)]
    {
        let table = example.simulate()?;
        let size = |row: &[f64]| row[1].abs() + row[2].abs();
        let arrival = table.rows().find(|row| size(row) < 1e-10).map_or(f64::NAN, |row| row[0]);
        println!("{name:>10} {arrival:22.3} {exact:12.3}");
        let fine = Relays { h: 1e-4, ..example }.simulate()?;
        portraits.push(
            Panel::new(format!("Phase portrait, {name}"), "x1", "x2")
                .with(Curve::line("", pairs(&table, "x1", "x2")?)),
        );
        let distance = |table: &Table| table.rows().map(|row| (row[0], size(row))).collect::<Vec<_>>();
        let line: Vec<_> = table
            .rows()
            .map(|row| (row[0], (size(table.row(0)) * (1.0 - row[0] / exact)).max(0.0)))
            .collect();
        distances.push(
            Panel::new("Distance to the origin", "t [s]", "|x1| + |x2|")
                .with(Curve::underlay("exact", line))
                .with(Curve::line("h = 1 ms", distance(&table)))
                .with(Curve::dashed("h = 0.1 ms", distance(&fine))),
        );
    }
    portraits.append(&mut distances);
    let title = "Relays in the plane, implicit";
    crate::save(&Figure::grid(title, 2, portraits).with_size(1000, 760), output, "filippov")
}
