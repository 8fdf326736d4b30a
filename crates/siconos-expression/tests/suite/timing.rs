//! Time of an evaluation, compared with a Rust closure:
//! `cargo test --release -p siconos-expression-tests -- timing --ignored --nocapture`.
//!
//! The battery of tests contains the limits that must hold.

use std::hint::black_box;
use std::time::Instant;

use siconos_expression::{Jacobian, Name, Role, Scope, Symbol, Tape, ValueKind, parse_number};

use crate::model::{Banks, scope, symbol};

/// Returns the shortest time of a call \[ns\] over many runs. The runs are so short that most of them are not
/// interrupted by other programs.
fn nanoseconds(mut work: impl FnMut()) -> f64 {
    const CALLS: u32 = 20_000;
    let run = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..400).map(run).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "takes time, and measures it"]
fn van_der_pol() {
    let scope = scope();
    let [speed, acceleration] =
        ["y'", "mu * (1 - y^2) * y' - y"].map(|text| parse_number(text, &scope).expect("an expression"));
    let tape = Tape::compile(&[&speed, &acceleration]);
    let variables = [symbol("y"), symbol("y'")];
    let jacobian = Jacobian::compile(&[&speed, &acceleration], &variables);
    let values = Banks::new();
    let mut out = [0.0; 4];

    let closure = |mu: f64, y: &[f64], rates: &mut [f64]| {
        rates[0] = y[1];
        rates[1] = mu * (1.0 - y[0] * y[0]) * y[1] - y[0];
    };
    let by_closure = nanoseconds(|| closure(black_box(5.0), black_box(&values.0[1]), black_box(&mut out)));
    let slots = values.slices();
    let by_tape = nanoseconds(|| tape.evaluate(black_box(&slots), black_box(&mut out)));
    let of_jacobian = nanoseconds(|| jacobian.evaluate(black_box(&slots), black_box(&mut out)));
    println!("van der Pol: closure {by_closure:.1} ns, tape {by_tape:.1} ns, Jacobian {of_jacobian:.1} ns");
}

/// The forces of the double pendulum of the examples: a tape takes at most three times as long as the
/// closure.
#[test]
#[ignore = "times say something in release builds alone; `cargo xtask battery` runs it"]
fn battery_of_the_forces_of_a_double_pendulum() {
    let mut scope = Scope::new();
    let angles = [0, 1].map(|index| Symbol { slot: 0, index });
    let velocities = [0, 1].map(|index| Symbol { slot: 1, index });
    let symbols = angles.into_iter().chain(velocities).chain([Symbol { slot: 2, index: 0 }]);
    for (name, symbol) in ["q[0]", "q[1]", "v[0]", "v[1]", "g"].into_iter().zip(symbols) {
        scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State }).expect("a new name");
    }
    let forces = [
        "v[1] * v[1] * sin(q[0] - q[1]) + 2 * g * sin(q[0])",
        "-v[0] * v[0] * sin(q[0] - q[1]) + g * sin(q[1])",
    ]
    .map(|text| parse_number(text, &scope).expect("a force"));
    let forces: Vec<_> = forces.iter().collect();
    let tape = Tape::compile(&forces);
    let jacobian = Jacobian::compile(&forces, &angles);

    let closure = |q: &[f64], v: &[f64], g: f64, f: &mut [f64]| {
        let s = (q[0] - q[1]).sin();
        (f[0], f[1]) = (v[1] * v[1] * s + 2.0 * g * q[0].sin(), -v[0] * v[0] * s + g * q[1].sin());
    };
    let derivative = |q: &[f64], v: &[f64], g: f64, j: &mut [f64]| {
        let c = (q[0] - q[1]).cos();
        (j[0], j[1]) = (v[1] * v[1] * c + 2.0 * g * q[0].cos(), -v[1] * v[1] * c);
        (j[2], j[3]) = (-v[0] * v[0] * c, v[0] * v[0] * c + g * q[1].cos());
    };
    let (q, v) = ([0.7, -0.4], [1.5, -2.5]);
    let slots: [&[f64]; 3] = [&q, &v, &[10.0]];
    let mut out = [0.0; 4];
    let by_closure =
        nanoseconds(|| closure(black_box(&q), black_box(&v), black_box(10.0), black_box(&mut out)));
    let by_tape = nanoseconds(|| tape.evaluate(black_box(&slots), black_box(&mut out)));
    let by_hand =
        nanoseconds(|| derivative(black_box(&q), black_box(&v), black_box(10.0), black_box(&mut out)));
    let of_jacobian = nanoseconds(|| jacobian.evaluate(black_box(&slots), black_box(&mut out)));
    println!("double pendulum: closure {by_closure:.1} ns, tape {by_tape:.1} ns");
    println!("its Jacobian: by hand {by_hand:.1} ns, tape {of_jacobian:.1} ns");
    assert!(by_tape <= 3.0 * by_closure, "{by_tape} {by_closure}");
}

#[test]
#[ignore = "takes time, and measures it"]
fn long_polynomial() {
    let scope = scope();
    let text = (1..=100).map(|k| format!("{k} * y * z + {k}.5 * t - y / z")).collect::<Vec<_>>().join(" + ");
    let expression = parse_number(&text, &scope).expect("an expression");
    let tape = Tape::compile(&[&expression]);
    let values = Banks::new();
    let slots = values.slices();
    let mut out = [0.0];
    let time = nanoseconds(|| tape.evaluate(black_box(&slots), black_box(&mut out)));
    let operations = tape.operations();
    println!("{operations} operations: {time:.0} ns, {:.2} ns each", time / operations as f64);
}
