//! Bouncing ball, event-driven.
//!
//! The ball of [`bouncing_ball`](crate::bouncing_ball) is simulated by events: each impact is located and
//! applied at its time. The times are $t_1 = \sqrt{2 h_0 / g}$ and $t_{n+1} = t_n + 2 e^n v_1 / g$ with
//! $v_1 = g t_1$. They accumulate at
//!
//! $$ t^* = \frac{1 + e}{1 - e} t_1, $$
//!
//! which is 8.579 s for e = 0.9. Up to 8.5 s there are 44 impacts. A simulation up to 10 s passes the
//! accumulation, at which there are infinitely many impacts in a finite time. When the estimated time until
//! the accumulation is below a microsecond, the simulation closes the contact, and the ball rests with the
//! contact force m g.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/bouncing_ball_ed.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! let mut model = NonSmoothDynamicalSystem::new();
//! let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_constant_external_force(vec![-9.81]);
//! let ball = model.add_system(ball)?;
//! let height = LagrangianLinearRelation::new(array![[1.0]]);
//! model.add_interaction([ball], height, NewtonImpact::new(0.9)?)?;
//!
//! // Output points are 10 ms apart. Impacts are located between them.
//! let grid = TimeDiscretisation::uniform(0.0, 3.0, 0.01)?;
//! let mut simulation = EventDriven::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! let mut impacts = Vec::new();
//! while let Some(report) = simulation.step(&model, &mut state)? {
//!     if !report.impacts.is_empty() {
//!         impacts.push((report.t, state.v(ball)[0]));
//!     }
//! }
//! let (first, speed) = ((2.0_f64 / 9.81).sqrt(), (2.0_f64 * 9.81).sqrt());
//! for (n, (t, v)) in impacts.iter().enumerate() {
//!     let e_n = 0.9_f64.powi(n as i32);
//!     assert!((t - first * (1.0 + 2.0 * 0.9 * (1.0 - e_n) / 0.1)).abs() < 1e-9 && (v - 0.9 * speed * e_n).abs() < 1e-9);
//! }
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel, Scale};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;

use crate::bouncing_ball::BouncingBall;
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct BouncingBallEd {
    /// Ball. Its time step is used as the interval between output points.
    pub ball: BouncingBall,
}

impl Default for BouncingBallEd {
    fn default() -> Self {
        Self { ball: BouncingBall { t_end: 8.5, ..BouncingBall::default() } }
    }
}

impl BouncingBallEd {
    /// Creates the example with the end at 10 s, after the accumulation of impacts.
    #[must_use]
    pub fn to_rest() -> Self {
        Self { ball: BouncingBall { t_end: 10.0, ..BouncingBall::default() } }
    }

    /// Creates the example without restitution, in which the ball rests after its first impact.
    #[must_use]
    pub fn without_restitution() -> Self {
        Self { ball: BouncingBall { restitution: 0.0, t_end: 8.5, ..BouncingBall::default() } }
    }

    /// Builds the simulation of a model created by [`BouncingBall::model`].
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.ball.t_end, self.ball.h)?;
        Ok(EventDriven::builder(model).discretisation(grid).build()?)
    }

    /// Simulates the motion. The table has height, velocity, impulse, force and multipliers at all output
    /// points except the first, and before and after each impact, in the columns t, q, v, p, force, lambda1,
    /// lambda2.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, ball, floor) = self.ball.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "q", "v", "p", "force", "lambda1", "lambda2"]);
        while let Some(report) = simulation.step(&model, &mut state)? {
            let (q, p) = (state.q(ball)[0], state.impulse(ball)[0]);
            let (impulse, force) =
                (state.lambda(floor, Level::Velocity)[0], state.lambda(floor, Level::Acceleration)[0]);
            for &side in report.sides() {
                let impulse = if side == EventSide::After { impulse } else { 0.0 };
                table.push_row(&[state.t, q, state.v_at(side, ball)[0], p, force, impulse, force])?;
            }
        }
        Ok(table)
    }

    /// Returns the accumulation time of the impacts, as estimated by the simulation, or `None` if they do not
    /// accumulate before the end.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn accumulation(&self) -> Result<Option<f64>, ExampleError> {
        let (model, ..) = self.ball.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        while let Some(report) = simulation.step(&model, &mut state)? {
            if let Some(accumulation) = report.accumulation {
                return Ok(Some(accumulation.t));
            }
        }
        Ok(None)
    }
}

/// Runs the example, prints the impacts with their errors, and writes `bouncing_ball_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = BouncingBallEd::to_rest();
    let table = example.simulate()?;
    let BouncingBall { height, gravity, restitution: e, .. } = example.ball;
    let first = (2.0 * height / gravity).sqrt();
    println!("bouncing ball, event-driven");
    println!("{:>8} {:>18} {:>16} {:>12}", "impact", "t [s]", "error of t [s]", "v+ [m/s]");
    let impacts: Vec<_> =
        table.rows().filter(|row| row[5] > 0.0 && row[2] > 0.0).map(|row| (row[0], row[2])).collect();
    let mut exact = first;
    for (n, (t, v)) in impacts.iter().enumerate() {
        if n < 4 || (n + 1) % 20 == 0 {
            println!("{:8} {t:18.14} {:16.1e} {v:12.6}", n + 1, t - exact);
        }
        exact += 2.0 * first * e.powi(n as i32 + 1);
    }
    if let Some(t) = example.accumulation()? {
        let error = t - first * (1.0 + e) / (1.0 - e);
        println!("accumulation at {t:.12} s, error {error:.1e} s, after {} impacts", impacts.len());
    }
    let decay = impacts.iter().enumerate().map(|(n, (_, v))| (n as f64 + 1.0, *v)).collect();
    let figure = Figure::new(
        "Bouncing ball, e = 0.9, event-driven",
        vec![
            Panel::new("Height", "t [s]", "q [m]").with(Curve::line("", pairs(&table, "t", "q")?)),
            Panel::new("Velocity, with its jumps", "t [s]", "v [m/s]")
                .with(Curve::line("", pairs(&table, "t", "v")?)),
            Panel {
                y_scale: Scale::Logarithmic,
                ..Panel::new("Speed after each impact", "impact", "v+ [m/s]")
            }
            .with(Curve::points("", decay)),
        ],
    );
    crate::save(&figure, output, "bouncing_ball_ed")
}
