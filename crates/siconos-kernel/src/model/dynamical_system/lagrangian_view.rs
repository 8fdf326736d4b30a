//! Lagrangian systems as first-order systems with the state (q, v).

use ndarray::{Array1, Array2, ArrayViewMut2, s};
use siconos_linalg::{Csc, Matrix};

use super::jacobian::JacobianMismatch;
use super::lagrangian::{Lagrangian, LagrangianScratch};
use super::{FirstOrderLinear, LagrangianLinear};
use crate::model::coefficient::Coefficient;
use crate::model::origin::Origin;
use crate::model::{At, ModelError, Parameters};

/// Vector field of [`FirstOrderNonlinear::of_lagrangian`](super::FirstOrderNonlinear::of_lagrangian).
#[derive(Clone, Debug)]
pub(super) struct LagrangianView(Lagrangian);

/// Workspace for the evaluations of a [`LagrangianView`].
#[derive(Clone, Debug, Default)]
pub(super) struct ViewScratch {
    lagrangian: LagrangianScratch,
    matrix_q: Array2<f64>,
    matrix_v: Array2<f64>,
}

impl LagrangianView {
    pub(super) fn new(system: Lagrangian) -> Self {
        Self(system)
    }

    fn degrees_of_freedom(&self) -> usize {
        self.0.v0().len()
    }

    pub(super) fn scratch(&self) -> ViewScratch {
        let n = self.degrees_of_freedom();
        let (matrix_q, matrix_v) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
        ViewScratch { lagrangian: self.0.scratch(), matrix_q, matrix_v }
    }

    pub(super) fn lagrangian(&self) -> &Lagrangian {
        &self.0
    }

    pub(super) fn lagrangian_mut(&mut self) -> &mut Lagrangian {
        &mut self.0
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        if !self.0.space().is_vector() {
            return Err(ModelError::NoFirstOrderForm);
        }
        self.0.check()
    }

    pub(super) fn check_jacobians(
        &self,
        at: At<'_>,
        x: &[f64],
        tolerance: f64,
    ) -> Result<(), JacobianMismatch> {
        let (q, v) = x.split_at(self.degrees_of_freedom());
        self.0.check_jacobians(at, q, v, tolerance)
    }

    /// Writes diag(I, M(q)).
    pub(super) fn mass_into(
        &self,
        parameters: &Parameters,
        x: &[f64],
        scratch: &mut ViewScratch,
        out: &mut ArrayViewMut2<'_, f64>,
    ) {
        let n = self.degrees_of_freedom();
        self.0.mass_into(parameters, &x[..n], &mut scratch.matrix_q);
        out.fill(0.0);
        out.slice_mut(s![..n, ..n]).diag_mut().fill(1.0);
        out.slice_mut(s![n.., n..]).assign(&scratch.matrix_q);
    }

    /// Writes the vector field (v, F).
    pub(super) fn field_into(&self, at: At<'_>, x: &[f64], scratch: &mut ViewScratch, out: &mut [f64]) {
        let n = self.degrees_of_freedom();
        let (q, v) = x.split_at(n);
        let (rate, force) = out.split_at_mut(n);
        rate.copy_from_slice(v);
        self.0.forces_into(at, q, v, &mut scratch.lagrangian, force);
    }

    /// Adds `factor` times the derivative of (v, F) with respect to x to `out`.
    pub(super) fn add_jacobian(
        &self,
        factor: f64,
        at: At<'_>,
        x: &[f64],
        scratch: &mut ViewScratch,
        out: &mut Array2<f64>,
    ) {
        let n = self.degrees_of_freedom();
        let (q, v) = x.split_at(n);
        let ViewScratch { lagrangian, matrix_q, matrix_v } = scratch;
        self.0.jacobians_into(at, q, v, lagrangian, matrix_q, matrix_v);
        for i in 0..n {
            out[[i, n + i]] += factor;
        }
        out.slice_mut(s![n.., ..n]).scaled_add(-factor, matrix_q);
        out.slice_mut(s![n.., n..]).scaled_add(-factor, matrix_v);
    }
}

impl FirstOrderLinear {
    /// Converts a linear Lagrangian system to a first-order system with the state x = (q, v):
    ///
    /// $$ \begin{pmatrix} I & 0 \cr 0 & M \end{pmatrix} \dot x =
    ///    \begin{pmatrix} 0 & I \cr -K & -C \end{pmatrix} x +
    ///    \begin{pmatrix} 0 \cr F_{ext}(t) \end{pmatrix} + r, \qquad
    ///    r = \begin{pmatrix} 0 \cr p \end{pmatrix}. $$
    ///
    /// As plain text: q' = v, M v' = -K q - C v + F_ext + p. See
    /// [`FirstOrderNonlinear::of_lagrangian`](super::FirstOrderNonlinear::of_lagrangian).
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_kernel::model::{FirstOrderLinear, LagrangianLinear};
    ///
    /// let spring = LagrangianLinear::new(vec![1.0], vec![0.0], array![2.0]).with_stiffness(array![8.0]);
    /// let view = FirstOrderLinear::of_lagrangian(&spring);
    /// assert_eq!(view.a().constant().unwrap().view().to_dense(), array![[0.0, 1.0], [-8.0, 0.0]]);
    /// ```
    #[must_use]
    pub fn of_lagrangian(system: &LagrangianLinear) -> Self {
        let n = system.q0().len();
        let identity = |column: usize| (0..n).map(move |i| (i, column + i, 1.0));
        let (mut a, mut mass): (Vec<_>, Vec<_>) = (identity(n).collect(), identity(0).collect());
        for (matrix, column) in [(system.stiffness(), 0), (system.damping(), n)] {
            let Some(matrix) = matrix else { continue };
            matrix.view().for_each_entry(|i, j, x| a.push((n + i, column + j, -x)));
        }
        system.mass().view().for_each_entry(|i, j, x| mass.push((n + i, n + j, x)));
        // If a shape is wrong, the matrices are empty, and the model rejects the system.
        let matrices = [Some(system.mass()), system.stiffness(), system.damping()];
        let fit = matrices.into_iter().flatten().all(|matrix| (matrix.rows(), matrix.columns()) == (n, n));
        let sparse = |entries| match Csc::from_triplets(2 * n, 2 * n, entries) {
            Ok(matrix) if fit => Matrix::from(matrix),
            _ => Matrix::default(),
        };
        let x0: Vec<f64> = system.q0().iter().chain(system.v0()).copied().collect();
        let view = Self::new(x0, sparse(a)).with_mass(sparse(mass));
        let Some(force) = system.external_force() else {
            return view;
        };
        let origin = origin_of_source(n, force);
        let system = system.clone();
        view.with_source_function(move |at, b| system.external_force_into(at, &mut b[n..]))
            .with_source_origin(origin)
    }
}

/// Returns the origin of the source (0, F_ext), given the origin of F_ext. It is unknown for a registered
/// function, because the registry contains only F_ext.
fn origin_of_source(n: usize, force: Coefficient<'_, Array1<f64>>) -> Origin {
    let zeros = (0..n).map(|_| "0".to_owned());
    match force {
        Coefficient::Constant(force) => {
            Origin::expressions([""; 0], zeros.chain(force.iter().map(|x| format!("{x:?}"))))
        }
        Coefficient::Function(Origin::Expressions(text)) => {
            Origin::expressions(text.arguments.clone(), zeros.chain(text.entries.iter().cloned()))
        }
        Coefficient::Function(_) => Origin::Unknown,
    }
}
