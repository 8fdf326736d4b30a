//! Moreau-Jean's scheme of one linear Lagrangian system: W is constant while h and theta are.

use std::sync::Arc;

use ndarray::Array2;
use siconos_numerics::linalg::{Csc, FactoredMatrix, Matrix, MatrixRef, SingularMatrix};

use super::EquationRow;
use super::system_work::{Impulses, Sizes, StepTimes};
use crate::model::LagrangianLinear;

/// The work of one linear system.
#[derive(Clone, Debug)]
pub(crate) struct LinearWork {
    system: Arc<LagrangianLinear>,
    w: FactoredMatrix,
    /// Whether there is damping or stiffness.
    has_step_length: bool,
    f_k: Vec<f64>,
    f_kp1: Vec<f64>,
    /// The time at which `f_k` was evaluated.
    t_of_f_k: f64,
    x: Vec<f64>,
    /// Matrices of the system that are dense in its data and have few entries, without their zeros.
    sparse: SparseCopies,
    sizes: Sizes,
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
        let n = system.v0().len();
        Self {
            system: Arc::clone(system),
            w: FactoredMatrix::default(),
            has_step_length: system.damping().is_some() || system.stiffness().is_some(),
            f_k: vec![0.0; n],
            f_kp1: vec![0.0; n],
            t_of_f_k: f64::NAN,
            x: vec![0.0; n],
            sparse: SparseCopies {
                damping: system.damping().and_then(Matrix::sparse_copy),
                stiffness: system.stiffness().and_then(Matrix::sparse_copy),
            },
            sizes: Sizes::default(),
        }
    }

    /// Factorises W for a step length.
    pub(super) fn prepare(&mut self, step: StepTimes<'_>) -> Result<(), SingularMatrix> {
        let factor = step.h * step.theta;
        let mass = (1.0, self.system.mass().view());
        let (damping, stiffness) = self.sparse.of(&self.system);
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
        v_free: &mut [f64],
    ) {
        let StepTimes { begin, end, h, theta } = step;
        if self.t_of_f_k != begin.t {
            self.system.external_force_into(begin, &mut self.f_k);
            self.t_of_f_k = begin.t;
        }
        self.system.external_force_into(end, &mut self.f_kp1);
        for ((x, f_kp1), f_k) in v_free.iter_mut().zip(&self.f_kp1).zip(&self.f_k) {
            *x = h * (theta * f_kp1 + (1.0 - theta) * f_k);
        }
        let (damping, stiffness) = self.sparse.of(&self.system);
        if let Some(damping) = damping {
            damping.add_product(-h, v_k, v_free);
        }
        if let Some(stiffness) = stiffness {
            for ((x, q), v) in self.x.iter_mut().zip(q_k).zip(v_k) {
                *x = q + h * theta * v;
            }
            stiffness.add_product(-h, &self.x, v_free);
        }
        self.w.solve_onto(v_k, v_free);
    }

    /// Adds the rows of the equation of motion, which holds exactly for the impulse before.
    pub(crate) fn equation_rows(
        &mut self,
        (v, v_k): (&[f64], &[f64]),
        impulses: Impulses<'_>,
        rows: &mut Vec<EquationRow>,
    ) {
        let [change, motion] = self.sizes.of_motion(&self.w, v, v_k);
        rows.extend((0..v.len()).map(|i| EquationRow {
            residual: impulses.before[i] - impulses.now[i],
            change: change[i] + impulses.terms[i],
            motion: motion[i],
            position: 0.0,
            inertia: self.w.diagonal(i).abs(),
        }));
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
        self.has_step_length
    }

    pub(super) fn forget_forces(&mut self) {
        self.t_of_f_k = f64::NAN;
    }

    pub(super) fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }

    /// Keeps the force at the end of the step as the one at the beginning of the next.
    pub(crate) fn keep_force(&mut self, t_kp1: f64) {
        std::mem::swap(&mut self.f_k, &mut self.f_kp1);
        self.t_of_f_k = t_kp1;
    }
}
