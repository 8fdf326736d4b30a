//! Independent circuits in one model: each moves as if it were alone.

use ndarray::array;
use siconos_kernel::model::InteractionId;
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::ModeError;
use siconos_kernel::{Error, SimulationError};
use siconos_testkit::exact::{DiodeBridge, LinearModel};

/// Adds a diode bridge with an oscillator and its own source. The oscillator starts at some phase.
fn add_bridge(model: &mut NonSmoothDynamicalSystem, number: usize) -> (DynamicalSystemId, InteractionId) {
    let phase = 2.4 * number as f64;
    let start = [10.0 * phase.cos(), 0.1 * phase.sin()];
    let resistance = 1e3 * (1.0 + 0.3 * (0.7 * phase).sin());
    let LinearModel { a, b, c, d, x0 } = DiodeBridge { start, resistance, ..DiodeBridge::default() }.model();
    let circuit = FirstOrderLinear::new(x0, a)
        .with_source_function(move |at, b| b[1] = 100.0 * (3e4 * at.t + phase).sin());
    let circuit = model.add_system(circuit).unwrap();
    let law = ComplementarityCondition::new(4).unwrap();
    let relation = FirstOrderLinearRelation::new(c, b).with_d(d);
    (circuit, model.add_interaction([circuit], relation, law).unwrap())
}

/// Adds a point with one unilateral constraint that is stated twice: lambda is not unique, the motion is
/// unique.
fn add_twice_constrained(model: &mut NonSmoothDynamicalSystem) -> (DynamicalSystemId, InteractionId) {
    let point = FirstOrderLinear::new(vec![1e-4], array![[0.0]])
        .with_source_function(|at, b| b[0] = 2e3 * at.t - 1.0);
    let point = model.add_system(point).unwrap();
    let c = array![[1.0], [1.0]];
    let relation = FirstOrderLinearRelation::new(c.clone(), c.t().to_owned());
    let law = ComplementarityCondition::new(2).unwrap();
    (point, model.add_interaction([point], relation, law).unwrap())
}

/// Course of a circuit: states and multipliers at the output points, and its active sets in order, with the
/// times of their changes.
struct Course {
    outputs: Vec<f64>,
    sets: Vec<(f64, Vec<bool>)>,
}

fn courses(
    model: &NonSmoothDynamicalSystem,
    circuits: &[(DynamicalSystemId, InteractionId)],
    t_end: f64,
) -> (Vec<Course>, usize) {
    let grid = TimeDiscretisation::uniform(0.0, t_end, t_end / 4.0).unwrap();
    let mut sim = EventDriven::builder(model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(model).unwrap();
    let begun = |&(_, diodes): &(_, InteractionId)| Course {
        outputs: Vec::new(),
        sets: vec![(state.t, state.closed(diodes).to_vec())],
    };
    let mut courses: Vec<Course> = circuits.iter().map(begun).collect();
    let mut events = 0;
    sim.run(model, &mut state, |report, state| {
        let is_output = report.events.iter().all(|event| event.kind() == EventKind::TimeDiscretisation);
        events += usize::from(!is_output);
        for (course, &(circuit, diodes)) in courses.iter_mut().zip(circuits) {
            if is_output {
                course.outputs.extend(state.x(circuit));
                course.outputs.push(state.lambda(diodes, Level::Position).iter().sum());
            }
            let active = state.closed(diodes);
            if course.sets.last().is_some_and(|(_, last)| last != active) {
                course.sets.push((state.t, active.to_vec()));
            }
        }
    })
    .unwrap();
    (courses, events)
}

#[track_caller]
fn assert_same(name: usize, found: &Course, expected: &Course) {
    assert_eq!(found.sets.len(), expected.sets.len(), "circuit {name}");
    for ((t, set), (exact, expected)) in found.sets.iter().zip(&expected.sets) {
        assert_eq!(set, expected, "circuit {name} at t = {t}");
        assert!((t - exact).abs() < 1e-11, "circuit {name}: {t} {exact}");
    }
    for (value, exact) in found.outputs.iter().zip(&expected.outputs) {
        assert!((value - exact).abs() < 1e-9, "circuit {name}: {value} {exact}");
    }
}

/// 200 circuits in one model, and each circuit alone, have equal active sets at equal times, and equal
/// states.
#[test]
fn two_hundred_circuits_move_as_each_alone() {
    let mut model = NonSmoothDynamicalSystem::new();
    let circuits: Vec<_> = (0..200).map(|k| add_bridge(&mut model, k)).collect();
    let (together, events) = courses(&model, &circuits, 4e-4);
    let mut changes = 0;
    for (k, found) in together.iter().enumerate() {
        let mut model = NonSmoothDynamicalSystem::new();
        let circuit = add_bridge(&mut model, k);
        let (alone, _) = courses(&model, &[circuit], 4e-4);
        assert_same(k, found, &alone[0]);
        changes += found.sets.len() - 1;
    }
    assert!(changes > 200, "{changes} changes");
    assert!(events >= changes / 2 && events <= 2 * changes, "{events} events, {changes} changes");
}

/// Linearly dependent rows in one circuit do not affect the other circuits.
#[test]
fn dependent_rows_beside_others() {
    let mut model = NonSmoothDynamicalSystem::new();
    let mut circuits: Vec<_> = (0..3).map(|k| add_bridge(&mut model, k)).collect();
    circuits.push(add_twice_constrained(&mut model));
    circuits.extend((3..6).map(|k| add_bridge(&mut model, k)));
    let (together, _) = courses(&model, &circuits, 1e-3);
    for (k, place) in [0, 1, 2, 4, 5, 6].into_iter().enumerate() {
        let mut model = NonSmoothDynamicalSystem::new();
        let circuit = add_bridge(&mut model, k);
        assert_same(k, &together[place], &courses(&model, &[circuit], 1e-3).0[0]);
    }
    let mut model = NonSmoothDynamicalSystem::new();
    let point = add_twice_constrained(&mut model);
    assert_same(3, &together[3], &courses(&model, &[point], 1e-3).0[0]);
    // The point reaches the constraint at the root of 1e-4 - t + 1e3 t^2, and leaves it at the root of the
    // source.
    let times: Vec<f64> = together[3].sets[1..].iter().map(|(t, _)| *t).collect();
    let exact = [5e-4 * (1.0 - 0.6_f64.sqrt()), 5e-4];
    assert!(
        times.len() == 2 && times.iter().zip(exact).all(|(t, exact)| (t - exact).abs() < 1e-12),
        "{times:?}"
    );
}

/// A system without interactions and with a variable mass next to a circuit: (1 + x^2) x' = -(1 + x^2) x.
#[test]
fn a_system_that_nothing_touches_moves_by_itself() {
    let mut model = NonSmoothDynamicalSystem::new();
    let circuit = add_bridge(&mut model, 1);
    let inertia = |x: &[f64]| 1.0 + x[0] * x[0];
    let field = move |_: At<'_>, x: &[f64], f: &mut [f64]| f[0] = -inertia(x) * x[0];
    let free = FirstOrderNonlinear::new(vec![1.0], field, Jacobian::FiniteDifference)
        .with_mass_function(move |_, x, m| m[[0, 0]] = inertia(x));
    let free = model.add_system(free).unwrap();
    let grid = TimeDiscretisation::uniform(0.0, 1e-3, 1e-4).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut changes = 0;
    sim.run(&model, &mut state, |report, state| {
        assert!((state.x(free)[0] - (-report.t).exp()).abs() < 1e-12, "t = {}", report.t);
        changes += report.released.len();
        assert!(state.closed(circuit.1).contains(&true));
    })
    .unwrap();
    assert!(changes > 0);
}

/// Two walls with contradictory positions next to feasible circuits: the error names the walls.
#[test]
fn an_infeasible_circuit_beside_others_is_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    for k in 0..3 {
        add_bridge(&mut model, k);
    }
    let point = model.add_system(FirstOrderLinear::new(vec![0.0], array![[0.0]])).unwrap();
    let walls = FirstOrderLinearRelation::new(array![[1.0], [-1.0]], array![[1.0, -1.0]])
        .with_offset(vec![-1.0, 0.5]);
    let walls = model.add_interaction([point], walls, ComplementarityCondition::new(2).unwrap()).unwrap();
    add_bridge(&mut model, 3);
    let grid = TimeDiscretisation::uniform(0.0, 1e-3, 1e-3).unwrap();
    let error = EventDriven::builder(&model)
        .discretisation(grid)
        .build()
        .and_then(|mut sim| sim.initial_state(&model).map_err(Error::from))
        .unwrap_err();
    match error {
        Error::Simulation(SimulationError::Mode(ModeError::NoMode { t, relation, .. })) => {
            assert_eq!((t, relation), (0.0, walls.into()));
        }
        other => panic!("{other}"),
    }
}
