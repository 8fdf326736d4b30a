//! Chain of rods on ball joints that is released from the horizontal and falls on the floor.
//!
//! Eight rods of 0.25 m and 0.1 kg hang in series from a pivot. The joints are satisfied at velocity level,
//! and [`Projection::Direct`] projects the positions onto the joints after each step, so that joints do not
//! drift apart in a long motion. The distance from the pivot to the floor is 0.25 m less than the length of
//! the chain. The end of each rod has a contact with the floor, with the coefficient of friction 0.5 and
//! without restitution.
//!
//! Without a floor, the energy $T + V$ is conserved to order 2 in the time step, with theta = 1/2. With a
//! floor, impacts and friction dissipate energy. The figure shows the chain at several times, and the energy
//! in both cases.
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/chain_of_joints.svg"))]
//!
//! ```
//! use siconos_examples::chain_of_joints::ChainOfJoints;
//!
//! let table = ChainOfJoints { t_end: 0.2, ..ChainOfJoints::default() }.simulate()?;
//! assert!(table.column("off").expect("a column").all(|off| off < 1e-13), "no joint opens");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::model::ContactPoints;
use siconos_kernel::prelude::*;

use crate::{ExampleError, kinetic_energy, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct ChainOfJoints {
    /// Number of rods.
    pub rods: usize,
    /// Mass of a rod \[kg\].
    pub mass: f64,
    /// Length of a rod \[m\].
    pub length: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Height of the pivot above the floor \[m\], or `None` without a floor.
    pub height: Option<f64>,
    /// Projection of the positions onto joints and contacts, or `None` for no projection.
    pub projection: Option<Projection>,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for ChainOfJoints {
    fn default() -> Self {
        Self {
            rods: 8,
            mass: 0.1,
            length: 0.25,
            gravity: 9.81,
            height: Some(1.75),
            projection: Some(Projection::Direct),
            h: 1e-3,
            t_end: 3.0,
        }
    }
}

/// Model of the chain.
pub struct ChainModel {
    /// Complete model.
    pub model: NonSmoothDynamicalSystem,
    /// Rods in order, starting at the pivot.
    pub rods: Vec<DynamicalSystemId>,
    /// Joints in order, starting at the pivot.
    pub joints: Vec<InteractionId>,
}

impl ChainOfJoints {
    /// Creates a chain without a floor.
    #[must_use]
    pub fn in_the_air() -> Self {
        Self { height: None, ..Self::default() }
    }

    /// Returns the principal moments of inertia of a rod. The first is about the axis of the rod, a cylinder
    /// whose length is ten times its diameter.
    fn inertia(&self) -> [f64; 3] {
        let square = self.mass * self.length * self.length;
        let across = square / 12.0 + square / 1600.0;
        [square / 800.0, across, across]
    }

    /// Builds the model. The pivot is at the origin.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<ChainModel, ExampleError> {
        let bodies: Vec<NewtonEuler> = (0..self.rods)
            .map(|k| {
                let centre = [(k as f64 + 0.5) * self.length, 0.0, 0.0];
                NewtonEuler::new(self.mass, self.inertia(), centre, Quaternion::IDENTITY)
                    .with_constant_external_force([0.0, 0.0, -self.mass * self.gravity])
            })
            .collect();
        let mut joints = Vec::new();
        for k in 0..self.rods {
            let point = [k as f64 * self.length, 0.0, 0.0];
            joints.push(match k {
                0 => Joint::spherical(&bodies[0], point)?,
                _ => Joint::spherical((&bodies[k], &bodies[k - 1]), point)?,
            });
        }
        let mut model = NonSmoothDynamicalSystem::new();
        let rods = bodies.into_iter().map(|rod| model.add_system(rod)).collect::<Result<Vec<_>, _>>()?;
        let mut ids = Vec::new();
        for (k, joint) in joints.into_iter().enumerate() {
            let condition = joint.condition()?;
            let between = if k == 0 { vec![rods[0]] } else { vec![rods[k], rods[k - 1]] };
            ids.push(model.add_interaction(between, joint, condition)?);
        }
        if let Some(height) = self.height {
            for &rod in &rods {
                let law = NewtonImpactFriction::in_space(0.0, 0.5)?;
                model.add_interaction([rod], floor(self.length, height), law)?;
            }
        }
        Ok(ChainModel { model, rods, joints: ids })
    }

    /// Builds the simulation of a model created by [`model`](Self::model).
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid simulation.
    pub fn simulation(&self, model: &NonSmoothDynamicalSystem) -> Result<TimeStepping, ExampleError> {
        Ok(TimeStepping::builder(model)
            .discretisation(TimeDiscretisation::uniform(0.0, self.t_end, self.h)?)
            .integrator(MoreauJean { projection: self.projection, ..MoreauJean::default() })
            .build()?)
    }

    /// Simulates the motion. The table has the energy, the largest opening \[m\] of a joint along an axis,
    /// and the position of the end of each rod, in the columns t, E, off, x1, z1, x2, z2 and so on.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let ChainModel { model, rods, joints } = self.model()?;
        let mut simulation = self.simulation(&model)?;
        let mut state = simulation.initial_state(&model)?;
        let of_ends = (1..=self.rods).flat_map(|k| [format!("x{k}"), format!("z{k}")]);
        let mut table = Table::new(["t", "E", "off"].map(str::to_owned).into_iter().chain(of_ends));
        let sample = |state: &State| {
            let energy = rods.iter().map(|&rod| {
                let of_weight = self.mass * self.gravity * state.q(rod)[2];
                kinetic_energy(self.mass, self.inertia(), state.v(rod)) + of_weight
            });
            let gaps = joints.iter().flat_map(|&joint| state.y(joint, Level::Position));
            let off = gaps.fold(0.0_f64, |largest, gap| largest.max(gap.abs()));
            let ends = rods.iter().flat_map(|&rod| {
                let [x, _, z] = end(self.length, state.q(rod));
                [x, z]
            });
            [state.t, energy.sum(), off].into_iter().chain(ends).collect::<Vec<_>>()
        };
        table.push_row(&sample(&state))?;
        while simulation.step(&model, &mut state)?.is_some() {
            table.push_row(&sample(&state))?;
        }
        Ok(table)
    }
}

/// Returns the position of that end of a rod which is farther from the pivot.
fn end(length: f64, q: &[f64]) -> [f64; 3] {
    let [x, y, z] = Quaternion::of_body(q).rotate([0.5 * length, 0.0, 0.0]);
    [q[0] + x, q[1] + y, q[2] + z]
}

/// Creates the contact of the end of a rod with the floor.
fn floor(length: f64, height: f64) -> PointContact {
    PointContact::new(ContactRows::Friction, move |_, q| {
        let first = end(length, q);
        ContactPoints { first, second: [first[0], first[1], -height], normal: [0.0, 0.0, 1.0] }
    })
}

/// Times of the snapshots \[s\].
const SNAPSHOTS: [f64; 7] = [0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 3.0];

/// Runs the example, prints energies and joint errors, and writes `chain_of_joints.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let chain = ChainOfJoints::default();
    let table = chain.simulate()?;
    let in_the_air = ChainOfJoints::in_the_air().simulate()?;
    println!(
        "a chain of {} rods\n{:>8} {:>12} {:>16} {:>12}",
        chain.rods, "t [s]", "E [J]", "E in the air [J]", "off [m]"
    );
    for (row, free) in table.rows().zip(in_the_air.rows()).step_by(250) {
        println!("{:8.3} {:12.6} {:16.6} {:12.1e}", row[0], row[1], free[1], row[2]);
    }
    let mut of_shape = Panel::new("The chain at several times", "x [m]", "z [m]");
    for (k, time) in SNAPSHOTS.into_iter().enumerate() {
        if let Some(row) = table.rows().find(|row| row[0] > time - 0.5 * chain.h) {
            let ends = row[3..].chunks_exact(2).map(|end| (end[0], end[1]));
            let points = std::iter::once((0.0, 0.0)).chain(ends).collect();
            let colour = Colour::of_row(k, SNAPSHOTS.len());
            of_shape = of_shape.with(Curve::line(format!("{time} s"), points).coloured(colour));
        }
    }
    let of_energy = Panel::new("Energy", "t [s]", "T + V [J]")
        .with(Curve::line("with a floor", pairs(&table, "t", "E")?))
        .with(Curve::line("in the air", pairs(&in_the_air, "t", "E")?));
    let figure =
        Figure::new("A chain of eight rods, h = 1 ms", vec![of_shape, of_energy]).with_size(880, 760);
    crate::save(&figure, output, "chain_of_joints")
}
