//! The motion does not depend on units.

use ndarray::{Array1, Array2};
use siconos_kernel::analysis::LinearSystem;
use siconos_sweeping::higher_order::HigherOrderSweeping;
use siconos_testkit::random::RandomState;

use super::systems::{Disguised, draw_state};

/// Units of time, of each component of y, of each multiplier, and of each coordinate of x.
struct Units {
    time: f64,
    y: Vec<f64>,
    lambda: Vec<f64>,
    x: Vec<f64>,
}

impl Units {
    fn of_system(&self, system: &LinearSystem) -> LinearSystem {
        let Self { time, y, lambda, x } = self;
        let a = Array2::from_shape_fn(system.a().dim(), |(i, k)| system.a()[[i, k]] * x[i] / (x[k] * time));
        let b =
            Array2::from_shape_fn(system.b().dim(), |(i, k)| system.b()[[i, k]] * x[i] / (lambda[k] * time));
        let c = Array2::from_shape_fn(system.c().dim(), |(i, k)| system.c()[[i, k]] * y[i] / x[k]);
        LinearSystem::new(a, b, c, system.d().to_owned()).unwrap()
    }
}

/// Returns x, z and the measures over some steps, converted back to the reference units.
fn run(disguised: &Disguised, units: &Units, source: &Array1<f64>, start: &Array1<f64>) -> Vec<f64> {
    let system = units.of_system(&disguised.system);
    let into = |values: &Array1<f64>, per_time: f64| -> Vec<f64> {
        values.iter().zip(&units.x).map(|(value, unit)| value * unit / per_time).collect()
    };
    let mut sweeping =
        HigherOrderSweeping::of(&system).unwrap().with_source(&into(source, units.time)).unwrap();
    let mut state = sweeping.state(&into(start, 1.0)).unwrap();
    let jump = sweeping.jump(&state).unwrap();
    let mut values: Vec<f64> =
        sweeping.x(&jump.after).unwrap().iter().zip(&units.x).map(|(x, unit)| x / unit).collect();
    for _ in 0..30 {
        let report = sweeping.step(0.03 * units.time, &mut state).unwrap();
        assert!(report.info.status.is_success());
        for ((i, j), mu) in report.mu.indexed_iter() {
            let unit = if i + 1 < disguised.r {
                units.y[j] / units.time.powi(i as i32)
            } else {
                units.lambda[j] * units.time
            };
            values.push(mu / unit);
        }
        for ((i, j), z) in state.z().indexed_iter() {
            values.push(z / (units.y[j] / units.time.powi(i as i32)));
        }
    }
    values.extend(sweeping.x(&state).unwrap().iter().zip(&units.x).map(|(x, unit)| x / unit));
    values
}

fn cases() -> Vec<(Disguised, Array1<f64>, Array1<f64>)> {
    let mut random = RandomState::new(11);
    (0..120)
        .map(|k| {
            let disguised = Disguised::draw(&mut random, (1 + k % 3, 1 + k / 3 % 3, k / 9 % 3));
            let n = disguised.system.states();
            let mut draw = || Array1::from(draw_state(&mut random, n));
            let (source, start) = (draw(), draw());
            (disguised, source, start)
        })
        .collect()
}

#[test]
fn lengths_and_times_in_powers_of_two_change_no_bit() {
    for (disguised, source, start) in cases() {
        let (n, m) = (disguised.system.states(), disguised.m);
        let of = |time: i32, length: i32| Units {
            time: f64::from(time).exp2(),
            y: vec![f64::from(length).exp2(); m],
            lambda: vec![1.0; m],
            x: vec![f64::from(length).exp2(); n],
        };
        let expected = run(&disguised, &of(0, 0), &source, &start);
        for (time, length) in [(10, 0), (-10, 0), (0, 20), (0, -20), (7, -13)] {
            let found = run(&disguised, &of(time, length), &source, &start);
            let mut pairs = found.iter().zip(&expected);
            assert!(
                pairs.all(|(a, b)| a.to_bits() == b.to_bits()),
                "{time} {length}\n{found:?}\n{expected:?}"
            );
        }
    }
}

#[test]
fn coordinates_in_units_of_their_own_give_the_same_motion() {
    let mut random = RandomState::new(12);
    let (mut same, mut all) = (0, 0);
    for (disguised, source, start) in cases() {
        let (n, m) = (disguised.system.states(), disguised.m);
        let one = Units { time: 1.0, y: vec![1.0; m], lambda: vec![1.0; m], x: vec![1.0; n] };
        let mut powers = |count| (0..count).map(|_| f64::from(random.integer(-20, 20)).exp2()).collect();
        let other = Units { time: 0.125, y: powers(m), lambda: powers(m), x: powers(n) };
        let expected = run(&disguised, &one, &source, &start);
        let found = run(&disguised, &other, &source, &start);
        let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-10 * size, "{a} {b}");
            same += usize::from(a.to_bits() == b.to_bits());
            all += 1;
        }
    }
    println!("{same} of {all} numbers are the same to the last bit");
}
