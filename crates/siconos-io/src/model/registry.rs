//! Functions of a program under the names that model files call them by.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use siconos_kernel::model::At;

/// What all kinds are kept as: the arguments that a kind has not are empty.
pub(super) type Closure = dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync;

/// Functions of a program, by the names that model files call them by: `{ function = "drag" }`.
///
/// ```
/// use siconos_io::model::{Function, ModelFile, Registry};
///
/// let text = r#"
/// format = 1
/// kind = "model"
///
/// [systems.ball]
/// family = "lagrangian"
/// q = 10
/// mass = 1
/// internal_force = { function = "drag" }
/// external_force = -9.81
///
/// [simulation]
/// kind = "time_stepping"
/// end = 1
/// step = 0.01
/// "#;
/// let drag = Function::of_motion(|_at, _q, v, out| out[0] = 0.1 * v[0] * v[0].abs());
/// let registry = Registry::new().with("drag", drag);
/// let mut run = ModelFile::parse(text, "ball.toml")?.build_with(&registry)?;
/// run.to_end(|_row| Ok::<_, std::convert::Infallible>(()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    functions: BTreeMap<String, Function>,
}

impl Registry {
    /// Without functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more function; it takes the place of one of the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, function: Function) -> Self {
        self.functions.insert(name.into(), function);
        self
    }

    /// The names of all functions, in their alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    /// The function of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }
}

/// What a function reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    Time,
    State,
    Motion,
}

impl Arguments {
    /// In the words of a message.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Time => "of the time (`Function::of_time`)",
            Self::State => "of time and one vector (`Function::of_state`)",
            Self::Motion => "of time, positions and velocities (`Function::of_motion`)",
        }
    }
}

/// A function of a [`Registry`]: what it reads, and its derivatives where they are given. Without them
/// differences are taken.
///
/// All of them read the parameters of the model and the time from their first argument, and write their value
/// to the last; where an equation does not depend on time, the time that they read is NaN. Derivatives are
/// written row by row: the entry of row i and column j is that of value i by variable j. What a function
/// returns depends on nothing but its arguments; else a run that goes on from a snapshot is another one.
#[derive(Clone)]
pub struct Function {
    pub(super) arguments: Arguments,
    pub(super) value: Arc<Closure>,
    /// By the first and by the second vector.
    pub(super) derivatives: [Option<Arc<Closure>>; 2],
}

impl Function {
    fn new(arguments: Arguments, value: Arc<Closure>) -> Self {
        Self { arguments, value, derivatives: [None, None] }
    }

    /// A function `(at, out)` of the time: external forces, sources.
    pub fn of_time(value: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        let value = move |at: At<'_>, _: &[f64], _: &[f64], out: &mut [f64]| value(at, out);
        Self::new(Arguments::Time, Arc::new(value))
    }

    /// A function `(at, x, out)` of time and one vector: the right side f of states, h of positions.
    pub fn of_state(value: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        let value = move |at: At<'_>, x: &[f64], _: &[f64], out: &mut [f64]| value(at, x, out);
        Self::new(Arguments::State, Arc::new(value))
    }

    /// As [`of_state`](Self::of_state), with the derivative by x.
    pub fn of_state_with_derivative(
        value: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        by_x: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        let by_x = Self::of_state(by_x).value;
        Self { derivatives: [Some(by_x), None], ..Self::of_state(value) }
    }

    /// A function `(at, q, v, out)` of time, positions and velocities: internal and gyroscopic forces.
    pub fn of_motion(value: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::new(Arguments::Motion, Arc::new(value))
    }

    /// As [`of_motion`](Self::of_motion), with the derivatives by q and by v.
    pub fn of_motion_with_derivatives(
        value: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        by_q: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        by_v: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self { derivatives: [Some(Arc::new(by_q)), Some(Arc::new(by_v))], ..Self::of_motion(value) }
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function {}>", self.arguments.words())
    }
}
