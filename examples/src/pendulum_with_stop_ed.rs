//! Pendulums with a stop, event-driven: a simple pendulum, and the double pendulum at its wall.
//!
//! The simple pendulum hits a stop at its lowest point ($q \ge 0$, restitution 0.8). Its angular velocity at
//! the impact follows from the energy, $\dot q^2 = 2 g (1 - \cos q_{max}) / L$, and the next swing starts
//! with e times this velocity. The swings are nonlinear, so that the intervals between impacts decrease with
//! the amplitude. They tend to half the period of small swings.
//!
//! The double pendulum is described in [`double_pendulum`]. The restitution is 1 at the upper mass and 0 at
//! the lower mass. The contact of the lower mass closes at an impact, persists for a while, and opens when
//! its force has decreased to zero. The energy changes only at impacts of the lower mass. The figure compares
//! the motion of the lower mass with the motion computed by time-stepping.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/pendulum_with_stop_ed.svg"))]
//!
//! ```
//! use siconos_examples::pendulum_with_stop_ed::PendulumWithStopEd;
//!
//! let example = PendulumWithStopEd::default();
//! let table = example.simulate()?;
//! let rates: Vec<f64> = table.rows().filter(|row| row[3] > 0.0).map(|row| row[2]).collect();
//! let lowest = (2.0 * example.gravity / example.length * (1.0 - example.angle.cos())).sqrt();
//! for (n, rate) in rates.iter().enumerate() {
//!     assert!((rate - lowest * 0.8_f64.powi(n as i32 + 1)).abs() < 1e-8, "impact {n}");
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_models::pendulum_with_stop;
use siconos_ode::{Method, OdeSettings, Tolerance};

use crate::double_pendulum::{self, DoublePendulum};
use crate::{ExampleError, pairs};

/// Returns settings with order 8 and tight tolerances, because the motion is smooth between events.
fn ode() -> OdeSettings {
    OdeSettings {
        method: Method::HighOrder,
        relative_tolerance: Tolerance::All(1e-12),
        absolute_tolerance: Tolerance::All(1e-12),
        ..OdeSettings::default()
    }
}

/// Simple pendulum with a stop at its lowest point.
#[derive(Clone, Copy, Debug)]
pub struct PendulumWithStopEd {
    /// Length \[m\].
    pub length: f64,
    /// Initial angle from the lowest point \[rad\].
    pub angle: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Interval between output points \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for PendulumWithStopEd {
    fn default() -> Self {
        Self { length: 1.0, angle: 1.5, gravity: 9.81, restitution: 0.8, h: 0.01, t_end: 10.0 }
    }
}

impl PendulumWithStopEd {
    /// Builds the event-driven simulation of a model of the pendulum.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<EventDriven, ExampleError> {
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        Ok(EventDriven::builder(model).discretisation(grid).integrator(ode()).build()?)
    }

    /// Simulates the motion. The table has angle, angular velocity and impulse at the output points and after
    /// each impact, in the columns t, q, v, p.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let built = pendulum_with_stop(self.gravity, self.length, self.angle, self.restitution)?;
        let (model, body) = (built.model, built.bodies[0]);
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "q", "v", "p"]);
        loop {
            table.push_row(&[state.t, state.q(body)[0], state.v(body)[0], state.impulse(body)[0]])?;
            if simulation.step(&model, &mut state)?.is_none() {
                return Ok(table);
            }
        }
    }
}

/// Builds an event-driven simulation of the model of [`DoublePendulum`]. The time step of the example is used
/// as the interval between output points.
///
/// # Errors
///
/// If the parameters do not define a valid simulation.
pub fn double_pendulum_simulation(
    example: &DoublePendulum,
    model: &NonSmoothDynamicalSystem,
) -> Result<EventDriven, ExampleError> {
    let grid = TimeDiscretisation::uniform(0.0, example.t_end, example.h)?;
    Ok(EventDriven::builder(model).discretisation(grid).integrator(ode()).build()?)
}

/// Simulates the double pendulum. The table has the state at the output points, the energy \[J\] and the
/// force of the lower contact \[N\], in the columns t, q0, v0, q1, v1, x0, x1, energy, force.
///
/// # Errors
///
/// If a step fails.
pub fn simulate_double_pendulum(example: &DoublePendulum) -> Result<Table, ExampleError> {
    let (model, pendulum, [_, lower]) = example.model()?;
    let mut simulation = double_pendulum_simulation(example, &model)?;
    let mut state = simulation.initial_state(&model)?;
    let mut table = Table::new(["t", "q0", "v0", "q1", "v1", "x0", "x1", "energy", "force"]);
    let row = |state: &State| {
        let (q, v) = (state.q(pendulum), state.v(pendulum));
        let (x0, x1) = (q[0].sin(), q[0].sin() + q[1].sin());
        let kinetic = v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * (q[0] - q[1]).cos();
        let energy = kinetic - example.gravity * (2.0 * q[0].cos() + q[1].cos());
        [state.t, q[0], v[0], q[1], v[1], x0, x1, energy, state.lambda(lower, Level::Acceleration)[0]]
    };
    table.push_row(&row(&state))?;
    while let Some(report) = simulation.step(&model, &mut state)? {
        if report.events.iter().any(|event| event.kind() == EventKind::TimeDiscretisation) {
            table.push_row(&row(&state))?;
        }
    }
    Ok(table)
}

/// Runs the example, prints the first impacts of the simple pendulum and the energies of the double pendulum,
/// , and writes `pendulum_with_stop_ed.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = PendulumWithStopEd::default();
    let simple = example.simulate()?;
    println!("pendulum with a stop, event-driven\n{:>14} {:>16} {:>16}", "t [s]", "v+ [1/s]", "by energy");
    let lowest = (2.0 * example.gravity / example.length * (1.0 - example.angle.cos())).sqrt();
    for (n, row) in simple.rows().filter(|row| row[3] > 0.0).take(6).enumerate() {
        let exact = lowest * example.restitution.powi(n as i32 + 1);
        println!("{:14.9} {:16.12} {exact:16.12}", row[0], row[2]);
    }
    let double = simulate_double_pendulum(&DoublePendulum::default())?;
    println!(
        "double pendulum at a wall\n{:>14} {:>16} {:>16} {:>16}",
        "t [s]", "x0 [m]", "x1 [m]", "energy [J]"
    );
    for row in double.rows().step_by(1000) {
        println!("{:14.3} {:16.9} {:16.9} {:16.9}", row[0], row[5], row[6], row[7]);
    }
    let stepped = double_pendulum::simulate(&DoublePendulum::default())?;
    let figure = Figure::new(
        "Pendulums with a stop, event-driven",
        vec![
            Panel::new("Simple pendulum, e = 0.8", "t [s]", "q [rad]")
                .with(Curve::line("", pairs(&simple, "t", "q")?)),
            Panel::new("Double pendulum at a wall: lower mass", "t [s]", "x1 [m]")
                .with(Curve::line("event-driven", pairs(&double, "t", "x1")?))
                .with(Curve::dashed("time-stepping, h = 0.5 ms", pairs(&stepped, "t", "x1")?)),
            Panel::new("Double pendulum: energy", "t [s]", "E [J]")
                .with(Curve::line("", pairs(&double, "t", "energy")?)),
        ],
    );
    crate::save(&figure, output, "pendulum_with_stop_ed")
}
