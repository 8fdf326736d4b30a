//! Triggers of events.

use std::fmt;
use std::sync::Arc;

use siconos_ode::{Bounds, Crossing, ValueBounds};

use super::{Condition, View};

/// Function of time and of the continuous and discrete variables that returns a real value.
pub type RootFunction = Arc<dyn Fn(View<'_>) -> f64 + Send + Sync>;

/// Function that returns bounds of a guard over a time interval.
pub type CourseFunction = Arc<dyn Fn(&CourseView<'_>) -> ValueBounds + Send + Sync>;

/// Arguments of a [`CourseFunction`]: bounds of the variables over an interval of the integration.
#[derive(Clone, Copy)]
pub struct CourseView<'a> {
    /// Time interval \[s\].
    pub t: Bounds,
    /// 1 for forward integration, -1 for backward integration. The slopes in the bounds are derivatives in
    /// the direction of integration.
    pub direction: f64,
    /// Function that returns the bounds of the continuous variable with the given index.
    pub x: &'a dyn Fn(usize) -> ValueBounds,
    /// Values of all parameters, concatenated in the order of declaration.
    pub parameters: &'a [f64],
    /// Discrete variables in the order of declaration; booleans are 1 or 0.
    pub discrete: &'a [f64],
}

/// Function f(t, x, d). Its degree as a polynomial and its bounds can be added.
#[derive(Clone)]
pub struct GuardFunction {
    pub(super) value: RootFunction,
    pub(super) degree: Option<usize>,
    pub(super) course: Option<CourseFunction>,
}

impl GuardFunction {
    /// Creates a function whose degree and bounds are unknown. If two of its roots are closer together than a
    /// [fraction of a step](siconos_ode::OdeSettings::samples), they can be missed.
    pub fn new(value: impl Fn(View<'_>) -> f64 + Send + Sync + 'static) -> Self {
        Self { value: Arc::new(value), degree: None, course: None }
    }

    /// Declares that the function is a polynomial of the given degree in t and the continuous variables. With
    /// the degree, all of its roots are found; see [`guard_degree`](siconos_ode::OdeSystem::guard_degree).
    #[must_use]
    pub fn with_degree(self, degree: usize) -> Self {
        Self { degree: Some(degree), ..self }
    }

    /// Adds bounds of the function. With the bounds, all of its roots are found, including sign changes at
    /// jumps; see [`guard_bounds`](siconos_ode::OdeSystem::guard_bounds).
    #[must_use]
    pub fn with_course(
        self,
        course: impl Fn(&CourseView<'_>) -> ValueBounds + Send + Sync + 'static,
    ) -> Self {
        Self { course: Some(Arc::new(course)), ..self }
    }
}

impl CourseView<'_> {
    /// Returns half of the length of the time interval \[s\].
    #[must_use]
    pub fn reach(&self) -> f64 {
        0.5 * (self.t.upper - self.t.lower)
    }

    /// Returns the bounds of the time t itself. Its slope is [`direction`](Self::direction).
    #[must_use]
    pub fn time(&self) -> ValueBounds {
        let middle = Bounds::point(0.5 * (self.t.lower + self.t.upper));
        ValueBounds { range: self.t, middle, slope: Bounds::point(self.direction), is_continuous: true }
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

/// Argument of a root or a range.
#[derive(Clone)]
pub enum Guard {
    /// Continuous variable with this name.
    Variable(String),
    /// Function f(t, x, d).
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

/// Side of a root on which its variable is when the event is processed.
///
/// A root is located up to [`root_tolerance`](siconos_ode::OdeSettings::root_tolerance). If no side is given,
/// the variable has its value at the located time, and this value can have either sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootSide {
    /// Strictly before the root: the variable has the sign that it had before the crossing.
    Pre,
    /// Strictly after the root: the variable has the sign that it has after the crossing.
    Post,
}

/// Trigger that fires when a variable, or a function of t, x and d, crosses zero.
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
    /// Variable or function.
    pub f: Guard,
    /// Direction of the crossing: the sign of the derivative with respect to time, even in backward
    /// integration.
    pub crossing: Crossing,
    /// Side of the root on which the variable is when the event is processed. A side is allowed only if `f`
    /// is a variable.
    pub side: Option<RootSide>,
    /// Condition that must hold when the event is processed.
    pub condition: Option<Condition>,
}

impl Root {
    fn new(f: Guard, crossing: Crossing) -> Self {
        Self { f, crossing, side: None, condition: None }
    }

    /// Adds a condition that must hold when the event is processed. If conditions are added repeatedly, all
    /// of them must hold.
    #[must_use]
    pub fn when(self, condition: Condition) -> Self {
        let condition = match self.condition {
            None => condition,
            Some(first) => first.and(condition),
        };
        Self { condition: Some(condition), ..self }
    }

    /// Sets the side of the root on which the variable is when the event is processed.
    #[must_use]
    pub fn side(self, side: RootSide) -> Self {
        Self { side: Some(side), ..self }
    }
}

/// Trigger of an event.
#[derive(Clone, Debug)]
pub enum Trigger {
    /// A variable or a function crosses zero.
    Root(Root),
    /// A function leaves an interval. The trigger can fire again after the function has returned to the
    /// interval.
    Range {
        /// Variable or function.
        f: Guard,
        /// Lower end of the interval.
        lower: f64,
        /// Upper end of the interval. Must be greater than the lower end.
        upper: f64,
    },
    /// A scheduled time is reached.
    Time {
        /// First time \[s\].
        start: f64,
        /// Period \[s\]. Must be positive. With a period, the trigger also fires at `start + k every`, k = 1,
        /// 2, ..; each time is computed directly from k, so rounding errors do not accumulate.
        every: Option<f64>,
    },
    /// A condition holds during an iteration that another event has started.
    Discrete {
        /// Condition.
        condition: Condition,
    },
}

impl From<Root> for Trigger {
    fn from(root: Root) -> Self {
        Self::Root(root)
    }
}

impl Trigger {
    /// Creates a root that fires at zero crossings in both directions.
    pub fn root(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Any)
    }

    /// Creates a root that fires at zero crossings with a positive derivative with respect to time.
    pub fn increasing(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Rising)
    }

    /// Creates a root that fires at zero crossings with a negative derivative with respect to time.
    pub fn decreasing(f: impl Into<Guard>) -> Root {
        Root::new(f.into(), Crossing::Falling)
    }

    /// Creates a trigger that fires if a function leaves the interval from `lower` to `upper`. It does not
    /// fire if the function is outside the interval at the start, or if an action makes the function jump out
    /// of the interval.
    pub fn range(f: impl Into<Guard>, lower: f64, upper: f64) -> Self {
        Self::Range { f: f.into(), lower, upper }
    }

    /// Creates a trigger that fires at a time \[s\].
    #[must_use]
    pub fn at(start: f64) -> Self {
        Self::Time { start, every: None }
    }

    /// Creates a trigger that fires at the times `start + k every` \[s\], k = 0, 1, 2, .., in both directions
    /// of integration.
    #[must_use]
    pub fn periodic(start: f64, every: f64) -> Self {
        Self::Time { start, every: Some(every) }
    }

    /// Creates a trigger that fires if a condition holds during an iteration that another event has started.
    #[must_use]
    pub fn discrete(condition: Condition) -> Self {
        Self::Discrete { condition }
    }
}
