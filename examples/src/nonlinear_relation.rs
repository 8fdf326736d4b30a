//! Nonlinear relation, solved by Newton's method: a switched thruster holds a point on a circle, in a vortex
//! with wind.
//!
//! $$ \dot x = \begin{pmatrix} -\omega x_2 + a \cr \omega x_1 \end{pmatrix} + r, \qquad
//!    y = \frac{|x|^2 - 1}{2}, \qquad r = g(x, \lambda) = k (\lambda + \beta \lambda^3) x, \qquad
//!    -\lambda \in \operatorname{Sgn}(y). $$
//!
//! Outside the unit circle, the thruster pulls inwards with full force; inside, it pushes outwards. Its force
//! is a nonlinear function of the command lambda, and grows with the distance from the centre. The surface y
//! = 0 is curved, and g depends on x and lambda. The derivatives are $C = x^T$,
//! $B = k (1 + 3 \beta \lambda^2) x$, and $K = k (\lambda + \beta \lambda^3) I$, which is not zero. A
//! one-step problem with constant matrices does not exist. [`FullyImplicit`] linearises all three equations
//! and solves one relay problem per Newton iteration.
//!
//! On the circle, $\dot y = a x_1 + k (\lambda + \beta \lambda^3)$. If $a < k (1 + \beta)$, the point slides
//! along the whole circle, with the command that solves $k (\lambda + \beta \lambda^3) = -a x_1$. Its angle
//! obeys Adler's equation, which has the solution
//!
//! $$ \dot \varphi = \omega - a \sin \varphi, \qquad
//!    \tan \frac{\varphi}{2} = \frac{a}{\omega} + \frac{\Omega}{\omega} \tan \frac{\Omega (t - t_0)}{2},
//!    \qquad \Omega = \sqrt{\omega^2 - a^2}. $$
//!
//! The implicit scheme keeps the point on the circle up to the tolerance of Newton's method, for any h. Along
//! the circle, it converges to Adler's solution with order 1 in h.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/nonlinear_relation.svg"))]
//!
//! References: Acary and Brogliato (2008), "Numerical Methods for Nonsmooth Dynamical Systems", section 9.5;
//! Adler (1946), "A study of locking phenomena in oscillators".
//!
//! ```
//! use siconos_kernel::prelude::*;
//!
//! // A vortex of 2 rad/s with wind, and a thruster that holds the point on the unit circle.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let point = model.add_system(FirstOrderNonlinear::new(
//!     vec![1.0, 0.0],
//!     |_t, x, f| (f[0], f[1]) = (-2.0 * x[1] + 1.0, 2.0 * x[0]),
//!     Jacobian::of_state(|_t, _x, j| (j[[0, 1]], j[[1, 0]]) = (-2.0, 2.0)),
//! ))?;
//! let force = |lambda: f64| lambda + 0.5 * lambda.powi(3);
//! let circle = FirstOrderNonlinearRelation::new(
//!     1,
//!     |at, y| y[0] = 0.5 * (at.x[0] * at.x[0] + at.x[1] * at.x[1] - 1.0),
//!     move |at, r| (r[0], r[1]) = (force(at.lambda[0]) * at.x[0], force(at.lambda[0]) * at.x[1]),
//! )
//! .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 1]]) = (at.x[0], at.x[1])))
//! .with_d(RelationJacobian::Zero)
//! .with_k(RelationJacobian::function(move |at, k| {
//!     (k[[0, 0]], k[[1, 1]]) = (force(at.lambda[0]), force(at.lambda[0]));
//! }))
//! .with_b(RelationJacobian::function(|at, b| {
//!     let slope = 1.0 + 1.5 * at.lambda[0] * at.lambda[0];
//!     (b[[0, 0]], b[[1, 0]]) = (slope * at.x[0], slope * at.x[1]);
//! }));
//! model.add_interaction([point], circle, Relay::symmetric(1, 1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 8.0, 1e-2)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     let x = state.x(point);
//!     assert!((x[0].hypot(x[1]) - 1.0).abs() < 1e-9, "on the circle");
//! }
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct CircleSliding {
    /// Angular velocity omega of the vortex \[rad/s\]. It must be larger than the velocity of the wind.
    pub whirl: f64,
    /// Velocity a of the wind \[1/s\].
    pub wind: f64,
    /// Gain k of the thruster \[1/s\].
    pub gain: f64,
    /// Coefficient beta of the cubic term of the force.
    pub bend: f64,
    /// Initial state.
    pub x0: [f64; 2],
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for CircleSliding {
    fn default() -> Self {
        Self { whirl: 2.0, wind: 1.0, gain: 1.0, bend: 0.5, x0: [2.0, 0.0], h: 1e-2, t_end: 8.0 }
    }
}

impl CircleSliding {
    /// Builds the model and returns it with the ids of the point and its thruster.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let Self { whirl, wind, gain, bend, .. } = *self;
        let force = move |lambda: f64| gain * (lambda + bend * lambda.powi(3));
        let mut model = NonSmoothDynamicalSystem::new();
        let point = model.add_system(FirstOrderNonlinear::new(
            self.x0.to_vec(),
            move |_t, x, f| (f[0], f[1]) = (-whirl * x[1] + wind, whirl * x[0]),
            Jacobian::of_state(move |_t, _x, j| (j[[0, 1]], j[[1, 0]]) = (-whirl, whirl)),
        ))?;
        let relation = FirstOrderNonlinearRelation::new(
            1,
            |at, y| y[0] = 0.5 * (at.x[0] * at.x[0] + at.x[1] * at.x[1] - 1.0),
            move |at, r| (r[0], r[1]) = (force(at.lambda[0]) * at.x[0], force(at.lambda[0]) * at.x[1]),
        )
        .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 1]]) = (at.x[0], at.x[1])))
        .with_d(RelationJacobian::Zero)
        .with_k(RelationJacobian::function(move |at, k| {
            (k[[0, 0]], k[[1, 1]]) = (force(at.lambda[0]), force(at.lambda[0]));
        }))
        .with_b(RelationJacobian::function(move |at, b| {
            let slope = gain * (1.0 + 3.0 * bend * at.lambda[0] * at.lambda[0]);
            (b[[0, 0]], b[[1, 0]]) = (slope * at.x[0], slope * at.x[1]);
        }));
        let thruster = model.add_interaction([point], relation, Relay::symmetric(1, 1.0)?)?;
        Ok((model, point, thruster))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(FullyImplicit::default())
            .build()?)
    }

    /// Simulates the motion. The table has state, command, output and Newton iterations of each step, in the
    /// columns t, x1, x2, lambda, y, iterations.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, point, thruster) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "x1", "x2", "lambda", "y", "iterations"]);
        let sample = |s: &State, iterations: usize| {
            let x = s.x(point);
            let (y, lambda) = (s.y(thruster, Level::Position)[0], s.lambda(thruster, Level::Position)[0]);
            [s.t, x[0], x[1], lambda, y, iterations as f64]
        };
        table.push_row(&sample(&state, 0))?;
        while let Some(iterations) =
            simulation.step(&model, &mut state)?.map(|report| report.newton_iterations)
        {
            table.push_row(&sample(&state, iterations))?;
        }
        Ok(table)
    }

    /// Returns the exact position on the circle at the time `t` after a start at the angle `angle` \[rad\],
    /// which must be between -pi and pi.
    #[must_use]
    pub fn on_circle(&self, t: f64, angle: f64) -> [f64; 2] {
        let omega = (self.whirl * self.whirl - self.wind * self.wind).sqrt();
        let phase = ((self.whirl * (0.5 * angle).tan() - self.wind) / omega).atan();
        let half = (self.wind + omega * (0.5 * omega * t + phase).tan()) / self.whirl;
        let angle = 2.0 * half.atan();
        [angle.cos(), angle.sin()]
    }
}

/// Runs the example, prints errors and Newton iterations for several steps, and writes
/// `nonlinear_relation.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    println!("sliding on a circle: largest errors after 8 s from (1, 0), Newton iterations");
    println!("{:>8} {:>12} {:>14} {:>10} {:>8}", "h [s]", "y", "position", "mean", "most");
    for h in [0.04, 0.02, 0.01, 0.005] {
        let example = CircleSliding { x0: [1.0, 0.0], h, ..CircleSliding::default() };
        let table = example.simulate()?;
        let (mut y, mut position, mut sum, mut most) = (0.0_f64, 0.0_f64, 0.0, 0.0_f64);
        for row in table.rows().skip(1) {
            let [c, s] = example.on_circle(row[0], 0.0);
            y = y.max(row[4].abs());
            position = position.max((row[1] - c).hypot(row[2] - s));
            sum += row[5];
            most = most.max(row[5]);
        }
        println!("{h:8} {y:12.2e} {position:14.3e} {:10.2} {most:8}", sum / (table.len() - 1) as f64);
    }

    let example = CircleSliding::default();
    let table = example.simulate()?;
    let turn = |k: usize| std::f64::consts::TAU * k as f64 / 200.0;
    let circle = (0..=200).map(|k| (turn(k).cos(), turn(k).sin())).collect();
    let arrival = table.rows().find(|row| row[0] > 0.0 && row[4].abs() < 1e-9);
    let (from, angle) = arrival.map_or((0.0, 0.0), |row| (row[0], row[2].atan2(row[1])));
    let exact = |component: usize| -> Vec<(f64, f64)> {
        let times = table.rows().map(|row| row[0]).filter(|t| *t >= from);
        times.map(|t| (t, example.on_circle(t - from, angle)[component])).collect()
    };
    let mut iterations = Panel::new("Newton iterations", "t [s]", "per step")
        .with(Curve::points("", pairs(&table, "t", "iterations")?.split_off(1)));
    iterations.y_range = Some((0.0, 6.0));
    let figure = Figure::grid(
        "Sliding on a circle by Newton's method, h = 10 ms",
        2,
        vec![
            Panel::new("Path", "x1", "x2")
                .with(Curve::underlay("surface y = 0", circle))
                .with(Curve::line("simulated", pairs(&table, "x1", "x2")?)),
            Panel::new("Position", "t [s]", "x1")
                .with(Curve::underlay("exact, from arrival on", exact(0)))
                .with(Curve::line("simulated", pairs(&table, "t", "x1")?)),
            Panel::new("Command", "t [s]", "lambda")
                .with(Curve::line("", pairs(&table, "t", "lambda")?.split_off(1))),
            iterations,
        ],
    );
    crate::save(&figure.with_size(1000, 760), output, "nonlinear_relation")
}
