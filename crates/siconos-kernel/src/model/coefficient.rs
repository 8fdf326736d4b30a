//! Coefficients of linear systems and relations: constants, or functions of time and parameters.

use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};
use siconos_numerics::linalg::Matrix;

use super::At;
use super::closure::Closure;
use super::fingerprint::Fingerprint;
use crate::error::{ModelError, check_finite, check_matrix, check_shape};

type MatrixOfTime = dyn Fn(At<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync;
type VectorOfTime = dyn Fn(At<'_>, &mut [f64]) + Send + Sync;

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
        Self::OfTime(Closure(Arc::new(function)))
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    pub(crate) fn as_constant(&self) -> Option<&Matrix> {
        match self {
            Self::Constant(matrix) => Some(matrix),
            Self::OfTime(_) => None,
        }
    }

    /// Writes the matrix at a time.
    pub(crate) fn write(&self, at: At<'_>, out: &mut ArrayViewMut2<'_, f64>) {
        match self {
            Self::Constant(matrix) => matrix.view().write_dense(out),
            Self::OfTime(function) => {
                out.fill(0.0);
                (function.0)(at, out);
            }
        }
    }

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        match self {
            Self::Constant(matrix) => of.matrix(matrix),
            Self::OfTime(_) => of.function(),
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
        Self::OfTime(Closure(Arc::new(function)))
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    /// Writes the vector at a time.
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

    /// Adds the vector at a time to `out`; `scratch` has as many entries.
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

    pub(super) fn fingerprint(&self, of: &mut Fingerprint) {
        match self {
            Self::Constant(vector) => of.vector(vector),
            Self::OfTime(_) => of.function(),
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
