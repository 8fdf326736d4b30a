//! Names with several parts and indices.

use siconos_expression::{
    Action, Name, Role, Scope, Statement, Symbol, Trigger, ValueKind, parse_action, parse_expression,
    parse_trigger,
};

use crate::marked::assert_error;

const NAMES: [&str; 9] =
    ["a", "b", "e5", "ball.q", "ball.q'", "floor.lambda", "arm.q[1]", "arm.q[1]'", "w[12]"];

/// A scope in which the index of each name is its index in [`NAMES`].
fn scope() -> Scope {
    let mut scope = Scope::new();
    for (index, name) in (0..).zip(NAMES) {
        let symbol = Symbol { slot: 0, index };
        scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State }).expect(name);
    }
    let symbol = Symbol { slot: 1, index: 0 };
    scope.declare("t", Name { symbol, kind: ValueKind::Real, role: Role::Independent }).expect("t");
    scope
}

#[test]
fn names_of_parts_are_read_and_printed() {
    let values: Vec<f64> = (1..=9).map(f64::from).collect();
    for (text, printed, expected) in [
        ("ball.q", "ball.q", 4.0),
        ("ball.q' - ball.q", "ball.q' - ball.q", 1.0),
        ("arm.q[1]'*arm.q[1]", "arm.q[1]' * arm.q[1]", 56.0),
        ("2.*floor.lambda", "2.0 * floor.lambda", 12.0),
        ("w[12]^2.", "w[12]^2.0", 81.0),
        ("1.e0+e5", "1.0 + e5", 4.0),
        ("(a)-floor(floor.lambda/4.)", "a - floor(floor.lambda / 4.0)", 0.0),
    ] {
        let read = parse_expression(text, &scope()).expect(text);
        assert_eq!(read.to_string(), printed);
        assert_eq!(parse_expression(printed, &scope()), Ok(read.clone()));
        assert_eq!(read.evaluate(&[&values, &[0.0]]), expected, "{text}");
    }
}

#[test]
fn ranges_and_times_keep_their_meaning() {
    for (text, printed) in [
        ("a = b..e5", "a = b .. e5"),
        ("ball.q=ball.q'..arm.q[1]", "ball.q = ball.q' .. arm.q[1]"),
        ("a = 1..2.", "a = 1.0 .. 2.0"),
        ("a = 1...5", "a = 1.0 .. 0.5"),
        ("a = b...5", "a = b .. 0.5"),
        ("a = .5..b", "a = 0.5 .. b"),
        ("t=[1,2]", "t = [1.0, 2.0]"),
        ("[ball.q, arm.q[1] > 0]", "[ball.q, arm.q[1] > 0.0]"),
        ("[w[12],w[12] > 0]", "[w[12], w[12] > 0.0]"),
    ] {
        assert_eq!(parse_trigger(text, &scope()).expect(text).to_string(), printed);
    }
    let trigger = parse_trigger("side(arm.q[1], pre)", &scope()).expect("a side");
    assert!(matches!(trigger, Trigger::Root { variable: Some(Symbol { slot: 0, index: 6 }), .. }));
}

#[test]
fn actions_assign_names_of_parts_that_are_declared() {
    let scope = scope().with_temporaries(9);
    let action = parse_action("ball.q' = -0.5 * ball.q'", &scope).expect("an action");
    let Action::Run { statements, temporaries } = action else { panic!("it has statements") };
    assert!(temporaries.is_empty());
    let Statement::Assign { target, .. } = &statements[0] else { panic!("an assignment") };
    assert_eq!(*target, Symbol { slot: 0, index: 4 });
    // A temporary must have a plain name.
    let unknown = "unknown name `ball.r`; did you mean `ball.q`?";
    assert_error(|text| parse_action(text, &scope), "«ball.r» = 1", unknown);
    assert_error(|text| parse_action(text, &scope), "«c[0]» = 1", "unknown name `c[0]`");
}

#[test]
fn what_is_no_name_is_told() {
    let refused = |marked: &str, message: &str| {
        assert_error(|text| parse_expression(text, &scope()), marked, message);
    };
    refused("1 + «bal.q»", "unknown name `bal.q`; did you mean `ball.q`?");
    let message = parse_expression("ball.mass", &scope()).expect_err("an unknown name").to_string();
    assert_eq!(message, "unknown name `ball.mass`; the names here are `ball.q`, `ball.q'`");
    refused("«bll.qq»", "unknown name `bll.qq`; did you mean `ball.q`?");
    refused("«flor.lamda»", "unknown name `flor.lamda`; did you mean `floor.lambda`?");
    refused("«arm.q[2]»", "unknown name `arm.q[2]`; did you mean `arm.q[1]`?");
    refused("«lambda»", "unknown name `lambda`; did you mean `floor.lambda`?");
    refused("«ball.mass»", "unknown name `ball.mass`");
    refused("«ball»", "unknown name `ball`; did you mean `ball.q`?");
    let index = |name| {
        format!(
            "an index after `{name}` must be a whole number in brackets, before any primes, as in `q[1]'`"
        )
    };
    refused("arm.q«[»a]", &index("arm.q"));
    refused("arm.q«[»-1]", &index("arm.q"));
    refused("arm.q«[»1, 2]", &index("arm.q"));
    refused("arm.q«[»]", &index("arm.q"));
    refused("arm.q'«[»1]", &index("arm.q'"));
    refused("w[1]«[»2]", &index("w[1]"));
    refused("ball «.»q", "`.` has no meaning here");
    refused("w[12]«.»r", "`.` has no meaning here");
}
