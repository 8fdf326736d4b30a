//! What the integrators compute for a block of systems: here of Lagrangian ones, each by itself, by
//! Moreau-Jean.

use ndarray::Array2;
use siconos_numerics::linalg::{Csc, FactoredMatrix, Matrix, MatrixRef, SingularMatrix};

use super::{BlockSystems, EquationRow, FirstOrderWork, Refactor, Scheme};
use crate::error::ModelError;
use crate::model::dynamical_system::{LagrangianScratch, Variable};
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

/// Of a nonlinear system: mass, forces and W at the iterate.
#[derive(Clone, Debug)]
pub(crate) struct NonlinearWork {
    w: FactoredMatrix,
    /// Whether mass and derivatives of the forces are constant, so that W is while h and theta are.
    is_constant: bool,
    /// Whether W is not the mass alone.
    has_step_length: bool,
    /// $h \theta$ that a constant W was factorised for, 0 where that is all the same.
    prepared: f64,
    /// At the iterate; without entries where W is constant.
    mass: Array2<f64>,
    force_q: Array2<f64>,
    force_v: Array2<f64>,
    f: Vec<f64>,
    f_k: Vec<f64>,
    /// Where `f` was evaluated, to know it again as `f_k` of the next step.
    at: (f64, Vec<f64>, Vec<f64>),
    residual: Vec<f64>,
    change: Vec<f64>,
    sizes: Sizes,
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
            Self::Nonlinear(work) => work.is_constant,
            Self::FirstOrder(work) => work.refactor() == Refactor::WithStepLength,
        }
    }

    /// Whether W depends on the step length: not where it is M.
    pub(crate) fn has_step_length(&self) -> bool {
        match self {
            Self::Linear(work) => work.has_step_length,
            Self::Nonlinear(work) => work.has_step_length,
            Self::FirstOrder(_) => true,
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

impl SparseCopies {
    /// C and K in the storage that products with them take the least time in.
    fn of<'a>(&'a self, system: &'a LagrangianLinear) -> (Option<MatrixRef<'a>>, Option<MatrixRef<'a>>) {
        let choose = |copy: &'a Option<Csc>, own: Option<&'a Matrix>| {
            copy.as_ref().map(MatrixRef::from).or(own.map(Matrix::view))
        };
        (choose(&self.damping, system.damping()), choose(&self.stiffness, system.stiffness()))
    }
}

/// $\sum_j |W_{ij}| |v_j - v_{k,j}|$ and $\sum_j |W_{ij}| |v_j|$ of every row.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizes([Vec<f64>; 2]);

impl Sizes {
    pub(super) fn of_motion(&mut self, w: &FactoredMatrix, v: &[f64], v_k: &[f64]) -> &[Vec<f64>; 2] {
        for sizes in &mut self.0 {
            sizes.clear();
            sizes.resize(v.len(), 0.0);
        }
        let [change, motion] = &mut self.0;
        w.add_magnitudes(|j| ((v[j] - v_k[j]).abs(), v[j].abs()), (change, motion));
        &self.0
    }
}

impl LinearWork {
    fn new(system: &LagrangianLinear) -> Self {
        let n = system.q0().len();
        Self {
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
    pub(crate) fn prepare(
        &mut self,
        system: &LagrangianLinear,
        step: StepTimes<'_>,
    ) -> Result<(), SingularMatrix> {
        let factor = step.h * step.theta;
        let mass = (1.0, system.mass().view());
        let (damping, stiffness) = self.sparse.of(system);
        match (damping.map(|c| (factor, c)), stiffness.map(|k| (factor * factor, k))) {
            (None, None) => self.w.factor_sum(&[mass]),
            (Some(other), None) | (None, Some(other)) => self.w.factor_sum(&[mass, other]),
            (Some(damping), Some(stiffness)) => self.w.factor_sum(&[mass, damping, stiffness]),
        }
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
        let (damping, stiffness) = self.sparse.of(system);
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

    /// Keeps the force at the end of the step as the one at the beginning of the next.
    pub(crate) fn keep_force(&mut self, t_kp1: f64) {
        std::mem::swap(&mut self.f_k, &mut self.f_kp1);
        self.t_of_f_k = t_kp1;
    }
}

impl NonlinearWork {
    fn new(system: &Lagrangian) -> Self {
        let n = system.q0().len();
        let variables = [Variable::Position, Variable::Velocity];
        let is_constant = system.constant_mass().is_some()
            && variables.iter().all(|&variable| system.constant_jacobian(variable).is_some());
        let is_zero = |variable| system.constant_jacobian(variable).is_some_and(|mut it| it.next().is_none());
        let has_step_length = !is_constant || !variables.into_iter().all(is_zero);
        let size = if is_constant { 0 } else { n };
        let zeros = || Array2::zeros((size, size));
        Self {
            w: FactoredMatrix::default(),
            is_constant,
            has_step_length,
            prepared: f64::NAN,
            mass: zeros(),
            force_q: zeros(),
            force_v: zeros(),
            f: vec![0.0; n],
            f_k: vec![0.0; n],
            at: (f64::NAN, vec![0.0; n], vec![0.0; n]),
            residual: vec![0.0; n],
            change: vec![0.0; n],
            sizes: Sizes::default(),
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
        system.forces_into(end, q, v, &mut self.scratch, &mut self.f);
        self.at.0 = end.t;
        self.at.1.copy_from_slice(q);
        self.at.2.copy_from_slice(v);
        for (change, (v, v_k)) in self.change.iter_mut().zip(v.iter().zip(v_k)) {
            *change = v - v_k;
        }
        match system.constant_mass() {
            Some(mass) => {
                self.residual.fill(0.0);
                mass.add_product(1.0, &self.change, &mut self.residual);
            }
            None => {
                system.mass_into(end.parameters(), q, &mut self.mass);
                for (residual, row) in self.residual.iter_mut().zip(self.mass.rows()) {
                    *residual = row.iter().zip(&self.change).map(|(m, change)| m * change).sum();
                }
            }
        }
        for (residual, (f_k, f)) in self.residual.iter_mut().zip(self.f_k.iter().zip(&self.f)) {
            *residual += h * ((1.0 - theta) * f_k + theta * f);
        }
    }

    /// Factorises $W = M + h \theta \partial_v f + h^2 \theta^2 \partial_q f$ at the iterate of
    /// [`evaluate`](Self::evaluate), unless it is known, and writes $v_{free} = v - W^{-1} R$.
    pub(crate) fn free_velocity(
        &mut self,
        system: &Lagrangian,
        step: StepTimes<'_>,
        v_free: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        self.factor(system, step)?;
        v_free.copy_from_slice(&self.residual);
        self.w.solve(v_free);
        for (x, v) in v_free.iter_mut().zip(&self.at.2) {
            *x = v - *x;
        }
        Ok(())
    }

    fn factor(&mut self, system: &Lagrangian, step: StepTimes<'_>) -> Result<(), SingularMatrix> {
        let factor = step.h * step.theta;
        if self.is_constant {
            let key = if self.has_step_length { factor } else { 0.0 };
            if self.prepared != key {
                self.prepared = f64::NAN;
                self.factor_constant(system, factor)?;
                self.prepared = key;
            }
            return Ok(());
        }
        let (_, q, v) = &self.at;
        let scratch = &mut self.scratch;
        system.jacobians_into(step.end, q, v, scratch, &mut self.force_q, &mut self.force_v);
        let w = self.w.dense_mut(v.len());
        match system.constant_mass() {
            Some(_) => system.mass_into(step.end.parameters(), q, w),
            None => w.assign(&self.mass),
        }
        w.scaled_add(factor, &self.force_v);
        w.scaled_add(factor * factor, &self.force_q);
        self.w.factor()
    }

    fn factor_constant(&mut self, system: &Lagrangian, factor: f64) -> Result<(), SingularMatrix> {
        let mut terms: Vec<_> = system.constant_mass().map(|mass| (1.0, mass.view())).into_iter().collect();
        for (variable, factor) in [(Variable::Velocity, factor), (Variable::Position, factor * factor)] {
            let of_forces = system.constant_jacobian(variable).into_iter().flatten();
            terms.extend(of_forces.map(|(sign, matrix)| (sign * factor, MatrixRef::from(matrix))));
        }
        self.w.factor_sum(&terms)
    }

    /// The reciprocal condition of W, for messages.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        self.w.reciprocal_condition()
    }

    /// W at the iterate of the last factorisation.
    pub(crate) fn w(&self) -> Array2<f64> {
        self.w.to_dense()
    }

    /// Adds the rows of the equation of motion, $R - p$ with the impulse p, at the iterate of
    /// [`evaluate`](Self::evaluate); W is that of the last Newton step.
    pub(crate) fn equation_rows(
        &mut self,
        system: &Lagrangian,
        step: StepTimes<'_>,
        v_k: &[f64],
        impulses: Impulses<'_>,
        rows: &mut Vec<EquationRow>,
    ) {
        let StepTimes { h, theta, .. } = step;
        let (_, q, v) = &self.at;
        let first = rows.len();
        let [change, motion] = self.sizes.of_motion(&self.w, v, v_k);
        rows.extend((0..v.len()).map(|i| {
            let forces = (1.0 - theta) * self.f_k[i].abs() + theta * self.f[i].abs();
            EquationRow {
                residual: self.residual[i] - impulses.now[i],
                change: change[i] + h * forces + impulses.terms[i],
                motion: motion[i],
                position: 0.0,
                inertia: self.w.diagonal(i).abs(),
            }
        }));
        let mut add_positions = |k: &Array2<f64>| {
            for (row, k) in rows[first..].iter_mut().zip(k.rows()) {
                row.position += h * theta * k.iter().zip(q).map(|(k, q)| (k * q).abs()).sum::<f64>();
            }
        };
        match self.is_constant {
            true => {
                let terms = system.constant_jacobian(Variable::Position).into_iter().flatten();
                terms.for_each(|(_, k)| add_positions(k));
            }
            false => add_positions(&self.force_q),
        }
    }
}
