//! Named parts of systems, relations and laws: matrices, vectors, user functions and options.

use std::borrow::Cow;

use ndarray::{ArrayView2, CowArray, Ix1};
use siconos_linalg::{Matrix, MatrixRef};

use super::closure::Closure;
use super::fingerprint::Fingerprint;
use super::origin::Origin;
use crate::model::ModelError;

/// Named parts of a system, relation or law, in a fixed order. Messages use the names of the parts. Initial
/// states and absent parts are not listed.
#[derive(Clone, Debug)]
pub struct PartList<'a>(Vec<(&'static str, Part<'a>)>);

/// Part of a system, relation or law.
#[derive(Clone, Debug)]
pub(super) enum Part<'a> {
    /// Kind, size, coefficient or choice, as shown in messages.
    Word(Cow<'static, str>),
    Vector(CowArray<'a, f64, Ix1>),
    Matrix(MatrixRef<'a>),
    /// User function.
    Function(&'a Origin),
}

impl<'a> PartList<'a> {
    /// Creates a list that contains only the kind of an object.
    #[must_use]
    pub fn of(kind: &'static str) -> Self {
        Self(vec![("kind", Part::Word(kind.into()))])
    }

    /// Adds a word, such as the name of a selected option. Messages show the word.
    pub fn word(&mut self, name: &'static str, word: impl Into<Cow<'static, str>>) {
        self.0.push((name, Part::Word(word.into())));
    }

    /// Adds a size.
    pub fn count(&mut self, name: &'static str, count: usize) {
        self.word(name, count.to_string());
    }

    /// Adds a value, written with enough digits to distinguish it from all other values.
    pub fn number(&mut self, name: &'static str, x: f64) {
        // 0.0 and -0.0 are equal.
        self.word(name, format!("{:?}", x + 0.0));
    }

    pub(super) fn vector(&mut self, name: &'static str, x: impl Into<CowArray<'a, f64, Ix1>>) {
        self.0.push((name, Part::Vector(x.into())));
    }

    pub(super) fn matrix(&mut self, name: &'static str, a: &'a Matrix) {
        self.0.push((name, Part::Matrix(a.view())));
    }

    /// Adds a matrix.
    pub fn dense(&mut self, name: &'static str, a: ArrayView2<'a, f64>) {
        self.0.push((name, Part::Matrix(MatrixRef::Dense(a))));
    }

    /// Adds a derivative that is computed by central differences. The finite-difference step is added if the
    /// user gave one.
    pub(super) fn differences(&mut self, name: &'static str, step: Option<f64>) {
        match step {
            None => self.word(name, "central differences"),
            Some(step) => self.word(name, format!("central differences with a step of {step:?}")),
        }
    }

    /// Adds a function, unless it is defined by this crate.
    pub(super) fn function<F: ?Sized>(&mut self, name: &'static str, function: &'a Closure<F>) {
        self.0.extend(function.origin().map(|origin| (name, Part::Function(origin))));
    }

    /// Appends the parts of another object, except its kind.
    pub(super) fn append(&mut self, others: Self) {
        self.0.extend(others.0.into_iter().skip(1));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Part<'a>)> {
        self.0.iter().map(|(name, part)| (*name, part))
    }

    /// Returns the user functions in the list.
    fn functions(&self) -> Vec<UserFunction<'a>> {
        let function = |(name, part): &(&'static str, Part<'a>)| match part {
            Part::Function(origin) => Some(UserFunction { name, origin }),
            _ => None,
        };
        self.0.iter().filter_map(function).collect()
    }
}

/// Object that consists of named parts. Only this crate can implement this trait.
pub trait HasParts {
    /// Returns the parts.
    fn parts(&self) -> PartList<'_>;

    /// Returns the origins of all user functions, in the order of the parts.
    fn origins_mut(&mut self) -> Vec<&mut Origin>;
}

/// Returns the fingerprint of an object. It can be compared with fingerprints that were computed in other
/// processes.
pub fn fingerprint(object: &(impl HasParts + ?Sized)) -> Fingerprint {
    Fingerprint::of(&object.parts())
}

/// User function of a system, relation or law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFunction<'a> {
    /// Name of the function in the equation: `M`, `F_int`, `derivative of F_int in q`, `h`, `J`.
    pub name: &'static str,
    /// Origin of the function.
    pub origin: &'a Origin,
}

/// Access to the user functions of a model object and their origins. Implemented for
/// [`DynamicalSystem`](super::DynamicalSystem), [`Relation`](super::Relation),
/// [`NonSmoothLaw`](super::NonSmoothLaw), and the types that they contain.
///
/// See [`Origin`] for an example.
pub trait UserFunctions: HasParts {
    /// Returns all user functions, in the order in which they occur in the equation. Constants, zeros and
    /// derivatives computed by finite differences are not listed. Functions defined by this crate, such as
    /// the equations of a joint, are not listed either.
    fn functions(&self) -> Vec<UserFunction<'_>> {
        self.parts().functions()
    }

    /// Returns the name of the first part that differs between the two objects, or that only one of them has;
    /// `None` if all parts are equal. For a user function, only its presence is compared, not its origin.
    /// Initial states are not compared.
    ///
    /// ```
    /// # use ndarray::array;
    /// use siconos_kernel::model::UserFunctions;
    /// use siconos_kernel::prelude::*;
    ///
    /// let ball = |mass: f64| LagrangianLinear::new(vec![1.0], vec![0.0], array![mass]);
    /// assert_eq!(ball(2.0).first_other_part(&ball(2.0)), None);
    /// assert_eq!(ball(2.0).first_other_part(&ball(2.5)).as_deref(), Some("M"));
    /// ```
    fn first_other_part(&self, other: &impl HasParts) -> Option<String> {
        fingerprint(self).first_other_part(&fingerprint(other))
    }

    /// Sets the origin of a function. The function itself does not change. Objects that are already in a
    /// model or a simulation, and existing clones, are not affected, so set all origins before adding an
    /// object to a model.
    ///
    /// # Errors
    ///
    /// If the object has no function with this name ([`ModelError::UnknownFunction`], which lists the
    /// existing names).
    fn set_origin(&mut self, function: &str, origin: Origin) -> Result<(), ModelError> {
        let place = self.functions().iter().position(|known| known.name == function);
        match place.and_then(|place| self.origins_mut().into_iter().nth(place)) {
            Some(slot) => {
                *slot = origin;
                Ok(())
            }
            None => Err(ModelError::UnknownFunction {
                name: function.to_owned(),
                known: self.functions().iter().map(|known| known.name).collect(),
            }),
        }
    }
}

impl<T: HasParts> UserFunctions for T {}
