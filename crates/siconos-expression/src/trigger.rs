//! Triggers of events.

use std::fmt;

use crate::expression::Expression;
use crate::symbol::Symbol;

/// Trigger of an event, parsed by [`parse_trigger`](crate::parse_trigger). See there for an example.
///
/// `Display` prints a trigger in a form that is parsed to an equal trigger.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// A root of a function: `f`, `increasing(f)`, `decreasing(f)`, `side(y, pre)`, or one of these with a
    /// condition, as in `[f, condition]`.
    Root {
        /// Function whose roots are events. It is a number, not a condition.
        function: Expression,
        /// Direction of the zero crossing.
        direction: Direction,
        /// Side of the event at which the variable is evaluated, if given.
        side: Option<Side>,
        /// Symbol of the variable, if the function is a single variable.
        variable: Option<Symbol>,
        /// Condition that must hold at the root.
        condition: Option<Expression>,
    },
    /// `f = lower .. upper`: the function leaves a range after having been in it.
    Range {
        /// Function that leaves the range. It is a number, not a condition.
        function: Expression,
        /// Lower bound of the range.
        lower: Expression,
        /// Upper bound of the range.
        upper: Expression,
    },
    /// `t = start` or `t = [start, every]`: the independent variable reaches a value, once or periodically.
    Time {
        /// Name of the independent variable.
        name: String,
        /// First time of the trigger, constant and finite.
        start: Expression,
        /// Difference between successive times of the trigger, constant, finite and positive. `None` for a
        /// single time.
        every: Option<Expression>,
    },
    /// A condition without a function, written as `condition` or as `[0, condition]`. It is evaluated only at
    /// events.
    Discrete {
        /// Condition that must hold.
        condition: Expression,
    },
}

/// Direction of a zero crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Both directions.
    Any,
    /// From negative to positive.
    Increasing,
    /// From positive to negative.
    Decreasing,
}

/// Side of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the event.
    Pre,
    /// After the event.
    Post,
}

impl Side {
    /// Returns the word for the direction in the language.
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
