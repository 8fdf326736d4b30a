//! Compiled texts compared with equivalent closures: `expression/quantity/form`.
//!
//! - `forces`: the sum of the gyroscopic and internal forces of the double pendulum at one point.
//! - `forces_of_functions`: the same forces, where the text calls user-defined functions.
//! - `mass`: the mass matrix of the double pendulum.
//! - `jacobian`: the derivative of the forces with respect to the angles, which the closure computes
//!   explicitly.
//! - `reading`: parsing and compiling the text of the forces, once per model.
//!
//! Requirement: a compiled text takes at most three times as long as an optimised closure.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use siconos_examples::double_pendulum::exact_derivative;
use siconos_expression::{
    Expression, FunctionDefinition, Jacobian, Name, Role, Scope, Symbol, Tape, ValueKind, parse_number,
};

/// Names with their argument slots: slot 0 for angles, slot 1 for velocities, slot 2 for parameters.
const NAMES: [(&str, u32, u32); 5] =
    [("q[0]", 0, 0), ("q[1]", 0, 1), ("v[0]", 1, 0), ("v[1]", 1, 1), ("g", 2, 0)];

const FORCES: [&str; 2] =
    ["v[1] * v[1] * sin(q[0] - q[1]) + 2 * g * sin(q[0])", "-v[0] * v[0] * sin(q[0] - q[1]) + g * sin(q[1])"];
const CALLS: [&str; 2] = ["gyroscopic(v[1]) + weight(2, q[0])", "-gyroscopic(v[0]) + weight(1, q[1])"];
const MASS: [&str; 4] = ["2", "cos(q[0] - q[1])", "cos(q[0] - q[1])", "1"];

const Q: [f64; 2] = [0.7, -0.4];
const V: [f64; 2] = [1.5, -2.5];
const G: f64 = 10.0;

fn forces(q: &[f64], v: &[f64], g: f64, f: &mut [f64]) {
    let s = (q[0] - q[1]).sin();
    (f[0], f[1]) = (v[1] * v[1] * s + 2.0 * g * q[0].sin(), -v[0] * v[0] * s + g * q[1].sin());
}

fn mass(q: &[f64], m: &mut [f64]) {
    let c = (q[0] - q[1]).cos();
    (m[0], m[1], m[2], m[3]) = (2.0, c, c, 1.0);
}

fn scope() -> Result<Scope, Box<dyn std::error::Error>> {
    let mut scope = Scope::new().without_events();
    for (name, slot, index) in NAMES {
        scope.declare(
            name,
            Name { symbol: Symbol { slot, index }, kind: ValueKind::Real, role: Role::State },
        )?;
    }
    scope.declare_functions(&[
        FunctionDefinition::new("gyroscopic", ["rate"], "square(rate) * sin(q[0] - q[1])"),
        FunctionDefinition::new("weight", ["mass", "angle"], "mass * g * sin(angle)"),
        FunctionDefinition::new("square", ["x"], "x * x"),
    ])?;
    Ok(scope)
}

fn tape(expressions: &[Expression]) -> Tape {
    Tape::compile(&expressions.iter().collect::<Vec<_>>())
}

fn all(criterion: &mut Criterion) -> Result<(), Box<dyn std::error::Error>> {
    let scope = scope()?;
    let read =
        |texts: &[&str]| texts.iter().map(|text| parse_number(text, &scope)).collect::<Result<Vec<_>, _>>();
    let of_forces = read(&FORCES)?;
    let banks: [&[f64]; 3] = [&Q, &V, &[G]];
    let mut group = criterion.benchmark_group("expression");

    group.bench_function(BenchmarkId::new("forces", "closure"), |bencher| {
        let mut out = [0.0; 2];
        bencher.iter(|| forces(black_box(&Q), black_box(&V), black_box(G), black_box(&mut out)));
    });
    for (name, tape) in [("forces", tape(&of_forces)), ("forces_of_functions", tape(&read(&CALLS)?))] {
        let (mut found, mut expected) = ([0.0; 2], [0.0; 2]);
        tape.evaluate(&banks, &mut found);
        forces(&Q, &V, G, &mut expected);
        assert_eq!(found, expected, "{name}: the forms differ");
        group.bench_function(BenchmarkId::new(name, "tape"), |bencher| {
            bencher.iter(|| tape.evaluate(black_box(&banks), black_box(&mut found)));
        });
    }

    let mut out = [0.0; 4];
    group.bench_function(BenchmarkId::new("mass", "closure"), |bencher| {
        bencher.iter(|| mass(black_box(&Q), black_box(&mut out)));
    });
    let of_mass = tape(&read(&MASS)?);
    group.bench_function(BenchmarkId::new("mass", "tape"), |bencher| {
        bencher.iter(|| of_mass.evaluate(black_box(&banks), black_box(&mut out)));
    });

    group.bench_function(BenchmarkId::new("jacobian", "closure"), |bencher| {
        bencher.iter(|| exact_derivative(black_box(&Q), black_box(&V), black_box(G)));
    });
    let angles = [0, 1].map(|index| Symbol { slot: 0, index });
    let jacobian = Jacobian::compile(&of_forces.iter().collect::<Vec<_>>(), &angles);
    group.bench_function(BenchmarkId::new("jacobian", "tape"), |bencher| {
        bencher.iter(|| jacobian.evaluate(black_box(&banks), black_box(&mut out)));
    });

    group.bench_function(BenchmarkId::new("reading", "forces"), |bencher| {
        bencher.iter(|| read(black_box(&FORCES)).map(|expressions| tape(&expressions)));
    });
    group.finish();
    Ok(())
}

fn benches(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        panic!("a text of the benches is not read: {error}");
    }
}

criterion_group!(group, benches);
criterion_main!(group);
