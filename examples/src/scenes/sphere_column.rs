//! Column of spheres that collapses into a heap.
//!
//! Spheres with a radius of 5 cm stand on level ground in layers of 5 x 5, eight layers high. Each sphere is
//! displaced by a random distance of at most 10 % of its radius along each axis, so the column is not in
//! equilibrium. It collapses, and the spheres spread on the ground. The coefficient of friction is 0.5, and
//! contacts have no restitution. There is no rolling friction, so spheres that have left the heap roll on at
//! constant speed, and the kinetic energy does not vanish.
//!
//! The figure shows the spheres from the side, coloured by layer, and the energies. Impacts and friction
//! dissipate energy, so the sum of kinetic energy T and potential energy V decreases, apart from the small
//! work $W_P$ (as plain text: W_P) that lifts spheres out of the overlaps of impacts. A sphere that leaves a
//! contact and returns to it within a step gains at most $m g^2 h^2 / 8$ (as plain text: m g^2 h^2 / 8), an
//! error of the time step.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/sphere_column.svg"))]
//!
//! ```
//! use siconos_examples::scenes::sphere_column::SphereColumn;
//!
//! let column = SphereColumn { side: 2, layers: 3, t_end: 0.3, ..SphereColumn::default() };
//! let table = column.simulate(&[])?.table;
//! let error = 12.0 * column.mass() * (column.gravity * column.h).powi(2) / 8.0;
//! let mut before = f64::INFINITY;
//! for row in table.rows() {
//!     let total = row[1] + row[2];
//!     assert!(total - row[4] <= before + error, "no energy is created");
//!     before = total;
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Scene, SceneParts, Shape};

use super::{Random, circle, joined};
use crate::{ExampleError, kinetic_energy, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct SphereColumn {
    /// Number of spheres along each side of a layer.
    pub side: usize,
    /// Number of layers.
    pub layers: usize,
    /// Radius of a sphere \[m\].
    pub radius: f64,
    /// Density \[kg/m3\].
    pub density: f64,
    /// Largest displacement of a sphere at the start, as a fraction of the radius.
    pub disorder: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for SphereColumn {
    fn default() -> Self {
        Self {
            side: 5,
            layers: 8,
            radius: 0.05,
            density: 1000.0,
            disorder: 0.1,
            mu: 0.5,
            gravity: 9.81,
            h: 2e-3,
            t_end: 1.0,
        }
    }
}

/// Motion of the column.
pub struct Collapse {
    /// Kinetic energy T and potential energy V \[J\] over time, in the columns t, T, V, and the number of
    /// contacts in the column contacts. The column W_P is the work of the last step that lifts spheres out of
    /// overlaps \[J\].
    pub table: Table,
    /// Centres of the spheres \[m\] at the requested times, layer by layer.
    pub snapshots: Vec<Vec<[f64; 3]>>,
}

impl SphereColumn {
    /// Returns the mass of a sphere \[kg\].
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.density * 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3)
    }

    /// Builds the scene. The second element contains the spheres, layer by layer.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<(SceneParts, Vec<BodyId>), ExampleError> {
        let law = NewtonImpactFriction::in_space(0.0, self.mu)?;
        let mut scene = Scene::new().with_laws(ContactLaws::new(law)).with_gravity([0.0, 0.0, -self.gravity]);
        scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0])?))?;
        let ball = Shape::ball(self.radius)?;
        let distance = 2.0 * self.radius * (1.0 + self.disorder);
        let middle = 0.5 * (self.side as f64 - 1.0);
        let (mut spheres, mut random) = (Vec::new(), Random(1));
        for k in 0..self.side * self.side * self.layers {
            let place = [k % self.side, k / self.side % self.side, k / (self.side * self.side)];
            let ideal = [place[0] as f64 - middle, place[1] as f64 - middle, place[2] as f64 + 0.5];
            let at = ideal.map(|x| distance * x + self.disorder * self.radius * random.next());
            spheres.push(scene.add(Body::new(ball.clone()).with_density(self.density).at(at))?);
        }
        Ok((scene.into_parts()?, spheres))
    }

    /// Simulates the collapse. Records the positions at the given times \[s\], in increasing order.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, times: &[f64]) -> Result<Collapse, ExampleError> {
        let (parts, spheres) = self.scene()?;
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let mut simulation = parts.simulation(grid).energy_balance(true).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let centres = |state: &State| -> Vec<[f64; 3]> {
            spheres.iter().map(|id| parts.pose(state, *id).position).collect()
        };
        let (mass, moment) = (self.mass(), 0.4 * self.mass() * self.radius * self.radius);
        let sample = |state: &State, lifting: f64| {
            let systems = spheres.iter().filter_map(|id| parts.system(*id));
            let kinetic: f64 = systems.map(|id| kinetic_energy(mass, [moment; 3], state.v(id))).sum();
            let potential: f64 = centres(state).iter().map(|[_, _, z]| mass * self.gravity * z).sum();
            [state.t, kinetic, potential, state.contacts().len() as f64, lifting]
        };
        let mut table = Table::new(["t", "T", "V", "contacts", "W_P"]);
        let (mut snapshots, mut lifting) = (Vec::new(), 0.0);
        loop {
            table.push_row(&sample(&state, lifting))?;
            while times.get(snapshots.len()).is_some_and(|t| *t < state.t + 0.5 * self.h) {
                snapshots.push(centres(&state));
            }
            let Some(report) = simulation.step(&parts.model, &mut state)? else {
                return Ok(Collapse { table, snapshots });
            };
            lifting = report.energy.map_or(0.0, |energy| energy.projection);
        }
    }

    /// Draws the visible parts of the outlines of the spheres from the side, with one colour for each layer
    /// at the start.
    fn drawing(&self, title: String, centres: &[[f64; 3]]) -> Panel {
        let mut panel =
            Panel { x_range: Some((-1.2, 1.2)), y_range: Some((-0.03, 0.92)), ..Panel::drawing(title) }
                .with(Curve::line("", vec![(-1.2, 0.0), (1.2, 0.0)]).coloured(Colour::Black));
        // The view is along y.
        let is_hidden = |y: f64, (x, z): (f64, f64)| {
            let covers = |other: &&[f64; 3]| other[1] < y && (other[0] - x).hypot(other[2] - z) < self.radius;
            centres.iter().any(|other| covers(&other))
        };
        for (layer, spheres) in centres.chunks(self.side * self.side).enumerate() {
            let outlines = spheres.iter().map(|[x, y, z]| {
                let mut points = circle((*x, *z), self.radius);
                let is_lost: Vec<bool> = points.iter().map(|point| is_hidden(*y, *point)).collect();
                // A single visible point would be drawn as a dot.
                let last = points.len() - 1;
                for (k, point) in points.iter_mut().enumerate() {
                    if is_lost[k] || (is_lost[k.saturating_sub(1)] && is_lost[(k + 1).min(last)]) {
                        *point = (f64::NAN, f64::NAN);
                    }
                }
                points
            });
            panel =
                panel.with(Curve::line("", joined(outlines)).coloured(Colour::of_row(layer, self.layers)));
        }
        panel
    }
}

/// Times of the snapshots \[s\].
const SNAPSHOTS: [f64; 5] = [0.0, 0.2, 0.4, 0.6, 1.0];

/// Runs the example, prints energies, and writes `sphere_column.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let column = SphereColumn::default();
    let Collapse { table, snapshots } = column.simulate(&SNAPSHOTS)?;
    let count = column.side * column.side * column.layers;
    println!("{count} spheres\n{:>8} {:>12} {:>12} {:>10}", "t [s]", "T [J]", "V [J]", "contacts");
    for row in table.rows().step_by(50) {
        println!("{:8.3} {:12.3} {:12.3} {:10}", row[0], row[1], row[2], row[3]);
    }
    let mut panels: Vec<Panel> = SNAPSHOTS
        .iter()
        .zip(&snapshots)
        .map(|(t, centres)| column.drawing(format!("t = {t} s"), centres))
        .collect();
    let total = table.rows().map(|row| (row[0], row[1] + row[2])).collect();
    panels.push(
        Panel::new("Energy", "t [s]", "energy [J]")
            .with(Curve::line("T", pairs(&table, "t", "T")?))
            .with(Curve::line("V", pairs(&table, "t", "V")?))
            .with(Curve::line("T + V", total)),
    );
    let title = format!("A column of {count} spheres collapses (side view, coloured by layer)");
    crate::save(&Figure::grid(title, 2, panels).with_size(1100, 840), output, "sphere_column")
}
