//! Numbers and expressions in files.

use siconos_expression::{Expression, Scope, parse_number};

use super::{Diagnostics, Node, Value};

/// Name of the time.
pub(crate) const T: &str = "t";

/// Reads a finite number, or an expression that reads names of a scope.
pub(crate) fn expression(
    value: &Value<'_>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Expression> {
    let number = match &value.node {
        Node::Number { value: number, .. } => *number,
        Node::Text(text) => match parse_number(&text.content, scope) {
            Ok(expression) => match expression.constant().filter(|number| !number.is_finite()) {
                None => return diagnostics.spend(expression.size(), &value.span).then_some(expression),
                Some(number) => number,
            },
            Err(error) => {
                diagnostics.note_in(text, 0, &error);
                return None;
            }
        },
        _ => return value.refused(diagnostics, "a number or an expression"),
    };
    if number.is_finite() {
        return number_as_expression(number);
    }
    diagnostics.note(&value.span, format_args!("this is {number}; it must be finite"));
    None
}

/// Converts a number to an expression. The digits that Rust prints determine the number exactly.
pub(crate) fn number_as_expression(number: f64) -> Option<Expression> {
    parse_number(&format!("{number:?}"), &Scope::new()).ok()
}

/// Returns `true` if a value is positive infinity, as a number or as text.
pub(crate) fn is_infinite(value: &Value<'_>) -> bool {
    match &value.node {
        Node::Number { value, .. } => *value == f64::INFINITY,
        Node::Text(text) => text.content.trim() == "inf",
        _ => false,
    }
}
