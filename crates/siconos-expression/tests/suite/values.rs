//! Values of expressions: the precedence of operators, functions, and values that are not finite.

use std::f64::consts::{PI, TAU};

use siconos_expression::{Tape, Type, parse_expression};

use crate::model::{Banks, assert_same, event_scope, scope};
use crate::trees::{KINKED, SMOOTH};

/// Returns the value of an expression, after checking that a tape gives the same value.
#[track_caller]
pub(crate) fn value(text: &str, slots: &Banks) -> f64 {
    let expression = parse_expression(text, &event_scope()).expect(text);
    let value = expression.evaluate(&slots.slices());
    let mut out = [0.0];
    Tape::compile(&[&expression]).evaluate(&slots.slices(), &mut out);
    assert_same(out[0], value, text);
    value
}

#[track_caller]
fn assert_value(text: &str, expected: f64) {
    assert_same(value(text, &Banks::new()), expected, text);
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (text, expected) in [
        ("1", 1.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e-3", 1e-3),
        ("1.5E+7", 1.5e7),
        ("2.e1", 20.0),
        ("0.1", 0.1),
        ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
        ("5e-324", 5e-324),
        ("1e-400", 0.0),
        ("1.7976931348623157e308", f64::MAX),
        ("pi", PI),
        ("tau", TAU),
        ("inf", f64::INFINITY),
        ("-inf", f64::NEG_INFINITY),
        ("1 / inf", 0.0),
        ("inf - inf", f64::NAN),
        ("true", 1.0),
        ("false", 0.0),
    ] {
        assert_value(text, expected);
    }
}

#[test]
fn operators_bind_as_they_should() {
    let (y, z, k) = (0.5_f64, 3.5, 1.5);
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("1 - 2 - 3", -4.0),
        ("1 - (2 - 3)", 2.0),
        ("8 / 4 / 2", 1.0),
        ("8 / 4 * 2", 4.0),
        ("0.1 + 0.2 + 0.3", 0.1 + 0.2 + 0.3),
        ("0.1 + (0.2 + 0.3)", 0.1 + (0.2 + 0.3)),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("(2^3)^2", 64.0),
        ("2^-1", 0.5),
        ("2^-1^2", 0.5),
        ("2^-3 * 4", 0.5),
        ("-2 * 3", -6.0),
        ("2 * -3", -6.0),
        ("2 - -3", 5.0),
        ("7 % 4 * 2", 6.0),
        ("7 * 4 % 5", 3.0),
        ("-7 % 4", -3.0),
        ("7 % -4", 3.0),
        ("-7 % 4^2", -7.0),
        ("1 + 7 % 4", 4.0),
        ("y * 0.1 * 0.3", y * 0.1 * 0.3),
        ("--2", 2.0),
        ("-y * z + k", -y * z + k),
        ("y / z * k - y * z / k", y / z * k - y * z / k),
        ("z\n+\ty", z + y),
    ] {
        assert_value(text, expected);
    }
}

#[test]
fn conditions_bind_as_they_should() {
    for (text, expected) in [
        ("1 < 2", true),
        ("2 <= 2", true),
        ("2 > 2", false),
        ("2 >= 3", false),
        ("1 + 1 == 2", true),
        ("1 != 1", false),
        ("true == false", false),
        ("true != false", true),
        ("not true == false", true),
        ("not false and false", false),
        ("not (false and false)", true),
        ("true or true and false", true),
        ("(true or true) and false", false),
        ("true xor true and false", true),
        ("true or true xor true", true),
        ("(true or true) xor true", false),
        ("false implies true implies false", true),
        ("(false implies true) implies false", false),
        ("true or false implies false", false),
        ("not not true", true),
        ("1 < 2 and 2 < 3", true),
        ("(1 < 2) == (2 < 3)", true),
    ] {
        assert_value(text, f64::from(u8::from(expected)));
    }
}

#[test]
fn words_have_their_truth_tables() {
    type Word = fn(bool, bool) -> bool;
    let words: [(&str, Word); 6] = [
        ("and", |a, b| a & b),
        ("or", |a, b| a | b),
        ("xor", |a, b| a ^ b),
        ("implies", |a, b| !a | b),
        ("==", |a, b| a == b),
        ("!=", |a, b| a != b),
    ];
    for (word, function) in words {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut slots = Banks::new();
            slots.set("on", f64::from(u8::from(a)));
            slots.set("open", f64::from(u8::from(b)));
            let text = format!("on {word} open");
            assert_same(value(&text, &slots), f64::from(u8::from(function(a, b))), &text);
        }
    }
}

#[test]
fn choices_take_a_side() {
    for (text, expected) in [
        ("if 1 < 2 then 3 else 4", 3.0),
        ("if 1 > 2 then 3 else 4 + 1", 5.0),
        ("(if 1 > 2 then 3 else 4) + 1", 5.0),
        ("if false then 1 else if true then 2 else 3", 2.0),
        ("if if true then false else true then 1 else 2", 2.0),
        ("sin(if true then 0 else 1)", 0.0),
        ("if y > 0 then sqrt(y) else 0", 0.5_f64.sqrt()),
        ("if y < 0 then sqrt(-y) else 0", 0.0),
        ("if(1 < 2, 3, 4)", 3.0),
        ("2 * if(1 > 2, 3, 4) + 1", 9.0),
        ("-if(1 < 2, 3, 4)^2", -9.0),
        ("if(true, 1 < 2, false) implies false", 0.0),
        ("if (1 < 2) then 3 else 4", 3.0),
        ("if (1 < 2) and max(1, 2) > 3 then 3 else 4", 4.0),
        ("if (max(1, 2) > 1) then 3 else if(true, 5, 6)", 3.0),
        ("if((1 < 2), if(true, 1, 2), (3))", 1.0),
    ] {
        assert_value(text, expected);
    }
}

/// Numbers of both signs, including zeros, infinities and NaN.
pub(crate) const SPECIAL: [f64; 15] = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    2.5,
    -2.5,
    1e300,
    -1e300,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    17.0,
];

#[test]
fn functions_are_those_of_doubles() {
    let kinked = KINKED.map(|(function, _)| function);
    for (name, function) in SMOOTH.into_iter().chain(kinked).chain([("log", f64::ln as fn(f64) -> f64)]) {
        for x in SPECIAL {
            let mut slots = Banks::new();
            slots.set("y", x);
            let text = format!("{name}(y)");
            assert_same(value(&text, &slots), function(x), &format!("{text} at {x}"));
        }
    }
}

#[test]
fn operations_are_those_of_doubles() {
    type Function = fn(f64, f64) -> f64;
    let functions: [(&str, Function); 16] = [
        ("y + z", |a, b| a + b),
        ("y - z", |a, b| a - b),
        ("y * z", |a, b| a * b),
        ("y / z", |a, b| a / b),
        ("y % z", |a, b| a % b),
        ("atan2(y, z)", f64::atan2),
        ("hypot(y, z)", f64::hypot),
        ("min(y, z)", |a, b| a.min(b)),
        ("max(y, z)", |a, b| a.max(b)),
        ("mod(y, z)", |a, b| a - b * (a / b).floor()),
        ("y < z", |a, b| f64::from(u8::from(a < b))),
        ("y <= z", |a, b| f64::from(u8::from(a <= b))),
        ("y > z", |a, b| f64::from(u8::from(a > b))),
        ("y >= z", |a, b| f64::from(u8::from(a >= b))),
        ("y == z", |a, b| f64::from(u8::from(a == b))),
        ("y != z", |a, b| f64::from(u8::from(a != b))),
    ];
    for (text, function) in functions {
        for (a, b) in SPECIAL.into_iter().flat_map(|a| SPECIAL.map(|b| (a, b))) {
            // `min` and `max` of two zeros may return either.
            if a == 0.0 && b == 0.0 && text.starts_with('m') {
                continue;
            }
            let mut slots = Banks::new();
            slots.set("y", a);
            slots.set("z", b);
            assert_same(value(text, &slots), function(a, b), &format!("{text} at {a}, {b}"));
        }
    }
}

#[test]
fn small_whole_powers_are_products() {
    type Function = fn(f64) -> f64;
    let powers: [(&str, Function); 12] = [
        ("y^0", |_| 1.0),
        ("y^1", |x| x),
        ("y^2", |x| x * x),
        ("y^3", |x| (x * x) * x),
        ("y^4", |x| (x * x) * (x * x)),
        ("y^5", |x| (x * x) * (x * x) * x),
        ("y^6", |x| ((x * x) * x) * ((x * x) * x)),
        ("y^-1", |x| 1.0 / x),
        ("y^-3", |x| 1.0 / ((x * x) * x)),
        ("y^16", |x| (0..4).fold(x, |power, _| power * power)),
        ("y^17", |x| x.powf(17.0)),
        ("y^0.5", |x| x.powf(0.5)),
    ];
    for (text, power) in powers {
        for x in SPECIAL.into_iter().chain([1.1, -0.3]) {
            let mut slots = Banks::new();
            slots.set("y", x);
            assert_same(value(text, &slots), power(x), &format!("{text} at {x}"));
        }
    }
}

#[test]
fn exponents_that_vary_give_the_powers_of_those_that_do_not() {
    for exponent in [-16.0, -3.0, -0.5, 0.0, 1.0, 2.0, 3.0, 13.0, 16.0, 17.0, 2.5] {
        for x in SPECIAL.into_iter().chain([1.1, -0.3]) {
            let mut slots = Banks::new();
            slots.set("y", x);
            slots.set("k", exponent);
            let constant = if exponent < 0.0 { format!("y^-{}", -exponent) } else { format!("y^{exponent}") };
            assert_same(value("y^k", &slots), value(&constant, &slots), &format!("{constant} at {x}"));
        }
    }
}

#[test]
fn events_compare_with_what_was_before() {
    // Before the event: level -2.5, count 2, on false, y 0.25. Now: level -2.5, count 3, on true, y 0.5.
    for (text, expected) in [
        ("pre(y)", 0.25),
        ("pre(y + y')", 1.25),
        ("pre(count)", 2.0),
        ("change(count)", 1.0),
        ("change(level)", 0.0),
        ("change(on)", 1.0),
        ("rising_edge(on)", 1.0),
        ("edge(on)", 1.0),
        ("falling_edge(on)", 0.0),
        ("falling_edge(not on)", 1.0),
        ("rising_edge(y)", 1.0),
        ("falling_edge(y)", 0.0),
        ("falling_edge(2 - y)", 1.0),
        ("rising_edge(y > 0.3)", 1.0),
        ("edge(open)", 0.0),
        ("2 * pre(y) + 1", 1.5),
        ("change(z) or change(armed)", 0.0),
    ] {
        assert_value(text, expected);
    }
}

#[test]
fn event_functions_are_short_for_what_they_mean() {
    for (short, long) in [
        ("change(y)", "y != pre(y)"),
        ("rising_edge(on)", "not pre(on) and on"),
        ("rising_edge(y)", "pre(y) < y"),
        ("falling_edge(on)", "not on and pre(on)"),
        ("falling_edge(y)", "y < pre(y)"),
        ("edge(on)", "rising_edge(on)"),
        ("pre(2 * y)", "2 * pre(y)"),
    ] {
        let read = |text: &str| parse_expression(text, &event_scope()).expect(text);
        assert_eq!(read(short), read(long), "{short}");
    }
}

#[test]
fn expressions_know_what_they_read() {
    let scope = event_scope();
    let expression = parse_expression("z * y + pre(z) * y - k", &scope).expect("names are known");
    let symbols: Vec<_> = expression.symbols().map(|symbol| (symbol.slot, symbol.index)).collect();
    assert_eq!(symbols, [(1, 3), (1, 0), (4, 3), (2, 0)]);
    assert!(expression.reads_previous());
    assert_eq!(expression.variable(), None);
    assert_eq!(expression.constant(), None);
    assert_eq!(expression.value_type(), Type::Number);
    assert_eq!(expression.span(), 0..22);

    let before = parse_expression("pre(z)", &scope).expect("names are known");
    assert_eq!(before.symbols().map(|symbol| symbol.slot).collect::<Vec<_>>(), [4]);
    assert_eq!(before.variable(), before.symbols().next());
    let plain = parse_expression(" (y) ", &crate::model::scope()).expect("names are known");
    assert!(!plain.reads_previous());
    assert_eq!(plain.variable(), plain.symbols().next());
}

#[test]
fn scopes_list_their_names() {
    let scope = scope();
    let names: Vec<_> = scope.iter().map(|(name, _)| name).collect();
    assert!(names.is_sorted() && names.contains(&"y''"), "{names:?}");
    assert!(scope.get("y").is_some() && scope.get("x").is_none());
}
