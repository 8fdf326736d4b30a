//! Discs in a rotating drum.
//!
//! A ring of fixed segments rotates about a horizontal axis at constant angular velocity. It contains discs
//! whose radii differ by up to 10 %, so that they do not form a lattice. The surface of the discs rises until
//! it becomes unstable, and a layer flows down. The dynamic angle of repose is the mean slope of the
//! surface. The motion depends on the Froude number
//!
//! $$ \mathrm{Fr} = \frac{\omega^2 R}{g}, $$
//!
//! as plain text: Fr = omega^2 R / g. Here Fr is 0.025, in the range of the cascading motion (0.001 to 0.1,
//! Mellmann 2001). The bed is about twenty discs thick, so the surface is nearly plane, apart from the
//! avalanches: the bed rises as one body until the surface exceeds a maximum slope, and then flows down to a
//! smaller slope. The tolerance of the contact problems is 1e-2, relative to the velocities of the whole bed.
//! The mean slope varies by about one degree if the step is halved, if the tolerance is 1e-3, or if the discs
//! start from another lattice.
//!
//! The slope is computed from the centre of mass of the discs: the line from the axis of the drum to the
//! centre of mass is perpendicular to a plane surface,
//!
//! $$ \tan \alpha = x_c / y_c, $$
//!
//! as plain text: tan(alpha) = x_c / y_c, with y upwards. The drum is a
//! [driven body](siconos_mechanics::Body::driven) with one contactor for each segment.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/rotating_drum.svg"))]
//!
//! ```
//! use siconos_examples::scenes::rotating_drum::RotatingDrum;
//!
//! let few = RotatingDrum { discs: 40, disc_radius: 0.02, ..RotatingDrum::default() };
//! let drum = RotatingDrum { tolerance: 1e-8, t_end: 0.5, ..few };
//! let tumbling = drum.simulate()?;
//! assert_eq!(tumbling.accuracy.unconverged, 0);
//! let stays = |x: f64, y: f64| x.hypot(y) < drum.radius;
//! assert!(tumbling.end.iter().all(|[x, y, _]| stays(*x, *y)), "all discs are in the drum");
//! // The drum rotates clockwise by 28.6 degrees and carries the discs up on the left.
//! assert!(tumbling.table.rows().last().is_some_and(|row| row[1] > 10.0 && row[1] < 29.0));
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Motion, Pose, Scene, SceneParts, Shape};

use super::{Accuracy, LAYERS, Random, circle, joined, outline, reporting_errors};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct RotatingDrum {
    /// Number of discs.
    pub discs: usize,
    /// Mean radius of the discs \[m\].
    pub disc_radius: f64,
    /// Largest deviation of a radius from the mean, as a fraction of the mean.
    pub disorder: f64,
    /// Inner radius of the drum \[m\], the distance from the axis to the corners of the segments.
    pub radius: f64,
    /// Number of segments of the drum.
    pub segments: usize,
    /// Angular velocity of the drum, clockwise \[rad/s\].
    pub omega: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Tolerance of the relative error of a contact problem.
    pub tolerance: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for RotatingDrum {
    fn default() -> Self {
        Self {
            discs: 500,
            disc_radius: 0.007,
            disorder: 0.1,
            radius: 0.25,
            segments: 36,
            omega: 1.0,
            mu: 0.5,
            gravity: 9.81,
            tolerance: 1e-2,
            h: 2.5e-3,
            t_end: 2.5,
        }
    }
}

/// Motion of the discs.
pub struct Tumbling {
    /// Slope of the surface \[degrees\] over time, in the columns t and slope.
    pub table: Table,
    /// Position \[m\] and angle \[rad\] of the discs at the start.
    pub start: Vec<[f64; 3]>,
    /// Position \[m\] and angle \[rad\] of the discs at the end.
    pub end: Vec<[f64; 3]>,
    /// Accuracy of the contact problems.
    pub accuracy: Accuracy,
}

/// Scene of the drum.
pub struct DrumScene {
    /// Model and contacts.
    pub parts: SceneParts,
    /// Drum.
    pub drum: BodyId,
    /// Discs in the order of their height at the start.
    pub discs: Vec<BodyId>,
    /// Radii of the discs \[m\].
    pub radii: Vec<f64>,
}

impl RotatingDrum {
    /// Returns the Froude number.
    #[must_use]
    pub fn froude(&self) -> f64 {
        self.omega * self.omega * self.radius / self.gravity
    }

    /// Returns the corners of a segment of the drum, in counterclockwise order.
    fn segment(&self, number: usize) -> [[f64; 2]; 4] {
        let corner = |k: usize, radius: f64| {
            let (sine, cosine) = (TAU * k as f64 / self.segments as f64).sin_cos();
            [radius * cosine, radius * sine]
        };
        let (inner, outer) = (self.radius, self.radius + self.disc_radius);
        [corner(number, inner), corner(number, outer), corner(number + 1, outer), corner(number + 1, inner)]
    }

    /// Returns the centres of the discs at the start, in rows from the bottom of the drum.
    fn places(&self) -> Vec<[f64; 2]> {
        let distance = 2.0 * self.disc_radius * (1.0 + self.disorder);
        // Inner radius of the polygon.
        let inner = self.radius * (0.5 * TAU / self.segments as f64).cos();
        let reach = inner - 0.5 * distance;
        let mut places = Vec::new();
        let mut y = -reach;
        while y < reach {
            let half = (reach * reach - y * y).max(0.0).sqrt();
            let count = (2.0 * half / distance) as usize + 1;
            places.extend((0..count).map(|k| [distance * (k as f64 - 0.5 * (count as f64 - 1.0)), y]));
            y += distance;
        }
        places.truncate(self.discs);
        places
    }

    /// Builds the scene.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<DrumScene, ExampleError> {
        let laws = ContactLaws::new(NewtonImpactFriction::in_plane(0.0, self.mu)?);
        let mut scene = Scene::planar().with_laws(laws).with_gravity([0.0, -self.gravity, 0.0]);
        let motion = Motion { omega: [0.0, 0.0, -self.omega], ..Motion::default() };
        let mut drum = Body::driven(Shape::polygon(&self.segment(0))?, motion);
        for k in 1..self.segments {
            drum = drum.with_contactor(Shape::polygon(&self.segment(k))?);
        }
        let drum = scene.add(drum)?;
        let (mut discs, mut radii, mut random) = (Vec::new(), Vec::new(), Random(3));
        for [x, y] in self.places() {
            let radius = self.disc_radius * (1.0 + self.disorder * random.next());
            discs.push(scene.add(Body::new(Shape::ball(radius)?).at([x, y, 0.0]))?);
            radii.push(radius);
        }
        Ok(DrumScene { parts: scene.into_parts()?, drum, discs, radii })
    }

    /// Simulates the motion.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Tumbling, ExampleError> {
        let DrumScene { parts, discs, radii, .. } = self.scene()?;
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let mut simulation = reporting_errors(parts.simulation(grid), self.tolerance).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let systems: Vec<_> = discs.iter().filter_map(|id| parts.system(*id)).collect();
        let places = |state: &State| -> Vec<[f64; 3]> {
            systems.iter().map(|id| [state.q(*id)[0], state.q(*id)[1], state.q(*id)[2]]).collect()
        };
        let sample = |state: &State| {
            let weighted = places(state).into_iter().zip(&radii).fold(
                [0.0; 2],
                |[x, y], (place, radius): ([f64; 3], &f64)| {
                    [x + radius * radius * place[0], y + radius * radius * place[1]]
                },
            );
            [state.t, (-weighted[0]).atan2(-weighted[1]).to_degrees()]
        };
        let mut table = Table::new(["t", "slope"]);
        let start = places(&state);
        table.push_row(&sample(&state))?;
        let mut accuracy = Accuracy::new(self.tolerance);
        while let Some(report) = simulation.step(&parts.model, &mut state)? {
            accuracy.record(&report);
            table.push_row(&sample(&state))?;
        }
        let end = places(&state);
        Ok(Tumbling { table, start, end, accuracy })
    }
}

/// Runs the example, prints slopes, and writes `rotating_drum.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let drum = RotatingDrum::default();
    let radii = drum.scene()?.radii;
    let Tumbling { table, start, end, accuracy } = drum.simulate()?;
    println!("{} discs, {accuracy}\n{:>8} {:>14}", start.len(), "t [s]", "slope [degrees]");
    for row in table.rows().step_by(100) {
        println!("{:8.3} {:14.3}", row[0], row[1]);
    }
    let late: Vec<f64> = table.rows().filter(|row| row[0] > SETTLED).map(|row| row[1]).collect();
    let mean = late.iter().sum::<f64>() / late.len() as f64;
    let deviation = (late.iter().map(|slope| (slope - mean).powi(2)).sum::<f64>() / late.len() as f64).sqrt();
    println!("slope after {SETTLED} s: {mean:.2} degrees, standard deviation {deviation:.2} degrees");
    let drawing = |t: f64, places: &[[f64; 3]]| {
        let pose =
            Pose { orientation: Quaternion::about([0.0, 0.0, 1.0], -drum.omega * t), ..Pose::IDENTITY };
        let ring = (0..drum.segments).map(|k| outline(&pose, &drum.segment(k)));
        let mut panel =
            Panel::drawing(format!("t = {t} s")).with(Curve::line("", joined(ring)).coloured(Colour::Grey));
        // One colour for each fifth of the discs, from the bottom at the start.
        for layer in 0..LAYERS {
            let own =
                places.iter().zip(&radii).enumerate().filter(|(k, _)| k * LAYERS / places.len() == layer);
            let discs = own.map(|(_, ([x, y, _], radius))| circle((*x, *y), *radius));
            panel = panel.with(Curve::line("", joined(discs)).coloured(Colour::of_row(layer, LAYERS)));
        }
        panel
    };
    let first = drawing(0.0, &start);
    let surface = {
        let (sine, cosine) = mean.to_radians().sin_cos();
        let (x, y) = (drum.radius * cosine, drum.radius * sine);
        vec![(-x, y), (x, -y)]
    };
    let last = drawing(drum.t_end, &end).with(Curve::dashed("mean slope", surface).coloured(Colour::Black));
    let of_slope = Panel::new("Slope of the surface", "t [s]", "slope [degrees]")
        .with(Curve::line("slope", pairs(&table, "t", "slope")?))
        .with(
            Curve::dashed(format!("mean after {SETTLED} s"), vec![(SETTLED, mean), (drum.t_end, mean)])
                .coloured(Colour::Black),
        );
    let title = format!(
        "{} discs in a rotating drum, omega = {} rad/s, Fr = {:.3}, mu = {}",
        start.len(),
        drum.omega,
        drum.froude(),
        drum.mu
    );
    let figure = Figure::grid(title, 3, vec![first, last, of_slope]);
    crate::save(&figure.with_size(1200, 440), output, "rotating_drum")
}

/// Time after which the slope is averaged \[s\].
const SETTLED: f64 = 1.2;
