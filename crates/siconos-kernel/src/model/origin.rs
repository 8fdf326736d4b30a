//! Where the functions of a model come from, as far as it was said.

use std::sync::Arc;

/// Where a function of the user comes from, as far as it was said.
///
/// A closure of the program cannot be written to a file. What made it, a name or a text, can: whoever builds
/// a model of such says so with [`set_origin`](super::UserFunctions::set_origin), and whoever writes the
/// model down reads it. Origins are not evaluated by this crate; that function and origin agree is up to who
/// sets them.
///
/// An origin is part of what the model is: a [`StateRecord`](crate::StateRecord) of a model in which a
/// function has another origin is refused.
///
/// ```
/// use siconos_kernel::model::{Jacobian, Lagrangian, Origin, UserFunctions};
///
/// // A pendulum of 1 kg and 1 m, as a file may have it.
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
/// assert_eq!(error.to_string(), "there is no function `F_ext` here; the functions are `F_int`");
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A closure of the program of which nothing else is known. Default.
    #[default]
    Unknown,
    /// A function of a registry, by its name there.
    Registered(Arc<str>),
    /// A text that is evaluated.
    Expressions(Arc<Expressions>),
}

/// A function as text: one expression for each entry of its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Expressions {
    /// The names of the arguments that the expressions read.
    pub arguments: Vec<String>,
    /// The expressions: of a matrix in row-major order; of the bounds of a
    /// [`Relay`](super::Relay) the lower ones, then the upper ones; of the geometry of a
    /// [`PointContact`](super::PointContact) both points and the normal.
    pub entries: Vec<String>,
}

impl Origin {
    /// A function of a registry.
    #[must_use]
    pub fn registered(name: &str) -> Self {
        Self::Registered(name.into())
    }

    /// Expressions over these arguments, one for each entry of the result; see [`Expressions`].
    pub fn expressions<A: Into<String>, E: Into<String>>(
        arguments: impl IntoIterator<Item = A>,
        entries: impl IntoIterator<Item = E>,
    ) -> Self {
        Self::Expressions(Arc::new(Expressions {
            arguments: arguments.into_iter().map(Into::into).collect(),
            entries: entries.into_iter().map(Into::into).collect(),
        }))
    }

    /// Whether anything is known of the function.
    #[must_use]
    pub fn is_known(&self) -> bool {
        *self != Self::Unknown
    }
}
