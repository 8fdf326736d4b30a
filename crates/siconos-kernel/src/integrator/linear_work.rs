//! Moreau-Jean's scheme of one linear Lagrangian system: W is constant while h and theta are.

use std::sync::Arc;

use ndarray::Array2;
use siconos_numerics::linalg::{Csc, FactoredMatrix, Matrix, MatrixRef, SingularMatrix, add_scaled};

use super::system_work::{Impulses, StepTimes};
use super::{EquationRows, Inertia};
use crate::model::LagrangianLinear;

/// The work of one linear system.
#[derive(Clone, Debug)]
pub(crate) struct LinearWork {
    system: Arc<LagrangianLinear>,
    w: FactoredMatrix,
    /// Whether its external force has been evaluated.
    has_force: bool,
    /// Where it has damping or stiffness.
    deformation: Option<Box<Deformation>>,
}

/// What damping and stiffness need.
#[derive(Clone, Debug)]
struct Deformation {
    /// Matrices of the system that are dense in its data and have few entries, without their zeros.
    sparse: SparseCopies,
    x: Vec<f64>,
}

/// The external forces of a system at both ends of a step.
pub(crate) struct ExternalForces<'a> {
    pub(crate) f_k: &'a mut [f64],
    pub(crate) f_kp1: &'a mut [f64],
    /// Whether those at the beginning are known, of systems that were there at the end of the step before.
    pub(crate) begin_is_known: bool,
}

/// C and K, where products with them are cheaper without their zeros.
#[derive(Clone, Debug, Default)]
struct SparseCopies {
    damping: Option<Csc>,
    stiffness: Option<Csc>,
}

impl SparseCopies {
    /// C and K in the storage that products with them take the least time in.
    fn of<'a>(&'a self, system: &'a LagrangianLinear) -> (Option<MatrixRef<'a>>, Option<MatrixRef<'a>>) {
        let choose = |copy: &'a Option<Csc>, own: Option<&'a Matrix>| {
            copy.as_ref().map(MatrixRef::from).or(own.map(Matrix::view))
        };
        (choose(&self.damping, system.damping()), choose(&self.stiffness, system.stiffness()))
    }
}

impl LinearWork {
    pub(super) fn new(system: &Arc<LagrangianLinear>) -> Self {
        let is_rigid = system.damping().is_none() && system.stiffness().is_none();
        let deformation = || {
            let sparse = SparseCopies {
                damping: system.damping().and_then(Matrix::sparse_copy),
                stiffness: system.stiffness().and_then(Matrix::sparse_copy),
            };
            Box::new(Deformation { sparse, x: vec![0.0; system.v0().len()] })
        };
        Self {
            system: Arc::clone(system),
            w: FactoredMatrix::default(),
            has_force: false,
            deformation: (!is_rigid).then(deformation),
        }
    }

    /// Factorises W for a step length.
    pub(super) fn prepare(&mut self, step: StepTimes<'_>) -> Result<(), SingularMatrix> {
        let factor = step.h * step.theta;
        let mass = (1.0, self.system.mass().view());
        let (damping, stiffness) = match &self.deformation {
            Some(deformation) => deformation.sparse.of(&self.system),
            None => (None, None),
        };
        match (damping.map(|c| (factor, c)), stiffness.map(|k| (factor * factor, k))) {
            (None, None) => self.w.factor_sum(&[mass]),
            (Some(other), None) | (None, Some(other)) => self.w.factor_sum(&[mass, other]),
            (Some(damping), Some(stiffness)) => self.w.factor_sum(&[mass, damping, stiffness]),
        }
    }

    /// The reciprocal condition of W, for messages.
    pub(super) fn reciprocal_condition(&self) -> f64 {
        self.w.reciprocal_condition()
    }

    /// $v_{free} = v_k + W^{-1} \bigl( h [\theta F_{k+1} + (1 - \theta) F_k] - h C v_k - h K (q_k + h \theta v_k) \bigr)$.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        q_k: &[f64],
        v_k: &[f64],
        forces: ExternalForces<'_>,
        v_free: &mut [f64],
    ) {
        let StepTimes { begin, end, h, theta } = step;
        let ExternalForces { f_k, f_kp1, begin_is_known } = forces;
        if !(begin_is_known && self.has_force) {
            self.system.external_force_into(begin, f_k);
            self.has_force = true;
        }
        self.system.external_force_into(end, f_kp1);
        for ((x, f_kp1), f_k) in v_free.iter_mut().zip(&*f_kp1).zip(&*f_k) {
            *x = h * (theta * f_kp1 + (1.0 - theta) * f_k);
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

    /// Makes the rows of the equation of motion, which holds exactly for the impulse before.
    pub(crate) fn equation_rows(
        &self,
        motion: (&[f64], &[f64]),
        impulses: Impulses<'_>,
        rows: &mut EquationRows,
    ) {
        rows.begin(&self.w, motion, Inertia::OfRows);
        let changes = impulses.before.iter().zip(impulses.now);
        rows.residual.extend(changes.map(|(before, now)| before - now));
        add_scaled(1.0, impulses.terms, &mut rows.change);
    }

    /// W as it is for a step.
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

    /// Whether W depends on the step length: not where it is M.
    pub(super) fn has_step_length(&self) -> bool {
        self.deformation.is_some()
    }

    pub(super) fn factored(&self) -> &FactoredMatrix {
        &self.w
    }

    /// How many entries W has at most.
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
