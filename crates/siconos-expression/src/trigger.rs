//! Triggers of events.

use std::fmt;

use crate::expression::Expression;
use crate::symbol::Symbol;

/// Trigger of an event, parsed by [`parse_trigger`](crate::parse_trigger). See there for an example.
///
/// `Display` prints a trigger as text that is parsed to an equal trigger.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// The trigger fires at the roots of a function. Forms: `f`, `increasing(f)`, `decreasing(f)`,
    /// `side(y, pre)`, or one of these with a condition, as in `[f, condition]`.
    Root {
        /// Function whose roots are events. Its type is number.
        function: Expression,
        /// Direction of the zero crossings.
        direction: Direction,
        /// Side of the root on which the variable is when the event is processed, if one is given.
        side: Option<Side>,
        /// Symbol of the variable if the function is a single variable, otherwise `None`.
        variable: Option<Symbol>,
        /// Condition that must hold at the root, if one is given.
        condition: Option<Expression>,
    },
    /// The trigger fires when a function leaves a range: `f = lower .. upper`.
    Range {
        /// Function that leaves the range. Its type is number.
        function: Expression,
        /// Lower bound of the range.
        lower: Expression,
        /// Upper bound of the range.
        upper: Expression,
    },
    /// The trigger fires when the independent variable reaches a value, once or periodically: `t = start` or
    /// `t = [start, every]`.
    Time {
        /// Name of the independent variable.
        name: String,
        /// First time at which the trigger fires. It is constant and finite.
        start: Expression,
        /// Period of the trigger. It is constant, finite and positive. `None` if the trigger fires only once.
        every: Option<Expression>,
    },
    /// The trigger has a condition and no function: `condition` or `[0, condition]`. The condition is
    /// evaluated only at events of other triggers.
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

/// Side of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the root.
    Pre,
    /// After the root.
    Post,
}

impl Side {
    /// Returns the word that denotes the direction in a trigger.
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
