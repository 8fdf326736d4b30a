//! Scheme with theta = 1, compared with time-stepping of the same system as a model.

use ndarray::{Array2, array};
use siconos_examples::diode_bridge::DiodeBridge;
use siconos_kernel::prelude::*;
use siconos_sweeping::dvi::{Dvi, DviSettings, DviStepper};
use siconos_testkit::compare::largest_difference;

/// A circuit with three states and two diodes, D = 0 and B = C^T, with an initial state that jumps.
fn model() -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let a = array![[-0.3, 1.0, 0.0], [-1.0, -0.1, 0.7], [0.2, -0.7, -0.5]];
    let c: Array2<f64> = array![[1.0, 0.0, 0.5], [0.0, -1.0, 1.0]];
    let mut model = NonSmoothDynamicalSystem::new();
    let system = FirstOrderLinearTi::new(vec![-0.4, 0.8, 0.3], a).with_source(vec![0.2, 0.1, -0.3]);
    let x = model.add_system(system).unwrap();
    let relation = FirstOrderLinearRelation::new(c.clone(), c.t().to_owned());
    let law = ComplementarityCondition::new(2).unwrap();
    let diodes = model.add_interaction([x], relation, law).unwrap();
    (model, x, diodes)
}

/// x and sigma = h lambda after each step.
fn simulate(
    integrator: Integrator,
    h: f64,
    steps: usize,
    lambda_is_sigma: bool,
) -> Vec<(Vec<f64>, Vec<f64>)> {
    let (model, x, diodes) = model();
    let grid = TimeDiscretisation::uniform(0.0, h * steps as f64, h).unwrap();
    let mut simulation =
        TimeStepping::builder(&model).integrator(integrator).discretisation(grid).build().unwrap();
    let mut state = simulation.initial_state(&model).unwrap();
    let mut all = Vec::new();
    while let Some(_report) = simulation.step(&model, &mut state).unwrap() {
        let level = if lambda_is_sigma { Level::Velocity } else { Level::Position };
        let factor = if lambda_is_sigma { 1.0 } else { h };
        let sigma = state.lambda(diodes, level).iter().map(|lambda| factor * lambda).collect();
        all.push((state.x(x).to_vec(), sigma));
    }
    all
}

#[test]
fn measure_euler_and_backward_euler_take_the_same_steps() {
    let (h, steps) = (0.02, 400);
    let (model, ..) = model();
    let dvi = Dvi::of(&model).unwrap();
    let mut stepper = DviStepper::new(&dvi, 1.0, DviSettings::default()).unwrap();
    let run = stepper.solve(&Dvi::initial_state(&model), (0.0, h * steps as f64), steps).unwrap();
    assert!(run.info.status.is_success());
    let measure = simulate(MeasureEuler { theta: 1.0 }.into(), h, steps, true);
    let backward = simulate(BackwardEuler.into(), h, steps, false);
    for other in [measure, backward] {
        assert_eq!(other.len(), steps);
        for (k, (x, sigma)) in other.iter().enumerate() {
            assert!(largest_difference(x, run.solution.x(k + 1)) <= 1e-10, "step {k}");
            let own: Vec<f64> = run.solution.u(k + 1).iter().map(|u| h * u).collect();
            assert!(largest_difference(sigma, &own) <= 1e-10, "step {k}");
        }
    }
}

/// The diode bridge of the examples, with theta = 1/2 and 1, compared with time-stepping in which the
/// multiplier is evaluated at the end of the step.
#[test]
fn the_bridge_of_diodes_has_the_same_voltages() {
    for theta in [0.5, 1.0] {
        let integrator = ThetaGamma::new(theta, 1.0).unwrap().into();
        let bridge = DiodeBridge { integrator, t_end: 2e-3, ..DiodeBridge::default() };
        let (model, oscillator, _) = bridge.model().unwrap();
        let steps = 2000;
        let dvi = Dvi::of(&model).unwrap();
        let mut stepper = DviStepper::new(&dvi, theta, DviSettings::default()).unwrap();
        let run = stepper.solve(&Dvi::initial_state(&model), (0.0, bridge.t_end), steps).unwrap();
        assert!(run.info.status.is_success(), "{:?}", run.info);
        let mut simulation = bridge.simulation(&model).unwrap();
        let mut state = simulation.initial_state(&model).unwrap();
        for k in 1..=steps {
            assert!(simulation.step(&model, &mut state).unwrap().is_some());
            let (v, own) = (state.x(oscillator)[0], run.solution.x(k)[0]);
            assert!((v - own).abs() <= 1e-9 * bridge.voltage, "theta {theta}, step {k}: {v} and {own}");
        }
        assert!(run.solution.x(steps)[0].abs() < 9.9, "the load has taken something");
    }
}
