//! Double pendulum at a wall, with nonlinear dynamics and nonlinear contacts.
//!
//! The coordinates are the absolute angles $q_0, q_1$ of two unit masses on unit rods. With
//! $s = \sin(q_0 - q_1)$ and $c = \cos(q_0 - q_1)$,
//!
//! $$ M = \begin{pmatrix} 2 & c \cr c & 1 \end{pmatrix}, \quad F_{gyr} = (s v_1^2, -s v_0^2), \quad
//!    F_{int} = (2 g \sin q_0, g \sin q_1), $$
//!
//! In plain text, M = ((2, c), (c, 1)). Both masses stay to the right of the wall x = 0: $\sin q_0 \ge 0$
//! with restitution 1, and $\sin q_0 + \sin q_1 \ge 0$ without restitution. The figure shows the distances
//! from the wall.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/double_pendulum.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // A single arm: a pendulum of 1 m and 1 kg, to the right of a wall below its joint.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let arm = Lagrangian::of_mass_function(vec![1.5], vec![0.0], |_, _q, m| m[[0, 0]] = 1.0).with_internal_force(
//!     |_t, q, _v, f| f[0] = 9.81 * q[0].sin(),
//!     Jacobian::function(|_t, q, _v, j| j[[0, 0]] = 9.81 * q[0].cos()),
//!     Jacobian::Zero,
//! );
//! let arm = model.add_system(arm)?;
//! let distance = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = q[0].sin())
//!     .with_jacobian(|_, q, j| j[[0, 0]] = q[0].cos());
//! model.add_interaction([arm], distance, NewtonImpact::new(1.0)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 5.0, 5e-4)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {
//!     assert!(state.q(arm)[0].sin() > -3e-3, "the mass stays right of the wall");
//! }
//! let energy = 0.5 * state.v(arm)[0].powi(2) - 9.81 * state.q(arm)[0].cos();
//! assert!((energy + 9.81 * 1.5_f64.cos()).abs() < 0.02, "elastic impacts keep the energy");
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
#[doc(inline)]
pub use siconos_models::{DoublePendulum, ForceDerivative, exact_derivative};

use crate::{ExampleError, pairs};

/// Simulates the motion. The table has angles, velocities and positions, in the columns t, q0, v0, q1, v1,
/// x0, y0, x1, y1, x0_dot, x1_dot.
///
/// # Errors
///
/// If a step fails.
pub fn simulate(example: &DoublePendulum) -> Result<Table, ExampleError> {
    let (model, pendulum, _) = example.model()?;
    let mut simulation = example.simulation(&model)?;
    let mut state = simulation.initial_state(&model)?;
    let mut table = Table::new(["t", "q0", "v0", "q1", "v1", "x0", "y0", "x1", "y1", "x0_dot", "x1_dot"]);
    loop {
        let (q, v) = (state.q(pendulum), state.v(pendulum));
        let ((s0, c0), (s1, c1)) = (q[0].sin_cos(), q[1].sin_cos());
        let speeds = (c0 * v[0], c0 * v[0] + c1 * v[1]);
        table.push_row(&[state.t, q[0], v[0], q[1], v[1], s0, -c0, s0 + s1, -c0 - c1, speeds.0, speeds.1])?;
        if simulation.step(&model, &mut state)?.is_none() {
            return Ok(table);
        }
    }
}

/// Runs the example, prints the positions of the masses, and writes `double_pendulum.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let table = simulate(&DoublePendulum::default())?;
    println!("double pendulum at a wall\n{:>8} {:>12} {:>12}", "t [s]", "x0 [m]", "x1 [m]");
    for row in table.rows().step_by(table.len() / 8) {
        println!("{:8.3} {:12.6} {:12.6}", row[0], row[5], row[7]);
    }
    let panel = Panel::new("Distance from the wall", "t [s]", "x [m]")
        .with(Curve::line("upper mass", pairs(&table, "t", "x0")?))
        .with(Curve::line("lower mass", pairs(&table, "t", "x1")?));
    let figure = Figure::new("Double pendulum at a wall, h = 0.5 ms", vec![panel]);
    crate::save(&figure, output, "double_pendulum")
}
