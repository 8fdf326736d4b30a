//! Triggers: what makes an event happen.

use std::fmt;

use crate::expression::Expression;
use crate::symbol::Symbol;

/// What makes an event happen; read by [`parse_trigger`](crate::parse_trigger), which has an example.
///
/// `Display` prints it so that it is parsed to an equal one.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// A root of a function: `f`, `increasing(f)`, `decreasing(f)`, `side(y, pre)`, or one of these with a
    /// condition, as `[f, condition]`.
    Root {
        /// The function, a number.
        function: Expression,
        /// How it has to cross zero.
        direction: Direction,
        /// On which side of the event the variable is taken, if that is said.
        side: Option<Side>,
        /// The variable, if the function is one alone.
        variable: Option<Symbol>,
        /// What has to hold at the root.
        condition: Option<Expression>,
    },
    /// `f = lower .. upper`: a function leaves a range in which it has been.
    Range {
        /// The function, a number.
        function: Expression,
        /// The lower end, a number.
        lower: Expression,
        /// The upper end, a number.
        upper: Expression,
    },
    /// `t = start` or `t = [start, every]`: the independent variable reaches a value, once or again and
    /// again.
    Time {
        /// The name of the independent variable.
        name: String,
        /// The first value, constant and finite.
        start: Expression,
        /// The step from one value to the next, constant, finite and positive.
        every: Option<Expression>,
    },
    /// A condition alone, or `[0, condition]`: judged at events only.
    Discrete {
        /// What has to hold.
        condition: Expression,
    },
}

/// How a function has to cross zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Either way.
    Any,
    /// From negative to positive.
    Increasing,
    /// From positive to negative.
    Decreasing,
}

/// A side of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before it.
    Pre,
    /// Behind it.
    Post,
}

impl Side {
    /// The word itself.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pre => "pre",
            Self::Post => "post",
        }
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root { function, direction, side, condition, .. } => {
                let root = side.map_or_else(
                    || function.to_string(),
                    |side| format!("side({function}, {})", side.word()),
                );
                let root = match direction {
                    Direction::Any => root,
                    Direction::Increasing => format!("increasing({root})"),
                    Direction::Decreasing => format!("decreasing({root})"),
                };
                match condition {
                    Some(condition) => write!(f, "[{root}, {condition}]"),
                    None => f.write_str(&root),
                }
            }
            Self::Range { function, lower, upper } => write!(f, "{function} = {lower} .. {upper}"),
            Self::Time { name, start, every: None } => write!(f, "{name} = {start}"),
            Self::Time { name, start, every: Some(every) } => write!(f, "{name} = [{start}, {every}]"),
            Self::Discrete { condition } => write!(f, "{condition}"),
        }
    }
}
