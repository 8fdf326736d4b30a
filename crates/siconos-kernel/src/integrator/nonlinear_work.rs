//! Step of the Moreau-Jean scheme for one general Lagrangian system. Mass, forces and the iteration matrix W
//! are evaluated at the Newton iterate.

use std::sync::Arc;

use ndarray::Array2;
use siconos_linalg::{FactoredMatrix, MatrixRef, SingularMatrix};

use super::system_work::{Impulses, StepTimes};
use super::{EquationRows, Inertia};
use crate::model::dynamical_system::{LagrangianScratch, Variable};
use crate::model::{At, Lagrangian};

/// Workspace of one nonlinear system.
#[derive(Clone, Debug)]
pub(crate) struct NonlinearWorkspace {
    system: Arc<Lagrangian>,
    w: FactoredMatrix,
    /// `true` if the mass and the derivatives of the forces are constant. W then depends only on h and theta.
    is_constant: bool,
    /// `true` if W has terms other than the mass matrix.
    has_step_length: bool,
    /// $h \theta$ for which a constant W was factorised; 0 if W does not depend on $h \theta$.
    prepared: f64,
    /// Matrices at the iterate; empty if W is constant.
    mass: Array2<f64>,
    force_q: Array2<f64>,
    force_v: Array2<f64>,
    f: Vec<f64>,
    f_k: Vec<f64>,
    /// Time, position and velocity at which `f` was evaluated. A step that starts at these values reuses `f`
    /// as `f_k`.
    at: (f64, Vec<f64>, Vec<f64>),
    residual: Vec<f64>,
    change: Vec<f64>,
    rows: EquationRows,
    /// Magnitudes of the positions, one per degree of freedom; used only if the positions do not form a
    /// vector space.
    magnitudes: Vec<f64>,
    scratch: LagrangianScratch,
}

impl NonlinearWorkspace {
    pub(super) fn new(system: &Arc<Lagrangian>) -> Self {
        let n = system.v0().len();
        let variables = [Variable::Position, Variable::Velocity];
        let is_constant = system.constant_mass().is_some()
            && variables.iter().all(|&variable| system.constant_jacobian(variable).is_some());
        let is_zero = |variable| system.constant_jacobian(variable).is_some_and(|mut it| it.next().is_none());
        let has_step_length = !is_constant || !variables.into_iter().all(is_zero);
        let size = if is_constant { 0 } else { n };
        let zeros = || Array2::zeros((size, size));
        let constant_mass = system.constant_mass().filter(|_| !is_constant);
        Self {
            system: Arc::clone(system),
            w: FactoredMatrix::default(),
            is_constant,
            has_step_length,
            prepared: f64::NAN,
            mass: constant_mass.map_or_else(zeros, |mass| mass.view().to_dense()),
            force_q: zeros(),
            force_v: zeros(),
            f: vec![0.0; n],
            f_k: vec![0.0; n],
            at: (f64::NAN, vec![0.0; system.q0().len()], vec![0.0; n]),
            residual: vec![0.0; n],
            change: vec![0.0; n],
            rows: EquationRows::default(),
            magnitudes: Vec::new(),
            scratch: system.scratch(),
        }
    }

    /// Evaluates the force $F_k$ at the start of the step, or reuses the force at the end of the previous
    /// step. The next call must be [`evaluate`](Self::evaluate).
    pub(crate) fn begin(&mut self, at: At<'_>, q_k: &[f64], v_k: &[f64]) {
        if self.at.0 == at.t && self.at.1 == q_k && self.at.2 == v_k {
            std::mem::swap(&mut self.f_k, &mut self.f);
        } else {
            self.system.forces_into(at, q_k, v_k, &mut self.scratch, &mut self.f_k);
        }
    }

    /// Evaluates the mass, the force and the residual $R = M(q)(v - v_k) - h [(1 - \theta) F_k + \theta F]$
    /// at the iterate (q, v).
    pub(crate) fn evaluate(&mut self, step: StepTimes<'_>, q: &[f64], v: &[f64], v_k: &[f64]) {
        let StepTimes { end, h, theta, .. } = step;
        self.system.forces_into(end, q, v, &mut self.scratch, &mut self.f);
        self.at.0 = end.t;
        self.at.1.copy_from_slice(q);
        self.at.2.copy_from_slice(v);
        for (change, (v, v_k)) in self.change.iter_mut().zip(v.iter().zip(v_k)) {
            *change = v - v_k;
        }
        for (residual, (f_k, f)) in self.residual.iter_mut().zip(self.f_k.iter().zip(&self.f)) {
            *residual = -h * ((1.0 - theta) * f_k + theta * f);
        }
        match self.system.constant_mass() {
            Some(mass) => mass.add_product(1.0, &self.change, &mut self.residual),
            None => {
                self.system.mass_into(end.parameters(), q, &mut self.mass);
                for (residual, row) in self.residual.iter_mut().zip(self.mass.rows()) {
                    *residual += row.iter().zip(&self.change).map(|(m, change)| m * change).sum::<f64>();
                }
            }
        }
    }

    /// Factorises $W = M - h \theta \partial_v F - h^2 \theta^2 \partial_q F$ at the iterate of
    /// [`evaluate`](Self::evaluate), unless a constant W is already factorised, and writes
    /// $v_{free} = v - W^{-1} R$.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        v_free: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        self.factor(step)?;
        v_free.copy_from_slice(&self.residual);
        self.w.solve(v_free);
        for (x, v) in v_free.iter_mut().zip(&self.at.2) {
            *x = v - *x;
        }
        Ok(())
    }

    fn factor(&mut self, step: StepTimes<'_>) -> Result<(), SingularMatrix> {
        let factor = step.h * step.theta;
        if self.is_constant {
            let key = if self.has_step_length { factor } else { 0.0 };
            if self.prepared != key {
                self.prepared = f64::NAN;
                self.factor_constant(factor)?;
                self.prepared = key;
            }
            return Ok(());
        }
        let (system, scratch, (_, q, v)) = (&self.system, &mut self.scratch, &self.at);
        system.jacobians_into(step.end, q, v, scratch, &mut self.force_q, &mut self.force_v);
        let derivatives = self.force_v.iter().zip(&self.force_q);
        let terms = self.mass.iter().zip(derivatives);
        for (w, (mass, (force_v, force_q))) in self.w.dense_mut(v.len()).iter_mut().zip(terms) {
            *w = mass + factor * force_v + factor * factor * force_q;
        }
        self.w.factor()
    }

    fn factor_constant(&mut self, factor: f64) -> Result<(), SingularMatrix> {
        let system = &self.system;
        let mut terms: Vec<_> = system.constant_mass().map(|mass| (1.0, mass.view())).into_iter().collect();
        for (variable, factor) in [(Variable::Velocity, factor), (Variable::Position, factor * factor)] {
            let of_forces = system.constant_jacobian(variable).into_iter().flatten();
            terms.extend(of_forces.map(|(sign, matrix)| (sign * factor, MatrixRef::from(matrix))));
        }
        self.w.factor_sum(&terms)
    }

    /// Returns `true` if the mass and the derivatives of the forces are constant.
    pub(super) fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// Returns `true` if W depends on the step length, that is, if W has terms other than the mass matrix.
    pub(super) fn has_step_length(&self) -> bool {
        self.has_step_length
    }

    pub(super) fn forget_forces(&mut self) {
        self.at.0 = f64::NAN;
    }

    pub(super) fn factored(&self) -> &FactoredMatrix {
        &self.w
    }

    pub(super) fn respond(&mut self, b: &mut [f64]) {
        self.w.solve(b);
    }

    /// Computes the residual and the magnitudes of each row of the equation of motion at the iterate of the
    /// last call of [`evaluate`](Self::evaluate), with the W of the last Newton iteration. The residual is
    /// $R - p$, where p is the impulse.
    pub(crate) fn equation_rows(
        &mut self,
        step: StepTimes<'_>,
        v_k: &[f64],
        impulses: Impulses<'_>,
    ) -> &EquationRows {
        let rows = &mut self.rows;
        let (_, q, v) = &self.at;
        rows.begin(&self.w, (v, v_k), Inertia::OfRows);
        let residuals = self.residual.iter().zip(impulses.now);
        rows.residual.extend(residuals.map(|(residual, now)| residual - now));
        rows.add_forces(step, (&self.f_k, &self.f), impulses.terms);
        let space = self.system.space();
        let sizes = match space.is_vector() {
            true => q,
            false => {
                self.magnitudes.resize(v.len(), 0.0);
                space.magnitudes(q, &mut self.magnitudes);
                &self.magnitudes
            }
        };
        match self.is_constant {
            true => {
                let terms = self.system.constant_jacobian(Variable::Position).into_iter().flatten();
                terms.for_each(|(_, k)| rows.add_positions(step, k, sizes));
            }
            false => rows.add_positions(step, &self.force_q, sizes),
        }
        rows
    }
}
