//! Jacobians of nonlinear relations of first-order systems.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::first_order_nonlinear::RelationPoint;
use crate::model::closure::Closure;
use crate::model::dynamical_system::{DIFFERENCE_STEP, DifferenceScratch};
use crate::model::origin::Origin;
use crate::model::parts::PartList;

type MatrixFn = Closure<dyn Fn(RelationPoint<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

/// Jacobian of h or g with respect to x or lambda.
///
/// ```
/// use siconos_kernel::model::RelationJacobian;
///
/// let c = RelationJacobian::function(|at, c| c[[0, 0]] = 2.0 * at.x[0]);
/// assert!(matches!(c, RelationJacobian::Function(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum RelationJacobian {
    /// The function does not depend on this variable.
    Zero,
    /// A constant matrix.
    Constant(Array2<f64>),
    /// User function; create it with [`RelationJacobian::function`].
    Function(RelationMatrixFunction),
    /// Central differences with a step of [`DIFFERENCE_STEP`] in the unit of the variable.
    FiniteDifference,
    /// Central differences with the given step, which should be about 6e-6 times the scale on which the
    /// variable varies.
    FiniteDifferenceWithStep(f64),
}

/// User-supplied matrix-valued function of a [`RelationPoint`].
#[derive(Clone, Debug)]
pub struct RelationMatrixFunction(MatrixFn);

impl RelationMatrixFunction {
    /// Returns the origin of the function. To set it, call
    /// [`set_origin`](crate::model::UserFunctions::set_origin) on the relation that contains the Jacobian.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        self.0.origin_or_unknown()
    }
}

/// Functions are equal if they are the same object.
impl PartialEq for RelationMatrixFunction {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

impl RelationJacobian {
    /// Creates a Jacobian from a function `(point, out)` that computes it; `out` is zeroed before the call.
    ///
    /// If a closure is first bound with `let`, its argument types must be written out.
    pub fn function(
        function: impl Fn(RelationPoint<'_>, &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
    ) -> Self {
        Self::Function(RelationMatrixFunction(Closure::new(Arc::new(function))))
    }

    pub(super) fn list<'a>(&'a self, name: &'static str, parts: &mut PartList<'a>) {
        match self {
            Self::Zero => parts.word(name, "zero"),
            Self::Constant(matrix) => parts.dense(name, matrix.view()),
            Self::Function(RelationMatrixFunction(function)) => parts.function(name, function),
            Self::FiniteDifference => parts.differences(name, None),
            Self::FiniteDifferenceWithStep(step) => parts.differences(name, Some(*step)),
        }
    }

    pub(super) fn origin_mut(&mut self) -> Option<&mut Origin> {
        match self {
            Self::Function(RelationMatrixFunction(function)) => function.origin_mut(),
            _ => None,
        }
    }
}

/// Writes a Jacobian to `out`. If the user selected finite differences, they are computed from values of
/// `function` around `variable`.
pub(super) fn write(
    jacobian: &Option<RelationJacobian>,
    at: RelationPoint<'_>,
    variable: &[f64],
    scratch: &mut DifferenceScratch,
    out: &mut Array2<f64>,
    function: impl FnMut(&[f64], &mut [f64]),
) {
    match jacobian {
        None | Some(RelationJacobian::Zero) => out.fill(0.0),
        Some(RelationJacobian::Constant(matrix)) => out.assign(matrix),
        Some(RelationJacobian::Function(RelationMatrixFunction(matrix))) => {
            out.fill(0.0);
            (matrix.0)(at, &mut out.view_mut());
        }
        Some(RelationJacobian::FiniteDifference) => {
            scratch.difference(variable, DIFFERENCE_STEP, function);
            out.assign(&scratch.matrix);
        }
        Some(RelationJacobian::FiniteDifferenceWithStep(step)) => {
            scratch.difference(variable, *step, function);
            out.assign(&scratch.matrix);
        }
    }
}
