//! Control term of a Lagrangian system.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::jacobian::{Jacobian, Variable};
use crate::model::closure::Closure;
use crate::model::coefficient::Coefficient;
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::{At, ModelError, Parameters, check_finite, check_shape};

type StateFunction = Closure<dyn Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync>;
type MatrixOfPosition = Closure<dyn Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync>;

#[derive(Clone, Debug)]
enum InputMatrix {
    Constant(Array2<f64>),
    Function(MatrixOfPosition),
}

/// Names of the parts of the control term of a Lagrangian system.
pub(super) const NAMES: [&str; 5] = [
    "number of inputs",
    "T",
    "u",
    "derivative of the control term in q",
    "derivative of the control term in v",
];

/// Control term: a generalised force $T_L(q) u_L(t, q, v)$ on a Lagrangian system. It has `m` inputs `u` and
/// an `n x m` matrix that maps the inputs to the degrees of freedom (developer's notes of Siconos, 3.16 and
/// 3.17).
///
/// ```
/// use ndarray::array;
/// use siconos_kernel::model::{ControlTerm, Lagrangian};
///
/// // A proportional-derivative motor on the first joint of a two-link arm.
/// let motor = ControlTerm::new(array![[1.0], [0.0]], |_t, q, v, u| u[0] = -20.0 * q[0] - 3.0 * v[0]);
/// let arm = Lagrangian::new(vec![0.5, 0.0], vec![0.0, 0.0], array![1.0, 1.0]).with_control(motor);
/// # let _ = arm;
/// ```
#[derive(Clone, Debug)]
pub struct ControlTerm {
    inputs: usize,
    matrix: InputMatrix,
    law: StateFunction,
    pub(super) jacobian_q: Jacobian,
    pub(super) jacobian_v: Jacobian,
}

impl ControlTerm {
    /// Creates a control term with a constant matrix `T` (`n x m`) and the control law `u(at, q, v, out)`;
    /// `out` is zeroed before the call.
    ///
    /// The derivatives of the product T u are computed by finite differences unless
    /// [`with_jacobians`](Self::with_jacobians) sets them.
    pub fn new(
        matrix: Array2<f64>,
        law: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::build(matrix.ncols(), InputMatrix::Constant(matrix), Closure::new(Arc::new(law)))
    }

    /// Creates a control term with a matrix `T(parameters, q, out)` that depends on the position; `out` is
    /// `n x inputs` and is zeroed before the call.
    pub fn of_matrix_function(
        inputs: usize,
        matrix: impl Fn(&Parameters, &[f64], &mut ArrayViewMut2<'_, f64>) + Send + Sync + 'static,
        law: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        Self::build(
            inputs,
            InputMatrix::Function(Closure::new(Arc::new(matrix))),
            Closure::new(Arc::new(law)),
        )
    }

    /// Sets the derivatives of the product $T_L(q) u_L(t, q, v)$ with respect to q and v, both `n x n`.
    #[must_use]
    pub fn with_jacobians(mut self, jacobian_q: Jacobian, jacobian_v: Jacobian) -> Self {
        self.jacobian_q = jacobian_q;
        self.jacobian_v = jacobian_v;
        self
    }

    /// Returns m, the number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns the matrix T, `n x m`.
    #[must_use]
    pub fn matrix(&self) -> Coefficient<'_, Array2<f64>> {
        match &self.matrix {
            InputMatrix::Constant(matrix) => Coefficient::Constant(matrix),
            InputMatrix::Function(function) => Coefficient::of_function(function),
        }
    }

    /// Returns the origin of the control law u.
    #[must_use]
    pub fn law(&self) -> &Origin {
        self.law.origin_or_unknown()
    }

    /// Returns the derivative of the product T u with respect to the position.
    #[must_use]
    pub fn jacobian_q(&self) -> &Jacobian {
        &self.jacobian_q
    }

    /// Returns the derivative of the product T u with respect to the velocity, or with respect to the rate of
    /// x for a first-order system.
    #[must_use]
    pub fn jacobian_v(&self) -> &Jacobian {
        &self.jacobian_v
    }

    pub(super) fn jacobian(&self, variable: Variable) -> &Jacobian {
        match variable {
            Variable::Position => &self.jacobian_q,
            Variable::Velocity => &self.jacobian_v,
        }
    }

    /// Adds the data of the control term to `parts`, under the given names: the number of inputs, the matrix,
    /// the law and the two derivatives.
    pub(super) fn list<'a>(&'a self, names: &[&'static str; 5], parts: &mut PartList<'a>) {
        let [inputs, matrix, law, in_q, in_v] = *names;
        parts.count(inputs, self.inputs);
        match &self.matrix {
            InputMatrix::Constant(a) => parts.dense(matrix, a.view()),
            InputMatrix::Function(function) => parts.function(matrix, function),
        }
        parts.function(law, &self.law);
        self.jacobian_q.list(in_q, parts);
        self.jacobian_v.list(in_v, parts);
    }

    fn build(inputs: usize, matrix: InputMatrix, law: StateFunction) -> Self {
        let (jacobian_q, jacobian_v) = (Jacobian::FiniteDifference, Jacobian::FiniteDifference);
        Self { inputs, matrix, law, jacobian_q, jacobian_v }
    }

    pub(super) fn check(&self, n: usize) -> Result<(), ModelError> {
        if self.inputs == 0 {
            return Err(ModelError::Empty { what: "control input" });
        }
        if let InputMatrix::Constant(a) = &self.matrix {
            check_shape("control matrix T", (n, self.inputs), a.dim())?;
            check_finite("control matrix T", a)?;
        }
        let [.., in_q, in_v] = NAMES;
        self.jacobian_q.check(in_q, n)?;
        self.jacobian_v.check(in_v, n)
    }

    pub(super) fn scratch(&self, n: usize) -> ControlScratch {
        ControlScratch { u: vec![0.0; self.inputs], matrix: Array2::zeros((n, self.inputs)) }
    }

    /// Adds `factor` times the generalised force to `out`.
    pub(super) fn add_into(
        &self,
        factor: f64,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut ControlScratch,
        out: &mut [f64],
    ) {
        scratch.u.fill(0.0);
        (self.law.0)(at, q, v, &mut scratch.u);
        let matrix = match &self.matrix {
            InputMatrix::Constant(matrix) => matrix,
            InputMatrix::Function(function) => {
                scratch.matrix.fill(0.0);
                (function.0)(at.parameters(), q, &mut scratch.matrix.view_mut());
                &scratch.matrix
            }
        };
        for (target, row) in out.iter_mut().zip(matrix.rows()) {
            *target += factor * row.iter().zip(&scratch.u).map(|(t, u)| t * u).sum::<f64>();
        }
    }
}

impl HasParts for ControlTerm {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("ControlTerm");
        self.list(&NAMES, &mut parts);
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let matrix = match &mut self.matrix {
            InputMatrix::Constant(_) => None,
            InputMatrix::Function(function) => function.origin_mut(),
        };
        let jacobians = [self.jacobian_q.origin_mut(), self.jacobian_v.origin_mut()];
        [matrix, self.law.origin_mut()].into_iter().chain(jacobians).flatten().collect()
    }
}

/// Workspace for one evaluation of a control term.
#[derive(Clone, Debug, Default)]
pub(crate) struct ControlScratch {
    u: Vec<f64>,
    matrix: Array2<f64>,
}
