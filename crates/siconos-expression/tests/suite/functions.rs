//! User-defined functions.

use siconos_expression::{
    Expression, FunctionDefinition, FunctionErrorKind, Jacobian, ParseError, ParseErrorKind, Scope, Tape,
    Type, parse_action, parse_expression, parse_number,
};

use crate::marked::assert_error;
use crate::model::{Banks, event_scope, scope, symbol};

fn define(name: &str, arguments: &[&str], text: &str) -> FunctionDefinition {
    FunctionDefinition::new(name, arguments.iter().copied(), text)
}

/// A scope with functions that call each other, declared in arbitrary order.
fn with_functions() -> Scope {
    let mut scope = event_scope();
    scope.declare_constant("half", 0.5).expect("a new name");
    scope
        .declare_functions(&[
            define("push", &["depth"], "k * positive(depth)^1.5"),
            define("positive", &["x"], "max(x, 0)"),
            define("energy", &["v", "m"], "half * m * v^2"),
            define("is_near", &["a", "b"], "abs(a - b) <= nothing() + half"),
            define("nothing", &[], "0"),
        ])
        .expect("right functions");
    scope
}

#[track_caller]
fn number(text: &str) -> Expression {
    parse_number(text, &with_functions()).expect(text)
}

#[test]
fn a_call_is_the_text_written_out() {
    for (call, written_out) in [
        ("push(y - z)", "k * max(y - z, 0)^1.5"),
        ("push(-y) + push(y)", "k * max(-y, 0)^1.5 + k * max(y, 0)^1.5"),
        ("energy(y' - 1, mu)", "0.5 * mu * (y' - 1)^2"),
        ("energy(energy(y, z), push(k))", "0.5 * (k * max(k, 0)^1.5) * (0.5 * z * y^2)^2"),
        ("nothing()", "0"),
        ("if is_near(y, z + 1) then 1 else 2", "if abs(y - (z + 1)) <= 0 + 0.5 then 1 else 2"),
        ("pre(push(y))", "pre(k) * max(pre(y), 0)^1.5"),
    ] {
        let scope =
            if call.starts_with("pre") { with_functions().with_previous(2, 2) } else { with_functions() };
        let [call, written_out] = [call, written_out]
            .map(|text| parse_number(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}")));
        assert_eq!(call.to_string(), written_out.to_string());
        assert_eq!(call, written_out);
        assert_eq!(Tape::compile(&[&call]).operations(), Tape::compile(&[&written_out]).operations());
        assert_eq!(parse_number(&call.to_string(), &scope), Ok(call));
    }
}

#[test]
fn a_call_has_a_type_and_derivatives() {
    let read = parse_expression("is_near(y, z)", &with_functions()).expect("a condition");
    assert_eq!(read.value_type(), Type::Condition);
    assert_eq!(read.span(), 0..13);
    let mut row = [0.0; 2];
    let mut slots = Banks::new();
    slots.set("y", 4.0);
    let variables = [symbol("y"), symbol("k")];
    Jacobian::compile(&[&number("push(y)")], &variables).evaluate(&slots.slices(), &mut row);
    assert_eq!(row, [1.5 * 1.5 * 2.0, 8.0]);
}

#[test]
fn an_argument_hides_what_has_its_name() {
    let mut scope = scope();
    scope.declare_function("twice", &["y"], "y + y").expect("a right function");
    scope.declare_function("other", &["twice"], "2 * twice + y").expect("a right function");
    let other = parse_number("other(z)", &scope).expect("a number");
    assert_eq!(other.to_string(), "2.0 * z + y");
    // A name that is declared later has no effect: the text keeps its meaning.
    assert_eq!(parse_number("twice(y * z)", &scope).expect("a number").to_string(), "y * z + y * z");
}

#[test]
fn calls_are_refused_where_they_are_wrong() {
    let refused = |marked: &str, message: &str| {
        assert_error(|text| parse_expression(text, &with_functions()), marked, message);
    };
    refused("«push()»", "`push` takes 1 argument, found 0");
    refused("1 + «energy(y)»", "`energy` takes 2 arguments, found 1");
    refused("«energy(y, z, k)» + 1", "`energy` takes 2 arguments, found 3");
    refused("«nothing(1)»", "`nothing` takes 0 arguments, found 1");
    refused("push(«on»)", "expected a number, found a condition");
    refused("1 + «is_near(1, 2)»", "expected a number, found a condition");
    refused("«push»", "`push` is a function; give its argument in parentheses");
    refused("«pusch»(1)", "unknown function `pusch`; did you mean `push`?");
    let action = |text: &str| parse_action(text, &with_functions());
    assert_error(action, "«push» = 1", "`push` is a function and cannot be assigned");
    let mut scope = with_functions();
    let error = scope.declare_constant("push", 1.0).unwrap_err();
    assert_eq!(error.to_string(), "`push` is declared twice");
}

/// Returns the errors of functions: the index of the definition, the span in its text, if any, and the
/// message.
fn errors(definitions: &[FunctionDefinition]) -> Vec<(usize, Option<std::ops::Range<usize>>, String)> {
    let errors = event_scope().declare_functions(definitions).unwrap_err();
    let place = |kind: &FunctionErrorKind| match kind {
        FunctionErrorKind::Text(ParseError { span, .. }) => Some(span.clone()),
        _ => None,
    };
    errors.0.iter().map(|error| (error.definition, place(&error.kind), error.to_string())).collect()
}

#[test]
fn errors_are_in_the_text_of_the_function() {
    let found = errors(&[
        define("f", &["x"], "x + speed"),
        define("g", &["x"], "1 + f(x)"),
        define("h", &["x"], "x +"),
        define("p", &["x"], "2 * pre(x)"),
        define("s", &["x"], "x = 3"),
        define("e", &["x"], "x(1)"),
        define("c", &["x"], "x & 1"),
        define("right", &["x"], "x"),
        define("count", &["x"], "right(x, x)"),
        define("halts", &["x"], "right(halt)"),
    ]);
    let expected = [
        (0, 4..9, "function `f`: unknown name `speed`"),
        (2, 3..3, "function `h`: expected an expression, found the end"),
        (3, 4..7, "function `p`: `pre` is available only in the events of hybrid models"),
        (
            4,
            2..3,
            "function `s`: `=` is an assignment, which is available only in the events of hybrid models; use `==` to compare",
        ),
        (5, 0..1, "function `e`: `x` is an argument and cannot be called; write `*` for a product"),
        (6, 2..3, "function `c`: `&` has no meaning here; write `and`"),
        // `count` is a discrete variable of the scope.
        (8, 0..0, "function `count`: `count` is declared twice"),
        (9, 6..10, "function `halts`: `halt` is available only in the events of hybrid models"),
    ];
    for (found, (place, span, message)) in found.iter().zip(&expected) {
        assert_eq!((found.0, crate::marked::without_names(&found.2)), (*place, *message));
        assert_eq!(found.1.clone().unwrap_or(0..0), *span, "{message}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn heads_are_checked() {
    let many: Vec<String> = (0..101).map(|place| format!("a{place}")).collect();
    let found = errors(&[
        define("f'", &["x"], "x"),
        define("sin", &["x"], "x"),
        define("a.b", &["x"], "x"),
        define("f", &["x", "x"], "x"),
        define("g", &["pi"], "1"),
        define("h", &["q.r", "1"], "1"),
        define("f", &[], "1"),
        FunctionDefinition::new("i", &many, "1"),
    ]);
    let plain = |name: &str| {
        format!(
            "`{name}` is not a valid name of a function or argument; use letters, digits and `_`, not starting with a digit"
        )
    };
    let expected = [
        (0, format!("function `f'`: {}", plain("f'"))),
        (1, "function `sin`: `sin` is a function and cannot be declared; the function".to_owned()),
        (2, format!("function `a.b`: {}", plain("a.b"))),
        (3, "function `f`: `x` is declared twice".to_owned()),
        (4, "function `g`: `pi` is a constant and cannot be declared; the constant".to_owned()),
        (5, format!("function `h`: {}", plain("q.r"))),
        (5, format!("function `h`: {}", plain("1"))),
        (6, "function `f`: `f` is declared twice".to_owned()),
        (7, "function `i`: `i` has 101 arguments; the limit is 100".to_owned()),
    ];
    let without_list =
        |message: String| message.split("s of the language are").next().unwrap_or_default().to_owned();
    let found: Vec<_> = found.into_iter().map(|(place, _, message)| (place, without_list(message))).collect();
    assert_eq!(found, expected);
}

#[test]
fn circles_are_named() {
    let found = errors(&[
        define("f", &["x"], "1 + g(x)"),
        define("g", &["x"], "h(x) - positive(x)"),
        define("h", &["x"], "f(x) / h(x)"),
        define("outside", &["x"], "f(x)"),
        define("positive", &["x"], "max(x, 0)"),
        define("itself", &["x"], "if x > 0 then itself(x - 1) else 0"),
    ]);
    let behind = "functions cannot call each other in a cycle";
    let expected = [
        (0, Some(4..5), format!("function `f`: `f` calls `g` calls `h` calls `f`: {behind}")),
        (2, Some(7..8), format!("function `h`: `h` calls `h`: {behind}")),
        (5, Some(14..20), format!("function `itself`: `itself` calls `itself`: {behind}")),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_scope_with_faulty_functions_has_the_others() {
    let mut scope = scope();
    let definitions = [define("f", &["x"], "x +"), define("g", &["x"], "2 * x"), define("h", &["x"], "f(x)")];
    let errors = scope.declare_functions(&definitions).unwrap_err();
    assert_eq!((errors.0.len(), errors.to_string().lines().count()), (1, 1));
    assert_eq!(parse_number("g(y)", &scope).expect("a right function").to_string(), "2.0 * y");
    for (text, name) in [("1 + f(y)", "f"), ("1 + h(y)", "h")] {
        let error = parse_number(text, &scope).unwrap_err();
        assert_eq!(error.kind, ParseErrorKind::InvalidFunction { name: name.to_owned() });
        assert_eq!(error.span, 4..5);
    }
}
