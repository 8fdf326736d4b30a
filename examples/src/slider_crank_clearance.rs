//! Slider-crank mechanism with clearance between slider and guide, and the ideal mechanism.
//!
//! Crank, rod and slider are rigid bodies on three hinges, in the plane x, y with the weight along y. The
//! slider has the length 2 a and the height 2 b. The height of the guide exceeds the height of the slider by
//! 2 c. Each of the four corners of the slider can touch the guide,
//!
//! $$ g = b + c \mp y_{corner} \ge 0, $$
//!
//! with restitution 0.4 and a coefficient of friction of 0.01. This is the benchmark of Flores, Leine and
//! Glocker (2010), who formulate it in three angles, with the same parameters. The crank starts with 150
//! rad/s and is not driven. In the published run, the slider starts without angular velocity. Both corners of
//! a side then hit simultaneously, and the slider never tilts. In the figure, the slider starts with 1 rad/s,
//! and the corners hit one after the other.
//!
//! Contacts are satisfied at velocity level. A corner therefore overlaps the guide by the distance that it
//! moves in a step, and the overlap remains. With [`Projection::Direct`] the next step removes the overlap.
//! The correction rotates the slider easily, because its moment of inertia is small; overlaps of other
//! corners that result from the rotation are removed as well. With [`Projection::Combined`] no corner
//! overlaps at any time.
//!
//! In the ideal mechanism, the slider has a fourth joint and no clearance, so that its position follows from
//! the angle $\theta$ of the crank,
//!
//! $$ x = l_1 \cos \theta + \sqrt{l_2^2 - l_1^2 \sin^2 \theta}. $$
//!
//! As plain text: g = b + c - y at the upper corners, b + c + y at the lower ones; x = l1 cos(theta) +
//! sqrt(l2^2 - l1^2 sin^2(theta)).
//!
#![cfg_attr(doc, doc = include_str!("../../docs/figures/slider_crank_clearance.svg"))]
//!
//! ```
//! use siconos_examples::slider_crank_clearance::{CRANK, ROD, SliderCrank};
//!
//! let table = SliderCrank::ideal().simulate()?;
//! for row in table.rows() {
//!     let (sine, cosine) = row[1].sin_cos();
//!     let expected = CRANK * cosine + (ROD * ROD - (CRANK * sine).powi(2)).sqrt();
//!     assert!((row[3] - expected).abs() < 1e-9, "t = {}", row[0]);
//! }
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use siconos_figure::{Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::model::ContactPoints;
use siconos_kernel::prelude::*;

use crate::{ExampleError, kinetic_energy, pairs, record};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct SliderCrank {
    /// `true` for a slider with clearance and contacts, `false` for a slider with a joint in its guide.
    pub has_clearance: bool,
    /// Initial angular velocity of the slider \[rad/s\].
    pub tilting: f64,
    /// Projection of the positions onto joints and contacts, or `None` for no projection.
    pub projection: Option<Projection>,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

/// Acceleration of gravity \[m/s2\].
pub const GRAVITY: f64 = 9.81;
/// Length of the crank, l1 \[m\].
pub const CRANK: f64 = 0.153;
/// Length of the rod, l2 \[m\].
pub const ROD: f64 = 0.306;
/// Half the length of the slider, a \[m\].
pub const HALF_LENGTH: f64 = 0.05;
/// Half the height of the slider, b \[m\].
pub const HALF_HEIGHT: f64 = 0.025;
/// Clearance c between the slider and each side of the guide \[m\], with the slider in the middle.
pub const CLEARANCE: f64 = 0.001;
/// Masses of crank, rod and slider \[kg\].
pub const MASSES: [f64; 3] = [0.038, 0.038, 0.076];
/// Moments of inertia of crank, rod and slider about their centres of mass \[kg m2\].
pub const MOMENTS: [f64; 3] = [7.4e-5, 5.9e-4, 2.7e-6];
/// Initial angular velocities of crank and rod \[rad/s\].
pub const OMEGA: [f64; 2] = [150.0, -75.0];

const AXIS: [f64; 3] = [0.0, 0.0, 1.0];
/// Corners of the slider, in units of half its length and half its height.
const CORNERS: [[f64; 2]; 4] = [[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];

/// Model of the slider-crank.
pub struct SliderCrankModel {
    /// Complete model.
    pub model: NonSmoothDynamicalSystem,
    /// Crank, rod and slider.
    pub bodies: [DynamicalSystemId; 3],
}

impl SliderCrank {
    /// Creates the published run: one and a half turns of the crank, with clearance.
    #[must_use]
    pub fn with_clearance() -> Self {
        Self { has_clearance: true, tilting: 0.0, projection: None, h: 2e-5, t_end: 0.1 }
    }

    /// Creates the mechanism without clearance, with projection of the positions.
    #[must_use]
    pub fn ideal() -> Self {
        let projection = Some(Projection::Direct);
        Self { has_clearance: false, tilting: 0.0, projection, h: 1e-4, t_end: 0.1 }
    }

    /// Builds the model.
    ///
    /// # Errors
    ///
    /// If the parameters do not define a valid model.
    pub fn model(&self) -> Result<SliderCrankModel, ExampleError> {
        let pin = CRANK * OMEGA[0];
        let omega = [OMEGA[0], OMEGA[1], self.tilting];
        let body = |k: usize, x: f64, speed: f64| {
            NewtonEuler::new(MASSES[k], MOMENTS[k], [x, 0.0, 0.0], Quaternion::IDENTITY)
                .with_twist([0.0, speed, 0.0], [0.0, 0.0, omega[k]])
                .with_constant_external_force([0.0, -MASSES[k] * GRAVITY, 0.0])
        };
        let crank = body(0, 0.5 * CRANK, 0.5 * pin);
        let rod = body(1, CRANK + 0.5 * ROD, pin + 0.5 * ROD * OMEGA[1]);
        let slider = body(2, CRANK + ROD, pin + ROD * OMEGA[1]);
        let [pivot, crank_pin, slider_pin] = [0.0, CRANK, CRANK + ROD].map(|x| [x, 0.0, 0.0]);
        let mut joints = vec![
            (Joint::revolute(&crank, pivot, AXIS)?, vec![0]),
            (Joint::revolute((&crank, &rod), crank_pin, AXIS)?, vec![0, 1]),
            (Joint::revolute((&rod, &slider), slider_pin, AXIS)?, vec![1, 2]),
        ];
        if !self.has_clearance {
            joints.push((Joint::prismatic(&slider, slider_pin, [1.0, 0.0, 0.0])?, vec![2]));
        }
        let mut model = NonSmoothDynamicalSystem::new();
        let bodies = [model.add_system(crank)?, model.add_system(rod)?, model.add_system(slider)?];
        for (joint, between) in joints {
            let condition = joint.condition()?;
            model.add_interaction(between.into_iter().map(|k: usize| bodies[k]), joint, condition)?;
        }
        if self.has_clearance {
            for corner in CORNERS {
                let law = NewtonImpactFriction::in_space(0.4, 0.01)?;
                model.add_interaction([bodies[2]], guide(corner), law)?;
            }
        }
        Ok(SliderCrankModel { model, bodies })
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
            .tolerance(1e-12)
            .build()?)
    }

    /// Simulates the motion. The table has the angles of crank and slider, the position and velocity of the
    /// slider, the gaps of the four corners and the energy, in the columns t, crank, slider, x, vx, g1, g2,
    /// g3, g4, E.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self) -> Result<Table, ExampleError> {
        let SliderCrankModel { model, bodies } = self.model()?;
        let columns = ["t", "crank", "slider", "x", "vx", "g1", "g2", "g3", "g4", "E"];
        let mut crank = 0.0;
        record(&model, self.simulation(&model)?, columns, |state| {
            let turned = angle(state.q(bodies[0]));
            // Among the angles of this orientation, the angle closest to the previous angle is used.
            crank = turned + TAU * ((crank - turned) / TAU).round();
            let q = state.q(bodies[2]);
            let gaps = CORNERS.map(|corner| HALF_HEIGHT + CLEARANCE - corner[1] * place(corner, q)[1]);
            let energy: f64 = bodies
                .iter()
                .zip(MASSES)
                .zip(MOMENTS)
                .map(|((&body, mass), moment)| {
                    kinetic_energy(mass, [moment; 3], state.v(body)) + mass * GRAVITY * state.q(body)[1]
                })
                .sum();
            let [g1, g2, g3, g4] = gaps;
            [state.t, crank, angle(q), q[0], state.v(bodies[2])[0], g1, g2, g3, g4, energy]
        })
    }
}

/// Returns the angle of rotation of a body about z.
fn angle(q: &[f64]) -> f64 {
    2.0 * q[6].atan2(q[3])
}

/// Returns the position of a corner of the slider in the inertial frame.
fn place(corner: [f64; 2], q: &[f64]) -> [f64; 3] {
    let carried = [corner[0] * HALF_LENGTH, corner[1] * HALF_HEIGHT, 0.0];
    let [x, y, z] = Quaternion::of_body(q).rotate(carried);
    [q[0] + x, q[1] + y, q[2] + z]
}

/// Creates the contact of a corner with its side of the guide.
fn guide(corner: [f64; 2]) -> PointContact {
    PointContact::new(ContactRows::Friction, move |_, q| {
        let first = place(corner, q);
        let second = [first[0], corner[1] * (HALF_HEIGHT + CLEARANCE), first[2]];
        ContactPoints { first, second, normal: [0.0, -corner[1], 0.0] }
    })
}

/// Runs the example, prints the smallest gaps and the energy, and writes `slider_crank_clearance.svg` and
/// `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let tilting = SliderCrank { tilting: 1.0, t_end: 0.14, ..SliderCrank::with_clearance() };
    let with_clearance = tilting.simulate()?;
    let ideal = SliderCrank { t_end: tilting.t_end, ..SliderCrank::ideal() }.simulate()?;
    println!("slider-crank with clearance: smallest gaps and energy in quarters of a turn");
    println!("{:>6} {:>12} {:>12} {:>12}", "turns", "upper [mm]", "lower [mm]", "E [J]");
    for end in (1..=8).map(|quarter| 0.25 * f64::from(quarter)) {
        let quarter = (end - 0.25) * TAU..end * TAU;
        let rows: Vec<_> = with_clearance.rows().filter(|row| quarter.contains(&row[1])).collect();
        let smallest = |columns: [usize; 2]| {
            let gaps = rows.iter().flat_map(|row| columns.map(|column| row[column]));
            1e3 * gaps.fold(f64::INFINITY, f64::min)
        };
        if let Some(last) = rows.last() {
            println!("{end:6.2} {:12.6} {:12.6} {:12.6}", smallest([5, 6]), smallest([7, 8]), last[9]);
        }
    }
    let against_turns = |table: &Table, column: &str, factor: f64| -> Result<Vec<_>, ExampleError> {
        let points = pairs(table, "crank", column)?;
        Ok(points.into_iter().map(|(crank, value)| (crank / TAU, factor * value)).collect())
    };
    let turns = "turns of the crank";
    let mut of_gaps = Panel::new("Gaps of the corners", turns, "g [mm]");
    for (column, label) in
        [("g1", "upper left"), ("g2", "upper right"), ("g3", "lower left"), ("g4", "lower right")]
    {
        of_gaps = of_gaps.with(Curve::line(label, against_turns(&with_clearance, column, 1e3)?));
    }
    let of_angle = Panel::new("Attitude of the slider", turns, "angle [mrad]")
        .with(Curve::line("", against_turns(&with_clearance, "slider", 1e3)?));
    let of_velocity = Panel::new("Velocity of the slider", turns, "v [m/s]")
        .with(Curve::underlay("ideal", against_turns(&ideal, "vx", 1.0)?))
        .with(Curve::line("with clearance", against_turns(&with_clearance, "vx", 1.0)?));
    let mut panels = vec![of_gaps, of_angle, of_velocity];
    panels.iter_mut().for_each(|panel| panel.x_range = Some((0.0, 2.0)));
    let title = "A slider-crank with 1 mm of clearance, e = 0.4, \u{3bc} = 0.01";
    crate::save(&Figure::new(title, panels), output, "slider_crank_clearance")
}
