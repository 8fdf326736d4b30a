//! What systems, relations and laws are made of: THE list of the parts of each, by name.

use std::borrow::Cow;

use ndarray::{ArrayView2, CowArray, Ix1};
use siconos_linalg::{Matrix, MatrixRef};

use super::closure::Closure;
use super::fingerprint::Fingerprint;
use super::origin::Origin;
use crate::model::ModelError;

/// The parts of a system, relation or law, in a fixed order, under the names that messages use. Initial
/// states are none of them, and what is absent is not listed.
#[derive(Clone, Debug)]
pub struct PartList<'a>(Vec<(&'static str, Part<'a>)>);

/// One part.
#[derive(Clone, Debug)]
pub(super) enum Part<'a> {
    /// A kind, a size, a coefficient, a choice: something that messages show.
    Word(Cow<'static, str>),
    Vector(CowArray<'a, f64, Ix1>),
    Matrix(MatrixRef<'a>),
    /// A function of the user.
    Function(&'a Origin),
}

impl<'a> PartList<'a> {
    /// A list of the kind of an object alone.
    #[must_use]
    pub fn of(kind: &'static str) -> Self {
        Self(vec![("kind", Part::Word(kind.into()))])
    }

    /// Adds a choice, or what else messages show.
    pub fn word(&mut self, name: &'static str, word: impl Into<Cow<'static, str>>) {
        self.0.push((name, Part::Word(word.into())));
    }

    /// Adds a size.
    pub fn count(&mut self, name: &'static str, count: usize) {
        self.word(name, count.to_string());
    }

    /// Numbers are shown with as many digits as tell them from all others.
    pub fn number(&mut self, name: &'static str, x: f64) {
        // Both zeros are one number.
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

    /// A derivative that is taken by central differences, with a step of its own where it has one.
    pub(super) fn differences(&mut self, name: &'static str, step: Option<f64>) {
        match step {
            None => self.word(name, "central differences"),
            Some(step) => self.word(name, format!("central differences with a step of {step:?}")),
        }
    }

    /// A function, unless it is one of this crate.
    pub(super) fn function<F: ?Sized>(&mut self, name: &'static str, function: &'a Closure<F>) {
        self.0.extend(function.origin().map(|origin| (name, Part::Function(origin))));
    }

    /// Takes in the parts of another object, but for its kind.
    pub(super) fn append(&mut self, others: Self) {
        self.0.extend(others.0.into_iter().skip(1));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Part<'a>)> {
        self.0.iter().map(|(name, part)| (*name, part))
    }

    /// The functions of the user among them.
    fn functions(&self) -> Vec<UserFunction<'a>> {
        let function = |(name, part): &(&'static str, Part<'a>)| match part {
            Part::Function(origin) => Some(UserFunction { name, origin }),
            _ => None,
        };
        self.0.iter().filter_map(function).collect()
    }
}

/// What has parts. Nobody but this crate can implement it.
pub trait Composed {
    /// The parts.
    fn parts(&self) -> PartList<'_>;

    /// The origins of all functions of the user, in the order of the parts.
    fn origins_mut(&mut self) -> Vec<&mut Origin>;
}

/// What can be compared with an object of another process.
pub fn fingerprint(object: &(impl Composed + ?Sized)) -> Fingerprint {
    Fingerprint::of(&object.parts())
}

/// A function of the user in a system, relation or law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserFunction<'a> {
    /// What it is, in the words of the equation: `M`, `F_int`, `derivative of F_int in q`, `h`, `J`.
    pub name: &'static str,
    /// Where it comes from.
    pub origin: &'a Origin,
}

/// The functions of the user in an object of a model, and where they come from: of a
/// [`DynamicalSystem`](super::DynamicalSystem), a [`Relation`](super::Relation) or a
/// [`NonSmoothLaw`](super::NonSmoothLaw), and of all the types that these are made of.
///
/// [`Origin`] has an example.
pub trait UserFunctions: Composed {
    /// All functions of the user, in the order of the equation. What is constant, zero or taken by
    /// differences is none, and neither is what this crate makes itself, the equations of a joint, say.
    fn functions(&self) -> Vec<UserFunction<'_>> {
        self.parts().functions()
    }

    /// The name of the first part that another object has otherwise, or that one of the two has alone;
    /// nothing where they are made of the same. Of a function it counts that it is there, and not where it
    /// comes from. Initial states are no parts.
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
    fn first_other_part(&self, other: &impl Composed) -> Option<String> {
        fingerprint(self).first_other_part(&fingerprint(other))
    }

    /// Says where a function comes from. The function stays as it is. An object that is part of a model or a
    /// simulation already, or shared with a clone, does not change: an origin is set before.
    ///
    /// # Errors
    ///
    /// [`ModelError::UnknownFunction`] with the names that there are.
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

impl<T: Composed> UserFunctions for T {}
