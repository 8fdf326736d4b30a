//! Interactions between first-order and Lagrangian systems: a motor, with and without a hard stop.

use ndarray::{Array2, array};
use siconos_kernel::model::DynamicalSystemId;
use siconos_kernel::prelude::*;
use siconos_linalg::exponential;

const R: f64 = 2.0;
const L: f64 = 0.5;
const K: f64 = 0.8;
const J: f64 = 0.3;
const FRICTION: f64 = 0.1;
const V: f64 = 6.0;

/// Returns a motor: L i' = V - R i - K w, J w' = K i - c w. The multipliers of its interaction are the
/// current and the speed.
fn motor(model: &mut NonSmoothDynamicalSystem) -> [DynamicalSystemId; 2] {
    let circuit = FirstOrderLinearTi::new(vec![0.0], array![[-R / L]]).with_source(vec![V / L]);
    let circuit = model.add_system(circuit).expect("a circuit");
    let rotor = LagrangianLinear::new(vec![0.0], vec![0.0], array![[J]]).with_damping(array![[FRICTION]]);
    let rotor = model.add_system(rotor).expect("a rotor");
    let law = EqualityCondition::new(2).expect("two");
    model.add_interaction([circuit, rotor], coupling(), law).expect("a motor");
    [circuit, rotor]
}

/// Returns the relation of a motor: lambda is the current and the speed, which act as torque and as voltage.
fn coupling() -> FirstOrderLinearRelation {
    let (c, b) = (Array2::<f64>::eye(2), array![[0.0, -K / L], [K, 0.0]]);
    FirstOrderLinearRelation::new(c, b).with_d(-Array2::<f64>::eye(2))
}

/// Returns the current and the speed of the motor, which starts at rest.
fn exact_motor(t: f64) -> (f64, f64) {
    let a = array![[-R / L, -K / L, V / L], [K / J, -FRICTION / J, 0.0], [0.0, 0.0, 0.0]];
    let flow = exponential((&a * t).view()).expect("an exponential");
    (flow[[0, 2]], flow[[1, 2]])
}

#[test]
fn a_motor_follows_its_exact_solution() {
    let mut errors = Vec::new();
    for h in [1e-2, 5e-3, 2.5e-3] {
        let mut model = NonSmoothDynamicalSystem::new();
        let [circuit, rotor] = motor(&mut model);
        let mut simulation = TimeStepping::builder(&model)
            .discretisation(TimeDiscretisation::uniform(0.0, 1.0, h).expect("a grid"))
            .build()
            .expect("a simulation");
        let mut state = simulation.initial_state(&model).expect("a state");
        simulation.run(&model, &mut state, |_, _| {}).expect("it runs");
        let (i, w) = exact_motor(1.0);
        errors.push(((state.x(circuit)[0] - i).abs(), (state.v(rotor)[0] - w).abs()));
    }
    for pair in errors.windows(2) {
        assert!(pair[1].0 < 0.6 * pair[0].0 && pair[1].1 < 0.6 * pair[0].1, "{errors:?}");
    }
    assert!(errors[2].0 < 5e-3 && errors[2].1 < 5e-3, "{errors:?}");
}

/// Law of a hard stop at 1 rad.
fn stop() -> NewtonImpact {
    NewtonImpact::new(0.4).expect("a law")
}

fn stop_relation(columns: usize) -> LagrangianLinearRelation {
    let mut h = Array2::zeros((1, columns));
    h[[0, columns - 1]] = -1.0;
    LagrangianLinearRelation::new(h).with_offset(vec![1.0])
}

const IMPLICIT: f64 = 1.0;

/// Runs a model with implicit steps, and passes each state to `take`.
fn run(model: &NonSmoothDynamicalSystem, end: f64, mut take: impl FnMut(&StepReport<'_>, &State)) {
    let mut simulation = TimeStepping::builder(model)
        .discretisation(TimeDiscretisation::uniform(0.0, end, 1e-3).expect("a grid"))
        .integrator(MoreauJean::new(IMPLICIT).expect("theta"))
        .integrator(EulerMoreau::new(IMPLICIT).expect("theta"))
        .newton(NewtonSettings { tolerance: 1e-12, ..NewtonSettings::default() })
        .tolerance(1e-13)
        .energy_balance(true)
        .build()
        .expect("a simulation");
    let mut state = simulation.initial_state(model).expect("a state");
    simulation.run(model, &mut state, |report, state| take(report, state)).expect("it runs");
}

/// Returns the motor with a pendulum of this weight moment on its shaft.
fn with_load(model: &mut NonSmoothDynamicalSystem, weight: f64) -> [DynamicalSystemId; 2] {
    let circuit = FirstOrderLinearTi::new(vec![0.0], array![[-R / L]]).with_source(vec![V / L]);
    let circuit = model.add_system(circuit).expect("a circuit");
    let rotor = Lagrangian::new(vec![0.0], vec![0.0], array![[J]]).with_internal_force(
        move |_at, q: &[f64], v: &[f64], f: &mut [f64]| f[0] = weight * q[0].sin() + FRICTION * v[0],
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    );
    let rotor = model.add_system(rotor).expect("a rotor");
    model
        .add_interaction([circuit, rotor], coupling(), EqualityCondition::new(2).expect("two"))
        .expect("a motor");
    [circuit, rotor]
}

/// The same motor as one Lagrangian system, whose first coordinate is the charge.
fn by_charge(model: &mut NonSmoothDynamicalSystem, weight: f64) -> DynamicalSystemId {
    let mass = array![[L, 0.0], [0.0, J]];
    let motor = Lagrangian::new(vec![0.0; 2], vec![0.0; 2], mass)
        .with_internal_force(
            move |_at, q: &[f64], v: &[f64], f: &mut [f64]| {
                f[0] = R * v[0] + K * v[1];
                f[1] = weight * q[1].sin() + FRICTION * v[1] - K * v[0];
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        )
        .with_constant_external_force(vec![V, 0.0]);
    model.add_system(motor).expect("a motor")
}

/// The current, the angle, the speed and the impulse of the stop in each step agree with those of a model in
/// which the current is the velocity of a charge. The rotor hits the stop several times and then presses
/// against it.
#[test]
fn a_motor_against_a_stop_agrees_with_its_model_by_charge() {
    for weight in [0.0, 1.5] {
        let mut model = NonSmoothDynamicalSystem::new();
        let [circuit, rotor] = with_load(&mut model, weight);
        let wall = model.add_interaction([rotor], stop_relation(1), stop()).expect("a stop");
        let mut found = Vec::new();
        run(&model, 2.0, |_, state| {
            let impulse = state.lambda(wall, Level::Velocity)[0];
            found.push([state.x(circuit)[0], state.q(rotor)[0], state.v(rotor)[0], impulse]);
        });
        let mut model = NonSmoothDynamicalSystem::new();
        let motor = by_charge(&mut model, weight);
        let wall = model.add_interaction([motor], stop_relation(2), stop()).expect("a stop");
        let mut expected = Vec::new();
        run(&model, 2.0, |_, state| {
            let impulse = state.lambda(wall, Level::Velocity)[0];
            expected.push([state.v(motor)[0], state.q(motor)[1], state.v(motor)[1], impulse]);
        });
        assert_eq!(found.len(), 2000);
        let hits = expected.windows(2).filter(|pair| pair[0][3] == 0.0 && pair[1][3] > 0.0).count();
        assert!(hits > 2, "{hits} impacts");
        for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-8 * (1.0 + b.abs());
            assert!(
                found.iter().zip(expected).all(is_near),
                "{weight}, step {step}: {found:?}, {expected:?}"
            );
        }
        // At the end, the rotor rests against the stop, with the torque of the stalled motor.
        let [i, q, w, impulse] = found[1999];
        assert!((i - V / R).abs() < 0.05 && w.abs() < 1e-9, "{found:?}", found = found[1999]);
        assert!((impulse / 1e-3 - (K * i - weight * q.sin())).abs() < 1e-6, "{impulse}");
    }
}

/// The kinetic energy of the rotor changes by the work of the torque, of the damping and of the stop.
#[test]
fn the_energy_balance_contains_the_work_of_the_circuit() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [_circuit, rotor] = motor(&mut model);
    model.add_interaction([rotor], stop_relation(1), stop()).expect("a stop");
    let mut simulation = TimeStepping::builder(&model)
        .discretisation(TimeDiscretisation::uniform(0.0, 2.0, 1e-3).expect("a grid"))
        .energy_balance(true)
        .build()
        .expect("a simulation");
    let mut state = simulation.initial_state(&model).expect("a state");
    let (mut scheme, mut forces) = (0.0_f64, 0.0);
    simulation
        .run(&model, &mut state, |report, _| {
            let energy = report.energy.expect("it is enabled");
            scheme = scheme.max(energy.scheme.abs());
            forces += energy.forces;
        })
        .expect("it runs");
    assert!(forces > 1.0, "the motor does work: {forces}");
    assert!(scheme < 1e-14, "{scheme}");
}

/// The reaction on a system is B lambda.
#[test]
fn the_state_contains_current_speed_and_torque() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [circuit, rotor] = motor(&mut model);
    let coupling = model.interactions().ids().next().expect("the motor");
    run(&model, 0.5, |_, state| {
        let (i, w) = (state.x(circuit)[0], state.v(rotor)[0]);
        let lambda = state.lambda(coupling, Level::Position);
        assert!((lambda[0] - i).abs() < 1e-11 && (lambda[1] - w).abs() < 1e-11, "{lambda:?}, {i}, {w}");
        let torque = state.reaction(&model, rotor, Level::Position).expect("a torque")[0];
        assert!((torque - K * i).abs() < 1e-11, "{torque}");
        let voltage = state.reaction(&model, circuit, Level::Position).expect("a voltage")[0];
        assert!((voltage + K / L * w).abs() < 1e-10, "{voltage}");
        assert!((state.impulse(rotor)[0] - 1e-3 * K * i).abs() < 1e-13);
    });
}

/// A diode in series with a generator: the current that the turning rotor induces flows in one direction
/// only.
#[test]
fn a_diode_lets_a_generator_brake_in_one_direction() {
    for speed in [4.0, -4.0] {
        let mut model = NonSmoothDynamicalSystem::new();
        let circuit =
            model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[-R / L]])).expect("a circuit");
        let rotor = LagrangianLinear::new(vec![0.0], vec![speed], array![[J]]);
        let rotor = model.add_system(rotor).expect("a rotor");
        let equality = EqualityCondition::new(2).expect("two");
        model.add_interaction([circuit, rotor], coupling(), equality).expect("a generator");
        // The voltage of the diode is at least 0, and so is the current: 0 <= i, 0 <= lambda.
        let diode = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0 / L]]);
        let law = ComplementarityCondition::new(1).expect("one");
        model.add_interaction([circuit], diode, law).expect("a diode");
        let mut last = f64::NAN;
        run(&model, 1.0, |_, state| {
            assert!(state.x(circuit)[0] >= -1e-12);
            last = state.v(rotor)[0];
        });
        // The induced voltage is - K w, so only a negative speed drives a positive current.
        match speed > 0.0 {
            true => assert!((last - speed).abs() < 1e-12, "the diode blocks: {last}"),
            false => assert!(last > speed + 0.5 && last < 0.0, "the current brakes: {last}"),
        }
    }
}

/// A relay that switches the voltage by the sign of the speed: the motor brakes the rotor to a stop, and
/// holds it there.
#[test]
fn a_relay_in_the_circuit_reads_a_speed() {
    let mut model = NonSmoothDynamicalSystem::new();
    let circuit = model.add_system(FirstOrderLinearTi::new(vec![0.0], array![[-R / L]])).expect("a circuit");
    let rotor = model.add_system(LagrangianLinear::new(vec![0.0], vec![3.0], array![[J]])).expect("a rotor");
    model
        .add_interaction([circuit, rotor], coupling(), EqualityCondition::new(2).expect("two"))
        .expect("a motor");
    // sigma = w + 0.2 i; the voltage is -V if sigma is positive.
    let switch = FirstOrderLinearRelation::new(array![[0.2, 1.0]], array![[1.0 / L], [0.0]]);
    let law = Relay::new(vec![-V], vec![V]).expect("a relay");
    model.add_interaction([circuit, rotor], switch, law).expect("a switch");
    let (mut sliding, mut last) = (0, f64::NAN);
    run(&model, 3.0, |_, state| {
        let sigma = state.v(rotor)[0] + 0.2 * state.x(circuit)[0];
        sliding += usize::from(sigma.abs() < 1e-12);
        last = state.v(rotor)[0];
    });
    assert!(sliding > 2000, "{sliding} steps on the switching surface");
    assert!(last.abs() < 1e-3, "{last}");
}

/// A motor on the axis of a rigid body.
#[test]
fn a_motor_turns_a_rigid_body() {
    let mut model = NonSmoothDynamicalSystem::new();
    let circuit = FirstOrderLinearTi::new(vec![0.0], array![[-R / L]]).with_source(vec![V / L]);
    let circuit = model.add_system(circuit).expect("a circuit");
    let body = NewtonEuler::new(1.0, [1.0, 2.0, J], [0.0; 3], Quaternion::IDENTITY);
    let body = model.add_system(body).expect("a body");
    let mut c = Array2::zeros((2, 7));
    (c[[0, 0]], c[[1, 6]]) = (1.0, 1.0);
    let mut b = Array2::zeros((7, 2));
    (b[[0, 1]], b[[6, 0]]) = (-K / L, K);
    let relation = FirstOrderLinearRelation::new(c, b).with_d(-Array2::<f64>::eye(2));
    model
        .add_interaction([circuit, body], relation, EqualityCondition::new(2).expect("two"))
        .expect("a motor");
    let mut plain = NonSmoothDynamicalSystem::new();
    let by_charge = LagrangianLinear::new(vec![0.0; 2], vec![0.0; 2], array![[L, 0.0], [0.0, J]])
        .with_damping(array![[R, K], [-K, 0.0]])
        .with_constant_external_force(vec![V, 0.0]);
    let by_charge = plain.add_system(by_charge).expect("a motor");
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    run(&model, 0.3, |_, state| found.push([state.x(circuit)[0], state.v(body)[5]]));
    run(&plain, 0.3, |_, state| expected.push([state.v(by_charge)[0], state.v(by_charge)[1]]));
    for (found, expected) in found.iter().zip(&expected) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}, {expected:?}");
    }
}

/// Bodies and circuits that do not touch the motor do not change its motion.
#[test]
fn unrelated_parts_change_nothing() {
    let states = |others: usize| {
        let mut model = NonSmoothDynamicalSystem::new();
        let [circuit, rotor] = motor(&mut model);
        model.add_interaction([rotor], stop_relation(1), stop()).expect("a stop");
        for k in 0..others {
            let ball = LagrangianLinear::new(vec![1.0 + k as f64], vec![0.0], array![[1.0]])
                .with_constant_external_force(vec![-9.81]);
            let ball = model.add_system(ball).expect("a ball");
            let floor = LagrangianLinearRelation::new(array![[1.0]]);
            model.add_interaction([ball], floor, stop()).expect("a floor");
            let rc = model.add_system(FirstOrderLinearTi::new(vec![1.0], array![[-1.0]])).expect("a circuit");
            let diode = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
            model
                .add_interaction([rc], diode, ComplementarityCondition::new(1).expect("one"))
                .expect("a diode");
        }
        let mut states = Vec::new();
        run(&model, 1.0, |_, state| states.push([state.x(circuit)[0], state.v(rotor)[0]]));
        states
    };
    let alone = states(0);
    for others in [1, 20] {
        for (found, expected) in states(others).iter().zip(&alone) {
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11),
                "{found:?}, {expected:?}"
            );
        }
    }
}

#[test]
fn what_is_not_supported_is_refused() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [circuit, rotor] = motor(&mut model);
    let grid = || TimeDiscretisation::uniform(0.0, 1.0, 1e-2).expect("a grid");
    let refused = |builder: siconos_kernel::simulation::TimeSteppingBuilder<'_>| {
        builder.build().expect_err("it is refused").to_string()
    };
    let message =
        refused(TimeStepping::builder(&model).discretisation(grid()).integrator(D1MinusLinear::default()));
    assert!(
        message.contains("between first-order and Lagrangian systems") && message.contains("use MoreauJean"),
        "{message}"
    );
    let explicit = FullyImplicit::new(0.5, 0.5).expect("weights");
    let message = refused(TimeStepping::builder(&model).discretisation(grid()).integrator(explicit));
    assert!(message.contains("theta_r = 1"), "{message}");
    let message =
        EventDriven::builder(&model).discretisation(grid()).build().expect_err("it is refused").to_string();
    assert!(message.contains("TimeStepping"), "{message}");
    // A relation of first-order systems needs one, and a nonlinear one cannot be mixed.
    let relation = FirstOrderLinearRelation::new(array![[1.0]], array![[1.0]]);
    assert!(model.add_interaction([rotor], relation, EqualityCondition::new(1).expect("one")).is_err());
    let relation = LagrangianLinearRelation::new(array![[1.0, 0.0]]);
    assert!(model.add_interaction([circuit, rotor], relation, stop()).is_err());
}

/// A nonlinear circuit and a nonlinear load are solved together by Newton's method.
#[test]
fn a_nonlinear_circuit_drives_a_nonlinear_load() {
    const CUBIC: f64 = 0.3;
    let mut model = NonSmoothDynamicalSystem::new();
    let circuit = FirstOrderNonlinear::new(
        vec![0.0],
        |_at, x: &[f64], f: &mut [f64]| f[0] = (V - R * x[0] - CUBIC * x[0].powi(3)) / L,
        Jacobian::FiniteDifference,
    );
    let circuit = model.add_system(circuit).expect("a circuit");
    let rotor = Lagrangian::new(vec![0.0], vec![0.0], array![[J]]).with_internal_force(
        |_at, q: &[f64], v: &[f64], f: &mut [f64]| f[0] = 1.5 * q[0].sin() + FRICTION * v[0],
        Jacobian::FiniteDifference,
        Jacobian::FiniteDifference,
    );
    let rotor = model.add_system(rotor).expect("a rotor");
    let law = EqualityCondition::new(2).expect("two");
    model.add_interaction([circuit, rotor], coupling(), law).expect("a motor");
    model.add_interaction([rotor], stop_relation(1), stop()).expect("a stop");
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    run(&model, 1.5, |_, state| found.push([state.x(circuit)[0], state.v(rotor)[0]]));
    let mut model = NonSmoothDynamicalSystem::new();
    let motor = Lagrangian::new(vec![0.0; 2], vec![0.0; 2], array![[L, 0.0], [0.0, J]])
        .with_internal_force(
            |_at, q: &[f64], v: &[f64], f: &mut [f64]| {
                f[0] = R * v[0] + CUBIC * v[0].powi(3) + K * v[1];
                f[1] = 1.5 * q[1].sin() + FRICTION * v[1] - K * v[0];
            },
            Jacobian::FiniteDifference,
            Jacobian::FiniteDifference,
        )
        .with_constant_external_force(vec![V, 0.0]);
    let motor = model.add_system(motor).expect("a motor");
    model.add_interaction([motor], stop_relation(2), stop()).expect("a stop");
    run(&model, 1.5, |_, state| expected.push([state.v(motor)[0], state.v(motor)[1]]));
    assert!(expected.windows(2).any(|pair| pair[0][1] > 0.1 && pair[1][1] < 0.0), "there is an impact");
    for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-8 * (1.0 + b.abs());
        assert!(found.iter().zip(expected).all(is_near), "step {step}: {found:?}, {expected:?}");
    }
}

/// A motor that runs at rest against its stop for 10 000 steps stays there, bit for bit.
#[test]
fn a_stalled_motor_stays_at_its_stop() {
    let mut model = NonSmoothDynamicalSystem::new();
    let [circuit, rotor] = motor(&mut model);
    model.add_interaction([rotor], stop_relation(1), stop()).expect("a stop");
    let mut states = Vec::new();
    run(&model, 30.0, |_, state| states.push([state.x(circuit)[0], state.q(rotor)[0], state.v(rotor)[0]]));
    let [i, q, w] = states[states.len() - 1];
    assert!((i - V / R).abs() < 1e-12 && w == 0.0, "{i}, {w}");
    assert!(states[20_000..].iter().all(|state| state[1] == q), "the rotor does not creep");
}

/// The scheme has order 1, so the error of adaptive steps falls with the square root of the tolerance of a
/// step.
#[test]
fn adaptive_steps_drive_a_motor() {
    let error = |tolerance: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let [circuit, rotor] = motor(&mut model);
        let grid = TimeDiscretisation::uniform(0.0, 1.0, 1.0).expect("a grid");
        let mut simulation =
            TimeStepping::builder(&model).discretisation(grid).build().expect("a simulation");
        let mut state = simulation.initial_state(&model).expect("a state");
        let mut adaptive =
            AdaptiveStepping::new(AdaptiveSettings::of_tolerance(tolerance)).expect("settings");
        adaptive.run(&mut simulation, &model, &mut state, 1.0, |_, _, _| {}).expect("it runs");
        let (i, w) = exact_motor(1.0);
        (state.x(circuit)[0] - i).abs().max((state.v(rotor)[0] - w).abs())
    };
    let (coarse, fine) = (error(1e-4), error(1e-6));
    assert!(fine < 2e-3 && fine < 0.2 * coarse, "{coarse}, {fine}");
}
