//! Events of a system: trigger, action and options with resolved names.

use siconos_ode::Crossing;

use super::action::{Action, Flow, FunctionOf, Instruction, Statement, Target, ValueOf};
use super::names::{Meaning, Names};
use super::point::BELONGS_TO_TRIGGERS;
use super::trigger::{CourseFunction, Guard, GuardFunction, Root, RootSide, Trigger};
use super::{Condition, DiscreteId, EventNumber, HybridError, Variable, VariableType, View};

/// Options of an event.
///
/// ```
/// use siconos_hybrid::EventOptions;
///
/// let options = EventOptions { fire_initial: Some(true), ..EventOptions::default() };
/// assert_eq!(options.retrigger, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventOptions {
    /// `true` if the event can fire more than once at the same time. Default: `false` for roots and ranges,
    /// `true` for discrete triggers. For timed triggers, `true` is an error. A root or range with `true`
    /// fires in each pass of the event iteration. With the default [`EventIterate`](super::EventIterate), its
    /// action must then end the iteration; otherwise the integration ends with
    /// [`HybridError::EndlessIteration`].
    pub retrigger: Option<bool>,
    /// `true` if the event can fire at the initial point. Default: `false` for roots and ranges, `true` for
    /// timed triggers. The option has no meaning for discrete events, which fire only in iterations.
    pub fire_initial: Option<bool>,
    /// Boolean variable that arms the root, with the value at which the root is armed. An armed root fires at
    /// its zero crossing; the variable is then changed before the action is executed. The root is armed again
    /// when the other root that requires this variable fires.
    ///
    /// The option requires two roots without a condition or a side, one root for each value of the variable.
    /// The sum of the arguments of the two roots must be constant, where the argument of a decreasing root is
    /// multiplied by -1. The two roots fire alternately, even if an argument only touches zero or only comes
    /// near it. A root without a direction is an increasing root.
    ///
    /// The root is armed by the variable and not by the previous sign of its argument. If the argument of an
    /// armed root is already beyond zero, at the start or after a jump, the root fires when the integration
    /// continues. The words "increasing" and "decreasing" then refer to the direction of integration and not
    /// to time, because the variable determines the side of the argument in both directions of integration.
    pub requires: Option<(DiscreteId, bool)>,
}

/// Argument of a root or range. If it is a variable, its name is resolved.
#[derive(Clone)]
pub(super) enum GuardOf {
    Variable(usize),
    Function(GuardFunction),
}

impl GuardOf {
    #[inline]
    pub(super) fn value(&self, view: View<'_>) -> f64 {
        match self {
            Self::Variable(index) => view.x[*index],
            Self::Function(function) => (function.value)(view),
        }
    }

    /// Returns the degree of the argument as a polynomial in t and the continuous variables, or `None` if it
    /// is unknown.
    pub(super) fn degree(&self) -> Option<usize> {
        match self {
            Self::Variable(_) => Some(1),
            // A constant also counts as a polynomial of degree 1.
            Self::Function(function) => function.degree.map(|degree| degree.max(1)),
        }
    }

    /// Returns the function that computes bounds of the argument, or `None` if there is none.
    pub(super) fn course(&self) -> Option<&CourseFunction> {
        match self {
            Self::Variable(_) => None,
            Self::Function(function) => function.course.as_ref(),
        }
    }
}

impl std::fmt::Debug for GuardOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Variable(index) => write!(f, "x[{index}]"),
            Self::Function(function) => function.fmt(f),
        }
    }
}

/// Trigger of an event, with resolved names.
#[derive(Clone, Debug)]
pub(super) enum EventTrigger {
    Root { f: GuardOf, crossing: Crossing, side: Option<RootSide>, condition: Option<Condition> },
    Range { f: GuardOf, lower: f64, upper: f64 },
    Time { start: f64, every: Option<f64> },
    Discrete { condition: Condition },
}

/// Action of an event, with resolved names.
#[derive(Clone, Debug)]
pub(super) enum EventAction {
    None,
    Run { instructions: Vec<Instruction>, temporaries: Vec<String> },
    Function(FunctionOf),
}

/// Event whose names and options have been checked against its system.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: EventTrigger,
    pub(super) work: EventAction,
    pub(super) retrigger: bool,
    pub(super) fire_initial: bool,
    pub(super) requires: Option<(DiscreteId, bool)>,
}

impl Event {
    /// Returns `true` if the trigger fires during the integration; a discrete trigger fires only in event
    /// iterations.
    pub(super) fn is_continuous(&self) -> bool {
        !matches!(self.kind, EventTrigger::Discrete { .. })
    }

    /// Returns `true` if the trigger has a [`RootSide`], so that it moves its variable.
    pub(super) fn takes_a_side(&self) -> bool {
        matches!(self.kind, EventTrigger::Root { side: Some(_), .. })
    }

    /// Creates the event with the given event number, for a system with the given variables.
    pub(super) fn new(
        event: EventNumber,
        names: &Names<'_>,
        trigger: Trigger,
        action: Action,
        options: EventOptions,
    ) -> Result<Self, HybridError> {
        let is_timed = matches!(trigger, Trigger::Time { .. });
        let is_discrete = matches!(trigger, Trigger::Discrete { .. });
        if is_timed && options.retrigger == Some(true) {
            let why = "`retrigger` cannot be combined with a timed trigger, which fires once at each time; remove it";
            return Err(HybridError::Option { event, why });
        }
        if let Some((required, _)) = options.requires {
            check_requires(event, names, &trigger, required, options)?;
        }
        let mut kind = match trigger {
            Trigger::Root(Root { f, crossing, side, condition }) => {
                let f = guard(event, names, f)?;
                if side.is_some() && matches!(f, GuardOf::Function(_)) {
                    let why = "`side` requires a variable; add an algebraic variable that is equal to the function, and use it";
                    return Err(HybridError::Option { event, why });
                }
                EventTrigger::Root { f, crossing, side, condition }
            }
            Trigger::Range { f, lower, upper } => {
                check(event, "lower", lower, lower.is_finite(), "finite")?;
                check(
                    event,
                    "upper",
                    upper,
                    upper.is_finite() && upper > lower,
                    "finite and greater than `lower`",
                )?;
                EventTrigger::Range { f: guard(event, names, f)?, lower, upper }
            }
            Trigger::Time { start, every } => {
                check(event, "start", start, start.is_finite(), "finite")?;
                if let Some(every) = every {
                    check(event, "every", every, every.is_finite() && every > 0.0, "finite and positive")?;
                }
                EventTrigger::Time { start, every }
            }
            Trigger::Discrete { condition } => EventTrigger::Discrete { condition },
        };
        if let (EventTrigger::Root { crossing, .. }, Some(_)) = (&mut kind, options.requires)
            && *crossing == Crossing::Any
        {
            *crossing = Crossing::Rising;
        }
        if let EventTrigger::Root { condition: Some(condition), .. } | EventTrigger::Discrete { condition } =
            &kind
        {
            check_condition(event, names, condition)?;
        }
        Ok(Self {
            kind,
            work: work(event, names, action)?,
            retrigger: options.retrigger.unwrap_or(is_discrete),
            fire_initial: options.fire_initial.unwrap_or(is_timed),
            requires: options.requires,
        })
    }
}

fn check(
    event: EventNumber,
    name: &'static str,
    value: f64,
    fits: bool,
    must_be: &'static str,
) -> Result<(), HybridError> {
    if fits { Ok(()) } else { Err(HybridError::Trigger { event, name, value, must_be }) }
}

/// Returns an error if the trigger or the options cannot be combined with `requires`.
fn check_requires(
    event: EventNumber,
    names: &Names<'_>,
    trigger: &Trigger,
    required: DiscreteId,
    options: EventOptions,
) -> Result<(), HybridError> {
    let refused = |why| Err(HybridError::Option { event, why });
    let Trigger::Root(root) = trigger else {
        return refused("`requires` can be used only with a root");
    };
    if root.condition.is_some() || root.side.is_some() {
        return refused("`requires` can be used only with a plain root, without a condition or a side");
    }
    if options.retrigger.is_some() || options.fire_initial.is_some() {
        return refused("`requires` cannot be combined with another option");
    }
    names.check_discrete(event, required)?;
    if names.discrete[required.0].kind != VariableType::Boolean {
        return refused("`requires` must name a boolean variable");
    }
    Ok(())
}

fn check_condition(event: EventNumber, names: &Names<'_>, condition: &Condition) -> Result<(), HybridError> {
    match condition {
        Condition::ConditionFunction(_) => Ok(()),
        Condition::Is(id) => names.check_discrete(event, *id),
        Condition::Not(condition) => check_condition(event, names, condition),
        Condition::And(pair) | Condition::Or(pair) | Condition::Xor(pair) | Condition::Implies(pair) => {
            pair.iter().try_for_each(|condition| check_condition(event, names, condition))
        }
    }
}

fn guard(event: EventNumber, names: &Names<'_>, f: Guard) -> Result<GuardOf, HybridError> {
    match f {
        Guard::Function(function) => Ok(GuardOf::Function(function)),
        Guard::Variable(name) => match names.meaning(&name) {
            Some(Meaning::Variable(Variable::Continuous(index))) => Ok(GuardOf::Variable(index)),
            _ => Err(HybridError::UnknownName { event, known: names.continuous_names(), name }),
        },
    }
}

fn work(event: EventNumber, names: &Names<'_>, action: Action) -> Result<EventAction, HybridError> {
    match action {
        Action::None => Ok(EventAction::None),
        Action::Function(function) => Ok(EventAction::Function(FunctionOf(function))),
        Action::Run(statements) => {
            if matches!(statements[..], [Statement::Control(Flow::NoMark)]) {
                let why = "`no_mark` is not an action by itself; use it at the end of an action";
                return Err(HybridError::Option { event, why });
            }
            let mut temporaries = Vec::new();
            let instructions = look_up(event, names, statements, &mut temporaries)?;
            Ok(EventAction::Run { instructions, temporaries })
        }
    }
}

/// Resolves the targets of assignments. A target that is not a variable of the system is a temporary
/// variable.
fn look_up(
    event: EventNumber,
    names: &Names<'_>,
    statements: Vec<Statement>,
    temporaries: &mut Vec<String>,
) -> Result<Vec<Instruction>, HybridError> {
    let mut instructions = Vec::with_capacity(statements.len());
    for statement in statements {
        instructions.push(match statement {
            Statement::Control(flow) => Instruction::Control(flow),
            Statement::If { condition, then, otherwise } => {
                check_condition(event, names, &condition)?;
                let then = look_up(event, names, then, temporaries)?;
                let otherwise = look_up(event, names, otherwise, temporaries)?;
                Instruction::If { condition, then, otherwise }
            }
            Statement::Assign { target, value } => {
                let refused = |target, why| Err(HybridError::Assignment { event, target, why });
                let place = match names.meaning(&target) {
                    Some(Meaning::Variable(Variable::Discrete(id))) if names.required[id.0] => {
                        return refused(target, BELONGS_TO_TRIGGERS);
                    }
                    Some(Meaning::Variable(variable)) => Target::Variable(variable),
                    Some(Meaning::NotAssignable(why)) => return refused(target, why),
                    None => {
                        let known = temporaries.iter().position(|name| *name == target);
                        Target::Temporary(known.unwrap_or_else(|| {
                            temporaries.push(target);
                            temporaries.len() - 1
                        }))
                    }
                };
                Instruction::Assign { target: place, value: ValueOf(value) }
            }
        });
    }
    Ok(instructions)
}
