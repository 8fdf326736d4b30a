//! Rolling friction compared with closed forms: alone, together with a joint, and in the plane.

use ndarray::array;
use siconos_kernel::model::{ContactRows, Inertia, Joint, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::common::{SI, Units};

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;
const MASS: f64 = 2.0;
const MU: f64 = 0.5;

/// Ball that rolls on a slope, with or without a load that is attached to its centre by a joint.
#[derive(Clone, Copy)]
struct Roll {
    speed: f64,
    slope: f64,
    mu_rolling: f64,
    load: f64,
    of: Units,
}

const ROLL: Roll = Roll { speed: 1.0, slope: 0.0, mu_rolling: 2e-3, load: 0.0, of: SI };

impl Roll {
    /// Returns the velocity of the centre down the slope after each step, in SI units.
    fn velocities(self, t_end: f64, h: f64) -> Result<Vec<f64>, Error> {
        let Units { mass, length, time } = self.of;
        let (radius, unit_of_speed) = (RADIUS * length, length / time);
        let weight = |m: f64| {
            let g = m * mass * G * length / (time * time);
            [g * self.slope.sin(), 0.0, -g * self.slope.cos()]
        };
        let start = [0.0, 0.0, radius];
        let rolling = [0.0, self.speed * unit_of_speed / radius, 0.0];
        let along = [self.speed * unit_of_speed, 0.0, 0.0];
        let inertia = Inertia::of_ball(MASS * mass, radius);
        let ball = NewtonEuler::new(MASS * mass, inertia, start, Quaternion::IDENTITY)
            .with_twist(along, rolling)
            .with_constant_external_force(weight(MASS));
        let mut model = NonSmoothDynamicalSystem::new();
        let load = (self.load > 0.0).then(|| {
            let moment = 0.4 * self.load * mass * radius * radius;
            NewtonEuler::new(self.load * mass, [moment; 3], start, Quaternion::IDENTITY)
                .with_twist(along, [0.0; 3])
                .with_constant_external_force(weight(self.load))
        });
        let joint = load.as_ref().map(|load| Joint::spherical((&ball, load), start)).transpose()?;
        let ball = model.add_system(ball)?;
        let ground =
            PointContact::of_ball_and_plane(ContactRows::Rolling, radius, [0.0; 3], [0.0, 0.0, 1.0])?;
        let law = NewtonImpactFriction::in_space(0.0, MU)?.with_rolling(self.mu_rolling * length)?;
        model.add_interaction([ball], ground, law)?;
        if let (Some(load), Some(joint)) = (load, joint) {
            let load = model.add_system(load)?;
            let condition = joint.condition()?;
            model.add_interaction([ball, load], joint, condition)?;
        }
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, t_end * time, h * time)?)
            .tolerance(1e-13)
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let mut track = Vec::new();
        simulation.run(&model, &mut state, |report, state| {
            assert!(report.solve.status.is_success(), "{report:?}");
            track.push(state.v(ball)[0] / unit_of_speed);
        })?;
        Ok(track)
    }

    /// Returns the deceleration on level ground [m/s2]: the moment of rolling friction divided by the radius
    /// and the effective mass, which includes the rotational inertia.
    fn deceleration(self) -> f64 {
        let all = MASS + self.load;
        self.mu_rolling / RADIUS * all * G / (all + 0.4 * MASS)
    }
}

#[test]
fn a_ball_slows_down_and_stops() -> Result<(), Error> {
    let h = 2.0_f64.powi(-9);
    for load in [0.0, 3.0] {
        let roll = Roll { load, ..ROLL };
        let a = roll.deceleration();
        assert!(load > 0.0 || (a - 5.0 * G * ROLL.mu_rolling / (7.0 * RADIUS)).abs() < 1e-15);
        let stop = 1.0 / a;
        let track = roll.velocities(1.25 * stop - (1.25 * stop) % h, h)?;
        let mut worst = 0.0;
        for (k, v) in track.iter().enumerate() {
            let t = h * (k + 1) as f64;
            let expected = (1.0 - a * t).max(0.0);
            // The ball is at rest at the end of the step in which it stops.
            worst = worse(worst, (v - expected).abs());
        }
        assert!(worst < 1e-9, "load {load}: {worst}");
        assert!(track.last().is_some_and(|v| v.abs() < 1e-12), "load {load}: {:?}", track.last());
    }
    Ok(())
}

#[test]
fn a_ball_rests_on_a_slope_up_to_the_smaller_of_both_coefficients() -> Result<(), Error> {
    // With the largest coefficient the ball slides before it rolls.
    for mu_rolling in [2e-3, 0.02, 0.08] {
        let held_by = MU.min(mu_rolling / RADIUS);
        let steepest = held_by.atan();
        for (slope, rests) in [(steepest - 1e-3, true), (steepest + 1e-3, false)] {
            let roll = Roll { speed: 0.0, slope, mu_rolling, ..ROLL };
            let track = roll.velocities(1.0, 2.0_f64.powi(-7))?;
            let v = track.last().copied().unwrap_or(f64::NAN);
            let expected = match rests {
                true => 0.0,
                // The acceleration g sin a is reduced by friction, or by the moment of the normal force.
                false => {
                    let part = if held_by == MU { 1.0 } else { 5.0 / 7.0 };
                    part * G * (slope.sin() - held_by * slope.cos())
                }
            };
            assert!((v - expected).abs() < 1e-10, "{mu_rolling}, slope {slope}: {v} {expected}");
        }
    }
    Ok(())
}

#[test]
fn without_rolling_friction_the_rows_carry_nothing() -> Result<(), Error> {
    for load in [0.0, 3.0] {
        let track = Roll { mu_rolling: 0.0, load, ..ROLL }.velocities(0.5, 2.0_f64.powi(-7))?;
        assert!(track.iter().all(|v| (v - 1.0).abs() < 1e-12), "load {load}: {:?}", track.last());
    }
    Ok(())
}

#[test]
fn units_change_no_bit() -> Result<(), Error> {
    let power = |k: i32| 2.0_f64.powi(k);
    for load in [0.0, 3.0] {
        let bits = |of: Units| -> Result<Vec<u64>, Error> {
            let track = Roll { load, of, ..ROLL }.velocities(0.5, power(-7))?;
            Ok(track.into_iter().map(f64::to_bits).collect())
        };
        let expected = bits(SI)?;
        for of in [
            Units { mass: power(11), ..SI },
            Units { length: power(-9), ..SI },
            Units { time: power(6), ..SI },
            Units { mass: power(-20), length: power(10), time: power(-3) },
        ] {
            assert!(bits(of)? == expected, "load {load}: {}, {}, {}", of.mass, of.length, of.time);
        }
    }
    Ok(())
}

#[test]
fn a_disc_in_the_plane_slows_down() -> Result<(), Error> {
    // Coordinates: position and angle. Rows: normal, tangent at the ground, and rate of rolling.
    let (mu_rolling, h) = (3e-3, 2.0_f64.powi(-8));
    let disc = LagrangianLinear::new(
        vec![0.0, RADIUS, 0.0],
        vec![1.0, 0.0, -1.0 / RADIUS],
        array![MASS, MASS, 0.5 * MASS * RADIUS * RADIUS],
    )
    .with_constant_external_force(vec![0.0, -MASS * G, 0.0]);
    let mut model = NonSmoothDynamicalSystem::new();
    let disc = model.add_system(disc)?;
    let rows = array![[0.0, 1.0, 0.0], [1.0, 0.0, RADIUS], [0.0, 0.0, 1.0]];
    let ground = LagrangianLinearRelation::new(rows).with_offset(vec![-RADIUS, 0.0, 0.0]);
    model.add_interaction(
        [disc],
        ground,
        NewtonImpactFriction::in_plane(0.0, MU)?.with_rolling(mu_rolling)?,
    )?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, h)?)
        .tolerance(1e-13)
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let a = mu_rolling / RADIUS * G / 1.5;
    simulation.run(&model, &mut state, |report, state| {
        let expected = 1.0 - a * report.t;
        let v = state.v(disc)[0];
        assert!((v - expected).abs() < 1e-9, "{}: {v} {expected}", report.t);
    })?;
    Ok(())
}

#[test]
fn a_coefficient_below_zero_is_refused() {
    let law = NewtonImpactFriction::in_space(0.0, 0.3).expect("a law");
    for wrong in [-1e-3, f64::NAN, f64::INFINITY] {
        let refused = law.with_rolling(wrong).expect_err("refused");
        assert!(refused.to_string().contains("rolling"), "{refused}");
    }
}

/// A wheel as a rigid body in space. Its contact has the rows of a contact in the plane of the wheel, for any
/// orientation of this plane.
#[test]
fn a_wheel_in_a_plane_slows_down_as_a_disc_does() -> Result<(), Error> {
    let (mu_rolling, h) = (3e-3, 2.0_f64.powi(-8));
    for (normal, axis) in [([0.0, 0.0, 1.0], [0.0, 2.0, 0.0]), ([0.0, 1.0, 0.0], [0.0, 0.0, -1.0])] {
        let [n, a] = [normal, axis].map(|x: [f64; 3]| x);
        let along = [n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2], n[0] * a[1] - n[1] * a[0]];
        let along = along.map(|x| x / a.iter().map(|a| a * a).sum::<f64>().sqrt());
        // Rolling along t rotates the wheel about n x t.
        let turn = [
            n[1] * along[2] - n[2] * along[1],
            n[2] * along[0] - n[0] * along[2],
            n[0] * along[1] - n[1] * along[0],
        ];
        let wheel =
            NewtonEuler::new(MASS, 0.5 * MASS * RADIUS * RADIUS, n.map(|x| RADIUS * x), Quaternion::IDENTITY)
                .with_twist(along, turn.map(|x| x / RADIUS))
                .with_constant_external_force(n.map(|x| -MASS * G * x));
        for rows in [ContactRows::RollingInPlane { axis }, ContactRows::InPlane { axis }] {
            let is_rolling = matches!(rows, ContactRows::RollingInPlane { .. });
            let mut model = NonSmoothDynamicalSystem::new();
            let wheel = model.add_system(wheel.clone())?;
            let ground = PointContact::of_ball_and_plane(rows, RADIUS, [0.0; 3], normal)?;
            let law = NewtonImpactFriction::in_plane(0.0, MU)?;
            let law = if is_rolling { law.with_rolling(mu_rolling)? } else { law };
            model.add_interaction([wheel], ground, law)?;
            let mut simulation = TimeStepping::builder(&model)
                .discretisation(TimeDiscretisation::uniform(0.0, 2.0, h)?)
                .tolerance(1e-13)
                .build()?;
            let mut state = simulation.initial_state(&model)?;
            let slowing = if is_rolling { mu_rolling / RADIUS * G / 1.5 } else { 0.0 };
            simulation.run(&model, &mut state, |report, state| {
                let v: f64 = (0..3).map(|k| along[k] * state.v(wheel)[k]).sum();
                let expected = 1.0 - slowing * report.t;
                assert!((v - expected).abs() < 1e-9, "{rows:?} {}: {v} {expected}", report.t);
            })?;
        }
    }
    Ok(())
}

#[test]
fn an_axis_along_the_normal_is_told_of_by_the_contact() -> Result<(), Error> {
    let up = [0.0, 0.0, 1.0];
    let rows = ContactRows::InPlane { axis: up };
    // The normal of a plane is checked at construction. The normal of two balls is checked at their
    // positions.
    let ground = PointContact::of_ball_and_plane(rows, RADIUS, [0.0; 3], up);
    assert!(matches!(ground, Err(ModelError::NoDirection { .. })), "{ground:?}");
    let mut model = NonSmoothDynamicalSystem::new();
    let mut ball =
        |height| model.add_system(NewtonEuler::new(MASS, 0.1, [0.0, 0.0, height], Quaternion::IDENTITY));
    let balls = [ball(RADIUS)?, ball(3.0 * RADIUS)?];
    let contact = PointContact::of_balls(rows, RADIUS, RADIUS)?;
    let ground = model.add_interaction(balls, contact, NewtonImpactFriction::in_plane(0.0, MU)?)?;
    let mut simulation =
        TimeStepping::builder(&model).discretisation(TimeDiscretisation::uniform(0.0, 1.0, 0.1)?).build()?;
    let error = simulation.initial_state(&model).expect_err("no tangent").to_string();
    assert!(error.contains(&ground.to_string()), "{error}");
    Ok(())
}
