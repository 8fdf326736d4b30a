//! First-order systems with event detection, compared with exact solutions of circuits, stops and jumps.

use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;
use siconos_ode::{Method, OdeSettings, Tolerance};
use siconos_testkit::exact::{DiodeBridge, FilteredBridge, LinearModel, PushedPoint, Rlcd, Trajectory};

pub(crate) fn build(model: &LinearModel) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    build_with_source(model, |_, _| {})
}

pub(crate) fn build_with_source(
    model: &LinearModel,
    source: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static,
) -> (NonSmoothDynamicalSystem, DynamicalSystemId, InteractionId) {
    let LinearModel { a, b, c, d, x0 } = model.clone();
    let size = c.nrows();
    let mut of = NonSmoothDynamicalSystem::new();
    let system = of.add_system(FirstOrderLinear::new(x0, a).with_source_function(source)).unwrap();
    let relation = FirstOrderLinearRelation::new(c, b).with_d(d);
    let law = ComplementarityCondition::new(size).unwrap();
    let diodes = of.add_interaction([system], relation, law).unwrap();
    (of, system, diodes)
}

fn accurate() -> OdeSettings {
    OdeSettings {
        method: Method::HighOrder,
        relative_tolerance: Tolerance::All(1e-12),
        absolute_tolerance: Tolerance::All(1e-13),
        ..OdeSettings::default()
    }
}

fn simulation(model: &NonSmoothDynamicalSystem, t: f64, points: usize) -> EventDriven {
    let grid = TimeDiscretisation::uniform(0.0, t, t / points as f64).unwrap();
    EventDriven::builder(model).discretisation(grid).integrator(accurate()).build().unwrap()
}

/// Returns the largest differences in x and lambda at the output points, relative to the given sizes, and in
/// the times of events.
fn compare(linear: &LinearModel, exact: &Trajectory, (t_end, points): (f64, usize)) -> (f64, f64, f64) {
    let (model, system, diodes) = build(linear);
    let mut sim = simulation(&model, t_end, points);
    let mut state = sim.initial_state(&model).unwrap();
    let (mut x_worst, mut lambda_worst, mut times) = (0.0_f64, 0.0_f64, Vec::new());
    sim.run(&model, &mut state, |report, state| {
        if report.events.iter().any(|event| event.kind() == EventKind::NonSmooth) {
            times.push(report.t);
            return;
        }
        let differences =
            |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        let (x, lambda) = (exact.state(state.t), exact.lambda(state.t));
        x_worst = x_worst.max(differences(state.x(system), &x.as_slice().unwrap()[..state.x(system).len()]));
        let found = state.lambda(diodes, Level::Position);
        lambda_worst = lambda_worst.max(differences(found, lambda.as_slice().unwrap()));
    })
    .unwrap();
    let expected: Vec<f64> = exact.events().into_iter().filter(|t| *t > 0.0 && *t < t_end).collect();
    assert_eq!(times.len(), expected.len(), "{times:?} {expected:?}");
    let time_worst = times.iter().zip(&expected).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    (x_worst, lambda_worst, time_worst)
}

#[test]
fn the_diode_bridge_switches_at_its_times() {
    let bridge = DiodeBridge::default();
    let t_end = 5e-3;
    let (x, lambda, t) = compare(&bridge.model(), &bridge.solve(t_end), (t_end, 500));
    println!("x {x:e}, lambda {lambda:e}, t {t:e}");
    assert!(x < 1e-9 && lambda < 1e-9 && t < 1e-12, "x {x:e}, lambda {lambda:e}, t {t:e}");
}

#[test]
fn the_rlcd_circuit_switches_at_its_times() {
    let circuit = Rlcd::default();
    let t_end = 1e-3;
    let (x, lambda, t) = compare(&circuit.model(), &circuit.solve(t_end), (t_end, 200));
    println!("x {x:e}, lambda {lambda:e}, t {t:e}");
    assert!(x < 1e-9 && lambda < 1e-9 && t < 1e-12, "x {x:e}, lambda {lambda:e}, t {t:e}");
}

/// A circuit with a singular, skew-symmetric D. The initial state jumps.
#[test]
fn the_filtered_bridge_jumps_first() {
    let bridge = FilteredBridge::default();
    let (model, system, _) = build(&bridge.model());
    let mut sim = simulation(&model, 5e-3, 500);
    let mut state = sim.initial_state(&model).unwrap();
    let exact = bridge.solve(5e-3);
    let jump = bridge.first_jump();
    println!("{:?} {:?} {:?}", state.x_at(EventSide::Before, system), state.x(system), jump);
    let mut worst = 0.0_f64;
    sim.run(&model, &mut state, |_, state| {
        let x = exact.state(state.t);
        for (a, b) in state.x(system).iter().zip(&x) {
            worst = worst.max((a - b).abs());
        }
    })
    .unwrap();
    assert!(worst < 1e-8, "{worst:e}");
}

/// A sweeping process with D = 0: a point is pushed against a wall.
#[test]
fn a_pushed_point_stays_at_its_wall_and_leaves_in_time() {
    let point = PushedPoint::default();
    let (model, system, wall) = build_with_source(&point.model(), move |at, b| b[0] = point.input(at.t));
    let mut sim = simulation(&model, 3.0, 300);
    let mut state = sim.initial_state(&model).unwrap();
    let exact = point.solve(3.0);
    let (mut x, mut lambda, mut events) = (0.0_f64, 0.0_f64, 0);
    sim.run(&model, &mut state, |report, state| {
        events += usize::from(report.events[0].kind() == EventKind::NonSmooth);
        x = x.max((state.x(system)[0] - exact.state(state.t)[0]).abs());
        if report.events.len() == 1 && report.events[0].kind() == EventKind::TimeDiscretisation {
            lambda = lambda.max((state.lambda(wall, Level::Position)[0] - exact.lambda(state.t)[0]).abs());
        }
    })
    .unwrap();
    println!("x {x:e}, lambda {lambda:e}, {events} events");
    assert!(x < 1e-10 && lambda < 1e-10);
    assert_eq!(events, exact.events().len());
}

/// A simulation that is rebuilt during the run continues from the state alone.
#[test]
fn a_circuit_goes_on_from_its_state() {
    let bridge = DiodeBridge::default();
    let (model, system, _) = build(&bridge.model());
    let mut sim = simulation(&model, 5e-3, 500);
    let mut state = sim.initial_state(&model).unwrap();
    for _ in 0..200 {
        assert!(sim.step(&model, &mut state).unwrap().is_some());
    }
    let mut other = state.clone();
    sim.run(&model, &mut state, |_, _| {}).unwrap();
    let mut anew = simulation(&model, 5e-3, 500);
    anew.run(&model, &mut other, |_, _| {}).unwrap();
    for (a, b) in state.x(system).iter().zip(other.x(system)) {
        assert!((a - b).abs() < 1e-10);
    }
}
