//! Class and solver of a one-step problem with friction, and refused combinations.

use ndarray::{Array2, array};
use siconos_kernel::Error;
use siconos_kernel::FitError;
use siconos_kernel::prelude::*;
use siconos_numerics::Method;
use siconos_numerics::contact::{ContactMethod, NonsmoothGaussSeidel};
use siconos_numerics::gmp::GmpMethod;
use siconos_numerics::lcp::Lemke;
use siconos_numerics::mlcp::Elimination;

const G: f64 = 9.81;

/// Creates a block with two contact points at a distance of 1 that is thrown along the floor: q = (x, height,
/// angle).
fn block(mu: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let block = LagrangianLinear::new(vec![0.0, 0.2, 0.0], vec![1.0, 0.0, 0.3], array![1.0, 1.0, 0.1])
        .with_external_force(|_, f| f[1] = -G);
    let block = model.add_system(block).unwrap();
    for x in [-0.5, 0.5] {
        let foot = LagrangianLinearRelation::new(array![[0.0, 1.0, x], [1.0, 0.0, 0.2]]);
        let law = NewtonImpactFriction::in_plane(0.3, mu).unwrap();
        model.add_interaction([block], foot.with_offset(array![-0.2, 0.0]), law).unwrap();
    }
    (model, block)
}

fn end(model: &NonSmoothDynamicalSystem, block: DynamicalSystemId, solver: OneStepSolver) -> [f64; 3] {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 2e-3).unwrap())
        .solver(solver)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    simulation.run(model, &mut state, |_, _| ()).unwrap();
    state.q(block).try_into().unwrap()
}

fn close(a: [f64; 3], b: [f64; 3], tolerance: f64) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

#[test]
fn solvers_of_both_classes_give_the_same_motion() {
    let (model, body) = block(0.3);
    let reference = end(&model, body, OneStepSolver::default());
    assert!(reference[0] > 0.05, "it slides: {reference:?}");
    let mut method = ContactMethod::from_name("nonsmooth-gauss-seidel").unwrap();
    method.set_tolerance(1e-12);
    method.set_max_iterations(100_000);
    let by_sweeps = OneStepSolver::from_method(&method).unwrap();
    assert_eq!(by_sweeps.name(), "nonsmooth-gauss-seidel");
    let by_blocks = OneStepSolver::from_method(&GmpMethod::default()).unwrap();
    for solver in [by_sweeps, by_blocks] {
        let name = solver.name();
        let found = end(&model, body, solver);
        assert!(close(found, reference, 1e-6), "{name}: {found:?}, automatic {reference:?}");
    }
}

#[test]
fn a_frictionless_contact_beside_a_frictional_one_is_friction_with_mu_0() {
    // The block runs into a wall, with the impact law or with friction and mu = 0.
    let wall = |law: Wall| {
        let (mut model, body) = block(0.1);
        match law {
            Wall::Impact => {
                let wall = LagrangianLinearRelation::new(array![[-1.0, 0.0, 0.0]]).with_offset(array![0.1]);
                model.add_interaction([body], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
            }
            Wall::Friction => {
                let wall = LagrangianLinearRelation::new(array![[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
                let law = NewtonImpactFriction::in_plane(0.5, 0.0).unwrap();
                model.add_interaction([body], wall.with_offset(array![0.1, 0.0]), law).unwrap();
            }
        }
        end(&model, body, OneStepSolver::default())
    };
    let (impact, friction) = (wall(Wall::Impact), wall(Wall::Friction));
    assert!(impact[0] < 0.1, "the wall has held it: {impact:?}");
    assert!(close(impact, friction, 1e-6), "{impact:?}, {friction:?}");
}

enum Wall {
    Impact,
    Friction,
}

#[test]
fn friction_in_the_plane_and_in_space_and_a_joint_go_together() {
    // Two masses that are coupled along x by a joint. One has friction in the plane, the other in space.
    let (mut model, h) = (NonSmoothDynamicalSystem::new(), 1e-2);
    let mass = |n| {
        LagrangianLinear::new(vec![0.0; n], vec![0.0; n], ndarray::Array1::ones(n)).with_external_force(
            |at, f| {
                (f[0], f[1]) = (-G, if at.t < 0.5 { 6.0 } else { 0.0 });
            },
        )
    };
    let planar = model.add_system(mass(2)).unwrap();
    let spatial = model.add_system(mass(3)).unwrap();
    let plane = NewtonImpactFriction::in_plane(0.0, 0.2).unwrap();
    let space = NewtonImpactFriction::in_space(0.0, 0.4).unwrap();
    model.add_interaction([planar], LagrangianLinearRelation::new(Array2::eye(2)), plane).unwrap();
    model.add_interaction([spatial], LagrangianLinearRelation::new(Array2::eye(3)), space).unwrap();
    let joint = LagrangianLinearRelation::new(array![[0.0, 1.0, 0.0, -1.0, 0.0]]);
    model.add_interaction([planar, spatial], joint, EqualityCondition::new(1).unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h).unwrap())
        .integrator(MoreauJean::new(1.0).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let a = 0.5 * (12.0 - 0.6 * G);
    while simulation.step(&model, &mut state).unwrap().is_some() {
        let (one, other) = (state.v(planar)[1], state.v(spatial)[1]);
        assert!((one - other).abs() < 1e-8, "the joint holds: {one}, {other}");
        if state.t < 0.495 {
            assert!((one - a * state.t).abs() < 1e-7, "t = {}: {one}, exactly {}", state.t, a * state.t);
        }
    }
    assert!(state.v(spatial).iter().chain(state.v(planar)).all(|v| v.abs() < 1e-8), "at rest in the end");
}

#[test]
fn a_law_with_friction_can_come_into_a_running_simulation() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = LagrangianLinear::new(vec![0.0; 3], vec![0.0, 1.0, 0.0], array![1.0, 1.0, 1.0])
        .with_external_force(|_, f| f[0] = -G);
    let body = model.add_system(body).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let impact = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
    let impact = model.add_interaction([body], impact, NewtonImpact::new(0.0).unwrap()).unwrap();
    simulation.step(&model, &mut state).unwrap();
    assert_eq!(state.v(body), [0.0, 1.0, 0.0], "without friction it glides");
    let friction = LagrangianLinearRelation::new(Array2::eye(3));
    let law = NewtonImpactFriction::in_space(0.0, 0.5).unwrap();
    let friction = model.add_interaction([body], friction, law).unwrap();
    model.remove_interaction(impact).unwrap();
    simulation.step(&model, &mut state).unwrap();
    assert!((state.v(body)[1] - (1.0 - 0.5 * G * 1e-3)).abs() < 1e-9, "{:?}", state.v(body));
    model.remove_interaction(friction).unwrap();
    simulation.step(&model, &mut state).unwrap();
    assert!(state.v(body)[0] < -0.9 * G * 1e-3, "without a floor it falls");
}

#[test]
fn a_chain_of_many_blocks_is_stored_by_blocks_and_slides_as_one() {
    // Forty masses on a slope, each tied to the next one along the slope, so that only neighbours are
    // coupled. All friction coefficients differ; the chain slides with their mean.
    let (alpha, n) = (0.5_f64, 40);
    let mut model = NonSmoothDynamicalSystem::new();
    let mut before = None;
    let (mut sum, mut last) = (0.0, None);
    for i in 0..n {
        let mass = LagrangianLinear::new(vec![0.0; 3], vec![0.0; 3], array![1.0, 1.0, 1.0])
            .with_external_force(move |_, f| (f[0], f[1]) = (-G * alpha.cos(), G * alpha.sin()));
        let mass = model.add_system(mass).unwrap();
        let mu = 0.2 + 0.01 * f64::from(i);
        sum += mu;
        let law = NewtonImpactFriction::in_space(0.0, mu).unwrap();
        model.add_interaction([mass], LagrangianLinearRelation::new(Array2::eye(3)), law).unwrap();
        if let Some(before) = before {
            let tie = LagrangianLinearRelation::new(array![[0.0, 1.0, 0.0, 0.0, -1.0, 0.0]]);
            model.add_interaction([before, mass], tie, EqualityCondition::new(1).unwrap()).unwrap();
        }
        before = Some(mass);
        last = Some(mass);
    }
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.2, 1e-2).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    let a = G * (alpha.sin() - sum / f64::from(n) * alpha.cos());
    let v = state.v(last.unwrap());
    assert!((v[1] - a * state.t).abs() < 1e-7 && v[2].abs() < 1e-9, "{v:?}, exactly {}", a * state.t);
}

#[test]
fn many_contacts_alone_are_stored_by_blocks() {
    let alpha = 0.4_f64;
    let mut model = NonSmoothDynamicalSystem::new();
    let mus = (0..30).map(|i| 0.05 * f64::from(i));
    let bodies: Vec<_> = mus
        .map(|mu| {
            let body = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])
                .with_external_force(move |_, f| (f[0], f[1]) = (-G * alpha.cos(), G * alpha.sin()));
            let body = model.add_system(body).unwrap();
            let law = NewtonImpactFriction::in_plane(0.0, mu).unwrap();
            model.add_interaction([body], LagrangianLinearRelation::new(Array2::eye(2)), law).unwrap();
            (body, mu)
        })
        .collect();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.5, 1e-2).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    for (body, mu) in bodies {
        let exact = (G * (alpha.sin() - mu * alpha.cos())).max(0.0) * state.t;
        assert!((state.v(body)[1] - exact).abs() < 1e-7, "mu = {mu}: {}, exactly {exact}", state.v(body)[1]);
    }
}

fn refusal(model: &NonSmoothDynamicalSystem, solver: OneStepSolver) -> String {
    let built = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
        .solver(solver)
        .build();
    match built {
        Err(Error::Simulation(SimulationError::Fit(FitError::Solver(refused)))) => refused.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    }
}

#[test]
fn a_solver_of_another_class_is_refused_with_a_way_out() {
    let (with_friction, body) = block(0.3);
    for solver in [OneStepSolver::from(Lemke::default()), Elimination::default().into()] {
        let message = refusal(&with_friction, solver);
        assert!(message.contains("friction") && message.contains("ContactMethod"), "{message}");
    }
    let mut mixed = with_friction.clone();
    let stop = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0]]);
    mixed.add_interaction([body], stop, NewtonImpact::new(0.0).unwrap()).unwrap();
    let message = refusal(&mixed, NonsmoothGaussSeidel::default().into());
    assert!(message.contains("GmpMethod"), "{message}");

    let mut without = NonSmoothDynamicalSystem::new();
    let ball = model_of_one(&mut without);
    without
        .add_interaction(
            [ball],
            LagrangianLinearRelation::new(array![[1.0]]),
            NewtonImpact::new(0.0).unwrap(),
        )
        .unwrap();
    let message = refusal(&without, NonsmoothGaussSeidel::default().into());
    assert!(message.contains("NewtonImpactFriction"), "{message}");
    // The class of blocks with different laws includes all of these.
    assert!(end_of_one(&without, ball).abs() < 1e-9);
}

fn model_of_one(model: &mut NonSmoothDynamicalSystem) -> DynamicalSystemId {
    let ball = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -G);
    model.add_system(ball).unwrap()
}

fn end_of_one(model: &NonSmoothDynamicalSystem, ball: DynamicalSystemId) -> f64 {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, 0.1, 1e-2).unwrap())
        .solver(OneStepSolver::from_method(&GmpMethod::default()).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    simulation.run(model, &mut state, |_, _| ()).unwrap();
    state.q(ball)[0]
}

#[test]
fn friction_on_a_compliant_relation_is_refused() {
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])).unwrap();
    let relation = LagrangianLinearRelation::new(Array2::eye(2)).with_compliance(Array2::eye(2));
    let law = NewtonImpactFriction::in_plane(0.0, 0.5).unwrap();
    model.add_interaction([body], relation, law).unwrap();
    let refused = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-3).unwrap())
        .build()
        .unwrap_err();
    assert!(
        matches!(
            refused,
            Error::Simulation(SimulationError::Fit(FitError::Unsupported {
                what: "friction on a compliant relation",
                ..
            }))
        ),
        "{refused}"
    );
}

#[test]
fn coefficients_and_sizes_outside_their_range_are_refused() {
    let law = |e, mu| NewtonImpactFriction::in_space(e, mu);
    for e in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(law(e, 0.5), Err(ModelError::Restitution { .. })));
    }
    for mu in [-1e-9, f64::INFINITY, f64::NAN] {
        assert!(matches!(law(0.5, mu), Err(ModelError::Friction { .. })));
    }
    for e in [-1.1, 1.1, f64::NAN] {
        let refused = law(0.5, 0.5).unwrap().with_tangential_restitution(e);
        assert!(matches!(refused, Err(ModelError::TangentialRestitution { .. })));
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let body = model.add_system(LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![1.0, 1.0])).unwrap();
    let refused =
        model.add_interaction([body], LagrangianLinearRelation::new(Array2::eye(2)), law(0.0, 0.5).unwrap());
    assert_eq!(refused, Err(ModelError::SizeNotMultiple { relation: 2, law: 3 }));
}
