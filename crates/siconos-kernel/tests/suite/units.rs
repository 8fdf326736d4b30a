//! Independence of units: heavy and light masses, stiff and soft springs, early and late times.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_numerics::lcp::ProjectedGaussSeidel;

fn uniform(t0: f64, t_end: f64, h: f64) -> TimeDiscretisation {
    TimeDiscretisation::uniform(t0, t_end, h).unwrap()
}

/// Creates a block on a ball on the floor.
fn stack(light: f64, heavy: f64) -> (NonSmoothDynamicalSystem, [DynamicalSystemId; 2]) {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut add = |height: f64, m: f64| {
        let body = LagrangianLinear::new(vec![height], vec![0.0], array![m])
            .with_external_force(move |_, f| f[0] = -9.81 * m);
        model.add_system(body).unwrap()
    };
    let (ball, block) = (add(0.0, light), add(0.1, heavy));
    let law = NewtonImpact::new(0.3).unwrap();
    model.add_interaction([ball], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
    let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.1]);
    model.add_interaction([ball, block], gap, law).unwrap();
    (model, [ball, block])
}

#[test]
fn a_heavy_block_rests_on_a_light_ball() {
    for ratio in [1.0, 1e4, 1e6, 1e8, 1e10, 1e12] {
        let (model, [ball, block]) = stack(0.37, 0.37 * ratio);
        let mut sim = TimeStepping::builder(&model).discretisation(uniform(0.0, 0.5, 1e-3)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| ()).unwrap_or_else(|error| panic!("ratio {ratio:e}: {error}"));
        assert!(
            state.v(ball)[0].abs() < 1e-5 && state.v(block)[0].abs() < 1e-5,
            "ratio {ratio:e}: {state:?}"
        );
    }
}

#[test]
fn impulses_do_not_depend_on_the_unit_of_mass_nor_on_the_guess() {
    // Two bodies hit a wall and each other; afterwards the first one is at rest.
    let end = |unit: f64| {
        let (model, [ball, block]) = stack(unit, 3.0 * unit);
        let mut sim = TimeStepping::builder(&model).discretisation(uniform(0.0, 0.3, 1e-3)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        state.set_velocity(ball, &[-1.0]).unwrap();
        state.set_velocity(block, &[-0.4]).unwrap();
        sim.run(&model, &mut state, |_, _| ()).unwrap();
        [state.q(ball)[0], state.q(block)[0], state.v(ball)[0], state.v(block)[0]]
    };
    let kilograms = end(1.0);
    for unit in [1e-15, 1e-9, 1e9] {
        for (a, b) in end(unit).iter().zip(kilograms) {
            assert!((a - b).abs() < 1e-9, "unit {unit:e}: {a} {b}");
        }
    }
}

/// Simulates a pendulum with all forces and masses multiplied by a factor. Returns q(1) and the number of
/// Newton iterations.
fn pendulum(scale: f64) -> (f64, usize) {
    let system = Lagrangian::new(vec![1.2], vec![0.0], array![scale]).with_internal_force(
        move |_, q, v, f| f[0] = scale * (9.81 * q[0].sin() + 0.3 * v[0] * v[0].abs()),
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    );
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(uniform(0.0, 1.0, 1e-2)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut iterations = 0;
    sim.run(&model, &mut state, |report, _| iterations += report.newton_iterations).unwrap();
    (state.q(id)[0], iterations)
}

#[test]
fn newton_ends_alike_for_light_and_heavy_systems() {
    let (q, iterations) = pendulum(1.0);
    for scale in [1e-12, 1e-6, 1e6] {
        let (other, others) = pendulum(scale);
        assert!(
            (q - other).abs() < 1e-9 && iterations.abs_diff(others) <= 10,
            "{scale:e}: {other} {others} {q} {iterations}"
        );
    }
}

#[test]
fn newton_ends_for_stiff_systems_under_load() {
    for k in [1e8, 1e10, 1e12, 1e14] {
        let spring = Lagrangian::new(vec![0.3], vec![0.0], array![1e3]).with_internal_force(
            move |_, q, _, f| f[0] = k * q[0] * (1.0 + q[0] * q[0]),
            Jacobian::function(move |_, q, _, j| j[[0, 0]] = k * (1.0 + 3.0 * q[0] * q[0])),
            Jacobian::Zero,
        );
        let mut model = NonSmoothDynamicalSystem::new();
        model.add_system(spring).unwrap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(uniform(0.0, 0.2, 1e-2))
            .integrator(MoreauJean::new(1.0).unwrap())
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| ()).unwrap_or_else(|error| panic!("k = {k:e}: {error}"));
    }
}

#[test]
fn a_constraint_that_moves_may_do_so_at_any_time() {
    // A ball on a shaking table, with the time derivative given or by finite differences, at early and late
    // times.
    let end = |t0: f64, given: bool| {
        let c = move |t: f64| 0.01 * (50.0 * (t - t0)).sin();
        let mut table = LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - c(at.t));
        if given {
            table = table.with_time_derivative(move |at, _, y_t| y_t[0] = -0.5 * (50.0 * (at.t - t0)).cos());
        }
        let mut model = NonSmoothDynamicalSystem::new();
        let ball =
            LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
        let ball = model.add_system(ball).unwrap();
        model.add_interaction([ball], table, NewtonImpact::new(0.0).unwrap()).unwrap();
        let mut sim =
            TimeStepping::builder(&model).discretisation(uniform(t0, t0 + 0.1, 1e-4)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| ()).unwrap();
        state.q(ball)[0]
    };
    for t0 in [0.0, 16.0, 1024.0, 8192.0] {
        let (given, differences) = (end(t0, true), end(t0, false));
        assert!((given - differences).abs() < 1e-5, "t0 = {t0}: {given} {differences}");
    }
}

#[test]
fn degrees_of_freedom_may_have_very_different_masses() {
    // A huge mass holds one degree of freedom, in a matrix that is not stored as a diagonal.
    let mut model = NonSmoothDynamicalSystem::new();
    let held = LagrangianLinear::new(vec![0.0, 0.0], vec![0.0, 0.0], array![[1e17, 0.0], [0.0, 1.0]])
        .with_external_force(|_, f| f[1] = 1.0);
    let id = model.add_system(held).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(uniform(0.0, 1.0, 0.125)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| ()).unwrap();
    assert!((state.q(id)[1] - 0.5).abs() < 1e-14);
}

#[test]
fn a_joint_goes_with_the_default_solver_at_any_weight_and_with_gauss_seidel() {
    for weight in [1.0, 1e8] {
        let mut model = NonSmoothDynamicalSystem::new();
        let ids: Vec<_> = (0..5)
            .map(|i| {
                let body = LagrangianLinear::new(vec![0.2 * f64::from(i)], vec![0.0], array![weight])
                    .with_external_force(move |_, f| f[0] = -9.81 * weight);
                model.add_system(body).unwrap()
            })
            .collect();
        let law = NewtonImpact::new(0.5).unwrap();
        model.add_interaction([ids[0]], LagrangianLinearRelation::new(array![[1.0]]), law).unwrap();
        for (i, pair) in ids.windows(2).enumerate() {
            let gap = LagrangianLinearRelation::new(array![[-1.0, 1.0]]).with_offset(vec![-0.2]);
            if i == 2 {
                model.add_interaction([pair[0], pair[1]], gap, EqualityCondition::new(1).unwrap()).unwrap();
            } else {
                model.add_interaction([pair[0], pair[1]], gap, law).unwrap();
            }
        }
        // Gauss-Seidel solves to 1e-8 of q. The error of the mixed problem contains products of impulse and
        // velocity, which are more restrictive for heavier bodies.
        let solvers =
            [Some(OneStepSolver::default()), (weight == 1.0).then(|| ProjectedGaussSeidel::default().into())];
        for solver in solvers.into_iter().flatten() {
            let name = solver.name();
            let mut sim = TimeStepping::builder(&model)
                .discretisation(uniform(0.0, 0.3, 1e-3))
                .solver(solver)
                .build()
                .unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            sim.run(&model, &mut state, |_, _| ())
                .unwrap_or_else(|error| panic!("{name}, {weight:e}: {error}"));
            assert!((state.q(ids[3])[0] - state.q(ids[2])[0] - 0.2).abs() < 1e-6);
        }
    }
}

#[test]
fn differences_are_taken_on_the_scale_that_the_user_gives() {
    // The force varies over a micrometre. The default difference step of 6e-6 is too large, and a step on
    // this scale is not.
    let spring = |jacobian: Jacobian| {
        Lagrangian::new(vec![0.0], vec![0.0], array![1.0]).with_internal_force(
            |_, q, _, f| f[0] = (q[0] / 1e-6).sin(),
            jacobian,
            Jacobian::Zero,
        )
    };
    let newton_iterations = |jacobian: Jacobian| {
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(spring(jacobian)).unwrap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(uniform(0.0, 0.01, 1e-4))
            .newton(NewtonSettings { tolerance: 1e-8, ..NewtonSettings::default() })
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        state.set_velocity(id, &[5e-4]).unwrap();
        let mut iterations = 0;
        sim.run(&model, &mut state, |report, _| iterations += report.newton_iterations).unwrap();
        (iterations, state.q(id)[0])
    };
    let exact = Jacobian::function(|_, q: &[f64], _: &[f64], j: &mut ndarray::ArrayViewMut2<'_, f64>| {
        j[[0, 0]] = (q[0] / 1e-6).cos() / 1e-6;
    });
    let (given, q_given) = newton_iterations(exact);
    let (to_scale, q_to_scale) = newton_iterations(Jacobian::FiniteDifferenceWithStep(6e-12));
    let (by_default, _) = newton_iterations(Jacobian::FiniteDifference);
    assert!(to_scale.abs_diff(given) <= 5 && by_default > given + 20, "{given} {to_scale} {by_default}");
    assert!((q_given - q_to_scale).abs() < 1e-12, "{q_given} {q_to_scale}");
    // The same for a relation: y = 1e-6 sin(q / 1e-6) has slope 1 at 0.
    let end = |step: Option<f64>| {
        let mut wall = LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 1e-6 * (q[0] / 1e-6).sin());
        if let Some(step) = step {
            wall = wall.with_difference_step(step);
        }
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(LagrangianLinear::new(vec![1e-7], vec![-1e-3], array![1.0])).unwrap();
        model.add_interaction([id], wall, NewtonImpact::new(1.0).unwrap()).unwrap();
        let mut sim = TimeStepping::builder(&model).discretisation(uniform(0.0, 3e-4, 1e-6)).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| ()).unwrap();
        state.v(id)[0]
    };
    assert!((end(Some(6e-12)) - 1e-3).abs() < 1e-8, "{}", end(Some(6e-12)));
}
