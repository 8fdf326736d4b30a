//! Motions with detected contacts, compared with closed forms and with declared contacts.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::{AdaptiveReport, ContactJacobian};

use super::balls::{Ball, Balls, falling_ball};
use super::simulation;

/// A ball with slip rolls at 5/7 of its initial speed.
#[test]
fn a_sliding_ball_ends_at_five_sevenths_of_its_speed() {
    for (mu, margin) in [(0.3, 1e-3), (0.05, 10.0)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1], [1.0, 0.5, 0.0])).unwrap();
        let law = NewtonImpactFriction::in_space(0.0, mu).unwrap();
        let source = Balls { margin, ..Balls::new(law, [Ball::centred(ball, 0.1)]) };
        let mut sim = simulation(&model, (2000, 1e-3), source);
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |report, state| {
            let contacts = report.energy.unwrap().normal + report.energy.unwrap().tangential;
            assert!(contacts <= 1e-15 && state.q(ball)[2] >= 0.1 - 1e-14, "{contacts:e}");
        })
        .unwrap();
        let v = state.v(ball);
        for (v, v0) in v.iter().zip([1.0, 0.5, 0.0]) {
            assert!((v - 5.0 / 7.0 * v0).abs() < 1e-12, "{v} after {v0}");
        }
    }
}

/// A ball on a belt reaches 2/7 of the speed of the belt.
#[test]
fn a_belt_sets_a_ball_in_motion() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1], [0.0; 3])).unwrap();
    let law = NewtonImpactFriction::in_space(0.0, 0.4).unwrap();
    let source = Balls { speed: [0.7, -0.7, 0.0], ..Balls::new(law, [Ball::centred(ball, 0.1)]) };
    let mut sim = simulation(&model, (1000, 1e-3), source);
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    assert!((state.v(ball)[0] - 0.2).abs() < 1e-12 && (state.v(ball)[1] + 0.2).abs() < 1e-12);
    let contact = &state.contacts()[0];
    assert!(contact.velocity.iter().all(|u| u.abs() < 1e-12), "{:?}", contact.velocity);
    assert_eq!(contact.age, 999);
}

/// Four balls under a box carry it exactly as four declared contacts do.
#[test]
fn a_box_on_four_balls_moves_as_with_declared_contacts() {
    let sides = [0.4, 0.3, 0.2];
    let corners = [[-0.2, -0.15, -0.05], [0.2, -0.15, -0.05], [-0.2, 0.15, -0.05], [0.2, 0.15, -0.05]];
    let inertia = [0, 1, 2].map(|i| {
        let [a, b] = [sides[(i + 1) % 3], sides[(i + 2) % 3]];
        (a * a + b * b) / 12.0
    });
    let body = || {
        NewtonEuler::new(1.0, inertia, [0.0, 0.0, 0.1], Quaternion::IDENTITY)
            .with_twist([0.8, 0.3, 0.0], [0.0, 0.0, 2.0])
            .with_constant_external_force([0.0, 0.0, -9.81])
    };
    let law = NewtonImpactFriction::in_space(0.0, 0.3).unwrap();
    let grid = || TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap();

    let mut model = NonSmoothDynamicalSystem::new();
    let sliding = model.add_system(body()).unwrap();
    let balls = corners.map(|centre| Ball { body: sliding, centre, radius: 0.05 });
    let mut sim = simulation(&model, (1000, 1e-3), Balls::new(law, balls));
    let mut found = sim.initial_state(&model).unwrap();

    let mut other = NonSmoothDynamicalSystem::new();
    let declared = other.add_system(body()).unwrap();
    let floor = ContactSurface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] };
    let balls = corners.map(|centre| ContactBall { centre, radius: 0.05 });
    let contact = PointContact::at_rest(ContactRows::Friction, balls, floor).unwrap();
    other.add_interaction([declared], contact, law).unwrap();
    let newton =
        NewtonSettings { contact_jacobian: ContactJacobian::AtBeginning, ..NewtonSettings::default() };
    let mut reference = TimeStepping::builder(&other).discretisation(grid()).newton(newton).build().unwrap();
    let mut expected = reference.initial_state(&other).unwrap();

    let mut worst = 0.0_f64;
    while sim.step(&model, &mut found).unwrap().is_some() {
        reference.step(&other, &mut expected).unwrap();
        let pairs = found.q(sliding).iter().zip(expected.q(declared));
        worst = pairs.fold(worst, |worst, (a, b)| worst.max((a - b).abs()));
    }
    assert!(worst < 1e-11, "{worst:e}");
    assert!(found.v(sliding).iter().all(|v| v.abs() < 1e-9), "{:?}", found.v(sliding));
    let weight: f64 = found.contacts().iter().map(|contact| contact.impulse[2]).sum();
    assert!((weight - 9.81e-3).abs() < 1e-12, "{weight:e}");
}

/// Newton's law of restitution between two balls, and the total momentum.
#[test]
fn two_balls_collide() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut ball = |mass: f64, x: f64, speed: f64| {
        let body = NewtonEuler::new(mass, Inertia::of_ball(mass, 0.1), [x, 0.0, 9.0], Quaternion::IDENTITY);
        model.add_system(body.with_twist([speed, 0.0, 0.0], [0.0; 3])).unwrap()
    };
    let [heavy, light] = [ball(3.0, 0.0, 2.0), ball(1.0, 0.5, -1.0)];
    let law = NewtonImpactFriction::in_space(0.5, 0.2).unwrap();
    let balls = [heavy, light].map(|body| Ball::centred(body, 0.1));
    let mut sim = simulation(&model, (400, 1e-3), Balls::new(law, balls));
    let mut state = sim.initial_state(&model).unwrap();
    let mut active = 0;
    sim.run(&model, &mut state, |report, state| {
        active += report.active.len();
        let momentum = 3.0 * state.v(heavy)[0] + state.v(light)[0];
        assert!((momentum - 5.0).abs() < 1e-14, "{momentum}");
    })
    .unwrap();
    assert!(active > 0);
    assert!((state.v(light)[0] - state.v(heavy)[0] - 1.5).abs() < 1e-14);
}

/// Discs in the plane: a disc rolls at 2/3 of its initial speed.
#[test]
fn a_disc_rolls_in_the_plane() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::planar_body(2.0, 0.5 * 2.0 * 0.01, [0.0, 0.1, 0.0]);
    let mut disc = body.with_constant_external_force(vec![0.0, -19.62, 0.0]);
    disc = disc.with_velocity(vec![1.2, 0.0, 0.0]);
    let disc = model.add_system(disc).unwrap();
    let law = NewtonImpactFriction::in_plane(0.0, 0.3).unwrap();
    let source = Balls { up: [0.0, 1.0, 0.0], ..Balls::new(law, [Ball::centred(disc, 0.1)]) };
    let mut sim = simulation(&model, (1000, 1e-3), source);
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    assert!((state.v(disc)[0] - 0.8).abs() < 1e-12, "{:?}", state.v(disc));
    assert_eq!(state.contacts()[0].velocity[2], 0.0);
}

/// A column of balls rests for 10 000 steps, next to an oscillator with a declared contact.
#[test]
fn a_column_rests_next_to_declared_contacts() {
    let mut model = NonSmoothDynamicalSystem::new();
    let column: Vec<_> = (0..5)
        .map(|i| model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1 + 0.2 * f64::from(i)], [0.0; 3])).unwrap())
        .collect();
    let oscillator = LagrangianLinear::new(vec![0.2], vec![0.0], array![1.0]).with_stiffness(array![[100.0]]);
    let oscillator = model.add_system(oscillator).unwrap();
    let stop = LagrangianLinearRelation::new(array![[1.0]]).with_offset(vec![0.1]);
    model.add_interaction([oscillator], stop, NewtonImpact::new(1.0).unwrap()).unwrap();
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    let balls = column.iter().map(|&body| Ball::centred(body, 0.1));
    let mut sim = simulation(&model, (10_000, 1e-3), Balls::new(law, balls));
    let mut state = sim.initial_state(&model).unwrap();
    let mut impacts = 0;
    sim.run(&model, &mut state, |report, state| {
        impacts += report.active.iter().filter(|unitary| unitary.relation.interaction().is_some()).count();
        let floor = &state.contacts()[0];
        assert!((floor.reaction[0] - 5.0 * 9.81e-3).abs() < 1e-8, "{}: {:?}", report.step, floor);
    })
    .unwrap();
    assert!(impacts > 20, "{impacts}");
    for (i, &ball) in column.iter().enumerate() {
        let height = 0.1 + 0.2 * i as f64;
        assert!((state.q(ball)[2] - height).abs() < 1e-9 && state.q(ball)[0].abs() < 1e-9);
    }
}

/// Adaptive steps are short at the impact of a ball, and long before and after it.
#[test]
fn adaptive_steps_follow_detected_contacts() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 1.1], [0.0; 3])).unwrap();
    let law = NewtonImpactFriction::in_space(0.5, 0.0).unwrap();
    let mut sim = simulation(&model, (1, 0.6), Balls::new(law, [Ball::centred(ball, 0.1)]));
    let mut state = sim.initial_state(&model).unwrap();
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4)).unwrap();
    let mut impacts = Vec::new();
    let at_impact = |_: &AdaptiveStepping, report: &AdaptiveReport<'_>, _: &State| {
        impacts.extend((!report.is_smooth).then_some(report.step.t));
    };
    adaptive.run(&mut sim, &model, &mut state, 0.6, at_impact).unwrap();
    let time = f64::sqrt(2.0 / 9.81);
    assert!(impacts.iter().all(|t| (t - time).abs() < 1e-3) && !impacts.is_empty(), "{impacts:?}");
    let after = 0.6 - time;
    let height = 0.1 + 0.5 * 9.81 * time * after - 0.5 * 9.81 * after * after;
    assert!((state.q(ball)[2] - height).abs() < 1e-3, "{} {height}", state.q(ball)[2]);
    assert!(adaptive.steps().0 < 100, "{:?}", adaptive.steps());
}

/// Projections move bodies out of the overlap of an impact, and leave bodies at rest where they are.
#[test]
fn projections_remove_overlaps() {
    for projection in [Projection::Direct, Projection::Combined] {
        let mut model = NonSmoothDynamicalSystem::new();
        let column: Vec<_> = (0..3)
            .map(|i| {
                let at = [0.01 * f64::from(i % 2), 0.0, 0.3 + 0.25 * f64::from(i)];
                model.add_system(falling_ball(0.1, at, [0.0; 3])).unwrap()
            })
            .collect();
        let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
        let balls = column.iter().map(|&body| Ball::centred(body, 0.1));
        let mut sim = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 2e-3).unwrap())
            .integrator(MoreauJean { projection: Some(projection), ..MoreauJean::default() })
            .contacts(Balls::new(law, balls))
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let mut deepest = 0.0_f64;
        sim.run(&model, &mut state, |report, _| {
            deepest = deepest.min(report.deepest_gap.map_or(0.0, |(_, gap)| gap));
        })
        .unwrap();
        let lowest = column.iter().map(|&ball| state.q(ball)[2]).fold(f64::INFINITY, f64::min);
        assert!((lowest - 0.1).abs() < 1e-12, "{projection:?}: {lowest}");
        // `Direct` removes the overlap of an impact in the next step, `Combined` in the same step.
        let bound = if projection == Projection::Combined { 1e-14 } else { 5e-3 };
        assert!(-deepest < bound, "{projection:?}: {deepest:e}");
    }
}

/// A gap within its accuracy counts as closed: a body whose gap is known to 1e-7 m stays where it is.
#[test]
fn gaps_within_their_accuracy_are_closed() {
    let active = |accuracy: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.1 + 5e-8], [0.0; 3])).unwrap();
        let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
        let source = Balls { accuracy, ..Balls::new(law, [Ball::centred(ball, 0.1)]) };
        let mut sim = simulation(&model, (1, 1e-5), source);
        let mut state = sim.initial_state(&model).unwrap();
        sim.step(&model, &mut state).unwrap().unwrap().active.len()
    };
    assert_eq!((active(0.0), active(1e-7)), (0, 1));
}

/// The gradual projection lifts a ball out of the overlap of its impact, at the cost of its weight times the
/// overlap. The contact remains closed.
#[test]
fn the_gradual_projection_removes_an_overlap_slowly() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 0.3], [0.0; 3])).unwrap();
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    let mut sim = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 2e-3).unwrap())
        .integrator(MoreauJean { projection: Some(Projection::Gradual), ..MoreauJean::default() })
        .contacts(Balls::new(law, [Ball::centred(ball, 0.1)]))
        .energy_balance(true)
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let (mut lifting, mut deepest, mut has_closed) = (0.0, 0.0_f64, false);
    sim.run(&model, &mut state, |report, state| {
        let energy = report.energy.unwrap();
        assert!(energy.normal <= 1e-8 && state.v(ball)[2] < 0.2, "{}: {:e}", report.step, energy.normal);
        lifting += energy.projection;
        deepest = deepest.min(state.q(ball)[2] - 0.1);
        assert!(!has_closed || !report.active.is_empty(), "{}", report.step);
        has_closed |= !report.active.is_empty();
    })
    .unwrap();
    assert!(deepest < -1e-3 && (state.q(ball)[2] - 0.1).abs() < 2e-9, "{deepest:e} {:e}", state.q(ball)[2]);
    assert!((lifting + 9.81 * deepest).abs() < 0.05 * lifting, "{lifting:e} {deepest:e}");
}

/// The gradual projection does not add to a rebound: with e = 1, the height does not grow.
#[test]
fn the_gradual_projection_does_not_raise_rebounds() {
    for (restitution, h) in [(1.0, 2e-3), (1.0, 3e-3), (0.8, 2e-3)] {
        let heights = [None, Some(Projection::Gradual)].map(|projection| {
            let mut model = NonSmoothDynamicalSystem::new();
            let ball = model.add_system(falling_ball(0.1, [0.0, 0.0, 1.1], [0.0; 3])).unwrap();
            let law = NewtonImpactFriction::in_space(restitution, 0.0).unwrap();
            let mut sim = TimeStepping::builder(&model)
                .discretisation(TimeDiscretisation::uniform(0.0, 3.0, h).unwrap())
                .integrator(MoreauJean { projection, ..MoreauJean::default() })
                .contacts(Balls::new(law, [Ball::centred(ball, 0.1)]))
                .build()
                .unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            let mut highest = 0.0_f64;
            sim.run(&model, &mut state, |_, state| {
                if state.t > 2.0 {
                    highest = highest.max(state.q(ball)[2] - 0.1);
                }
            })
            .unwrap();
            highest
        });
        let [without, with] = heights;
        assert!((with - without).abs() < 1e-2 * without, "{restitution} {h}: {without} {with}");
    }
}
