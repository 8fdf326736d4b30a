//! JSON output of the command. Its keys are a stable interface.

use serde_json::Value;

/// The keys that precede the unknowns of a class; `trace` follows the unknowns.
const BEFORE: [&str; 12] = [
    "format",
    "program",
    "class",
    "n",
    "method",
    "status",
    "stopped",
    "iterations",
    "error",
    "siconos_error",
    "tolerance",
    "seconds",
];

/// Parses the object in a text, and checks that it has these keys for the unknowns and all other keys of the
/// interface, in order.
#[track_caller]
pub(crate) fn parse(text: &str, unknowns: &[&str]) -> Value {
    let mut rest = text;
    let keys = [&BEFORE, unknowns, &["trace"]].concat();
    for key in &keys {
        let quoted = format!("\"{key}\":");
        rest = rest.split_once(&quoted).unwrap_or_else(|| panic!("{key} is out of order in {text}")).1;
    }
    let value: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(value.as_object().expect("an object").len(), keys.len(), "{text}");
    value
}

/// Compares a list of numbers.
#[track_caller]
pub(crate) fn assert_near(numbers: &Value, expected: &[f64], within: f64) {
    let numbers: Vec<_> =
        numbers.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect();
    assert_eq!(numbers.len(), expected.len());
    assert!(
        numbers.iter().zip(expected).all(|(x, y)| (x - y).abs() < within),
        "{numbers:?}, not {expected:?}"
    );
}
