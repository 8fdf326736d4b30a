//! Single steps, models that change during a simulation, grids, theta, and policies for failed solves.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_models::{ColumnOfBeads, DoublePendulum};
use siconos_numerics::Status;
use siconos_numerics::lcp::{LcpMethod, LemkeSettings, ProjectedGaussSeidel, ProjectedGaussSeidelSettings};
use siconos_testkit::convergence::observed_order;

use crate::common::grid;

fn ball_over_floor(height: f64, e: f64) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![height], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
    let ball = model.add_system(ball).unwrap();
    let floor = LagrangianLinearRelation::new(array![[1.0]]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(e).unwrap()).unwrap();
    (model, ball, floor)
}

#[test]
fn the_single_steps_make_the_step() {
    let pendulum = DoublePendulum { t_end: 2.0, ..DoublePendulum::default() };
    let (model, id, _) = pendulum.model().unwrap();
    let mut whole = pendulum.simulation(&model).unwrap();
    let mut expected = whole.initial_state(&model).unwrap();
    whole.run(&model, &mut expected, |_, _| ()).unwrap();

    let mut simulation = pendulum.simulation(&model).unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut most = 0;
    while simulation.begin_step(&model, &mut state).unwrap() {
        simulation.update_index_sets(&model, &state).unwrap();
        loop {
            simulation.compute_free_step(&model, &state).unwrap();
            simulation.compute_one_step_ns_problem(&model, &state).unwrap();
            if simulation.update(&model, &state).unwrap().converged {
                break;
            }
        }
        let report = simulation.next_step(&model, &mut state).unwrap();
        most = most.max(report.newton_iterations);
        assert!(report.newton_error <= 1e-10);
    }
    assert!(most >= 2, "the model is nonlinear");
    assert_eq!(state.q(id), expected.q(id));
    assert_eq!(state.v(id), expected.v(id));
}

/// Two balls are added between steps, one with a constant force and one with a time-dependent force; then one
/// is removed.
#[test]
fn the_free_step_before_the_index_sets_moves_what_is_new() {
    let (mut model, _, _) = ball_over_floor(0.01, 0.8);
    let simulation =
        |model: &_| TimeStepping::builder(model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    let (mut whole, mut single) = (simulation(&model), simulation(&model));
    let mut state = whole.initial_state(&model).unwrap();
    let mut by_stages = state.clone();
    let mut late = Vec::new();
    for step in 0..100 {
        if step == 30 {
            let body = || LagrangianLinear::new(vec![5.0], vec![1.0], array![2.0]);
            let steady = body().with_constant_external_force(vec![-3.0]);
            late.push(model.add_system(body().with_external_force(|at, f| f[0] = at.t)).unwrap());
            late.push(model.add_system(steady).unwrap());
        }
        if step == 60 {
            model.remove_system(late.remove(0)).unwrap();
        }
        whole.step(&model, &mut state).unwrap();
        assert!(single.begin_step(&model, &mut by_stages).unwrap());
        single.compute_free_step(&model, &by_stages).unwrap();
        single.update_index_sets(&model, &by_stages).unwrap();
        single.compute_one_step_ns_problem(&model, &by_stages).unwrap();
        assert!(single.update(&model, &by_stages).unwrap().converged);
        single.next_step(&model, &mut by_stages).unwrap();
        for (id, _) in model.systems().iter() {
            assert_eq!((state.q(id), state.v(id)), (by_stages.q(id), by_stages.v(id)), "step {step}");
        }
    }
    // 70 steps of 1 ms with -3 N on 2 kg and theta = 1/2.
    let (q, v) = (state.q(late[0])[0], state.v(late[0])[0]);
    assert!((v - (1.0 - 1.5 * 0.07)).abs() < 1e-14 && (q - (5.0 + 0.07 - 0.75 * 0.07 * 0.07)).abs() < 1e-13);
}

#[test]
fn contacts_may_come_and_go_between_steps() {
    let (mut model, ball, floor) = ball_over_floor(0.5, 0.8);
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    while state.step() < 200 {
        simulation.step(&model, &mut state).unwrap();
    }
    // A second ball is added. The motion of the first ball does not change.
    let (q, v) = (state.q(ball).to_vec(), state.v(ball).to_vec());
    let late = model.add_system(LagrangianLinear::new(vec![5.0], vec![1.0], array![1.0])).unwrap();
    simulation.step(&model, &mut state).unwrap();
    assert!((state.q(ball)[0] - (q[0] + 1e-3 * v[0] - 0.5 * 9.81e-6)).abs() < 1e-12);
    assert!((state.q(late)[0] - 5.001).abs() < 1e-12);
    // The floor is removed, and the ball falls through its position.
    model.remove_interaction(floor).unwrap();
    simulation.run(&model, &mut state, |report, _| assert!(report.active.is_empty())).unwrap();
    assert!((state.q(ball)[0] - (0.5 - 0.5 * 9.81)).abs() < 1e-9, "{:?}", state.q(ball));
    assert!(simulation.index_set().is_empty());
    model.remove_system(late).unwrap();
    assert!(simulation.step(&model, &mut state).unwrap().is_none(), "the end of the grid");
    assert_eq!(state.try_q(late), None);
}

#[test]
fn contacts_that_enter_late_change_nothing_as_long_as_they_are_open() {
    let example = ColumnOfBeads { t_end: 1.0, ..ColumnOfBeads::default() };
    let mut last = Vec::new();
    let read = |state: &State, beads: &[DynamicalSystemId]| {
        last = beads.iter().map(|&bead| state.q(bead)[0]).collect();
    };
    example.run(read).unwrap();
    let (mut model, beads) = example.model().unwrap();
    for i in 0..beads.len() {
        example.add_contact(&mut model, &beads, i).unwrap();
    }
    let mut simulation = example.simulation(&model).unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    for (i, &bead) in beads.iter().enumerate() {
        assert!((state.q(bead)[0] - last[i]).abs() < 1e-12, "bead {i}");
    }
}

#[test]
fn a_position_that_is_set_takes_its_contact_along() {
    let (model, ball, floor) = ball_over_floor(5.0, 0.0);
    let mut simulation = TimeStepping::builder(&model).discretisation(grid(1.0, 1e-3)).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.step(&model, &mut state).unwrap();
    state.set_position(ball, &[0.0]).unwrap();
    let report = simulation.step(&model, &mut state).unwrap().unwrap();
    assert!(report.active.iter().eq([UnitaryRelation { relation: floor.into(), block: 0 }]));
    assert!(state.v(ball)[0].abs() < 1e-15);
}

#[test]
fn a_grid_of_any_times_and_an_exact_end() {
    // For free fall, the scheme with theta = 1/2 is exact on any grid.
    let (model, ball, _) = ball_over_floor(100.0, 0.0);
    let times: Vec<_> = (0..=60).map(|k| 2.0 * (f64::from(k) / 60.0).powi(2)).collect();
    for grid in [
        TimeDiscretisation::from_times(times).unwrap(),
        TimeDiscretisation::uniform(0.0, 2.0, 0.03).unwrap().exact_end(),
    ] {
        let mut simulation = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        simulation.run(&model, &mut state, |_, _| ()).unwrap();
        assert_eq!(state.t, 2.0);
        assert!((state.q(ball)[0] - (100.0 - 2.0 * 9.81)).abs() < 1e-11);
    }
}

/// Returns the order of convergence at time 1 of an undamped oscillator that starts at q = 1, from errors at
/// halved steps.
fn order(theta: f64, nonlinear: bool) -> f64 {
    let exact = if nonlinear { duffing(1.0) } else { 3.0_f64.cos() };
    let steps = [2e-2, 1e-2, 5e-3, 2.5e-3];
    let errors: Vec<_> = steps
        .iter()
        .map(|&h| {
            let mut model = NonSmoothDynamicalSystem::new();
            let id = if nonlinear {
                let duffing = Lagrangian::new(vec![1.0], vec![0.0], array![1.0]).with_internal_force(
                    |_, q, _, f| f[0] = 9.0 * q[0] + 4.0 * q[0].powi(3),
                    Jacobian::FiniteDifference,
                    Jacobian::Zero,
                );
                model.add_system(duffing).unwrap()
            } else {
                let linear =
                    LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![9.0]);
                model.add_system(linear).unwrap()
            };
            let mut simulation = TimeStepping::builder(&model)
                .discretisation(grid(1.0, h))
                .integrator(MoreauJean::new(theta).unwrap())
                .build()
                .unwrap();
            let mut state = simulation.initial_state(&model).unwrap();
            simulation.run(&model, &mut state, |_, _| ()).unwrap();
            (state.q(id)[0] - exact).abs()
        })
        .collect();
    observed_order(&steps, &errors).order
}

/// Returns q(t) of q'' + 9 q + 4 q^3 = 0 from rest at 1, by a fine Stoermer integration with Richardson
/// extrapolation.
fn duffing(t: f64) -> f64 {
    let with = |steps: u32| {
        let h = t / f64::from(steps);
        let a = |q: f64| -9.0 * q - 4.0 * q * q * q;
        let (mut q, mut v) = (1.0, 0.5 * h * a(1.0));
        for _ in 0..steps {
            q += h * v;
            v += h * a(q);
        }
        q
    };
    (4.0 * with(40_000) - with(20_000)) / 3.0
}

#[test]
fn smooth_motion_is_of_order_two_with_theta_one_half_and_one_otherwise() {
    for nonlinear in [false, true] {
        assert!((order(0.5, nonlinear) - 2.0).abs() < 0.2);
        assert!((order(1.0, nonlinear) - 1.0).abs() < 0.2);
        assert!((order(0.7, nonlinear) - 1.0).abs() < 0.2);
    }
}

#[test]
fn theta_is_a_property_of_each_system() {
    // The first of two equal oscillators has theta = 1/2 and conserves its energy; the second has theta = 1
    // and does not conserve it.
    let mut model = NonSmoothDynamicalSystem::new();
    let mut add = || {
        model
            .add_system(LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]).with_stiffness(array![25.0]))
            .unwrap()
    };
    let (kept, damped) = (add(), add());
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(10.0, 1e-2))
        .integrator_for(damped, MoreauJean::new(1.0).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    let energy = |id| 0.5 * state.v(id)[0].powi(2) + 12.5 * state.q(id)[0].powi(2);
    assert!((energy(kept) - 12.5).abs() < 1e-9);
    assert!(energy(damped) < 2.0);
}

/// Simulates a column on the floor with a solver that is limited to two sweeps.
fn starved(policy: OnNonConvergence) -> (Result<usize, SimulationError>, State) {
    let example = ColumnOfBeads { spacing: 0.2, ..ColumnOfBeads::default() };
    let (mut model, beads) = example.model().unwrap();
    for i in 0..beads.len() {
        example.add_contact(&mut model, &beads, i).unwrap();
    }
    let settings =
        ProjectedGaussSeidelSettings { max_iterations: 2, ..ProjectedGaussSeidelSettings::default() };
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 1e-3))
        .solver(ProjectedGaussSeidel::new(settings).unwrap())
        .on_non_convergence(policy)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut failures = 0;
    let result = simulation.run(&model, &mut state, |report, _| {
        failures += usize::from(report.solve.status == Status::MaxIterations);
    });
    (result.map(|()| failures), state)
}

#[test]
fn a_solver_that_does_not_converge_is_dealt_with_as_told() {
    let (failed, state) = starved(OnNonConvergence::Fail);
    let error = failed.unwrap_err();
    match error {
        SimulationError::NotConverged { step, t, status, iterations, error } => {
            assert_eq!((status, iterations), (Status::MaxIterations, 2));
            assert_eq!((step, t), (state.step() + 1, state.t), "the state is that before the step");
            assert!(error > 1e-8);
        }
        other => panic!("{other}"),
    }
    for policy in [OnNonConvergence::Continue, OnNonConvergence::Warn] {
        let (failures, state) = starved(policy);
        assert!(failures.unwrap() > 0);
        assert_eq!(state.step(), 1000);
    }
}

#[test]
fn newton_that_does_not_converge_is_dealt_with_as_told() {
    let pendulum = |newton| DoublePendulum { newton, t_end: 0.5, ..DoublePendulum::default() };
    let example =
        pendulum(NewtonSettings { tolerance: 1e-14, max_iterations: 1, ..NewtonSettings::default() });
    let (model, ..) = example.model().unwrap();
    let mut simulation = example.simulation(&model).unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let error = simulation.step(&model, &mut state).unwrap_err();
    assert!(matches!(error, SimulationError::NewtonNotConverged { step: 1, iterations: 1, .. }), "{error}");
    assert_eq!(state.step(), 0);
}

#[test]
fn a_solver_can_be_named_by_its_method() {
    let (model, ball, _) = ball_over_floor(1.0, 0.5);
    let method = LcpMethod::Lemke(LemkeSettings::default());
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(1.0, 1e-3))
        .solver(OneStepSolver::from_method(&method).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation.run(&model, &mut state, |_, _| ()).unwrap();
    assert!(state.q(ball)[0] > 0.0);
}
