//! Stress tests: other units, independent components, steps without allocations, repeated runs.

use ndarray::Array2;
use siconos_sweeping::{CatchingUp, FunctionSet, MovingPolyhedron};
use siconos_testkit::allocation::count_allocations;
use siconos_testkit::compare::assert_close;

use super::catching_up::disc;
use super::run;

/// n copies of x' = -k x + lambda over x >= c(t), in given units of length and time.
fn tanks(n: usize, length: f64, time: f64) -> CatchingUp<MovingPolyhedron> {
    let set = MovingPolyhedron::new(n, n, move |t, mut h, k| {
        for i in 0..k.len() {
            h[[i, i]] = 1.0;
            k[i] = length * (0.2 + (3.0 * t / time + i as f64).sin());
        }
    });
    CatchingUp::new(set.expect("half-lines"))
        .with_linear_perturbation(Array2::eye(n) * (1.5 / time), |_t, _g| ())
        .expect("it fits")
}

#[test]
fn other_units_are_the_same_motion_to_the_last_bit() {
    let reference = run(&mut tanks(2, 1.0, 1.0), (0.0, 4.0), 64, &[1.0, 0.5]);
    for (a, b) in [(10, 0), (-30, 0), (0, 12), (7, -9)] {
        let (length, time) = (2.0_f64.powi(a), 2.0_f64.powi(b));
        let states = run(&mut tanks(2, length, time), (0.0, 4.0 * time), 64, &[length, 0.5 * length]);
        for (state, exact) in states.iter().zip(&reference) {
            let scaled: Vec<f64> = exact.iter().map(|x| x * length).collect();
            assert_eq!(state, &scaled, "2^{a} m, 2^{b} s");
        }
    }
}

#[test]
fn a_thousand_tanks_move_as_each_alone() {
    let together = run(&mut tanks(1000, 1.0, 1.0), (0.0, 1.0), 4, &[0.7; 1000]);
    for i in [0, 1, 499, 999] {
        let alone = FunctionSet::new(1, move |t: f64, x: &mut [f64]| {
            x[0] = x[0].max(0.2 + (3.0 * t + i as f64).sin());
        });
        let mut alone = CatchingUp::new(alone).with_perturbation(|_t, x, f| f[0] = 1.5 * x[0]);
        for (state, all) in run(&mut alone, (0.0, 1.0), 4, &[0.7]).iter().zip(&together) {
            assert!((state[0] - all[i]).abs() < 1e-11, "{} and {}", state[0], all[i]);
        }
    }
}

#[test]
fn steps_allocate_nothing_and_two_runs_are_the_same() {
    let (mut tanks_sweep, mut disc_sweep) = (tanks(3, 1.0, 1.0), CatchingUp::new(disc()));
    let (mut x, mut u) = ([1.0, 0.5, -0.25], [0.0, -1.0]);
    let mut take = |from: usize, to: usize| {
        for k in from..to {
            let t = 0.01 * k as f64;
            assert!(tanks_sweep.step(t, 0.01, &mut x).expect("it goes").status.is_success());
            assert!(disc_sweep.step(t, 0.01, &mut u).expect("it goes").status.is_success());
        }
    };
    take(0, 400);
    assert_eq!(count_allocations(|| take(400, 800)), 0);
    let bits = |states: Vec<Vec<f64>>| states.into_iter().flatten().map(f64::to_bits).collect::<Vec<_>>();
    let again = || bits(run(&mut tanks(3, 1.0, 1.0), (0.0, 4.0), 100, &[1.0, 0.5, -0.25]));
    assert_eq!(again(), again());
}

/// A wall moves at 200 different speeds. The state is the position of the wall, or 0 if the wall moves away.
#[test]
fn two_hundred_speeds_of_a_wall() {
    for part in 0..200 {
        let speed = -2.0 + 0.02 * f64::from(part);
        let wall = FunctionSet::new(1, move |t: f64, x: &mut [f64]| x[0] = x[0].max(speed * t));
        let last = run(&mut CatchingUp::new(wall), (0.0, 3.0), 30, &[0.0]).pop().expect("there are states");
        assert_close("x", &last, &[(speed * 3.0).max(0.0)], 1e-14, 0.0);
    }
}
