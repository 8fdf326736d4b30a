//! Any text as an expression, an action and a trigger: no panic, and what is read is printed so that it is
//! read as the same.

use std::fmt;

use siconos_expression::{
    Expression, Jacobian, Kind, Name, ParseError, Role, Scope, Symbol, Tape, is_constant_sum, parse_action,
    parse_expression, parse_trigger,
};

const TIME: u32 = 0;
const STATE: u32 = 1;
const DISCRETE: u32 = 2;
const BEFORE: u32 = 3;
const TEMPORARIES: u32 = 4;

/// As many as a bank of [`scope`] has.
const VALUES: [f64; 3] = [0.5, -2.0, 1.0];

/// Longer texts are left out: they take time and show nothing that shorter ones do not.
const LONGEST: usize = 4096;

/// Takes the bytes through all that reads text, and what is read through all that uses it.
///
/// # Panics
///
/// When one of them does, a place of an error is no part of the text, or something is not read as it was
/// printed.
pub fn check(bytes: &[u8]) {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST) else { return };
    for scope in [scope(), scope().with_previous(STATE, BEFORE).with_previous(DISCRETE, BEFORE)] {
        if let Some(expression) = round_trip(text, |text| parse_expression(text, &scope)) {
            use_expression(&expression);
        }
        round_trip(text, |text| parse_trigger(text, &scope));
        let with_temporaries = scope.with_temporaries(TEMPORARIES);
        round_trip(text, |text| parse_action(text, &with_temporaries));
    }
}

fn scope() -> Scope {
    let names = [
        ("t", TIME, 0, Kind::Real, Role::Independent),
        ("y", STATE, 0, Kind::Real, Role::State),
        ("y'", STATE, 1, Kind::Real, Role::Derivative),
        ("k", STATE, 2, Kind::Real, Role::Parameter),
        ("n", DISCRETE, 1, Kind::Integer, Role::Discrete),
        ("on", DISCRETE, 2, Kind::Boolean, Role::Discrete),
    ];
    let mut scope = Scope::new();
    for (name, bank, index, kind, role) in names {
        scope.declare(name, Name { symbol: Symbol { bank, index }, kind, role }).expect("a new name");
    }
    scope
}

fn round_trip<T: PartialEq + fmt::Debug + fmt::Display>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, ParseError>,
) -> Option<T> {
    match parse(text) {
        Ok(read) => {
            let printed = read.to_string();
            let again =
                parse(&printed).unwrap_or_else(|error| panic!("{}", error.in_source("", &printed, 0)));
            assert_eq!(again, read, "{printed}");
            Some(read)
        }
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.in_source("file", text, 0).is_empty());
            None
        }
    }
}

/// Evaluates in both ways, differentiates, and asks for constancy.
fn use_expression(expression: &Expression) {
    let banks = [&VALUES[..]; 4];
    let expected = expression.evaluate(&banks);
    let mut out = [0.0];
    Tape::compile(&[expression]).evaluate(&banks, &mut out);
    assert!(out[0].to_bits() == expected.to_bits() || (out[0].is_nan() && expected.is_nan()), "{expression}");

    let variables: Vec<Symbol> = expression.symbols().collect();
    let jacobian = Jacobian::compile(&[expression], &variables);
    let mut row = vec![0.0; variables.len()];
    jacobian.evaluate(&banks, &mut row);
    is_constant_sum(expression, expression, true, |symbol| symbol.bank == TIME);
}
