//! Parameters of a model: their use in all functions, the time from which a new value holds, and their
//! ownership.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ndarray::array;
use siconos_kernel::model::{DynamicalSystem, Relation};
use siconos_kernel::prelude::*;

use crate::common::grid;

/// Creates systems of unit mass with the force `push`.
fn pushed(push: impl Fn(At<'_>) -> f64 + Clone + Send + Sync + 'static) -> Vec<DynamicalSystem> {
    let [a, b, c, d] = std::array::from_fn(|_| push.clone());
    vec![
        LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
            .with_external_force(move |at, f| f[0] = a(at))
            .into(),
        Lagrangian::new(vec![0.0], vec![0.0], array![1.0])
            .with_external_force(move |at, f| f[0] = b(at))
            .into(),
        FirstOrderLinear::new(vec![0.0], array![[0.0]])
            .with_source_function(move |at, f| f[0] = c(at))
            .into(),
        FirstOrderNonlinear::new(vec![0.0], move |at, _, f| f[0] = d(at), Jacobian::Zero).into(),
    ]
}

fn rate(state: &State, system: &DynamicalSystem, id: DynamicalSystemId) -> f64 {
    if system.is_first_order() { state.x(id)[0] } else { state.v(id)[0] }
}

/// A force of 1 is set by an event at t = 1/2, so that v(1) = 1/2. The force is a parameter, or a value
/// outside the model.
#[test]
fn a_force_that_an_actuator_sets_acts_from_its_event_on() {
    for theta in [0.0, 0.5, 1.0] {
        for kind in 0..4 {
            for by_parameter in [true, false] {
                let outside = Arc::new(AtomicU64::new(0.0_f64.to_bits()));
                let read = outside.clone();
                let mut model = NonSmoothDynamicalSystem::new();
                let force = model.add_parameter("force [N]", vec![7.0, 0.0]).unwrap();
                let system = if by_parameter {
                    pushed(move |at| at[force][1]).swap_remove(kind)
                } else {
                    pushed(move |_| f64::from_bits(read.load(Ordering::Relaxed))).swap_remove(kind)
                };
                let id = model.add_system(system.clone()).unwrap();
                let mut sim = TimeStepping::builder(&model)
                    .discretisation(grid(1.0, 0.1))
                    .integrator(MoreauJean { theta, ..MoreauJean::default() })
                    .integrator(EulerMoreau { theta })
                    .build()
                    .unwrap();
                sim.events_mut().schedule(EventKind::Actuator, 0.5).unwrap();
                let mut state = sim.initial_state(&model).unwrap();
                while let Some(report) = sim.step(&model, &mut state).unwrap() {
                    if !report.events.is_empty() {
                        outside.store(1.0_f64.to_bits(), Ordering::Relaxed);
                        state.set_parameter(force, &[7.0, 1.0]).unwrap();
                    }
                }
                let v = rate(&state, &system, id);
                assert!((v - 0.5).abs() <= 4e-16, "theta {theta}, system {kind}, {by_parameter}: {v}");
            }
        }
    }
}

type Value = Arc<dyn Fn(&Parameters) -> f64 + Send + Sync>;

/// Creates a model with two parameters, and a function that its callbacks use: it returns the second
/// parameter, or a fixed value.
fn model_with_p(fixed: Option<f64>) -> (NonSmoothDynamicalSystem, impl Fn() -> Value) {
    let mut model = NonSmoothDynamicalSystem::new();
    model.add_parameter("other", vec![3.0]).unwrap();
    let id = model.add_parameter("p", vec![0.4]).unwrap();
    let value: Value = match fixed {
        Some(value) => Arc::new(move |_| value),
        None => Arc::new(move |p| p[id][0]),
    };
    (model, move || value.clone())
}

/// Creates a Lagrangian model in which all functions depend on `p`.
fn mechanism(fixed: Option<f64>) -> NonSmoothDynamicalSystem {
    let (mut model, of) = model_with_p(fixed);
    let (a, b, c, d, e, f, g) = (of(), of(), of(), of(), of(), of(), of());
    let (j, k, l, m, n, o) = (of(), of(), of(), of(), of(), of());
    let control = ControlTerm::of_matrix_function(
        1,
        move |p, _q, t| (t[[0, 0]], t[[1, 0]]) = (1.0, a(p)),
        move |at, q, v, u| u[0] = -q[0] * b(at.parameters()) - 0.1 * v[1],
    )
    .with_jacobians(
        Jacobian::FiniteDifference,
        Jacobian::function(move |at, _q, _v, out| {
            let p = o(at.parameters());
            (out[[0, 1]], out[[1, 1]]) = (-0.1, -0.1 * p);
        }),
    );
    let body = Lagrangian::of_mass_function(vec![0.3, 1.0], vec![0.5, 0.0], move |p, q, m| {
        (m[[0, 0]], m[[1, 1]]) = (1.0 + c(p) * q[1] * q[1], 2.0 - c(p));
    })
    .with_gyroscopic_force(
        move |p, _q, v, f| f[0] = d(p) * v[0] * v[1],
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    )
    .with_internal_force(
        move |at, q, _v, f| f[1] = e(at.parameters()) * q[1].sin(),
        Jacobian::function(move |at, q, _v, out| out[[1, 1]] = f(at.parameters()) * q[1].cos()),
        Jacobian::Zero,
    )
    .with_external_force(move |at, f| f[1] = -9.81 * g(at.parameters()))
    .with_control(control);
    let body = model.add_system(body).unwrap();
    let law = NewtonImpact::new(0.5).unwrap();
    let curved = LagrangianScleronomousRelation::new(1, move |p, q, y| y[0] = q[1] + j(p) * q[0] * q[0])
        .with_jacobian(move |p, q, out| (out[[0, 0]], out[[0, 1]]) = (2.0 * k(p) * q[0], 1.0));
    model.add_interaction([body], curved, law).unwrap();
    let shaken = LagrangianRheonomousRelation::new(1, move |at, q, y| {
        y[0] = 2.0 - q[1] - 0.1 * l(at.parameters()) * (30.0 * at.t).sin();
    })
    .with_jacobian(move |at, _q, out| out[[0, 1]] = -1.0 - 0.0 * m(at.parameters()))
    .with_time_derivative(move |at, _q, out| out[0] = -3.0 * n(at.parameters()) * (30.0 * at.t).cos());
    model.add_interaction([body], shaken, law).unwrap();
    model
}

/// Creates a first-order model in which all functions depend on `p`.
fn circuit(fixed: Option<f64>) -> NonSmoothDynamicalSystem {
    let (mut model, of) = model_with_p(fixed);
    let (a, b, c, d) = (of(), of(), of(), of());
    let linear = FirstOrderLinear::of_matrix_function(vec![1.0, 0.2], move |at, out| {
        (out[[0, 1]], out[[1, 0]]) = (3.0 + a(at.parameters()), -3.0);
    })
    .with_source_function(move |at, out| out[0] = b(at.parameters()) * (4.0 * at.t).cos())
    .with_control(array![[0.0], [1.0]], move |at, u| u[0] = c(at.parameters()));
    let linear = model.add_system(linear).unwrap();
    let nonlinear = FirstOrderNonlinear::new(
        vec![0.7],
        move |at, x, f| f[0] = -d(at.parameters()) * x[0].powi(3),
        Jacobian::FiniteDifference,
    );
    let (a, b, c, d) = (of(), of(), of(), of());
    let nonlinear = nonlinear.with_mass_function(move |at, _x, m| m[[0, 0]] = 1.0 + a(at.parameters()));
    let nonlinear = model.add_system(nonlinear).unwrap();
    let diode = FirstOrderLinearRelation::of_functions(
        1,
        move |at, out| out[[0, 0]] = 1.0 + b(at.parameters()),
        move |at, out| out[[0, 0]] = 1.0 - 0.1 * c(at.parameters()),
    )
    .with_d_function(move |at, out| out[[0, 0]] = 0.5 + d(at.parameters()));
    let (a, b, c, d) = (of(), of(), of(), of());
    let diode = diode
        .with_offset_function(move |at, e| e[0] = 0.1 * a(at.parameters()))
        .with_parameter_function(array![[1.0]], move |at, z| z[0] = 0.2 * b(at.parameters()));
    let switch = Relay::of_time(1, move |at, lower, upper| {
        (lower[0], upper[0]) = (-c(at.parameters()), 1.0);
    });
    model.add_interaction([linear], diode, switch.unwrap()).unwrap();
    let (e, f, g) = (of(), of(), of());
    let bent = FirstOrderNonlinearRelation::new(
        1,
        move |at, y| y[0] = at.x[0] + d(at.parameters) * at.lambda[0] - 0.5,
        move |at, r| r[0] = at.lambda[0] * (1.0 + e(at.parameters)),
    )
    .with_c(RelationJacobian::Constant(array![[1.0]]))
    .with_d(RelationJacobian::function(move |at, out| out[[0, 0]] = f(at.parameters)))
    .with_k(RelationJacobian::Zero)
    .with_b(RelationJacobian::function(move |at, out| out[[0, 0]] = 1.0 + g(at.parameters)));
    model.add_interaction([nonlinear], bent, Relay::symmetric(1, 2.0).unwrap()).unwrap();
    model
}

/// Returns the bits of a motion with a schedule of values. The value is a parameter of one simulation, or a
/// constant of a new model with a new simulation after each change.
fn motion(
    build: fn(Option<f64>) -> NonSmoothDynamicalSystem,
    schedule: &[(f64, f64)],
    h: f64,
    by_parameter: bool,
) -> Vec<u64> {
    let mut all = Vec::new();
    let keep = |model: &NonSmoothDynamicalSystem, state: &State, all: &mut Vec<u64>| {
        for id in model.systems().ids() {
            let parts = [state.q(id), state.v(id), state.x(id)];
            all.extend(parts.into_iter().flatten().map(|x| x.to_bits()));
        }
        for id in model.interactions().ids() {
            all.extend(state.lambda(id, Level::Velocity).iter().map(|x| x.to_bits()));
        }
    };
    let model = build(None);
    let mut sim = TimeStepping::builder(&model).discretisation(grid(2.0, h)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let p = model.parameter_named("p").unwrap();
    for (k, &(_, value)) in schedule.iter().enumerate() {
        let until = schedule.get(k + 1).map_or(2.0, |next| next.0);
        if by_parameter {
            state.set_parameter(p, &[value]).unwrap();
            while state.t < until - 0.5 * h {
                sim.step(&model, &mut state).unwrap().unwrap();
                keep(&model, &state, &mut all);
            }
            continue;
        }
        let fixed = build(Some(value));
        let mut sim = TimeStepping::builder(&fixed).discretisation(grid(2.0, h)).build().unwrap();
        let mut own = sim.initial_state(&fixed).unwrap();
        own.t = state.t;
        copy(&model, &state, &fixed, &mut own);
        while own.t < until - 0.5 * h {
            sim.step(&fixed, &mut own).unwrap().unwrap();
            keep(&fixed, &own, &mut all);
        }
        state.t = own.t;
        copy(&fixed, &own, &model, &mut state);
    }
    all
}

fn copy(from: &NonSmoothDynamicalSystem, state: &State, to: &NonSmoothDynamicalSystem, other: &mut State) {
    for (a, b) in from.systems().ids().zip(to.systems().ids()) {
        other.set_position(b, state.q(a)).unwrap();
        other.set_velocity(b, state.v(a)).unwrap();
        other.set_x(b, state.x(a)).unwrap();
    }
    for (a, b) in from.interactions().ids().zip(to.interactions().ids()) {
        other.set_lambda(b, state.lambda(a, Level::Position)).unwrap();
    }
}

/// A parameter is equivalent to a constant with its value, to the last bit, in all functions of all systems.
#[test]
fn a_parameter_is_what_a_constant_in_its_place_would_be() {
    let schedule = [(0.0, 0.4), (0.5, 0.9), (0.51, 0.3), (1.3, 0.0)];
    for (name, build) in
        [("mechanism", mechanism as fn(Option<f64>) -> NonSmoothDynamicalSystem), ("circuit", circuit)]
    {
        let (a, b) = (motion(build, &schedule, 0.01, true), motion(build, &schedule, 0.01, false));
        assert!(a.len() > 800, "{}", a.len());
        assert_eq!(a.len(), b.len());
        let first = a.iter().zip(&b).position(|(a, b)| a != b);
        assert_eq!(
            first,
            None,
            "{name}: {:?} {:?}",
            first.map(|k| f64::from_bits(a[k])),
            first.map(|k| f64::from_bits(b[k]))
        );
        // The value affects the motion.
        let still = motion(build, &schedule[..1], 0.01, true);
        assert_ne!(a, still, "{name}");
    }
}

/// A force that is stored for the next step is reused only with the parameter values of its evaluation.
#[test]
fn a_state_that_is_gone_back_to_has_its_own_values() {
    for kind in 0..4 {
        let mut model = NonSmoothDynamicalSystem::new();
        let force = model.add_parameter("force", vec![1.0]).unwrap();
        let system = pushed(move |at| at[force][0]).swap_remove(kind);
        let id = model.add_system(system.clone()).unwrap();
        let build = || TimeStepping::builder(&model).discretisation(grid(1.0, 0.25)).build().unwrap();
        let (mut sim, mut elsewhere) = (build(), build());
        let mut ones = sim.initial_state(&model).unwrap();
        let mut fives = ones.clone();
        fives.set_parameter(force, &[5.0]).unwrap();
        assert_eq!((ones.parameter(force), fives.parameter(force)), (&[1.0][..], &[5.0][..]));
        elsewhere.step(&model, &mut ones).unwrap();
        sim.step(&model, &mut fives).unwrap();
        // At t = 1/4, this simulation has stored a force of 5.
        sim.step(&model, &mut ones).unwrap();
        sim.step(&model, &mut fives).unwrap();
        assert_eq!((rate(&ones, &system, id), rate(&fives, &system, id)), (0.5, 2.5), "system {kind}");
    }
}

/// In event-driven simulations, the motion between events is a parabola, also if values change outside
/// events.
#[test]
fn event_driven_motion_is_exact_with_values_set_at_events_and_between() {
    let mut model = NonSmoothDynamicalSystem::new();
    let force = model.add_parameter("force", vec![1.0]).unwrap();
    let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![2.0])
        .with_external_force(move |at, f| f[0] = at[force][0]);
    let body = model.add_system(body).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid(2.0, 0.25)).build().unwrap();
    let actuator = sim.events_mut().schedule_periodic(EventKind::Actuator, 0.11, 0.13).unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    let (mut q, mut v, mut f, mut from, mut worst, mut sets) = (0.0, 0.0, 1.0_f64, 0.0, 0.0_f64, 0);
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        let tau = report.t - from;
        (q, v) = (q + tau * (v + 0.25 * f * tau), v + 0.5 * f * tau);
        from = report.t;
        worst = worst.max((state.q(body)[0] - q).abs()).max((state.v(body)[0] - v).abs());
        // The force changes at every actuator event, and at some output points without an event.
        let is_announced = report.events.iter().any(|event| event.id() == Some(actuator));
        if is_announced || (report.t * 4.0).round() % 3.0 == 0.0 {
            f = -1.7 * f.signum() * (1.0 + 0.1 * f64::from(sets));
            state.set_parameter(force, &[f]).unwrap();
            sets += 1;
        }
    }
    assert!(sets > 15, "{sets}");
    assert!(worst < 1e-12, "{worst:e}");
}

/// A resting body is lifted by a new force, and falls if the floor jumps down.
#[test]
fn event_driven_contacts_notice_values_that_were_set() {
    let mut model = NonSmoothDynamicalSystem::new();
    let lift = model.add_parameter("lift", vec![0.0]).unwrap();
    let floor = model.add_parameter("floor", vec![0.0]).unwrap();
    let body = LagrangianLinear::new(vec![0.0], vec![0.0], array![1.0])
        .with_external_force(move |at, f| f[0] = at[lift][0] - 10.0);
    let body = model.add_system(body).unwrap();
    let gap = LagrangianScleronomousRelation::new(1, move |p, q, y| y[0] = q[0] - p[floor][0])
        .with_jacobian(|_, _, j| j[[0, 0]] = 1.0);
    let contact = model.add_interaction([body], gap, NewtonImpact::new(0.0).unwrap()).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid(2.0, 0.5)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(state.closed(contact), [true]);
    let before = state.clone();
    state.set_parameter(lift, &[12.0]).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(state.closed(contact), [false]);
    assert!((state.q(body)[0] - 0.25).abs() < 1e-13, "{}", state.q(body)[0]);
    let mut state = before;
    state.set_parameter(floor, &[-0.45]).unwrap();
    sim.step(&model, &mut state).unwrap();
    // The body reaches the floor, 0.45 m lower, after 0.3 s.
    assert!((state.t - 0.8).abs() < 1e-12, "{}", state.t);
    sim.step(&model, &mut state).unwrap();
    assert_eq!((state.q(body)[0], state.closed(contact)), (-0.45, &[true][..]));
    // A floor that overlaps with the body is refused, and the state does not change.
    let before = state.clone();
    state.set_parameter(floor, &[0.45]).unwrap();
    let failed = (sim.step(&model, &mut state).is_err(), sim.step(&model, &mut state).is_err());
    assert_eq!(failed, (true, true));
    assert_eq!(state.q(body), before.q(body));
    state.set_parameter(floor, &[-0.45]).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(state.q(body)[0], -0.45);
}

/// The output y is computed with the parameter values at its time. A step that fails does not change the
/// state.
#[test]
fn a_step_that_fails_for_a_value_can_be_taken_with_another() {
    let mut model = NonSmoothDynamicalSystem::new();
    let p = model.add_parameter("p", vec![1.0]).unwrap();
    let body = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0])
        .with_external_force(move |at, f| f[0] = at[p][0].sqrt());
    let body = model.add_system(body).unwrap();
    let gap = LagrangianScleronomousRelation::new(1, move |p_, q, y| y[0] = q[0] + p_[p][0]);
    let gap = model.add_interaction([body], gap, NewtonImpact::new(0.5).unwrap()).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.25)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    assert_eq!(state.y(gap, Level::Position)[0], state.q(body)[0] + 1.0);
    let mut expected = state.clone();
    state.set_parameter(p, &[-4.0]).unwrap();
    let before = format!("{state:?}");
    for _ in 0..2 {
        let error = sim.step(&model, &mut state).unwrap_err();
        assert!(error.to_string().contains("NaN"), "{error}");
        assert_eq!(format!("{state:?}"), before);
    }
    // Parameters must not be set between the stages of a step.
    state.set_parameter(p, &[4.0]).unwrap();
    assert!(sim.begin_step(&model, &mut state).unwrap());
    assert_eq!(state.y(gap, Level::Position)[0], state.q(body)[0] + 4.0, "y is that of the new value");
    state.set_parameter(p, &[9.0]).unwrap();
    assert!(matches!(sim.update_index_sets(&model, &state), Err(SimulationError::OtherState { .. })));
    state.set_parameter(p, &[1.0]).unwrap();
    while sim.step(&model, &mut state).unwrap().is_some() {}
    while sim.step(&model, &mut expected).unwrap().is_some() {}
    assert_eq!((state.q(body), state.v(body)), (expected.q(body), expected.v(body)));
}

#[test]
fn what_is_wrong_is_named() {
    let mut model = NonSmoothDynamicalSystem::new();
    let p = model.add_parameter("gain", vec![1.0, 2.0]).unwrap();
    assert_eq!(model.parameter_named("gain"), Some(p));
    assert_eq!(model.parameter_named("again"), None);
    let twice = model.add_parameter("gain", vec![1.0]).unwrap_err();
    assert_eq!(twice, ModelError::NameTaken { name: "gain".to_owned(), by: format!("parameter {p}") });
    assert_eq!(model.add_parameter("none", vec![]), Err(ModelError::Empty { what: "parameter" }));
    let nan = model.add_parameter("nan", vec![0.0, f64::NAN]).unwrap_err();
    assert!(matches!(nan, ModelError::NotFinite { index: 1, .. }), "{nan}");
    let mut state = State::new(&model, 0.0);
    assert_eq!((state.parameter(p), &state.at()[p]), (&[1.0, 2.0][..], &[1.0, 2.0][..]));
    assert!(matches!(state.set_parameter(p, &[1.0]), Err(ModelError::WrongShape { .. })));
    assert!(matches!(
        state.set_parameter(p, &[1.0, f64::INFINITY]),
        Err(ModelError::NotFinite { index: 1, .. })
    ));
    assert_eq!(state.parameter(p), [1.0, 2.0]);
    let mut other = NonSmoothDynamicalSystem::new();
    let foreign = other.add_parameter("gain", vec![1.0, 2.0]).unwrap();
    assert_eq!(state.set_parameter(foreign, &[1.0, 2.0]), Err(ModelError::UnknownParameter { id: foreign }));
    assert_eq!(state.at().parameters().get(foreign), None);
}

/// A parameter that is declared later exists in the state after the next step. The other parameters keep
/// their values.
#[test]
fn a_parameter_may_be_declared_between_two_steps() {
    let mut model = NonSmoothDynamicalSystem::new();
    let p = model.add_parameter("p", vec![1.0]).unwrap();
    model.add_system(LagrangianLinear::new(vec![0.0], vec![1.0], array![1.0])).unwrap();
    let mut sim = TimeStepping::builder(&model).discretisation(grid(1.0, 0.25)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    state.set_parameter(p, &[3.0]).unwrap();
    sim.step(&model, &mut state).unwrap();
    let late = model.add_parameter("late", vec![5.0]).unwrap();
    assert_eq!(state.set_parameter(late, &[6.0]), Err(ModelError::UnknownParameter { id: late }));
    sim.step(&model, &mut state).unwrap();
    assert_eq!((state.parameter(p), state.parameter(late)), (&[3.0][..], &[5.0][..]));
    assert_eq!(
        Relation::from(LagrangianLinearRelation::new(array![[1.0]])).check_jacobians(
            model.at(0.0),
            &[0.0],
            1e-9
        ),
        Ok(())
    );
}

/// A first-order system with a stop at x = 0 and a source that is switched at events, in event-driven
/// simulation. The reference is a sequence of exponentials.
#[test]
fn event_driven_circuits_notice_values_that_were_set() {
    let mut model = NonSmoothDynamicalSystem::new();
    let source = model.add_parameter("source", vec![1.0]).unwrap();
    let stop = model.add_parameter("stop", vec![0.0]).unwrap();
    let x = FirstOrderLinear::new(vec![0.0], array![[-1.0]])
        .with_source_function(move |at, b| b[0] = at[source][0]);
    let x = model.add_system(x).unwrap();
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]])
        .with_offset_function(move |at, e| e[0] = -at[stop][0]);
    let wall = model.add_interaction([x], relation, ComplementarityCondition::new(1).unwrap()).unwrap();
    let mut sim = EventDriven::builder(&model).discretisation(grid(5.0, 0.25)).build().unwrap();
    for time in [1.0, 3.0] {
        sim.events_mut().schedule(EventKind::Actuator, time).unwrap();
    }
    let mut state = sim.initial_state(&model).unwrap();
    let touch = 1.0 + (2.0 - (-1.0_f64).exp()).ln();
    let (mut worst, mut touched) = (0.0_f64, f64::NAN);
    while let Some(report) = sim.step(&model, &mut state).unwrap() {
        let t = state.t;
        let exact = match t {
            t if t <= 1.0 => 1.0 - (-t).exp(),
            t if t <= touch => (2.0 - (-1.0_f64).exp()) * (1.0 - t).exp() - 1.0,
            t if t <= 3.0 => 0.0,
            t => 2.0 * (1.0 - (3.0 - t).exp()),
        };
        worst = worst.max((state.x(x)[0] - exact).abs());
        if touched.is_nan() && !report.closed.is_empty() && t > 1.0 {
            touched = t;
        }
        if t > touch + 1e-6 && t < 3.0 {
            assert!((state.lambda(wall, Level::Position)[0] - 1.0).abs() < 1e-9);
        }
        if report.events.iter().any(|event| event.kind() == EventKind::Actuator) {
            let value = if t < 2.0 { -1.0 } else { 2.0 };
            state.set_parameter(source, &[value]).unwrap();
        }
    }
    assert!(worst < 1e-9, "{worst:e}");
    assert!((touched - touch).abs() < 1e-9, "{touched} {touch}");

    // If the stop jumps past the state, the state jumps to its projection.
    let mut sim = EventDriven::builder(&model).discretisation(grid(1.0, 0.5)).build().unwrap();
    let mut state = sim.initial_state(&model).unwrap();
    sim.step(&model, &mut state).unwrap();
    state.set_parameter(stop, &[0.9]).unwrap();
    sim.step(&model, &mut state).unwrap();
    let exact = 1.0 - 0.1 * (-0.5_f64).exp();
    assert!((state.x(x)[0] - exact).abs() < 1e-9, "{} {exact}", state.x(x)[0]);
}
