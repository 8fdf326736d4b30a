//! Queries of models, states and simulations, compared with values computed by hand.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;

use crate::common::grid;

fn relation(row: [f64; 2]) -> LagrangianLinearRelation {
    LagrangianLinearRelation::new(array![[row[0], row[1]]])
}

/// Creates two bodies above each other, with contacts with the floor and between them, and a distant third
/// body.
fn pile() -> (NonSmoothDynamicalSystem, [DynamicalSystemId; 3], [InteractionId; 3]) {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut body = |height: f64, mass: f64| {
        let body = LagrangianLinear::new(vec![height], vec![0.0], array![mass])
            .with_external_force(move |_, f| f[0] = -10.0 * mass);
        model.add_system(body).unwrap()
    };
    let bodies = [body(0.0, 1.0), body(1.0, 2.0), body(50.0, 4.0)];
    let law = NewtonImpact::new(0.0).unwrap();
    let floor =
        model.add_interaction([bodies[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
    let between = relation([-1.0, 1.0]).with_offset(vec![-1.0]);
    let between = model.add_interaction([bodies[0], bodies[1]], between, law).unwrap();
    let far = model.add_interaction([bodies[2]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
    (model, bodies, [floor, between, far])
}

fn first(interaction: InteractionId) -> UnitaryRelation {
    UnitaryRelation { relation: interaction.into(), block: 0 }
}

#[test]
fn index_sets_links_and_reactions() {
    let (model, bodies, [floor, between, far]) = pile();
    assert_eq!(model.linked_interactions(floor).unwrap(), [between]);
    assert_eq!(model.linked_interactions(between).unwrap(), [floor]);
    assert_eq!(model.linked_interactions(far).unwrap(), []);
    let mut sim = EventDriven::builder(&model).discretisation(grid(1.0, 0.5)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(sim.unitary_relations(), [floor, between, far].map(first));
    assert_eq!(sim.touching_relations(), [floor, between].map(first));
    assert_eq!(sim.lasting_relations(), [floor, between].map(first));
    let p = |body: usize, level| state.reaction(&model, bodies[body], level).unwrap();
    for (body, expected) in [10.0, 20.0, 0.0].into_iter().enumerate() {
        assert!(
            (p(body, Level::Acceleration)[0] - expected).abs() < 1e-12,
            "{:?}",
            p(body, Level::Acceleration)
        );
        assert_eq!((p(body, Level::Position), p(body, Level::Velocity)), (vec![0.0], vec![0.0]));
    }

    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.01)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(sim.one_step_vector(), None);
    sim.step(&model, &mut state).unwrap();
    assert_eq!(sim.unitary_relations(), [floor, between, far].map(first));
    // q = J v_free: without contacts, both bodies would have the velocity -g h.
    let (q, m) = (sim.one_step_vector().unwrap().to_vec(), sim.one_step_matrix().unwrap());
    assert!(sim.index_set().iter().eq([floor, between].map(first)));
    assert_eq!(q.len(), 2);
    assert!((q[0] + 0.1).abs() < 1e-15 && q[1].abs() < 1e-15, "{q:?}");
    assert_eq!(m, array![[1.0, -1.0], [-1.0, 1.5]]);
    assert_eq!(state.reaction(&model, bodies[1], Level::Velocity).unwrap(), state.impulse(bodies[1]));
}

#[test]
fn theta_and_iteration_matrices() {
    let mut model = NonSmoothDynamicalSystem::new();
    let linear = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![2.0, 3.0])
        .with_stiffness(array![[5.0, 1.0], [1.0, 4.0]])
        .with_damping(array![0.1, 0.2]);
    let linear = model.add_system(linear).unwrap();
    let nonlinear = Lagrangian::new(vec![0.3], vec![0.0], array![1.0]).with_internal_force(
        |_, q, v, f| f[0] = 4.0 * q[0] + 0.5 * v[0],
        Jacobian::Constant(array![[4.0]]),
        Jacobian::Constant(array![[0.5]]),
    );
    let nonlinear = model.add_system(nonlinear).unwrap();
    let circuit =
        model.add_system(FirstOrderLinearTi::new(vec![1.0, 0.0], array![[0.0, 1.0], [-4.0, -1.0]])).unwrap();
    let h = 0.125;
    let mut sim = TimeStepping::builder(&model)
        .discretisation(grid(1.0, h))
        .integrator(MoreauJean { theta: 0.75, ..MoreauJean::default() })
        .integrator(EulerMoreau { theta: 1.0 })
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    assert_eq!(sim.iteration_matrix(&model, circuit).unwrap(), None);
    sim.step(&model, &mut state).unwrap();
    assert_eq!([linear, nonlinear, circuit].map(|id| sim.theta(id).unwrap()), [0.75, 0.75, 1.0]);
    let f = h * 0.75;
    let expected = array![[2.0 + 0.1 * f + 5.0 * f * f, f * f], [f * f, 3.0 + 0.2 * f + 4.0 * f * f]];
    let w = sim.iteration_matrix(&model, linear).unwrap().unwrap();
    assert!((&w - &expected).iter().all(|x| x.abs() < 1e-15), "{w}");
    let w = sim.iteration_matrix(&model, nonlinear).unwrap().unwrap();
    assert!((w[[0, 0]] - (1.0 + 0.5 * f + 4.0 * f * f)).abs() < 1e-15, "{w}");
    let expected = Array2::<f64>::eye(2) - h * array![[0.0, 1.0], [-4.0, -1.0]];
    assert_eq!(sim.iteration_matrix(&model, circuit).unwrap(), Some(expected));
    let foreign = pile().1[0];
    assert!(sim.theta(foreign).is_err() && sim.iteration_matrix(&model, foreign).is_err());
}

/// The free step may be computed before the index sets are updated.
#[test]
fn the_free_step_may_come_before_the_index_sets() {
    let (model, bodies, _) = pile();
    let run = |free_first: bool| {
        let mut sim = TimeStepping::builder(&model).discretisation(grid(0.2, 0.01)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        state.set_velocity(bodies[1], &[-1.0]).unwrap();
        while sim.begin_step(&model, &mut state).unwrap() {
            if free_first {
                sim.compute_free_step(&model, &state).unwrap();
                assert!(matches!(
                    sim.compute_one_step_ns_problem(&model, &state),
                    Err(SimulationError::OutOfOrder { expected: "update_index_sets", .. })
                ));
                sim.update_index_sets(&model, &state).unwrap();
            } else {
                sim.update_index_sets(&model, &state).unwrap();
                sim.compute_free_step(&model, &state).unwrap();
            }
            sim.compute_one_step_ns_problem(&model, &state).unwrap();
            sim.update(&model, &state).unwrap();
            sim.next_step(&model, &mut state).unwrap();
        }
        bodies.map(|id| [state.q(id)[0].to_bits(), state.v(id)[0].to_bits(), state.impulse(id)[0].to_bits()])
    };
    assert_eq!(run(true), run(false));
}

/// Problems with equalities are solved in scaled units, but reported in the units of the model.
#[test]
fn the_vector_of_a_problem_with_a_joint_is_in_the_units_of_the_model() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![0.0, 1.0], vec![0.0; 2], array![1e-6, 3e-6])
        .with_external_force(|_, f| (f[0], f[1]) = (-1e-5, -6e-5));
    let body = model.add_system(body).unwrap();
    let rail = LagrangianLinearRelation::new(array![[1.0, 0.0]]);
    model.add_interaction([body], rail, EqualityCondition::new(1).unwrap()).unwrap();
    let floor = LagrangianLinearRelation::new(array![[0.0, 1.0]]).with_offset(vec![-1.0]);
    model.add_interaction([body], floor, NewtonImpact::new(0.0).unwrap()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.01)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    let (q, m) = (sim.one_step_vector().unwrap(), sim.one_step_matrix().unwrap());
    assert!((q[0] + 0.1).abs() < 1e-15 && (q[1] + 0.2).abs() < 1e-15, "{q:?}");
    assert!((m[[0, 0]] * 1e-6 - 1.0).abs() < 1e-15 && (m[[1, 1]] * 3e-6 - 1.0).abs() < 1e-15, "{m}");
}

/// Balls fall from different heights on the floor. The lowest ball has the deepest gap until it rests there,
/// with an overlap of less than its motion in a step.
#[test]
fn the_deepest_gap_is_reported() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut floors = Vec::new();
    for height in [0.3, 0.1, 0.2] {
        let ball = LagrangianLinear::new(vec![height], vec![0.0], array![1.0]);
        let ball = model.add_system(ball.with_external_force(|_, f| f[0] = -10.0)).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0]]);
        floors.push(model.add_interaction([ball], floor, NewtonImpact::new(0.0).unwrap()).unwrap());
    }
    let h = 1e-3;
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, h)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let report = sim.step(&model, &mut state).unwrap().unwrap();
    let (contact, gap) = report.deepest_gap.unwrap();
    assert_eq!(contact, first(floors[1]));
    assert!((gap - (0.1 - 5.0 * h * h)).abs() < 1e-15, "{gap}");
    let mut deepest = f64::INFINITY;
    sim.run(&model, &mut state, |report, state| {
        let (_, gap) = report.deepest_gap.unwrap();
        let gaps = floors.iter().map(|&floor| state.y(floor, Level::Position)[0]);
        assert_eq!(gap, gaps.fold(f64::INFINITY, f64::min));
        deepest = deepest.min(gap);
    })
    .unwrap();
    // The fastest ball arrives with sqrt(2 g 0.3). The law acts on the velocity at the end of the step in
    // which the gap is closed.
    assert!(-deepest <= h * f64::sqrt(2.0 * 10.0 * 0.3) && deepest < 0.0, "{deepest}");

    let mut circuit = NonSmoothDynamicalSystem::new();
    circuit.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]])).unwrap();
    let mut sim = TimeStepping::builder(&circuit).discretisation(grid(1.0, h)).build().unwrap();
    let mut state = sim.initial_state(&circuit).unwrap();
    assert_eq!(sim.step(&circuit, &mut state).unwrap().unwrap().deepest_gap, None);
}
