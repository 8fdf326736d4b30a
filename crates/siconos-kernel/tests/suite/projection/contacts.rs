//! Contacts with projection: the reference file of Siconos, overlaps, invariance.

use ndarray::array;
use siconos_kernel::model::ContactPoints;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::worse;
use siconos_testkit::reference::trajectory;

use crate::common::grid;

fn scheme(projection: Projection) -> MoreauJean {
    MoreauJean { projection: Some(projection), ..MoreauJean::default() }
}

fn ball(height: f64) -> LagrangianLinear {
    let mass = array![1.0, 1.0, 0.4 * 0.01];
    LagrangianLinear::new(vec![height, 0.0, 0.0], vec![0.0; 3], mass)
        .with_constant_external_force(vec![-9.81, 0.0, 0.0])
}

#[test]
fn the_ball_of_siconos_is_projected_as_it_is() {
    let Some(reference) = trajectory("BouncingBallTS-MoreauJeanCombinedProjectionOSI.ref") else { return };
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(ball(1.0)).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.9).unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(10.0, 0.005))
        .integrator(scheme(Projection::Combined))
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let row = |state: &State| {
        let lambda = state.lambda(floor, Level::Velocity)[0];
        [state.t, state.q(ball)[0], state.v(ball)[0], state.impulse(ball)[0], lambda]
    };
    let mut rows = vec![row(&state)];
    simulation.run(&model, &mut state, |_, state| rows.push(row(state))).unwrap();
    assert_eq!((rows.len(), reference.len()), (2001, 2001));
    let mut largest = 0.0;
    for (row, expected) in rows.iter().zip(&reference) {
        largest = row.iter().zip(expected).map(|(x, expected)| (x - expected).abs()).fold(largest, worse);
    }
    assert!(largest < 1e-9, "{largest}");
}

/// Simulates five balls above each other that are thrown on a floor. Returns the deepest overlap at the end
/// of each step, and the largest final speed.
fn column(projection: Option<Projection>, e: f64, h: f64) -> (Vec<f64>, f64) {
    let mut model = NonSmoothDynamicalSystem::new();
    let balls: Vec<_> = (0..5)
        .map(|k| {
            let ball = LagrangianLinear::new(vec![0.3 + 0.25 * f64::from(k)], vec![-1.0], array![1.0])
                .with_constant_external_force(vec![-9.81]);
            model.add_system(ball).unwrap()
        })
        .collect();
    let law = NewtonImpact::new(e).unwrap();
    let above = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![-0.1]);
    model.add_interaction([balls[0]], above, law).unwrap();
    for pair in balls.windows(2) {
        let between = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
        model.add_interaction([pair[0], pair[1]], between, law).unwrap();
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(3.0, h))
        .integrator(MoreauJean { projection, ..MoreauJean::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut overlaps = Vec::new();
    simulation
        .run(&model, &mut state, |report, _| {
            overlaps.push((-report.deepest_gap.expect("contacts").1).max(0.0));
        })
        .unwrap();
    let speed = balls.iter().map(|&ball| state.v(ball)[0].abs()).fold(0.0, worse);
    (overlaps, speed)
}

#[test]
fn nothing_overlaps_under_combined_projection() {
    let h = 2e-3;
    for e in [0.0, 0.5, 0.9] {
        let worst = |overlaps: &[f64]| overlaps.iter().copied().fold(0.0, worse);
        let (alone, _) = column(None, e, h);
        assert!(worst(&alone) > 1e-4, "{e}: there is something to project");
        let (combined, speed) = column(Some(Projection::Combined), e, h);
        assert!(worst(&combined) < 1e-14, "{e}: {}", worst(&combined));
        assert!(e == 0.9 || speed < 1e-12, "{e}: at rest, {speed}");
        // With the direct projection, a contact that closes late in a step overlaps until the next step.
        let (direct, speed) = column(Some(Projection::Direct), e, h);
        assert!(worst(&direct) < 8.0 * h, "{e}: {}, at 4 m/s from both sides", worst(&direct));
        let rest = worst(&direct[direct.len() - 200..]);
        assert!(e > 0.0 || (rest < 1e-14 && speed < 1e-12), "{e}: at rest {rest}, {speed}");
    }
}

#[test]
fn a_stranger_on_another_floor_changes_no_bit() {
    for projection in [Projection::Direct, Projection::Combined] {
        let run = |strangers: usize| {
            let mut model = NonSmoothDynamicalSystem::new();
            let add = |model: &mut NonSmoothDynamicalSystem, height: f64| {
                let ball = model.add_system(ball(height)).unwrap();
                let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
                model.add_interaction([ball], floor, NewtonImpact::new(0.8).unwrap()).unwrap();
                ball
            };
            let first = add(&mut model, 1.0);
            (0..strangers).for_each(|k| {
                add(&mut model, 0.2 + 0.13 * k as f64);
            });
            let mut simulation = TimeStepping::builder(&model)
                .discretisation(grid(3.0, 0.005))
                .integrator(scheme(projection))
                .build()
                .unwrap();
            let mut state = simulation.initial_state(&model).unwrap();
            let mut track = Vec::new();
            simulation
                .run(&model, &mut state, |_, state| {
                    track.push([state.q(first)[0], state.v(first)[0]].map(f64::to_bits));
                })
                .unwrap();
            track
        };
        let alone = run(0);
        assert_eq!(run(1), alone, "{projection:?}");
        assert_eq!(run(20), alone, "{projection:?}");
    }
}

#[test]
fn walls_too_close_to_each_other_are_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])).unwrap();
    for sign in [1.0, -1.0] {
        let wall = LagrangianLinearRelation::new(array![[sign]]).with_offset(vec![-0.01]);
        model.add_interaction([body], wall, NewtonImpact::new(0.0).unwrap()).unwrap();
    }
    for projection in [Projection::Direct, Projection::Combined] {
        let simulation = |policy| {
            TimeStepping::builder(&model)
                .discretisation(grid(1.0, 0.1))
                .integrator(scheme(projection))
                .on_non_convergence(policy)
                .build()
                .unwrap()
        };
        let mut failing = simulation(OnNonConvergence::Fail);
        let mut state = State::new(&model, 0.0);
        let before = state.clone();
        let error = failing.step(&model, &mut state).expect_err("no room");
        assert!(matches!(error, SimulationError::NotProjected { step: 1, .. }), "{error}");
        assert_eq!(state.q(body), before.q(body), "as it was");
        let mut going_on = simulation(OnNonConvergence::Continue);
        assert!(going_on.step(&model, &mut state).unwrap().is_some());
    }
}

#[test]
fn systems_of_a_contact_have_to_agree() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [a, b] =
        [(); 2].map(|()| model.add_system(LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])).unwrap());
    let between = LagrangianLinearRelation::new(array![[1.0, -1.0]]);
    model.add_interaction([a, b], between, NewtonImpact::new(0.0).unwrap()).unwrap();
    let built = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 0.1))
        .integrator_for(b, scheme(Projection::Direct))
        .build();
    let text = built.expect_err("refused").to_string();
    assert!(text.contains("projection"), "{text}");
}

/// A bar with a small moment of inertia falls on its two ends at an angle. Moving one end outwards rotates
/// the other end inwards.
#[test]
fn what_moves_one_end_out_does_not_push_the_other_in() -> Result<(), Error> {
    for (e, h) in [(0.4, 1e-4), (0.4, 1e-5), (0.0, 1e-4)] {
        let deepest = |projection| -> Result<f64, Error> {
            let orientation = Quaternion::about([0.0, 1.0, 0.0], 2e-3);
            let bar = NewtonEuler::new(0.076, 2.7e-6, [0.0, 0.0, 1e-3], orientation)
                .with_twist([0.0, 0.0, -0.7], [0.0; 3])
                .with_constant_external_force([0.0, 0.0, -7.6]);
            let mut model = NonSmoothDynamicalSystem::new();
            let bar = model.add_system(bar)?;
            for end in [-0.05, 0.05] {
                let contact = PointContact::new(ContactRows::Normal, move |_, q| {
                    let arm = Quaternion::of_body(q).rotate([end, 0.0, 0.0]);
                    let first = [q[0] + arm[0], q[1] + arm[1], q[2] + arm[2]];
                    ContactPoints { first, second: [first[0], first[1], 0.0], normal: [0.0, 0.0, 1.0] }
                });
                model.add_interaction([bar], contact, NewtonImpact::new(e)?)?;
            }
            let mut simulation = TimeStepping::builder(&model)
                .discretisation(TimeDiscretisation::uniform(0.0, 0.05, h)?)
                .integrator(MoreauJean { projection, ..MoreauJean::default() })
                .build()?;
            let mut state = simulation.initial_state(&model)?;
            let mut deepest = 0.0_f64;
            simulation.run(&model, &mut state, |report, _| {
                deepest = deepest.min(report.deepest_gap.map_or(f64::NAN, |(_, gap)| gap));
            })?;
            Ok(deepest)
        };
        // A contact that closes within a step overlaps at its end, by the distance of one step at most.
        let (without, direct) = (deepest(None)?, deepest(Some(Projection::Direct))?);
        assert!(without < -1e-6 && direct >= -1.5 * h, "e = {e}, h = {h}: {without} {direct}");
    }
    Ok(())
}
