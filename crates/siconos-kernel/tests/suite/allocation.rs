//! Time steps in steady state allocate no memory.

use ndarray::{Array2, array};
use siconos_kernel::model::NonSmoothLaw;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::NewtonDamping;
use siconos_models::{
    ColumnOfBeads, DoublePendulum, ball, count_in_second_run, oscillating_table, wall_oscillator,
};
use siconos_testkit::allocation::count_allocations;

#[track_caller]
fn allocations_of_a_run(model: &NonSmoothDynamicalSystem, mut simulation: TimeStepping) -> usize {
    count_in_second_run(model, &mut simulation, |run| count_allocations(run))
}

/// Creates a system x' = A x + b(t) + r with two states.
fn swing() -> FirstOrderLinear {
    FirstOrderLinear::new(vec![1.0, 0.3], array![[-0.1, 3.0], [-3.0, -0.1]])
        .with_source_function(|at, b| b[0] = (2.0 * at.t).sin())
}

/// Creates the relation y = x_0 + x_2^2 + lambda - 1, r = lambda (1, 0, 0.2 x_0), for one system with two
/// states and one with one state, or for one system with three states.
fn coupling(by_difference: bool) -> FirstOrderNonlinearRelation {
    let given = FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] + at.x[2] * at.x[2] + at.lambda[0] - 1.0,
        |at, r| (r[0], r[2]) = (at.lambda[0], 0.2 * at.lambda[0] * at.x[0]),
    )
    .with_c(RelationJacobian::function(|at, c| (c[[0, 0]], c[[0, 2]]) = (1.0, 2.0 * at.x[2])))
    .with_d(RelationJacobian::Constant(array![[1.0]]))
    .with_k(RelationJacobian::function(|at, k| k[[2, 0]] = 0.2 * at.lambda[0]))
    .with_b(RelationJacobian::function(|at, b| (b[[0, 0]], b[[2, 0]]) = (1.0, 0.2 * at.x[0])));
    let difference = || RelationJacobian::FiniteDifference;
    if by_difference { given.with_c(difference()).with_k(difference()).with_b(difference()) } else { given }
}

fn growth() -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(
        vec![0.2],
        |_, x, f| f[0] = x[0] * (1.0 - x[0]),
        Jacobian::of_state(|_, x, j| j[[0, 0]] = 1.0 - 2.0 * x[0]),
    )
}

/// Checks that the steps under one integrator allocate nothing, on a grid of equal steps and on a grid of
/// alternating steps.
fn assert_none(name: &str, model: &NonSmoothDynamicalSystem, integrator: impl Into<Integrator>) {
    let integrator = integrator.into();
    let mut times = vec![0.0];
    for k in 0..200 {
        times.push(times[k] + if k % 2 == 0 { 0.01 } else { 0.02 });
    }
    let equal = TimeDiscretisation::uniform(0.0, 3.0, 0.01).unwrap();
    let changing = TimeDiscretisation::from_times(times).unwrap();
    for (steps, grid) in [("equal", equal), ("changing", changing)] {
        // The zero-order hold computes a matrix exponential for each new step length.
        if steps == "changing" && integrator == Integrator::from(ZeroOrderHold::default()) {
            continue;
        }
        let simulation =
            TimeStepping::builder(model).discretisation(grid).integrator(integrator).build().unwrap();
        let count = allocations_of_a_run(model, simulation);
        assert_eq!(count, 0, "{name}, {}, {steps} steps", integrator.name());
    }
}

#[test]
fn a_step_of_first_order_systems_allocates_nothing() {
    let schemes: [Integrator; 5] = [
        EulerMoreau::default().into(),
        ThetaGamma::default().into(),
        MeasureEuler::default().into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
        BackwardEuler.into(),
    ];
    let diodes = || {
        FirstOrderLinearRelation::new(Array2::eye(2), Array2::eye(2)).with_d(array![[0.1, 0.0], [0.0, 0.2]])
    };
    let with_law = |relation: FirstOrderLinearRelation, law: NonSmoothLaw| {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = model.add_system(swing()).unwrap();
        model.add_interaction([system], relation, law).unwrap();
        model
    };
    let of_time = |size| {
        let bounds = move |at: At<'_>, lower: &mut [f64], upper: &mut [f64]| {
            lower.fill(-0.5 - 0.1 * at.t.sin());
            upper.fill(0.3 + 0.1 * at.t.cos());
        };
        Relay::of_time(size, bounds).unwrap()
    };
    let triangle =
        NormalCone::new(array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], vec![0.0, 0.0, -0.4]).unwrap();
    let changing = FirstOrderLinearRelation::of_functions(
        2,
        |at, c| c.diag_mut().fill(1.0 + 0.1 * at.t.sin()),
        |_, b| b.diag_mut().fill(1.0),
    )
    .with_d_function(|at, d| d.diag_mut().fill(0.2 + 0.1 * at.t.cos()))
    .with_offset_function(|at, e| e[0] = 0.1 * at.t)
    .with_parameter_function(array![[1.0], [0.5]], |at, z| z[0] = at.t.sin());
    let mut models = vec![
        ("diodes", with_law(diodes(), ComplementarityCondition::new(2).unwrap().into())),
        ("relays", with_law(diodes(), Relay::symmetric(2, 0.4).unwrap().into())),
        ("relays of time", with_law(diodes(), of_time(2).into())),
        ("equalities", with_law(diodes(), EqualityCondition::new(2).unwrap().into())),
        ("mixed", with_law(diodes(), MixedComplementarityCondition::new(1, 1).unwrap().into())),
        ("coefficients of time", with_law(changing, ComplementarityCondition::new(1).unwrap().into())),
        ("triangle", with_law(diodes(), triangle.into())),
        ("cone", with_law(diodes(), ConeComplementarity::second_order([2]).unwrap().into())),
    ];
    for (name, by_difference) in [("coupled systems", false), ("coupled by differences", true)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let (a, b) = (model.add_system(swing()).unwrap(), model.add_system(growth()).unwrap());
        let law = ComplementarityCondition::new(1).unwrap();
        model.add_interaction([a, b], coupling(by_difference), law).unwrap();
        model.add_interaction([a], diodes(), law).unwrap();
        models.push((name, model));
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderNonlinear::new(
        vec![1.0, 0.3, 0.2],
        |at, x, f| (f[0], f[1], f[2]) = (3.0 * x[1], -3.0 * x[0] + at.t.sin(), -x[2] - x[2].powi(3)),
        Jacobian::FiniteDifference,
    )
    .with_mass_function(|_, x, m| m.diag_mut().fill(1.0 + 0.1 * x[0] * x[0]))
    .with_control(ControlTerm::new(array![[0.0], [0.0], [1.0]], |_, x, rate, u| u[0] = 0.1 * rate[2] - x[0]));
    let system = model.add_system(system).unwrap();
    model.add_interaction([system], coupling(false), ComplementarityCondition::new(1).unwrap()).unwrap();
    models.push(("one nonlinear system", model));
    for (name, model) in &models {
        for scheme in schemes {
            assert_none(name, model, scheme);
        }
    }
    for (name, model) in &models[..5] {
        assert_none(name, model, ZeroOrderHold::default());
    }
    // Friction together with other laws: blocks with different laws, with moving bounds.
    let mut model = with_law(diodes(), of_time(2).into());
    let block = LagrangianLinear::new(vec![0.0; 3], vec![0.0, 1.0, 0.0], array![1.0, 1.0, 1.0])
        .with_external_force(|_t, f| f[0] = -9.81);
    let block = model.add_system(block).unwrap();
    let floor = LagrangianLinearRelation::new(Array2::eye(3));
    model.add_interaction([block], floor, NewtonImpactFriction::in_space(0.0, 0.3).unwrap()).unwrap();
    for scheme in schemes {
        assert_none("relays beside friction", &model, scheme);
    }
    for (name, model) in &models[8..] {
        let newton = NewtonSettings { damping: NewtonDamping::Backtracking, ..NewtonSettings::default() };
        let grid = TimeDiscretisation::uniform(0.0, 3.0, 0.01).unwrap();
        let simulation = TimeStepping::builder(model).discretisation(grid).newton(newton).build().unwrap();
        assert_eq!(allocations_of_a_run(model, simulation), 0, "{name}, damped");
    }
}

#[test]
fn a_step_allocates_nothing() {
    // Check of the counter itself.
    assert!(count_allocations(|| drop(std::hint::black_box(vec![0_u8; 100]))) > 0);

    let table = oscillating_table(9.81, 0.3, 0.2, 10.0).unwrap().model;
    let grid = TimeDiscretisation::uniform(0.0, 3.0, 1e-3).unwrap();
    let simulation = TimeStepping::builder(&table).discretisation(grid).build().unwrap();
    assert_eq!(allocations_of_a_run(&table, simulation), 0, "oscillating table");

    let column = ColumnOfBeads::default();
    let (mut model, beads) = column.model().unwrap();
    for i in 0..beads.len() {
        column.add_contact(&mut model, &beads, i).unwrap();
    }
    assert_eq!(allocations_of_a_run(&model, column.simulation(&model).unwrap()), 0, "column of beads");

    // A grid of alternating steps: W is factorised at every step, in the memory of the previous
    // factorisation.
    let mut times = vec![0.0];
    for k in 0..2000 {
        times.push(times[k] + if k % 2 == 0 { 1e-3 } else { 2e-3 });
    }
    let oscillator = wall_oscillator(20.0, 0.9, 0.0, 1.0).unwrap().model;
    let grid = TimeDiscretisation::from_times(times).unwrap();
    let simulation = TimeStepping::builder(&oscillator).discretisation(grid).build().unwrap();
    assert_eq!(allocations_of_a_run(&oscillator, simulation), 0, "changing steps");

    // A disc that slides, rotates and bounces on a floor. With a frictionless wall in its path, the problem
    // has blocks with different laws.
    for has_wall in [false, true] {
        let mut model = NonSmoothDynamicalSystem::new();
        let disk = LagrangianLinear::new(vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 10.0], array![1.0, 1.0, 0.1])
            .with_external_force(|_t, f| f[0] = -9.81);
        let disk = model.add_system(disk).unwrap();
        let floor = LagrangianLinearRelation::new(array![[1.0, 0.0, 0.0], [0.0, 1.0, -0.5]])
            .with_offset(array![-0.5, 0.0]);
        let law = NewtonImpactFriction::in_plane(0.9, 0.1).unwrap();
        model.add_interaction([disk], floor, law).unwrap();
        if has_wall {
            let wall = LagrangianLinearRelation::new(array![[0.0, -1.0, 0.0]]).with_offset(array![1.0]);
            model.add_interaction([disk], wall, NewtonImpact::new(0.5).unwrap()).unwrap();
        }
        let grid = TimeDiscretisation::uniform(0.0, 8.0, 1e-3).unwrap();
        let simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        assert_eq!(allocations_of_a_run(&model, simulation), 0, "disk, wall: {has_wall}");
    }

    let pendulum = DoublePendulum::default();
    let (model, ..) = pendulum.model().unwrap();
    assert_eq!(allocations_of_a_run(&model, pendulum.simulation(&model).unwrap()), 0, "double pendulum");
}

/// Setting a parameter before every step allocates no memory either.
#[test]
fn setting_a_parameter_allocates_nothing() {
    let mut model = NonSmoothDynamicalSystem::new();
    let push = model.add_parameter("push", vec![0.0]).unwrap();
    let ball = LagrangianLinear::new(vec![0.5], vec![0.0], array![1.0])
        .with_external_force(move |at, f| f[0] = at[push][0] - 9.81);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianScleronomousRelation::new(1, move |p, q, y| y[0] = q[0] + 0.01 * p[push][0])
        .with_jacobian(|_, _, j| j[[0, 0]] = 1.0);
    model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 2.0, 0.01).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut drive = |state: &mut State, steps: usize| {
        for _ in 0..steps {
            state.set_parameter(push, &[(3.0 * state.t).sin()]).unwrap();
            sim.step(&model, state).unwrap().unwrap();
        }
    };
    drive(&mut state, 50);
    assert_eq!(count_allocations(|| drive(&mut state, 100)), 0);
}

#[test]
fn adaptive_steps_allocate_nothing() {
    let ball = ball(9.81, 0.9, 1.0, 0.0).unwrap().model;
    let grid = TimeDiscretisation::uniform(0.0, 10.0, 0.005).unwrap();
    let mut simulation = TimeStepping::builder(&ball).discretisation(grid).build().unwrap();
    let mut adaptive = AdaptiveStepping::new(AdaptiveSettings::of_tolerance(1e-4)).unwrap();
    let mut state = simulation.initial_state(&ball).unwrap();
    adaptive.run(&mut simulation, &ball, &mut state, 1.0, |_, _, _| ()).unwrap();
    let before = adaptive.steps();
    let count = count_allocations(|| {
        adaptive.run(&mut simulation, &ball, &mut state, 5.0, |_, _, _| ()).unwrap();
    });
    let (taken, refused) = adaptive.steps();
    assert!(taken > before.0 + 100 && refused > before.1 + 50, "{taken} steps, {refused} refused");
    assert_eq!(count, 0);
}
