//! Printed expressions are parsed to equal expressions.

use proptest::prelude::*;
use siconos_expression::parse_expression;

use crate::drawn::{Choices, choices, config};
use crate::model::event_scope;

/// Prints and parses an expression, and returns the printed text.
fn round_trip(text: &str) -> String {
    let scope = event_scope();
    let read = parse_expression(text, &scope).expect(text);
    let printed = read.to_string();
    let again = parse_expression(&printed, &scope).unwrap_or_else(|error| panic!("{printed}: {error}"));
    assert_eq!(again, read, "{text} as {printed}");
    assert_eq!(again.to_string(), printed);
    printed
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn drawn_numbers(mut choices in choices()) {
        round_trip(&choices.number(6, true));
    }

    #[test]
    fn drawn_conditions(mut choices in choices()) {
        round_trip(&choices.condition(6, true));
    }

    #[test]
    fn numbers_keep_their_bits(number in any::<f64>().prop_filter("finite", |number| number.is_finite())) {
        let number = number.abs();
        let read = parse_expression(&format!("{number:e}"), &event_scope()).expect("a number");
        prop_assert_eq!(read.constant().map(f64::to_bits), Some(number.to_bits()));
        round_trip(&read.to_string());
    }
}

#[test]
fn parentheses_stand_where_they_are_needed() {
    for (text, expected) in [
        ("((y + z)) + k", "y + z + k"),
        ("y + (z + k)", "y + (z + k)"),
        ("(y - z) - k", "y - z - k"),
        ("y - (z - k)", "y - (z - k)"),
        ("(y * z) / k", "y * z / k"),
        ("y * (z / k)", "y * (z / k)"),
        ("(y + z) * k", "(y + z) * k"),
        ("(y % z) * k", "y % z * k"),
        ("y % (z / k)", "y % (z / k)"),
        ("(y + z) % k", "(y + z) % k"),
        ("clamp((y), (0), if(on, 1, 2))", "clamp(y, 0.0, if on then 1.0 else 2.0)"),
        ("1 + if(on, 1, 2 + 3)", "1.0 + (if on then 1.0 else 2.0 + 3.0)"),
        ("if(on, if(open, 1, 2), 3)", "if on then if open then 1.0 else 2.0 else 3.0"),
        ("(y ^ z) ^ k", "(y^z)^k"),
        ("y ^ (z ^ k)", "y^z^k"),
        ("(-y) ^ z", "(-y)^z"),
        ("-(y ^ z)", "-y^z"),
        ("y ^ (-z)", "y^-z"),
        ("y ^ -(z ^ k)", "y^-z^k"),
        ("-(y * z)", "-(y * z)"),
        ("(-y) * z", "-y * z"),
        ("-(-y)", "--y"),
        ("not (not on)", "not not on"),
        ("not (y < z)", "not y < z"),
        ("(not on) == open", "(not on) == open"),
        ("(on and open) or on", "on and open or on"),
        ("on and (open or on)", "on and (open or on)"),
        ("(on implies open) implies on", "(on implies open) implies on"),
        ("on implies (open implies on)", "on implies open implies on"),
        ("(if on then 1 else 2) + (3)", "(if on then 1.0 else 2.0) + 3.0"),
        ("if on then (1) else (2 + 3)", "if on then 1.0 else 2.0 + 3.0"),
        ("max((y), (if on then 1 else 2))", "max(y, if on then 1.0 else 2.0)"),
        ("log(y)", "ln(y)"),
        ("pre(y + z)", "pre(y) + pre(z)"),
        ("change(on)", "on != pre(on)"),
        ("tau", "6.283185307179586"),
    ] {
        assert_eq!(round_trip(text), expected);
    }
}

#[test]
fn deep_expressions_survive() {
    // The printed text is never deeper than the parsed text.
    for (open, inner, close) in [
        ("(", "y", "+1)*2"),
        ("2^-", "y", ""),
        ("y - (", "y", ")"),
        ("not (on and ", "on", ")"),
        ("not (", "edge(on)", ")"),
        ("(if on then y else ", "y", ")"),
        ("1 * (if on then y else ", "y", ")"),
    ] {
        let text = |depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
        let scope = event_scope();
        let deepest = (1..=200).rev().find(|&depth| parse_expression(&text(depth), &scope).is_ok());
        round_trip(&text(deepest.expect("a shallow one is read")));
    }
    assert_eq!(round_trip(&Choices::new(Vec::new()).number(3, false)), "y");
}
