//! Published trajectories of circuits and relays, if the files are available.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_testkit::reference::trajectory;

/// Simulates with `h`, and compares the columns that `row` returns in all rows but the first. Columns with
/// `None` are skipped.
fn compare(
    name: &str,
    tolerance: f64,
    model: &NonSmoothDynamicalSystem,
    (integrator, h): (Integrator, f64),
    row: impl Fn(&State) -> Vec<Option<f64>>,
) {
    let Some(reference) = trajectory(name) else { return };
    let steps = reference.len() - 1;
    assert!(steps > 100);
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, h * (steps as f64 + 0.5), h).unwrap())
        .integrator(integrator)
        .build()
        .unwrap();
    let mut state = simulation.initial_state(model).unwrap();
    let mut worst = vec![0.0_f64; reference[0].len()];
    for expected in &reference[1..] {
        simulation.step(model, &mut state).unwrap().unwrap();
        let found = row(&state);
        assert_eq!(found.len(), expected.len());
        for ((worst, found), expected) in worst.iter_mut().zip(found).zip(expected) {
            let off = found.map_or(0.0, |found| (found - expected).abs());
            assert!(!off.is_nan());
            *worst = worst.max(off);
        }
    }
    println!("{name}: largest differences by column {worst:?}");
    assert!(worst.iter().all(|worst| *worst <= tolerance), "{name}: {worst:?}");
}

const L: f64 = 1e-2;
const C: f64 = 1e-6;
const R: f64 = 1e3;

fn oscillator() -> FirstOrderLinearTi {
    FirstOrderLinearTi::new(vec![10.0, 0.0], array![[0.0, -1.0 / C], [1.0 / L, 0.0]])
}

fn y_and_lambda(state: &State, id: InteractionId) -> (&[f64], &[f64]) {
    (state.y(id, Level::Position), state.lambda(id, Level::Position))
}

#[test]
fn the_diode_bridge() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(oscillator()).unwrap();
    let relation = FirstOrderLinearRelation::new(
        array![[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]],
        array![[0.0, 0.0, -1.0 / C, 1.0 / C], [0.0, 0.0, 0.0, 0.0]],
    )
    .with_d(array![
        [1.0 / R, 1.0 / R, -1.0, 0.0],
        [1.0 / R, 1.0 / R, 0.0, -1.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0]
    ]);
    let law = ComplementarityCondition::new(4).unwrap();
    let bridge = model.add_interaction([system], relation, law).unwrap();
    let scheme = (EulerMoreau { theta: 0.5 }.into(), 1e-6);
    compare("DiodeBridge.ref", 1e-9, &model, scheme, |state| {
        let (x, (y, l)) = (state.x(system), y_and_lambda(state, bridge));
        [state.t, x[0], x[1], y[0], -l[0], -l[1], l[2], y[0] + l[2]].map(Some).to_vec()
    });
}

#[test]
fn the_diode_bridge_with_a_filter() {
    let filter = 300e-9;
    let mut model = NonSmoothDynamicalSystem::new();
    let first = model.add_system(oscillator()).unwrap();
    let second = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[-1.0 / (R * filter)]])).unwrap();
    let relation = FirstOrderLinearRelation::new(
        array![[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
        array![[0.0, 0.0, -1.0 / C, 1.0 / C], [0.0, 0.0, 0.0, 0.0], [1.0 / filter, 0.0, 1.0 / filter, 0.0]],
    )
    .with_d(array![
        [0.0, -1.0, 0.0, 0.0],
        [1.0, 0.0, 1.0, -1.0],
        [0.0, -1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0]
    ]);
    let law = ComplementarityCondition::new(4).unwrap();
    let bridge = model.add_interaction([first, second], relation, law).unwrap();
    // While no diode conducts, y_0 and lambda_1 are not unique.
    let scheme = (EulerMoreau { theta: 1.0 }.into(), 1e-6);
    compare("DiodeBridgeCapFilter.ref", 1e-9, &model, scheme, |state| {
        let (x, (_, l)) = (state.x(first), y_and_lambda(state, bridge));
        vec![Some(state.t), Some(x[0]), Some(x[1]), Some(l[0]), None, None, Some(l[2])]
    });
}

#[test]
fn the_oscillator_with_a_resistor_and_a_diode() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(oscillator()).unwrap();
    let relation =
        FirstOrderLinearRelation::new(array![[-1.0, 0.0]], array![[-1.0 / C], [0.0]]).with_d(array![[R]]);
    let law = ComplementarityCondition::new(1).unwrap();
    let diode = model.add_interaction([system], relation, law).unwrap();
    let scheme = (EulerMoreau { theta: 0.500_000_000_000_1 }.into(), 1e-5);
    compare("CircuitRLCD.ref", 1e-9, &model, scheme, |state| {
        let (x, (y, l)) = (state.x(system), y_and_lambda(state, diode));
        vec![Some(state.t), Some(x[0]), Some(x[1]), Some(-y[0]), Some(l[0]), None]
    });
}

fn relays(x0: [f64; 2], b: Array2<f64>) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let system = model.add_system(FirstOrderLinearTi::new(x0.to_vec(), Array2::zeros((2, 2)))).unwrap();
    let relation = FirstOrderLinearRelation::new(Array2::eye(2), b);
    let id = model.add_interaction([system], relation, Relay::symmetric(2, 1.0).unwrap()).unwrap();
    (model, system, id)
}

#[test]
fn two_relays() {
    let (model, system, relay) = relays([1.0, -1.0], array![[2.0, 0.0], [0.0, 2.0]]);
    compare("SimpleExampleRelay.ref", 1e-9, &model, (EulerMoreau::default().into(), 1e-3), |state| {
        let (x, (y, l)) = (state.x(system), y_and_lambda(state, relay));
        [state.t, x[0], x[1], l[0], l[1], y[0], y[1]].map(Some).to_vec()
    });
}

#[test]
fn the_example_of_filippov() {
    let (model, system, relay) = relays([3.0, 3.0], array![[2.0, -52.0], [52.0, 2.0]]);
    compare("Filippov.ref", 1e-6, &model, (EulerMoreau::default().into(), 1e-3), |state| {
        let (x, (y, l)) = (state.x(system), y_and_lambda(state, relay));
        [state.t, x[0], x[1], l[0], l[1], y[0], y[1]].map(Some).to_vec()
    });
}

#[test]
fn an_oscillator_with_dry_friction() {
    let mut model = NonSmoothDynamicalSystem::new();
    let system =
        model.add_system(FirstOrderLinearTi::new(vec![12.0, 6.0], array![[0.0, 1.0], [-1.0, 0.0]])).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[0.0, 1.0]], array![[0.0], [1.0]]);
    let relay = model.add_interaction([system], relation, Relay::symmetric(1, 1.0).unwrap()).unwrap();
    let scheme = (EulerMoreau::default().into(), 1e-2);
    compare("FrictionOscillator.ref.gz", 1e-9, &model, scheme, |state| {
        let (x, (y, l)) = (state.x(system), y_and_lambda(state, relay));
        // The file contains the rates of x at its new value.
        let rates = [x[1], -x[0] + l[0]].map(Some);
        vec![
            Some(state.t),
            Some(x[0]),
            Some(x[1]),
            Some(l[0]),
            Some(y[0]),
            None,
            None,
            rates[0],
            rates[1],
            None,
        ]
    });
}
