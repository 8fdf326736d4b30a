//! Functions of the user: expressions with arguments, under a name.

use std::fmt;
use std::sync::Arc;

use crate::error::ParseError;
use crate::expression::{Node, Variable};
use crate::parse;
use crate::scope::{Scope, ScopeError, Type};

/// How many arguments a function of the user may have.
pub const MOST_ARGUMENTS: usize = 100;

/// A function of the user: a name, the names of its arguments, and an expression of these as text.
///
/// Arguments are numbers; the value is a number or a condition, as the text is. The text may read the names
/// that the [`Scope`] had when the function was declared, but for those that its arguments are called; it may
/// call other functions, and has no words of events in it. A call is replaced by the text with the arguments
/// in their places, and so has the bits of the text written out. Derivatives go through it like through any
/// expression.
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

/// A function of a scope.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    arguments: usize,
    /// None where the function is at fault.
    body: Option<Arc<Body>>,
}

impl Function {
    pub(crate) fn faulty(arguments: usize) -> Self {
        Self { arguments, body: None }
    }

    pub(crate) fn set_body(&mut self, body: Body) {
        self.body = Some(Arc::new(body));
    }

    /// How many arguments it takes.
    pub(crate) fn arguments(&self) -> usize {
        self.arguments
    }

    pub(crate) fn body(&self) -> Option<&Arc<Body>> {
        self.body.as_ref()
    }
}

/// What a call stands for: an expression, the first variables of which are the arguments.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) nodes: Vec<Node>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) value_type: Type,
}

impl Scope {
    /// Adds functions that may call each other, in any order. Names that they read have been declared before.
    ///
    /// What is right is declared all the same. A function that is at fault keeps its name, and a text that
    /// calls it is refused with [`FaultyFunction`](crate::ParseErrorKind::FaultyFunction); functions that are
    /// at fault only because they call it are not among the errors.
    ///
    /// # Errors
    ///
    /// [`FunctionErrors`], one for each name, argument and text that is wrong: a name that is not plain,
    /// reserved or declared before, more than [`MOST_ARGUMENTS`], whatever may be wrong with a text,
    /// functions that call each other in a circle, and texts that are larger than
    /// [`MOST_NODES`](crate::MOST_NODES) together with all functions of the scope, written out.
    pub fn declare_functions(&mut self, definitions: &[FunctionDefinition]) -> Result<(), FunctionErrors> {
        let errors = parse::declare(self, definitions);
        if errors.is_empty() { Ok(()) } else { Err(FunctionErrors(errors)) }
    }

    /// Adds a function that may call those that were declared before.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_number};
    ///
    /// let mut scope = Scope::new();
    /// scope.declare_function("lerp", &["a", "b", "s"], "a + s * (b - a)")?;
    /// assert_eq!(parse_number("lerp(1, 3, 0.25)", &scope)?.constant(), Some(1.5));
    /// let error = parse_number("lerp(1, 3)", &scope).unwrap_err();
    /// assert_eq!(error.to_string(), "`lerp` takes 3 arguments, found 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`declare_functions`](Self::declare_functions).
    pub fn declare_function(
        &mut self,
        name: &str,
        arguments: &[&str],
        text: &str,
    ) -> Result<(), FunctionErrors> {
        self.declare_functions(&[FunctionDefinition::new(name, arguments.iter().copied(), text)])
    }
}
