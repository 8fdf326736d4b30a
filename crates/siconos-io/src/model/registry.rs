//! Functions of a program, registered under the names that model files use.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use siconos_kernel::model::{At, RelationPoint};

/// Keys of a table that names a function. `size` is needed if other data do not determine the number of
/// values of the function.
pub(super) const FUNCTION: &str = "function";
pub(super) const SIZE: &str = "size";

/// Common signature of all functions except bounds. Vectors that a function does not read are empty.
pub(super) type Closure = dyn Fn(At<'_>, [&[f64]; 3], &mut [f64]) + Send + Sync;

/// Lower and upper bounds as a function of the time.
pub(super) type Bounds = dyn Fn(At<'_>, &mut [f64], &mut [f64]) + Send + Sync;

/// Function as stored in a registry.
#[derive(Clone)]
pub(super) enum Kept {
    Vector(Arc<Closure>),
    Bounds(Arc<Bounds>),
}

/// Functions of a program with the names that model files use: `{ function = "drag" }`.
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
    /// Creates a registry without functions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function. It replaces any function that has the same name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, function: Function) -> Self {
        self.functions.insert(name.into(), function);
        self
    }

    /// Returns the names of all functions, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(String::as_str)
    }

    /// Returns the function with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }
}

/// Arguments of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arguments {
    Time,
    State,
    Motion,
    Point,
    Bounds,
}

impl Arguments {
    /// Returns a description for messages.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Time => "of the time (`Function::of_time`)",
            Self::State => "of time and one vector (`Function::of_state`)",
            Self::Motion => "of time, positions and velocities (`Function::of_motion`)",
            Self::Point => "of time, states and multipliers (`Function::of_point`)",
            Self::Bounds => "of the time that gives two bounds (`Function::of_bounds`)",
        }
    }
}

/// Function of a [`Registry`], with optional derivatives. Derivatives that are not given are approximated by
/// finite differences.
///
/// The first argument of each function contains the time and the parameters of the model. The function writes
/// its value to the last argument. If the equation does not depend on time, the time in the first argument is
/// NaN. Matrices and derivatives are written row by row: entry (i, j) of a derivative is the derivative of
/// value i with respect to variable j. The value of a function must depend only on its arguments. Otherwise a
/// run that is resumed from a snapshot can differ from the uninterrupted run.
///
/// ```
/// use siconos_io::model::Function;
///
/// // The mass matrix of a double pendulum of 1 kg and 1 m, for `mass = { function = "arms" }`.
/// let arms = Function::of_state(|_at, q, out| {
///     let cosine = (q[0] - q[1]).cos();
///     out.copy_from_slice(&[2.0, cosine, cosine, 1.0]);
/// });
/// assert_eq!(format!("{arms:?}"), "<function of time and one vector (`Function::of_state`)>");
/// ```
#[derive(Clone)]
pub struct Function {
    pub(super) arguments: Arguments,
    pub(super) value: Kept,
    /// Derivatives with respect to the first and second vector arguments.
    pub(super) derivatives: [Option<Arc<Closure>>; 2],
}

impl Function {
    fn new(arguments: Arguments, value: Arc<Closure>) -> Self {
        Self { arguments, value: Kept::Vector(value), derivatives: [None, None] }
    }

    fn with_derivatives(self, derivatives: [Option<Arc<Closure>>; 2]) -> Self {
        Self { derivatives, ..self }
    }

    /// Creates a function `(at, out)` of time. It can be an external force or moment, a source, an offset, or
    /// a time-dependent matrix A, B, C or D.
    pub fn of_time(value: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::new(Arguments::Time, Arc::new(move |at, _, out| value(at, out)))
    }

    /// Creates a function `(at, x, out)` of time and one vector. It can be the right-hand side f of a
    /// first-order system, a function h of positions, a mass that depends on positions or states, or an input
    /// matrix.
    pub fn of_state(value: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::new(Arguments::State, state(value))
    }

    /// Creates a function like [`of_state`](Self::of_state), together with its derivative with respect to x.
    pub fn of_state_with_derivative(
        value: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
        by_x: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::of_state(value).with_derivatives([Some(state(by_x)), None])
    }

    /// Creates a function `(at, q, v, out)` of time, positions and velocities. It can be an internal or
    /// gyroscopic force, or the inputs of a control term. For first-order systems, q and v are the states and
    /// their rates.
    pub fn of_motion(value: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::new(Arguments::Motion, motion(value))
    }

    /// Creates a function like [`of_motion`](Self::of_motion), together with its derivatives with respect to
    /// q and v.
    pub fn of_motion_with_derivatives(
        value: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        by_q: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        by_v: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::of_motion(value).with_derivatives([Some(motion(by_q)), Some(motion(by_v))])
    }

    /// Creates a function `(point, out)` that can be h or g in a nonlinear relation of first-order systems.
    pub fn of_point(value: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::new(Arguments::Point, point(value))
    }

    /// Creates a function like [`of_point`](Self::of_point), together with its derivatives with respect to
    /// the states and the multipliers.
    pub fn of_point_with_derivatives(
        value: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
        by_x: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
        by_lambda: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::of_point(value).with_derivatives([Some(point(by_x)), Some(point(by_lambda))])
    }

    /// Creates a function `(at, lower, upper)` of time that computes the bounds of a relay.
    pub fn of_bounds(value: impl Fn(At<'_>, &mut [f64], &mut [f64]) + Send + Sync + 'static) -> Self {
        Self { arguments: Arguments::Bounds, value: Kept::Bounds(Arc::new(value)), derivatives: [None, None] }
    }
}

fn state(own: impl Fn(At<'_>, &[f64], &mut [f64]) + Send + Sync + 'static) -> Arc<Closure> {
    Arc::new(move |at, [x, ..], out| own(at, x, out))
}

fn motion(own: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static) -> Arc<Closure> {
    Arc::new(move |at, [q, v, _], out| own(at, q, v, out))
}

fn point(own: impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + 'static) -> Arc<Closure> {
    Arc::new(move |at, [x, lambda, z], out| {
        own(RelationPoint { t: at.t, x, lambda, z, parameters: at.parameters() }, out);
    })
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<function {}>", self.arguments.words())
    }
}
