//! Spinning disk that falls on the floor. Friction converts its spin into lateral motion.
//!
//! The disk has mass 1 kg, radius 0.5 m and moment of inertia 0.1 kg m2, and is released at a height of one
//! metre with 2 rad/s. With $q = (\text{height}, \text{lateral}, \text{angle})$, the contact point has the
//! velocities
//!
//! $$ \dot y_N = \dot q_0, \qquad \dot y_T = \dot q_1 - R \dot q_2, $$
//!
//! and the impact law has restitution 0.9 in the normal direction and the coefficient of friction
//! $\mu = 0.1$. In an impact with slip, the impulse along the floor is 0.1 times the normal impulse. Once the
//! disk rolls ($\dot q_1 = R \dot q_2$), the friction force is zero. With an initial spin of 2 rad/s, the
//! disk rolls after the first impact. The figure shows 10 rad/s, for which three impacts are needed. The
//! angular momentum about a point of the floor is conserved, so that the final spin is
//! $J / (J + m R^2) = 2/7$ of the initial spin.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/spinning_disk.svg"))]
//!
//! ```
//! use ndarray::array;
//! use siconos_kernel::prelude::*;
//!
//! // Mass 1 kg, moment of inertia 0.1 kg m2, radius 0.5 m, spinning with 2 rad/s.
//! let mut model = NonSmoothDynamicalSystem::new();
//! let disk = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 2.0], array![1.0, 1.0, 0.1])
//!     .with_constant_external_force(vec![-9.81, 0.0, 0.0]);
//! let disk = model.add_system(disk)?;
//! // The gap, and the velocity of the contact point along the floor.
//! let contact = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, -0.5]])
//!     .with_offset(vec![-0.5, 0.0]);
//! model.add_interaction([disk], contact, NewtonImpactFriction::in_plane(0.5, 0.3)?)?;
//!
//! let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-3)?;
//! let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
//! let mut state = simulation.initial_state(&model)?;
//! while simulation.step(&model, &mut state)?.is_some() {}
//! let (lateral, spin) = (state.v(disk)[1], state.v(disk)[2]);
//! assert!((lateral - 0.5 * spin).abs() < 1e-12, "it rolls");
//! // The angular momentum about a point of the floor, J w + m R v, is conserved.
//! assert!((0.1 * spin + 0.5 * lateral - 0.1 * 2.0).abs() < 1e-12);
//! # Ok::<(), siconos_kernel::Error>(())
//! ```

use std::path::{Path, PathBuf};

use ndarray::array;
use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::prelude::*;
use siconos_numerics::contact::{AutoSettings, ContactMethod};

use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct SpinningDisk {
    /// Coefficient of friction.
    pub mu: f64,
    /// Coefficient of restitution along the normal.
    pub restitution: f64,
    /// Initial spin \[rad/s\].
    pub spin: f64,
    /// Number of steps by which the gap is extrapolated to decide if the contact is active.
    pub gamma: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for SpinningDisk {
    fn default() -> Self {
        Self { mu: 0.1, restitution: 0.9, spin: 2.0, gamma: 1.0, h: 0.005, t_end: 10.0 }
    }
}

const RADIUS: f64 = 0.5;

impl SpinningDisk {
    /// Builds the model and returns it with the ids of the disk and its contact with the floor.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(
        &self,
    ) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId), ExampleError> {
        let mut model = NonSmoothDynamicalSystem::new();
        let disk = model.add_system(
            LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0, 0.0, self.spin], array![1.0, 1.0, 0.1])
                .with_external_force(|_t, f| f[0] = -9.81),
        )?;
        let contact = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, -RADIUS]])
            .with_offset(array![-RADIUS, 0.0]);
        let law = NewtonImpactFriction::in_plane(self.restitution, self.mu)?;
        let floor = model.add_interaction([disk], contact, law)?;
        Ok((model, disk, floor))
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        // A single contact has an exact solution. With a looser tolerance, the solution of the previous step
        // would be accepted.
        let exact = ContactMethod::Auto(AutoSettings { tolerance: 1e-13, ..AutoSettings::default() });
        let solver = OneStepSolver::from_method(&exact).map_err(SettingsError::Solver)?;
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean { gamma: self.gamma, ..MoreauJean::default() })
            .solver(solver)
            .build()?)
    }

    /// Simulates the motion. The table has height, its velocity, spin, impulse along the height, normal
    /// multiplier, lateral position, angle and lateral velocity, in the columns t, q0, v0, v2, p0, lambda,
    /// q1, q2, v1.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let (model, disk, floor) = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let mut table = Table::new(["t", "q0", "v0", "v2", "p0", "lambda", "q1", "q2", "v1"]);
        let sample = |s: &State| {
            let (q, v, lambda) = (s.q(disk), s.v(disk), s.lambda(floor, Level::Velocity));
            [s.t, q[0], v[0], v[2], s.impulse(disk)[0], lambda[0], q[1], q[2], v[1]]
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }
}

/// Runs the example, prints the first impacts, and writes `spinning_disk.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let example = SpinningDisk { spin: 10.0, ..SpinningDisk::default() };
    let table = example.simulate()?;
    let lateral = pairs(&table, "t", "v1")?;
    let at_rim: Vec<_> = pairs(&table, "t", "v2")?.iter().map(|(t, w)| (*t, RADIUS * w)).collect();
    println!("spinning disk: the first impacts");
    println!("{:>8} {:>12} {:>14} {:>14}", "t [s]", "v+ [m/s]", "lateral [m/s]", "spin [rad/s]");
    for row in table.rows().filter(|row| row[5] > 0.0).take(6) {
        println!("{:8.3} {:12.6} {:14.6} {:14.6}", row[0], row[2], row[8], row[3]);
    }
    let panels = vec![
        Panel::new("Height", "t [s]", "q0 [m]").with(Curve::line("", pairs(&table, "t", "q0")?)),
        Panel::new("Velocities that become equal", "t [s]", "v [m/s]")
            .with(Curve::line("lateral", lateral))
            .with(Curve::line("radius times spin", at_rim)),
    ];
    let title = "Disk with a spin of 10 rad/s on a floor, e = 0.9, mu = 0.1";
    crate::save(&Figure::new(title, panels), output, "spinning_disk")
}
