//! Coefficients of linear systems and relations: constants, or functions of time and parameters.

use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};
use siconos_linalg::Matrix;

use super::At;
use super::closure::Closure;
use super::origin::Origin;
use super::parts::PartList;
use crate::model::{ModelError, check_finite, check_matrix, check_shape};

type MatrixOfTime = dyn Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync;
type VectorOfTime = dyn Fn(At<'_>, &mut [f64]) + Send + Sync;

/// User-supplied coefficient of a system or relation: a constant or a function.
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{Coefficient, LagrangianLinear, Origin};
///
/// let ball = LagrangianLinear::new(vec![1.0], vec![0.0], array![1.0]);
/// let heavy = ball.clone().with_constant_external_force(vec![-9.81]);
/// let pushed = ball.with_external_force(|at, f| f[0] = at.t.sin());
/// assert_eq!(heavy.external_force(), Some(Coefficient::Constant(&array![-9.81])));
/// assert_eq!(pushed.external_force(), Some(Coefficient::Function(&Origin::Unknown)));
/// ```
#[derive(Debug, PartialEq)]
pub enum Coefficient<'a, T> {
    /// Constant.
    Constant(&'a T),
    /// User function, represented by its origin.
    Function(&'a Origin),
}

// Implemented by hand: a derive would require `T: Clone`, although only a reference is stored.
impl<T> Clone for Coefficient<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Coefficient<'_, T> {}

impl<'a, T> Coefficient<'a, T> {
    pub(super) fn of_function<F: ?Sized>(function: &'a Closure<F>) -> Self {
        Self::Function(function.origin_or_unknown())
    }

    /// Returns the constant, or `None` for a function.
    #[must_use]
    pub fn constant(self) -> Option<&'a T> {
        match self {
            Self::Constant(constant) => Some(constant),
            Self::Function(_) => None,
        }
    }

    /// Returns the origin of the function, or `None` for a constant.
    #[must_use]
    pub fn function(self) -> Option<&'a Origin> {
        match self {
            Self::Constant(_) => None,
            Self::Function(origin) => Some(origin),
        }
    }
}

/// A matrix that is constant or a function of time.
#[derive(Clone, Debug)]
pub(crate) enum MatrixCoefficient {
    Constant(Matrix),
    OfTime(Closure<MatrixOfTime>),
}

impl MatrixCoefficient {
    pub(crate) fn constant(matrix: impl Into<Matrix>) -> Self {
        Self::Constant(matrix.into())
    }

    pub(crate) fn of_time(
        function: impl Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::OfTime(Closure::new(Arc::new(function)))
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    pub(super) fn view(&self) -> Coefficient<'_, Matrix> {
        match self {
            Self::Constant(matrix) => Coefficient::Constant(matrix),
            Self::OfTime(function) => Coefficient::of_function(function),
        }
    }

    /// Writes the value of the matrix at a given time.
    pub(crate) fn write(&self, at: At<'_>, out: &mut ArrayViewMut2<'_, f64>) {
        match self {
            Self::Constant(matrix) => matrix.view().write_dense(out),
            Self::OfTime(function) => {
                out.fill(0.0);
                (function.0)(at, out);
            }
        }
    }

    /// Adds the matrix to `parts` as the part called `name`.
    pub(super) fn list<'a>(&'a self, name: &'static str, parts: &mut PartList<'a>) {
        match self {
            Self::Constant(matrix) => parts.matrix(name, matrix),
            Self::OfTime(function) => parts.function(name, function),
        }
    }

    pub(super) fn origin_mut(&mut self) -> Option<&mut Origin> {
        match self {
            Self::Constant(_) => None,
            Self::OfTime(function) => function.origin_mut(),
        }
    }

    pub(crate) fn check(&self, what: &'static str, shape: (usize, usize)) -> Result<(), ModelError> {
        match self {
            Self::Constant(matrix) => check_matrix(what, shape, matrix),
            Self::OfTime(_) => Ok(()),
        }
    }
}

/// A vector that is constant or a function of time.
#[derive(Clone, Debug)]
pub(crate) enum VectorCoefficient {
    Constant(Array1<f64>),
    OfTime(Closure<VectorOfTime>),
}

impl VectorCoefficient {
    pub(crate) fn of_time(function: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        Self::OfTime(Closure::new(Arc::new(function)))
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    /// Writes the value of the vector at a given time.
    pub(crate) fn write(&self, at: At<'_>, out: &mut [f64]) {
        match self {
            Self::Constant(vector) => match vector.as_slice() {
                Some(vector) => out.copy_from_slice(vector),
                None => out.iter_mut().zip(vector).for_each(|(out, x)| *out = *x),
            },
            Self::OfTime(function) => {
                out.fill(0.0);
                (function.0)(at, out);
            }
        }
    }

    /// Adds the value of the vector at a given time to `out`; `scratch` has the length of `out`.
    pub(crate) fn add(&self, at: At<'_>, scratch: &mut [f64], out: &mut [f64]) {
        match self {
            Self::Constant(vector) => {
                for (out, x) in out.iter_mut().zip(vector) {
                    *out += x;
                }
            }
            Self::OfTime(_) => {
                self.write(at, scratch);
                for (out, x) in out.iter_mut().zip(scratch) {
                    *out += *x;
                }
            }
        }
    }

    /// Adds the vector to `parts` as the part called `name`.
    pub(super) fn list<'a>(&'a self, name: &'static str, parts: &mut PartList<'a>) {
        match self {
            Self::Constant(vector) => parts.vector(name, vector),
            Self::OfTime(function) => parts.function(name, function),
        }
    }

    pub(super) fn origin_mut(&mut self) -> Option<&mut Origin> {
        match self {
            Self::Constant(_) => None,
            Self::OfTime(function) => function.origin_mut(),
        }
    }

    pub(super) fn view(&self) -> Coefficient<'_, Array1<f64>> {
        match self {
            Self::Constant(vector) => Coefficient::Constant(vector),
            Self::OfTime(function) => Coefficient::of_function(function),
        }
    }

    pub(crate) fn check(&self, what: &'static str, size: usize) -> Result<(), ModelError> {
        match self {
            Self::Constant(vector) => {
                check_shape(what, (size, 1), (vector.len(), 1))?;
                check_finite(what, vector)
            }
            Self::OfTime(_) => Ok(()),
        }
    }
}
