//! Models that change between steps. A simulation that follows the changes agrees to the last bit with a new
//! simulation of the changed model, and with a simulation of a model that is built from scratch.

mod world;

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_testkit::random::RandomState;

use self::world::{Body, Tie, World};

#[test]
fn a_simulation_that_follows_changes_gives_the_bits_of_one_made_anew() {
    let mut met = [false; 3];
    for seed in 0..12 {
        let mut random = RandomState::new(seed);
        let mut world = World::default();
        for mass in [1.0, 2.0, 0.7] {
            world.add_body(Body::Ball(mass));
            world.add_body(if seed % 2 == 0 { Body::Spring(mass) } else { Body::Ball(mass + 0.1) });
            world.add_body(Body::Block(mass));
            if seed >= 4 {
                world.add_body(Body::Circuit(3.0 * mass));
                world.add_body(Body::Pendulum(mass));
            }
        }
        let mut following = world.simulation();
        let mut state = following.initial_state(&world.model).unwrap();
        for step in 0..60 {
            for _ in 0..(random.uniform() * 4.0) as usize {
                world.change(&mut random);
            }
            if step % 20 == 10 {
                world.renew_ties();
                world.change(&mut random);
            }
            let mut other = state.clone();
            following.step(&world.model, &mut state).unwrap();
            world.simulation().step(&world.model, &mut other).unwrap();
            assert_eq!(
                world.bits(&state),
                world.bits(&other),
                "seed {seed}, step {step}: simulation made anew"
            );

            let anew = world.anew();
            let mut restored = State::restore(&anew.model, &state.record(&world.model).unwrap()).unwrap();
            anew.simulation().step(&anew.model, &mut restored).unwrap();
            following.step(&world.model, &mut state).unwrap();
            assert_eq!(
                world.bits(&state),
                anew.bits(&restored),
                "seed {seed}, step {step}: model built anew"
            );
            for (tie, ..) in &world.ties {
                met[0] |= matches!(tie, Tie::Diode(_));
                met[1] |= matches!(tie, Tie::Valve(_));
                met[2] |= matches!(tie, Tie::Wall(_));
            }
        }
    }
    assert_eq!(met, [true; 3], "diodes, valves, walls");
}

/// One contact is removed and added again many times. The index tables are compacted, and the motion does not
/// change.
#[test]
fn swaps_without_end_leave_no_trace() {
    let mut world = World::on_the_floor([1.0, 2.0, 0.7].map(Body::Ball));
    let still = world.clone();
    let mut simulations = [world.simulation(), still.simulation()];
    let mut states = [0, 1].map(|k| simulations[k].initial_state(&world.model).unwrap());
    for _ in 0..500 {
        let (tie, systems, id) = world.ties.remove(0);
        world.model.remove_interaction(id).unwrap();
        world.add_tie(tie, systems);
        simulations[0].step(&world.model, &mut states[0]).unwrap();
        simulations[1].step(&still.model, &mut states[1]).unwrap();
        for ((_, a), (_, b)) in world.bodies.iter().zip(&still.bodies) {
            // A new contact has no reaction yet, so that the initial guess of the solver differs.
            let near = |x: &[f64], y: &[f64]| (x[0] - y[0]).abs() < 1e-9;
            assert!(near(states[0].q(*a), states[1].q(*b)) && near(states[0].v(*a), states[1].v(*b)));
        }
    }
}

/// If a step fails after the state has followed a change, the state is unchanged to the last bit, for the
/// model before and after the change.
#[test]
fn a_step_that_fails_takes_the_change_back() {
    let mut world = World::on_the_floor([1.0, 2.0].map(Body::Ball));
    let mut simulation = world.simulation();
    let mut state = simulation.initial_state(&world.model).unwrap();
    for _ in 0..50 {
        simulation.step(&world.model, &mut state).unwrap();
    }
    let before = (world.clone(), world.bits(&state));
    let bad =
        LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = f64::NAN);
    let bad = world.model.add_system(bad).unwrap();
    let (_, _, contact) = world.ties.remove(0);
    world.model.remove_interaction(contact).unwrap();
    world.add_tie(Tie::Pair(0.0), vec![world.bodies[0].1, world.bodies[1].1]);
    world.renew_ties();
    simulation.step(&world.model, &mut state).unwrap_err();
    assert_eq!(before.0.bits(&state), before.1);

    // The simulation continues both without the invalid system and with the previous model.
    let mut kept = state.clone();
    world.model.remove_system(bad).unwrap();
    simulation.step(&world.model, &mut state).unwrap();
    simulation.step(&before.0.model, &mut kept).unwrap();
    assert_eq!(kept.lambda(contact, Level::Velocity).len(), 1);
    let anew = world.anew();
    let mut restored = State::restore(&anew.model, &state.record(&world.model).unwrap()).unwrap();
    anew.simulation().step(&anew.model, &mut restored).unwrap();
    simulation.step(&world.model, &mut state).unwrap();
    assert_eq!(world.bits(&state), anew.bits(&restored));
}

/// A step fails after it has set up the problem of a contact, which is then removed. There are enough other
/// contacts for indices to change.
#[test]
fn a_step_that_fails_leaves_no_problem_behind() {
    let mut world = World::default();
    for k in 0..40 {
        world.add_body(Body::Block(1.0 + 0.1 * f64::from(k % 7)));
        world.add_tie(Tie::Friction(0.3), vec![world.bodies.last().unwrap().1]);
    }
    let mut simulation = world.simulation();
    let mut state = simulation.initial_state(&world.model).unwrap();
    simulation.step(&world.model, &mut state).unwrap();
    world.add_body(Body::Block(1.5));
    let block = world.bodies.last().unwrap().1;
    world.add_tie(Tie::Friction(0.4), vec![block]);
    let bad = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]);
    let bad = world.model.add_system(bad.with_external_force(|_, f| f[0] = f64::NAN)).unwrap();
    simulation.step(&world.model, &mut state).unwrap_err();
    world.bodies.pop();
    while world.ties.len() > 8 {
        let (.., tie) = world.ties.pop().unwrap();
        world.model.remove_interaction(tie).unwrap();
    }
    for id in [block, bad] {
        world.model.remove_system(id).unwrap();
    }
    for step in 0..5 {
        let mut other = state.clone();
        simulation.step(&world.model, &mut state).unwrap();
        world.simulation().step(&world.model, &mut other).unwrap();
        assert_eq!(world.bits(&state), world.bits(&other), "step {step}");
    }
}

#[test]
fn solver_and_integrators_may_change_between_steps() {
    let mut world = World::on_the_floor([1.0, 2.0, 0.7].map(Body::Ball));
    let (lower, upper) = (world.bodies[0].1, world.bodies[1].1);
    world.add_tie(Tie::Pair(0.0), vec![lower, upper]);
    let mut simulation = world.simulation();
    let mut state = simulation.initial_state(&world.model).unwrap();
    let mut by_one_solver = state.clone();
    let mut other = world.simulation();
    for step in 0..200 {
        if step == 50 {
            simulation.set_solver(siconos_numerics::lcp::Lemke::default());
        }
        simulation.step(&world.model, &mut state).unwrap();
        other.step(&world.model, &mut by_one_solver).unwrap();
        for (_, id) in &world.bodies {
            assert!((state.q(*id)[0] - by_one_solver.q(*id)[0]).abs() < 1e-9, "step {step}");
        }
    }
    // A solver that does not support the laws is refused at the next step, and the state does not change.
    let before = world.bits(&state);
    simulation.set_solver(siconos_numerics::contact::Auto::default());
    simulation.step(&world.model, &mut state).unwrap_err();
    assert_eq!(world.bits(&state), before);
    simulation.set_solver(OneStepSolver::default());
    simulation.step(&world.model, &mut state).unwrap();

    // Two systems without contacts on equal springs, with theta = 1/2 and theta = 1.
    let late = LagrangianLinear::new(vec![5.0], vec![0.0], array![1.0]).with_stiffness(array![40.0]);
    let [first, second] = [0, 1].map(|_| world.model.add_system(late.clone()).unwrap());
    simulation.set_integrator_for(second, MoreauJean { theta: 1.0, ..MoreauJean::default() }).unwrap();
    simulation.step(&world.model, &mut state).unwrap();
    let (h, k) = (2e-3, 40.0);
    for (id, theta) in [(first, 0.5), (second, 1.0)] {
        let v = -h * k * 5.0 / (1.0 + (h * theta) * (h * theta) * k);
        assert!((state.v(id)[0] - v).abs() < 1e-14 && simulation.theta(id).unwrap() == theta);
    }
    assert!(
        simulation.set_integrator_for(first, MoreauJean { theta: 2.0, ..MoreauJean::default() }).is_err()
    );
}

/// With alternating step lengths, factorisations for one length are not used for the other, and new systems
/// are not mistaken for known ones.
#[test]
fn alternating_lengths_give_the_bits_of_a_simulation_made_anew() {
    let times: Vec<_> = (0..200).map(|k| 3e-3 * f64::from(k / 2) + 1e-3 * f64::from(k % 2)).collect();
    let grid = || TimeDiscretisation::from_times(times.clone()).unwrap();
    let mut world = World::default();
    for mass in [1.0, 2.0, 0.7] {
        world.add_body(Body::Ball(mass));
        world.add_body(Body::Spring(mass));
        world.add_tie(Tie::Floor(0.5), vec![world.bodies.last().unwrap().1]);
    }
    let bar = LagrangianLinear::new(vec![0.1], vec![0.0], array![1.0]).with_stiffness(array![30.0]);
    let bar = world.model.add_system(bar).unwrap();
    world.bodies.push((Body::Ball(1.0), bar));
    world.add_tie(Tie::Pair(0.0), vec![world.bodies[0].1, world.bodies[2].1]);
    world.add_tie(Tie::Pair(0.3), vec![bar, world.bodies[0].1]);
    let simulation =
        |world: &World| TimeStepping::builder(&world.model).discretisation(grid()).build().unwrap();
    let mut following = simulation(&world);
    let mut state = following.initial_state(&world.model).unwrap();
    for step in 0..199 {
        if step % 37 == 36 {
            world.add_body(Body::Ball(1.3));
            let id = world.bodies.last().unwrap().1;
            world.add_tie(Tie::Floor(0.2), vec![id]);
        }
        let mut other = state.clone();
        following.step(&world.model, &mut state).unwrap();
        simulation(&world).step(&world.model, &mut other).unwrap();
        assert_eq!(world.bits(&state), world.bits(&other), "step {step}");
    }
}

/// A bar is replaced by a contact, the only one of the model. The contact can open.
#[test]
fn an_equality_may_become_the_only_contact() {
    let mut world = World::default();
    world.add_body(Body::Ball(1.0));
    let ball = world.bodies[0].1;
    let h = LagrangianLinearRelation::new(array![[1.0]]);
    let held = world.model.add_interaction([ball], h, EqualityCondition::new(1).unwrap()).unwrap();
    let mut simulation = world.simulation();
    let mut state = simulation.initial_state(&world.model).unwrap();
    simulation.step(&world.model, &mut state).unwrap();
    assert_eq!(state.v(ball), [0.0]);
    world.model.set_law(held, NewtonImpact::new(0.5).unwrap()).unwrap();
    state.set_velocity(ball, &[1.0]).unwrap();
    // The ball moves up, and falls back onto the floor.
    let mut impacts = 0;
    for _ in 0..200 {
        let mut other = state.clone();
        simulation.step(&world.model, &mut state).unwrap();
        world.simulation().step(&world.model, &mut other).unwrap();
        assert_eq!(world.bits(&state), world.bits(&other));
        impacts += usize::from(state.impulse(ball)[0] > 0.0);
    }
    assert!(impacts == 1 && state.v(ball)[0] > 0.0, "{impacts}");
}

/// An event-driven simulation of a model after the removal of bodies takes the same steps as a simulation of
/// a model without these bodies.
#[test]
fn bodies_that_are_gone_leave_no_trace_in_events() {
    let simulation = |world: &World| {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.25).unwrap();
        EventDriven::builder(&world.model).discretisation(grid).build().unwrap()
    };
    let mut world = World::on_the_floor([1.0, 2.0, 0.7, 1.4].map(Body::Spring));
    // The state has followed the removal in previous time steps.
    let mut stepping = world.simulation();
    let mut state = stepping.initial_state(&world.model).unwrap();
    stepping.step(&world.model, &mut state).unwrap();
    for gone in [1, 1] {
        let (.., contact) = world.ties.remove(gone);
        world.model.remove_interaction(contact).unwrap();
        let (_, body) = world.bodies.remove(gone);
        world.model.remove_system(body).unwrap();
    }
    stepping.step(&world.model, &mut state).unwrap();
    let anew = world.anew();
    let mut restored = State::restore(&anew.model, &state.record(&world.model).unwrap()).unwrap();
    let (mut one, mut other) = (simulation(&world), simulation(&anew));
    for _ in 0..12 {
        one.step(&world.model, &mut state).unwrap();
        other.step(&anew.model, &mut restored).unwrap();
        assert_eq!(state.t, restored.t);
        assert_eq!(world.bits(&state), anew.bits(&restored), "at {}", state.t);
    }
}
