//! Names that an expression reads.

use siconos_expression::{Action, Expression, Statement, Symbol, Trigger};

/// Expressions, and objects that contain expressions.
pub(super) trait Reads {
    /// Returns `true` if `self` reads a symbol for which `is_meant` returns `true`.
    fn reads(&self, is_meant: impl Fn(Symbol) -> bool + Copy) -> bool;
}

impl Reads for Expression {
    fn reads(&self, is_meant: impl Fn(Symbol) -> bool + Copy) -> bool {
        self.symbols().any(is_meant)
    }
}

impl Reads for Trigger {
    fn reads(&self, is_meant: impl Fn(Symbol) -> bool + Copy) -> bool {
        let reads = |expression: &Expression| expression.reads(is_meant);
        match self {
            Self::Root { function, condition, .. } => {
                reads(function) || condition.as_ref().is_some_and(reads)
            }
            Self::Range { function, lower, upper } => reads(function) || reads(lower) || reads(upper),
            Self::Time { start, every, .. } => reads(start) || every.as_ref().is_some_and(reads),
            Self::Discrete { condition } => reads(condition),
        }
    }
}

impl Reads for Action {
    fn reads(&self, is_meant: impl Fn(Symbol) -> bool + Copy) -> bool {
        match self {
            Self::None => false,
            Self::Run { statements, .. } => any_reads(statements, is_meant),
        }
    }
}

fn any_reads(statements: &[Statement], is_meant: impl Fn(Symbol) -> bool + Copy) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Assign { value, .. } => value.reads(is_meant),
        Statement::If { condition, then, otherwise } => {
            condition.reads(is_meant) || any_reads(then, is_meant) || any_reads(otherwise, is_meant)
        }
        Statement::Control(..) => false,
    })
}
