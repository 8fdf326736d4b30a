//! Functions of the user: expressions with arguments, under a name.

use std::fmt;

use crate::error::ParseError;
use crate::scope::ScopeError;

/// How many arguments a function of the user may have.
pub const MOST_ARGUMENTS: usize = 100;

/// A function of the user: a name, the names of its arguments, and an expression of these as text.
///
/// Arguments are numbers; the value is a number or a condition, as the text is. The text may read the names
/// that the [`Scope`](crate::Scope) had when the function was declared, except those that its arguments have;
/// it may call other functions, and has no words of events in it. A call is replaced by the text with the
/// arguments in their places, and so has the bits of the text written out. Derivatives go through it like
/// through any expression.
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
    /// How it is called: one part, without index or primes.
    pub name: String,
    /// The names of its arguments, at most [`MOST_ARGUMENTS`]; there may be none.
    pub arguments: Vec<String>,
    /// Its value.
    pub text: String,
}

impl FunctionDefinition {
    /// A function of the name, the arguments and the text.
    pub fn new(
        name: impl Into<String>,
        arguments: impl IntoIterator<Item: Into<String>>,
        text: impl Into<String>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        Self { name: name.into(), arguments, text: text.into() }
    }
}

/// What is wrong with a function.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("function `{name}`: {kind}")]
pub struct FunctionError {
    /// The place of the function among those that were declared together, from 0.
    pub definition: usize,
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub kind: FunctionErrorKind,
}

/// What part of a function is wrong, and how.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FunctionErrorKind {
    /// Its name, or how many arguments it has.
    #[error("{0}")]
    Name(ScopeError),
    /// The name of an argument.
    #[error("{error}")]
    Argument {
        /// Which of the arguments, from 0.
        argument: usize,
        /// What is wrong with it.
        error: ScopeError,
    },
    /// The text, in which the place of the error is.
    #[error("{0}")]
    Text(ParseError),
}

/// What is wrong with functions that were declared together. Prints each error on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionErrors(
    /// At least one, in the order of the definitions.
    pub Vec<FunctionError>,
);

impl fmt::Display for FunctionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for FunctionErrors {}
