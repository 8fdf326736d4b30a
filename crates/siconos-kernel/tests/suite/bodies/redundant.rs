//! Joints with redundant equations.

use siconos_kernel::model::{ContactRows, Joint, NewtonEuler, PointContact, Quaternion};
use siconos_kernel::prelude::*;
use siconos_numerics::gmp::GmpMethod;
use siconos_testkit::compare::worse;
use siconos_testkit::convergence::observed_order;

const G: f64 = 9.81;
const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// Radius of the crank \[m\]; `ROD` is the length of the rod \[m\].
const CRANK: f64 = 0.15;
const ROD: f64 = 0.4;

/// Joint that the model contains twice.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Twice {
    Nothing,
    Hinge,
    Slide,
}

/// Angular velocity of the crank at the start \[rad/s\].
const SPIN: f64 = 20.0;

/// Simulates a slider-crank in the plane x, y that starts at dead centre with the given spin. It has three
/// hinges about z and a slide along x: twenty equations of rank seventeen. With a wall, the slider bounces
/// off x = 0.35.
fn slider_crank(
    spin: f64,
    h: f64,
    twice: Twice,
    with_wall: bool,
    projection: Option<Projection>,
) -> Result<Vec<([f64; 2], f64)>, Error> {
    let weight = |body: NewtonEuler, m: f64| body.with_constant_external_force([0.0, -0.3 * m * G, -m * G]);
    let body = |m: f64, x: f64| {
        NewtonEuler::new(m, [0.002, 0.004, 0.003].map(|i| m * i), [x, 0.0, 0.0], Quaternion::IDENTITY)
    };
    let crank =
        weight(body(1.0, 0.5 * CRANK), 1.0).with_twist([0.0, 0.5 * CRANK * spin, 0.0], [0.0, 0.0, spin]);
    let back = -CRANK * spin / ROD;
    let rod = weight(body(0.5, CRANK + 0.5 * ROD), 0.5)
        .with_twist([0.0, 0.5 * CRANK * spin, 0.0], [0.0, 0.0, back]);
    let slider = weight(body(2.0, CRANK + ROD), 2.0);
    let ends = [0.0, CRANK, CRANK + ROD].map(|x| [x, 0.0, 0.0]);
    let joints = [
        (Joint::revolute(&crank, ends[0], Z)?, vec![0]),
        (Joint::revolute((&crank, &rod), ends[1], Z)?, vec![0, 1]),
        (Joint::revolute((&rod, &slider), ends[2], Z)?, vec![1, 2]),
        (Joint::prismatic(&slider, ends[2], [1.0, 0.0, 0.0])?, vec![2]),
    ];
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(crank)?, model.add_system(rod)?, model.add_system(slider)?];
    let again = match twice {
        Twice::Nothing => None,
        Twice::Hinge => Some(joints[1].clone()),
        Twice::Slide => Some(joints[3].clone()),
    };
    for (joint, between) in joints.into_iter().chain(again) {
        let condition = joint.condition()?;
        model.add_interaction(between.into_iter().map(|k: usize| ids[k]), joint, condition)?;
    }
    if with_wall {
        let wall =
            PointContact::of_ball_and_plane(ContactRows::Friction, 0.05, [0.3, 0.0, 0.0], [1.0, 0.0, 0.0])?;
        model.add_interaction([ids[2]], wall, NewtonImpactFriction::in_space(0.5, 0.2)?)?;
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.5, h)?)
        .integrator(MoreauJean { projection, ..MoreauJean::default() })
        .tolerance(1e-14)
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut track = Vec::new();
    simulation.run(&model, &mut state, |report, state| {
        assert!(report.solve.status.is_success(), "{report:?}");
        let q = state.q(ids[0]);
        let angle = 2.0 * q[6].atan2(q[3]);
        track.push(([angle, state.q(ids[2])[0]], state.v(ids[2])[0]));
    })?;
    Ok(track)
}

/// Returns the largest difference between the position of the slider and the position that follows from the
/// crank angle.
fn off_its_angle(track: &[([f64; 2], f64)]) -> f64 {
    let off = track.iter().map(|([angle, x], _)| {
        let (sine, cosine) = angle.sin_cos();
        (x - CRANK * cosine - (ROD * ROD - (CRANK * sine).powi(2)).sqrt()).abs()
    });
    off.fold(0.0, worse)
}

#[test]
fn under_projection_it_does_so_to_rounding() -> Result<(), Error> {
    for projection in [Projection::Direct, Projection::Combined] {
        for with_wall in [false, true] {
            let off = off_its_angle(&slider_crank(SPIN, 1e-3, Twice::Nothing, with_wall, Some(projection))?);
            assert!(off < 1e-13, "{projection:?}, wall {with_wall}: {off}");
        }
    }
    Ok(())
}

#[test]
fn a_slider_crank_goes_as_its_angle_says() -> Result<(), Error> {
    let steps = [2e-3, 1e-3, 5e-4];
    let mut errors = Vec::new();
    for h in steps {
        let track = slider_crank(SPIN, h, Twice::Nothing, false, None)?;
        errors.push(off_its_angle(&track));
    }
    let observed = observed_order(&steps, &errors);
    assert!((observed.order - 2.0).abs() < 0.1 && errors[2] < 1e-5, "{observed:?} of {errors:?}");
    Ok(())
}

/// A duplicated joint does not change the motion.
#[test]
fn a_joint_made_twice_changes_no_motion() -> Result<(), Error> {
    let cases = [
        (SPIN, false, None),
        (SPIN, false, Some(Projection::Direct)),
        (SPIN, true, None),
        (SPIN, true, Some(Projection::Direct)),
        (SPIN, true, Some(Projection::Combined)),
        (SPIN + 1e-14, true, Some(Projection::Direct)),
        (SPIN + 1e-13, true, Some(Projection::Direct)),
        (SPIN + 1e-11, true, Some(Projection::Direct)),
    ];
    for (spin, with_wall, projection) in cases {
        let expected = slider_crank(spin, 1e-3, Twice::Nothing, with_wall, projection)?;
        let bounces = expected.windows(2).filter(|pair| pair[0].1 < -0.1 && pair[1].1 > 0.05).count();
        assert!((bounces > 0) == with_wall, "{bounces} bounces");
        let all = [Twice::Hinge, Twice::Slide];
        for &twice in if spin == SPIN { &all[..] } else { &all[..1] } {
            let found = slider_crank(spin, 1e-3, twice, with_wall, projection)?;
            assert_eq!(found.len(), expected.len());
            let off = found
                .iter()
                .zip(&expected)
                .map(|((a, v), (b, w))| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()).max((v - w).abs()));
            let worst = off.fold(0.0, worse);
            assert!(worst < 1e-10, "{twice:?}, wall {with_wall}, {projection:?}: {worst:e}");
        }
    }
    Ok(())
}

/// Creates a hinge with two motors at the given rates [rad/s]. Returns the model, the rotor and the motors.
fn motors_of_one_hinge(
    rates: [f64; 2],
) -> Result<(NonSmoothDynamicalSystem, DynamicalSystemId, Vec<InteractionId>), Error> {
    let rotor = NewtonEuler::new(1.0, [0.1, 0.2, 0.15], [0.3, 0.0, 0.0], Quaternion::IDENTITY);
    let hinge = Joint::revolute(&rotor, [0.0; 3], Z)?;
    let angle = hinge.angle().expect("a hinge turns");
    let mut model = NonSmoothDynamicalSystem::new();
    let rotor = model.add_system(rotor)?;
    let condition = hinge.condition()?;
    model.add_interaction([rotor], hinge, condition)?;
    let mut motors = Vec::new();
    for rate in rates {
        let motor = angle.prescribed(move |at| rate * at.t, move |_| rate);
        motors.push(model.add_interaction([rotor], motor, EqualityCondition::new(1)?)?);
    }
    Ok((model, rotor, motors))
}

/// Returns the statuses of the steps with two motors at these rates, or the error that ended the run.
fn two_motors(rates: [f64; 2]) -> Result<Vec<Status>, Error> {
    let (model, ..) = motors_of_one_hinge(rates)?;
    let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?;
    let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
    let mut state = simulation.initial_state(&model)?;
    let mut statuses = Vec::new();
    simulation.run(&model, &mut state, |report, _| statuses.push(report.solve.status))?;
    Ok(statuses)
}

#[test]
fn equations_that_repeat_each_other_hold_and_those_that_contradict_are_no_success() -> Result<(), Error> {
    let agreed = two_motors([2.0, 2.0])?;
    assert!(agreed.len() == 100 && agreed.iter().all(|status| status.is_success()), "{agreed:?}");
    match two_motors([2.0, 3.0]) {
        Err(error) => println!("{error}"),
        Ok(statuses) => assert!(statuses.iter().all(|status| !status.is_success()), "{statuses:?}"),
    }
    Ok(())
}

/// If two motors of one hinge have different rates, the solver names one of them. This holds for the solver
/// for blocks and for the default solver, which treats equalities together with complementarity.
#[test]
fn motors_that_contradict_each_other_are_named() -> Result<(), Error> {
    for (rates, is_default) in
        [([2.0, 2.0], false), ([2.0, 3.0], false), ([2.0, 2.0], true), ([2.0, 3.0], true)]
    {
        let (model, rotor, motors) = motors_of_one_hinge(rates)?;
        let grid = TimeDiscretisation::uniform(0.0, 0.1, 1e-3)?;
        let solver = match is_default {
            true => OneStepSolver::default(),
            false => OneStepSolver::from_method(&GmpMethod::default()).expect("default settings"),
        };
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).solver(solver).build()?;
        let mut state = simulation.initial_state(&model)?;
        let ended = simulation.step(&model, &mut state).map(drop);
        let named = simulation.contradiction();
        if rates[0] == rates[1] {
            assert!(ended.is_ok() && named.is_none(), "{named:?}");
        } else {
            let refused =
                matches!(ended, Err(SimulationError::NotConverged { status: Status::NoSolution, .. }));
            assert!(
                refused && named.is_some_and(|named| motors.iter().any(|motor| named.relation == *motor)),
                "{named:?} {ended:?}"
            );
            assert_eq!(state.v(rotor).iter().map(|v| v.abs()).sum::<f64>(), 0.0);
        }
    }
    Ok(())
}

/// Chain of rods of very different masses, with hinges about different axes and one moment of inertia near
/// zero. The steps succeed and do not add energy. With a mass ratio of 1e6 a step may fail; the energy is
/// conserved up to that step.
#[test]
fn masses_far_apart_and_needles_move() -> Result<(), Error> {
    for ratio in [1e-6, 1e-3, 1e3, 1e6] {
        let rod = |k: usize| {
            let (mass, x) = (f64::powi(ratio, k as i32 % 2), k as f64 + 0.5);
            NewtonEuler::new(
                mass,
                [1e-9, 1.0 / 12.0, 1.0 / 12.0].map(|i| mass * i),
                [x, 0.0, 0.0],
                Quaternion::IDENTITY,
            )
            .with_constant_external_force([0.0, 0.0, -mass * G])
        };
        let mut model = NonSmoothDynamicalSystem::new();
        let mut ids: Vec<DynamicalSystemId> = Vec::new();
        for k in 0..4 {
            let (own, point) = (rod(k), [k as f64, 0.0, 0.0]);
            let axis = [0.0, 1.0, if k % 2 == 0 { 0.0 } else { 1.0 }];
            let joint = match k {
                0 => Joint::revolute(&own, point, axis)?,
                _ => Joint::revolute((&rod(k - 1), &own), point, axis)?,
            };
            let condition = joint.condition()?;
            ids.push(model.add_system(own)?);
            model.add_interaction(ids[k.saturating_sub(1)..].iter().copied(), joint, condition)?;
        }
        let grid = TimeDiscretisation::uniform(0.0, 0.5, 1e-3)?;
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build()?;
        let mut state = simulation.initial_state(&model)?;
        let energy = |state: &State| -> (f64, f64) {
            ids.iter().enumerate().fold((0.0, 0.0), |(kinetic, all), (k, &id)| {
                let (q, v, mass) = (state.q(id), state.v(id), f64::powi(ratio, k as i32 % 2));
                let inertia = [1.0, 1.0, 1.0, 1e-9, 1.0 / 12.0, 1.0 / 12.0];
                let own = 0.5 * mass * v.iter().zip(inertia).map(|(v, i)| i * v * v).sum::<f64>();
                (kinetic + own, all + own + mass * G * q[2])
            })
        };
        let (_, before) = energy(&state);
        let ended = simulation.run(&model, &mut state, |report, state| {
            assert!(report.solve.status.is_success(), "{ratio:e}: {report:?}");
            let (kinetic, all) = energy(state);
            assert!(
                (all - before).abs() <= 1e-3 * kinetic.max(1e-6 * G),
                "{ratio:e} at {}: {all} of {kinetic}",
                state.t
            );
        });
        let far_apart = !(1e-3..=1e3).contains(&ratio);
        match ended {
            Err(SimulationError::NewtonNotConverged { .. } | SimulationError::NotConverged { .. })
                if far_apart =>
            {
                assert!(state.t > 0.1, "{ratio:e}: {}", state.t);
            }
            other => other?,
        }
    }
    Ok(())
}
