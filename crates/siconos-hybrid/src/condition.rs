//! Conditions of events.

use std::fmt;
use std::ops::Not;
use std::sync::Arc;

use super::{DiscreteId, Point};

/// A function of a point that is true or false.
pub type Test = Arc<dyn Fn(&Point<'_>) -> bool + Send + Sync>;

/// What has to hold for an event to fire, or for a branch of an action to be taken. It is judged when it is
/// the event's turn, with what the events before it have assigned.
///
/// ```
/// use siconos_hybrid::{Condition, DiscreteId, Point};
///
/// let is_open = DiscreteId::new(0);
/// let is_high = Condition::new(|p: &Point| p.x()[0] > 0.8);
/// let floods = is_high.and(!Condition::is(is_open));
/// # let _ = floods;
/// ```
#[derive(Clone)]
pub enum Condition {
    /// Whatever a function says.
    Test(Test),
    /// A boolean variable is true.
    Is(DiscreteId),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// Both hold.
    And(Box<[Condition; 2]>),
    /// One of them holds, or both.
    Or(Box<[Condition; 2]>),
    /// One of them holds, and not both.
    Xor(Box<[Condition; 2]>),
    /// Where the first holds, the second does.
    Implies(Box<[Condition; 2]>),
}

impl Condition {
    /// A condition that a function judges.
    pub fn new(test: impl Fn(&Point<'_>) -> bool + Send + Sync + 'static) -> Self {
        Self::Test(Arc::new(test))
    }

    /// A boolean variable is true.
    #[must_use]
    pub fn is(id: DiscreteId) -> Self {
        Self::Is(id)
    }

    /// Both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new([self, other]))
    }

    /// One of them holds, or both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new([self, other]))
    }

    /// One of them holds, and not both.
    #[must_use]
    pub fn xor(self, other: Self) -> Self {
        Self::Xor(Box::new([self, other]))
    }

    /// Where this one holds, the other does.
    #[must_use]
    pub fn implies(self, other: Self) -> Self {
        Self::Implies(Box::new([self, other]))
    }

    /// Whether it holds at a point.
    #[must_use]
    pub fn holds(&self, point: &Point<'_>) -> bool {
        match self {
            Self::Test(test) => test(point),
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

    /// The condition does not hold.
    fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Test(_) => f.write_str("Test(..)"),
            Self::Is(id) => f.debug_tuple("Is").field(id).finish(),
            Self::Not(condition) => f.debug_tuple("Not").field(condition).finish(),
            Self::And(pair) => f.debug_tuple("And").field(pair).finish(),
            Self::Or(pair) => f.debug_tuple("Or").field(pair).finish(),
            Self::Xor(pair) => f.debug_tuple("Xor").field(pair).finish(),
            Self::Implies(pair) => f.debug_tuple("Implies").field(pair).finish(),
        }
    }
}
