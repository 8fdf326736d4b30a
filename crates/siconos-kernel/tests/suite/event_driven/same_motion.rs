//! Output points do not change the motion to the last bit, with every integrator.

use ndarray::array;
use siconos_kernel::prelude::*;
use siconos_models::{
    BuiltModel, Slenderness, ball, cradle, dome, oscillating_table, pendulum_with_stop, rocking_block,
    rope_pendulum, sliding_block, wall_oscillator,
};
use siconos_ode::{Method, OdeSettings};
use siconos_testkit::exact::{DiodeBridge, PushedPoint, Rlcd};

use crate::event_driven::circuits::{build, build_with_source};

/// Time and state at every nonsmooth event and at every coarse point.
type Motion = Vec<(f64, Vec<f64>)>;

/// Returns a grid of 8 intervals with `within` additional points in each, at arbitrary times.
fn grid(t_end: f64, within: u32) -> TimeDiscretisation {
    let part = t_end / 8.0;
    let mut times = vec![0.0];
    for k in 0..8 {
        for i in 1..=within {
            let place = f64::from(i) / f64::from(within + 1);
            times.push(part * (f64::from(k) + place * place));
        }
        times.push(part * f64::from(k + 1));
    }
    TimeDiscretisation::from_times(times).unwrap()
}

fn motion(
    model: &NonSmoothDynamicalSystem,
    t_end: f64,
    within: u32,
    integrator: Option<EventIntegrator>,
    sensor: bool,
) -> Motion {
    let mut builder = EventDriven::builder(model).discretisation(grid(t_end, within));
    if let Some(integrator) = integrator {
        builder = builder.integrator(integrator);
    }
    let mut sim = builder.build().unwrap();
    if sensor {
        sim.events_mut().schedule_periodic(EventKind::Sensor, 0.37 * t_end / 64.0, t_end / 64.0).unwrap();
    }
    let mut state = sim.initial_state(model).unwrap();
    let mut seen = Motion::new();
    sim.run(model, &mut state, |report, state| {
        let is_root = report.events.iter().any(|event| event.kind() == EventKind::NonSmooth);
        let is_coarse = (0..=8).any(|k| state.t == t_end / 8.0 * f64::from(k));
        if is_root || is_coarse {
            let of_system = |(id, _): (DynamicalSystemId, _)| {
                [state.q(id), state.v(id), state.x(id), state.acceleration(id)]
            };
            let of_interaction = |(id, _): (InteractionId, _)| {
                [Level::Position, Level::Velocity, Level::Acceleration].map(|level| state.lambda(id, level))
            };
            let systems = model.systems().iter().flat_map(of_system);
            let interactions = model.interactions().iter().flat_map(of_interaction);
            let values = systems.chain(interactions).flatten().copied().collect();
            seen.push((state.t, values));
        }
    })
    .unwrap();
    seen
}

/// Compares runs with 1, 10 and 23 times as many output points, and with a sensor, bit for bit.
fn check(name: &str, model: &NonSmoothDynamicalSystem, t_end: f64, integrators: &[Option<EventIntegrator>]) {
    for integrator in integrators {
        let few = motion(model, t_end, 0, integrator.clone(), false);
        for (within, sensor) in [(9, false), (22, false), (3, true)] {
            let many = motion(model, t_end, within, integrator.clone(), sensor);
            assert_eq!(few.len(), many.len(), "{name}, {within} points within, {integrator:?}: other events");
            for ((t, few), (t_many, many)) in few.iter().zip(&many) {
                assert_eq!(t.to_bits(), t_many.to_bits(), "{name}, {within} points within, {integrator:?}");
                let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(few), bits(many), "{name} at {t}, {within} points within, {integrator:?}");
            }
        }
    }
}

fn mechanical() -> Vec<Option<EventIntegrator>> {
    let explicit = OdeSettings { method: Method::Explicit, ..OdeSettings::default() };
    let stiff = OdeSettings { method: Method::Stiff, ..OdeSettings::default() };
    vec![
        None,
        Some(explicit.into()),
        Some(stiff.into()),
        Some(NewmarkAlpha::new(1e-3).into()),
        Some(HalfExplicit::default().into()),
    ]
}

#[test]
fn output_does_not_change_the_motion_of_bodies() {
    let g = 9.81;
    let slender = Slenderness::Slender;
    let models: Vec<(&str, BuiltModel, f64)> = vec![
        ("ball", ball(g, 0.8, 1.0, 0.0).unwrap(), 2.0),
        ("ball to rest", ball(g, 0.5, 1.0, 0.0).unwrap(), 2.0),
        ("sliding block", sliding_block(g, 0.3, 0.7, 0.5).unwrap(), 2.0),
        ("wall oscillator", wall_oscillator(3.0, 0.9, 0.4, 0.0).unwrap(), 4.0),
        ("oscillating table", oscillating_table(g, 0.6, 0.05, 20.0).unwrap(), 1.0),
        ("cradle", cradle(0.9, &[0.0, 0.3, 0.6, 0.6], &[1.0, 0.0, 0.0, 0.0]).unwrap(), 2.0),
        ("rocking block", rocking_block(2.0, 0.2, 0.1, 0.9, slender).unwrap(), 2.0),
        ("pendulum with a stop", pendulum_with_stop(g, 1.0, 0.9, 0.7).unwrap(), 3.0),
        ("pendulum on a rope", rope_pendulum(g, 1.0, 1.0, 0.0).unwrap(), 2.0),
        ("dome", dome(g, 1.0, 0.1, 0.0).unwrap(), 1.5),
    ];
    for (name, built, t_end) in &models {
        check(name, &built.model, *t_end, &mechanical());
    }
}

#[test]
fn output_does_not_change_the_motion_of_circuits() {
    let bridge = build(&DiodeBridge::default().model()).0;
    let rlcd = build(&Rlcd::default().model()).0;
    let point = PushedPoint::default();
    let pushed = build_with_source(&point.model(), move |at, b| b[0] = point.input(at.t)).0;
    let methods = [Method::Explicit, Method::HighOrder, Method::Stiff];
    let mut integrators = vec![None];
    integrators.extend(methods.map(|method| Some(OdeSettings { method, ..OdeSettings::default() }.into())));
    check("diode bridge", &bridge, 5e-3, &integrators);
    check("circuit with a diode", &rlcd, 1e-3, &integrators);
    check("pushed point", &pushed, 3.0, &integrators);
}

/// Creates a ball that falls onto a table with the height 0.05 sin(17 t + 0.3) m. If `is_given` is `true`,
/// the time derivative of the height is given.
fn shaken(is_given: bool) -> NonSmoothDynamicalSystem {
    let mut model = NonSmoothDynamicalSystem::new();
    let ball =
        LagrangianLinear::new(vec![0.2], vec![0.0], array![1.0]).with_external_force(|_, f| f[0] = -9.81);
    let ball = model.add_system(ball).unwrap();
    let phase = |t: f64| 17.0 * t + 0.3;
    let mut table =
        LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - 0.05 * phase(at.t).sin())
            .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0);
    if is_given {
        table = table
            .with_time_derivative(move |at, _q, out| out[0] = -0.85 * phase(at.t).cos())
            .with_convective_acceleration(move |at, _q, _v, out| out[0] = 14.45 * phase(at.t).sin());
    }
    model.add_interaction([ball], table, NewtonImpact::new(0.4).unwrap()).unwrap();
    model
}

/// The ball bounces to rest, and the table carries it and throws it up. The motion with finite differences
/// agrees with the motion with derivatives, for any output.
#[test]
fn a_shaken_table_without_derivatives() {
    let [given, differences] = [true, false].map(shaken);
    check("shaken table", &differences, 2.0, &[None]);
    let run = |model: &NonSmoothDynamicalSystem, h: f64| {
        let grid = TimeDiscretisation::uniform(0.0, 2.0, h).unwrap();
        let mut sim = EventDriven::builder(model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(model).unwrap();
        let mut after = Vec::new();
        sim.run(model, &mut state, |report, state| {
            if !report.impacts.is_empty() {
                after.push((report.t, model.systems().iter().map(|(id, _)| state.v(id)[0]).sum::<f64>()));
            }
        })
        .unwrap();
        after
    };
    let exact = run(&given, 0.1);
    assert!(exact.len() > 10, "{exact:?}");
    for h in [1.0, 0.5, 0.1, 0.01] {
        let found = run(&differences, h);
        assert_eq!(found.len(), exact.len(), "output every {h} s");
        for ((t, v), (t_exact, v_exact)) in found.iter().zip(&exact) {
            assert!(
                (t - t_exact).abs() < 1e-8 && (v - v_exact).abs() < 1e-7,
                "{h}: {t} {v}, {t_exact} {v_exact}"
            );
        }
    }
    // In time-stepping, the finite differences agree with the derivative for any step length.
    for h in [0.05, 1e-3] {
        let [a, b] = [shaken(true), shaken(false)].map(|model| {
            let grid = TimeDiscretisation::uniform(0.0, 0.5, h).unwrap();
            let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
            let mut state = sim.initial_state(&model).unwrap();
            sim.run(&model, &mut state, |_, _| {}).unwrap();
            model.systems().iter().map(|(id, _)| state.v(id)[0]).sum::<f64>()
        });
        assert!((a - b).abs() < 1e-9, "{h}: {a} {b}");
    }
}

/// The table in another unit of time, with the time scale of the model in this unit. Powers of two do not
/// change the motion to the last bit.
#[test]
fn the_time_scale_has_a_unit() {
    let end = |unit: f64| {
        let mut model = NonSmoothDynamicalSystem::new();
        let g = -9.81 / (unit * unit);
        let ball = LagrangianLinear::new(vec![0.2], vec![0.0], array![1.0])
            .with_external_force(move |_, f| f[0] = g);
        let ball = model.add_system(ball).unwrap();
        let height = move |t: f64| 0.05 * (17.0 * (t / unit) + 0.3).sin();
        let table = LagrangianRheonomousRelation::new(1, move |at, q, y| y[0] = q[0] - height(at.t))
            .with_jacobian(|_t, _q, j| j[[0, 0]] = 1.0);
        model.add_interaction([ball], table, NewtonImpact::new(0.4).unwrap()).unwrap();
        model.set_time_scale(unit).unwrap();
        let grid = TimeDiscretisation::uniform(0.0, 0.5 * unit, unit / 1024.0).unwrap();
        let mut sim = TimeStepping::builder(&model).discretisation(grid).build().unwrap();
        let mut state = sim.initial_state(&model).unwrap();
        sim.run(&model, &mut state, |_, _| {}).unwrap();
        (state.q(ball)[0], state.v(ball)[0] * unit)
    };
    let seconds = end(1.0);
    assert!(seconds.1.abs() > 0.1, "{seconds:?}");
    for power in [-20, -3, 10] {
        assert_eq!(end(2.0_f64.powi(power)), seconds);
    }
    let mut model = NonSmoothDynamicalSystem::new();
    for refused in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(model.set_time_scale(refused), Err(ModelError::TimeScale { .. })), "{refused}");
    }
}
