//! Gears, screws and racks, compared with closed forms over many revolutions.

use std::f64::consts::TAU;
use std::num::NonZeroI32;

use siconos_kernel::model::{Coupler, Frame, Inertia, Joint};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;

use crate::common::grid;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn wheel(x: f64, moment: f64) -> NewtonEuler {
    NewtonEuler::new(1.0, moment, [x, 0.0, 0.0], Quaternion::IDENTITY)
}

fn teeth(count: i32) -> NonZeroI32 {
    NonZeroI32::new(count).expect("a wheel has teeth")
}

/// Adds a joint between bodies, with its condition.
fn join(
    model: &mut NonSmoothDynamicalSystem,
    bodies: &[DynamicalSystemId],
    joint: Joint,
) -> Result<InteractionId, Error> {
    let condition = joint.condition()?;
    Ok(model.add_interaction(bodies.iter().copied(), joint, condition)?)
}

#[test]
fn gears_turn_by_their_teeth_and_share_a_moment() -> Result<(), Error> {
    for (first, second) in [(20, 45), (20, -45), (31, 14)] {
        let (small, large) =
            (wheel(0.0, 0.01).with_constant_external_moment(Frame::Body, [0.0, 0.0, 0.3]), wheel(0.3, 0.16));
        let axles = [Joint::revolute(&small, [0.0; 3], Z)?, Joint::revolute(&large, [0.3, 0.0, 0.0], Z)?];
        let angles = [0, 1].map(|k| axles[k].angle().expect("an axle turns"));
        let gear = Coupler::gear((&angles[0], teeth(first)), (&angles[1], teeth(second)))?;
        let mut model = NonSmoothDynamicalSystem::new();
        let wheels = [model.add_system(small)?, model.add_system(large)?];
        for (axle, &wheel) in axles.into_iter().zip(&wheels) {
            join(&mut model, &[wheel], axle)?;
        }
        let gear = model.add_interaction(wheels, gear, EqualityCondition::new(1)?)?;
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(grid(4.0, 1e-2))
            .integrator(MoreauJean { projection: Some(Projection::Direct), ..MoreauJean::default() })
            .build()?;
        let mut state = simulation.initial_state(&model)?;
        let ratio = f64::from(first) / f64::from(second);
        let acceleration = 0.3 / (0.01 + ratio * ratio * 0.16);
        let (mut worst, mut off) = (0.0, 0.0);
        simulation.run(&model, &mut state, |report, state| {
            let omega = [0, 1].map(|k| state.v(wheels[k])[5]);
            worst = worse(worst, (omega[0] - acceleration * report.t).abs());
            worst = worse(worst, (omega[1] + ratio * omega[0]).abs());
            off = worse(off, state.y(gear, Level::Position)[0].abs());
        })?;
        let turns = 0.5 * acceleration * 16.0 / TAU * (1.0 + ratio);
        assert!(turns > 0.5 && worst < 1e-9 && off < 1e-12, "{turns} {worst} {off}");
    }
    Ok(())
}

/// A nut of 1 kg moves down a screw under its weight: z'' = -g / (1 + (I / m) (2 pi / lead)^2).
#[test]
fn a_nut_runs_down_its_screw() -> Result<(), Error> {
    let (lead, moment) = (0.05, 2e-4);
    let nut = NewtonEuler::new(1.0, moment, [0.1, 0.2, 3.0], Quaternion::about([0.0, 1.0, 0.0], 0.4))
        .with_constant_external_force([0.0, 0.0, -9.81]);
    let rod = Joint::cylindrical(&nut, [0.1, 0.2, 0.0], Z)?;
    let thread = Coupler::screw(&rod, lead)?;
    let mut model = NonSmoothDynamicalSystem::new();
    let nut = model.add_system(nut)?;
    join(&mut model, &[nut], rod)?;
    let thread = model.add_interaction([nut], thread, EqualityCondition::new(1)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 1e-3))
        .integrator(MoreauJean { projection: Some(Projection::Direct), ..MoreauJean::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let per_metre = TAU / lead;
    let acceleration = -9.81 / (1.0 + moment * per_metre * per_metre);
    let (mut worst, mut off) = (0.0, 0.0);
    simulation.run(&model, &mut state, |report, state| {
        worst = worse(worst, (state.v(nut)[2] - acceleration * report.t).abs());
        off = worse(off, state.y(thread, Level::Position)[0].abs());
    })?;
    let turns = (3.0 - state.q(nut)[2]) / lead;
    assert!(turns > 10.0 && worst < 1e-10 && off < 1e-13, "{turns} {worst} {off}");
    Ok(())
}

/// A pinion of 0.1 m drives a rack along x.
#[test]
fn a_pinion_moves_its_rack() -> Result<(), Error> {
    let radius = 0.1;
    let pinion = wheel(0.0, 0.02).with_constant_external_moment(Frame::Body, [0.0, 0.0, 0.5]);
    let rack = NewtonEuler::new(2.0, 1.0, [0.0, -radius, 0.0], Quaternion::IDENTITY);
    let axle = Joint::revolute(&pinion, [0.0; 3], Z)?;
    let guide = Joint::prismatic(&rack, [0.0, -radius, 0.0], [1.0, 0.0, 0.0])?;
    let (way, angle) = (guide.displacement().expect("it slides"), axle.angle().expect("it turns"));
    let mesh = Coupler::rack(&way, (&angle, radius))?;
    let mut model = NonSmoothDynamicalSystem::new();
    let (pinion, rack) = (model.add_system(pinion)?, model.add_system(rack)?);
    join(&mut model, &[pinion], axle)?;
    join(&mut model, &[rack], guide)?;
    let mesh = model.add_interaction([rack, pinion], mesh, EqualityCondition::new(1)?)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(2.0, 1e-2)).build()?;
    let mut state = simulation.initial_state(&model)?;
    let acceleration = 0.5 * radius / (0.02 + 2.0 * radius * radius);
    let (mut worst, mut force) = (0.0, 0.0);
    simulation.run(&model, &mut state, |report, state| {
        worst = worse(worst, (state.v(rack)[0] - acceleration * report.t).abs());
        worst = worse(worst, (state.v(pinion)[5] * radius - state.v(rack)[0]).abs());
        force = state.lambda(mesh, Level::Velocity)[0] / report.h;
    })?;
    assert!(state.q(rack)[0] > 2.4 && worst < 1e-10, "{worst}");
    assert!((force - 2.0 * acceleration).abs() < 1e-9, "what pushes the rack: {force}");
    Ok(())
}

/// In a floating housing with a pair of gears, the housing and the other gear take up the angular momentum
/// that one gear loses. The total angular momentum is constant.
#[test]
fn gears_in_a_housing_that_floats_keep_the_angular_momentum() -> Result<(), Error> {
    let housing =
        NewtonEuler::new(3.0, Inertia::from([0.2, 0.3, 0.4]), [0.1, 0.0, 0.0], Quaternion::IDENTITY);
    let (first, second) = (wheel(0.0, 0.02), wheel(0.3, 0.16));
    let spin = 6.0;
    let (first, second) =
        (first.with_twist([0.0; 3], [0.0, 0.0, spin]), second.with_twist([0.0; 3], [0.0, 0.0, -spin / 3.0]));
    let axles = [
        Joint::revolute((&first, &housing), [0.0; 3], Z)?,
        Joint::revolute((&second, &housing), [0.3, 0.0, 0.0], Z)?,
    ];
    let angles = [0, 1].map(|k| axles[k].angle().expect("an axle turns"));
    let gear = Coupler::gear((&angles[0], teeth(10)), (&angles[1], teeth(30)))?.sharing_frame()?;
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(first)?, model.add_system(second)?, model.add_system(housing)?];
    for (axle, wheel) in axles.into_iter().zip(ids) {
        join(&mut model, &[wheel, ids[2]], axle)?;
    }
    model.add_interaction(ids, gear, EqualityCondition::new(1)?)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(3.0, 1e-2)).build()?;
    let mut state = simulation.initial_state(&model)?;
    let (masses, moments) = ([1.0, 1.0, 3.0], [0.02, 0.16, 0.4]);
    let momentum = |state: &State| -> f64 {
        let of = |k: usize| {
            let (q, v) = (state.q(ids[k]), state.v(ids[k]));
            masses[k] * (q[0] * v[1] - q[1] * v[0]) + moments[k] * v[5]
        };
        (0..3).map(of).sum()
    };
    let before = momentum(&state);
    // The angular momentum is constant only up to the drift of positions along the circle about the common
    // centre of mass.
    let (mut worst, mut ratio) = (0.0, 0.0);
    simulation.run(&model, &mut state, |_, state| {
        let omega = [0, 1, 2].map(|k| state.v(ids[k])[5]);
        ratio = worse(ratio, (10.0 * (omega[0] - omega[2]) + 30.0 * (omega[1] - omega[2])).abs());
        worst = worse(worst, (momentum(state) - before).abs());
    })?;
    assert!(ratio < 1e-10 && worst < 1e-4 * before.abs(), "{ratio} {worst} of {before}");
    Ok(())
}

#[test]
fn what_cannot_be_coupled_is_refused() -> Result<(), Error> {
    let body = wheel(0.0, 0.02);
    let hinge = Joint::revolute(&body, [0.0; 3], Z)?;
    let slide = Joint::prismatic(&body, [0.0; 3], Z)?;
    let (angle, way) = (hinge.angle().expect("it turns"), slide.displacement().expect("it slides"));
    let text = |outcome: Result<Coupler, ModelError>| outcome.expect_err("refused").to_string();
    assert!(text(Coupler::gear((&angle, teeth(3)), (&way, teeth(4)))).contains("the angles of two joints"));
    assert!(text(Coupler::rack(&angle, (&angle, 0.1))).contains("a displacement, then an angle"));
    assert!(text(Coupler::rack(&way, (&angle, 0.0))).contains("a number other than 0"));
    assert!(text(Coupler::screw(&hinge, 0.1)).contains("slides and rotates"));
    assert!(text(Coupler::screw(&Joint::cylindrical(&body, [0.0; 3], Z)?, f64::NAN)).contains("lead"));
    let gear = Coupler::gear((&angle, teeth(3)), (&angle, teeth(4)))?;
    assert!(text(gear.sharing_frame()).contains("each connect two bodies"));

    // The coupler is added to bodies that do not belong to its joints.
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(body)?;
    let gear = Coupler::gear((&angle, teeth(3)), (&angle, teeth(4)))?;
    let refused = model.add_interaction([id], gear, EqualityCondition::new(1)?);
    assert!(matches!(refused, Err(ModelError::JointBodyCount { expected: 2, found: 1, .. })), "{refused:?}");
    Ok(())
}
