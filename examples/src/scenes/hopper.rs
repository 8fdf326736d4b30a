//! Hopper that is filled with grains during the run and discharges through an outlet.
//!
//! Grains (discs in the plane whose radii deviate from the mean by up to 20 %) are added at random places
//! above a hopper, at a given rate, until a given number is reached. If a grain would overlap another one,
//! its addition is postponed to the next step, at another random place. A gate closes the outlet between two
//! inclined walls; its removal starts the discharge. A grain that has fallen below a given level is removed.
//! Bodies are added and removed between two steps by [`SceneParts::add`](siconos_mechanics::SceneParts::add)
//! and [`remove`](siconos_mechanics::SceneParts::remove), and
//! [`overlaps`](siconos_mechanics::SceneParts::overlaps) lists the bodies that a new body would overlap.
//!
//! The discharge rate of a liquid decreases with the height of its surface. The discharge rate of grains does
//! not depend on the height of the bed: the grains start their free fall at an arch above the outlet, whose
//! size is proportional to the width W of the outlet. With the bulk density rho (mass of the grains divided
//! by the area of the bed), the law of Beverloo, Leniger and van de Velde (1961) is in the plane
//!
//! $$ \dot m = C \rho \sqrt{g} (W - k d)^{3/2}, $$
//!
//! as plain text: rate = C rho sqrt(g) (W - k d)^(3/2), with the diameter d of the grains and two constants
//! from experiments. Mankoc et al. (2007) measured and simulated outlets of many widths in two and three
//! dimensions: laws of this form fit the data only in a small range of widths.
//!
//! **Published constants.** C is between 0.55 and 0.65 for circular outlets in flat bottoms, and k is between
//! 1 and 2 (Nedderman 1992). Beverloo et al. found C = 0.58 and k = 1.4. For a long slot, which is the outlet
//! of a plane hopper, the law is applied with the hydraulic diameter, four times the area of the outlet
//! divided by its perimeter (Nedderman 1992). This multiplies C by $4 \sqrt{2} / \pi = 1.80$
//! (as plain text: 4 sqrt(2) / pi = 1.80), so C is between 0.99 and 1.17.
//!
//! **Measured values.** The rate is measured while the discharged mass increases from 20 % to 60 % of the
//! mass of all grains, and the bulk density is the mean in the lower 40 % of the wedge between the inclined
//! walls during this time. No constant is fitted: the figure compares the rates at three widths with the law
//! for both ranges of C, and the example prints the exponent that the rates at the smallest and the largest
//! width give. The rates are above the law for slots. The law is for flat bottoms, and steep walls raise the
//! rate (Rose and Tanaka 1959). During the measurement 240 grains leave, so the rates fluctuate by some
//! percent.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/hopper.svg"))]
//!
//! ```
//! use siconos_examples::scenes::hopper::Hopper;
//!
//! let hopper = Hopper { grains: 40, t_end: 1.5, ..Hopper::default() };
//! let discharge = hopper.simulate(&[])?;
//! let last = discharge.table.rows().last().expect("a row");
//! let [inside, discharged] = [last[1], last[2]];
//! assert_eq!(inside, 0.0, "the hopper is empty");
//! // All grains have left: their mass is between the masses of the smallest and the largest grains.
//! let mean = 40.0 * hopper.mass(hopper.grain_radius);
//! assert!(discharged > 0.64 * mean && discharged < 1.44 * mean);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::{PI, SQRT_2};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use siconos_figure::{Colour, Curve, Figure, Legend, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Pose, Scene, SceneParts, Shape};

use super::{Accuracy, LAYERS, Random, circle, joined, outline, reporting_errors};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Hopper {
    /// Number of grains that are added.
    pub grains: usize,
    /// Number of grains that are added per second, as long as there is room \[1/s\].
    pub feed_rate: f64,
    /// Speed with which a grain is added, downwards \[m/s\].
    pub feed_speed: f64,
    /// Mean radius of the grains \[m\].
    pub grain_radius: f64,
    /// Largest deviation of a radius from the mean, as a fraction of the mean.
    pub disorder: f64,
    /// Density of the grains \[kg/m2\].
    pub density: f64,
    /// Width of the outlet \[m\].
    pub outlet: f64,
    /// Width of the hopper above the inclined walls \[m\].
    pub width: f64,
    /// Inclination of the lower walls from the horizontal \[rad\].
    pub inclination: f64,
    /// Height at which the grains are added above the outlet \[m\].
    pub height: f64,
    /// Time at which the outlet is opened \[s\].
    pub opening: f64,
    /// Distance below the outlet at which the grains are removed \[m\].
    pub drop: f64,
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

impl Default for Hopper {
    fn default() -> Self {
        Self {
            grains: 600,
            feed_rate: 450.0,
            feed_speed: 1.5,
            grain_radius: 0.015,
            disorder: 0.2,
            density: 1000.0,
            outlet: 0.24,
            width: 0.8,
            inclination: PI / 3.0,
            height: 1.0,
            opening: 1.2,
            drop: 0.3,
            mu: 0.5,
            gravity: 9.81,
            tolerance: 1e-3,
            h: 2e-3,
            t_end: 4.4,
        }
    }
}

/// Grain in a hopper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Centre \[m\].
    pub centre: [f64; 2],
    /// Radius \[m\].
    pub radius: f64,
    /// Number of grains that were added before.
    pub number: usize,
}

/// Filling and discharge of a hopper.
pub struct Discharge {
    /// Number of grains above the outlet, mass of the grains that have passed the outlet \[kg\] and bulk
    /// density \[kg/m2\] over time, in the columns t, inside, discharged and bulk.
    pub table: Table,
    /// Grains at the requested times.
    pub snapshots: Vec<Vec<Grain>>,
    /// Number of steps in which an addition was postponed because the grain would have overlapped another
    /// one.
    pub postponed: usize,
    /// Accuracy of the contact problems.
    pub accuracy: Accuracy,
}

/// Steady discharge of a hopper.
#[derive(Clone, Copy, Debug)]
pub struct SteadyRate {
    /// Times between which the rate is measured \[s\].
    pub times: [f64; 2],
    /// Mass that has been discharged at these times \[kg\].
    pub masses: [f64; 2],
    /// Discharge rate \[kg/s\].
    pub rate: f64,
    /// Rate in the second half of this time divided by the rate in the first half.
    pub ratio_of_halves: f64,
    /// Mean bulk density \[kg/m2\].
    pub bulk_density: f64,
}

/// Grain of the model.
struct Member {
    body: BodyId,
    radius: f64,
    number: usize,
}

impl Hopper {
    /// Creates a hopper whose outlet has the given width, as a multiple of the mean diameter of the grains.
    #[must_use]
    pub fn with_outlet(width: f64) -> Self {
        let hopper = Self::default();
        Self { outlet: width * hopper.diameter(), ..hopper }
    }

    /// Returns the mean diameter of the grains \[m\].
    #[must_use]
    pub fn diameter(&self) -> f64 {
        2.0 * self.grain_radius
    }

    /// Returns the mass of a grain \[kg\].
    #[must_use]
    pub fn mass(&self, radius: f64) -> f64 {
        self.density * PI * radius * radius
    }

    /// Returns the height of the wedge between the inclined walls \[m\].
    fn wedge(&self) -> f64 {
        0.5 * (self.width - self.outlet) * self.inclination.tan()
    }

    /// Returns the corners of the walls, each in counterclockwise order.
    fn walls(&self) -> [Vec<[f64; 2]>; 4] {
        let thickness = self.diameter();
        let (sine, cosine) = self.inclination.sin_cos();
        let [lower, upper] = [[0.5 * self.outlet, 0.0], [0.5 * self.width, self.wedge()]];
        let outside = |[x, y]: [f64; 2]| [x + thickness * sine, y - thickness * cosine];
        let top = self.height + self.diameter();
        let inclined = vec![lower, outside(lower), outside(upper), upper];
        let [x, y] = upper;
        let upright = vec![upper, [x + thickness, y], [x + thickness, top], [x, top]];
        let mirrored = |wall: &[[f64; 2]]| wall.iter().rev().map(|[x, y]| [-x, *y]).collect();
        [mirrored(&inclined), mirrored(&upright), inclined, upright]
    }

    /// Returns the corners of the gate below the outlet, in counterclockwise order.
    fn gate(&self) -> Vec<[f64; 2]> {
        let (half, thickness) = (0.5 * self.outlet, self.diameter());
        vec![[-half, -thickness], [half, -thickness], [half, 0.0], [-half, 0.0]]
    }

    /// Builds the scene without grains. The second element is the gate that closes the outlet.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid scene.
    pub fn scene(&self) -> Result<(SceneParts, BodyId), ExampleError> {
        let laws = ContactLaws::new(NewtonImpactFriction::in_plane(0.0, self.mu)?);
        let mut scene = Scene::planar().with_laws(laws).with_gravity([0.0, -self.gravity, 0.0]);
        for wall in self.walls() {
            scene.add(Body::fixed(Shape::polygon(&wall)?))?;
        }
        let gate = scene.add(Body::fixed(Shape::polygon(&self.gate())?))?;
        Ok((scene.into_parts()?, gate))
    }

    /// Returns a grain at a random place above the hopper.
    fn grain(&self, radius: f64, random: &mut Random) -> Result<Body, ExampleError> {
        let x = (0.5 * self.width - radius) * random.next();
        let grain = Body::new(Shape::ball(radius)?).with_density(self.density).at([x, self.height, 0.0]);
        Ok(grain.with_velocity([0.0, -self.feed_speed, 0.0]))
    }

    /// Returns a random radius.
    fn radius(&self, random: &mut Random) -> f64 {
        self.grain_radius * (1.0 + self.disorder * random.next())
    }

    /// Returns the mass of the grains whose centres are in the lower part of the wedge, divided by the area
    /// of this part \[kg/m2\].
    fn bulk_density(&self, grains: &[Grain]) -> f64 {
        let height = BULK_HEIGHT * self.wedge();
        let area = height * (self.outlet + height / self.inclination.tan());
        let is_inside = |grain: &&Grain| (0.0..height).contains(&grain.centre[1]);
        grains.iter().filter(is_inside).map(|grain| self.mass(grain.radius)).sum::<f64>() / area
    }

    /// Simulates the hopper. Records the grains at the given times \[s\], in increasing order.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, times: &[f64]) -> Result<Discharge, ExampleError> {
        let (mut parts, gate) = self.scene()?;
        let mut gate = Some(gate);
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let mut simulation = reporting_errors(parts.simulation(grid), self.tolerance).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let mut random = Random(7);
        let mut members: Vec<Member> = Vec::new();
        let (mut radius, mut born, mut removed) = (self.radius(&mut random), 0, 0.0);
        let mut discharge = Discharge {
            table: Table::new(["t", "inside", "discharged", "bulk"]),
            snapshots: Vec::new(),
            postponed: 0,
            accuracy: Accuracy::new(self.tolerance),
        };
        loop {
            let centre = |member: &Member| {
                let [x, y, _] = parts.pose(&state, member.body).position;
                [x, y]
            };
            let grain = |own: &Member| Grain { centre: centre(own), radius: own.radius, number: own.number };
            let grains: Vec<Grain> = members.iter().map(grain).collect();
            let bulk = self.bulk_density(&grains);
            let fallen = grains.iter().filter(|grain| grain.centre[1] < 0.0);
            let (count, mass) =
                fallen.fold((0, removed), |(count, mass), grain| (count + 1, mass + self.mass(grain.radius)));
            discharge.table.push_row(&[state.t, (grains.len() - count) as f64, mass, bulk])?;
            while times.get(discharge.snapshots.len()).is_some_and(|t| *t < state.t + 0.5 * self.h) {
                discharge.snapshots.push(grains.clone());
            }
            for index in (0..grains.len()).rev().filter(|index| grains[*index].centre[1] < -self.drop) {
                parts.remove(&mut simulation, members.remove(index).body)?;
                removed += self.mass(grains[index].radius);
            }
            if let Some(gate) = gate.take_if(|_| state.t > self.opening - 0.5 * self.h) {
                parts.remove(&mut simulation, gate)?;
            }
            // The steps are short enough for one grain each.
            if born < self.grains.min((self.feed_rate * state.t) as usize) {
                let grain = self.grain(radius, &mut random)?;
                if parts.overlaps(&state, &grain)?.is_empty() {
                    let body = parts.add(&mut simulation, grain)?;
                    members.push(Member { body, radius, number: born });
                    born += 1;
                    radius = self.radius(&mut random);
                } else {
                    discharge.postponed += 1;
                }
            }
            let Some(report) = simulation.step(&parts.model, &mut state)? else { return Ok(discharge) };
            discharge.accuracy.record(&report);
        }
    }

    /// Measures the rate and the bulk density while the discharged mass increases from 20 % to 60 % of the
    /// mass that leaves in total. Returns `None` if too few grains have left.
    #[must_use]
    pub fn steady_rate(&self, discharge: &Discharge) -> Option<SteadyRate> {
        let rows: Vec<&[f64]> = discharge.table.rows().collect();
        let total = rows.last()?[2];
        let first = |fraction: f64| rows.iter().position(|row| row[2] > fraction * total);
        let [start, middle, end] = [first(0.2)?, first(0.4)?, first(0.6)?];
        if start == middle || middle == end {
            return None;
        }
        let rate = |from: usize, to: usize| (rows[to][2] - rows[from][2]) / (rows[to][0] - rows[from][0]);
        let bulk = rows[start..end].iter().map(|row| row[3]).sum::<f64>() / (end - start) as f64;
        Some(SteadyRate {
            times: [rows[start][0], rows[end][0]],
            masses: [rows[start][2], rows[end][2]],
            rate: rate(start, end),
            ratio_of_halves: rate(middle, end) / rate(start, middle),
            bulk_density: bulk,
        })
    }

    /// Returns the width W - k d of the outlet in Beverloo's law \[m\], at least 0.
    fn free_width(&self, k: f64) -> f64 {
        (self.outlet - k * self.diameter()).max(0.0)
    }

    /// Returns the discharge rate \[kg/s\] of Beverloo's law in the plane, with the constants C and k.
    #[must_use]
    pub fn beverloo(&self, bulk_density: f64, c: f64, k: f64) -> f64 {
        c * bulk_density * self.gravity.sqrt() * self.free_width(k).powf(1.5)
    }

    /// Draws the walls and the grains, coloured by the order in which they were added.
    fn drawing(&self, t: f64, grains: &[Grain]) -> Panel {
        let walls = self.walls().into_iter().chain((t <= self.opening).then(|| self.gate()));
        let walls = walls.map(|wall| outline(&Pose::IDENTITY, &wall));
        let half = 0.5 * self.width + 3.0 * self.grain_radius;
        let ends = (-self.drop, self.height + 3.0 * self.grain_radius);
        let frame = Panel::drawing(format!("t = {t} s"));
        let mut panel = Panel { x_range: Some((-half, half)), y_range: Some(ends), ..frame }
            .with(Curve::line("", joined(walls)).coloured(Colour::Black));
        for layer in 0..LAYERS {
            let own = grains.iter().filter(|grain| grain.number * LAYERS / self.grains == layer);
            let discs = own.map(|grain| circle((grain.centre[0], grain.centre[1]), grain.radius));
            panel = panel.with(Curve::line("", joined(discs)).coloured(Colour::of_row(layer, LAYERS)));
        }
        panel
    }
}

/// Height of the part of the wedge in which the bulk density is measured, as a fraction of its height.
const BULK_HEIGHT: f64 = 0.4;

/// Times of the snapshots \[s\].
const SNAPSHOTS: [f64; 3] = [0.6, 1.2, 2.0];

/// Widths of the outlet, as multiples of the mean diameter of the grains.
const WIDTHS: [f64; 3] = [6.0, 8.0, 10.0];

/// Range of C for circular outlets.
const OF_CIRCLES: [f64; 2] = [0.55, 0.65];

/// Ratio of C for long slots to C for circular outlets.
const SLOT_TO_CIRCLE: f64 = 4.0 * SQRT_2 / PI;

/// Constant k of Beverloo et al.
const K: f64 = 1.4;

/// Values of k for which the measured C is printed: the published range and the value of Beverloo et al.
const PRINTED_K: [f64; 3] = [1.0, K, 2.0];

/// Runs the example, prints rates, and writes `hopper.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let hoppers = WIDTHS.map(Hopper::with_outlet);
    let runs: Vec<Discharge> =
        hoppers.par_iter().map(|own| own.simulate(&SNAPSHOTS)).collect::<Result<_, _>>()?;
    let measured: Vec<(&Hopper, SteadyRate)> = hoppers
        .iter()
        .zip(&runs)
        .filter_map(|(own, discharge)| Some((own, own.steady_rate(discharge)?)))
        .collect();
    println!(
        "{:>6} {:>12} {:>14} {:>16} {:>8} {:>8} {:>8}",
        "W / d", "rate [kg/s]", "second / first", "density [kg/m2]", "C, k=1", "k=1.4", "k=2"
    );
    for (own, steady) in &measured {
        let SteadyRate { rate, ratio_of_halves, bulk_density, .. } = steady;
        let [a, b, c] = PRINTED_K.map(|k| rate / own.beverloo(*bulk_density, 1.0, k));
        let ratio = own.outlet / own.diameter();
        println!("{ratio:6} {rate:12.2} {ratio_of_halves:14.3} {bulk_density:16.1} {a:8.3} {b:8.3} {c:8.3}");
    }
    if let [(narrow, slow), .., (wide, fast)] = &measured[..] {
        let of_rates = (fast.rate / fast.bulk_density * slow.bulk_density / slow.rate).ln();
        let exponent = |k: f64| of_rates / (wide.free_width(k) / narrow.free_width(k)).ln();
        let [a, b, c] = PRINTED_K.map(exponent);
        println!("exponent: {a:.3} with k = 1, {b:.3} with k = 1.4, {c:.3} with k = 2; law: 1.5");
    }
    for Discharge { accuracy, postponed, .. } in &runs {
        println!("{accuracy}; {postponed} additions postponed");
    }
    let [_, middle, _] = &hoppers;
    let mut panels: Vec<Panel> =
        SNAPSHOTS.iter().zip(&runs[1].snapshots).map(|(t, grains)| middle.drawing(*t, grains)).collect();
    let mut inside = Panel::new("Grains above the outlet", "t [s]", "number");
    let mut mass = Panel {
        legend: Legend::Hidden,
        ..Panel::new("Discharged mass, measured rate", "t [s]", "mass [kg]")
    };
    for (index, (discharge, width)) in runs.iter().zip(WIDTHS).enumerate() {
        let (colour, name) = (Colour::cycle(index), format!("W = {width} d"));
        inside = inside.with(Curve::line(name, pairs(&discharge.table, "t", "inside")?).coloured(colour));
        mass = mass.with(Curve::line("", pairs(&discharge.table, "t", "discharged")?).coloured(colour));
    }
    for (_, steady) in &measured {
        let ends = steady.times.into_iter().zip(steady.masses).collect();
        mass = mass.with(Curve::dashed("", ends).coloured(Colour::Black));
    }
    panels.extend([inside, mass, rate_panel(&measured)]);
    let title = format!(
        "{} grains are added to a hopper, whose outlet opens after {} s; above: W = {} d",
        middle.grains, middle.opening, WIDTHS[1]
    );
    crate::save(&Figure::grid(title, 3, panels).with_size(1100, 800), output, "hopper")
}

/// Draws the measured rates, and the law with the published constants.
fn rate_panel(measured: &[(&Hopper, SteadyRate)]) -> Panel {
    let density = measured.iter().map(|(_, own)| own.bulk_density).sum::<f64>() / measured.len() as f64;
    let mut panel = Panel::new(format!("Rate and Beverloo's law, k = {K}"), "W / d", "rate [kg/s]");
    let ranges = [("slots", SLOT_TO_CIRCLE, Colour::Green), ("circles", 1.0, Colour::Grey)];
    for (name, factor, colour) in ranges {
        for (c, label) in OF_CIRCLES.into_iter().zip([name, ""]) {
            let law = |width: f64| (width, Hopper::with_outlet(width).beverloo(density, factor * c, K));
            let places = (0..=60).map(|k| 4.0 + 0.125 * f64::from(k));
            panel = panel.with(Curve::dashed(label, places.map(law).collect()).coloured(colour));
        }
    }
    let points = measured.iter().map(|(own, steady)| (own.outlet / own.diameter(), steady.rate));
    panel.with(Curve::points("measured", points.collect()).coloured(Colour::Black))
}
