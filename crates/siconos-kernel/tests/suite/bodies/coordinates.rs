//! Joint coordinates: displacements and angles, stops, prescribed motions.

use siconos_kernel::model::Relation;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::exact::PendulumWithStop;
use siconos_testkit::random::RandomState;

use super::{body, vector};

const G: f64 = 9.81;
const Y: [f64; 3] = [0.0, 1.0, 0.0];

#[test]
fn coordinates_have_the_derivatives_of_their_values_and_are_zero_at_the_start() -> Result<(), Error> {
    let mut draw = RandomState::new(11);
    for _ in 0..20 {
        let (a, b, other_a, other_b) = (body(&mut draw), body(&mut draw), body(&mut draw), body(&mut draw));
        let (point, axis) = (vector(&mut draw, 1.0), vector(&mut draw, 3.0));
        let cylindrical = Joint::cylindrical((&a, &b), point, axis)?;
        let coordinates = [
            Joint::revolute((&a, &b), point, axis)?.angle(),
            Joint::prismatic((&a, &b), point, axis)?.displacement(),
            cylindrical.angle(),
            cylindrical.displacement(),
        ];
        for coordinate in coordinates.into_iter().map(|coordinate| coordinate.expect("it is left free")) {
            let stops = Relation::from(coordinate.stops(-0.5, 2.0)?);
            let q = |a: &NewtonEuler, b: &NewtonEuler| [a.q0(), b.q0()].concat();
            let mut model = NonSmoothDynamicalSystem::new();
            let ids = [model.add_system(a.clone())?, model.add_system(b.clone())?];
            let stops = model.add_interaction(ids, stops, NewtonImpact::new(0.0)?)?;
            let elsewhere = q(&other_a, &other_b);
            model.interaction(stops)?.check_jacobians(0.0, &elsewhere, 1e-7).expect("the derivative of c");
            let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1)?;
            let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
            let state = simulation.initial_state(&model)?;
            let y = state.y(stops, Level::Position);
            assert!((y[0] - 0.5).abs() < 1e-14 && (y[1] - 2.0).abs() < 1e-14, "{y:?}");
        }
        assert!(Joint::spherical(&a, point)?.angle().is_none() && Joint::fixed(&a)?.displacement().is_none());
    }
    Ok(())
}

/// Simulates a rod of 1.5 m on a hinge at its end, equivalent to a pendulum of 1 m. The rod is released at an
/// angle, and a stop is at its hanging position.
fn rod_with_stop(h: f64, end: f64) -> Result<Vec<[f64; 2]>, Error> {
    let start = 0.9;
    let orientation = Quaternion::about(Y, -start);
    let centre = orientation.rotate([0.0, 0.0, -0.75]);
    let inertia = 2.0 * 1.5 * 1.5 / 12.0;
    let rod = NewtonEuler::new(2.0, [inertia, inertia, 0.01], centre, orientation)
        .with_constant_external_force([0.0, 0.0, -2.0 * G]);
    let hinge = Joint::revolute(&rod, [0.0; 3], Y)?;
    // The joint angle is 0 at the start and 0.9 at the stop. The lower stop is never reached.
    let angle = hinge.angle().expect("a hinge turns");
    let stops = angle.stops(-1.0, start)?;
    let mut model = NonSmoothDynamicalSystem::new();
    let rod = model.add_system(rod)?;
    let condition = hinge.condition()?;
    model.add_interaction([rod], hinge, condition)?;
    let stops = model.add_interaction([rod], stops, NewtonImpact::new(0.8)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, end, h)?)
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut track = Vec::new();
    simulation.run(&model, &mut state, |_, state| {
        track.push([state.t, state.y(stops, Level::Position)[1]]);
    })?;
    Ok(track)
}

#[test]
fn a_rod_on_a_stop_is_the_pendulum_that_bounces() -> Result<(), Error> {
    let exact = PendulumWithStop::new(G, 1.0, 0.9, 0.8);
    let end = exact.impact_time(4) + 0.2;
    let error = |h: f64| -> Result<f64, Error> {
        let track = rod_with_stop(h, end)?;
        Ok(track.iter().map(|[t, angle]| h * (angle - exact.state(*t).0.abs()).abs()).sum())
    };
    let (coarse, fine) = (error(1e-3)?, error(1.25e-4)?);
    // Convergence is of order 1 in the L1 norm, because of the impacts.
    assert!(fine < 0.25 * coarse && fine < 1e-3, "{coarse} and {fine}");
    Ok(())
}

#[test]
fn a_prescribed_angle_is_followed_through_many_turns() -> Result<(), Error> {
    let (rate, h) = (15.0, 1e-3);
    let rotor = NewtonEuler::new(1.0, [0.1, 0.2, 0.15], [0.3, 0.0, 0.0], Quaternion::IDENTITY)
        .with_twist([0.0, 0.0, -0.3 * rate], [0.0, rate, 0.0])
        .with_constant_external_force([0.0, 0.0, -G]);
    let hinge = Joint::revolute(&rotor, [0.0; 3], Y)?;
    let motor = hinge.angle().expect("a hinge turns").prescribed(move |at| rate * at.t, move |_| rate);
    let mut model = NonSmoothDynamicalSystem::new();
    let rotor = model.add_system(rotor)?;
    let condition = hinge.condition()?;
    model.add_interaction([rotor], hinge, condition)?;
    let motor = model.add_interaction([rotor], motor, EqualityCondition::new(1)?)?;
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, h)?)
        .newton(NewtonSettings { tolerance: 1e-13, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let (mut off, mut torque) = (0.0, 0.0);
    simulation.run(&model, &mut state, |_, state| {
        off = worse(off, state.y(motor, Level::Position)[0].abs());
        // The motor carries the weight: m g r cos(angle) at the midpoint of the step.
        let expected = -G * 0.3 * (rate * (state.t - 0.5 * h)).cos() * h;
        torque = worse(torque, (state.lambda(motor, Level::Velocity)[0] - expected).abs() / (G * 0.3 * h));
    })?;
    assert!(off < 1e-10, "{off}");
    assert!(torque < 1e-3, "{torque}");
    Ok(())
}

#[test]
fn stops_in_the_wrong_order_are_refused() -> Result<(), Error> {
    let body = NewtonEuler::new(1.0, 1.0, [0.0; 3], Quaternion::IDENTITY);
    let way = Joint::prismatic(&body, [0.0; 3], Y)?.displacement().expect("it slides");
    assert_eq!(way.stops(0.2, 0.1).err(), Some(ModelError::Stops { lower: 0.2, upper: 0.1 }));
    assert!(matches!(way.stops(f64::NAN, 0.1), Err(ModelError::NotFinite { .. })));
    Ok(())
}
