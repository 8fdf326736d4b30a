//! What can be wrong with a text, and where.

use std::ops::Range;

use crate::names::did_you_mean;
use crate::symbol::{Role, Type};

/// An error in a text, with the place where it was found. Prints as the message alone; see
/// [`in_source`](Self::in_source) for more.
///
/// ```
/// use siconos_expression::{Scope, parse_expression};
///
/// let error = parse_expression("1 + (2 < 3)", &Scope::new()).unwrap_err();
/// assert_eq!(error.to_string(), "expected a number, found a condition");
/// assert_eq!(error.span, 4..11);
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The bytes of the text that are wrong; empty at the end of the text when something is missing there.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub kind: ParseErrorKind,
}

impl ParseError {
    pub(crate) fn new(span: Range<usize>, kind: ParseErrorKind) -> Self {
        Self { span, kind }
    }
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A character that means nothing.
    #[error("`{}` means nothing here{}", found.escape_debug(), instead.map_or(String::new(), |it| format!("; write {it}")))]
    UnknownCharacter {
        /// The character.
        found: char,
        /// What other languages write so, in this one.
        instead: Option<&'static str>,
    },
    /// Digits that are no number.
    #[error("`{text}` is not a number")]
    NotANumber {
        /// The digits and what sticks to them.
        text: String,
    },
    /// A number beyond the range of doubles.
    #[error("`{text}` is too large for a double")]
    TooLarge {
        /// The number as it is written.
        text: String,
    },
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// Brackets behind a name, with something else than an index in them.
    #[error("an index behind `{name}` is a whole number in brackets, before any primes: `q[1]'`")]
    NotAnIndex {
        /// The name.
        name: String,
    },
    /// A text that is refused unread.
    #[error("this is {length} bytes long; an expression has at most {limit}")]
    TooLong {
        /// How long it is \[bytes\].
        length: usize,
        /// How long it may be \[bytes\].
        limit: usize,
    },
    /// Expressions that are too large with all calls of functions replaced by what these stand for.
    #[error("this needs more than {limit} operations and operands, with all functions written out")]
    TooManyNodes {
        /// How many there may be.
        limit: usize,
    },
    /// A name that was not declared.
    #[error("unknown name `{name}`{}", did_you_mean(nearest.as_deref()))]
    UnknownName {
        /// The name.
        name: String,
        /// A known name much like it.
        nearest: Option<String>,
    },
    /// A call of something that does not exist.
    #[error("unknown function `{name}`{}", did_you_mean(nearest.as_deref()))]
    UnknownFunction {
        /// The name.
        name: String,
        /// A function with a name much like it.
        nearest: Option<String>,
    },
    /// A call of something that is no function.
    #[error("`{name}` is {what} and cannot be called; write `*` for a product")]
    NotAFunction {
        /// The name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// Functions of the user that come back to where they began.
    #[error("{}: functions cannot go round in a circle", circle(functions))]
    Circle {
        /// Each calls the next; the last is the first again.
        functions: Vec<String>,
    },
    /// A call of a function of the user that is at fault itself, or calls one that is.
    #[error("`{name}` cannot be called, for it is at fault itself")]
    FaultyFunction {
        /// The function.
        name: String,
    },
    /// A function without its arguments.
    #[error("`{name}` is a function; its argument follows in parentheses")]
    NotCalled {
        /// The function.
        name: String,
    },
    /// A function that stands at the beginning of a trigger only.
    #[error("`{name}` belongs at the beginning of a trigger")]
    NotInATrigger {
        /// The function.
        name: String,
    },
    /// A function with too few or too many arguments.
    #[error("`{function}` takes {expected} argument{}, found {found}", if *expected == 1 { "" } else { "s" })]
    ArgumentCount {
        /// The function.
        function: String,
        /// How many it takes.
        expected: usize,
        /// How many it is given.
        found: usize,
    },
    /// A number where a condition should be, or the other way round.
    #[error("expected {}, found {}", expected.words(), found.words())]
    WrongType {
        /// What should stand here.
        expected: Type,
        /// What does.
        found: Type,
    },
    /// A comparison of a comparison.
    #[error("comparisons do not chain; write `a < b and b < c`")]
    ChainedComparison,
    /// A single equals sign where an expression goes on.
    #[error("`=` assigns; a comparison is written `==`")]
    SingleEquals,
    /// A word that binds weaker than the operator before it.
    #[error("put parentheses around `{word}` and what belongs to it")]
    NeedsParentheses {
        /// `not` or `if`.
        word: &'static str,
    },
    /// Too many parentheses, calls, blocks or operators within each other.
    #[error("this is nested more than {limit} deep")]
    TooDeep {
        /// How deep it may be.
        limit: usize,
    },
    /// A word of events where there are none.
    #[error("`{word}` belongs to the events of hybrid models; there are none here")]
    EventWord {
        /// The word.
        word: String,
    },
    /// An assignment where there are no events.
    #[error("`=` assigns, which only events of hybrid models do; a comparison is written `==`")]
    Assignment,
    /// A previous value where there is none.
    #[error("{function} has no meaning outside events")]
    OutsideEvents {
        /// The function that asks for it.
        function: String,
    },
    /// A previous value of something that keeps none.
    #[error("`{name}` is {what} and has no previous value")]
    NoPrevious {
        /// The name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// A previous value of a previous value.
    #[error("the previous value of a previous value is not known")]
    NestedPrevious,
    /// An assignment to what an action cannot assign.
    #[error(
        "`{name}` is {}; an action can assign states, derivatives below the order of their equation, and \
         discrete variables",
        role.words()
    )]
    NotAssignable {
        /// The name.
        name: String,
        /// What it is.
        role: Role,
    },
    /// An assignment to a word, a function or a constant.
    #[error("`{name}` is {what} and cannot be assigned")]
    Reserved {
        /// The name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// A constant with a fraction for an integer.
    #[error("{value} is not an integer")]
    NotAnInteger {
        /// The constant.
        value: f64,
    },
    /// A temporary that is read where not every path has assigned it.
    #[error("not every path to here assigns `{name}`")]
    Unassigned {
        /// The temporary.
        name: String,
    },
    /// A statement behind one that leaves the action.
    #[error("this is never reached")]
    NeverReached,
    /// `none` among statements.
    #[error("`none` stands alone: it is an action without statements")]
    NoneNotAlone,
    /// A root of a function that reads no variable.
    #[error("this function is constant: it has no roots")]
    ConstantFunction,
    /// A side of something that is no dependent variable.
    #[error("side works on a dependent variable; add an algebraic equation for an expression")]
    SideNeedsState,
    /// A function equated with one value.
    #[error(
        "a trigger equates the independent variable with a time, or a function with a range `lo .. hi`; the \
         root of a difference is written `a - b`"
    )]
    NeitherTimeNorRange,
    /// A time that is not known in advance.
    #[error("the time of a trigger is a constant; `{name}` is {what}")]
    TimeReadsName {
        /// The first name that it reads.
        name: String,
        /// What that is.
        what: &'static str,
    },
    /// A time that is not finite.
    #[error("the time of a trigger is finite, not {value}")]
    TimeNotFinite {
        /// Its value.
        value: f64,
    },
    /// A period that is not a positive number.
    #[error("the period of a trigger is positive and finite, not {value}")]
    BadPeriod {
        /// Its value.
        value: f64,
    },
}

fn circle(functions: &[String]) -> String {
    let names: Vec<_> = functions.iter().map(|name| format!("`{name}`")).collect();
    names.join(" calls ")
}
