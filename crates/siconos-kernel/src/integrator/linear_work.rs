//! Step of the Moreau-Jean scheme for one linear Lagrangian system. The iteration matrix W depends only on h
//! and theta.

use std::sync::Arc;

use ndarray::Array2;
use siconos_linalg::{Csc, FactoredMatrix, Matrix, MatrixRef, SingularMatrix};

use super::EquationRows;
use super::system_work::{Impulses, StepTimes};
use crate::model::{At, LagrangianLinear};

/// Workspace of one linear system.
#[derive(Clone, Debug)]
pub(crate) struct LinearWorkspace {
    system: Arc<LagrangianLinear>,
    w: FactoredMatrix,
    /// `true` if W equals M and is already factorised.
    is_final: bool,
    /// External force, if it depends on time.
    force: Option<Box<VaryingForce>>,
    /// Damping and stiffness, if there are any.
    deformation: Option<Box<Deformation>>,
    /// Rows of the equation of motion; created when a nonlinear contact first acts on the system.
    rows: Option<Box<EquationRows>>,
}

/// External force at both ends of a step, each with its time.
#[derive(Clone, Debug)]
struct VaryingForce {
    begin: (f64, Vec<f64>),
    end: (f64, Vec<f64>),
}

impl VaryingForce {
    /// Creates the force of a system with `n` degrees of freedom.
    fn new(n: usize) -> Self {
        let unknown = (f64::NAN, vec![0.0; n]);
        Self { begin: unknown.clone(), end: unknown }
    }

    /// Writes the impulse $h [\theta F_{k+1} + (1 - \theta) F_k]$ of the external force to `out`. If
    /// possible, the force at the start is reused from the end of the previous step.
    fn impulse_into(&mut self, system: &LagrangianLinear, step: StepTimes<'_>, out: &mut [f64]) {
        let StepTimes { begin, end, h, theta } = step;
        if self.begin.0 != begin.t {
            std::mem::swap(&mut self.begin, &mut self.end);
        }
        if self.begin.0 != begin.t {
            self.begin.0 = begin.t;
            system.external_force_into(begin, &mut self.begin.1);
        }
        self.end.0 = end.t;
        system.external_force_into(end, &mut self.end.1);
        for ((x, f_kp1), f_k) in out.iter_mut().zip(&self.end.1).zip(&self.begin.1) {
            *x = h * (theta * f_kp1 + (1.0 - theta) * f_k);
        }
    }
}

/// Sparse matrices and workspace for damping and stiffness.
#[derive(Clone, Debug)]
struct Deformation {
    /// Sparse copies of matrices that are stored dense but have few entries.
    sparse: SparseCopies,
    x: Vec<f64>,
}

/// Sparse copies of the damping C and the stiffness K; `None` if products with a copy would not be faster.
#[derive(Clone, Debug, Default)]
struct SparseCopies {
    damping: Option<Csc>,
    stiffness: Option<Csc>,
}

impl SparseCopies {
    /// Returns C and K in the storage format with the fastest products.
    fn of<'a>(&'a self, system: &'a LagrangianLinear) -> (Option<MatrixRef<'a>>, Option<MatrixRef<'a>>) {
        let choose = |copy: &'a Option<Csc>, own: Option<&'a Matrix>| {
            copy.as_ref().map(MatrixRef::from).or(own.map(Matrix::view))
        };
        (choose(&self.damping, system.damping()), choose(&self.stiffness, system.stiffness()))
    }
}

impl LinearWorkspace {
    pub(super) fn new(system: &Arc<LagrangianLinear>) -> Self {
        let is_rigid = system.damping().is_none() && system.stiffness().is_none();
        let n = system.v0().len();
        let deformation = || {
            let sparse = SparseCopies {
                damping: system.damping().and_then(Matrix::sparse_copy),
                stiffness: system.stiffness().and_then(Matrix::sparse_copy),
            };
            Box::new(Deformation { sparse, x: vec![0.0; n] })
        };
        Self {
            system: Arc::clone(system),
            w: FactoredMatrix::default(),
            is_final: false,
            force: (!system.has_constant_force()).then(|| Box::new(VaryingForce::new(n))),
            deformation: (!is_rigid).then(deformation),
            rows: None,
        }
    }

    /// Returns `true` if the free motion has a constant acceleration.
    pub(super) fn is_steady(&self) -> bool {
        self.force.is_none() && self.deformation.is_none()
    }

    /// Writes the constant acceleration $W^{-1} F$ of a [steady](Self::is_steady) system to `out`. W must
    /// have been prepared.
    pub(super) fn steady_acceleration_into(&mut self, at: At<'_>, out: &mut [f64]) {
        self.system.external_force_into(at, out);
        self.w.solve(out);
    }

    /// Discards forces that were kept for the next step.
    pub(super) fn forget_forces(&mut self) {
        if let Some(force) = &mut self.force {
            (force.begin.0, force.end.0) = (f64::NAN, f64::NAN);
        }
    }

    /// Factorises W for a step length.
    pub(super) fn prepare(&mut self, step: StepTimes<'_>) -> Result<(), SingularMatrix> {
        if self.is_final {
            return Ok(());
        }
        let factor = step.h * step.theta;
        let mass = (1.0, self.system.mass().view());
        let (damping, stiffness) = match &self.deformation {
            Some(deformation) => deformation.sparse.of(&self.system),
            None => (None, None),
        };
        match (damping.map(|c| (factor, c)), stiffness.map(|k| (factor * factor, k))) {
            (None, None) => self.w.factor_sum(&[mass])?,
            (Some(other), None) | (None, Some(other)) => self.w.factor_sum(&[mass, other])?,
            (Some(damping), Some(stiffness)) => self.w.factor_sum(&[mass, damping, stiffness])?,
        }
        self.is_final = !self.has_step_length();
        Ok(())
    }

    /// Writes the free velocity to `v_free`: $v_k + W^{-1} (h \bar F - h C v_k - h K (q_k + h \theta v_k))$,
    /// where $\bar F = \theta F_{k+1} + (1 - \theta) F_k$.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        q_k: &[f64],
        v_k: &[f64],
        v_free: &mut [f64],
    ) {
        let StepTimes { end, h, theta, .. } = step;
        match &mut self.force {
            Some(force) => force.impulse_into(&self.system, step, v_free),
            None => {
                self.system.external_force_into(end, v_free);
                v_free.iter_mut().for_each(|x| *x *= h);
            }
        }
        if let Some(Deformation { sparse, x }) = self.deformation.as_deref_mut() {
            let (damping, stiffness) = sparse.of(&self.system);
            if let Some(damping) = damping {
                damping.add_product(-h, v_k, v_free);
            }
            if let Some(stiffness) = stiffness {
                for ((x, q), v) in x.iter_mut().zip(q_k).zip(v_k) {
                    *x = q + h * theta * v;
                }
                stiffness.add_product(-h, x, v_free);
            }
        }
        self.w.solve_onto(v_k, v_free);
    }

    /// Computes the residual and the magnitudes of each row of the equation of motion, which is satisfied
    /// exactly by the impulse with the old Jacobian. The residual is due to the change of the Jacobian.
    pub(crate) fn equation_rows(
        &mut self,
        motion: (&[f64], &[f64]),
        impulses: Impulses<'_>,
    ) -> &EquationRows {
        self.rows.get_or_insert_default().write_exact(&self.w, motion, impulses)
    }

    /// Returns W for a step.
    pub(super) fn w(&self, step: StepTimes<'_>) -> Array2<f64> {
        let factor = step.h * step.theta;
        let mut w = self.system.mass().view().to_dense();
        for (factor, matrix) in [(factor, self.system.damping()), (factor * factor, self.system.stiffness())]
        {
            if let Some(matrix) = matrix {
                w.scaled_add(factor, &matrix.view().to_dense());
            }
        }
        w
    }

    /// Returns `true` if W depends on the step length, that is, if W is not M.
    pub(super) fn has_step_length(&self) -> bool {
        self.deformation.is_some()
    }

    pub(super) fn factored(&self) -> &FactoredMatrix {
        &self.w
    }

    /// Returns an upper bound of the number of nonzero entries of W.
    pub(super) fn entries(&self) -> usize {
        let (damping, stiffness) =
            self.deformation.as_ref().map_or((None, None), |it| it.sparse.of(&self.system));
        let terms = [Some(self.system.mass().view()), damping, stiffness];
        terms.iter().flatten().map(MatrixRef::stored_entries).sum()
    }

    pub(super) fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }
}
