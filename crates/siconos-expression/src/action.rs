//! Actions: what an event does.

use std::fmt;
use std::ops::Range;

use crate::expression::Expression;
use crate::symbol::{Kind, Symbol};

/// What an event does; read by [`parse_action`](crate::parse_action), which has an example.
///
/// `Display` prints it so that it is parsed to an equal one. Two are equal when their statements are,
/// wherever these stood in a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `none`: nothing.
    None,
    /// Statements, carried out one after another.
    Run {
        /// At least one.
        statements: Vec<Statement>,
        /// The names that the statements assign and the scope did not know, in the order of their indices.
        temporaries: Vec<Temporary>,
    },
}

/// A name that an action assigns for itself. Every path through the action assigns it before it reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Temporary {
    /// How it is called.
    pub name: String,
    /// Where its value is kept.
    pub symbol: Symbol,
    /// Real or boolean, as the first value that it is assigned.
    pub kind: Kind,
}

/// One statement of an action.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `name = value`
    Assign {
        /// The name that is assigned.
        name: String,
        /// Where its value is kept.
        target: Symbol,
        /// What values it can have. A number for an integer need not be whole unless it is constant.
        kind: Kind,
        /// The value.
        value: Expression,
        /// The bytes of the statement in its text.
        span: Range<usize>,
    },
    /// `if condition { .. } else { .. }`
    If {
        /// What decides.
        condition: Expression,
        /// What is done where it holds.
        then: Vec<Statement>,
        /// What is done where it does not; `else if` is one more statement `if` here.
        otherwise: Vec<Statement>,
    },
    /// What ends the action.
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

/// A word that ends an action. What it asks for is up to what runs the events.
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
    /// All of them.
    const ALL: [Self; 6] =
        [Self::Halt, Self::DelayHalt, Self::ToBegin, Self::ToEnd, Self::BreakIteration, Self::NoMark];

    /// The word itself.
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
