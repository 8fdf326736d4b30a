//! The language of model files: expressions, and of hybrid models the actions of events and what triggers
//! these.
//!
//! A [`Scope`] says which names there are. A text is read by one of
//!
//! | function | for |
//! | --- | --- |
//! | [`parse_expression`], [`parse_number`], [`parse_condition`] | equations, start values, conditions |
//! | [`parse_action`] | what an event does |
//! | [`parse_trigger`] | what makes it happen |
//!
//! and an [`Expression`] is compiled, alone or with others, to a [`Tape`] for its values and a [`Jacobian`]
//! for its derivatives; [`Tape::compile_along`] gives those along a motion, of any order. A text that is
//! wrong is a [`ParseError`] with the bytes that are, and [`ParseError::in_source`] shows them in their file.
//! No text makes a function of this crate panic.
//!
//! # Expressions
//!
//! Operators, from those that bind strongest:
//!
//! | operators | |
//! | --- | --- |
//! | `^` | power, from the right: `2^3^2` is `2^9`; the exponent may have a minus |
//! | `-x` | so `-2^2` is `-4` |
//! | `*` `/` `%` | from the left; `a % b` is the remainder with the sign of a, as in Rust |
//! | `+` `-` | from the left |
//! | `<` `<=` `>` `>=` `==` `!=` | no chains; `==` and `!=` compare two numbers or two conditions |
//! | `not` | |
//! | `and` | from the left |
//! | `xor` | from the left |
//! | `or` | from the left |
//! | `implies` | from the right |
//! | `if c then a else b` | a and b have one type, and the last reaches as far as it can |
//!
//! `not` and `if` behind an operator that binds stronger stand in parentheses. `if(c, a, b)` is the same
//! choice as a call, and needs none.
//!
//! Numbers are `1`, `.5`, `2.`, `1.5e-3`; constants are `pi` and `tau`, `true` and `false`. Functions of
//! numbers:
//!
//! - `sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp sqrt cbrt abs`, `ln` or `log`, `log2`,
//!   `log10`, `atan2(y, x)`, `hypot(a, b)`, as of `f64`;
//! - `min(a, b)` and `max(a, b)`, which pass over NaN as those of `f64`;
//! - `floor`, `ceil`, and `round`, which rounds halves away from zero;
//! - `sign(x)`, which is x where x is zero;
//! - `mod(a, b)`, the remainder with the sign of b, which is `a - b * floor(a / b)`;
//! - `clamp(x, lo, hi)`, which is lo where x is less, else hi where x is more, else x: NaN stays NaN, and an
//!   end that is NaN is none.
//!
//! Operations are carried out in the order in which they are written, and none is contracted. So
//! `x * 0.1 * 0.3` is `(x * 0.1) * 0.3`, and `x^2` is x times x. NaN, infinities and zeros with a sign go
//! through operators as they do in Rust; comparisons with NaN are false but for `!=`. A boolean in a bank is
//! 0 or 1.
//!
//! In events `pre(u)` is the value before the event, of a name or of all names in an expression, and
//!
//! | function | of a condition | of a number |
//! | --- | --- | --- |
//! | `change(u)` | `u != pre(u)` | `u != pre(u)` |
//! | `rising_edge(u)`, `edge(u)` | `not pre(u) and u` | `pre(u) < u` |
//! | `falling_edge(u)` | `not u and pre(u)` | `u < pre(u)` |
//!
//! All words of events are refused by name, those of actions and triggers too, in a scope [without
//! events](Scope::without_events) and in functions of the user.
//!
//! # Names
//!
//! A name is a letter or `_`, then letters, digits and `_`, then primes: `y`, `y'`. It may have several parts
//! with points between them, and an index behind the last part: `ball.q`, `ball.q'`, `arm.q[1]'`, all without
//! blanks. `2.` is a number, and `a..b` a range, as ever. What is a word of the language by itself may be a
//! part.
//!
//! # Functions of the user
//!
//! [`Scope::declare_functions`] adds functions as text, see [`FunctionDefinition`]. They call each other in
//! any order, but not in a circle. A call stands for the text of the function with the arguments in their
//! places: bits and derivatives are those of the text written out.
//!
//! # Limits
//!
//! | of a text | limit | error |
//! | --- | --- | --- |
//! | bytes | [`LONGEST`], 2 MiB | [`TooLong`](ParseErrorKind::TooLong), before anything is read |
//! | parentheses, calls, operators and blocks within each other, with functions written out | [`DEEPEST`], 200 | [`TooDeep`](ParseErrorKind::TooDeep) |
//! | operations and operands, with functions written out | [`MOST_NODES`], 1 000 000 | [`TooManyNodes`](ParseErrorKind::TooManyNodes) |
//! | arguments of a function of the user | [`MOST_ARGUMENTS`], 100 | [`TooManyArguments`](ScopeError::TooManyArguments) |
//!
//! Within these the time to read a text grows with its length and the number of its operations.
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
//! Statements end with their line or with `;`. A line goes on in the next one within parentheses and behind
//! an operator. What is assigned without being declared is a temporary of the action: it takes the type of
//! its first value, and every path to where it is read has to assign it. A [`Control`] leaves the action.
//! `none` is an action without statements.
//!
//! # Triggers
//!
//! | text | an event happens where |
//! | --- | --- |
//! | `f` | the number f crosses zero |
//! | `increasing(f)`, `decreasing(f)` | f crosses zero in this direction |
//! | `side(y, pre)`, `side(y, post)` | the dependent variable y crosses zero, taken on this side of the event; may stand for f |
//! | `[f, condition]` | f, with or without a direction, crosses zero and the condition holds |
//! | `condition`, `[0, condition]` | the condition holds at another event |
//! | `f = a .. b` | f leaves the range, once it has been in it |
//! | `t = a`, `t = [a, step]` | the independent variable reaches a, or a and each multiple of the step behind it |
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
pub use enclosure::{Course, Enclosure, Interval};
pub use error::{ParseError, ParseErrorKind};
pub use expression::{Expression, Switch, SwitchValues};
pub use function::{FunctionDefinition, FunctionError, FunctionErrorKind, FunctionErrors, MOST_ARGUMENTS};
pub use jacobian::Jacobian;
pub use names::{did_you_mean, nearest};
pub use parse::{
    DEEPEST, LONGEST, MOST_NODES, parse_action, parse_condition, parse_expression, parse_number,
    parse_trigger,
};
pub use report::Excerpt;
pub use scope::{Scope, ScopeError};
pub use symbol::{Kind, Name, Role, Symbol, Type};
pub use tape::{Rate, Tape};
pub use trigger::{Direction, Side, Trigger};

/// The code of the page of the package, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
