//! First-order systems with smooth multipliers, or without interactions.

use ndarray::{Array1, array};
use siconos_kernel::model::DynamicalSystem;
use siconos_kernel::prelude::*;
use siconos_testkit::compare::largest_difference;
use siconos_testkit::convergence::{observed_order, steps};
use siconos_testkit::exact::LinearFlow;

fn build(
    model: &NonSmoothDynamicalSystem,
    integrator: impl Into<Integrator>,
    t_end: f64,
    h: f64,
) -> TimeStepping {
    let grid = TimeDiscretisation::uniform(0.0, t_end, h).unwrap();
    TimeStepping::builder(model).discretisation(grid).integrator(integrator).build().unwrap()
}

/// Returns the order of convergence of the largest error of one system without interactions.
fn order(
    system: impl Into<DynamicalSystem>,
    integrator: impl Into<Integrator>,
    exact: impl Fn(f64) -> f64,
) -> f64 {
    let mut model = NonSmoothDynamicalSystem::new();
    let id = model.add_system(system).unwrap();
    let integrator = integrator.into();
    let error = |h: f64| {
        let mut simulation = build(&model, integrator, 2.0, h);
        let mut state = simulation.initial_state(&model).unwrap();
        let mut worst = 0.0_f64;
        let observe = |_: &StepReport<'_>, state: &State| {
            worst = worst.max((state.x(id)[0] - exact(state.t)).abs());
        };
        simulation.run(&model, &mut state, observe).unwrap();
        worst
    };
    let sizes = steps(5, 0.1, 5e-3);
    let errors: Vec<_> = sizes.iter().map(|&h| error(h)).collect();
    let fit = observed_order(&sizes, &errors);
    assert!(fit.scatter < 1.3, "{errors:?}");
    fit.order
}

/// Creates the logistic equation x' = x (1 - x).
fn logistic() -> FirstOrderNonlinear {
    FirstOrderNonlinear::new(
        vec![0.1],
        |_, x, f| f[0] = x[0] * (1.0 - x[0]),
        Jacobian::of_state(|_, x, j| j[[0, 0]] = 1.0 - 2.0 * x[0]),
    )
}

#[test]
fn a_system_without_interactions_to_the_order_of_theta() {
    let exact = |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp());
    let schemes: [(Integrator, f64); 7] = [
        (EulerMoreau { theta: 0.0 }.into(), 1.0),
        (EulerMoreau { theta: 0.5 }.into(), 2.0),
        (BackwardEuler.into(), 1.0),
        (ThetaGamma::default().into(), 2.0),
        (MeasureEuler { theta: 0.5 }.into(), 2.0),
        (FullyImplicit { theta: 0.5, theta_r: 0.0 }.into(), 2.0),
        (FullyImplicit { theta: 0.75, theta_r: 1.0 }.into(), 1.0),
    ];
    for (scheme, expected) in schemes {
        let found = order(logistic(), scheme, exact);
        assert!((found - expected).abs() < 0.15, "{}: {found}", scheme.name());
        let by_difference = FirstOrderNonlinear::new(
            vec![0.1],
            |_, x, f| f[0] = x[0] * (1.0 - x[0]),
            Jacobian::FiniteDifference,
        );
        assert!((order(by_difference, scheme, exact) - found).abs() < 1e-3);
        // The field x (1 - x) as a control u(x), and with a mass matrix.
        let control = ControlTerm::new(array![[2.0]], |_, x, _, u| u[0] = x[0] * (1.0 - x[0]));
        let doubled = FirstOrderNonlinear::new(vec![0.1], |_, _, _| (), Jacobian::Zero)
            .with_mass(array![2.0])
            .with_control(control);
        assert!((order(doubled, scheme, exact) - found).abs() < 1e-3);
    }
}

/// The solution of (1 + x) x' = 1 satisfies x + x^2 / 2 = t. The matrix is evaluated at the end of the step,
/// which is of order one.
#[test]
fn a_matrix_that_depends_on_the_state() {
    let system = FirstOrderNonlinear::new(vec![0.0], |_, _, f| f[0] = 1.0, Jacobian::Zero)
        .with_mass_function(|_, x, m| m[[0, 0]] = 1.0 + x[0]);
    for scheme in [Integrator::from(BackwardEuler), EulerMoreau::default().into()] {
        let found = order(system.clone(), scheme, |t| (1.0 + 2.0 * t).sqrt() - 1.0);
        assert!(found > 0.85, "{}: {found}", scheme.name());
    }
}

#[test]
fn a_hold_is_exact_whatever_the_step() {
    let a = array![[-0.1, 5.0, 0.0], [-5.0, -0.1, 1.0], [0.0, 0.0, 0.0]];
    let (b, x0) = (array![1.0, -2.0, 0.3], array![1.0, 0.0, -1.0]);
    let flow = LinearFlow::new(a.clone(), b.clone());
    for (h, mass) in [(0.01, 1.0), (0.37, 1.0), (2.0, 1.0), (0.37, 4.0)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let system = FirstOrderLinearTi::new(x0.clone(), mass * &a)
            .with_mass(Array1::from_elem(3, mass))
            .with_source(mass * &b);
        let id = model.add_system(system).unwrap();
        let mut simulation = build(&model, ZeroOrderHold::default(), 6.0, h);
        let mut state = simulation.initial_state(&model).unwrap();
        simulation
            .run(&model, &mut state, |_, state| {
                let exact = flow.state(state.t, &x0);
                let off = largest_difference(state.x(id), &exact);
                assert!(off < 1e-12, "h = {h}, t = {}: {off:e}", state.t);
            })
            .unwrap();
    }
}

/// The system x' = -x + lambda with an equality that implies lambda = cos t and x = (sin t + cos t) / 2.
#[test]
fn an_explicit_part_of_the_input_begins_with_the_multiplier_that_is_set() {
    let exact = |t: f64| 0.5 * (t.sin() + t.cos());
    let error = |h: f64, first: Option<f64>| {
        let mut model = NonSmoothDynamicalSystem::new();
        let id = model.add_system(FirstOrderLinearTi::new(vec![0.5], array![[-1.0]])).unwrap();
        let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]])
            .with_d(array![[1.0]])
            .with_offset_function(move |at, e| e[0] = -at.t.cos() - exact(at.t));
        let input = model.add_interaction([id], relation, EqualityCondition::new(1).unwrap()).unwrap();
        let mut simulation = build(&model, FullyImplicit { theta: 0.5, theta_r: 0.5 }, 2.0, h);
        let mut state = simulation.initial_state(&model).unwrap();
        if let Some(first) = first {
            state.set_lambda(input, &[first]).unwrap();
        }
        let mut worst = 0.0_f64;
        simulation
            .run(&model, &mut state, |_, state| worst = worst.max((state.x(id)[0] - exact(state.t)).abs()))
            .unwrap();
        worst
    };
    let order = |first| {
        let sizes = steps(5, 0.1, 5e-3);
        let errors: Vec<_> = sizes.iter().map(|&h| error(h, first)).collect();
        observed_order(&sizes, &errors).order
    };
    assert!((order(Some(1.0)) - 2.0).abs() < 0.1);
    // Without an initial multiplier, half of the first step has no input.
    assert!((order(None) - 1.0).abs() < 0.1);
}

#[test]
fn backward_euler_asks_for_nothing_at_the_beginning_of_the_step() {
    // The source 1 / sqrt(t) is not defined at t = 0 and is not needed there: x(1) = 2.
    let source = |at: At<'_>, b: &mut [f64]| b[0] = 1.0 / at.t.sqrt();
    let linear = FirstOrderLinear::new(vec![0.0], array![[0.0]]).with_source_function(source);
    let nonlinear = FirstOrderNonlinear::new(vec![0.0], move |at, _x, f| source(at, f), Jacobian::Zero);
    let mut model = NonSmoothDynamicalSystem::new();
    let ids = [model.add_system(linear).unwrap(), model.add_system(nonlinear).unwrap()];
    let build = |scheme: Integrator| {
        TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, 1e-4).unwrap())
            .integrator(scheme)
            .build()
            .unwrap()
    };
    let mut sim = build(BackwardEuler.into());
    let mut state = sim.initial_state(&model).unwrap();
    sim.run(&model, &mut state, |_, _| ()).unwrap();
    for id in ids {
        // The first step neglects approximately 1.46 sqrt(h) of the integral.
        assert!((state.x(id)[0] - 2.0).abs() < 1.5e-2, "{}", state.x(id)[0]);
    }
    let mut sim = build(EulerMoreau::default().into());
    let mut state = sim.initial_state(&model).unwrap();
    assert!(matches!(sim.step(&model, &mut state), Err(SimulationError::NotFinite { .. })));
}
