//! Small systems with events, compared with their exact motions.

use siconos_kernel::prelude::*;
use siconos_models::{
    Slenderness, ball, cradle, dome, oscillating_table, pendulum_with_stop, rocking_block, rope_pendulum,
    sliding_block, wall_oscillator,
};
use siconos_testkit::exact::{
    Arc, BouncingBall, Cradle, Dome, End, OscillatingTable, Pendulum, PendulumWithStop, RockingBlock,
    WallOscillator, simultaneous_impact,
};

use crate::event_driven::common::{compare, motion, run, simulation};
use siconos_testkit::compare::worse;

const G: f64 = 9.81;

/// Checks the times of all impacts that were found.
fn assert_times(
    name: &str,
    found: &[f64],
    first: u32,
    at_least: usize,
    tolerance: f64,
    exact: impl Fn(u32) -> f64,
) {
    assert!(found.len() >= at_least, "{name}: {} impacts, not {at_least}", found.len());
    let worst = found.iter().zip(first..).map(|(t, n)| (t - exact(n)).abs()).fold(0.0, worse);
    println!("{name}: {} impacts, times to {worst:.1e}", found.len());
    assert!(worst < tolerance, "{name}: {worst:e}");
}

#[test]
fn balls_and_blocks_that_slide() {
    let exact = BouncingBall::new(G, 0.7, 1.0, 0.5);
    let (run, q, v) = compare(&ball(G, 0.7, 1.0, 0.5).unwrap(), (4.0, 0.01), |t| {
        (vec![exact.position(t)], vec![exact.velocity(t)])
    });
    println!("ball: q {q:.1e}, v {v:.1e}");
    assert_times("ball", &run.impacts, 1, 20, 1e-10, |n| exact.impact_time(n));
    // The rest starts up to 1e-6 s before the accumulation point.
    assert!(q < 1e-9 && v < 1e-5, "{q:e} {v:e}");
    assert_eq!(run.accumulations.len(), 1);

    // An impact at the initial time is equivalent to an initial velocity after the impact.
    let exact = BouncingBall::new(G, 0.7, 0.0, 0.7 * 3.0);
    let built = ball(G, 0.7, 0.0, -3.0).unwrap();
    let (run, q, _) = compare(&built, (2.0, 0.01), |t| (vec![exact.position(t)], vec![exact.velocity(t)]));
    assert_times("initial impact", &run.impacts, 1, 10, 1e-10, |n| exact.impact_time(n));
    assert!(q < 1e-9, "{q:e}");
    let mut sim = simulation(&built.model, 1.0, 0.1);
    let state = sim.initial_state(&built.model).unwrap();
    assert_eq!(state.v(built.bodies[0]), [0.7 * 3.0]);
    assert_eq!(state.lambda(built.contacts[0], Level::Velocity), [1.7 * 3.0]);

    let (run, q, v) = compare(&ball(G, 0.7, 0.0, 0.0).unwrap(), (1.0, 0.1), |_| (vec![0.0], vec![0.0]));
    assert_eq!((q, v, run.impacts.len(), run.reports), (0.0, 0.0, 0, 10));

    let exact = BouncingBall::new(G * 0.4_f64.sin(), 0.6, 0.8, 0.0);
    let built = sliding_block(G, 0.4, 0.6, 0.8).unwrap();
    let (run, q, v) =
        compare(&built, (4.0, 0.01), |t| (vec![exact.position(t), 0.0], vec![exact.velocity(t), 0.0]));
    println!("sliding block: q {q:.1e}, v {v:.1e}");
    assert_times("sliding block", &run.impacts, 1, 15, 1e-10, |n| exact.impact_time(n));
    // The rest starts up to 1e-6 s before the accumulation point.
    assert!(q < 1e-9 && v < 1e-5, "{q:e} {v:e}");
    assert_eq!(run.released.len(), 0);
}

#[test]
fn oscillators_and_pendulums_with_a_stop() {
    let exact = WallOscillator::new(4.0, 0.8, 0.6, -1.0);
    let built = wall_oscillator(4.0, 0.8, 0.6, -1.0).unwrap();
    let (run, q, v) = compare(&built, (20.0, 0.01), |t| {
        let (q, v) = exact.state(t);
        (vec![q], vec![v])
    });
    println!("wall oscillator: q {q:.1e}, v {v:.1e}");
    assert_times("wall oscillator", &run.impacts, 1, 25, 1e-9 / exact.impact_speed(25), |n| {
        exact.impact_time(n)
    });
    assert!(q < 1e-9 && v < 1e-7, "{q:e} {v:e}");

    let exact = PendulumWithStop::new(G, 1.3, 1.2, 0.8);
    let built = pendulum_with_stop(G, 1.3, 1.2, 0.8).unwrap();
    let (run, q, v) = compare(&built, (6.0, 0.01), |t| {
        let (q, v) = exact.state(t);
        (vec![q], vec![v])
    });
    println!("pendulum with a stop: q {q:.1e}, v {v:.1e}");
    assert_times("pendulum with a stop", &run.impacts, 1, 5, 1e-9, |n| exact.impact_time(n));
    assert!(q < 1e-8 && v < 1e-7, "{q:e} {v:e}");

    let exact = Pendulum::new(G, 1.0, 1.0);
    let built = rope_pendulum(G, 1.0, 1.0, 0.9).unwrap();
    let (run, q, v) = compare(&built, (4.0, 0.01), |t| {
        let (angle, rate) = exact.state(t);
        let (sin, cos) = angle.sin_cos();
        (vec![sin, cos], vec![rate * cos, -rate * sin])
    });
    println!("pendulum on a rope: q {q:.1e}, v {v:.1e}");
    assert_eq!((run.impacts.len(), run.released.len()), (0, 0));
    assert!(q < 1e-8 && v < 1e-8, "{q:e} {v:e}");
}

#[test]
fn blocks_that_rock() {
    let exact = RockingBlock::new(2.0, 0.25, 0.2, 0.85);
    let built = |slenderness| rocking_block(2.0, 0.25, 0.2, 0.85, slenderness).unwrap();
    let until = 1.2 * exact.accumulation_time().unwrap();
    let (run, q, v) = compare(&built(Slenderness::Slender), (until, 0.01), |t| {
        let (q, v) = exact.state(t);
        (vec![q], vec![v])
    });
    println!("slender block: q {q:.1e}, v {v:.1e}, accumulations {:?}", run.accumulations);
    // Errors grow along an unstable motion: the error is 2e-10 at the first impact.
    assert_times("slender block", &run.impacts, 1, 80, 2e-8, |n| exact.impact_time(n));
    // The rest starts up to 1e-6 s before the accumulation point.
    assert!(q < 1e-9 && v < 1e-5, "{q:e} {v:e}");
    let (_, estimate) = run.accumulations[0];
    assert!((estimate - exact.accumulation_time().unwrap()).abs() < 1e-8, "{estimate}");

    // The stout block: the angular velocities after its impacts determine its largest tilts.
    let built = built(Slenderness::Stout);
    let mut sim = simulation(&built.model, 5.0, 0.5);
    let mut state = sim.initial_state(&built.model).unwrap();
    let mut impacts = 0;
    sim.run(&built.model, &mut state, |report, state| {
        if !report.impacts.is_empty() {
            impacts += 1;
            let rate = state.v(built.bodies[0])[0];
            // Energy balance from the corner to the largest tilt: rate^2 / 2 = p^2 (1 - cos a) ..
            let highest = exact.amplitude_of_a_stout_block(impacts);
            let energy = 4.0 * ((0.25 - highest).cos() - 0.25_f64.cos());
            assert!((0.5 * rate * rate - energy).abs() < 1e-9, "impact {impacts}: {rate} {energy}");
        }
    })
    .unwrap();
    assert!(impacts >= 3, "{impacts}");
}

#[test]
fn take_off_without_an_impact() {
    let exact = OscillatingTable::new(G, 0.02, 30.0);
    let (take_off, (landing, v_landing)) = (exact.take_off().unwrap(), exact.landing().unwrap());
    let built = oscillating_table(G, 0.3, 0.02, 30.0).unwrap();
    let mut sim = simulation(&built.model, landing + 0.01, 1e-3);
    let mut state = sim.initial_state(&built.model).unwrap();
    let (mut worst, mut v_before) = (0.0_f64, f64::NAN);
    let run = run(&built.model, &mut sim, &mut state, |state| {
        if state.t < landing - 1e-9 {
            worst = worst.max((state.q(built.bodies[0])[0] - exact.state(state.t).0).abs());
        }
        if state.lambda(built.contacts[0], Level::Velocity)[0] > 0.0 && v_before.is_nan() {
            v_before = state.v_before(built.bodies[0])[0];
        }
    });
    println!(
        "table: q {worst:.1e}, take-off {:.1e}, landing {:.1e}",
        run.released[0] - take_off,
        run.impacts[0] - landing
    );
    assert!((run.released[0] - take_off).abs() < 1e-9);
    assert!((run.impacts[0] - landing).abs() < 1e-9);
    assert!((v_before - v_landing).abs() < 1e-8);
    assert!(worst < 1e-10, "{worst:e}");

    let exact = Dome::new(G, 1.0, 0.2);
    let take_off = exact.take_off();
    let built = dome(G, 1.0, 0.2, 0.5).unwrap();
    let (run, q, v) = compare(&built, (take_off + 0.3, 0.01), |t| {
        let (q, v) = exact.state(t);
        (q.to_vec(), v.to_vec())
    });
    println!("dome: q {q:.1e}, v {v:.1e}, take-off {:.1e}", run.released[0] - take_off);
    assert_eq!((run.released.len(), run.impacts.len()), (1, 0));
    assert!((run.released[0] - take_off).abs() < 1e-8, "{}", run.released[0] - take_off);
    assert!(q < 1e-8 && v < 1e-7, "{q:e} {v:e}");
}

/// The ball takes off, bounces to rest and takes off again, over several periods of the table.
#[test]
fn a_table_throws_its_ball_again_and_again() {
    let table = OscillatingTable::new(G, 0.02, 30.0);
    for e in [0.0, 0.3] {
        let oscillator = table.with_impacts(e);
        let (u, v) = table.table(0.0);
        let t_end = 1.5;
        let exact = oscillator.solve_with_contact(Arc { t: 0.0, u, v }, t_end);
        assert_eq!(exact.end, End::TimeReached);
        let built = oscillating_table(G, e, 0.02, 30.0).unwrap();
        let (run, q, _) = compare(&built, (t_end, 1e-3), |t| {
            let (q, v) = exact.state(t.min(t_end));
            (vec![q], vec![v])
        });
        let releases: Vec<f64> = exact.contacts().map(|(_, to)| to).filter(|to| *to < t_end).collect();
        println!("table, e = {e}: q {q:.1e}, {} and {} releases", run.released.len(), releases.len());
        assert_eq!(run.released.len(), releases.len());
        for (found, exact) in run.released.iter().zip(&releases) {
            assert!((found - exact).abs() < 1e-8, "{found} {exact}");
        }
        assert!(q < 1e-8, "{q:e}");
    }
}

#[test]
fn cradles() {
    let (x, v) = ([0.0, 0.5, 1.1, 1.4], [1.0, 0.0, 0.0, 0.0]);
    for e in [1.0, 0.5] {
        let exact = Cradle::new(e, x.to_vec(), v.to_vec());
        let built = cradle(e, &x, &v).unwrap();
        let t_end = if e == 1.0 { 3.0 } else { 2.0 };
        let (run, q, v) = compare(&built, (t_end, 0.05), |t| exact.state(t));
        let collisions = exact.collisions(t_end);
        println!("sequential cradle, e = {e}: {} collisions, q {q:.1e}, v {v:.1e}", collisions.len());
        assert_eq!(run.impacts.len(), collisions.len());
        for (found, exact) in run.impacts.iter().zip(&collisions) {
            assert!((found - exact.t).abs() < 1e-11, "{found} {}", exact.t);
        }
        assert!(q < 1e-11 && v < 1e-12, "{q:e} {v:e}");
    }
    // Three balls in contact are hit by a fourth: all contacts have one law.
    for e in [1.0, 0.5, 0.0] {
        let built = cradle(e, &[-0.5, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0]).unwrap();
        let mut sim = simulation(&built.model, 0.6, 0.1);
        let mut state = sim.initial_state(&built.model).unwrap();
        let run = run(&built.model, &mut sim, &mut state, |_| {});
        assert_eq!(run.impacts.len(), 1);
        assert!((run.impacts[0] - 0.5).abs() < 1e-12);
        let (_, v) = motion(&built, &state);
        for (found, expected) in v.iter().zip(simultaneous_impact(e, 1.0, 3)) {
            assert!((found - expected).abs() < 1e-12, "e = {e}: {found} {expected}");
        }
    }
}
