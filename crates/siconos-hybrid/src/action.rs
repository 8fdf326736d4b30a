//! Actions of events.

use std::fmt;
use std::sync::Arc;

use super::{Condition, EventPoint};

/// Flow of control after an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Flow {
    /// Continue with the next event.
    #[default]
    Next,
    /// Halt the integration immediately.
    Halt,
    /// Halt the integration after the event iteration has ended.
    DelayHalt,
    /// Start the next pass over the events immediately, without checking whether another pass is required.
    ToBegin,
    /// End this pass over the events. [`EventIterate`](super::EventIterate) decides whether another pass
    /// follows.
    ToEnd,
    /// End the event iteration and continue the integration. If a delayed halt is pending, the integration
    /// halts instead.
    BreakIteration,
    /// Continue with the next event. This event does not count as fired.
    NoMark,
}

/// Function that reads an [`EventPoint`] and returns a value. Booleans are 1 or 0.
pub type ValueFunction = Arc<dyn Fn(&EventPoint<'_>) -> f64 + Send + Sync>;

/// Statement of an action.
///
/// Statements are executed in sequence. Each statement reads the values that previous statements have
/// assigned.
#[derive(Clone)]
pub enum Statement {
    /// Assigns a value to a variable. If the system has no variable with this name, the target is a temporary
    /// variable of the action.
    Assign {
        /// Name of the variable.
        target: String,
        /// Value to assign.
        value: ValueFunction,
    },
    /// Executes one of two lists of statements, depending on a condition.
    If {
        /// Condition that selects the list.
        condition: Condition,
        /// Statements that are executed if the condition holds.
        then: Vec<Statement>,
        /// Statements that are executed if the condition does not hold.
        otherwise: Vec<Statement>,
    },
    /// Ends the action.
    Control(Flow),
}

impl Statement {
    /// Creates an assignment to a variable of the system or to a temporary variable.
    ///
    /// ```
    /// use siconos_hybrid::{Action, Statement};
    ///
    /// // Exchange x1 and x2.
    /// let swap = Action::Run(vec![
    ///     Statement::assign("t1", |p| p.x()[0]),
    ///     Statement::assign("x1", |p| p.x()[1]),
    ///     Statement::assign("x2", |p| p.temporary("t1")),
    /// ]);
    /// # let _ = swap;
    /// ```
    pub fn assign(
        target: impl Into<String>,
        value: impl Fn(&EventPoint<'_>) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self::Assign { target: target.into(), value: Arc::new(value) }
    }

    /// Creates a statement that executes `then` if the condition holds, and `otherwise` if it does not.
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

/// Function that changes the values of an [`EventPoint`] and returns the flow of control after the action.
pub type ActionFunction = Arc<dyn Fn(&mut EventPoint<'_>) -> Flow + Send + Sync>;

/// Action of an event.
#[derive(Clone, Default)]
pub enum Action {
    /// No effect. The event is still recorded in the trajectory, and it can trigger other events.
    #[default]
    None,
    /// List of statements that are executed in sequence.
    Run(Vec<Statement>),
    /// Function that changes the values of an [`EventPoint`].
    Function(ActionFunction),
}

impl Action {
    /// Creates an action from a function.
    pub fn function(action: impl Fn(&mut EventPoint<'_>) -> Flow + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(action))
    }

    /// Creates an action from a function that always continues with the next event.
    pub fn set(action: impl Fn(&mut EventPoint<'_>) + Send + Sync + 'static) -> Self {
        Self::function(move |point| {
            action(point);
            Flow::Next
        })
    }

    /// Creates an action that halts the integration.
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

/// Statement with resolved names.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Assign { target: Target, value: ValueOf },
    If { condition: Condition, then: Vec<Instruction>, otherwise: Vec<Instruction> },
    Control(Flow),
}

/// Target of an assignment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Variable(super::Variable),
    Temporary(usize),
}

/// Wrapper of an action function that implements `Debug`.
#[derive(Clone)]
pub(super) struct FunctionOf(pub(super) ActionFunction);

impl fmt::Debug for FunctionOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("f(..)")
    }
}

/// Wrapper of a value function that implements `Debug`.
#[derive(Clone)]
pub(super) struct ValueOf(pub(super) ValueFunction);

impl fmt::Debug for ValueOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// Executes instructions, and returns the flow of control that they request.
pub(super) fn run(instructions: &[Instruction], point: &mut EventPoint<'_>) -> Flow {
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
