//! Sampled systems: events at the first point, order of the events of a controller, zero-order hold of
//! sources, outputs at the end of a step.

use ndarray::{Array2, array};
use siconos_kernel::prelude::*;
use siconos_kernel::simulation::Tick;

use crate::common::grid;

/// Controller of a mass, sampled every 0.1 s from t = 0: u = -gain x_e - 1.5 v, where the observer computes
/// x_e from the measurement.
struct Controller {
    gain: f64,
    measured: [f64; 2],
    estimate: f64,
    log: Vec<(f64, EventKind)>,
}

impl Controller {
    fn new(gain: f64) -> Self {
        Self { gain, measured: [0.0; 2], estimate: 0.0, log: Vec::new() }
    }

    fn act(&mut self, events: &[Event], state: &mut State, mass: DynamicalSystemId, input: ParameterId) {
        for event in events {
            self.log.push((event.time(), event.kind()));
            match event.kind() {
                EventKind::Sensor => self.measured = [state.q(mass)[0], state.v(mass)[0]],
                EventKind::Observer => self.estimate = 0.5 * self.estimate + 0.5 * self.measured[0],
                EventKind::Actuator => {
                    let u = -self.gain * self.estimate - 1.5 * self.measured[1];
                    state.set_parameter(input, &[u]).unwrap();
                }
                _ => {}
            }
        }
    }
}

/// Returns the exact state. The input of sample k is computed from the measurement of sample k and held for a
/// period.
fn by_hand(samples: usize, period: f64, gain: f64) -> [f64; 2] {
    let (mut q, mut v, mut estimate) = (1.0, 0.0, 0.0);
    for _ in 0..samples {
        estimate = 0.5 * estimate + 0.5 * q;
        let u: f64 = -gain * estimate - 1.5 * v;
        q += period * (v + 0.5 * period * u);
        v += period * u;
    }
    [q, v]
}

fn sampled_mass() -> (NonSmoothDynamicalSystem, DynamicalSystemId, ParameterId) {
    let mut model = NonSmoothDynamicalSystem::new();
    let input = model.add_parameter("u [N]", vec![7.0]).unwrap();
    let mass = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
        .with_external_force(move |at, f| f[0] = at[input][0]);
    let mass = model.add_system(mass).unwrap();
    (model, mass, input)
}

fn schedule(events: &mut EventsManager) {
    // The events are scheduled in an order that differs from the order of their kinds. The order of the kinds
    // decides.
    for kind in [EventKind::Actuator, EventKind::Sensor, EventKind::Observer] {
        events.schedule_periodic(kind, 0.0, 0.1).unwrap();
    }
}

const ORDER: [EventKind; 3] = [EventKind::Sensor, EventKind::Observer, EventKind::Actuator];

#[test]
fn a_controller_that_samples_from_the_beginning_on() {
    let (model, mass, input) = sampled_mass();
    let [q, v] = by_hand(20, 0.1, 2.0);
    let mut sim = TimeStepping::builder(&model).discretisation(grid(2.0, 0.05)).build().unwrap();
    schedule(sim.events_mut());
    let start = sim.initial_state(&model).unwrap();
    // A second run from the initial state is the same: the events at t = 0 occur again.
    for _ in 0..2 {
        let mut state = start.clone();
        let mut controller = Controller::new(2.0);
        let mut steps = Vec::new();
        while let Some(report) = sim.step(&model, &mut state).unwrap() {
            steps.push((report.step, report.h));
            controller.act(report.events, &mut state, mass, input);
        }
        assert_eq!((steps[0], steps[1], steps.len()), ((0, 0.0), (1, 0.05), 41));
        assert!((state.q(mass)[0] - q).abs() < 1e-14, "{} {q}", state.q(mass)[0]);
        assert!((state.v(mass)[0] - v).abs() < 1e-14, "{} {v}", state.v(mass)[0]);
        let kinds: Vec<_> = controller.log.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, ORDER.repeat(21));
    }
    let mut sim = EventDriven::builder(&model).discretisation(grid(2.0, 0.05)).build().unwrap();
    schedule(sim.events_mut());
    let mut state = sim.initial_state(&model).unwrap();
    let mut controller = Controller::new(2.0);
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        let events = report.events.to_vec();
        controller.act(&events, &mut state, mass, input);
    }
    assert!((state.q(mass)[0] - q).abs() < 1e-12 && (state.v(mass)[0] - v).abs() < 1e-12);
    let kinds: Vec<_> =
        controller.log.iter().map(|(_, kind)| *kind).filter(|kind| ORDER.contains(kind)).collect();
    assert_eq!(kinds, ORDER.repeat(21));
}

/// A state that is set at the first event does not repeat the event.
#[test]
fn a_state_that_is_set_at_the_first_event_goes_on() {
    let (model, mass, _) = sampled_mass();
    let mut sim = EventDriven::builder(&model).discretisation(grid(1.0, 0.5)).build().unwrap();
    sim.events_mut().schedule(EventKind::Custom, 0.0).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut times = Vec::new();
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        times.push(report.t);
        if report.t == 0.0 {
            state.set_velocity(mass, &[3.0]).unwrap();
        }
        assert!(times.len() < 10);
    }
    assert_eq!(times, [0.0, 0.5, 1.0]);
    assert!((state.q(mass)[0] - (1.0 + 3.0 + 3.5)).abs() < 1e-12);
}

#[test]
fn events_at_the_first_point_and_only_there_may_be_at_the_present_time() {
    let mut events = EventsManager::new(grid(1.0, 0.5), EventSettings::default()).unwrap();
    assert!(matches!(events.schedule(EventKind::Sensor, -1e-9), Err(EventError::InThePast { .. })));
    let first = events.schedule(EventKind::Sensor, 1e-15).unwrap();
    assert_eq!(events.next_event().map(|event| (event.id(), event.time())), Some((Some(first), 0.0)));
    assert_eq!(events.next_time(), Some(0.0));
    assert_eq!(events.process_events().len(), 1);
    assert_eq!(events.current_event().tick(), Tick::of_time(0.0, 1e-16).unwrap());
    assert!(matches!(events.schedule(EventKind::Sensor, 0.0), Err(EventError::InThePast { .. })));
    assert_eq!(events.next_time(), Some(0.5));
    events.process_events();
    assert!(matches!(events.schedule(EventKind::Sensor, 0.5), Err(EventError::InThePast { .. })));
    events.go_to(0).unwrap();
    assert_eq!(events.next_time(), Some(0.0), "back at the beginning, it is to come");
}

/// x' = -x + b(t) with b = t. The held value is b at the start or at the end of the step.
#[test]
fn a_hold_takes_its_source_at_either_end() {
    let h = 0.25;
    for (source, shift) in [(HeldSource::Beginning, 0.0), (HeldSource::End, h)] {
        let mut model = NonSmoothDynamicalSystem::new();
        let x = FirstOrderLinear::new(vec![2.0], array![[-1.0]]).with_source_function(|at, b| b[0] = at.t);
        let x = model.add_system(x).unwrap();
        let mut sim = TimeStepping::builder(&model)
            .discretisation(grid(2.0, h))
            .integrator(ZeroOrderHold { source })
            .build()
            .unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        let mut exact = 2.0;
        while sim.step(&model, &mut state).unwrap().is_some() {
            let held = state.t - h + shift;
            exact = (-h).exp() * exact + (1.0 - (-h).exp()) * held;
            assert!((state.x(x)[0] - exact).abs() < 1e-14, "{source:?}, t = {}", state.t);
        }
    }
    assert_eq!(ZeroOrderHold::default().source, HeldSource::Beginning);
}

/// A polyhedron that is a box is treated like a relay with its bounds.
#[test]
fn bounded_polyhedra_are_relays_to_the_check_of_the_scheme() {
    let two = || array![[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let model = |law: siconos_kernel::model::NonSmoothLaw| {
        let mut model = NonSmoothDynamicalSystem::new();
        // The relative degree is 2: without bounds the state would jump.
        let a: Array2<f64> = array![[0.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.0; 4]];
        let x = model.add_system(FirstOrderLinearTi::new(vec![1.0, 0.0, -1.0, 0.0], a)).unwrap();
        let c = array![[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        let b = array![[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]];
        model.add_interaction([x], FirstOrderLinearRelation::new(c, b), law).unwrap();
        model
    };
    let build = |model: &NonSmoothDynamicalSystem, strict: bool| {
        TimeStepping::builder(model).discretisation(grid(1.0, 0.1)).strict(strict).build()
    };
    let of_box = NormalCone::new(two(), vec![-1.0; 4]).unwrap();
    for law in [Relay::symmetric(2, 1.0).unwrap().into(), of_box.into()] {
        let model = model(law);
        assert!(build(&model, true).is_ok());
        assert_eq!(build(&model, false).unwrap().build_report(), &BuildReport::default());
    }
    let half = NormalCone::new(Array2::eye(2), vec![0.0; 2]).unwrap();
    let model = model(half.into());
    assert!(build(&model, true).is_err());
    let report = build(&model, false).unwrap().build_report().clone();
    assert_eq!((report.mismatches.len(), report.mismatches[0].1.degree), (1, Some(2)));
    assert!(report.mismatches[0].1.to_string().contains("MeasureEuler"));
}

#[test]
fn polyhedra_that_are_bounded_and_that_are_not() {
    let bounded =
        |h: Array2<f64>| NormalCone::new(h.clone(), vec![-1.0; h.nrows()]).unwrap().polyhedron().is_bounded();
    let triangle = array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]];
    for scale in [1e-9, 1.0, 1e9] {
        assert!(bounded(&triangle * scale));
        // Components in different units.
        assert!(bounded(&triangle * &array![[scale, 1.0]]));
        assert!(bounded(&triangle * &array![[scale], [1.0], [2.0]]));
        assert!(!bounded(array![[1.0, 0.0], [0.0, scale]]));
        assert!(!bounded(array![[1.0, 0.0], [-1.0, 0.0], [0.0, scale]]));
    }
    // A strip, a wedge, a simplex in space.
    assert!(!bounded(array![[1.0, 1.0], [-1.0, -1.0]]));
    assert!(!bounded(array![[1.0, 0.1], [1.0, -0.1]]));
    assert!(bounded(array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, -2.0, -3.0]]));
    assert!(!bounded(array![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, -2.0, 0.0]]));
}

/// The midpoint rule computes its output at the midpoint of the step. `State::output` computes the output at
/// the end.
#[test]
fn the_output_at_the_end_of_a_step() {
    let mut model = NonSmoothDynamicalSystem::new();
    let x = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]])).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[2.0]], array![[1.0]])
        .with_d(array![[1.0]])
        .with_offset_function(|at, e| e[0] = at.t);
    let diode = model.add_interaction([x], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let ball = model.add_system(LagrangianLinear::new(vec![1.0], vec![-1.0], array![1.0])).unwrap();
    let floor = LagrangianLinearRelation::new(array![[2.0]]).with_offset(vec![0.5]);
    let floor = model.add_interaction([ball], floor, NewtonImpact::new(0.5).unwrap()).unwrap();
    let h = 0.1;
    let mut sim = TimeStepping::builder(&model)
        .discretisation(grid(1.0, h))
        .integrator(ThetaGamma::default())
        .build()
        .unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let mut before = state.x(x)[0];
    while sim.step(&model, &mut state).unwrap().is_some() {
        let now = state.x(x)[0];
        let middle = before + now + state.t - 0.5 * h;
        assert!((state.y(diode, Level::Position)[0] - middle).abs() < 1e-14);
        assert_eq!(state.output(&model, diode).unwrap(), [2.0 * now + state.t]);
        assert_eq!(state.output(&model, floor).unwrap(), state.y(floor, Level::Position));
        before = now;
    }
}

/// 200 gains up to the stability limit: both kinds of simulation agree with the recursion.
#[test]
fn two_hundred_gains() {
    let (model, mass, input) = sampled_mass();
    for k in 0..200 {
        let gain = 0.05 + 0.06 * f64::from(k);
        let [q, v] = by_hand(20, 0.1, gain);
        let size = 1.0 + q.abs() + v.abs();
        let mut sim = TimeStepping::builder(&model).discretisation(grid(2.0, 0.1)).build().unwrap();
        schedule(sim.events_mut());
        let mut state = sim.initial_state(&model).unwrap();
        let mut controller = Controller::new(gain);
        while let Some(report) = sim.step(&model, &mut state).unwrap() {
            controller.act(report.events, &mut state, mass, input);
        }
        let off = (state.q(mass)[0] - q).abs() + (state.v(mass)[0] - v).abs();
        assert!(off <= 1e-13 * size, "gain {gain}: time-stepping off by {off:e}");
        let mut sim = EventDriven::builder(&model).discretisation(grid(2.0, 0.1)).build().unwrap();
        schedule(sim.events_mut());
        let mut state = sim.initial_state(&model).unwrap();
        let mut controller = Controller::new(gain);
        while let Some(report) = sim.step(&model, &mut state).unwrap() {
            let events = report.events.to_vec();
            controller.act(&events, &mut state, mass, input);
        }
        let off = (state.q(mass)[0] - q).abs() + (state.v(mass)[0] - v).abs();
        assert!(off <= 1e-11 * size, "gain {gain}: event-driven off by {off:e}");
    }
}

/// With masses and forces multiplied by 2^k, and next to other bodies, the motion is the same to the last
/// bit.
#[test]
fn a_sampled_motion_does_not_depend_on_units_or_on_others() {
    let run = |factor: f64, others: usize| {
        let mut model = NonSmoothDynamicalSystem::new();
        model.add_parameter("of others", vec![1.0; 3]).unwrap();
        let input = model.add_parameter("u [N]", vec![7.0 * factor]).unwrap();
        for k in 0..others {
            let height = 1.0 + k as f64;
            model.add_system(LagrangianLinear::new(vec![height], vec![0.3], array![0.7])).unwrap();
        }
        let mass = LagrangianLinear::new(vec![1.0], vec![0.0], array![3.0 * factor])
            .with_external_force(move |at, f| f[0] = at[input][0]);
        let mass = model.add_system(mass).unwrap();
        let mut sim = TimeStepping::builder(&model).discretisation(grid(2.0, 0.05)).build().unwrap();
        schedule(sim.events_mut());
        let mut state = sim.initial_state(&model).unwrap();
        let mut bits = Vec::new();
        while let Some(report) = sim.step(&model, &mut state).unwrap() {
            bits.extend([state.q(mass)[0].to_bits(), state.v(mass)[0].to_bits()]);
            if report.events.iter().any(|event| event.kind() == EventKind::Actuator) {
                let u = -factor * (6.0 * state.q(mass)[0] + 4.5 * state.v(mass)[0]);
                state.set_parameter(input, &[u]).unwrap();
            }
        }
        bits
    };
    let expected = run(1.0, 0);
    for (k, others) in [(-40, 0), (40, 0), (3, 1), (0, 10), (0, 1000)] {
        assert_eq!(run(2.0_f64.powi(k), others), expected, "2^{k}, {others} others");
    }
}
