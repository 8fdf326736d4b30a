//! Newton's linearisation of first-order systems: convergence of the residuals and numbers of iterations.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::NewtonDamping;
use siconos_testkit::convergence::{observed_order, steps};

use crate::common::grid;

/// Creates a stiff Van der Pol oscillator with an algebraic input that depends on all variables.
fn system() -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(
        vec![1.5, -0.5],
        |_, x, f| (f[0], f[1]) = (x[1], 3.0 * (1.0 - x[0] * x[0]) * x[1] - x[0]),
        Jacobian::of_state(|_, x, j| {
            j[[0, 1]] = 1.0;
            j[[1, 0]] = -6.0 * x[0] * x[1] - 1.0;
            j[[1, 1]] = 3.0 * (1.0 - x[0] * x[0]);
        }),
    )
}

/// Creates the relation y = x_0^2 + exp(lambda) - 2.5, r_1 = lambda (2 + sin x_0).
fn relation() -> FirstOrderNonlinearRelation {
    FirstOrderNonlinearRelation::new(
        1,
        |at, y| y[0] = at.x[0] * at.x[0] + at.lambda[0].exp() - 2.5,
        |at, r| r[1] = at.lambda[0] * (2.0 + at.x[0].sin()),
    )
    .with_c(RelationJacobian::function(|at, c| c[[0, 0]] = 2.0 * at.x[0]))
    .with_d(RelationJacobian::function(|at, d| d[[0, 0]] = at.lambda[0].exp()))
    .with_k(RelationJacobian::function(|at, k| k[[1, 0]] = at.lambda[0] * at.x[0].cos()))
    .with_b(RelationJacobian::function(|at, b| b[[1, 0]] = 2.0 + at.x[0].sin()))
}

/// Returns the residuals after each iteration of one long step.
fn residuals(law: impl Into<siconos_kernel::model::NonSmoothLaw>, integrator: Integrator) -> Vec<[f64; 3]> {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system()).unwrap();
    model.add_interaction([id], relation(), law).unwrap();
    // Converged systems are frozen. This tolerance continues the iterations until only rounding errors are
    // left.
    let newton = NewtonSettings { tolerance: f64::MIN_POSITIVE, ..NewtonSettings::default() };
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(0.3, 0.3))
        .integrator(integrator)
        .newton(newton)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    assert!(simulation.begin_step(&model, &mut state).unwrap());
    simulation.update_index_sets(&model, &state).unwrap();
    let mut sequence = Vec::new();
    for iteration in 1..9 {
        simulation.compute_free_step(&model, &state).unwrap();
        simulation.compute_one_step_ns_problem(&model, &state).unwrap();
        let progress = simulation.update(&model, &state).unwrap();
        let parts = progress.first_order;
        assert_eq!((progress.iterations, parts.taken), (iteration, 1.0));
        assert_eq!(progress.error, parts.x.max(parts.y).max(parts.r));
        assert_eq!(progress.converged, progress.error <= newton.tolerance);
        sequence.push([parts.x, parts.y, parts.r]);
    }
    let report = simulation.next_step(&model, &mut state).unwrap();
    assert_eq!(report.newton_iterations, 8);
    sequence
}

fn assert_quadratic(name: &str, sequence: &[[f64; 3]]) {
    let errors: Vec<_> = sequence.iter().map(|parts| parts.iter().fold(0.0_f64, |m, x| m.max(*x))).collect();
    let end = errors.iter().position(|e| *e < 1e-14).unwrap_or_else(|| panic!("{name}: {errors:?}"));
    assert!((3..7).contains(&end), "{name}: {errors:?}");
    // Quadratic convergence: e' <= c e^2 with one c, down to rounding errors.
    let mut seen = 0;
    for pair in errors[..=end].windows(2) {
        if pair[0] < 0.1 && pair[0] > 1e-7 {
            assert!(pair[1] <= (3.0 * pair[0] * pair[0]).max(1e-15), "{name}: {errors:?}");
            seen += 1;
        }
    }
    assert!(seen >= 2, "{name}: {errors:?}");
    // Further iterations do not increase the errors.
    assert!(errors[end..].iter().all(|e| *e < 1e-13), "{name}: {errors:?}");
}

#[test]
fn residuals_of_a_smooth_law_fall_quadratically() {
    let integrators: [Integrator; 5] = [
        FullyImplicit { theta: 0.5, theta_r: 1.0 }.into(),
        FullyImplicit { theta: 0.5, theta_r: 0.5 }.into(),
        BackwardEuler.into(),
        ThetaGamma { theta: 0.5, gamma: 0.5 }.into(),
        MeasureEuler { theta: 0.7 }.into(),
    ];
    for integrator in integrators {
        let sequence = residuals(EqualityCondition::new(1).unwrap(), integrator);
        assert_quadratic(integrator.name(), &sequence);
        // All residuals contribute.
        for part in 0..3 {
            assert!(sequence[..3].iter().any(|parts| parts[part] > 1e-6), "{part}: {sequence:?}");
        }
    }
}

#[test]
fn residuals_of_complementarity_in_one_mode_fall_quadratically() {
    // Without lambda, y = x_0^2 + exp(lambda) - 2.5 stays below 0. The law keeps lambda above 0 during the
    // step.
    let sequence = residuals(ComplementarityCondition::new(1).unwrap(), BackwardEuler.into());
    assert_quadratic("complementarity", &sequence);
}

#[test]
fn an_affine_model_takes_one_iteration() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = FirstOrderLinear::of_matrix_function(vec![1.0], |at, a| a[[0, 0]] = -1.0 - at.t)
        .with_source_function(|at, b| b[0] = at.t.sin());
    let id = model.add_system(id).unwrap();
    let relation = FirstOrderLinearRelation::of_functions(
        1,
        |at, c| c[[0, 0]] = 1.0 + at.t,
        |at, b| b[[0, 0]] = 2.0 - at.t.cos(),
    );
    model.add_interaction([id], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(grid(3.0, 0.01))
        .newton(NewtonSettings { max_iterations: 1, ..NewtonSettings::default() })
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    simulation
        .run(&model, &mut state, |report, _| {
            assert_eq!((report.newton_iterations, report.newton_error), (1, 0.0));
        })
        .unwrap();
    assert_eq!(state.step(), 300);
}

/// A stiff, nonlinear problem of Prothero and Robinson with an equality that implies lambda = sin t: x' = -50
/// (x^3 - cos^3 t) + r - 2 sin t, r = lambda, y = lambda + x^2 - cos^2 t - sin t; x = cos t.
#[test]
fn a_stiff_problem_keeps_its_order() {
    let error = |integrator: Integrator, h: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let id = FirstOrderNonlinear::new(
            vec![1.0],
            |at, x, f| f[0] = -50.0 * (x[0].powi(3) - at.t.cos().powi(3)) - 2.0 * at.t.sin(),
            Jacobian::of_state(|_, x, j| j[[0, 0]] = -150.0 * x[0] * x[0]),
        );
        let id = model.add_system(id).unwrap();
        let relation = FirstOrderNonlinearRelation::type_2(
            1,
            |at, y| y[0] = at.lambda[0] + at.x[0].powi(2) - at.t.cos().powi(2) - at.t.sin(),
            |_, lambda, _, r| r[0] = lambda[0],
            (
                RelationJacobian::function(|at, c| c[[0, 0]] = 2.0 * at.x[0]),
                RelationJacobian::Constant(array![[1.0]]),
                RelationJacobian::Constant(array![[1.0]]),
            ),
        );
        let input = model.add_interaction([id], relation, EqualityCondition::new(1).unwrap()).unwrap();
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(grid(1.2, h))
            .integrator(integrator)
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        let mut worst = 0.0_f64;
        simulation
            .run(&model, &mut state, |_, state| {
                let off = (state.x(id)[0] - state.t.cos()).abs();
                worst = worst.max(off).max((state.lambda(input, Level::Position)[0] - state.t.sin()).abs());
            })
            .unwrap();
        worst
    };
    for (theta, theta_r, expected) in [(0.5, 0.5, 2.0), (1.0, 1.0, 1.0), (1.0, 0.5, 1.0), (0.5, 1.0, 1.0)] {
        let sizes = steps(5, 4e-2, 1.5e-3);
        let errors: Vec<_> =
            sizes.iter().map(|&h| error(FullyImplicit { theta, theta_r }.into(), h)).collect();
        let fit = observed_order(&sizes, &errors);
        println!("{theta} {theta_r}: {fit:?} {errors:?}");
        assert!((fit.order - expected).abs() < 0.2, "{theta}, {theta_r}: {fit:?}");
    }
}

#[test]
fn a_loop_that_is_cut_off_says_so_and_leaves_the_state() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system()).unwrap();
    model.add_interaction([id], relation(), EqualityCondition::new(1).unwrap()).unwrap();
    let builder = || {
        let newton = NewtonSettings { max_iterations: 2, ..NewtonSettings::default() };
        TimeStepping::builder(&model).discretisation(grid(0.3, 0.3)).newton(newton)
    };
    let mut simulation = builder().build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let before = format!("{state:?}");
    let error = simulation.step(&model, &mut state).unwrap_err();
    assert!(
        matches!(error, SimulationError::NewtonNotConverged { step: 1, iterations: 2, error, .. } if error > 1e-10),
        "{error}"
    );
    assert_eq!(format!("{state:?}"), before);
    let mut simulation = builder().on_non_convergence(OnNonConvergence::Continue).build().unwrap();
    let report = simulation.step(&model, &mut state).unwrap().unwrap();
    assert!(report.newton_error > 1e-10);
}

/// One step of length 1 for x' = r = lambda with y = atan x = 0. Newton's method for atan diverges from
/// initial guesses with |x| > 1.4.
#[test]
fn damping_brings_back_a_loop_that_runs_away() {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(FirstOrderLinearTi::new(vec![3.0], array![[0.0]])).unwrap();
    let relation = FirstOrderNonlinearRelation::type_1(
        1,
        |_, x, _, y| y[0] = x[0].atan(),
        |_, lambda, _, r| r[0] = lambda[0],
        (
            RelationJacobian::function(|at, c| c[[0, 0]] = 1.0 / (1.0 + at.x[0] * at.x[0])),
            RelationJacobian::Constant(array![[1.0]]),
        ),
    );
    model.add_interaction([id], relation, EqualityCondition::new(1).unwrap()).unwrap();
    let simulation = |damping| {
        TimeStepping::builder(&model)
            .discretisation(grid(1.0, 1.0))
            .newton(NewtonSettings { damping, ..NewtonSettings::default() })
            .build()
            .unwrap()
    };
    let mut undamped = simulation(NewtonDamping::None);
    let start = undamped.initial_state(&model).unwrap();
    let mut state = start.clone();
    undamped.step(&model, &mut state).unwrap_err();
    assert_eq!(state.x(id), [3.0]);
    let mut damped = simulation(NewtonDamping::Backtracking);
    let report = damped.step(&model, &mut state).unwrap().unwrap();
    println!("{} iterations, error {:e}", report.newton_iterations, report.newton_error);
    assert!(report.newton_error <= 1e-10);
    assert!(state.x(id)[0].abs() < 1e-9, "{}", state.x(id)[0]);
}
