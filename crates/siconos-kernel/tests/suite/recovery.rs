//! Recovery after errors, after changes of the model, and on other grids.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_numerics::lcp::LcpMethod;

use crate::common::grid;

fn ball(height: f64) -> LagrangianLinear {
    LagrangianLinear::new(vec![height], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81)
}

fn bits(state: &State) -> String {
    format!("{state:?}")
}

#[test]
fn an_error_leaves_a_state_that_was_set_as_it_was() {
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model.add_system(ball(1.0)).unwrap();
    model.add_system(ball(1.0).with_external_force(|_, f| f[0] = f64::NAN)).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    state.set_velocity(a, &[3.0]).unwrap();
    let before = bits(&state);
    sim.step(&model, &mut state).unwrap_err();
    assert_eq!(bits(&state), before);
}

#[test]
fn an_error_after_a_change_of_the_model_loses_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    let (a, b) = (model.add_system(ball(1.0)).unwrap(), model.add_system(ball(7.0)).unwrap());
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.1)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    let kept = model.clone();
    let before = bits(&state);
    model.remove_system(b).unwrap();
    model.add_system(ball(1.0).with_external_force(|_, f| f[0] = f64::NAN)).unwrap();
    sim.step(&model, &mut state).unwrap_err();
    assert_eq!(bits(&state), before);
    sim.step(&kept, &mut state).unwrap();
    assert!((state.q(b)[0] - state.q(a)[0] - 6.0).abs() < 1e-12, "b goes on where it was");
}

#[test]
fn a_step_that_failed_half_way_leaves_no_old_factors_behind() {
    // In the long third step, W of the second system is singular: 1 - h^2/4 * k = 0 at h = 1.
    let mut model = NonSmoothDynamicalSystem::new();
    let a = model
        .add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![4.0]))
        .unwrap();
    model
        .add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![-4.0]))
        .unwrap();
    let grid = || TimeDiscretisation::from_times(vec![0.0, 0.25, 0.5, 1.5]).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let start = sim.initial_state(&model).unwrap();
    let mut state = start.clone();
    let error = loop {
        if let Err(error) = sim.step(&model, &mut state) {
            break error;
        }
    };
    assert!(matches!(error, SimulationError::SingularIterationMatrix { step: 3, .. }), "{error}");
    let mut again = start.clone();
    sim.step(&model, &mut again).unwrap();
    let mut fresh = TimeStepping::builder(&model).discretisation(grid()).build().unwrap();
    let mut expected = start;
    fresh.step(&model, &mut expected).unwrap();
    assert_eq!(again.q(a)[0].to_bits(), expected.q(a)[0].to_bits());
}

#[test]
fn a_joint_that_is_gone_leaves_no_trace_in_the_solver() {
    let mut model = NonSmoothDynamicalSystem::new();
    let (a, b) = (model.add_system(ball(0.0)).unwrap(), model.add_system(ball(0.2)).unwrap());
    let rod = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
    let joint = model.add_interaction([a, b], rod, EqualityCondition::new(1).unwrap()).unwrap();
    for id in [a, b] {
        model
            .add_interaction(
                [id],
                LagrangianLinearRelation::new(array![[1.0]]),
                NewtonImpact::new(0.6).unwrap(),
            )
            .unwrap();
    }
    let mut kept = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    let mut state = kept.initial_state(&model).unwrap();
    while state.step() < 100 {
        kept.step(&model, &mut state).unwrap();
    }
    model.remove_interaction(joint).unwrap();
    let mut other = state.clone();
    let mut fresh = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    kept.run(&model, &mut state, |_, _| ()).unwrap();
    fresh.run(&model, &mut other, |_, _| ()).unwrap();
    assert_eq!(bits(&state), bits(&other));
}

#[test]
fn clones_that_go_their_own_ways_keep_their_bodies_apart() {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_system(ball(1.0)).unwrap();
    let (mut one, mut other) = (model.clone(), model);
    let mine = one.add_system(ball(100.0)).unwrap();
    let yours = other.add_system(ball(-3.0)).unwrap();
    let mut sim = TimeStepping::builder(&one).discretisation(grid(1.0, 0.1)).build().unwrap();
    let mut state = sim.initial_state(&one).unwrap();
    sim.step(&one, &mut state).unwrap();
    sim.step(&other, &mut state).unwrap();
    assert!((state.q(yours)[0] - (-3.0 - 0.5 * 9.81 * 0.01)).abs() < 1e-12, "{}", state.q(yours)[0]);
    assert_eq!(state.try_q(mine), None);
    let foreign = one.add_interaction(
        [yours],
        LagrangianLinearRelation::new(array![[1.0]]),
        NewtonImpact::new(0.0).unwrap(),
    );
    assert_eq!(foreign, Err(ModelError::UnknownSystem { id: yours }));
}

#[test]
fn a_state_goes_on_with_another_step_length() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(ball(50.0)).unwrap();
    let mut coarse = TimeStepping::builder(&model).discretisation(grid(1.0, 0.125)).build().unwrap();
    let mut state = coarse.initial_state(&model).unwrap();
    coarse.run(&model, &mut state, |_, _| ()).unwrap();
    let grid = TimeDiscretisation::uniform(1.0, 2.0, 0.01).unwrap();
    let mut fine = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    fine.run(&model, &mut state, |_, _| ()).unwrap();
    assert_eq!((state.t, state.step()), (2.0, 100));
    assert!((state.q(id)[0] - (50.0 - 2.0 * 9.81)).abs() < 1e-11);
}

/// The ball precedes a system with a mass that vanishes at the position that is set, so that a step fails
/// after the ball has been processed. The next step continues from the last accepted state, with the forces
/// there.
#[test]
fn a_step_that_failed_half_way_leaves_no_old_forces_behind() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        model.add_system(ball(1.0).with_external_force(|at, f| f[0] = -9.81 * (1.0 + at.t))).expect("a ball");
    let other = Lagrangian::of_mass_function(vec![1.0], vec![0.0], |_, q, m| m[[0, 0]] = q[0] * q[0]);
    let other = model.add_system(other).expect("a system");
    let begin = || TimeStepping::builder(&model).discretisation(grid(1.0, 0.125)).build().unwrap();
    let mut sim = begin();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    let mut broken = state.clone();
    broken.set_position(other, &[0.0]).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert!(matches!(
        sim.step(&model, &mut broken),
        Err(SimulationError::SingularIterationMatrix { system, .. }) if system == other
    ));
    let mut expected = state.clone();
    sim.step(&model, &mut state).unwrap();
    begin().step(&model, &mut expected).unwrap();
    assert_eq!((state.t, state.v(ball)), (expected.t, expected.v(ball)));
}

/// A positive gap smaller than the rounding error of its terms counts as closed. The rounding error depends
/// on the state at the start of the step, not on earlier states of the simulation.
#[test]
fn what_is_rounding_follows_from_the_state_alone() {
    let mut model = NonSmoothDynamicalSystem::new();
    let bead = model.add_system(LagrangianLinear::new(vec![1.0], vec![-1.0], array![1.0])).unwrap();
    // The gap is flat at 1, and so steep at 2 that 1e-13 is below its rounding error.
    let gap = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1e-13 + 1e6 * (q[0] - 1.0).powi(3))
        .with_jacobian(|_, q, j| j[[0, 0]] = 3e6 * (q[0] - 1.0).powi(2));
    model.add_interaction([bead], gap, NewtonImpact::new(0.5).unwrap()).unwrap();
    let simulation = || {
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.01).unwrap();
        TimeStepping::builder(&model).discretisation(grid).build().unwrap()
    };
    let after = |simulation: &mut TimeStepping, mut state: State| {
        simulation.step(&model, &mut state).unwrap();
        bits(&state)
    };
    let mut fresh = simulation();
    let state = fresh.initial_state(&model).unwrap();
    let expected = after(&mut fresh, state.clone());

    // The simulation has simulated another state ..
    let mut travelled = simulation();
    let mut far = travelled.initial_state(&model).unwrap();
    far.set_position(bead, &[2.0]).unwrap();
    travelled.step(&model, &mut far).unwrap();
    assert_eq!(after(&mut travelled, state.clone()), expected);
    // .. or has started a step there without completing it.
    let mut begun = far.clone();
    for _ in 0..3 {
        assert!(travelled.begin_step(&model, &mut begun).unwrap());
        travelled.update_index_sets(&model, &begun).unwrap();
        travelled.compute_free_step(&model, &begun).unwrap();
        travelled.compute_one_step_ns_problem(&model, &begun).unwrap();
        assert_eq!(after(&mut travelled, state.clone()), expected);
    }
}

#[test]
fn after_a_model_that_is_refused_nothing_is_active_and_the_one_before_goes_on() {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball = model.add_system(ball(0.0)).unwrap();
    let touch = || LagrangianLinearRelation::new(array![[1.0]]);
    let floor = model.add_interaction([ball], touch(), NewtonImpact::new(0.5).unwrap()).unwrap();
    let method = LcpMethod::default();
    let mut sim = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 0.1))
        .solver(OneStepSolver::from_method(&method).unwrap())
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(sim.index_set().iter().map(|unitary| unitary.relation).collect::<Vec<_>>(), [floor]);
    let kept = model.clone();
    // A law that a complementarity solver does not support.
    let plate = LagrangianLinearRelation::new(array![[1.0], [0.0]]);
    model.add_interaction([ball], plate, NewtonImpactFriction::in_plane(0.0, 0.3).unwrap()).unwrap();
    let before = bits(&state);
    sim.step(&model, &mut state).unwrap_err();
    assert_eq!(bits(&state), before);
    assert_eq!(sim.index_set().iter().count(), 0);
    assert!(sim.index_set().is_empty() && sim.one_step_matrix().is_none());
    let report = sim.step(&kept, &mut state).unwrap().unwrap();
    assert_eq!(report.active.iter().map(|unitary| unitary.relation).collect::<Vec<_>>(), [floor]);
}
