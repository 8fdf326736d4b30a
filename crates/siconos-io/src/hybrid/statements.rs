//! Actions of the engine, compiled from parsed actions.

use siconos_expression::{self as expression, Control, Tape};
use siconos_hybrid::{Action, Flow, Statement};

use super::slots::value_at;
use super::triggers::condition;

/// Compiles an action. Each value and condition has its own tape, because preceding statements can change the
/// variables that it reads.
pub(super) fn action(read: &expression::Action) -> Action {
    match read {
        expression::Action::None => Action::None,
        expression::Action::Run { statements, .. } => Action::Run(compiled(statements)),
    }
}

fn compiled(statements: &[expression::Statement]) -> Vec<Statement> {
    statements.iter().map(statement).collect()
}

fn statement(read: &expression::Statement) -> Statement {
    match read {
        expression::Statement::Assign { name, value, .. } => {
            let tape = Tape::compile(&[value]);
            Statement::assign(name, move |point| value_at(&tape, point))
        }
        expression::Statement::If { condition: holds, then, otherwise } => {
            Statement::when(condition(holds), compiled(then), compiled(otherwise))
        }
        expression::Statement::Control(control, _) => Statement::Control(flow(*control)),
    }
}

fn flow(control: Control) -> Flow {
    match control {
        Control::Halt => Flow::Halt,
        Control::DelayHalt => Flow::DelayHalt,
        Control::ToBegin => Flow::ToBegin,
        Control::ToEnd => Flow::ToEnd,
        Control::BreakIteration => Flow::BreakIteration,
        Control::NoMark => Flow::NoMark,
    }
}
