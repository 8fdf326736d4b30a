//! Triggers of the engine, compiled from parsed triggers.

use siconos_expression::{self as expression, Enclosure, Expression, Side, Tape};
use siconos_hybrid::{
    Condition, CourseView, DiscreteId, Guard, GuardFunction, Root, RootSide, Trigger, View,
};

use super::names::Names;
use super::slots::{CONTINUOUS, DISCRETE, TIME, course, value, value_at};

/// Compiles a trigger.
pub(super) fn trigger(read: &expression::Trigger, names: &Names) -> Trigger {
    match read {
        expression::Trigger::Root { function, direction, side, condition, .. } => {
            let f = guard(function, names);
            let root = match direction {
                expression::Direction::Any => Trigger::root(f),
                expression::Direction::Increasing => Trigger::increasing(f),
                expression::Direction::Decreasing => Trigger::decreasing(f),
            };
            let side = side.map(|side| match side {
                Side::Pre => RootSide::Pre,
                Side::Post => RootSide::Post,
            });
            Root { side, condition: condition.as_ref().map(self::condition), ..root }.into()
        }
        expression::Trigger::Range { function, lower, upper } => {
            Trigger::range(guard(function, names), number(lower), number(upper))
        }
        expression::Trigger::Time { start, every, .. } => {
            Trigger::Time { start: number(start), every: every.as_ref().map(number) }
        }
        expression::Trigger::Discrete { condition } => Trigger::discrete(self::condition(condition)),
    }
}

/// Compiles a condition. A condition that is a single boolean variable is looked up instead of compiled.
pub(super) fn condition(condition: &Expression) -> Condition {
    match condition.variable() {
        Some(symbol) if symbol.slot == DISCRETE => Condition::is(DiscreteId::new(symbol.index as usize)),
        _ => {
            let tape = Tape::compile(&[condition]);
            Condition::new(move |point| value_at(&tape, point) != 0.0)
        }
    }
}

/// Returns the guard of a root trigger. If the root function is a continuous variable, the guard is the name
/// of this variable.
fn guard(function: &Expression, names: &Names) -> Guard {
    let variable = function.variable().filter(|symbol| symbol.slot == CONTINUOUS);
    match variable.and_then(|symbol| names.continuous.get(symbol.index as usize)) {
        Some(name) => Guard::Variable(name.clone()),
        None => Guard::from(guard_function(function)),
    }
}

/// Compiles the function of a guard. The result contains the degree of the function if it is a polynomial,
/// otherwise bounds of its values.
pub(super) fn guard_function(function: &Expression) -> GuardFunction {
    let tape = Tape::compile(&[function]);
    let compiled = GuardFunction::new(move |view: View<'_>| value(&tape, view));
    match function.degree(|symbol| [TIME, CONTINUOUS].contains(&symbol.slot)) {
        Some(degree) => compiled.with_degree(degree),
        None => {
            let enclosure = Enclosure::compile(function);
            compiled.with_course(move |view: &CourseView<'_>| course(&enclosure, view))
        }
    }
}

/// Returns the value of a constant expression. If the expression is not constant, returns NaN, which the
/// engine rejects.
fn number(expression: &Expression) -> f64 {
    expression.constant().unwrap_or(f64::NAN)
}
