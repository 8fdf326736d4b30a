//! Conditions of events.

use std::fmt;
use std::ops::Not;
use std::sync::Arc;

use super::{DiscreteId, EventPoint};

/// Function that reads an [`EventPoint`] and returns `true` or `false`.
pub type ConditionFunction = Arc<dyn Fn(&EventPoint<'_>) -> bool + Send + Sync>;

/// Condition under which an event fires or a branch of an action is executed. It is evaluated when the event
/// is processed, so it uses the values that earlier events at the same time have assigned.
///
/// ```
/// use siconos_hybrid::{Condition, DiscreteId, EventPoint};
///
/// let is_open = DiscreteId::new(0);
/// let is_high = Condition::new(|p: &EventPoint| p.x()[0] > 0.8);
/// let floods = is_high.and(!Condition::is(is_open));
/// # let _ = floods;
/// ```
#[derive(Clone)]
pub enum Condition {
    /// A function returns `true`.
    ConditionFunction(ConditionFunction),
    /// A boolean variable is true.
    Is(DiscreteId),
    /// A condition does not hold.
    Not(Box<Condition>),
    /// Both conditions hold.
    And(Box<[Condition; 2]>),
    /// At least one of the conditions holds.
    Or(Box<[Condition; 2]>),
    /// Exactly one of the conditions holds.
    Xor(Box<[Condition; 2]>),
    /// The first condition implies the second: either the first does not hold, or both hold.
    Implies(Box<[Condition; 2]>),
}

impl Condition {
    /// Creates a condition that holds if a function returns `true`.
    pub fn new(test: impl Fn(&EventPoint<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self::ConditionFunction(Arc::new(test))
    }

    /// Creates a condition that holds if a boolean variable is true.
    #[must_use]
    pub fn is(id: DiscreteId) -> Self {
        Self::Is(id)
    }

    /// Returns a condition that holds if both conditions hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new([self, other]))
    }

    /// Returns a condition that holds if at least one of the conditions holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new([self, other]))
    }

    /// Returns a condition that holds if exactly one of the conditions holds.
    #[must_use]
    pub fn xor(self, other: Self) -> Self {
        Self::Xor(Box::new([self, other]))
    }

    /// Returns a condition that holds if this condition implies `other`.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Self::Implies(Box::new([self, other]))
    }

    /// Returns `true` if the condition holds with the values of `point`.
    #[must_use]
    pub fn holds(&self, point: &EventPoint<'_>) -> bool {
        match self {
            Self::ConditionFunction(test) => test(point),
            Self::Is(id) => point.is(*id),
            Self::Not(condition) => !condition.holds(point),
            Self::And(pair) => pair[0].holds(point) && pair[1].holds(point),
            Self::Or(pair) => pair[0].holds(point) || pair[1].holds(point),
            Self::Xor(pair) => pair[0].holds(point) != pair[1].holds(point),
            Self::Implies(pair) => !pair[0].holds(point) || pair[1].holds(point),
        }
    }
}

impl Not for Condition {
    type Output = Self;

    /// Returns a condition that holds if this condition does not hold.
    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ConditionFunction(_) => f.write_str("ConditionFunction(..)"),
            Self::Is(id) => f.debug_tuple("Is").field(id).finish(),
            Self::Not(condition) => f.debug_tuple("Not").field(condition).finish(),
            Self::And(pair) => f.debug_tuple("And").field(pair).finish(),
            Self::Or(pair) => f.debug_tuple("Or").field(pair).finish(),
            Self::Xor(pair) => f.debug_tuple("Xor").field(pair).finish(),
            Self::Implies(pair) => f.debug_tuple("Implies").field(pair).finish(),
        }
    }
}
