//! What an evaluation takes, beside a closure:
//! `cargo test --release -p siconos-expression --test suite -- timing --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use siconos_expression::{Jacobian, Tape, parse_number};

use crate::model::{Banks, scope, symbol};

/// The least time of one call \[ns\], of 20 runs of a million.
fn nanoseconds(mut work: impl FnMut()) -> f64 {
    const CALLS: u32 = 1_000_000;
    let run = |_| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| work());
        start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
    };
    (0..20).map(run).fold(f64::INFINITY, f64::min)
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
    let banks = values.slices();
    let by_tape = nanoseconds(|| tape.evaluate(black_box(&banks), black_box(&mut out)));
    let of_jacobian = nanoseconds(|| jacobian.evaluate(black_box(&banks), black_box(&mut out)));
    println!("van der Pol: closure {by_closure:.1} ns, tape {by_tape:.1} ns, Jacobian {of_jacobian:.1} ns");
}

#[test]
#[ignore = "takes time, and measures it"]
fn long_polynomial() {
    let scope = scope();
    let text = (1..=100).map(|k| format!("{k} * y * z + {k}.5 * t - y / z")).collect::<Vec<_>>().join(" + ");
    let expression = parse_number(&text, &scope).expect("an expression");
    let tape = Tape::compile(&[&expression]);
    let values = Banks::new();
    let banks = values.slices();
    let mut out = [0.0];
    let time = nanoseconds(|| tape.evaluate(black_box(&banks), black_box(&mut out)));
    let operations = tape.operations();
    println!("{operations} operations: {time:.0} ns, {:.2} ns each", time / operations as f64);
}
