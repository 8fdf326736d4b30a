//! Masonry arch near its least thickness.
//!
//! A half circle of 15 voussoirs with a mean radius R of 1 m lies between two fixed springers. The voussoirs
//! are rigid, the joints carry no tension, and the coefficient of friction is 0.5. By the theorem of
//! Heyman (1969), the arch stands if a line of thrust lies within all joints. This is possible if the
//! thickness t is at least the least thickness
//!
//! $$ t_{\min} = 0.10607 R, $$
//!
//! as plain text: t_min = 0.10607 R. In the limit of many voussoirs, it is 0.1075 R (Milankovitch 1907).
//! Below the least thickness, the arch becomes a mechanism: joints open alternately at the inner and the
//! outer edge, and the voussoirs rotate about these hinges.
//!
//! The figure shows an arch that is 2 % thicker than t_min, and the collapse of an arch that is 2 % thinner.
//! The line of thrust joins the centres of pressure of the joints, computed from the contact forces. In the
//! standing arch, it nearly touches both edges.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/masonry_arch.svg"))]
//!
//! ```
//! use siconos_examples::scenes::masonry_arch::{LEAST_THICKNESS, MasonryArch};
//!
//! let stands = MasonryArch { thickness: 1.02 * LEAST_THICKNESS, ..MasonryArch::default() };
//! let last = stands.simulate(&[0.1])?.pop().expect("a snapshot");
//! // Horizontal equilibrium: the springers carry the weight, and nothing moves.
//! let lift: f64 = last.springers.iter().map(|force| force[1]).sum();
//! assert!((lift / stands.weight() - 1.0).abs() < 1e-6);
//! assert!(last.speed < 1e-6);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Overlaps, Pose, Scene, SceneParts, Shape};

use super::{joined, outline};
use crate::ExampleError;

/// Least thickness of a half circle of 15 voussoirs \[m\], for a mean radius of 1 m.
pub const LEAST_THICKNESS: f64 = 0.106_07;

/// Angle of a joint above which it is a hinge \[rad\].
pub const OPEN: f64 = 2e-3;

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct MasonryArch {
    /// Number of voussoirs.
    pub voussoirs: usize,
    /// Mean radius \[m\].
    pub radius: f64,
    /// Thickness \[m\].
    pub thickness: f64,
    /// Density per area \[kg/m2\].
    pub density: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
}

impl Default for MasonryArch {
    fn default() -> Self {
        Self {
            voussoirs: 15,
            radius: 1.0,
            thickness: 0.98 * LEAST_THICKNESS,
            density: 2000.0,
            mu: 0.5,
            gravity: 9.81,
            h: 1e-3,
        }
    }
}

/// Scene of the arch.
pub struct ArchScene {
    /// Model and contacts.
    pub parts: SceneParts,
    /// Springers, right and left.
    pub springers: [BodyId; 2],
    /// Voussoirs from right to left.
    pub voussoirs: Vec<BodyId>,
}

/// Arch at one time.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Time \[s\].
    pub t: f64,
    /// Poses of the voussoirs from right to left.
    pub poses: Vec<Pose>,
    /// Largest velocity or angular velocity of a voussoir \[m/s, rad/s\].
    pub speed: f64,
    /// Forces on the arch at the right and the left springer \[N\].
    pub springers: [[f64; 2]; 2],
    /// Centres of pressure of the joints that transmit a force \[m\], from right to left.
    pub thrust: Vec<(f64, f64)>,
    /// Centres of pressure of the joints that are open by more than [`OPEN`] \[m\].
    pub hinges: Vec<(f64, f64)>,
}

impl MasonryArch {
    /// Returns the corners of a voussoir with the given number, in counterclockwise order.
    fn corners(&self, number: usize) -> [[f64; 2]; 4] {
        let corner = |k: usize, radius: f64| {
            let (sine, cosine) = (PI * k as f64 / self.voussoirs as f64).sin_cos();
            [radius * cosine, radius * sine]
        };
        let (inner, outer) = (self.radius - 0.5 * self.thickness, self.radius + 0.5 * self.thickness);
        [corner(number, inner), corner(number, outer), corner(number + 1, outer), corner(number + 1, inner)]
    }

    /// Returns the corners of a springer relative to its centre.
    fn springer(&self) -> [[f64; 2]; 4] {
        let (x, y) = (1.5 * self.thickness, 0.1 * self.radius);
        [[-x, -y], [x, -y], [x, y], [-x, y]]
    }

    /// Returns the weight of all voussoirs \[N\].
    #[must_use]
    pub fn weight(&self) -> f64 {
        let angle = PI / self.voussoirs as f64;
        self.voussoirs as f64 * self.density * self.gravity * self.radius * self.thickness * angle.sin()
    }

    /// Builds the scene.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<ArchScene, ExampleError> {
        let laws = ContactLaws::new(NewtonImpactFriction::in_plane(0.0, self.mu)?);
        // Voussoirs in contact overlap by rounding errors.
        let mut scene = Scene::planar()
            .with_laws(laws)
            .with_gravity([0.0, -self.gravity, 0.0])
            .with_overlaps(Overlaps::Accept);
        let springer = Shape::polygon(&self.springer())?;
        let mut add_springer =
            |x: f64| scene.add(Body::fixed(springer.clone()).at([x, -0.1 * self.radius, 0.0]));
        let springers = [add_springer(self.radius)?, add_springer(-self.radius)?];
        let mut voussoirs = Vec::new();
        for k in 0..self.voussoirs {
            let shape = Shape::polygon(&self.corners(k))?;
            voussoirs.push(scene.add(Body::new(shape).with_density(self.density))?);
        }
        Ok(ArchScene { parts: scene.into_parts()?, springers, voussoirs })
    }

    /// Simulates the arch up to the last of the given times \[s\], in increasing order, and returns a
    /// snapshot for each of them.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, times: &[f64]) -> Result<Vec<Snapshot>, ExampleError> {
        let scene = self.scene()?;
        let parts = &scene.parts;
        let end = times.iter().fold(self.h, |end, t| end.max(*t));
        let mut simulation = parts.simulation(TimeDiscretisation::uniform(0.0, end, self.h)?).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let mut snapshots = Vec::new();
        loop {
            while times.get(snapshots.len()).is_some_and(|t| *t < state.t + 0.5 * self.h) {
                snapshots.push(self.snapshot(&scene, &state));
            }
            if simulation.step(&parts.model, &mut state)?.is_none() {
                return Ok(snapshots);
            }
        }
    }

    fn snapshot(&self, scene: &ArchScene, state: &State) -> Snapshot {
        let ArchScene { parts, springers, voussoirs } = scene;
        let systems = voussoirs.iter().filter_map(|id| parts.system(*id));
        let speed = systems.flat_map(|id| state.v(id)).fold(0.0_f64, |speed, v| speed.max(v.abs()));
        // Voussoirs are numbered from right to left, after the springers.
        let sides: Vec<_> = [springers[0]].iter().chain(voussoirs).chain([&springers[1]]).copied().collect();
        let mut forces = Vec::new();
        for pair in sides.windows(2) {
            let (mut force, mut along, mut total) = ([0.0; 2], [0.0; 2], 0.0);
            for contact in state.contacts() {
                let bodies = contact.key.bodies.map(|number| parts.bodies().nth(number as usize));
                if bodies != [Some(pair[0]), Some(pair[1])] && bodies != [Some(pair[1]), Some(pair[0])] {
                    continue;
                }
                let normal = contact.reaction[0];
                total += normal;
                for i in 0..2 {
                    force[i] += contact.impulse[i] / self.h;
                    along[i] += normal * contact.points.first[i];
                }
            }
            forces.push((force, along.map(|x| x / total)));
        }
        let centres = forces.iter().map(|(_, [x, y])| (*x, *y));
        let turns: Vec<f64> = sides.iter().map(|id| parts.pose(state, *id).orientation.log()[2]).collect();
        let is_open = |pair: &[f64]| (pair[1] - pair[0]).abs() > OPEN;
        let hinges = centres.clone().zip(turns.windows(2)).filter(|(_, pair)| is_open(pair));
        let carried = |index: usize| forces.get(index).map_or([0.0; 2], |(force, _)| *force);
        Snapshot {
            t: state.t,
            poses: voussoirs.iter().map(|id| parts.pose(state, *id)).collect(),
            speed,
            springers: [carried(0), carried(self.voussoirs)],
            thrust: centres.clone().filter(|(x, _)| x.is_finite()).collect(),
            hinges: hinges.map(|(centre, _)| centre).filter(|(x, _)| x.is_finite()).collect(),
        }
    }

    /// Draws the arch at one time.
    fn drawing(&self, title: String, snapshot: &Snapshot) -> Panel {
        let springers = [self.radius, -self.radius]
            .map(|x| outline(&Pose::at([x, -0.1 * self.radius, 0.0]), &self.springer()));
        let stones = snapshot.poses.iter().enumerate().map(|(k, pose)| outline(pose, &self.corners(k)));
        Panel { x_range: Some((-1.25, 1.25)), y_range: Some((-0.22, 1.08)), ..Panel::drawing(title) }
            .with(Curve::line("", joined(springers)).coloured(Colour::Black))
            .with(Curve::line("", joined(stones)).coloured(Colour::Blue))
    }
}

/// Times at which the collapse is drawn \[s\].
const SNAPSHOTS: [f64; 5] = [0.3, 0.4, 0.5, 0.6, 0.7];

/// Runs the example, prints forces and velocities, and writes `masonry_arch.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let thick = MasonryArch { thickness: 1.02 * LEAST_THICKNESS, ..MasonryArch::default() };
    let thin = MasonryArch::default();
    let mut panels = Vec::new();
    println!(
        "an arch of {} voussoirs\n{:>10} {:>8} {:>14} {:>14}",
        thin.voussoirs, "t/t_min", "t [s]", "fastest [m/s]", "crown [m]"
    );
    for (arch, times, factor) in [(thick, &[1.0][..], 1.02), (thin, &SNAPSHOTS[..], 0.98)] {
        for snapshot in arch.simulate(times)? {
            let Snapshot { t, speed, .. } = snapshot;
            let crown = snapshot.poses[arch.voussoirs / 2].point([0.0, arch.radius, 0.0])[1];
            println!("{factor:10} {t:8.2} {speed:14.2e} {crown:14.6}");
            let panel = arch.drawing(format!("t = {factor} t_min, after {t:.1} s"), &snapshot);
            panels.push(if factor > 1.0 {
                panel.with(Curve::line("thrust", snapshot.thrust).coloured(Colour::Vermillion))
            } else {
                panel.with(Curve::points("hinges", snapshot.hinges).coloured(Colour::Vermillion))
            });
        }
    }
    let figure = Figure::grid("Arches of 15 voussoirs, R = 1 m, mu = 0.5", 3, panels).with_size(1000, 480);
    crate::save(&figure, output, "masonry_arch")
}
