//! User-defined functions: named expressions with arguments.

use std::fmt;

use crate::error::ParseError;
use crate::scope::ScopeError;

/// Maximum number of arguments of a user-defined function.
pub const MAX_ARGUMENTS: usize = 100;

/// User-defined function: a name, the names of its arguments, and the text of an expression in these
/// arguments.
///
/// The arguments are numbers. The result is a number or a condition, depending on the expression. The
/// expression can read the names that the [`Scope`](crate::Scope) contains when the function is declared,
/// except names that are hidden by arguments. It can call other functions, but must not contain words that
/// are reserved for events. Each call is replaced by the expression with the arguments substituted, so the
/// result of a call is bit-identical to the result of the expanded expression. Derivatives are derivatives of
/// the expanded expression.
///
/// ```
/// use siconos_expression::{FunctionDefinition, Scope, parse_number};
///
/// let mut scope = Scope::new();
/// scope.declare_constant("stiffness", 100.0)?;
/// scope.declare_functions(&[
///     FunctionDefinition::new("push", ["depth"], "stiffness * positive(depth)^1.5"),
///     FunctionDefinition::new("positive", ["x"], "max(x, 0)"),
/// ])?;
/// assert_eq!(parse_number("push(4) - push(-4)", &scope)?.constant(), Some(800.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionDefinition {
    /// Name of the function, without points, index or primes.
    pub name: String,
    /// Names of the arguments, at most [`MAX_ARGUMENTS`]. The list can be empty.
    pub arguments: Vec<String>,
    /// Text of the expression that defines the result.
    pub text: String,
}

impl FunctionDefinition {
    /// Creates a function from its name, its arguments and its expression.
    pub fn new(
        name: impl Into<String>,
        arguments: impl IntoIterator<Item: Into<String>>,
        text: impl Into<String>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { name: name.into(), arguments, text: text.into() }
    }
}

/// Error in a user-defined function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("function `{name}`: {kind}")]
pub struct FunctionError {
    /// Index of the function, counted from 0, in the list of functions that were declared together.
    pub definition: usize,
    /// Name of the function.
    pub name: String,
    /// Kind of the error.
    pub kind: FunctionErrorKind,
}

/// Kind of an error in a user-defined function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FunctionErrorKind {
    /// Error in the name or in the number of arguments.
    #[error("{0}")]
    Name(ScopeError),
    /// Error in the name of an argument.
    #[error("{error}")]
    Argument {
        /// Index of the argument, counted from 0.
        argument: usize,
        /// Error in the name of the argument.
        error: ScopeError,
    },
    /// Error in the expression, with its position.
    #[error("{0}")]
    Text(ParseError),
}

/// Errors of functions that were declared together. `Display` prints one error per line.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionErrors(
    /// Errors, at least one, in the order of the definitions.
    pub Vec<FunctionError>,
);

impl fmt::Display for FunctionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for FunctionErrors {}
