//! Arbitrary text as an expression, an action, a trigger and user-defined functions: no panic occurs, and
//! printed expressions are read as equal expressions.

use std::fmt;

use siconos_expression::{
    Expression, FunctionDefinition, FunctionErrorKind, Jacobian, Name, ParseError, Rate, Role, Scope, Symbol,
    Tape, ValueKind, is_constant_sum, parse_action, parse_expression, parse_trigger,
};

const TIME: u32 = 0;
const STATE: u32 = 1;
const DISCRETE: u32 = 2;
const BEFORE: u32 = 3;
const TEMPORARIES: u32 = 4;

/// Values of an argument slot of [`scope`].
const VALUES: [f64; 3] = [0.5, -2.0, 1.0];

/// Maximum length of a text. Longer texts are skipped, because they take time without testing more.
const LONGEST: usize = 4096;

/// Passes the bytes to all parsers, and the results to all functions that use them.
///
/// # Panics
///
/// If a function panics, if the position of an error is not in the text, or if a printed expression is not
/// read as an equal expression.
pub fn check(bytes: &[u8]) {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST) else { return };
    declare_lines(text);
    let in_events = scope().with_previous(STATE, BEFORE).with_previous(DISCRETE, BEFORE);
    for scope in [scope(), scope().without_events(), in_events] {
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
        ("t", TIME, 0, ValueKind::Real, Role::Independent),
        ("y", STATE, 0, ValueKind::Real, Role::State),
        ("y'", STATE, 1, ValueKind::Real, Role::Derivative),
        ("k", STATE, 2, ValueKind::Real, Role::Parameter),
        ("ball.q", STATE, 0, ValueKind::Real, Role::State),
        ("arm.q[1]'", STATE, 1, ValueKind::Real, Role::Derivative),
        ("n", DISCRETE, 1, ValueKind::Integer, Role::Discrete),
        ("on", DISCRETE, 2, ValueKind::Boolean, Role::Discrete),
    ];
    let mut scope = Scope::new();
    for (name, slot, index, kind, role) in names {
        scope.declare(name, Name { symbol: Symbol { slot, index }, kind, role }).expect("a new name");
    }
    let functions = [
        FunctionDefinition::new("f", ["x"], "if x > 0 then g(x, k) else 0"),
        FunctionDefinition::new("g", ["x", "y"], "x % y - clamp(x * ball.q, -1, y)"),
    ];
    scope.declare_functions(&functions).expect("right functions");
    scope
}

/// Declares the lines of a text as functions f0, f1, .. of x and y, which may call each other.
fn declare_lines(text: &str) {
    let mut scope = scope();
    let definitions: Vec<_> = text
        .lines()
        .enumerate()
        .map(|(place, line)| FunctionDefinition::new(format!("f{place}"), ["x", "y"], line))
        .collect();
    let diagnostics = scope.declare_functions(&definitions).map_or_else(|errors| errors.0, |()| Vec::new());
    for fault in &diagnostics {
        let FunctionErrorKind::Text(error) = &fault.kind else { panic!("{fault}") };
        assert!(definitions[fault.definition].text.get(error.span.clone()).is_some(), "{fault}");
    }
    for place in 0..definitions.len() {
        let call = format!("f{place}(y - 1, f{place}(k, t))");
        if let Some(expression) = round_trip(&call, |text| parse_expression(text, &scope)) {
            use_expression(&expression);
        }
    }
}

fn round_trip<T: PartialEq + fmt::Debug + fmt::Display>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, ParseError>,
) -> Option<T> {
    match parse(text) {
        Ok(read) => {
            let printed = read.to_string();
            // An expression with expanded functions may be too long to be read again.
            if printed.len() > siconos_expression::MAX_TEXT_BYTES {
                return Some(read);
            }
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

/// Maximum size of an expression that is compiled. Larger ones take time without testing more.
const LARGEST: usize = 1 << 16;

/// Evaluates an expression node by node and compiled, differentiates it, and tests whether it is constant.
fn use_expression(expression: &Expression) {
    if expression.to_string().len() > LARGEST {
        return;
    }
    let banks = [&VALUES[..]; 4];
    let expected = expression.evaluate(&banks);
    let mut out = [0.0];
    Tape::compile(&[expression]).evaluate(&banks, &mut out);
    assert!(out[0].to_bits() == expected.to_bits() || (out[0].is_nan() && expected.is_nan()), "{expression}");

    let variables: Vec<Symbol> = expression.symbols().collect();
    let jacobian = Jacobian::compile(&[expression], &variables);
    let mut row = vec![0.0; variables.len()];
    jacobian.evaluate(&banks, &mut row);
    let motion: Vec<_> = variables.iter().map(|variable| (*variable, Rate::Number(1.0))).collect();
    Tape::compile_along(&[expression], &motion, 2).evaluate(&banks, &mut out);
    is_constant_sum(expression, expression, true, |symbol| symbol.slot == TIME);
}
