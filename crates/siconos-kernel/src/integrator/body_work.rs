//! Moreau-Jean's scheme of one rigid body: m and I, forces and W at the iterate.

use std::sync::Arc;

use ndarray::{Array2, s};
use siconos_numerics::linalg::{FactoredMatrix, SingularMatrix};

use super::system_work::{Impulses, StepTimes};
use super::{EquationRows, GyroscopicTerm, Inertia};
use crate::model::dynamical_system::BodyScratch;
use crate::model::{At, NewtonEuler};

/// The work of one body.
#[derive(Clone, Debug)]
pub(crate) struct BodyWork {
    body: Arc<NewtonEuler>,
    gyroscopic: GyroscopicTerm,
    /// Whether its forces do not depend on its state, and the gyroscopic term is one of the beginning of the
    /// step: then W is the mass, and one iteration exact.
    is_affine: bool,
    is_prepared: bool,
    w: FactoredMatrix,
    force_q: Array2<f64>,
    force_v: Array2<f64>,
    f: [f64; 6],
    f_k: [f64; 6],
    /// Where `f` was evaluated, to know it again as `f_k` of the next step.
    at: (f64, [f64; 7], [f64; 6]),
    residual: [f64; 6],
    rows: EquationRows,
    magnitudes: [f64; 6],
    scratch: BodyScratch,
}

impl BodyWork {
    pub(super) fn new(body: &Arc<NewtonEuler>, gyroscopic: GyroscopicTerm) -> Self {
        let has_gyroscopic_term = !body.inertia().is_spherical();
        // Without a term it is all the same.
        let gyroscopic = if has_gyroscopic_term { gyroscopic } else { GyroscopicTerm::Explicit };
        let is_affine = body.has_forces_of_time() && gyroscopic == GyroscopicTerm::Explicit;
        let n = if body.has_forces_of_time() { 0 } else { 6 };
        Self {
            body: Arc::clone(body),
            gyroscopic,
            is_affine,
            is_prepared: false,
            w: FactoredMatrix::default(),
            force_q: Array2::zeros((n, n)),
            force_v: Array2::zeros((n, n)),
            f: [0.0; 6],
            f_k: [0.0; 6],
            at: (f64::NAN, [0.0; 7], [0.0; 6]),
            residual: [0.0; 6],
            rows: EquationRows::default(),
            magnitudes: [0.0; 6],
            scratch: body.scratch(),
        }
    }

    /// Whether one Newton iteration is exact.
    pub(crate) fn is_affine(&self) -> bool {
        self.is_affine
    }

    /// Whether its free motion is one of constant acceleration.
    pub(super) fn is_steady(&self) -> bool {
        self.body.inertia().is_spherical() && self.body.has_constant_forces()
    }

    /// Factorises the mass, where W is that.
    pub(super) fn prepare(&mut self) -> Result<(), SingularMatrix> {
        if self.is_affine && !self.is_prepared {
            let rotation = self.w.split_mut(3, self.body.mass(), 3);
            self.body.inertia().add_to(&mut rotation.view_mut());
            self.w.factor()?;
            self.is_prepared = true;
        }
        Ok(())
    }

    /// Writes the acceleration of a body that has no other; W has been prepared.
    pub(super) fn steady_acceleration_into(&mut self, at: At<'_>, out: &mut [f64]) {
        self.body.forces_into(at, self.body.q0(), self.body.v0(), out);
        out.iter_mut().for_each(|f| *f = -*f);
        self.w.solve(out);
    }

    /// Evaluates $f_k$, or takes it over from the end of the step before; [`evaluate`](Self::evaluate) is
    /// next.
    pub(crate) fn begin(&mut self, at: At<'_>, q_k: &[f64], v_k: &[f64]) {
        if self.at.0 == at.t && (self.is_affine || (self.at.1 == q_k && self.at.2 == v_k)) {
            std::mem::swap(&mut self.f_k, &mut self.f);
        } else {
            self.body.forces_into(at, q_k, v_k, &mut self.f_k);
        }
    }

    /// Evaluates the residual $R = M (v - v_k) + h [(1 - \theta) f_k + \theta f] + h g$ with the gyroscopic
    /// term g, at an iterate.
    pub(crate) fn evaluate(&mut self, step: StepTimes<'_>, q: &[f64], v: &[f64], v_k: &[f64]) {
        let StepTimes { end, h, theta, .. } = step;
        self.body.forces_into(end, q, v, &mut self.f);
        self.at.0 = end.t;
        self.at.1.copy_from_slice(q);
        self.at.2.copy_from_slice(v);
        let (inertia, omega, omega_k) = (self.body.inertia(), omega_of(v), omega_of(v_k));
        let turn = inertia.times(std::array::from_fn(|i| omega[i] - omega_k[i]));
        let gyroscopic = match self.gyroscopic {
            GyroscopicTerm::Middle => inertia.gyroscopic_moment(between(theta, omega_k, omega)),
            GyroscopicTerm::Explicit => inertia.gyroscopic_moment(omega_k),
            GyroscopicTerm::Ends => {
                between(theta, inertia.gyroscopic_moment(omega_k), inertia.gyroscopic_moment(omega))
            }
        };
        for i in 0..6 {
            let force = (1.0 - theta) * self.f_k[i] + theta * self.f[i];
            self.residual[i] = match i {
                0..3 => self.body.mass() * (v[i] - v_k[i]) + h * force,
                _ => turn[i - 3] + h * (force + gyroscopic[i - 3]),
            };
        }
    }

    /// Factorises W at the iterate of [`evaluate`](Self::evaluate), unless it is the mass, and writes
    /// $v_{free} = v - W^{-1} R$.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        v_k: &[f64],
        v_free: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        if !self.is_affine {
            self.factor(step, omega_of(v_k))?;
        }
        v_free.copy_from_slice(&self.residual);
        self.w.solve(v_free);
        v_free.iter_mut().zip(&self.at.2).for_each(|(x, v)| *x = v - *x);
        Ok(())
    }

    fn factor(&mut self, step: StepTimes<'_>, omega_k: [f64; 3]) -> Result<(), SingularMatrix> {
        let StepTimes { end, h, theta, .. } = step;
        let (_, q, v) = &self.at;
        let (body, inertia, factor) = (&self.body, self.body.inertia(), h * theta);
        let depends_on_state = !body.has_forces_of_time();
        if depends_on_state {
            body.jacobians_into((end, q, v), &mut self.scratch, &mut self.force_q, &mut self.force_v);
            self.force_v.scaled_add(factor, &self.force_q);
        }
        let mut rotation = if depends_on_state && couples(&self.force_v) {
            let w = self.w.dense_mut(6);
            w.scaled_add(factor, &self.force_v);
            (0..3).for_each(|i| w[[i, i]] += body.mass());
            w.slice_mut(s![3.., 3..])
        } else {
            let stiffness = if depends_on_state { factor * self.force_v[[0, 0]] } else { 0.0 };
            let w = self.w.split_mut(3, body.mass() + stiffness, 3);
            if depends_on_state {
                w.scaled_add(factor, &self.force_v.slice(s![3.., 3..]));
            }
            w.view_mut()
        };
        inertia.add_to(&mut rotation);
        match self.gyroscopic {
            GyroscopicTerm::Middle => {
                let middle = between(theta, omega_k, omega_of(v));
                inertia.add_gyroscopic_derivative(factor, middle, &mut rotation);
            }
            GyroscopicTerm::Ends => {
                inertia.add_gyroscopic_derivative(factor, omega_of(v), &mut rotation);
            }
            GyroscopicTerm::Explicit => {}
        }
        self.w.factor()
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

    /// Makes the rows of the equation of motion: $R - p$ with the impulse p at the iterate of
    /// [`evaluate`](Self::evaluate), and where one iteration is exact what the direction of p has changed.
    pub(crate) fn equation_rows(
        &mut self,
        step: StepTimes<'_>,
        (v, v_k): (&[f64], &[f64]),
        impulses: Impulses<'_>,
    ) -> &EquationRows {
        let rows = &mut self.rows;
        rows.begin(&self.w, (v, v_k), Inertia::OfRows);
        let was = if self.is_affine { impulses.before } else { &self.residual };
        rows.residual.extend(was.iter().zip(impulses.now).map(|(was, now)| was - now));
        rows.add_forces(step, (&self.f_k, &self.f), impulses.terms);
        if !self.force_q.is_empty() {
            self.body.space().magnitudes(&self.at.1, &mut self.magnitudes);
            rows.add_positions(step, &self.force_q, &self.magnitudes);
        }
        rows
    }
}

/// Whether a derivative of force and moment is more than a multiple of the identity of the translation and a
/// block of the rotation.
fn couples(derivative: &Array2<f64>) -> bool {
    let scalar = derivative[[0, 0]];
    derivative.indexed_iter().any(|((i, j), &x)| match (i < 3, j < 3) {
        (false, false) => false,
        (true, true) if i == j => x != scalar,
        _ => x != 0.0,
    })
}

fn omega_of(v: &[f64]) -> [f64; 3] {
    [v[3], v[4], v[5]]
}

/// $(1 - \theta) a + \theta b$.
fn between(theta: f64, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (1.0 - theta) * a[i] + theta * b[i])
}
