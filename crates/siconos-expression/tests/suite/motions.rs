//! Derivatives along a motion, of first and higher order.

use siconos_expression::{
    Expression, Jacobian, Name, Rate, Role, Scope, Symbol, Tape, ValueKind, parse_number,
};

use crate::trees::Draw;

/// Positions and velocities of two coordinates, and the time.
const Q: [Symbol; 2] = [Symbol { slot: 0, index: 0 }, Symbol { slot: 0, index: 1 }];
const V: [Symbol; 2] = [Symbol { slot: 1, index: 0 }, Symbol { slot: 1, index: 1 }];
const T: Symbol = Symbol { slot: 2, index: 0 };

fn scope() -> Scope {
    let mut scope = Scope::new();
    for (name, symbol) in [("x", Q[0]), ("y", Q[1]), ("x'", V[0]), ("y'", V[1]), ("t", T)] {
        scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State }).expect("a new name");
    }
    scope
}

fn number(text: &str) -> Expression {
    parse_number(text, &scope()).expect(text)
}

/// A motion with constant velocities.
fn motion() -> [(Symbol, Rate); 3] {
    [(Q[0], Rate::Symbol(V[0])), (Q[1], Rate::Symbol(V[1])), (T, Rate::Number(1.0))]
}

fn along(text: &str, order: usize, (q, v, t): ([f64; 2], [f64; 2], f64)) -> f64 {
    let mut out = [f64::NAN];
    Tape::compile_along(&[&number(text)], &motion(), order).evaluate(&[&q, &v, &[t]], &mut out);
    out[0]
}

const AT: ([f64; 2], [f64; 2], f64) = ([0.75, -0.5], [2.0, -3.0], 0.25);

#[test]
fn orders_have_their_closed_forms() {
    let ([x, y], [u, v], t) = AT;
    let r = (x * x + y * y).sqrt();
    let speed = (x * u + y * v) / r;
    for (text, expected) in [
        ("7", [7.0, 0.0, 0.0]),
        ("3 * x - y + t", [3.0 * x - y + t, 3.0 * u - v + 1.0, 0.0]),
        ("x * y", [x * y, u * y + x * v, 2.0 * u * v]),
        ("x^3", [x.powi(3), 3.0 * x * x * u, 6.0 * x * u * u]),
        ("x^-1", [1.0 / x, -u / (x * x), 2.0 * u * u / x.powi(3)]),
        (
            "sin(x) + cos(2 * y)",
            [
                x.sin() + (2.0 * y).cos(),
                x.cos() * u - 2.0 * (2.0 * y).sin() * v,
                -x.sin() * u * u - 4.0 * (2.0 * y).cos() * v * v,
            ],
        ),
        ("x * sin(t)", [x * t.sin(), u * t.sin() + x * t.cos(), 2.0 * u * t.cos() - x * t.sin()]),
        ("exp(x * y)", {
            let (value, rate) = ((x * y).exp(), u * y + x * v);
            [value, rate * value, (rate * rate + 2.0 * u * v) * value]
        }),
        ("sqrt(x^2 + y^2)", [r, speed, (u * u + v * v - speed * speed) / r]),
        ("hypot(x, y)", [r, speed, (u * u + v * v - speed * speed) / r]),
        ("x / y", [x / y, (u * y - x * v) / (y * y), 2.0 * (x * v - u * y) * v / y.powi(3)]),
        ("atan2(y, x)", {
            let rate = (v * x - u * y) / (r * r);
            [y.atan2(x), rate, -2.0 * rate * speed / r]
        }),
        // The selected branch is differentiated, and jumps have no effect.
        ("abs(y)^3", [-y.powi(3), -3.0 * y * y * v, -6.0 * y * v * v]),
        ("max(x^2, y^2)", [x * x, 2.0 * x * u, 2.0 * u * u]),
        ("if(x > y, x * y, t^2)", [x * y, u * y + x * v, 2.0 * u * v]),
        ("clamp(x^2, 0, 1) + clamp(x, 1, 2)", [x * x + 1.0, 2.0 * x * u, 2.0 * u * u]),
        ("(7 * x) % x + floor(t) * x", [0.0, 0.0, 0.0]),
        ("(5 + x) % y", [0.25, u + 11.0 * v, 0.0]),
    ] {
        for (order, expected) in expected.into_iter().enumerate() {
            let found = along(text, order, AT);
            let error = (found - expected).abs();
            assert!(
                error <= 64.0 * f64::EPSILON * expected.abs().max(1.0),
                "{text}, {order}: {found} {expected}"
            );
        }
    }
    // A higher order: d^4/dt^4 sin(x) = sin(x) u^4.
    let found = along("sin(x)", 4, AT);
    assert!((found - x.sin() * u.powi(4)).abs() <= 1e-14 * u.powi(4), "{found}");
}

#[test]
fn what_does_not_move_has_no_derivative() {
    let tape = Tape::compile_along(&[&number("x * y"), &number("t^2")], &[(Q[0], Rate::Symbol(V[0]))], 1);
    assert_eq!((tape.outputs(), tape.symbols()), (2, &[Q[1], V[0]][..]));
    let mut out = [f64::NAN; 2];
    tape.evaluate(&[&AT.0, &AT.1], &mut out);
    assert_eq!(out, [AT.0[1] * AT.1[0], 0.0]);
    let still = Tape::compile_along(&[&number("x * y")], &[(Q[0], Rate::Number(0.0))], 1);
    assert_eq!((still.operations(), still.symbols().len()), (0, 0));
}

#[test]
fn a_rate_that_changes_has_a_part_as_well() {
    // x'' = -x with x' = v: the second derivative of x^2 is 2 v^2 - 2 x^2; for a constant velocity it is 2
    // v^2.
    let acceleration = Symbol { slot: 3, index: 0 };
    let rates = [(Q[0], Rate::Symbol(V[0])), (V[0], Rate::Symbol(acceleration))];
    let mut out = [0.0];
    Tape::compile_along(&[&number("x^2")], &rates, 2).evaluate(&[&[3.0], &[5.0], &[], &[-3.0]], &mut out);
    assert_eq!(out, [2.0 * 25.0 - 2.0 * 9.0]);
}

#[test]
fn the_first_order_is_the_jacobian_times_the_rates() {
    let texts = ["x^2 * y - t * x", "atan2(y, x) * exp(-t)", "max(x, y) % 0.3", "tanh(x * y) / cosh(t)"];
    let expressions: Vec<_> = texts.iter().map(|text| number(text)).collect();
    let expressions: Vec<_> = expressions.iter().collect();
    let jacobian = Jacobian::compile(&expressions, &[Q[0], Q[1], T]);
    let tape = Tape::compile_along(&expressions, &motion(), 1);
    let (q, v, t) = AT;
    let (mut matrix, mut out) = ([0.0; 12], [0.0; 4]);
    jacobian.evaluate(&[&q, &v, &[t]], &mut matrix);
    tape.evaluate(&[&q, &v, &[t]], &mut out);
    for (row, found) in matrix.chunks(3).zip(out) {
        let expected = row[0] * v[0] + row[1] * v[1] + row[2];
        assert!(
            (found - expected).abs() <= 16.0 * f64::EPSILON * (1.0 + expected.abs()),
            "{found} {expected}"
        );
    }
}

#[test]
fn the_second_order_is_the_difference_of_the_first() {
    let texts = [
        "sin(x) * cos(y) + t * x^2",
        "sqrt(1 + x^2 + y^2) - exp(-x * t)",
        "x^2.5 * ln(2 + y) + cbrt(5 + x * y)",
        "asin(x / 5) * acos(y / 5) + atan(x * y) / (1 + t^2)",
        "tan(x / 4) * sinh(y) - tanh(x - y) + asinh(x * t)",
        "acosh(5 + x * y) + atanh(y / 4) + log2(5 + x) * log10(5 + y)",
        "(4 + x)^(1 + y / 4)",
        "hypot(1 + x, y) + atan2(y, 5 + x)",
        "clamp(x * y, -100, 100) + abs(x + 10)^3 + mod(x * y + 300, 1000) * min(x^2, 100)",
    ];
    let mut draw = Draw(7);
    for text in texts {
        for _ in 0..20 {
            let q = [0.1 + draw.small().abs(), draw.small()];
            let (v, t) = ([draw.small(), draw.small()], draw.small());
            let first = |by: f64| along(text, 1, (std::array::from_fn(|k| q[k] + by * v[k]), v, t + by));
            let difference = |step: f64| (first(step) - first(-step)) / (2.0 * step);
            let expected = (4.0 * difference(5e-4) - difference(1e-3)) / 3.0;
            let found = along(text, 2, (q, v, t));
            let is_near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
            assert!(
                is_near || (found.is_nan() && expected.is_nan()),
                "{text} at {q:?}, {v:?}: {found} {expected}"
            );
        }
    }
}

/// A point that moves on a circle with the angular velocity w: x' = -w y, y' = w x.
fn turning() -> Vec<(Symbol, Rate)> {
    let w = V[0];
    vec![(Q[0], Rate::Product(-1.0, [w, Q[1]])), (Q[1], Rate::Product(1.0, [w, Q[0]]))]
}

#[test]
fn rates_of_a_turn_turn_as_well() {
    let ([x, y], [w, _], _) = AT;
    for (text, expected) in [
        ("x", [x, -w * y, -w * w * x]),
        ("y", [y, w * x, -w * w * y]),
        ("x^2 + y^2", [x * x + y * y, 0.0, 0.0]),
        ("x * y", [x * y, w * (x * x - y * y), -4.0 * w * w * x * y]),
    ] {
        for (order, expected) in expected.into_iter().enumerate() {
            let mut out = [f64::NAN];
            let tape = Tape::compile_along(&[&number(text)], &turning(), order);
            tape.evaluate(&[&[x, y], &[w]], &mut out);
            assert!((out[0] - expected).abs() < 1e-14, "{text}, order {order}: {}", out[0]);
        }
    }
}

#[test]
fn directions_stand_beside_each_other() {
    let texts = ["x * y", "3 + y", "sin(x)", "7"].map(number);
    let expressions: Vec<_> = texts.iter().collect();
    let ([x, y], ..) = AT;
    let turn = vec![(Q[0], Rate::Multiple(-1.0, Q[1])), (Q[1], Rate::Multiple(1.0, Q[0]))];
    let axes = Q.map(|own| vec![(own, Rate::Number(1.0))]);
    let mut out = [f64::NAN; 12];
    let tape = Tape::compile_directions(&expressions, &[axes[0].clone(), turn, axes[1].clone()]);
    tape.evaluate(&[&[x, y]], &mut out);
    // Structurally zero entries are left unchanged.
    let mut jacobian = [0.0; 8];
    Jacobian::compile(&expressions, &Q).evaluate(&[&[x, y]], &mut jacobian);
    for (row, by) in out.chunks(3).zip(jacobian.chunks(2)) {
        assert_eq!([row[0], row[2]], [by[0], by[1]]);
        assert!((row[1] - (x * by[1] - y * by[0])).abs() < 1e-15, "{row:?}");
    }
}
