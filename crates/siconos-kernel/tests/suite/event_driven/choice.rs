//! Time and error of the integration methods at several tolerances, on all systems. The default integrator is
//! chosen by these figures.

use siconos_kernel::prelude::*;
use siconos_models::{
    BuiltModel, Slenderness, ball, cradle, dome, oscillating_table, pendulum_with_stop, rocking_block,
    rope_pendulum, wall_oscillator,
};
use siconos_ode::{Method, OdeSettings, Tolerance};
use siconos_testkit::exact::{DiodeBridge, Rlcd};

use crate::event_driven::circuits::build;
use siconos_testkit::compare::worse;

fn run(
    model: &NonSmoothDynamicalSystem,
    t_end: f64,
    method: Method,
    tolerance: f64,
) -> (Vec<f64>, usize, f64) {
    let integrator = OdeSettings {
        method,
        relative_tolerance: Tolerance::All(tolerance),
        absolute_tolerance: Tolerance::All(tolerance),
        ..OdeSettings::default()
    };
    let mut best = f64::INFINITY;
    let (mut x, mut events) = (Vec::new(), 0);
    for _ in 0..5 {
        let grid = TimeDiscretisation::uniform(0.0, t_end, t_end / 20.0).unwrap();
        let mut sim =
            EventDriven::builder(model).discretisation(grid).integrator(integrator.clone()).build().unwrap();
        let mut state = sim.initial_state(model).unwrap();
        let begin = std::time::Instant::now();
        events = 0;
        sim.run(model, &mut state, |_, _| events += 1).unwrap();
        best = best.min(begin.elapsed().as_secs_f64());
        x = model
            .systems()
            .iter()
            .flat_map(|(id, _)| [state.q(id), state.v(id), state.x(id)].concat())
            .collect();
    }
    (x, events, 1e6 * best / events as f64)
}

#[test]
#[ignore = "a measurement: run it in a release build with --nocapture"]
fn tolerances_and_methods() {
    let g = 9.81;
    let built: Vec<(&str, BuiltModel, f64)> = vec![
        ("ball", ball(g, 0.8, 1.0, 0.0).unwrap(), 2.0),
        ("wall oscillator", wall_oscillator(3.0, 0.9, 0.4, 0.0).unwrap(), 10.0),
        ("oscillating table", oscillating_table(g, 0.6, 0.05, 20.0).unwrap(), 1.0),
        ("cradle", cradle(0.9, &[0.0, 0.3, 0.6, 0.6], &[1.0, 0.0, 0.0, 0.0]).unwrap(), 2.0),
        ("rocking block", rocking_block(2.0, 0.2, 0.1, 0.9, Slenderness::Stout).unwrap(), 2.0),
        ("pendulum with stop", pendulum_with_stop(g, 1.0, 0.9, 0.7).unwrap(), 3.0),
        ("rope pendulum", rope_pendulum(g, 1.0, 1.0, 0.0).unwrap(), 2.0),
        ("dome", dome(g, 1.0, 0.1, 0.0).unwrap(), 1.5),
    ];
    let mut models: Vec<_> = built.into_iter().map(|(name, built, t)| (name, built.model, t)).collect();
    models.push(("diode bridge", build(&DiodeBridge::default().model()).0, 5e-3));
    models.push(("rlcd", build(&Rlcd::default().model()).0, 1e-3));
    for (name, model, t_end) in &models {
        let (exact, ..) = run(model, *t_end, Method::HighOrder, 1e-14);
        for (method, tolerance) in [
            (Method::Explicit, 1e-10),
            (Method::Auto, 1e-10),
            (Method::Auto, 1e-11),
            (Method::Auto, 1e-12),
            (Method::Auto, 1e-13),
            (Method::HighOrder, 1e-13),
        ] {
            let (x, events, time) = run(model, *t_end, method, tolerance);
            let error = x.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, worse);
            println!(
                "{name:20} {method:?} {tolerance:e}: {time:7.1} us/event, {events} events, error {error:.1e}"
            );
        }
    }
}
