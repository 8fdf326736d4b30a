//! Triggers: when an event fires.

use std::fmt;
use std::sync::Arc;

use siconos_ode::{Bounds, Course, Crossing};

use super::{Condition, View};

/// A function of the continuous and discrete variables that is a number.
pub type RootFunction = Arc<dyn Fn(View<'_>) -> f64 + Send + Sync>;

/// Function that returns bounds of another function over a time interval.
pub type CourseFunction = Arc<dyn Fn(&CourseView<'_>) -> Course + Send + Sync>;

/// Arguments of a [`CourseFunction`]: the courses of the variables over an interval of the integration.
#[derive(Clone, Copy)]
pub struct CourseView<'a> {
    /// Time interval \[s\].
    pub t: Bounds,
    /// 1 if the time increases along the integration, -1 if it decreases. Slopes are derivatives along the
    /// integration.
    pub direction: f64,
    /// Courses of the continuous variables, by index.
    pub x: &'a dyn Fn(usize) -> Course,
    /// Values of all parameters, concatenated in the order of declaration.
    pub parameters: &'a [f64],
    /// Discrete variables in the order of declaration; booleans are 1 or 0.
    pub discrete: &'a [f64],
}

/// Function f(t, x, d) with optional properties: its degree as a polynomial, and its bounds.
#[derive(Clone)]
pub struct GuardFunction {
    pub(super) value: RootFunction,
    pub(super) degree: Option<usize>,
    pub(super) course: Option<CourseFunction>,
}

impl GuardFunction {
    /// Creates a function of which only the values are known: two of its roots within a [part of a
    /// step](siconos_ode::OdeSettings::samples) may be missed.
    pub fn new(value: impl Fn(View<'_>) -> f64 + Send + Sync + 'static) -> Self {
        Self { value: Arc::new(value), degree: None, course: None }
    }

    /// Declares that the function is a polynomial of the given degree in t and the continuous variables. All
    /// of its roots are then found, see [`guard_degree`](siconos_ode::OdeSystem::guard_degree).
    #[must_use]
    pub fn with_degree(self, degree: usize) -> Self {
        Self { degree: Some(degree), ..self }
    }

    /// Adds bounds of the function. All of its roots are then found, sign changes at jumps included, see
    /// [`guard_course`](siconos_ode::OdeSystem::guard_course).
    #[must_use]
    pub fn with_course(self, course: impl Fn(&CourseView<'_>) -> Course + Send + Sync + 'static) -> Self {
        Self { course: Some(Arc::new(course)), ..self }
    }
}

impl CourseView<'_> {
    /// Returns half the length of the time interval \[s\].
    #[must_use]
    pub fn reach(&self) -> f64 {
        0.5 * (self.t.upper - self.t.lower)
    }

    /// Returns the course of the time.
    #[must_use]
    pub fn time(&self) -> Course {
        let middle = Bounds::point(0.5 * (self.t.lower + self.t.upper));
        Course { range: self.t, middle, slope: Bounds::point(self.direction), is_continuous: true }
    }
}

impl<F: Fn(View<'_>) -> f64 + Send + Sync + 'static> From<F> for GuardFunction {
    fn from(value: F) -> Self {
        Self::new(value)
    }
}

impl fmt::Debug for GuardFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("f(..)")
    }
}

/// The argument of a root or a range.
#[derive(Clone)]
pub enum Guard {
    /// A continuous variable, by its name.
    Variable(String),
    /// A function f(t, x, d).
    Function(GuardFunction),
}

impl<F: Fn(View<'_>) -> f64 + Send + Sync + 'static> From<F> for Guard {
    fn from(function: F) -> Self {
        Self::Function(GuardFunction::new(function))
    }
}

impl From<GuardFunction> for Guard {
    fn from(function: GuardFunction) -> Self {
        Self::Function(function)
    }
}

impl From<&str> for Guard {
    fn from(name: &str) -> Self {
        Self::Variable(name.to_owned())
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.write_str(name),
            Self::Function(function) => function.fmt(f),
        }
    }
}

/// On which side of the root a variable is when its event has its turn.
///
/// A root is located to [`root_tolerance`](siconos_ode::OdeSettings::root_tolerance); without a
/// side the variable has the value that it has at the located time, of whichever sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootSide {
    /// Strictly before the root: with the sign that it comes with.
    Pre,
    /// Strictly after the root: with the sign that it goes on with.
    Post,
}

/// A variable or a function of t, x and d goes through zero.
///
/// ```
/// use siconos_hybrid::{Condition, RootSide, Trigger, View};
///
/// let ground = Trigger::decreasing("y").side(RootSide::Post);
/// let distance = Trigger::root(|p: View| p.x[0] - p.x[1]).when(Condition::new(|p| p.t() > 1.0));
/// # let _ = (ground, distance);
/// ```
#[derive(Clone, Debug)]
pub struct Root {
    /// The variable or function.
    pub f: Guard,
    /// In which direction, by the sign of the derivative by time, whichever way one integrates.
    pub crossing: Crossing,
    /// On which side of the root the variable is to be when it is the event's turn; for variables only.
    pub side: Option<RootSide>,
    /// What has to hold as well.
    pub condition: Option<Condition>,
}

impl Root {
    fn new(f: Guard, crossing: Crossing) -> Self {
        Self { f, crossing, side: None, condition: None }
    }

    /// Adds a condition, or one more, which has to hold when it is the event's turn.
    #[must_use]
    pub fn when(self, condition: Condition) -> Self {
        let condition = match self.condition {
            None => condition,
            Some(first) => first.and(condition),
        };
        Self { condition: Some(condition), ..self }
    }

    /// Puts the variable on a side of its root.
    #[must_use]
    pub fn side(self, side: RootSide) -> Self {
        Self { side: Some(side), ..self }
    }
}

/// When an event fires.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// A variable or a function goes through zero.
    Root(Root),
    /// A function leaves an interval. It fires once, and again when the function has been inside.
    Range {
        /// The variable or function.
        f: Guard,
        /// The lower end of the interval.
        lower: f64,
        /// The upper end of the interval, above the lower one.
        upper: f64,
    },
    /// The time comes.
    Time {
        /// At this time \[s\].
        start: f64,
        /// And at `start + k every` \[s\], k = 1, 2, ..: each is computed from k, and does not drift. Above
        /// 0.
        every: Option<f64>,
    },
    /// The condition holds in an iteration that another event has begun.
    Discrete {
        /// The condition.
        condition: Condition,
    },
}

impl From<Root> for Trigger {
    fn from(root: Root) -> Self {
        Self::Root(root)
    }
}

impl Trigger {
    /// A root, whichever way the variable or function goes through zero.
    pub fn root(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Any)
    }

    /// A root with a positive derivative by time.
    pub fn increasing(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Rising)
    }

    /// A root with a negative derivative by time.
    pub fn decreasing(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Falling)
    }

    /// The function leaves the interval from `lower` to `upper`. Outside at the start it does not fire; a
    /// jump to the outside, made by an action, does not fire either.
    pub fn range(f: impl Into<Guard>, lower: f64, upper: f64) -> Self {
        Self::Range { f: f.into(), lower, upper }
    }

    /// A time \[s\].
    #[must_use]
    pub fn at(start: f64) -> Self {
        Self::Time { start, every: None }
    }

    /// The times `start + k every` \[s\], k = 0, 1, 2, .., whichever way one integrates.
    #[must_use]
    pub fn periodic(start: f64, every: f64) -> Self {
        Self::Time { start, every: Some(every) }
    }

    /// A condition, in iterations that other events have begun.
    #[must_use]
    pub fn discrete(condition: Condition) -> Self {
        Self::Discrete { condition }
    }
}
