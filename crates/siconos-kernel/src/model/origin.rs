//! Origins of the functions of a model.

use std::sync::Arc;

/// Origin of a user function, if it is known.
///
/// A closure cannot be written to a file, but its source can: a registered name or an expression. A program
/// that builds a model from names or expressions records them with
/// [`set_origin`](super::UserFunctions::set_origin); a program that writes the model to a file reads the
/// origins. This crate does not evaluate origins: the caller must ensure that the function and its origin
/// agree.
///
/// Origins are part of the model: a [`StateRecord`](crate::StateRecord) is rejected if the origin of a
/// function in the model differs from its origin in the record.
///
/// ```
/// use siconos_kernel::model::{Jacobian, Lagrangian, Origin, UserFunctions};
///
/// // A pendulum of 1 kg and 1 m, as a file may define it.
/// let mut pendulum = Lagrangian::new(vec![1.0], vec![0.0], ndarray::array![1.0]).with_internal_force(
///     |_at, q, _v, f| f[0] = 9.81 * q[0].sin(),
///     Jacobian::FiniteDifference,
///     Jacobian::Zero,
/// );
/// pendulum.set_origin("F_int", Origin::expressions(["t", "q", "v"], ["9.81 * sin(q[0])"]))?;
///
/// let [force] = pendulum.functions()[..] else { panic!("one function") };
/// let Origin::Expressions(text) = force.origin else { panic!("an expression") };
/// assert_eq!((force.name, &text.entries[0][..]), ("F_int", "9.81 * sin(q[0])"));
///
/// let error = pendulum.set_origin("F_ext", Origin::registered("weight")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no function `F_ext`; the functions are `F_int`");
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Closure of unknown origin. Default.
    #[default]
    Unknown,
    /// Function that is registered under a name.
    Registered(Arc<str>),
    /// Function whose expressions are known as text.
    Expressions(Arc<Expressions>),
}

/// Function given as text, with one expression for each entry of its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Expressions {
    /// Names of the arguments that the expressions read.
    pub arguments: Vec<String>,
    /// Expressions. The entries of a matrix are in row-major order. For the bounds of a
    /// [`Relay`](super::Relay), the lower bounds are followed by the upper bounds. For the geometry of a
    /// [`PointContact`](super::PointContact), both points are followed by the normal.
    pub entries: Vec<String>,
}

impl Origin {
    /// Creates the origin of a registered function.
    #[must_use]
    pub fn registered(name: &str) -> Self {
        Self::Registered(name.into())
    }

    /// Creates an origin from expressions in these arguments, one for each entry of the result; see
    /// [`Expressions`].
    pub fn expressions<A: Into<String>, E: Into<String>>(
        arguments: impl IntoIterator<Item = A>,
        entries: impl IntoIterator<Item = E>,
    ) -> Self {
        Self::Expressions(Arc::new(Expressions {
            arguments: arguments.into_iter().map(Into::into).collect(),
            entries: entries.into_iter().map(Into::into).collect(),
        }))
    }

    /// Returns `true` unless the origin is [`Unknown`](Self::Unknown).
    #[must_use]
    pub fn is_known(&self) -> bool {
        *self != Self::Unknown
    }
}
