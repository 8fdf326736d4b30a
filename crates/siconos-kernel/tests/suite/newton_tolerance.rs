//! Effect of the tolerance of Newton's method on a motion: errors of steps accumulate.

use ndarray::{ArrayViewMut2, array};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::ContactJacobian;
use siconos_testkit::compare::largest_difference;

/// Creates a pendulum of 1 kg and 1 m on a frictionless slider of 2 kg. Coordinates: position of the slider
/// and angle.
fn slider() -> (NonSmoothDynamicalSystem, DynamicalSystemId) {
    let system = Lagrangian::of_mass_function(vec![0.0, 1.1], vec![0.2, 0.0], |_, q, m| {
        (m[[0, 0]], m[[1, 1]]) = (3.0, 1.0);
        (m[[0, 1]], m[[1, 0]]) = (q[1].cos(), q[1].cos());
    })
    .with_internal_force(
        |_, q, v, f| {
            f[0] = -v[1] * v[1] * q[1].sin();
            f[1] = 9.81 * q[1].sin();
        },
        Jacobian::function(|_, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            j[[0, 1]] = -v[1] * v[1] * q[1].cos();
            j[[1, 1]] = 9.81 * q[1].cos();
        }),
        Jacobian::function(|_, q: &[f64], v: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            j[[0, 1]] = -2.0 * v[1] * q[1].sin();
        }),
    );
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    (model, id)
}

/// Creates a mass on a rod of length 1, with a nonlinear constraint.
fn rod() -> (NonSmoothDynamicalSystem, DynamicalSystemId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let start = vec![1.0_f64.sin(), 1.0_f64.cos()];
    let mass = LagrangianLinear::new(start, vec![0.0; 2], array![2.0, 2.0])
        .with_external_force(|_, f| f[1] = 2.0 * 9.81);
    let mass = model.add_system(mass).unwrap();
    let rod =
        LagrangianScleronomousRelation::new(1, |_, q, y| y[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0))
            .with_jacobian(|_, q, j| (j[[0, 0]], j[[0, 1]]) = (q[0], q[1]));
    model.add_interaction([mass], rod, EqualityCondition::new(1).unwrap()).unwrap();
    (model, mass)
}

/// Returns the position after a number of steps, and the number of iterations.
fn end(
    (model, id): &(NonSmoothDynamicalSystem, DynamicalSystemId),
    (h, steps): (f64, usize),
    newton: NewtonSettings,
) -> (Vec<f64>, usize) {
    let grid = TimeDiscretisation::uniform(0.0, h * steps as f64, h).unwrap();
    let mut sim = TimeStepping::builder(model).discretisation(grid).newton(newton).build().unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let mut iterations = 0;
    sim.run(model, &mut state, |report, _| iterations += report.newton_iterations).unwrap();
    (state.q(*id).to_vec(), iterations)
}

fn to(tolerance: f64) -> NewtonSettings {
    NewtonSettings { tolerance, ..NewtonSettings::default() }
}

#[test]
fn errors_of_the_default_tolerance_do_not_add_up_to_more_than_rounding_would() {
    for (name, model) in [("slider", slider()), ("rod", rod())] {
        for (h, steps) in [(1e-2, 67), (1e-2, 1000), (1e-3, 10_000)] {
            // This tolerance continues the iterations until only rounding errors are left.
            let (exact, most) = end(&model, (h, steps), to(1e-15));
            let drift = |newton: NewtonSettings| {
                let (q, iterations) = end(&model, (h, steps), newton);
                let off = largest_difference(&q, &exact);
                (off, iterations as f64 / steps as f64)
            };
            for tolerance in [1e-8, 1e-10, 1e-12] {
                let (off, iterations) = drift(to(tolerance));
                println!("{name}, h = {h}, {steps} steps, {tolerance:e}: {off:.1e}, {iterations:.3} a step");
            }
            println!("{name}: to rounding {:.3} a step", most as f64 / steps as f64);
            let (off, _) = drift(NewtonSettings::default());
            assert!(off < 1e-10, "{name}, h = {h}: {off:e}");
        }
    }
}

#[test]
fn with_the_jacobian_at_the_beginning_a_step_has_one_problem_and_is_what_the_formula_says() {
    let (model, mass) = rod();
    let newton =
        NewtonSettings { contact_jacobian: ContactJacobian::AtBeginning, ..NewtonSettings::default() };
    let h = 1e-2;
    let grid = TimeDiscretisation::uniform(0.0, 1.0, h).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).newton(newton).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    loop {
        let (q, v) = (state.q(mass).to_vec(), state.v(mass).to_vec());
        let Some(report) = sim.step(&model, &mut state).unwrap() else { break };
        assert_eq!((report.newton_iterations, report.newton_error), (1, 0.0));
        // The formula v' = v_free - J^T (J v_free) / (J J^T) with J = q implies J(q_k) v' = 0.
        let free = [v[0], v[1] + 9.81 * h];
        let along = (q[0] * free[0] + q[1] * free[1]) / (q[0] * q[0] + q[1] * q[1]);
        for i in 0..2 {
            assert!((state.v(mass)[i] - (free[i] - along * q[i])).abs() < 1e-13);
            let mean = 0.5 * (v[i] + state.v(mass)[i]);
            assert!((state.q(mass)[i] - (q[i] + h * mean)).abs() < 1e-13);
        }
        // The velocity of the constraint in the state is the velocity at the end of the step.
        let rod = model.interactions().iter().next().unwrap().0;
        let (q, v) = (state.q(mass), state.v(mass));
        assert!((state.y(rod, Level::Velocity)[0] - (q[0] * v[0] + q[1] * v[1])).abs() < 1e-15);
    }
}

#[test]
fn an_iteration_that_overflows_has_not_converged() {
    // A force that grows with the displacement, and a Newton matrix without its derivative: each iterate is
    // larger than the last, until the terms of the equation overflow.
    let force = |_: At<'_>, q: &[f64], _: &[f64], f: &mut [f64]| f[0] = -1000.0 * q[0] - 1e4 * q[0].powi(3);
    let mut model = NonSmoothDynamicalSystem::new();
    let body = Lagrangian::new(vec![0.1], vec![0.0], array![[1.0]]);
    model.add_system(body.with_internal_force(force, Jacobian::Zero, Jacobian::Zero)).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1.0, 0.1).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    match sim.step(&model, &mut state) {
        Ok(report) => {
            let report = report.unwrap();
            assert!(
                !report.is_converged && (report.newton_error.is_nan() || report.newton_error > 1e-3),
                "{report:?}"
            );
        }
        Err(error) => assert!(state.t == 0.0, "{error}"),
    }
}
