//! Limits on texts: invalid texts do not take unlimited memory or time.

use siconos_expression::{
    FunctionDefinition, FunctionErrorKind, MAX_DEPTH, MAX_NODES, MAX_TEXT_BYTES, ParseErrorKind, Scope,
    parse_action, parse_condition, parse_expression, parse_number, parse_trigger,
};

use crate::model::{event_scope, scope};

#[test]
fn a_text_of_ten_megabytes_is_refused_unread() {
    // If the text were parsed, its first character would be an error.
    let text = format!("&{}", " ".repeat(10_000_000));
    let limit = ParseErrorKind::TooLong { length: text.len(), limit: MAX_TEXT_BYTES };
    let error = parse_expression(&text, &scope()).unwrap_err();
    assert_eq!((&error.kind, error.span.clone()), (&limit, 0..text.len()));
    assert_eq!(error.to_string(), "this expression has 10000001 bytes; the limit is 2097152");
    assert_eq!(parse_action(&text, &scope()).unwrap_err().kind, limit);
    assert_eq!(parse_trigger(&text, &scope()).unwrap_err().kind, limit);
    let errors = Scope::new().declare_function("f", &[], &text).unwrap_err();
    assert!(matches!(&errors.0[0].kind, FunctionErrorKind::Text(error) if error.kind == limit));
    // The excerpt in the message is short.
    assert!(error.in_source("model.toml", &text, 0).len() < 1000);

    let longest = format!("1{}", " ".repeat(MAX_TEXT_BYTES - 1));
    assert_eq!(parse_number(&longest, &scope()).expect("a number").constant(), Some(1.0));
}

#[test]
fn ten_thousand_parentheses_are_too_deep() {
    for (open, close) in [("(", ")"), ("sin(", ")"), ("if(true, ", ", 1)"), ("clamp(", ", 0, 1)"), ("-", "")]
    {
        let text = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        let error = parse_expression(&text, &scope()).unwrap_err();
        assert_eq!(error.kind, ParseErrorKind::TooDeep { limit: MAX_DEPTH }, "{open}");
    }
}

#[test]
fn the_number_of_operations_and_operands_is_limited() {
    // Each term adds a number and a sum.
    let sum = |terms: usize| vec!["1"; terms].join("+");
    assert!(parse_number(&sum(MAX_NODES / 2), &scope()).is_ok());
    let error = parse_number(&sum(MAX_NODES / 2 + 2), &scope()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooManyNodes { limit: MAX_NODES });
    // All expressions of an action count.
    let action = |statements: usize| format!("y = {};", sum(1000)).repeat(statements);
    assert!(parse_action(&action(MAX_NODES / 2000), &scope()).is_ok());
    let error = parse_action(&action(MAX_NODES / 2000 + 2), &scope()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooManyNodes { limit: MAX_NODES });
}

/// Returns functions, each of which calls the previous one twice.
fn doubling(times: usize) -> Vec<FunctionDefinition> {
    let body = |place: usize| match place {
        0 => "x * x".to_owned(),
        _ => format!("f{0}(x) + f{0}(x)", place - 1),
    };
    (0..times).map(|place| FunctionDefinition::new(format!("f{place}"), ["x"], body(place))).collect()
}

#[test]
fn functions_that_double_forty_times_are_refused() {
    let mut scope = scope();
    let errors = scope.declare_functions(&doubling(40)).unwrap_err();
    // Only the first function that is too large has an error; the functions that call it have none.
    assert_eq!(errors.0.len(), 1);
    let FunctionErrorKind::Text(error) = &errors.0[0].kind else { panic!("{errors}") };
    assert_eq!(error.kind, ParseErrorKind::TooManyNodes { limit: MAX_NODES });
    assert_eq!(
        error.to_string(),
        "this requires more than 1000000 operations and operands, with all functions expanded"
    );
    let first = errors.0[0].definition;
    assert!((15..20).contains(&first), "{first}");
    assert!(parse_number(&format!("f{}(y)", first - 1), &scope).is_ok());
    let error = parse_number("f39(y)", &scope).unwrap_err();
    assert_eq!(error.to_string(), "`f39` cannot be called, because its definition has errors");
}

#[test]
fn calls_count_as_what_they_stand_for() {
    let mut scope = scope();
    scope.declare_functions(&doubling(10)).expect("2^9 products");
    // Each term has 4 * 2^9 - 1 nodes, and a sum is added.
    let sum = |terms: usize| vec!["f9(y)"; terms].join(" + ");
    assert_eq!(parse_number(&sum(488), &scope).expect("few enough").size(), 488 * 2048 - 1);
    let error = parse_number(&sum(489), &scope).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooManyNodes { limit: MAX_NODES });
    // Unused arguments count as well.
    scope.declare_function("none_of", &["x"], "1").expect("a right function");
    assert!(parse_number(&vec!["none_of(f9(y))"; 480].join(" + "), &scope).is_ok());
    assert!(parse_number(&vec!["none_of(f9(y))"; 489].join(" + "), &scope).is_err());
    // A nested call squares the number of nodes.
    assert!(parse_number("f9(y)", &scope).is_ok());
    assert!(parse_number("f9(f9(y))", &scope).is_err());
}

#[test]
fn functions_within_functions_are_as_deep_as_their_text() {
    let deeper = |place: usize| match place {
        0 => "sin(x)".to_owned(),
        _ => format!("sin(f{}(x))", place - 1),
    };
    let definitions: Vec<_> =
        (0..210).map(|place| FunctionDefinition::new(format!("f{place}"), ["x"], deeper(place))).collect();
    let mut scope = scope();
    let errors = scope.declare_functions(&definitions).unwrap_err();
    assert_eq!((errors.0.len(), errors.0[0].definition), (1, MAX_DEPTH));
    let deepest = format!("f{}(y)", MAX_DEPTH - 1);
    let read = parse_number(&deepest, &scope).expect("as deep as it may be");
    assert_eq!(parse_number(&read.to_string(), &scope), Ok(read));
    let error = parse_number(&format!("1 - {deepest}"), &scope).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooDeep { limit: MAX_DEPTH });
}

#[test]
fn functions_of_events_do_not_double_without_end() {
    // Each function doubles its argument, which contains no variable that could be refused.
    let text = format!("{}true{}", "change(".repeat(190), ")".repeat(190));
    let error = parse_condition(&text, &event_scope()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooManyNodes { limit: MAX_NODES });
    // The parsed text is not deeper than the printed text.
    for depth in 190..=MAX_DEPTH {
        let text = format!("{}if edge(on) then 1 else 2{}", "sin(".repeat(depth), ")".repeat(depth));
        if let Ok(read) = parse_number(&text, &event_scope()) {
            assert_eq!(parse_number(&read.to_string(), &event_scope()), Ok(read));
        }
    }
}

#[test]
fn texts_without_end_take_no_stack_and_no_time() {
    let work = || {
        let mut scope = event_scope();
        scope.declare_function("f", &["x"], "x").expect("a right function");
        for open in ["f(", "if(", "if(on, ", "clamp(", "1 % ", "a.b.", "a[", "a[1]", "if (", "(1, "] {
            assert!(parse_expression(&open.repeat(100_000), &scope).is_err(), "{open}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}
