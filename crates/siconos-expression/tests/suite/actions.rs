//! Parsed actions, and errors in actions.

use siconos_expression::{Action, Control, Statement, Symbol, ValueKind, parse_action};

use crate::marked::assert_error;
use crate::model::{STATE, TEMPORARIES, event_scope, scope};

#[track_caller]
fn action(text: &str) -> Action {
    parse_action(text, &event_scope()).expect(text)
}

#[track_caller]
fn statements(text: &str) -> Vec<Statement> {
    match action(text) {
        Action::Run { statements, .. } => statements,
        Action::None => panic!("`{text}` has statements"),
    }
}

#[track_caller]
fn refused(marked: &str, message: &str) {
    assert_error(|text| parse_action(text, &event_scope()), marked, message);
}

#[test]
fn statements_end_with_lines_and_semicolons() {
    let expected = statements("y = 1; z = 2");
    for text in ["y = 1\nz = 2", "\n;y = 1;\n\nz = 2\n", "y =\n1\nz = 2;", "y = (1\n); z = 2\r\n"] {
        assert_eq!(statements(text), expected, "{text:?}");
    }
    assert_eq!(statements("y = 1 +\n2 * (3\n+ 4)"), statements("y = 1 + 2 * (3 + 4)"));
    assert_eq!(statements("y = if on then\n1 else\n2"), statements("y = if on then 1 else 2"));
    assert_eq!(statements("y = if on\nthen 1\nelse 2"), statements("y = if on then 1 else 2"));
}

#[test]
fn assignments_know_their_targets() {
    let [Statement::Assign { name, target, kind, value, span }] = &statements("  y' = -0.5 * pre(y') ")[..]
    else {
        panic!("one assignment")
    };
    assert_eq!((name.as_str(), *target, *kind), ("y'", Symbol { slot: STATE, index: 1 }, ValueKind::Real));
    assert_eq!((value.to_string().as_str(), span.clone()), ("-0.5 * pre(y')", 2..21));

    for (text, expected) in [("count = 3", ValueKind::Integer), ("on = not on", ValueKind::Boolean)] {
        assert!(matches!(&statements(text)[..], [Statement::Assign { kind, .. }] if *kind == expected));
    }
    // A value that is not constant is checked at run time.
    statements("count = y / 2; count = 4 / 2");
}

#[test]
fn choices_and_controls() {
    let text = "if on { y = 1; halt } else if open { no_mark } else { z = 2\n }";
    let [Statement::If { then, otherwise, .. }] = &statements(text)[..] else { panic!("one choice") };
    assert!(
        matches!(&then[..], [Statement::Assign { .. }, Statement::Control(Control::Halt, span)] if *span == (15..19))
    );
    assert!(matches!(&otherwise[..], [Statement::If { .. }]));
    assert_eq!(
        statements(text),
        statements("if on\n{ y = 1\nhalt\n}\nelse if open\n{no_mark}\nelse\n{ z = 2 }")
    );
    assert_eq!(statements("if on { } else { }").len(), 1);

    let words = ["halt", "delay_halt", "to_begin", "to_end", "break_iteration", "no_mark"];
    for word in words {
        let [Statement::Control(control, _)] = &statements(word)[..] else { panic!("one control") };
        assert_eq!(control.word(), word);
    }
    assert_eq!(action("none"), Action::None);
    assert_eq!(action("\n none ;\n"), Action::None);
}

#[test]
fn temporaries_take_places_in_order() {
    let text = "a = 1; b = y < a; if b { c' = 2; a = c' } else { c' = 3 }; y = c' + a";
    let Action::Run { temporaries, .. } = action(text) else { panic!("it has statements") };
    let found: Vec<_> = temporaries.iter().map(|it| (it.name.as_str(), it.symbol.index, it.kind)).collect();
    assert_eq!(found, [("a", 0, ValueKind::Real), ("b", 1, ValueKind::Boolean), ("c'", 2, ValueKind::Real)]);
    assert!(temporaries.iter().all(|it| it.symbol.slot == TEMPORARIES));
}

#[test]
fn temporaries_are_assigned_before_they_are_read() {
    refused("y = «a»; a = 1", "unknown name `a`");
    refused("a = «a» + 1", "unknown name `a`");
    refused("if on { a = 1 }; y = «a»", "`a` is not assigned on every path to this point");
    refused("if on { a = 1 } else { y = «a» }", "`a` is not assigned on every path to this point");
    refused("if on { a = 1 } else { b = 2 }; y = «b»", "`b` is not assigned on every path to this point");
    refused(
        "if on { if open { a = 1 } } else { a = 2 }; y = «a»",
        "`a` is not assigned on every path to this point",
    );
    // A path that leaves the action need not assign the name.
    action("if on { a = 1 } else { halt }; y = a");
    action("if on { halt } else { a = 1 }; y = a");
    action("if on { if open { a = 1 } else { halt } } else { a = 2 }; y = a");
    action("if on { a = 1 } else if open { a = 2 } else { a = 3 }; y = a");
}

#[test]
fn targets_that_cannot_be_assigned() {
    let can =
        "an action can assign states, derivatives below the order of their equation, and discrete variables";
    refused("«k» = 1", &format!("`k` is a parameter; {can}"));
    refused("«t» = 1", &format!("`t` is the independent variable; {can}"));
    refused("«y''» = 1", &format!("`y''` is the highest derivative of its equation; {can}"));
    refused("«force» = 1", &format!("`force` is an algebraic variable; {can}"));
    refused("«armed» = true", &format!("`armed` is a variable that triggers require; {can}"));
    refused("«input» = 1", &format!("`input` is an input; {can}"));
    refused("«sin» = 1", "`sin` is a function and cannot be assigned");
    refused("«pi» = 1", "`pi` is a constant and cannot be assigned");
    refused("«true» = 1", "`true` is a keyword and cannot be assigned");
    assert_error(
        |text| parse_action(text, &scope()),
        "«leve» = 1",
        "unknown name `leve`; did you mean `level`?",
    );
}

#[test]
fn values_of_the_wrong_kind() {
    let number = "expected a number, found a condition";
    let condition = "expected a condition, found a number";
    refused("y = «on»", number);
    refused("count = «1 < 2»", number);
    refused("on = «1»", condition);
    refused("a = 1; a = «on»", number);
    refused("a = on; a = «1»", condition);
    refused("if on { a = 1 } else { a = «on» }", number);
    refused("count = «1.5»", "1.5 is not an integer");
    refused("count = «1 / 0»", "inf is not an integer");
    refused("a = on; y = 1 + «a»", number);
    refused("a = 1; y = pre(«a»)", "`a` is a temporary and has no previous value");
    refused("a = 1; y = «a»(1)", "`a` is a temporary and cannot be called; write `*` for a product");
}

#[test]
fn statements_that_are_none() {
    refused("«»", "expected a statement or `none`, found the end");
    refused(" ;\n«»", "expected a statement or `none`, found the end");
    refused("«1» = y", "expected a statement, found `1`");
    refused("y «+» 1", "expected `=`, found `+`");
    refused("y«»", "expected `=`, found the end");
    refused("y = 1 «z» = 2", "expected an operator, `;` or a new line, found `z`");
    refused("y = 1 «=» 2", "`=` is an assignment; use `==` to compare");
    refused("y =«»", "expected an expression, found the end");
    refused("y = 1 «)»", "expected an operator, `;` or a new line, found `)`");
    refused("if on «y» = 1", "expected an operator or `{`, found `y`");
    refused("if on { y = 1«»", "expected a statement or `}`, found the end");
    refused("y = 1 «}»", "expected a statement, found `}`");
    refused("if on { y = 1 } «z» = 2", "expected an operator, `;` or a new line, found `z`");
    refused("«else» { y = 1 }", "`else` is a keyword and cannot be assigned");
    refused("if «y» { halt }", "expected a condition, found a number");
    refused("if y «=» 1 { halt }", "`=` is an assignment; use `==` to compare");
}

#[test]
fn what_is_never_reached() {
    refused("halt; «y» = 1", "this is never reached");
    refused("if on { no_mark\n «halt» }", "this is never reached");
    refused("if on { halt } else { to_end }; «y» = 1", "this is never reached");
    refused("y = 1; «none»", "`none` cannot be combined with other statements");
    refused("«none»; y = 1", "`none` cannot be combined with other statements");
    refused("if on { «none» }", "`none` cannot be combined with other statements");
}

#[test]
fn blocks_have_a_limit() {
    let nested = |depth: usize| format!("{}halt{}", "if on { ".repeat(depth), " }".repeat(depth));
    // Each condition is one level.
    action(&nested(200));
    let error = parse_action(&nested(201), &event_scope()).unwrap_err();
    assert_eq!(error.to_string(), "this is nested more than 200 levels deep");
    assert!(parse_action(&"if on { } else ".repeat(100_000), &event_scope()).is_err());
}

#[test]
fn actions_are_printed_as_they_are_read() {
    let text = "\
a = -0.5 * y'
if a < 0.001 and not on {
    halt
} else if on {
    if open {
        y = a
    }
    z = 2.0
} else {
    count = count + 1.0
    to_begin
}";
    assert_eq!(action(text).to_string(), text);
    assert_eq!(action("none").to_string(), "none");
}
