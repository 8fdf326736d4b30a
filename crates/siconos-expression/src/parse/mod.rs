//! Functions that parse expressions, actions and triggers.

mod action;
mod call;
mod event;
mod expression;
mod function;
mod lexer;
mod parser;
mod temporaries;
mod trigger;

use crate::action::Action;
use crate::error::ParseError;
use crate::expression::Expression;
use crate::scope::Scope;
use crate::symbol::Type;
use crate::trigger::Trigger;
use lexer::Lines;
use parser::Parser;

/// Maximum nesting depth of parentheses, calls, operators and blocks. A sum such as `a + b + c` is not
/// nested.
pub const MAX_DEPTH: usize = 200;

/// Maximum length of a text \[bytes\].
pub const MAX_TEXT_BYTES: usize = 1 << 21;

/// Maximum number of operations and operands in the expressions of one text, after the expansion of all
/// user-defined functions. The same limit applies to all user-defined functions of a scope together.
pub const MAX_NODES: usize = 1_000_000;

/// Parses an expression, which can be a number or a condition.
///
/// ```
/// use siconos_expression::{Scope, Type, parse_expression};
///
/// let expression = parse_expression("2 < 3 implies not true", &Scope::new())?;
/// assert_eq!(expression.value_type(), Type::Condition);
/// # Ok::<(), siconos_expression::ParseError>(())
/// ```
///
/// # Errors
///
/// [`ParseError`] with the position of the first error if the text is invalid.
pub fn parse_expression(text: &str, scope: &Scope) -> Result<Expression, ParseError> {
    let mut parser = Parser::new(text, scope, Lines::AreBlanks)?;
    let operand = parser.whole_expression()?;
    parser.expect_end()?;
    parser.take_expression(operand)
}

/// Parses an expression whose value must be a number.
///
/// # Errors
///
/// See [`parse_expression`]. Also if the expression is a condition.
pub fn parse_number(text: &str, scope: &Scope) -> Result<Expression, ParseError> {
    parse_typed(text, scope, Type::Number)
}

/// Parses an expression that must be a condition.
///
/// # Errors
///
/// See [`parse_expression`]. Also if the expression is a number.
pub fn parse_condition(text: &str, scope: &Scope) -> Result<Expression, ParseError> {
    parse_typed(text, scope, Type::Condition)
}

fn parse_typed(text: &str, scope: &Scope, value_type: Type) -> Result<Expression, ParseError> {
    let mut parser = Parser::new(text, scope, Lines::AreBlanks)?;
    let operand = parser.typed_expression(value_type)?;
    parser.expect_end()?;
    parser.take_expression(operand)
}

/// Parses the action of an event: statements on separate lines or separated by semicolons, or `none`.
///
/// ```
/// use siconos_expression::{Action, ValueKind, Name, Role, Scope, Symbol, parse_action};
///
/// let mut scope = Scope::new().with_temporaries(9);
/// for (index, name) in (0..).zip(["y", "y'"]) {
///     let symbol = Symbol { slot: 0, index };
///     scope.declare(name, Name { symbol, kind: ValueKind::Real, role: Role::State })?;
/// }
/// let action = parse_action("speed = -0.9 * y'\nif speed < 1e-3 { halt } else { y' = speed }", &scope)?;
/// let Action::Run { statements, temporaries } = action else { panic!("it has statements") };
/// assert_eq!((statements.len(), temporaries[0].name.as_str()), (2, "speed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ParseError`] with the position of the first error if the text is invalid.
pub fn parse_action(text: &str, scope: &Scope) -> Result<Action, ParseError> {
    Parser::new(text, scope, Lines::AreKept)?.action()
}

/// Parses the trigger of an event.
///
/// ```
/// use siconos_expression::{Direction, ValueKind, Name, Role, Scope, Symbol, Trigger, parse_trigger};
///
/// let mut scope = Scope::new();
/// let y = Name { symbol: Symbol { slot: 0, index: 0 }, kind: ValueKind::Real, role: Role::State };
/// scope.declare("y", y)?;
/// let trigger = parse_trigger("decreasing(y - 1)", &scope)?;
/// assert!(matches!(trigger, Trigger::Root { direction: Direction::Decreasing, condition: None, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ParseError`] with the position of the first error if the text is invalid.
pub fn parse_trigger(text: &str, scope: &Scope) -> Result<Trigger, ParseError> {
    Parser::new(text, scope, Lines::AreBlanks)?.trigger()
}
