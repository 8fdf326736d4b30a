//! Actions of events.

use std::fmt;
use std::ops::Range;

use crate::expression::Expression;
use crate::symbol::{Symbol, ValueKind};

/// Action of an event, parsed by [`parse_action`](crate::parse_action). See there for an example.
///
/// `Display` prints an action as text that is parsed to an equal action. Two actions are equal if their
/// statements are equal, regardless of their positions in the source text.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `none`: no effect.
    None,
    /// Statements, executed in order.
    Run {
        /// Statements, at least one.
        statements: Vec<Statement>,
        /// Temporary variables: names that are not in the scope and to which the statements assign values, in
        /// the order of their indices.
        temporaries: Vec<Temporary>,
    },
}

/// Temporary variable of an action. A value is always assigned to it before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporary {
    /// Name of the variable.
    pub name: String,
    /// Location of the value.
    pub symbol: Symbol,
    /// `Real` or `Boolean`, determined by the first value assigned to it.
    pub kind: ValueKind,
}

/// One statement of an action.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `name = value`
    Assign {
        /// Name to which the value is assigned.
        name: String,
        /// Location of the value of this name.
        target: Symbol,
        /// Kind of the values that the name accepts. If it is `Integer`, only constant values are checked to
        /// be whole numbers.
        kind: ValueKind,
        /// Assigned value.
        value: Expression,
        /// Byte range of the statement in the text.
        span: Range<usize>,
    },
    /// `if condition { .. } else { .. }`
    If {
        /// Condition of the branch.
        condition: Expression,
        /// Statements executed if the condition is true.
        then: Vec<Statement>,
        /// Statements executed if the condition is false. An `else if` is stored as one nested `If`.
        otherwise: Vec<Statement>,
    },
    /// Control word, which ends the action, and its byte range in the text.
    Control(Control, Range<usize>),
}

impl PartialEq for Statement {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Assign { name, target, kind, value, span: _ },
                Self::Assign { name: name_b, target: target_b, kind: kind_b, value: value_b, span: _ },
            ) => (name, target, kind, value) == (name_b, target_b, kind_b, value_b),
            (
                Self::If { condition, then, otherwise },
                Self::If { condition: condition_b, then: then_b, otherwise: otherwise_b },
            ) => (condition, then, otherwise) == (condition_b, then_b, otherwise_b),
            (Self::Control(a, _), Self::Control(b, _)) => a == b,
            _ => false,
        }
    }
}

/// Control word, such as `halt`: a statement that ends an action. The program that executes the action
/// defines the effect of each control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// `halt`
    Halt,
    /// `delay_halt`
    DelayHalt,
    /// `to_begin`
    ToBegin,
    /// `to_end`
    ToEnd,
    /// `break_iteration`
    BreakIteration,
    /// `no_mark`
    NoMark,
}

impl Control {
    /// All control words.
    const ALL: [Self; 6] =
        [Self::Halt, Self::DelayHalt, Self::ToBegin, Self::ToEnd, Self::BreakIteration, Self::NoMark];

    /// Returns the word as it is written in an action.
    pub fn word(self) -> &'static str {
        match self {
            Self::Halt => "halt",
            Self::DelayHalt => "delay_halt",
            Self::ToBegin => "to_begin",
            Self::ToEnd => "to_end",
            Self::BreakIteration => "break_iteration",
            Self::NoMark => "no_mark",
        }
    }

    pub(crate) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.word() == word)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Run { statements, .. } => write_lines(f, statements, 0),
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_statement(f, self, 0)
    }
}

const INDENT: usize = 4;

fn write_lines(f: &mut fmt::Formatter<'_>, statements: &[Statement], indent: usize) -> fmt::Result {
    for (place, statement) in statements.iter().enumerate() {
        if place > 0 {
            f.write_str("\n")?;
        }
        write!(f, "{:indent$}", "")?;
        write_statement(f, statement, indent)?;
    }
    Ok(())
}

fn write_statement(f: &mut fmt::Formatter<'_>, statement: &Statement, indent: usize) -> fmt::Result {
    match statement {
        Statement::Assign { name, value, .. } => write!(f, "{name} = {value}"),
        Statement::Control(control, _) => f.write_str(control.word()),
        Statement::If { condition, then, otherwise } => {
            write!(f, "if {condition} ")?;
            write_block(f, then, indent)?;
            match otherwise.as_slice() {
                [] => Ok(()),
                [next @ Statement::If { .. }] => {
                    f.write_str(" else ")?;
                    write_statement(f, next, indent)
                }
                _ => {
                    f.write_str(" else ")?;
                    write_block(f, otherwise, indent)
                }
            }
        }
    }
}

fn write_block(f: &mut fmt::Formatter<'_>, statements: &[Statement], indent: usize) -> fmt::Result {
    f.write_str("{\n")?;
    write_lines(f, statements, indent + INDENT)?;
    write!(f, "\n{:indent$}}}", "")
}
