//! Parsed triggers, and errors in triggers.

use siconos_expression::{Direction, Side, Symbol, Trigger, parse_trigger};

use crate::marked::assert_error;
use crate::model::{STATE, event_scope, scope, symbol};

#[track_caller]
fn trigger(text: &str) -> Trigger {
    parse_trigger(text, &event_scope()).expect(text)
}

#[track_caller]
fn refused(marked: &str, message: &str) {
    assert_error(|text| parse_trigger(text, &event_scope()), marked, message);
}

/// Function, direction, side, variable and condition of a root.
type Root = (String, Direction, Option<Side>, Option<Symbol>, Option<String>);

#[track_caller]
fn root(text: &str) -> Root {
    match trigger(text) {
        Trigger::Root { function, direction, side, variable, condition } => {
            (function.to_string(), direction, side, variable, condition.map(|it| it.to_string()))
        }
        other => panic!("`{text}` is {other:?}"),
    }
}

#[test]
fn roots() {
    let [y, force] = [0, 4].map(|index| Some(Symbol { slot: STATE, index }));
    let of = |function: &str, direction, side, variable, condition: Option<&str>| {
        (function.to_owned(), direction, side, variable, condition.map(str::to_owned))
    };
    use Direction::{Any, Decreasing, Increasing};
    for (text, expected) in [
        ("y", of("y", Any, None, y, None)),
        ("y - k", of("y - k", Any, None, None, None)),
        ("increasing(y)", of("y", Increasing, None, y, None)),
        ("decreasing(y - 1)", of("y - 1.0", Decreasing, None, None, None)),
        ("side(y, pre)", of("y", Any, Some(Side::Pre), y, None)),
        ("side(force, pre)", of("force", Any, Some(Side::Pre), force, None)),
        ("increasing(side(y, post))", of("y", Increasing, Some(Side::Post), y, None)),
        ("[y, on]", of("y", Any, None, y, Some("on"))),
        ("[decreasing(y), not on]", of("y", Decreasing, None, y, Some("not on"))),
        ("[side((y), pre),\nz > 1]", of("y", Any, Some(Side::Pre), y, Some("z > 1.0"))),
    ] {
        assert_eq!(root(text), expected, "{text}");
    }
}

#[test]
fn conditions_times_and_ranges() {
    for text in ["y < 1 and on", "[0, y < 1 and on]", "[1 - 1, y < 1 and on]"] {
        let Trigger::Discrete { condition } = trigger(text) else { panic!("{text}") };
        assert_eq!(condition.to_string(), "y < 1.0 and on");
    }
    let Trigger::Range { function, lower, upper } = trigger("y + z = 0.5..1") else { panic!("a range") };
    let found = [function, lower, upper].map(|it| it.to_string());
    assert_eq!(found, ["y + z", "0.5", "1.0"]);
    assert!(matches!(trigger("t = 0 .. k"), Trigger::Range { .. }));

    let Trigger::Time { name, start, every } = trigger("t = 2 * pi") else { panic!("a time") };
    assert_eq!((name.as_str(), start.constant(), every), ("t", Some(std::f64::consts::TAU), None));
    let Trigger::Time { start, every: Some(every), .. } = trigger("t = [-1, 1 / 4]") else { panic!("times") };
    assert_eq!((start.constant(), every.constant()), (Some(-1.0), Some(0.25)));
}

#[test]
fn what_is_wrong_with_roots() {
    let number = "expected a number, found a condition";
    refused("«»", "expected an expression, found the end");
    refused("increasing(«on»)", number);
    refused("[«on», y > 1]", number);
    refused("[y, «z»]", "expected a condition, found a number");
    refused("[y, z «=» 1]", "`=` is an assignment; use `==` to compare");
    refused("[y«]»", "expected an operator or `,`, found `]`");
    refused("[y, on«»", "expected an operator or `]`, found the end");
    for marked in ["«0»", "«2 * pi»", "increasing(«1»)", "[«1», on]", "[decreasing(«0»), on]"] {
        refused(marked, "this function is constant: it has no roots");
    }
    refused("increasing «y»", "expected `(`, found `y`");
    refused("increasing(y«»", "expected an operator or `)`, found the end");
    refused("y «]»", "expected an operator or the end, found `]`");
    refused("increasing(«decreasing»(y))", "`decreasing` is allowed only at the beginning of a trigger");
    refused("increasing(y) «=» 1", "`=` is an assignment; use `==` to compare");
}

#[test]
fn what_is_wrong_with_sides() {
    let state = "`side` requires a dependent variable; add an algebraic equation for the expression";
    refused("side(«y - 1», pre)", state);
    refused("side(«k», pre)", state);
    refused("side(«y'», pre)", state);
    refused("side(«pre(y)», post)", state);
    refused("side(y, «before»)", "expected `pre` or `post`, found `before`");
    refused("side(y«)»", "expected `,`, found `)`");
    refused("side(y, pre«,» 1)", "expected `)`, found `,`");
}

#[test]
fn what_is_wrong_with_times_and_ranges() {
    let neither = "a trigger must equate the independent variable with a time, or a function with a range \
                   `lo .. hi`; write the root of a difference as `a - b`";
    refused("«y = 1»", neither);
    refused("«y + z = 2 * k»", neither);
    refused("y = «[»0, 1]", "expected an expression, found `[`");
    refused("t = «k»", "the time of a trigger must be constant, but `k` is a parameter");
    refused("t = [0, «1 + k»]", "the time of a trigger must be constant, but `k` is a parameter");
    refused("t = «1 / 0»", "the time of a trigger must be finite, not inf");
    refused("t = [0, «0»]", "the period of a trigger must be finite and positive, not 0");
    refused("t = [0, «-1»]", "the period of a trigger must be finite and positive, not -1");
    refused("t = [0«]»", "expected an operator or `,`, found `]`");
    refused("t = [0, 1 «2»]", "expected an operator or `]`, found `2`");
    refused("t = «on»", "expected a number, found a condition");
    refused("«on» = 0 .. 1", "expected a number, found a condition");
    refused("y = 0 .. «on»", "expected a number, found a condition");
    refused("y = 0 .. 1 «..» 2", "expected an operator or the end, found `..`");
    refused("y = 0 «=» 1", "`=` is an assignment; use `==` to compare");
}

#[test]
fn triggers_need_no_events() {
    let outside = parse_trigger("decreasing(y)", &scope()).expect("a trigger");
    assert!(matches!(outside, Trigger::Root { variable, .. } if variable == Some(symbol("y"))));
}

#[test]
fn triggers_are_printed_as_they_are_read() {
    for text in [
        "y - k",
        "increasing(y)",
        "decreasing(side(y, post))",
        "[side(y, pre), not on]",
        "y + z = 0.5 .. 2.0 * k",
        "t = 1.0",
        "t = [1.0, 0.5]",
        "on and y < 1.0",
    ] {
        assert_eq!(trigger(text).to_string(), text);
    }
    assert_eq!(trigger("[0, on]").to_string(), "on");
}
