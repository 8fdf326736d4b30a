//! Language of model files: expressions and, for hybrid models, the actions and triggers of events.
//!
//! A [`Scope`] contains the known names. Text is parsed by one of these functions:
//!
//! | function | for |
//! | --- | --- |
//! | [`parse_expression`], [`parse_number`], [`parse_condition`] | equations, initial values, conditions |
//! | [`parse_action`] | actions of events |
//! | [`parse_trigger`] | triggers of events |
//!
//! An [`Expression`] is compiled, alone or together with others, to a [`Tape`] for its values and to a
//! [`Jacobian`] for its derivatives. [`Tape::compile_along`] compiles derivatives of any order along a
//! motion. Invalid text results in a [`ParseError`] with the byte range of the error, and never in a panic.
//! [`ParseError::in_source`] shows the position of the error in the file.
//!
//! # Expressions
//!
//! Operators, in the order of decreasing precedence:
//!
//! | operators | |
//! | --- | --- |
//! | `^` | power, right-associative: `2^3^2` is `2^9`; the exponent can have a minus sign |
//! | `-x` | negation: `-2^2` is `-4` |
//! | `*` `/` `%` | left-associative; `a % b` is the remainder with the sign of a, as in Rust |
//! | `+` `-` | left-associative |
//! | `<` `<=` `>` `>=` `==` `!=` | cannot be chained; `==` and `!=` compare two numbers or two conditions |
//! | `not` | |
//! | `and` | left-associative |
//! | `xor` | left-associative |
//! | `or` | left-associative |
//! | `implies` | right-associative |
//! | `if c then a else b` | a and b have the same type; b extends as far as possible |
//!
//! After an operator of higher precedence, `not` and `if` must be in parentheses. `if(c, a, b)` is an
//! alternative form of the selection, which needs no additional parentheses.
//!
//! Numbers are written `1`, `.5`, `2.`, `1.5e-3`; constants are `pi`, `tau` and `inf` (infinity),
//! `true` and `false`. The functions of numbers are:
//!
//! - `sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp sqrt cbrt abs`, `ln` or `log`, `log2`,
//!   `log10`, `atan2(y, x)`, `hypot(a, b)`, as defined for `f64`;
//! - `min(a, b)` and `max(a, b)`, which return the other argument if one of them is NaN;
//! - `floor`, `ceil`, and `round`, which rounds halves away from zero;
//! - `sign(x)`, which is x if x is zero;
//! - `mod(a, b)`, the remainder with the sign of b, which is `a - b * floor(a / b)`;
//! - `clamp(x, lo, hi)`, which is lo if x is less than lo, otherwise hi if x is greater than hi, otherwise x.
//!   Therefore, NaN remains NaN, and a bound that is NaN has no effect.
//!
//! Operations are executed in the order in which they are written, and are never contracted. For example,
//! `x * 0.1 * 0.3` is `(x * 0.1) * 0.3`, and `x^2` is x times x. Operators treat NaN, infinities and signed
//! zeros as in Rust: all comparisons with NaN are false except `!=`. A boolean is stored as 0 or 1.
//!
//! In events, `pre(u)` is the value of a name or an expression u before the event. The following functions
//! compare u with `pre(u)`:
//!
//! | function | of a condition | of a number |
//! | --- | --- | --- |
//! | `change(u)` | `u != pre(u)` | `u != pre(u)` |
//! | `rising_edge(u)`, `edge(u)` | `not pre(u) and u` | `pre(u) < u` |
//! | `falling_edge(u)` | `not u and pre(u)` | `u < pre(u)` |
//!
//! In a scope [without events](Scope::without_events) and in user-defined functions, the words of events,
//! actions and triggers are rejected. The error message contains the word.
//!
//! # Names
//!
//! A name is a letter or `_`, followed by letters, digits and `_`, followed by primes: `y`, `y'`. It can have
//! several parts joined by points, and an index after the last part: `ball.q`, `ball.q'`, `arm.q[1]'`, all
//! without blanks. `2.` remains a number, and `a..b` remains a range. A reserved word is allowed as a part of
//! a name, but not as a complete name.
//!
//! # User-defined functions
//!
//! [`Scope::declare_functions`] adds functions that are given as text; see [`FunctionDefinition`]. The
//! functions can call each other in any order, but not recursively. A call is replaced by the expression of
//! the function with the arguments substituted, so values and derivatives are bit-identical to the results of
//! the expanded expression.
//!
//! # Limits
//!
//! | quantity | limit | error |
//! | --- | --- | --- |
//! | length of a text in bytes | [`MAX_TEXT_BYTES`], 2 MiB | [`TooLong`](ParseErrorKind::TooLong), before anything is parsed |
//! | depth of nested parentheses, calls, operators and blocks, with functions expanded | [`MAX_DEPTH`], 200 | [`TooDeep`](ParseErrorKind::TooDeep) |
//! | operations and operands, with functions expanded | [`MAX_NODES`], 1 000 000 | [`TooManyNodes`](ParseErrorKind::TooManyNodes) |
//! | arguments of a user-defined function | [`MAX_ARGUMENTS`], 100 | [`TooManyArguments`](ScopeError::TooManyArguments) |
//!
//! Within these limits, the parsing time grows with the length of the text and with the number of operations.
//!
//! # Actions
//!
//! ```text
//! speed = -0.9 * y'; count = count + 1
//! if speed < 1e-3 {
//!     halt
//! } else if count == 100 {
//!     to_end
//! } else {
//!     y' = speed
//! }
//! ```
//!
//! A statement ends at the end of the line or with `;`. Within parentheses and after an operator, it
//! continues on the next line. A name that is assigned without being declared is a temporary variable of the
//! action. It has the type of the first value assigned to it, and must be assigned on every path to a
//! statement that reads it. A [`Control`] word ends the action. `none` is an action without statements.
//!
//! # Triggers
//!
//! | text | condition for an event |
//! | --- | --- |
//! | `f` | the function f crosses zero in either direction |
//! | `increasing(f)`, `decreasing(f)` | the function f crosses zero in this direction |
//! | `side(y, pre)`, `side(y, post)` | allowed as f: y crosses zero, and is on this side at the event |
//! | `[f, condition]` | f crosses zero, and the condition holds. f can have a direction. |
//! | `condition`, `[0, condition]` | another trigger causes an event, and the condition holds at this event |
//! | `f = a .. b` | f leaves the range from a to b |
//! | `t = a`, `t = [a, step]` | the independent variable t reaches a, or a plus a multiple of the step |
#![deny(missing_docs)]

mod action;
mod constancy;
mod enclosure;
mod error;
mod expression;
mod function;
mod graph;
mod jacobian;
mod names;
mod parse;
mod report;
mod scope;
mod symbol;
mod tape;
mod trigger;

pub use action::{Action, Control, Statement, Temporary};
pub use constancy::is_constant_sum;
pub use enclosure::{Enclosure, Interval, ValueAndSlopeBounds};
pub use error::{ParseError, ParseErrorKind};
pub use expression::{Expression, Switch, SwitchValues};
pub use function::{FunctionDefinition, FunctionError, FunctionErrorKind, FunctionErrors, MAX_ARGUMENTS};
pub use jacobian::Jacobian;
pub use names::{did_you_mean, nearest};
pub use parse::{
    MAX_DEPTH, MAX_NODES, MAX_TEXT_BYTES, parse_action, parse_condition, parse_expression, parse_number,
    parse_trigger,
};
pub use report::Excerpt;
pub use scope::{Scope, ScopeError};
pub use symbol::{Name, Role, Symbol, Type, ValueKind};
pub use tape::{Rate, Tape};
pub use trigger::{Direction, Side, Trigger};

/// Doc test of the example in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
