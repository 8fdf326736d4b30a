//! Parse errors with their positions.

use std::ops::Range;

use crate::names::did_you_mean;
use crate::symbol::{Role, Type};

/// Error in a text, with its position. `Display` prints only the message; [`in_source`](Self::in_source) adds
/// the position.
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
    /// Byte range of the invalid text. It is empty if text is missing at the end.
    pub span: Range<usize>,
    /// Kind of the error.
    pub kind: ParseErrorKind,
}

impl ParseError {
    pub(crate) fn new(span: Range<usize>, kind: ParseErrorKind) -> Self {
        Self { span, kind }
    }
}

/// Kind of a parse error.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A character that has no meaning.
    #[error("`{}` has no meaning here{}", found.escape_debug(), instead.map_or(String::new(), |it| format!("; write {it}")))]
    UnknownCharacter {
        /// The character.
        found: char,
        /// Equivalent in this language, if the character is an operator in other languages.
        instead: Option<&'static str>,
    },
    /// Digits that do not form a number.
    #[error("`{text}` is not a number")]
    NotANumber {
        /// The digits and the characters that follow them directly.
        text: String,
    },
    /// A number that is outside the range of `f64`.
    #[error("`{text}` is too large for a double")]
    TooLarge {
        /// The number as it is written.
        text: String,
    },
    /// An unexpected token.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// Description of the expected token.
        expected: &'static str,
        /// Description of the token found.
        found: String,
    },
    /// Brackets after a name that contain something other than an index.
    #[error("an index after `{name}` must be a whole number in brackets, before any primes, as in `q[1]'`")]
    NotAnIndex {
        /// The name.
        name: String,
    },
    /// A text that is too long, and is therefore not parsed.
    #[error("this expression has {length} bytes; the limit is {limit}")]
    TooLong {
        /// Length of the text \[bytes\].
        length: usize,
        /// Maximum length \[bytes\].
        limit: usize,
    },
    /// Expressions that are too large after the expansion of all function calls.
    #[error("this requires more than {limit} operations and operands, with all functions expanded")]
    TooManyNodes {
        /// Maximum number of operations and operands.
        limit: usize,
    },
    /// A name that was not declared.
    #[error("unknown name `{name}`{}", help(nearest.as_deref(), known))]
    UnknownName {
        /// The unknown name.
        name: String,
        /// A known name that is similar to the unknown name.
        nearest: Option<String>,
        /// All declared names, in alphabetical order, if no known name is similar.
        known: Vec<String>,
    },
    /// A call of an unknown function.
    #[error("unknown function `{name}`{}", did_you_mean(nearest.as_deref()))]
    UnknownFunction {
        /// Name of the unknown function.
        name: String,
        /// A known function with a name similar to the unknown name.
        nearest: Option<String>,
    },
    /// A call of a name that is not a function.
    #[error("`{name}` is {what} and cannot be called; write `*` for a product")]
    NotAFunction {
        /// The name.
        name: String,
        /// Description of what the name refers to.
        what: &'static str,
    },
    /// User-defined functions that call each other recursively.
    #[error("{}: functions cannot call each other in a cycle", circle(functions))]
    RecursiveFunctions {
        /// Names of the functions. Each function calls the next, and the last name equals the first.
        functions: Vec<String>,
    },
    /// A call of a user-defined function that is invalid, because it has an error or calls an invalid
    /// function.
    #[error("`{name}` cannot be called, because its definition has errors")]
    InvalidFunction {
        /// Name of the function.
        name: String,
    },
    /// A function name that is not followed by arguments.
    #[error("`{name}` is a function; give its argument in parentheses")]
    NotCalled {
        /// Name of the function.
        name: String,
    },
    /// A function that is allowed only at the beginning of a trigger, used at another position.
    #[error("`{name}` is allowed only at the beginning of a trigger")]
    NotInATrigger {
        /// Name of the function.
        name: String,
    },
    /// A function with too few or too many arguments.
    #[error("`{function}` takes {expected} argument{}, found {found}", if *expected == 1 { "" } else { "s" })]
    ArgumentCount {
        /// Name of the function.
        function: String,
        /// Required number of arguments.
        expected: usize,
        /// Number of arguments found.
        found: usize,
    },
    /// A number where a condition is required, or a condition where a number is required.
    #[error("expected {}, found {}", expected.words(), found.words())]
    WrongType {
        /// Required type.
        expected: Type,
        /// Type found.
        found: Type,
    },
    /// A comparison whose operand is a comparison, such as `a < b < c`.
    #[error("comparisons cannot be chained; write `a < b and b < c`")]
    ChainedComparison,
    /// A single equals sign within an expression.
    #[error("`=` is an assignment; use `==` to compare")]
    SingleEquals,
    /// The word `not` or `if` after an operator of higher precedence, without parentheses.
    #[error("put parentheses around `{word}` and its operands")]
    NeedsParentheses {
        /// `not` or `if`.
        word: &'static str,
    },
    /// Parentheses, calls, blocks or operators that are nested too deeply.
    #[error("this is nested more than {limit} levels deep")]
    TooDeep {
        /// Maximum depth.
        limit: usize,
    },
    /// A word that is reserved for events, in a text in which events are not available.
    #[error("`{word}` is available only in the events of hybrid models")]
    EventWord {
        /// The word.
        word: String,
    },
    /// An assignment in a text in which events are not available.
    #[error(
        "`=` is an assignment, which is available only in the events of hybrid models; use `==` to compare"
    )]
    Assignment,
    /// A function of previous values, used outside events.
    #[error("{function} has no meaning outside events")]
    OutsideEvents {
        /// Name of the function.
        function: String,
    },
    /// A previous value of a name for which previous values are not stored.
    #[error("`{name}` is {what} and has no previous value")]
    NoPrevious {
        /// The name.
        name: String,
        /// Description of what the name refers to.
        what: &'static str,
    },
    /// A previous value of a previous value.
    #[error("the previous value of a previous value is not available")]
    NestedPrevious,
    /// An assignment to a name that actions must not change.
    #[error(
        "`{name}` is {}; an action can assign states, derivatives below the order of their equation, and \
         discrete variables",
        role.words()
    )]
    NotAssignable {
        /// The name.
        name: String,
        /// Role of the name.
        role: Role,
    },
    /// An assignment to a reserved word, a function or a constant.
    #[error("`{name}` is {what} and cannot be assigned")]
    Reserved {
        /// The name.
        name: String,
        /// Description of what the name refers to.
        what: &'static str,
    },
    /// A constant with a fractional part, assigned to an integer.
    #[error("{value} is not an integer")]
    NotAnInteger {
        /// The constant.
        value: f64,
    },
    /// A temporary variable that is read although no value has been assigned to it on some path.
    #[error("`{name}` is not assigned on every path to this point")]
    Unassigned {
        /// Name of the temporary.
        name: String,
    },
    /// A statement that follows a statement which always ends the action.
    #[error("this is never reached")]
    NeverReached,
    /// The word `none` together with statements.
    #[error("`none` cannot be combined with other statements")]
    NoneNotAlone,
    /// A trigger whose function reads no variable.
    #[error("this function is constant: it has no roots")]
    ConstantFunction,
    /// `side(..)` whose argument is not a dependent variable.
    #[error("`side` requires a dependent variable; add an algebraic equation for the expression")]
    SideNeedsState,
    /// A function that is equated with a single value instead of a range.
    #[error(
        "a trigger must equate the independent variable with a time, or a function with a range `lo .. hi`; \
         write the root of a difference as `a - b`"
    )]
    NeitherTimeNorRange,
    /// A time of a trigger that is not constant.
    #[error("the time of a trigger must be constant, but `{name}` is {what}")]
    TimeReadsName {
        /// First name that the time depends on.
        name: String,
        /// Description of what the name refers to.
        what: &'static str,
    },
    /// A time of a trigger that is infinite or NaN.
    #[error("the time of a trigger must be finite, not {value}")]
    TimeNotFinite {
        /// Value of the time.
        value: f64,
    },
    /// A period of a trigger that is not a positive finite number.
    #[error("the period of a trigger must be finite and positive, not {value}")]
    BadPeriod {
        /// Value of the period.
        value: f64,
    },
}

fn circle(functions: &[String]) -> String {
    let names: Vec<_> = functions.iter().map(|name| format!("`{name}`")).collect();
    names.join(" calls ")
}

/// Maximum number of names that a message lists.
const MOST_LISTED: usize = 10;

/// Returns the suggestion for an unknown name: a similar name, or a list of the known names.
fn help(nearest: Option<&str>, known: &[String]) -> String {
    if nearest.is_some() || known.is_empty() {
        return did_you_mean(nearest);
    }
    let listed: Vec<_> = known.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
    let listed = listed.join(", ");
    match known.len().saturating_sub(MOST_LISTED) {
        0 => format!("; the names here are {listed}"),
        more => format!("; the names here are {listed} and {more} more"),
    }
}
