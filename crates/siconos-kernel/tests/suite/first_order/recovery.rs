//! First-order runs are reproducible to the last bit, continue from copies, after errors and after changes of
//! the model, and are not affected by other systems in the model.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::compare::largest_difference;

use crate::common::grid;

fn bits(state: &State) -> String {
    format!("{state:?}")
}

fn swing() -> FirstOrderLinear {
    FirstOrderLinear::new(vec![1.0, 0.3], array![[-0.1, 3.0], [-3.0, -0.1]])
        .with_source_function(|at, b| b[0] = (2.0 * at.t).sin())
}

fn growth(x0: f64) -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(
        vec![x0],
        |at, x, f| f[0] = x[0] * (1.0 - x[0]) + 0.1 * at.t.cos(),
        Jacobian::of_state(|_, x, j| j[[0, 0]] = 1.0 - 2.0 * x[0]),
    )
}

/// Creates the relation y = x_0 + x_2^2 + lambda - 1, r = lambda (1, 0, 0.2 x_0), for which K has an entry
/// between the systems.
fn coupling() -> FirstOrderNonlinearRelation {
    FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.x[2] * at.x[2] + at.lambda[0] - 1.0,
        |at, r| (r[0], r[2]) = (at.lambda[0], 0.2 * at.lambda[0] * at.x[0]),
    )
    .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 2]]) = (1.0, 2.0 * at.x[2])))
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::function(|at, k| k[[2, 0]] = 0.2 * at.lambda[0]))
    .with_b(RelationJacobian::function(|at, b| (b[[0, 0]], b[[2, 0]]) = (1.0, 0.2 * at.x[0])))
}

fn diode() -> FirstOrderLinearRelation {
    FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]).with_d(array![[0.1]])
}

fn law() -> ComplementarityCondition {
    ComplementarityCondition::new(1).unwrap()
}

fn ball() -> LagrangianLinear {
    LagrangianLinear::new(vec![1.0], vec![0.0], array![2.0]).with_external_force(|_, f| f[0] = -19.62)
}

fn integrators() -> [Integrator; 5] {
    [
        EulerMoreau::default().into(),
        ThetaGamma::default().into(),
        MeasureEuler::default().into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
        BackwardEuler.into(),
    ]
}

fn build(model: &NonSmoothDynamicalSystem, integrator: Integrator) -> TimeStepping {
    TimeStepping::builder(model).discretisation(grid(3.0, 0.01)).integrator(integrator).build().unwrap()
}

#[test]
fn a_run_goes_on_from_a_copy_a_snapshot_and_a_new_simulation() {
    let mut affine = NonSmoothDynamicalSystem::new();
    let a = affine.add_system(swing()).unwrap();
    affine.add_interaction([a], diode(), law()).unwrap();
    let relay = FirstOrderLinearRelation::new(array![[1.0, 0.0]], array![[1.0], [0.0]]);
    let mut relays = affine.clone();
    relays.add_interaction([a], relay, Relay::symmetric(1, 0.3).unwrap()).unwrap();
    let mut coupled = affine.clone();
    let b = coupled.add_system(growth(0.2)).unwrap();
    coupled.add_interaction([a, b], coupling(), law()).unwrap();
    for integrator in integrators() {
        for model in [&affine, &relays, &coupled] {
            let mut simulation = build(model, integrator);
            let mut state = simulation.initial_state(model).unwrap();
            for _ in 0..137 {
                simulation.step(model, &mut state).unwrap();
            }
            let (mut copy, snapshot, record) = (state.clone(), bits(&state), state.record(model).unwrap());
            simulation.run(model, &mut state, |_, _| ()).unwrap();
            let end = bits(&state);
            simulation.run(model, &mut copy, |_, _| ()).unwrap();
            assert_eq!(bits(&copy), end, "{}: from a copy", integrator.name());
            let mut restored = State::restore(model, &record).unwrap();
            assert_eq!(bits(&restored), snapshot);
            build(model, integrator).run(model, &mut restored, |_, _| ()).unwrap();
            assert_eq!(bits(&restored), end, "{}: from a snapshot", integrator.name());
        }
    }
}

#[test]
fn an_error_in_the_middle_leaves_state_and_simulation_as_they_were() {
    for integrator in integrators() {
        let model_of = |bad: bool| {
            let mut model = NonSmoothDynamicalSystem::new();
            let (a, b) = (model.add_system(swing()).unwrap(), model.add_system(growth(0.2)).unwrap());
            model.add_interaction([a, b], coupling(), law()).unwrap();
            let source = move |at: At<'_>, out: &mut [f64]| {
                out[0] = if bad && (1.5..1.75).contains(&at.t) { f64::NAN } else { 0.0 };
            };
            let system = FirstOrderLinear::new(vec![0.0], array![[0.0]]).with_source_function(source);
            model.add_system(system).unwrap();
            (model, a, b)
        };
        let (good, a, b) = model_of(false);
        let mut simulation = build(&good, integrator);
        let mut expected = simulation.initial_state(&good).unwrap();
        simulation.run(&good, &mut expected, |_, _| ()).unwrap();

        let (bad, c, d) = model_of(true);
        let mut simulation = build(&bad, integrator);
        let mut state = simulation.initial_state(&bad).unwrap();
        let mut before = bits(&state);
        let mut middle = state.clone();
        while simulation.step(&bad, &mut state).is_ok() {
            before = bits(&state);
            if state.step() == 77 {
                middle = state.clone();
            }
        }
        assert!((1.4..1.6).contains(&state.t), "{}: {}", integrator.name(), state.t);
        assert_eq!(bits(&state), before, "{}", integrator.name());
        // The simulation that failed continues from an earlier state. Up to the error, the results agree with
        // a run without error.
        let mut of_good = build(&good, integrator);
        let mut again = of_good.initial_state(&good).unwrap();
        while again.step() < state.step() {
            of_good.step(&good, &mut again).unwrap();
        }
        while middle.step() < state.step() {
            simulation.step(&bad, &mut middle).unwrap();
        }
        assert_eq!(bits(&middle), before);
        assert_eq!((middle.x(c), middle.x(d)), (again.x(a), again.x(b)));
    }
}

#[test]
fn systems_are_known_by_their_ids_when_a_relation_couples_them_and_when_it_is_gone() {
    for integrator in integrators() {
        let mut model = NonSmoothDynamicalSystem::new();
        let a = model.add_system(swing()).unwrap();
        let between = model.add_system(FirstOrderLinearTi::new(vec![5.0], array![[-1.0]])).unwrap();
        let b = model.add_system(growth(0.2)).unwrap();
        model.add_interaction([a], diode(), law()).unwrap();
        let mut simulation = build(&model, integrator);
        let mut state = simulation.initial_state(&model).unwrap();
        let go = |simulation: &mut TimeStepping, model: &NonSmoothDynamicalSystem, state: &mut State, to| {
            while state.step() < to {
                simulation.step(model, state).unwrap();
            }
        };
        go(&mut simulation, &model, &mut state, 50);
        let at_50 = [state.x(a).to_vec(), state.x(between).to_vec(), state.x(b).to_vec()];

        // The systems a and b now share a block of W, with adjacent rows.
        let relation = model.add_interaction([b, a], swapped(), law()).unwrap();
        let mut alone = State::new(&model, state.t);
        for (id, x) in [(a, &at_50[0]), (between, &at_50[1]), (b, &at_50[2])] {
            alone.set_x(id, x).unwrap();
        }
        simulation.step(&model, &mut state).unwrap();
        build(&model, integrator).step(&model, &mut alone).unwrap();
        for id in [a, between, b] {
            // A new state has no multiplier of the previous step. This multiplier is the initial guess of the
            // step and, if theta_r < 1, also an input.
            let off = largest_difference(state.x(id), alone.x(id));
            assert!(off < 1e-9 || integrator.name() == "FullyImplicit", "{}: {off:e}", integrator.name());
        }
        go(&mut simulation, &model, &mut state, 100);
        let decay = state.x(between)[0];
        assert!((decay - 5.0 * (-1.0_f64).exp()).abs() < 0.02, "{decay}");
        let at_100 = [state.x(a).to_vec(), state.x(between).to_vec(), state.x(b).to_vec()];
        assert_ne!(at_50[2], at_100[2]);

        model.remove_interaction(relation).unwrap();
        let copy = state.clone();
        simulation.step(&model, &mut state).unwrap();
        let mut fresh = copy;
        build(&model, integrator).step(&model, &mut fresh).unwrap();
        assert_eq!(bits(&fresh), bits(&state));
        assert!(state.try_x(b).is_some() && state.x(a).len() == 2);
        let moved: f64 = state.x(a).iter().zip(&at_100[0]).map(|(x, y)| (x - y).abs()).sum();
        assert!(moved > 0.0 && moved < 0.2, "{moved}");
    }
}

/// Creates the relation of [`coupling`] with its systems in reverse order.
fn swapped() -> FirstOrderNonlinearRelation {
    FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[1] + at.x[0] * at.x[0] + at.lambda[0] - 1.0,
        |at, r| (r[1], r[0]) = (at.lambda[0], 0.2 * at.lambda[0] * at.x[1]),
    )
    .with_c(RelationJacobian::function(|at, c| (c[[0, 1]], c[[0, 0]]) = (1.0, 2.0 * at.x[0])))
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::function(|at, k| k[[0, 1]] = 0.2 * at.lambda[0]))
    .with_b(RelationJacobian::function(|at, b| (b[[1, 0]], b[[0, 0]]) = (1.0, 0.2 * at.x[1])))
}

#[test]
fn both_families_side_by_side_move_as_by_themselves() {
    for integrator in integrators() {
        let floor = || LagrangianLinearRelation::new(array![[1.0]]);
        let restitution = || NewtonImpact::new(0.7).unwrap();
        let (mut circuit, mut mechanics, mut both) = (
            NonSmoothDynamicalSystem::new(),
            NonSmoothDynamicalSystem::new(),
            NonSmoothDynamicalSystem::new(),
        );
        let a = circuit.add_system(swing()).unwrap();
        let of_a = circuit.add_interaction([a], diode(), law()).unwrap();
        let b = mechanics.add_system(ball()).unwrap();
        let of_b = mechanics.add_interaction([b], floor(), restitution()).unwrap();
        // The systems of the two families alternate in all tables.
        let d = both.add_system(ball()).unwrap();
        let c = both.add_system(swing()).unwrap();
        let of_c = both.add_interaction([c], diode(), law()).unwrap();
        let of_d = both.add_interaction([d], floor(), restitution()).unwrap();
        let mut simulations = [&circuit, &mechanics, &both].map(|model| build(model, integrator));
        let mut states = [
            simulations[0].initial_state(&circuit).unwrap(),
            simulations[1].initial_state(&mechanics).unwrap(),
            simulations[2].initial_state(&both).unwrap(),
        ];
        let mut bits = true;
        for _ in 0..300 {
            for ((simulation, model), state) in
                simulations.iter_mut().zip([&circuit, &mechanics, &both]).zip(&mut states)
            {
                simulation.step(model, state).unwrap().unwrap();
            }
            let [first, second, all] = &states;
            let close = |x: &[f64], y: &[f64]| {
                let off = largest_difference(x, y);
                assert!(off < 1e-11, "{}, t = {}: {off:e}", integrator.name(), all.t);
            };
            close(first.x(a), all.x(c));
            close(first.impulse(a), all.impulse(c));
            close(second.q(b), all.q(d));
            close(second.v(b), all.v(d));
            for level in [Level::Position, Level::Velocity] {
                close(first.y(of_a, level), all.y(of_c, level));
                close(first.lambda(of_a, level), all.lambda(of_c, level));
                close(second.y(of_b, level), all.y(of_d, level));
                close(second.lambda(of_b, level), all.lambda(of_d, level));
            }
            if bits {
                // Until the ball hits the floor, the problem contains the circuit only.
                bits = second.lambda(of_b, Level::Velocity)[0] == 0.0;
                assert!(!bits || (first.x(a), second.q(b)) == (all.x(c), all.q(d)), "t = {}", all.t);
            }
            assert!(all.q(c).is_empty() && all.v(c).is_empty() && all.x(d).is_empty());
        }
    }
}

/// Next to a nonlinear system, the linear circuit takes part in the Newton iterations. Its motion agrees up
/// to rounding.
#[test]
fn a_linear_circuit_beside_a_nonlinear_system_moves_as_by_itself() {
    for integrator in integrators() {
        let mut circuit = NonSmoothDynamicalSystem::new();
        let a = circuit.add_system(swing()).unwrap();
        circuit.add_interaction([a], diode(), law()).unwrap();
        let mut both = NonSmoothDynamicalSystem::new();
        let c = both.add_system(swing()).unwrap();
        both.add_interaction([c], diode(), law()).unwrap();
        both.add_system(growth(0.1)).unwrap();
        both.add_system(ball()).unwrap();
        let (mut alone, mut beside) = (build(&circuit, integrator), build(&both, integrator));
        let (mut x, mut y) = (alone.initial_state(&circuit).unwrap(), beside.initial_state(&both).unwrap());
        for _ in 0..300 {
            alone.step(&circuit, &mut x).unwrap().unwrap();
            beside.step(&both, &mut y).unwrap().unwrap();
            let off = largest_difference(x.x(a), y.x(c));
            assert!(off < 1e-11, "{}, t = {}: {off:e}", integrator.name(), x.t);
        }
    }
}

#[test]
fn a_state_is_set_by_the_name_of_its_family() {
    let mut model = NonSmoothDynamicalSystem::new();
    let (a, d) = (model.add_system(swing()).unwrap(), model.add_system(ball()).unwrap());
    let relation = FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2));
    let relation = model.add_interaction([a], relation, EqualityCondition::new(2).unwrap()).unwrap();
    let mut simulation = build(&model, EulerMoreau::default().into());
    let mut state = simulation.initial_state(&model).unwrap();
    assert!(state.set_x(d, &[1.0]).is_err() && state.set_velocity(a, &[1.0, 1.0]).is_err());
    assert!(state.set_position(a, &[1.0, 1.0]).is_err() && state.set_x(a, &[1.0]).is_err());
    assert!(state.set_x(a, &[f64::NAN, 0.0]).is_err());
    assert_eq!((state.try_v(a), state.try_x(d)), (None, None));
    state.set_x(a, &[3.0, 4.0]).unwrap();
    let mut fresh = build(&model, EulerMoreau::default().into());
    fresh.step(&model, &mut state).unwrap();
    assert!(state.y(relation, Level::Position).iter().all(|y| y.abs() < 1e-12));
}

/// Creates a system and a relation with time-dependent coefficients.
fn varying() -> (FirstOrderLinear, FirstOrderLinearRelation) {
    let system = FirstOrderLinear::of_matrix_function(vec![1.0, 0.3], |at, a| {
        a.assign(&array![[-0.1, 3.0 + at.t.sin()], [-3.0, -0.1 * at.t]]);
    });
    let relation = FirstOrderLinearRelation::of_functions(
        1,
        |at, c| c[[0, 1]] = 1.0 + 0.5 * at.t.cos(),
        |at, b| b[[1, 0]] = 2.0 - at.t.sin(),
    );
    (system, relation.with_offset_function(|at, e| e[0] = 0.3 * (2.0 * at.t).sin()).with_d(array![[0.2]]))
}

#[test]
fn setting_a_state_to_what_it_is_changes_nothing() {
    for integrator in integrators() {
        let mut constant = NonSmoothDynamicalSystem::new();
        let of_constant = constant.add_system(swing()).unwrap();
        let offset =
            FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]).with_offset(vec![-0.4]);
        constant.add_interaction([of_constant], offset, law()).unwrap();
        let mut of_time = NonSmoothDynamicalSystem::new();
        let (system, relation) = varying();
        let of_varying = of_time.add_system(system).unwrap();
        of_time.add_interaction([of_varying], relation, law()).unwrap();
        let mut coupled = NonSmoothDynamicalSystem::new();
        let (system, relation) = varying();
        let of_coupled = coupled.add_system(system).unwrap();
        let other = coupled.add_system(growth(0.2)).unwrap();
        coupled.add_interaction([of_coupled], relation, law()).unwrap();
        coupled.add_interaction([of_coupled, other], coupling(), law()).unwrap();
        for (model, id) in [(&constant, of_constant), (&of_time, of_varying), (&coupled, of_coupled)] {
            let run = |touched: bool| {
                let mut simulation = build(model, integrator);
                let mut state = simulation.initial_state(model).unwrap();
                while simulation.step(model, &mut state).unwrap().is_some() {
                    if touched && state.step().is_multiple_of(7) {
                        let x = state.x(id).to_vec();
                        state.set_x(id, &x).unwrap();
                    }
                }
                state.x(id).iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            assert_eq!(run(false), run(true), "{}", integrator.name());
        }
    }
}
