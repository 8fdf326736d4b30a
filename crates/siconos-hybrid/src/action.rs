//! Actions: what is done when an event fires.

use std::fmt;
use std::sync::Arc;

use super::{Condition, Point};

/// How an action ends, and with it the event, the pass over the events, or the integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// The next event has its turn.
    #[default]
    Next,
    /// The integration ends here, at once.
    Halt,
    /// The integration ends here, when the iteration over the events has ended.
    DelayHalt,
    /// The next pass over the events begins, without a look at whether there has to be one.
    ToBegin,
    /// This pass over the events ends here; the next begins if there has to be one.
    ToEnd,
    /// The iteration over the events ends, and the integration goes on, unless a delayed halt waits.
    BreakIteration,
    /// The next event has its turn, and this one counts as not fired.
    NoMark,
}

/// A function of a point that is a number; booleans are 1 or 0.
pub type Value = Arc<dyn Fn(&Point<'_>) -> f64 + Send + Sync>;

/// One step of an action.
///
/// Statements are executed in sequence, each seeing what those before it have assigned.
#[derive(Clone)]
pub enum Statement {
    /// Gives a variable a value. A name that the system does not know is a temporary variable of the action.
    Assign {
        /// The name of the variable.
        target: String,
        /// The value.
        value: Value,
    },
    /// Executes one or the other.
    If {
        /// Which.
        condition: Condition,
        /// Where the condition holds.
        then: Vec<Statement>,
        /// Where it does not.
        otherwise: Vec<Statement>,
    },
    /// Leaves the action.
    Control(Flow),
}

impl Statement {
    /// Gives a variable, or a temporary one, a value.
    ///
    /// ```
    /// use siconos_hybrid::{Action, Statement};
    ///
    /// // x1 and x2 are exchanged.
    /// let swap = Action::Run(vec![
    ///     Statement::assign("t1", |p| p.x()[0]),
    ///     Statement::assign("x1", |p| p.x()[1]),
    ///     Statement::assign("x2", |p| p.temporary("t1")),
    /// ]);
    /// # let _ = swap;
    /// ```
    pub fn assign(
        target: impl Into<String>,
        value: impl Fn(&Point<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self::Assign { target: target.into(), value: Arc::new(value) }
    }

    /// Executes `then` where the condition holds, `otherwise` where it does not.
    #[must_use]
    pub fn when(condition: Condition, then: Vec<Statement>, otherwise: Vec<Statement>) -> Self {
        Self::If { condition, then, otherwise }
    }
}

impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assign { target, .. } => write!(f, "{target} = .."),
            Self::If { condition, then, otherwise } => {
                write!(f, "if {condition:?} {then:?} else {otherwise:?}")
            }
            Self::Control(flow) => write!(f, "{flow:?}"),
        }
    }
}

/// A function that works on a point, and says how the action ends.
pub type Effect = Arc<dyn Fn(&mut Point<'_>) -> Flow + Send + Sync>;

/// What is done when an event fires.
#[derive(Clone, Default)]
pub enum Action {
    /// Nothing; but the event is a point of the trajectory, and other events may follow from it.
    #[default]
    None,
    /// Statements.
    Run(Vec<Statement>),
    /// Whatever a function does.
    Function(Effect),
}

impl Action {
    /// What a function does.
    pub fn function(action: impl Fn(&mut Point<'_>) -> Flow + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(action))
    }

    /// What a function does that always lets the next event have its turn.
    pub fn set(action: impl Fn(&mut Point<'_>) + Send + Sync + 'static) -> Self {
        Self::function(move |point| {
            action(point);
            Flow::Next
        })
    }

    /// Ends the integration.
    #[must_use]
    pub fn halt() -> Self {
        Self::Run(vec![Statement::Control(Flow::Halt)])
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Run(statements) => f.debug_tuple("Run").field(statements).finish(),
            Self::Function(_) => f.write_str("Function(..)"),
        }
    }
}

/// A statement whose names have been looked up.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Assign { target: Target, value: ValueOf },
    If { condition: Condition, then: Vec<Instruction>, otherwise: Vec<Instruction> },
    Control(Flow),
}

/// Where a value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Variable(super::Variable),
    Temporary(usize),
}

/// An effect that can be shown.
#[derive(Clone)]
pub(super) struct FunctionOf(pub(super) Effect);

impl fmt::Debug for FunctionOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("f(..)")
    }
}

/// A value that can be shown.
#[derive(Clone)]
pub(super) struct ValueOf(pub(super) Value);

impl fmt::Debug for ValueOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// Executes instructions; how they end.
pub(super) fn run(instructions: &[Instruction], point: &mut Point<'_>) -> Flow {
    for instruction in instructions {
        let flow = match instruction {
            Instruction::Assign { target, value } => {
                let value = (value.0)(point);
                match *target {
                    Target::Variable(variable) => point.assign(variable, value),
                    Target::Temporary(place) => point.temporaries[place] = value,
                }
                Flow::Next
            }
            Instruction::If { condition, then, otherwise } => {
                let branch = if condition.holds(point) { then } else { otherwise };
                run(branch, point)
            }
            Instruction::Control(flow) => *flow,
        };
        if flow != Flow::Next {
            return flow;
        }
    }
    Flow::Next
}
