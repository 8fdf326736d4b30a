//! Vehicle with four driven wheels on rough terrain.
//!
//! The rear wheels turn in hinges at the chassis, the front wheels in hinges at an axle, which turns about
//! the longitudinal axis of the chassis. All wheels therefore touch uneven ground, and their loads follow
//! from the
//! equations of equilibrium. Each hinge has a motor with the moment
//!
//! $$ M = \min(k (\omega_0 - \omega), M_0), $$
//!
//! as plain text: M = min(k (omega_0 - omega), M_0), with the stall moment M_0, the angular velocity
//! omega_0 without load and the gain k. The ground is a height field: a ramp, a plateau and a bumpy slope,
//! given by about a thousand triangles.
//!
//! On level ground, the vehicle starts with the acceleration
//!
//! $$ a = \frac{4 M_0 / r}{m + 4 (m_w + I_w / r^2)}, $$
//!
//! as plain text: a = (4 M_0 / r) / (m + 4 (m_w + I_w / r^2)), with the mass m of the chassis and the axle,
//! and the mass m_w, the moment of inertia I_w and the radius r of a wheel. It then approaches the speed
//! $\omega_0 r$ (as plain text: omega_0 r). The test of the example checks both. On a slope with the angle
//! $\alpha$ (as plain text: alpha), each motor needs the moment
//!
//! $$ M = \tfrac{1}{4} r (m + 4 m_w) g \sin \alpha, $$
//!
//! as plain text: M = r (m + 4 m_w) g sin(alpha) / 4, so the vehicle is slower by r M / k.
//!
#![cfg_attr(doc, doc = include_str!("../../../docs/figures/vehicle.svg"))]
//!
//! ```
//! use siconos_examples::scenes::vehicle::Vehicle;
//!
//! let vehicle = Vehicle { t_end: 0.2, ..Vehicle::on_level_ground() };
//! let table = vehicle.simulate(&[])?.table;
//! let last = table.rows().last().expect("a row");
//! assert!((last[2] / (vehicle.acceleration() * 0.2) - 1.0).abs() < 0.01, "{}", last[2]);
//! # Ok::<(), siconos_examples::ExampleError>(())
//! ```

use std::f64::consts::{FRAC_PI_2, PI};
use std::path::{Path, PathBuf};

use siconos_figure::{Colour, Curve, Figure, Panel};
use siconos_io::trajectory::Table;
use siconos_kernel::detection::ContactLaws;
use siconos_kernel::prelude::*;
use siconos_mechanics::{Body, BodyId, Pose, Scene, SceneJoint, SceneParts, Shape};

use super::{circle, joined};
use crate::{ExampleError, pairs};

/// Parameters of the example.
#[derive(Clone, Copy, Debug)]
pub struct Vehicle {
    /// Length, width and height of the chassis \[m\].
    pub chassis: [f64; 3],
    /// Mass of the chassis \[kg\].
    pub mass: f64,
    /// Mass of the front axle \[kg\].
    pub axle_mass: f64,
    /// Radius of a wheel \[m\].
    pub radius: f64,
    /// Width of a wheel \[m\].
    pub width: f64,
    /// Mass of a wheel \[kg\].
    pub wheel_mass: f64,
    /// Distance of the axles \[m\].
    pub wheelbase: f64,
    /// Angular velocity of the motors without load \[rad/s\].
    pub omega: f64,
    /// Largest moment of each motor \[N m\].
    pub moment: f64,
    /// Gain of each motor \[N m s\]: its moment is the gain times the difference between `omega` and its
    /// angular velocity.
    pub gain: f64,
    /// Coefficient of friction.
    pub mu: f64,
    /// Height of the plateau \[m\].
    pub rise: f64,
    /// Height of the bumps \[m\].
    pub bumps: f64,
    /// Acceleration of gravity \[m/s2\].
    pub gravity: f64,
    /// Time step \[s\].
    pub h: f64,
    /// End of the simulation \[s\].
    pub t_end: f64,
}

impl Default for Vehicle {
    fn default() -> Self {
        Self {
            chassis: [1.6, 0.7, 0.25],
            mass: 110.0,
            axle_mass: 10.0,
            radius: 0.25,
            width: 0.15,
            wheel_mass: 8.0,
            wheelbase: 1.2,
            omega: 8.0,
            moment: 45.0,
            gain: 90.0,
            mu: 0.8,
            rise: 0.8,
            bumps: 0.06,
            gravity: 9.81,
            h: 5e-3,
            t_end: 5.6,
        }
    }
}

/// Motion of the vehicle.
pub struct Drive {
    /// Place of the chassis \[m\], its speed \[m/s\] and its pitch \[degrees\] over time, in the columns t,
    /// x, speed, z and pitch.
    pub table: Table,
    /// Poses of the chassis and of the wheels on the right at the requested times.
    pub snapshots: Vec<[Pose; 3]>,
}

/// Distance of the points of the terrain along x \[m\].
const SPACING: f64 = 0.1;

/// Numbers of points of the terrain along x and y.
const POINTS: [usize; 2] = [180, 5];

/// Start of the vehicle \[m\].
const START: f64 = -6.5;

impl Vehicle {
    /// Creates a vehicle on level ground.
    #[must_use]
    pub fn on_level_ground() -> Self {
        Self { rise: 0.0, bumps: 0.0, ..Self::default() }
    }

    /// Returns the height of the terrain at a place \[m\].
    #[must_use]
    pub fn height(&self, x: f64) -> f64 {
        let smooth = |s: f64| {
            let s = s.clamp(0.0, 1.0);
            s * s * (3.0 - 2.0 * s)
        };
        let hill = smooth((x + 4.5) / 3.5) - smooth((x - 2.0) / 5.0);
        let bumps = smooth((x - 1.0) / 1.0) * (2.0 * PI * x / 0.9).sin();
        self.rise * hill + self.bumps * bumps
    }

    /// Returns the moment of inertia of a wheel about its axis \[kg m2\].
    fn wheel_inertia(&self) -> f64 {
        0.5 * self.wheel_mass * self.radius * self.radius
    }

    /// Returns the acceleration on level ground until the motors reach their speed \[m/s2\].
    #[must_use]
    pub fn acceleration(&self) -> f64 {
        let of_wheels = 4.0 * (self.wheel_mass + self.wheel_inertia() / (self.radius * self.radius));
        4.0 * self.moment / self.radius / (self.mass + self.axle_mass + of_wheels)
    }

    /// Builds the scene. Returns the chassis and the wheels: front right, rear right, front left, rear left.
    fn scene(&self) -> Result<(SceneParts, BodyId, Vec<BodyId>), ExampleError> {
        let laws = ContactLaws::new(NewtonImpactFriction::in_space(0.0, self.mu)?);
        let mut scene = Scene::new().with_laws(laws).with_gravity([0.0, 0.0, -self.gravity]);
        let [columns, rows] = POINTS;
        let at = |i: usize| SPACING * (i as f64 - 0.5 * (columns as f64 - 1.0));
        let profile: Vec<f64> = (0..columns).map(|i| self.height(at(i))).collect();
        scene.add(Body::fixed(Shape::height_field(&vec![profile; rows], [SPACING, 0.5])?))?;
        let [length, width, height] = self.chassis;
        let axles = self.height(START) + self.radius;
        let chassis = Body::new(Shape::cuboid([length, width, height])?).with_mass(self.mass);
        let chassis = scene.add(chassis.named("chassis").at([START, 0.0, axles + 0.1]))?;
        let pivot = [START + 0.5 * self.wheelbase, 0.0, axles];
        let axle = Body::new(Shape::cuboid([0.1, width, 0.1])?).with_mass(self.axle_mass);
        let axle = scene.add(axle.named("front axle").at(pivot))?;
        scene.add_joint(SceneJoint::revolute([axle, chassis], pivot, [1.0, 0.0, 0.0]))?;
        let wheel = Shape::cylinder(self.radius, self.width)?;
        let upright = Quaternion::about([1.0, 0.0, 0.0], FRAC_PI_2);
        let mut wheels = Vec::new();
        for side in [-1.0, 1.0] {
            for (end, carrier) in [(1.0, axle), (-1.0, chassis)] {
                let centre =
                    [START + 0.5 * end * self.wheelbase, 0.5 * side * (width + 1.5 * self.width), axles];
                let body = Body::new(wheel.clone()).with_mass(self.wheel_mass).at(centre).turned(upright);
                let id = scene.add(body)?;
                let hinge = SceneJoint::revolute([id, carrier], centre, [0.0, 1.0, 0.0]);
                scene.add_joint(hinge.with_velocity_servo(self.omega, self.gain, self.moment))?;
                wheels.push(id);
            }
        }
        Ok((scene.into_parts()?, chassis, wheels))
    }

    /// Simulates the motion. Records the poses at the given times \[s\], in increasing order.
    ///
    /// # Errors
    ///
    /// If a step fails.
    pub fn simulate(&self, times: &[f64]) -> Result<Drive, ExampleError> {
        let (parts, chassis, wheels) = self.scene()?;
        let grid = TimeDiscretisation::uniform(0.0, self.t_end, self.h)?;
        let mut simulation = parts.simulation(grid).build()?;
        let mut state = simulation.initial_state(&parts.model)?;
        let system = parts.system(chassis);
        let mut table = Table::new(["t", "x", "speed", "z", "pitch"]);
        let mut snapshots = Vec::new();
        loop {
            let pose = parts.pose(&state, chassis);
            let [x, _, z] = pose.position;
            let [along, _, up] = pose.orientation.rotate([1.0, 0.0, 0.0]);
            let speed = system.map_or(0.0, |id| {
                let v = state.v(id);
                v[0] * along + v[2] * up
            });
            table.push_row(&[state.t, x, speed, z, up.atan2(along).to_degrees()])?;
            while times.get(snapshots.len()).is_some_and(|t| *t < state.t + 0.5 * self.h) {
                snapshots.push([chassis, wheels[0], wheels[1]].map(|id| parts.pose(&state, id)));
            }
            if simulation.step(&parts.model, &mut state)?.is_none() {
                return Ok(Drive { table, snapshots });
            }
        }
    }

    /// Returns the outlines of the chassis and of two wheels with a spoke, from the side.
    fn outlines(&self, [chassis, front, rear]: &[Pose; 3]) -> Vec<Vec<(f64, f64)>> {
        let seen = |[x, _, z]: [f64; 3]| (x, z);
        let [length, _, height] = self.chassis.map(|side| 0.5 * side);
        let corners =
            [[-length, -height], [length, -height], [length, height], [-length, height], [-length, -height]];
        let frame = corners.map(|[x, z]| seen(chassis.point([x, 0.0, z]))).to_vec();
        let wheel = |pose: &Pose| {
            let spoke = vec![seen(pose.position), seen(pose.point([self.radius, 0.0, 0.0]))];
            [circle(seen(pose.position), self.radius), spoke]
        };
        [frame].into_iter().chain(wheel(front)).chain(wheel(rear)).collect()
    }
}

/// Times at which the vehicle is drawn \[s\].
const SNAPSHOTS: [f64; 4] = [0.0, 2.0, 3.6, 5.2];

/// Runs the example, prints places and speeds, and writes `vehicle.svg` and `.png`.
///
/// # Errors
///
/// If a step fails or a file cannot be written.
pub fn run(output: &Path) -> Result<Vec<PathBuf>, ExampleError> {
    let vehicle = Vehicle::default();
    let drive = vehicle.simulate(&SNAPSHOTS)?;
    println!("{:>8} {:>10} {:>14} {:>14}", "t [s]", "x [m]", "speed [m/s]", "pitch [deg]");
    for row in drive.table.rows().step_by(100) {
        println!("{:8.2} {:10.3} {:14.4} {:14.3}", row[0], row[1], row[2], row[4]);
    }
    let ground = (0..=340).map(|k| 0.05 * f64::from(k) - 8.5).map(|x| (x, vehicle.height(x))).collect();
    let mut side = Panel {
        x_range: Some((-8.5, 8.5)),
        y_range: Some((-0.3, 1.6)),
        ..Panel::drawing(format!("After {} s", SNAPSHOTS.map(|t| t.to_string()).join(", ")))
    }
    .with(Curve::line("", ground).coloured(Colour::Black));
    for (k, poses) in drive.snapshots.iter().enumerate() {
        let outlines = joined(vehicle.outlines(poses));
        side = side.with(Curve::line("", outlines).coloured(Colour::of_row(k, SNAPSHOTS.len())));
    }
    let target = vehicle.omega * vehicle.radius;
    let speed = Panel::new("Speed along the chassis", "t [s]", "speed [m/s]")
        .with(Curve::line("vehicle", pairs(&drive.table, "t", "speed")?))
        .with(Curve::dashed("omega r", vec![(0.0, target), (vehicle.t_end, target)]).coloured(Colour::Black));
    let pitch = Panel::new("Pitch of the chassis", "t [s]", "pitch [degrees]")
        .with(Curve::line("", pairs(&drive.table, "t", "pitch")?));
    let figure = Figure::new("A vehicle with four motors on a height field", vec![side, speed, pitch]);
    crate::save(&figure, output, "vehicle")
}
