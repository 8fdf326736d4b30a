//! What the integrators compute for a block of systems: here of Lagrangian ones, each by itself, by
//! Moreau-Jean.

use ndarray::Array2;
use siconos_numerics::linalg::{SingularMatrix, reciprocal_condition};

use super::iteration_matrix::IterationMatrix;
use super::{BlockSystems, EquationRow, FirstOrderWork, Refactor, Scheme};
use crate::error::ModelError;
use crate::model::dynamical_system::LagrangianScratch;
use crate::model::{At, DynamicalSystem, Lagrangian, LagrangianLinear};

/// How the velocities (or states) of a block of systems respond to an impulse: the inverse of its W.
pub(crate) trait Response {
    /// Overwrites `b` with the response to it: $W^{-1} b$, or that of [`FirstOrderWork::respond`].
    fn respond(&mut self, b: &mut [f64]);
}

/// The step as the integrator of one system sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepTimes<'a> {
    /// $t_k$ and $t_{k+1}$, with the parameters of the step.
    pub(crate) begin: At<'a>,
    pub(crate) end: At<'a>,
    pub(crate) h: f64,
    pub(crate) theta: f64,
}

/// The generalised impulses on one system over the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impulses<'a> {
    /// $J^T \lambda$ with the Jacobian that lambda was computed with.
    pub(crate) before: &'a [f64],
    /// $J^T \lambda$ with the Jacobian at the new position.
    pub(crate) now: &'a [f64],
    /// $|J|^T |\lambda|$ there.
    pub(crate) terms: &'a [f64],
}

/// The work of one block of systems.
#[expect(
    clippy::large_enum_variant,
    reason = "the linear one is read at every step and small: it stays in the table"
)]
#[derive(Clone, Debug)]
pub(crate) enum SystemWork {
    Linear(LinearWork),
    Nonlinear(Box<NonlinearWork>),
    FirstOrder(Box<FirstOrderWork>),
}

/// Of a linear system: W is constant while h and theta are.
#[derive(Clone, Debug)]
pub(crate) struct LinearWork {
    w: IterationMatrix,
    f_k: Vec<f64>,
    f_kp1: Vec<f64>,
    /// The time at which `f_k` was evaluated.
    t_of_f_k: f64,
    x: Vec<f64>,
}

/// Of a nonlinear system: mass, forces and W at the iterate.
#[derive(Clone, Debug)]
pub(crate) struct NonlinearWork {
    w: IterationMatrix,
    w_matrix: Array2<f64>,
    mass: Array2<f64>,
    force_q: Array2<f64>,
    force_v: Array2<f64>,
    f: Vec<f64>,
    f_k: Vec<f64>,
    /// Where `f` was evaluated, to know it again as `f_k` of the next step.
    at: (f64, Vec<f64>, Vec<f64>),
    residual: Vec<f64>,
    scratch: LagrangianScratch,
}

impl SystemWork {
    /// Memory for the systems of a block; `coupled` says whether a relation adds its K to W.
    pub(crate) fn new(systems: BlockSystems<'_>, coupled: bool) -> Result<Self, ModelError> {
        let first = &systems.entries[0];
        Ok(match (systems.model.system(first.id)?, first.scheme) {
            (DynamicalSystem::LagrangianLinear(system), _) => Self::Linear(LinearWork::new(system)),
            (DynamicalSystem::Lagrangian(system), _) => Self::Nonlinear(Box::new(NonlinearWork::new(system))),
            (_, Scheme::FirstOrder(scheme)) => {
                Self::FirstOrder(Box::new(FirstOrderWork::new(systems, scheme, coupled)))
            }
            (_, Scheme::SecondOrder(_)) => {
                unreachable!("the tables refuse a first-order system under MoreauJean")
            }
        })
    }

    /// Whether one Newton iteration is exact as far as the systems go.
    pub(crate) fn is_affine(&self) -> bool {
        match self {
            Self::Linear(_) => true,
            Self::Nonlinear(_) => false,
            Self::FirstOrder(work) => work.is_affine(),
        }
    }

    /// Whether W depends on the step length only.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Self::Linear(_) => true,
            Self::Nonlinear(_) => false,
            Self::FirstOrder(work) => work.refactor() == Refactor::WithStepLength,
        }
    }

    /// Forgets forces that were kept for the next step: a parameter has changed, or an event has acted.
    pub(crate) fn forget_forces(&mut self) {
        match self {
            Self::Linear(work) => work.t_of_f_k = f64::NAN,
            Self::Nonlinear(work) => work.at.0 = f64::NAN,
            Self::FirstOrder(_) => {}
        }
    }
}

impl Response for SystemWork {
    fn respond(&mut self, b: &mut [f64]) {
        match self {
            Self::Linear(work) => work.w.solve(b),
            Self::Nonlinear(work) => work.w.solve(b),
            Self::FirstOrder(work) => work.respond(b),
        }
    }
}

impl LinearWork {
    fn new(system: &LagrangianLinear) -> Self {
        let n = system.q0().len();
        Self {
            w: IterationMatrix::default(),
            f_k: vec![0.0; n],
            f_kp1: vec![0.0; n],
            t_of_f_k: f64::NAN,
            x: vec![0.0; n],
        }
    }

    /// Factorises W for a step length.
    pub(crate) fn prepare(
        &mut self,
        system: &LagrangianLinear,
        step: StepTimes<'_>,
    ) -> Result<(), SingularMatrix> {
        let StepTimes { h, theta, .. } = step;
        self.w.factor([
            Some((1.0, system.mass())),
            system.damping().map(|c| (h * theta, c)),
            system.stiffness().map(|k| (h * h * theta * theta, k)),
        ])
    }

    /// The reciprocal condition of W, for messages.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        self.w.reciprocal_condition()
    }

    /// $v_{free} = v_k + W^{-1} \bigl( h [\theta F_{k+1} + (1 - \theta) F_k] - h C v_k - h K (q_k + h \theta v_k) \bigr)$.
    pub(crate) fn free_velocity(
        &mut self,
        system: &LagrangianLinear,
        step: StepTimes<'_>,
        q_k: &[f64],
        v_k: &[f64],
        v_free: &mut [f64],
    ) {
        let StepTimes { begin, end, h, theta } = step;
        if self.t_of_f_k != begin.t {
            system.external_force_into(begin, &mut self.f_k);
            self.t_of_f_k = begin.t;
        }
        system.external_force_into(end, &mut self.f_kp1);
        for ((x, f_kp1), f_k) in v_free.iter_mut().zip(&self.f_kp1).zip(&self.f_k) {
            *x = h * (theta * f_kp1 + (1.0 - theta) * f_k);
        }
        if let Some(damping) = system.damping() {
            damping.add_product(-h, v_k, v_free);
        }
        if let Some(stiffness) = system.stiffness() {
            for ((x, q), v) in self.x.iter_mut().zip(q_k).zip(v_k) {
                *x = q + h * theta * v;
            }
            stiffness.add_product(-h, &self.x, v_free);
        }
        self.w.solve_onto(v_k, v_free);
    }

    /// Adds the rows of the equation of motion, which holds exactly for the impulse before.
    pub(crate) fn equation_rows(
        &self,
        (v, v_k): (&[f64], &[f64]),
        impulses: Impulses<'_>,
        rows: &mut Vec<EquationRow>,
    ) {
        rows.extend((0..v.len()).map(|i| EquationRow {
            residual: impulses.before[i] - impulses.now[i],
            change: self.w.magnitude(i, |j| (v[j] - v_k[j]).abs()) + impulses.terms[i],
            motion: self.w.magnitude(i, |j| v[j].abs()),
            position: 0.0,
            inertia: self.w.magnitude(i, |j| if j == i { 1.0 } else { 0.0 }),
        }));
    }

    /// Keeps the force at the end of the step as the one at the beginning of the next.
    pub(crate) fn keep_force(&mut self, t_kp1: f64) {
        std::mem::swap(&mut self.f_k, &mut self.f_kp1);
        self.t_of_f_k = t_kp1;
    }
}

impl NonlinearWork {
    fn new(system: &Lagrangian) -> Self {
        let n = system.q0().len();
        let zeros = || Array2::zeros((n, n));
        Self {
            w: IterationMatrix::default(),
            w_matrix: zeros(),
            mass: zeros(),
            force_q: zeros(),
            force_v: zeros(),
            f: vec![0.0; n],
            f_k: vec![0.0; n],
            at: (f64::NAN, vec![0.0; n], vec![0.0; n]),
            residual: vec![0.0; n],
            scratch: system.scratch(),
        }
    }

    /// Evaluates $f_k$, or takes it over from the end of the step before.
    pub(crate) fn begin(&mut self, system: &Lagrangian, at: At<'_>, q_k: &[f64], v_k: &[f64]) {
        if self.at.0 == at.t && self.at.1 == q_k && self.at.2 == v_k {
            self.f_k.copy_from_slice(&self.f);
        } else {
            system.forces_into(at, q_k, v_k, &mut self.scratch, &mut self.f_k);
        }
    }

    /// Evaluates mass, force and residual $R = M(q)(v - v_k) + h [(1 - \theta) f_k + \theta f]$ at an
    /// iterate.
    pub(crate) fn evaluate(
        &mut self,
        system: &Lagrangian,
        step: StepTimes<'_>,
        q: &[f64],
        v: &[f64],
        v_k: &[f64],
    ) {
        let StepTimes { end, h, theta, .. } = step;
        system.mass_into(end.parameters(), q, &mut self.mass);
        system.forces_into(end, q, v, &mut self.scratch, &mut self.f);
        self.at.0 = end.t;
        self.at.1.copy_from_slice(q);
        self.at.2.copy_from_slice(v);
        for (i, residual) in self.residual.iter_mut().enumerate() {
            let inertia: f64 =
                self.mass.row(i).iter().zip(v).zip(v_k).map(|((m, v), v_k)| m * (v - v_k)).sum();
            *residual = inertia + h * ((1.0 - theta) * self.f_k[i] + theta * self.f[i]);
        }
    }

    /// Factorises $W = M + h \theta \partial_v f + h^2 \theta^2 \partial_q f$ at the iterate of
    /// [`evaluate`](Self::evaluate) and writes $v_{free} = v - W^{-1} R$.
    pub(crate) fn free_velocity(
        &mut self,
        system: &Lagrangian,
        step: StepTimes<'_>,
        v_free: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        let StepTimes { end, h, theta, .. } = step;
        let (_, q, v) = &self.at;
        system.jacobians_into(end, q, v, &mut self.scratch, &mut self.force_q, &mut self.force_v);
        self.w_matrix.assign(&self.mass);
        self.w_matrix.scaled_add(h * theta, &self.force_v);
        self.w_matrix.scaled_add(h * h * theta * theta, &self.force_q);
        self.w.factor_dense(&self.w_matrix)?;
        v_free.copy_from_slice(&self.residual);
        self.w.solve(v_free);
        for (x, v) in v_free.iter_mut().zip(v) {
            *x = v - *x;
        }
        Ok(())
    }

    /// The reciprocal condition of W, for messages.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        reciprocal_condition(&self.w_matrix)
    }

    /// W at the iterate of the last factorisation.
    pub(crate) fn w(&self) -> &Array2<f64> {
        &self.w_matrix
    }

    /// Adds the rows of the equation of motion, $R - p$ with the impulse p, at the iterate of
    /// [`evaluate`](Self::evaluate); W is that of the last Newton step.
    pub(crate) fn equation_rows(
        &self,
        step: StepTimes,
        v_k: &[f64],
        impulses: Impulses<'_>,
        rows: &mut Vec<EquationRow>,
    ) {
        let StepTimes { h, theta, .. } = step;
        let (_, q, v) = &self.at;
        rows.extend((0..v.len()).map(|i| {
            let (w, k) = (self.w_matrix.row(i), self.force_q.row(i));
            let motions = w.iter().zip(v.iter().zip(v_k));
            let (change, motion) = motions.fold((0.0, 0.0), |(change, motion), (w, (v, v_k))| {
                (change + w.abs() * (v - v_k).abs(), motion + w.abs() * v.abs())
            });
            let forces = (1.0 - theta) * self.f_k[i].abs() + theta * self.f[i].abs();
            EquationRow {
                residual: self.residual[i] - impulses.now[i],
                change: change + h * forces + impulses.terms[i],
                motion,
                position: h * theta * k.iter().zip(q).map(|(k, q)| (k * q).abs()).sum::<f64>(),
                inertia: w[i].abs(),
            }
        }));
    }
}
