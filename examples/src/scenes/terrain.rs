//! Bodies that slide and tumble down a terrain.
//!
//! The terrain is a [height field](siconos_mechanics::Shape::height_field) of triangles whose heights are
//! given by a formula. Let s be the horizontal distance from the lower end of the plane part. On the plane,
//! where s is negative,
//!
//! $$ z = -s \tan \alpha, $$
//!
//! as plain text: z = -s tan(alpha), and below the plane
//!
//! $$ z = -\Bigl(c - \frac{c^2}{2 B}\Bigr) \tan \alpha
//!     + H \sin^2 \frac{\pi s}{\lambda} \cos \frac{2 \pi y}{\lambda}, \qquad c = \min(s, B), $$
//!
//! as plain text: z = -(c - c^2 / (2 B)) tan(alpha) + H sin^2(pi s / lambda) cos(2 pi y / lambda) with
//! c = min(s, B). The slope of the plane is alpha, it decreases to zero over the length B, and bumps and
//! hollows of height H and wavelength lambda cover the terrain below the plane.
//!
//! Boxes, prisms and frusta start at rest on the plane, which consists of many triangles. Because
//! tan(alpha) is larger than the coefficient of friction mu, they slide with the acceleration
//!
//! $$ a = g (\sin \alpha - \mu \cos \alpha), $$
//!
//! as plain text: a = g (sin(alpha) - mu cos(alpha)). The acceleration is constant, so the scheme with
//! theta = 1/2 makes no error, and the travel of a body equals a t^2 / 2 up to the tolerance of the contact
//! problems as long as the body is on the plane: the edges between the triangles do not disturb it. Among the
//! bumps, the bodies tumble, collide with the ground and come to rest.
//!
//! The sum of kinetic energy T and potential energy V decreases by the work of friction and impacts. The
//! change of T + V and these works balance in each step, apart from the small work that lifts bodies out of
//! the overlaps of impacts and the error of the scheme.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/terrain.svg"))]
//!
//! ```
//! use siconos_examples::scenes::terrain::Terrain;
//!
//! let terrain = Terrain { t_end: 0.5, ..Terrain::default() };
//! let descent = terrain.simulate(&[])?;
//! let (t, travel) = terrain.travel_on_plane(&descent, 0).pop().expect("the first body is on the plane");
//! let exact = 0.5 * terrain.sliding_acceleration() * t * t;
//! assert!(t == terrain.t_end && exact > 0.15);
//! assert!((travel / exact - 1.0).abs() < 1e-6, "{travel} {exact}");
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::{PI, TAU};
use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, CurveStyle, Figure, Legend, Panel, Scale};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Pose, Scene, SceneParts, Shape};

use super::{Accuracy, joined, reporting_errors};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Terrain {
    /// Slope alpha of the plane part \[rad\].
    pub slope: f64,
    /// Horizontal length L of the plane part \[m\].
    pub plane: f64,
    /// Horizontal length B over which the slope decreases to zero \[m\].
    pub bend: f64,
    /// Horizontal length of the terrain \[m\].
    pub length: f64,
    /// Width of the terrain \[m\].
    pub width: f64,
    /// Height H of the bumps \[m\].
    pub bump: f64,
    /// Wavelength lambda of the bumps \[m\].
    pub wavelength: f64,
    /// Distance of the points of the grid \[m\]; the lengths of the terrain are multiples of it.
    pub spacing: f64,
    /// Coefficient of friction mu.
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

impl Default for Terrain {
    fn default() -> Self {
        Self {
            slope: PI / 6.0,
            plane: 4.0,
            bend: 5.0,
            length: 11.0,
            width: 8.0,
            bump: 0.2,
            wavelength: 2.0,
            spacing: 0.25,
            mu: 0.35,
            gravity: 9.81,
            tolerance: 1e-8,
            h: 2e-3,
            t_end: 6.0,
        }
    }
}

/// Frustum: a polygon in the plane z = 0 of the body, and a similar polygon above it.
struct Frustum {
    name: &'static str,
    base: Vec<[f64; 2]>,
    /// Ratio of the upper polygon to the base.
    taper: f64,
    height: f64,
}

impl Frustum {
    fn cuboid(name: &'static str, [a, b, c]: [f64; 3]) -> Self {
        let base = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
        Self { name, base: base.map(|[x, y]| [0.5 * a * x, 0.5 * b * y]).to_vec(), taper: 1.0, height: c }
    }

    /// Creates a frustum over a regular polygon that has the given radius and height \[m\].
    fn regular(name: &'static str, sides: u32, [radius, height]: [f64; 2], taper: f64) -> Self {
        let corner = |k: u32| {
            let (sine, cosine) = (TAU * f64::from(k) / f64::from(sides)).sin_cos();
            [radius * cosine, radius * sine]
        };
        Self { name, base: (0..sides).map(corner).collect(), taper, height }
    }

    /// Returns the corners of the base followed by the corners of the upper polygon.
    fn corners(&self) -> Vec<[f64; 3]> {
        let upper = |[x, y]: &[f64; 2]| [self.taper * x, self.taper * y, self.height];
        self.base.iter().map(|[x, y]| [*x, *y, 0.0]).chain(self.base.iter().map(upper)).collect()
    }

    /// Returns the edges in a pose as seen along a direction. `view` returns the coordinates in the drawing.
    fn edges(&self, pose: &Pose, view: impl Fn([f64; 3]) -> (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let seen = self.corners().into_iter().map(|corner| view(pose.point(corner)));
        let corners: Vec<(f64, f64)> = seen.collect();
        let sides = self.base.len();
        let around = |k: usize| {
            let next = (k + 1) % sides;
            [[k, next], [sides + k, sides + next], [k, sides + k]]
        };
        // An edge along the direction of view is omitted; it would be drawn as a dot.
        let is_long = |[a, b]: &[(f64, f64); 2]| (a.0 - b.0).hypot(a.1 - b.1) > 0.02 * self.height;
        let edges = (0..sides).flat_map(around).map(|ends| ends.map(|corner| corners[corner]));
        edges.filter(is_long).map(|ends| ends.to_vec()).collect()
    }
}

/// Returns the bodies of the example, each with its place (x, y) on the plane \[m\].
fn bodies() -> Vec<([f64; 2], Frustum)> {
    vec![
        ([0.8, -2.5], Frustum::cuboid("box", [0.5, 0.4, 0.3])),
        ([0.8, -1.0], Frustum::regular("hexagonal prism", 6, [0.25, 0.3], 1.0)),
        ([0.8, 0.5], Frustum::regular("square frustum", 4, [0.35, 0.35], 0.5)),
        ([0.8, 2.0], Frustum::cuboid("cube", [0.4; 3])),
        ([2.2, -1.75], Frustum::cuboid("plate", [0.3, 0.6, 0.2])),
        ([2.2, 1.25], Frustum::regular("triangular frustum", 3, [0.35, 0.3], 0.8)),
    ]
}

/// Motion of the bodies.
pub struct Descent {
    /// Energies \[J\] over time, in the columns t, T, V, friction and impacts. The last two are the energies
    /// that have been dissipated. The column balance is the change of T + V since the start, plus the
    /// dissipated energies, minus the work that lifted bodies out of overlaps.
    pub table: Table,
    /// Centre of mass \[m\] of each body at the start and after each step.
    pub paths: Vec<Vec<[f64; 3]>>,
    /// Poses of the bodies at the requested times.
    pub snapshots: Vec<Vec<Pose>>,
    /// Accuracy of the contact problems.
    pub accuracy: Accuracy,
}

impl Terrain {
    /// Returns the height of the terrain \[m\].
    #[must_use]
    pub fn height(&self, x: f64, y: f64) -> f64 {
        let (s, slope) = (x - self.plane, self.slope.tan());
        if s <= 0.0 {
            return -slope * s;
        }
        let c = s.min(self.bend);
        let wave = (PI * s / self.wavelength).sin().powi(2) * (TAU * y / self.wavelength).cos();
        self.bump * wave - slope * (c - 0.5 * c * c / self.bend)
    }

    /// Returns the acceleration of a body that slides down the plane \[m/s2\].
    #[must_use]
    pub fn sliding_acceleration(&self) -> f64 {
        self.gravity * (self.slope.sin() - self.mu * self.slope.cos())
    }

    /// Returns the number of cells of the grid along x and y.
    fn cells(&self) -> [usize; 2] {
        [self.length, self.width].map(|length| (length / self.spacing).round() as usize)
    }

    /// Returns the position of a point of the grid.
    fn grid_point(&self, i: usize, j: usize) -> [f64; 3] {
        let [x, y] = [self.spacing * i as f64, self.spacing * j as f64 - 0.5 * self.width];
        [x, y, self.height(x, y)]
    }

    /// Builds the scene. The second element contains the bodies.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<(SceneParts, Vec<BodyId>), ExampleError> {
        let law = NewtonImpactFriction::in_space(0.0, self.mu)?;
        let mut scene = Scene::new().with_laws(ContactLaws::new(law)).with_gravity([0.0, 0.0, -self.gravity]);
        let [columns, rows] = self.cells();
        let heights: Vec<Vec<f64>> =
            (0..=rows).map(|j| (0..=columns).map(|i| self.grid_point(i, j)[2]).collect()).collect();
        let ground = Shape::height_field(&heights, [self.spacing; 2])?;
        scene.add(Body::fixed(ground).at([0.5 * self.length, 0.0, 0.0]))?;
        let on_plane = Quaternion::about([0.0, 1.0, 0.0], self.slope);
        let mut free = Vec::new();
        for ([x, y], frustum) in bodies() {
            let shape = Shape::hull(&frustum.corners())?;
            let body = Body::new(shape).with_density(DENSITY).turned(on_plane);
            free.push(scene.add(body.at([x, y, self.height(x, y)]))?);
        }
        Ok((scene.into_parts()?, free))
    }

    /// Simulates the motion. Records the poses at the given times \[s\], in increasing order.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, times: &[f64]) -> Result<Descent, ExampleError> {
        let (parts, free) = self.scene()?;
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let builder = reporting_errors(parts.simulation(grid), self.tolerance);
        let mut simulation = builder.energy_balance(true).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let systems: Vec<DynamicalSystemId> = free.iter().filter_map(|id| parts.system(*id)).collect();
        let masses = bodies()
            .iter()
            .map(|(_, frustum)| Ok(Shape::hull(&frustum.corners())?.mass_properties(DENSITY)?.mass))
            .collect::<Result<Vec<f64>, ExampleError>>()?;
        let mut descent = Descent {
            table: Table::new(["t", "T", "V", "friction", "impacts", "balance"]),
            paths: vec![Vec::new(); systems.len()],
            snapshots: Vec::new(),
            accuracy: Accuracy::new(self.tolerance),
        };
        let (mut kinetic, mut friction, mut impacts, mut lifting) = (0.0, 0.0, 0.0, 0.0);
        let mut start = None;
        loop {
            let mut potential = 0.0;
            for ((path, id), mass) in descent.paths.iter_mut().zip(&systems).zip(&masses) {
                let q = state.q(*id);
                path.push([q[0], q[1], q[2]]);
                potential += mass * self.gravity * q[2];
            }
            let change = kinetic + potential - *start.get_or_insert(kinetic + potential);
            let balance = change + friction + impacts - lifting;
            descent.table.push_row(&[state.t, kinetic, potential, friction, impacts, balance])?;
            while times.get(descent.snapshots.len()).is_some_and(|t| *t < state.t + 0.5 * self.h) {
                descent.snapshots.push(free.iter().map(|id| parts.pose(&state, *id)).collect());
            }
            let Some(report) = simulation.step(&parts.model, &mut state)? else { return Ok(descent) };
            descent.accuracy.record(&report);
            if let Some(energy) = report.energy {
                kinetic = energy.kinetic;
                friction -= energy.tangential;
                impacts -= energy.normal;
                lifting += energy.projection;
            }
        }
    }

    /// Returns the travel \[m\] of a body over time as long as it is on the plane.
    #[must_use]
    pub fn travel_on_plane(&self, descent: &Descent, body: usize) -> Vec<(f64, f64)> {
        let (Some(path), Some((_, frustum))) = (descent.paths.get(body), bodies().into_iter().nth(body))
        else {
            return Vec::new();
        };
        let reach = frustum.base.iter().map(|[x, _]| x * self.slope.cos()).fold(0.0, f64::max);
        let Some([x0, _, z0]) = path.first().copied() else { return Vec::new() };
        let times = descent.table.rows().map(|row| row[0]);
        let along = times.zip(path).take_while(|(_, [x, ..])| x + reach < self.plane);
        along.map(|(t, [x, _, z])| (t, (x - x0) * self.slope.cos() - (z - z0) * self.slope.sin())).collect()
    }

    /// Returns the lines of equal height of the grid, with the given difference between neighbouring lines.
    fn contours(&self, step: f64) -> Vec<(f64, f64)> {
        let [columns, rows] = self.cells();
        let mut lines = Vec::new();
        for (i, j) in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
            let [a, b] = [self.grid_point(i, j), self.grid_point(i + 1, j)];
            let [c, d] = [self.grid_point(i + 1, j + 1), self.grid_point(i, j + 1)];
            // The diagonal of the height field.
            for triangle in [[a, b, c], [a, c, d]] {
                // Levels between multiples of the step, because corners at a level give segments of length 0.
                let heights = triangle.map(|[_, _, z]| z / step - 0.5);
                let lowest = heights.into_iter().fold(f64::INFINITY, f64::min);
                let highest = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
                let levels = (lowest.ceil() as i64)..=(highest.floor() as i64);
                lines.extend(levels.filter_map(|level| crossing(triangle, step * (level as f64 + 0.5))));
            }
        }
        joined(lines)
    }
}

/// Returns the segment in which a triangle has a given height.
fn crossing(triangle: [[f64; 3]; 3], level: f64) -> Option<Vec<(f64, f64)>> {
    let sides = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| [triangle[from], triangle[to]]);
    let ends: Vec<(f64, f64)> = sides
        .iter()
        .filter(|[from, to]| (from[2] < level) != (to[2] < level))
        .map(|[from, to]| {
            let share = (level - from[2]) / (to[2] - from[2]);
            (from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]))
        })
        .collect();
    // A segment of length 0 would be drawn as a dot.
    (ends.len() == 2 && (ends[0].0 - ends[1].0).hypot(ends[0].1 - ends[1].1) > 1e-9).then_some(ends)
}

/// Density of the bodies \[kg/m3\].
const DENSITY: f64 = 1000.0;

/// Times of the outlines in the figure \[s\].
const SNAPSHOTS: [f64; 7] = [0.0, 1.0, 1.5, 2.0, 2.5, 3.5, 6.0];

/// Distance of the lines of equal height \[m\].
const CONTOUR: f64 = 0.15;

/// Runs the example, prints energies, and writes `terrain.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let terrain = Terrain::default();
    let descent = terrain.simulate(&SNAPSHOTS)?;
    let Descent { table, paths, snapshots, accuracy } = &descent;
    println!("{} bodies, {accuracy}", paths.len());
    println!(
        "{:>8} {:>10} {:>10} {:>14} {:>14} {:>12}",
        "t [s]", "T [J]", "V [J]", "friction [J]", "impacts [J]", "balance [J]"
    );
    for row in table.rows().step_by(250) {
        println!(
            "{:8.3} {:10.3} {:10.3} {:14.3} {:14.3} {:12.1e}",
            row[0], row[1], row[2], row[3], row[4], row[5]
        );
    }
    let acceleration = terrain.sliding_acceleration();
    println!(
        "\nacceleration on the plane: {acceleration:.4} m/s2\n{:>20} {:>8} {:>12}",
        "body", "t [s]", "error [m]"
    );
    let solids: Vec<Frustum> = bodies().into_iter().map(|(_, solid)| solid).collect();
    let mut top = Panel {
        x_range: Some((0.0, terrain.length)),
        y_range: Some((-0.5 * terrain.width, 0.5 * terrain.width)),
        legend: Legend::Hidden,
        ..Panel::drawing(format!("From above, with lines of equal height every {CONTOUR} m"))
    }
    .with(
        Curve { style: CurveStyle::Jump, ..Curve::line("", terrain.contours(CONTOUR)) }
            .coloured(Colour::Grey),
    );
    let mut of_errors = Panel {
        y_scale: Scale::Logarithmic,
        y_range: Some((1e-14, 1e-8)),
        ..Panel::new("On the plane: error of the travel", "t [s]", "|travel − a t²/2| [m]")
    };
    let outlines = |index: usize, view: fn([f64; 3]) -> (f64, f64)| {
        let shown = snapshots.iter().filter_map(|poses| poses.get(index));
        joined(shown.flat_map(|pose| solids[index].edges(pose, view)))
    };
    for (index, (path, solid)) in paths.iter().zip(&solids).enumerate() {
        let colour = Colour::cycle(index);
        let line = path.iter().map(|[x, y, _]| (*x, *y)).collect();
        top = top
            .with(Curve::line("", line).coloured(colour))
            .with(Curve::line("", outlines(index, |[x, y, _]| (x, y))).coloured(colour));
        let travel = terrain.travel_on_plane(&descent, index);
        let error = |(t, travel): (f64, f64)| (t, (travel - 0.5 * acceleration * t * t).abs());
        let errors: Vec<(f64, f64)> = travel.into_iter().map(error).collect();
        if let Some((t, error)) = errors.last() {
            println!("{:>20} {t:8.3} {error:12.1e}", solid.name);
        }
        of_errors = of_errors.with(Curve::line(solid.name, errors).coloured(colour));
    }
    let path = &paths[0];
    let below = |[x, y, _]: &[f64; 3]| (*x, terrain.height(*x, *y));
    let before = path.first().map(|[_, y, _]| (0.0, terrain.height(0.0, *y)));
    let profile = before.into_iter().chain(path.iter().map(below)).collect();
    let side = Panel::drawing(format!("Side view of the {}, and the terrain below its path", solids[0].name))
        .with(Curve::line("", profile).coloured(Colour::Black))
        .with(Curve::line("", path.iter().map(|[x, _, z]| (*x, *z)).collect()).coloured(Colour::cycle(0)))
        .with(Curve::line("", outlines(0, |[x, _, z]| (x, z))).coloured(Colour::cycle(0)));
    let of_energy = Panel::new("Energy of all bodies", "t [s]", "energy [J]")
        .with(Curve::line("T", pairs(table, "t", "T")?))
        .with(Curve::line("V", pairs(table, "t", "V")?))
        .with(Curve::line("lost by friction", pairs(table, "t", "friction")?))
        .with(Curve::line("lost by impacts", pairs(table, "t", "impacts")?));
    let title = format!(
        "{} bodies slide and tumble down a terrain with a slope of {:.0}°, mu = {}",
        paths.len(),
        terrain.slope.to_degrees(),
        terrain.mu
    );
    let figure = Figure::grid(title, 2, vec![top, side, of_energy, of_errors]);
    crate::save(&figure.with_size(1100, 760), output, "terrain")
}
