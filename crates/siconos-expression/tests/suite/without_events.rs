//! Models without events: the words of events are refused by name.

use siconos_expression::{parse_expression, parse_number};

use crate::marked::assert_error;
use crate::model::{event_scope, scope};

#[track_caller]
fn refused(marked: &str, message: &str) {
    assert_error(|text| parse_expression(text, &scope().without_events()), marked, message);
    // The scope decides, not the presence of previous values.
    assert_error(|text| parse_expression(text, &event_scope().without_events()), marked, message);
}

#[test]
fn words_of_events_are_refused_by_name() {
    for word in ["pre", "change", "rising_edge", "falling_edge", "edge", "increasing", "decreasing", "side"] {
        let message = format!("`{word}` is available only in the events of hybrid models");
        refused(&format!("1 + «{word}»(y)"), &message);
        refused(&format!("«{word}»"), &message);
        refused(&format!("if on then 1 else «{word}»(y, pre)"), &message);
    }
    for word in ["halt", "delay_halt", "to_begin", "to_end", "break_iteration", "no_mark", "none"] {
        let message = format!("`{word}` is available only in the events of hybrid models");
        refused(&format!("«{word}»"), &message);
        refused(&format!("2 * «{word}»"), &message);
    }
}

#[test]
fn assignments_are_refused() {
    let message =
        "`=` is an assignment, which is available only in the events of hybrid models; use `==` to compare";
    refused("y «=» 3", message);
    refused("y' «=» -0.9 * y'", message);
    refused("if y «=» 3 then 1 else 2", message);
    refused("sin(y «=» 3)", message);
}

#[test]
fn everything_else_is_as_ever() {
    let scope = scope().without_events();
    let read = parse_number("if(y < z and on, y % z, clamp(y, 0, k))", &scope).expect("a number");
    assert_eq!(read, parse_number(&read.to_string(), &scope).expect("the same"));
    // No word of events is suggested.
    refused("«rising_edg»(1)", "unknown function `rising_edg`");
    refused("«speed»", "unknown name `speed`");
}
