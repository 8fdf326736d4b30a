//! Errors in expressions, with their positions.

use siconos_expression::{
    Name, Role, Scope, Symbol, ValueKind, parse_condition, parse_expression, parse_number,
};

use crate::marked::assert_error;
use crate::model::{event_scope, scope};

#[track_caller]
fn refused(marked: &str, message: &str) {
    assert_error(|text| parse_expression(text, &scope()), marked, message);
}

#[track_caller]
fn refused_in_events(marked: &str, message: &str) {
    assert_error(|text| parse_expression(text, &event_scope()), marked, message);
}

#[test]
fn characters_and_numbers() {
    refused("1 «&»& 2", "`&` has no meaning here; write `and`");
    refused("on «|» open", "`|` has no meaning here; write `or`");
    refused("«!»on", "`!` has no meaning here; write `not`");
    refused("y «$» 2", "`$` has no meaning here");
    refused("y + «é»", "`é` has no meaning here");
    refused("«.»", "`.` has no meaning here");
    refused("«'»", "`\\'` has no meaning here");
    refused("«2x»", "`2x` is not a number");
    refused("1 + «1e»", "`1e` is not a number");
    refused("«1e»+", "`1e` is not a number");
    refused("«1e999»", "`1e999` is too large for a double");
}

#[test]
fn what_is_missing_or_too_much() {
    refused("«»", "expected an expression, found the end");
    refused("1 +«»", "expected an expression, found the end");
    refused("1 + «*» 2", "expected an expression, found `*`");
    refused("1 «2»", "expected an operator or the end, found `2`");
    refused("y «z»", "expected an operator or the end, found `z`");
    refused("1.5«.2»", "expected an operator or the end, found `.2`");
    refused("(1 + 2«»", "expected an operator or `)`, found the end");
    refused("1 + 2«)»", "expected an operator or the end, found `)`");
    refused("«and» on", "expected an expression, found `and`");
    refused("1 + «then»", "expected an expression, found `then`");
    refused("«halt»", "expected an expression, found `halt`");
    refused("if on «1» else 2", "expected `then`, found `1`");
    refused("if on then 1«»", "expected `else`, found the end");
    refused("sin(1«»", "expected an operator, `,` or `)`, found the end");
    refused("max(1 «2»)", "expected an operator, `,` or `)`, found `2`");
    refused("0 «..» 1", "expected an operator or the end, found `..`");
}

#[test]
fn names() {
    refused("1 + «speed»", "unknown name `speed`");
    refused("2 * «forc»", "unknown name `forc`; did you mean `force`?");
    refused("«y'''»", "unknown name `y'''`; did you mean `y''`?");
    refused("«Pi»", "unknown name `Pi`; did you mean `pi`?");
    refused("«sine»(1)", "unknown function `sine`; did you mean `sin`?");
    refused("«bessel»(1)", "unknown function `bessel`");
    refused("«sin» + 1", "`sin` is a function; give its argument in parentheses");
    refused("«pre»", "`pre` is a function; give its argument in parentheses");
    refused("«y»(1)", "`y` is a state and cannot be called; write `*` for a product");
    refused("«pi»(1)", "`pi` is a constant and cannot be called; write `*` for a product");
    refused("«increasing»(y)", "`increasing` is allowed only at the beginning of a trigger");
    refused("1 + «side»(y, pre)", "`side` is allowed only at the beginning of a trigger");
}

#[test]
fn arguments() {
    refused("«sin()»", "`sin` takes 1 argument, found 0");
    refused("«sin(1, 2)» + 1", "`sin` takes 1 argument, found 2");
    refused("«max(1)»", "`max` takes 2 arguments, found 1");
    refused("«atan2(1, 2, 3)»", "`atan2` takes 2 arguments, found 3");
    refused("«clamp(1, 2)»", "`clamp` takes 3 arguments, found 2");
    refused("«if(on, 2)» + 1", "`if` takes 3 arguments, found 2");
    refused("«if(on, 2, 3, 4)»", "`if` takes 3 arguments, found 4");
    refused_in_events("«pre(y, z)»", "`pre` takes 1 argument, found 2");
    refused("sin(1,«)»", "expected an expression, found `)`");
}

#[test]
fn types() {
    let number = "expected a condition, found a number";
    let condition = "expected a number, found a condition";
    refused("not «1»", number);
    refused("on and «y»", number);
    refused("«y» or on", number);
    refused("on implies «2 * y»", number);
    refused("if «y» then 1 else 2", number);
    refused("if on then open else «2»", number);
    refused("on == «1»", number);
    refused("«on» + 1", condition);
    refused("1 + «(2 < 3)»", condition);
    refused("-«on»", condition);
    refused("2^«true»", condition);
    refused("y < «on»", condition);
    refused("1 == «on»", condition);
    refused("if on then 1 else «open»", condition);
    refused("sin(«on»)", condition);
    refused("max(1, «on»)", condition);
    refused("clamp(1, 2, «on»)", condition);
    refused("1 % «on»", condition);
    refused("if(«y», 1, 2)", number);
    refused("if(on, 1, «open»)", condition);
    refused("if(on, open, «1»)", number);
    assert_error(|text| parse_number(text, &scope()), "«1 < 2»", condition);
    assert_error(|text| parse_condition(text, &scope()), " «y + 1» ", number);
}

#[test]
fn comparisons_and_words_in_odd_places() {
    let chain = "comparisons cannot be chained; write `a < b and b < c`";
    refused("0 < y «<» 1", chain);
    refused("0 < y «==» true", chain);
    let equals = "`=` is an assignment; use `==` to compare";
    refused("y «=» 1", equals);
    refused("if y «=» 1 then 2 else 3", equals);
    refused("if on and y «=» 1 then 2 else 3", equals);
    refused("sin(y «=» 1)", equals);
    refused("on == «not» open", "put parentheses around `not` and its operands");
    refused("1 + «if» on then 1 else 2", "put parentheses around `if` and its operands");
}

#[test]
fn previous_values() {
    refused("1 + «pre»(y)", "pre has no meaning outside events");
    refused("«change»(y)", "change has no meaning outside events");
    refused_in_events("pre(«k»)", "`k` is a parameter and has no previous value");
    refused_in_events("pre(y + «t»)", "`t` is the independent variable and has no previous value");
    refused_in_events("change(pre(«y»))", "the previous value of a previous value is not available");
    refused_in_events("pre(change(«y»))", "the previous value of a previous value is not available");
}

#[test]
fn nesting_has_a_limit() {
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    for (open, inner, close) in
        [("(", "1", ")"), ("-", "1", ""), ("2^", "1", ""), ("sin(", "1", ")"), ("not ", "on", "")]
    {
        let deepest = nested(open, inner, close, 200);
        assert!(parse_expression(&deepest, &scope()).is_ok(), "{open}");
        let error = parse_expression(&nested(open, inner, close, 201), &scope()).unwrap_err();
        assert_eq!(error.to_string(), "this is nested more than 200 levels deep");
        assert_eq!(error.span, open.len() * 201..open.len() * 201 + inner.len());
    }
}

#[test]
fn text_without_end_needs_no_stack() {
    let work = || {
        for open in ["(", "if ", "-", "2^", "not ", "sin(", "max(1, ", "if on then 1 else ", "on implies "] {
            assert!(parse_expression(&open.repeat(100_000), &scope()).is_err(), "{open}");
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn declarations() {
    let name = Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::State };
    let mut scope = Scope::new();
    scope.declare("y", name).expect("a new name");
    for (text, message) in [
        ("y", "`y` is declared twice"),
        (
            "1y",
            "`1y` is not a valid name; use letters, digits and `_`, not starting with a digit, then any primes",
        ),
        (
            "",
            "`` is not a valid name; use letters, digits and `_`, not starting with a digit, then any primes",
        ),
        ("sin", "`sin` is a function and cannot be declared"),
        ("side", "`side` is a function and cannot be declared"),
        ("pi", "`pi` is a constant and cannot be declared"),
        ("then", "`then` is a keyword and cannot be declared"),
        ("none", "`none` is a keyword and cannot be declared"),
    ] {
        let found = scope.declare(text, name).unwrap_err().to_string();
        assert_eq!(found.split("; the ").next(), Some(message));
    }
    let found = scope.declare("then", name).unwrap_err().to_string();
    assert!(found.contains("; the keywords of the language are true, false, not, and,"), "{found}");
    let found = scope.declare("pi", name).unwrap_err().to_string();
    assert!(found.ends_with("; the constants of the language are pi, tau, inf"), "{found}");
    scope.declare("y''", name).expect("primes make another name");
}

#[test]
fn errors_show_their_place() {
    let source = "# Model\r\nf = \"yé +\tspeed\"\r\n";
    let offset = source.find("+\t").expect("it is there");
    let error = parse_expression("1 + speed", &scope()).unwrap_err();
    let shown = "m.toml:2:12: unknown name `speed`; the names here are `armed`, `count`, `force`, `input`, `k`, `level`, `mu`, `on`, `open`, `t` and 3 more\n  |\n2 | f = \"yé + speed\"\n  |            ^^^^^";
    // The offset places the text `1 + speed` at the byte before the plus sign.
    assert_eq!(error.in_source("m.toml", source, offset - 1), shown);

    let at_end = parse_expression("1 +", &scope()).unwrap_err();
    let expected = "a:1:4: expected an expression, found the end\n  |\n1 | 1 +\n  |    ^";
    assert_eq!(at_end.in_source("a", "1 +", 0), expected);
    // An offset that is wrong, or within a character, does not panic.
    assert!(at_end.in_source("a", "é", usize::MAX).contains("a:1:2"));
    assert!(error.in_source("a", "ééééé", 1).contains("a:1:3"));

    let over_lines = parse_number("(1 <\n2)", &scope()).unwrap_err();
    let expected = "a:1:1: expected a number, found a condition\n  |\n1 | (1 <\n  | ^^^^";
    assert_eq!(over_lines.in_source("a", "(1 <\n2)", 0), expected);
}

#[test]
fn long_lines_are_cut_around_what_is_meant() {
    let source = format!("{} + speed + {}", "1 + 1".repeat(100), "x".repeat(1000));
    let at = source.find("speed").expect("it is there");
    let shown = siconos_expression::Excerpt::new(&source, at..at + 5).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].starts_with("1 | ..") && lines[1].ends_with("x..") && lines[1].len() < 180, "{shown}");
    let (column, mark) = (lines[1].find("speed").expect("it is shown"), lines[2].find("^^^^^"));
    assert_eq!(mark, Some(column), "{shown}");
    assert!(!lines[2].ends_with("^^^^^^"), "{shown}");
    // Control characters of a terminal are replaced.
    let excerpt = siconos_expression::Excerpt::new("a\u{1b}[31m\0b", 0..1);
    assert_eq!(excerpt.text, "a [31m b");
}
