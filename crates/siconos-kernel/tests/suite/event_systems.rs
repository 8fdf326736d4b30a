//! Small systems with events in time-stepping, compared with their exact motions.

use siconos_kernel::prelude::*;
use siconos_models::{
    BuiltModel, Slenderness, ball, cradle, dome, oscillating_table, pendulum_with_stop, rocking_block,
    rope_pendulum, sliding_block, wall_oscillator,
};
use siconos_testkit::exact::{
    BouncingBall, Cradle, Dome, OscillatingTable, Pendulum, PendulumWithStop, RockingBlock, WallOscillator,
    simultaneous_impact,
};

const G: f64 = 9.81;

/// Returns the mean over time of |q - exact| over all coordinates, in a time-stepping simulation.
fn mean_error(built: &BuiltModel, h: f64, t_end: f64, exact: &dyn Fn(f64) -> Vec<f64>) -> f64 {
    let mut simulation = TimeStepping::builder(&built.model)
        .discretisation(TimeDiscretisation::uniform(0.0, t_end, h).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&built.model).unwrap();
    let (mut sum, mut count) = (0.0, 0);
    while simulation.step(&built.model, &mut state).unwrap().is_some() {
        let found = built.bodies.iter().flat_map(|body| state.q(*body).to_vec());
        sum += found.zip(exact(state.t)).map(|(a, b)| (a - b).abs()).sum::<f64>();
        count += 1;
    }
    sum / f64::from(count)
}

/// Checks that the error is small, and decreases approximately with the first power of the step length.
fn assert_converges(name: &str, built: BuiltModel, t_end: f64, bound: f64, exact: &dyn Fn(f64) -> Vec<f64>) {
    // Step lengths that are not commensurable with the times of events.
    let (coarse, fine) = (3.017e-3, 1.013e-4);
    let (a, b) = (mean_error(&built, coarse, t_end, exact), mean_error(&built, fine, t_end, exact));
    println!("{name}: mean error {a:.2e} with h = {coarse}, {b:.2e} with h = {fine}");
    assert!(b < bound, "{name}: {b:e}");
    assert!(b < a / 5.0, "{name}: {a:e} {b:e}");
}

#[test]
fn balls_and_blocks() {
    let exact = BouncingBall::new(G, 0.7, 1.0, 0.5);
    assert_converges("ball", ball(G, 0.7, 1.0, 0.5).unwrap(), 4.0, 1e-3, &|t| vec![exact.position(t)]);
    // An impact at the initial time is equivalent to an initial velocity after the impact.
    let exact = BouncingBall::new(G, 0.7, 0.0, 0.7 * 3.0);
    let built = ball(G, 0.7, 0.0, -3.0).unwrap();
    assert_converges("initial impact", built, 2.0, 1e-3, &|t| vec![exact.position(t)]);
    let resting = mean_error(&ball(G, 0.7, 0.0, 0.0).unwrap(), 1e-3, 1.0, &|_| vec![0.0]);
    assert!(resting < 1e-12, "initial contact: {resting:e}");
    let exact = BouncingBall::new(G * 0.4_f64.sin(), 0.6, 0.8, 0.0);
    let built = sliding_block(G, 0.4, 0.6, 0.8).unwrap();
    assert_converges("sliding block", built, 4.0, 1e-3, &|t| vec![exact.position(t), 0.0]);
    let exact = WallOscillator::new(4.0, 0.8, 0.6, -1.0);
    let built = wall_oscillator(4.0, 0.8, 0.6, -1.0).unwrap();
    assert_converges("wall oscillator", built, 5.0, 1e-3, &|t| vec![exact.state(t).0]);
}

#[test]
fn pendulums_and_blocks_that_rock() {
    let exact = PendulumWithStop::new(G, 1.3, 1.2, 0.8);
    let built = pendulum_with_stop(G, 1.3, 1.2, 0.8).unwrap();
    assert_converges("pendulum with a stop", built, 4.0, 1e-3, &|t| vec![exact.state(t).0]);
    let exact = Pendulum::new(G, 1.0, 1.0);
    assert_converges("pendulum on a rope", rope_pendulum(G, 1.0, 1.0, 0.9).unwrap(), 2.0, 1e-3, &|t| {
        let (sin, cos) = exact.state(t).0.sin_cos();
        vec![sin, cos]
    });
    let exact = RockingBlock::new(2.0, 0.25, 0.2, 0.85);
    let built = |slenderness| rocking_block(2.0, 0.25, 0.2, 0.85, slenderness).unwrap();
    let until = 1.2 * exact.accumulation_time().unwrap();
    assert_converges("slender block", built(Slenderness::Slender), until, 1e-3, &|t| vec![exact.state(t).0]);
    // The stout block: its largest tilts after each impact.
    let h = 1e-4;
    let built = built(Slenderness::Stout);
    let mut simulation = TimeStepping::builder(&built.model)
        .discretisation(TimeDiscretisation::uniform(0.0, 5.0, h).unwrap())
        .build()
        .unwrap();
    let mut state = simulation.initial_state(&built.model).unwrap();
    let (mut v_before, mut impacts) = (0.0, 0);
    while simulation.step(&built.model, &mut state).unwrap().is_some() {
        let (q, v) = (state.q(built.bodies[0])[0], state.v(built.bodies[0])[0]);
        impacts += u32::from(v_before < 0.0 && v > 0.0);
        if v_before > 0.0 && v <= 0.0 {
            assert!((q - exact.amplitude_of_a_stout_block(impacts)).abs() < 1e-3, "{impacts}: {q}");
        }
        v_before = v;
    }
    assert!(impacts >= 3, "{impacts}");
}

#[test]
fn take_off() {
    let exact = OscillatingTable::new(G, 0.02, 30.0);
    let landing = exact.landing().unwrap().0;
    let built = oscillating_table(G, 0.3, 0.02, 30.0).unwrap();
    assert_converges("oscillating table", built, landing, 1e-4, &|t| vec![exact.state(t).0]);
    let exact = Dome::new(G, 1.0, 0.2);
    let until = exact.take_off() + 0.3;
    assert_converges("dome", dome(G, 1.0, 0.2, 0.5).unwrap(), until, 1e-2, &|t| exact.state(t).0.to_vec());
}

#[test]
fn cradles() {
    let (x, v) = ([0.0, 0.5, 1.1, 1.4], [1.0, 0.0, 0.0, 0.0]);
    let exact = Cradle::new(1.0, x.to_vec(), v.to_vec());
    let built = cradle(1.0, &x, &v).unwrap();
    assert_converges("sequential cradle", built, 3.0, 1e-3, &|t| exact.state(t).0);
    // Three balls in contact are hit by a fourth: all contacts have one law.
    for e in [1.0, 0.5, 0.0] {
        let built = cradle(e, &[-0.5, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0]).unwrap();
        let mut simulation = TimeStepping::builder(&built.model)
            .discretisation(TimeDiscretisation::uniform(0.0, 0.6, 1e-3).unwrap())
            .build()
            .unwrap();
        let mut state = simulation.initial_state(&built.model).unwrap();
        while simulation.step(&built.model, &mut state).unwrap().is_some() {}
        for (body, expected) in built.bodies.iter().zip(simultaneous_impact(e, 1.0, 3)) {
            let found = state.v(*body)[0];
            assert!((found - expected).abs() < 1e-9, "e = {e}: {found} {expected}");
        }
    }
}
