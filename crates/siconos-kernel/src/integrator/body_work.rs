//! Step of the Moreau-Jean scheme for one rigid body. Forces and the iteration matrix W are evaluated at the
//! Newton iterate.

use std::sync::Arc;

use ndarray::{Array2, s};
use siconos_linalg::{FactoredMatrix, SingularMatrix, dot};

use super::system_work::{Impulses, StepTimes};
use super::{EquationRows, GyroscopicTerm, Inertia};
use crate::model::dynamical_system::BodyScratch;
use crate::model::{At, NewtonEuler, Quaternion};

/// Workspace of one body.
#[derive(Clone, Debug)]
pub(crate) struct BodyWorkspace {
    body: Arc<NewtonEuler>,
    gyroscopic: GyroscopicTerm,
    /// `true` if the forces do not depend on the state and the gyroscopic moment is evaluated at the start of
    /// the step. In this case, W is the mass matrix and one Newton iteration is exact.
    is_affine: bool,
    is_prepared: bool,
    /// Geometric stiffness of the joint reactions, which is added to W; `None` if W has no such term in this
    /// step.
    stiffness: Option<[[f64; 3]; 3]>,
    /// Angular velocity at the iterate of the last call of [`free_velocity`](Self::free_velocity).
    omega: [f64; 3],
    w: FactoredMatrix,
    force_q: Array2<f64>,
    force_v: Array2<f64>,
    f: [f64; 6],
    f_k: [f64; 6],
    /// Time, position and velocity at which `f` was evaluated. A step that starts at these values reuses `f`
    /// as `f_k`.
    at: (f64, [f64; 7], [f64; 6]),
    residual: [f64; 6],
    rows: EquationRows,
    magnitudes: [f64; 6],
    scratch: BodyScratch,
}

impl BodyWorkspace {
    pub(super) fn new(body: &Arc<NewtonEuler>, gyroscopic: GyroscopicTerm) -> Self {
        let has_gyroscopic_term = !body.inertia().is_spherical();
        // If the gyroscopic moment is zero, all variants of `GyroscopicTerm` are equivalent.
        let gyroscopic = if has_gyroscopic_term { gyroscopic } else { GyroscopicTerm::Explicit };
        let is_affine = body.has_forces_of_time() && gyroscopic == GyroscopicTerm::Explicit;
        let n = if body.has_forces_of_time() { 0 } else { 6 };
        Self {
            body: Arc::clone(body),
            gyroscopic,
            is_affine,
            is_prepared: false,
            stiffness: None,
            omega: [0.0; 3],
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

    /// Returns `true` if one Newton iteration is exact in steps in which W has no geometric stiffness.
    pub(crate) fn is_affine(&self) -> bool {
        self.is_affine
    }

    /// Returns `true` if W is the mass matrix in this step, so that one Newton iteration is exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_affine && self.stiffness.is_none()
    }

    /// Returns `true` if W should contain the geometric stiffness of a joint reaction at the point `anchor`
    /// of the body. This is the case if, for some axis through the centre of mass, `impulse` times the
    /// distance of the point from the axis exceeds the fraction [`YIELD`] of the moment of inertia. `impulse`
    /// is the impulse of the reaction multiplied by the time over which the reaction rotates the body \[N
    /// s^2\].
    pub(crate) fn yields_to(&self, anchor: [f64; 3], impulse: f64) -> bool {
        let inertia = self.body.inertia().matrix();
        let [x, y, z] = anchor.map(f64::abs);
        let distances = [y + z, z + x, x + y];
        distances.iter().enumerate().any(|(i, distance)| impulse * distance > YIELD * inertia[i][i])
    }

    /// Sets the geometric stiffness to zero before the terms of the joints are added.
    pub(crate) fn begin_stiffness(&mut self) {
        self.stiffness = Some([[0.0; 3]; 3]);
    }

    /// Returns `true` if W has a geometric stiffness in this step.
    pub(crate) fn is_stiffened(&self) -> bool {
        self.stiffness.is_some()
    }

    /// Adds the geometric stiffness of a force P at a point a of the body. In the body frame, the force is
    /// $f = R^T P$ with the rotation matrix R, and its moment is $a \times f$. The geometric stiffness is the
    /// negative derivative of this moment with respect to the rotation, $(a \cdot f) I - f a^T$.
    pub(crate) fn add_stiffness(&mut self, q: &[f64], anchor: [f64; 3], force: [f64; 3]) {
        let Some(stiffness) = &mut self.stiffness else { return };
        let force = Quaternion::of_body(q).rotate_back(force);
        let along = dot(&anchor, &force);
        for (i, row) in stiffness.iter_mut().enumerate() {
            row[i] += along;
            row.iter_mut().zip(anchor).for_each(|(entry, a)| *entry -= force[i] * a);
        }
    }

    /// Ends the update of the geometric stiffness in a Newton iteration. Sets the stiffness to zero unless
    /// the inertia of the body plus the symmetric part of the stiffness is positive definite with a margin of
    /// half the inertia. Links in compression can violate this condition, because their stiffness is
    /// negative.
    pub(crate) fn end_stiffness(&mut self) {
        let Some(stiffness) = &mut self.stiffness else { return };
        let inertia = self.body.inertia().matrix();
        let margin: [[f64; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| 0.5 * (inertia[i][j] + stiffness[i][j] + stiffness[j][i]))
        });
        if !is_positive_definite(margin) {
            *stiffness = [[0.0; 3]; 3];
        }
    }

    /// Removes the geometric stiffness from W before the next step.
    pub(crate) fn relax(&mut self) {
        if self.stiffness.take().is_some() && self.is_affine {
            self.is_prepared = false;
            self.prepare().expect("the mass has been factorised before");
        }
    }

    /// Removes the geometric stiffness, and factorises W without it at the iterate of
    /// [`evaluate`](Self::evaluate).
    pub(crate) fn relax_at_iterate(
        &mut self,
        step: StepTimes<'_>,
        v_k: &[f64],
    ) -> Result<(), SingularMatrix> {
        self.relax();
        if self.is_affine { Ok(()) } else { self.factor(step, omega_of(v_k)) }
    }

    /// Returns `true` if the free motion has a constant acceleration.
    pub(super) fn is_steady(&self) -> bool {
        self.body.inertia().is_spherical() && self.body.has_constant_forces()
    }

    /// Factorises W if W is the mass matrix.
    pub(super) fn prepare(&mut self) -> Result<(), SingularMatrix> {
        if self.is_affine && !self.is_prepared {
            let rotation = self.w.split_mut(3, self.body.mass(), 3);
            self.body.inertia().add_to(&mut rotation.view_mut());
            self.w.factor()?;
            self.is_prepared = true;
        }
        Ok(())
    }

    /// Writes the constant acceleration of a [steady](Self::is_steady) body to `out`. W must have been
    /// prepared.
    pub(super) fn steady_acceleration_into(&mut self, at: At<'_>, out: &mut [f64]) {
        self.body.forces_into(at, self.body.q0(), self.body.v0(), out);
        self.w.solve(out);
    }

    /// Evaluates the force $F_k$ at the start of the step, or reuses the force at the end of the previous
    /// step. The next call must be [`evaluate`](Self::evaluate).
    pub(crate) fn begin(&mut self, at: At<'_>, q_k: &[f64], v_k: &[f64]) {
        if self.at.0 == at.t && (self.is_affine || (self.at.1 == q_k && self.at.2 == v_k)) {
            std::mem::swap(&mut self.f_k, &mut self.f);
        } else {
            self.body.forces_into(at, q_k, v_k, &mut self.f_k);
        }
    }

    /// Evaluates the residual $R = M (v - v_k) - h [(1 - \theta) F_k + \theta F] + h g$ at the iterate (q,
    /// v), where g is the gyroscopic moment.
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
                0..3 => self.body.mass() * (v[i] - v_k[i]) - h * force,
                _ => turn[i - 3] - h * (force - gyroscopic[i - 3]),
            };
        }
    }

    /// Factorises W at the iterate v, unless W is the mass matrix, and writes $v_{free} = v - W^{-1} R$,
    /// where R is the residual computed by [`evaluate`](Self::evaluate). If the forces do not depend on the
    /// state, the caller must have evaluated the residual at $v_k$, because a residual at v would contain the
    /// rounding errors of the impulses. If W has a geometric stiffness K in this case, the result is
    /// $v_{free} = v_k - W^{-1} [R - K (v - v_k)]$.
    pub(crate) fn free_velocity(
        &mut self,
        step: StepTimes<'_>,
        (v, v_k): (&[f64], &[f64]),
        v_free: &mut [f64],
    ) -> Result<(), SingularMatrix> {
        if !self.is_exact() {
            self.factor(step, omega_of(v_k))?;
        }
        v_free.copy_from_slice(&self.residual);
        self.omega = omega_of(v);
        if self.is_affine
            && let Some(stiffness) = &self.stiffness
        {
            add_product(-1.0, stiffness, (self.omega, omega_of(v_k)), &mut v_free[3..]);
        }
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
            body.jacobians_into(end, q, v, &mut self.scratch, &mut self.force_q, &mut self.force_v);
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
        if let Some(stiffness) = &self.stiffness {
            rotation.indexed_iter_mut().for_each(|((i, j), w)| *w += stiffness[i][j]);
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

    /// Computes the residual and the magnitudes of each row of the equation of motion at the iterate of the
    /// last call of [`evaluate`](Self::evaluate). The residual is $R - p$, where p is the impulse. If W is
    /// the mass matrix, the Newton iteration solves the equation exactly with the old Jacobian. The residual
    /// is then the impulse with the old Jacobian minus the impulse with the new Jacobian.
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
        if self.is_affine
            && let Some(stiffness) = &self.stiffness
        {
            add_product(1.0, stiffness, (self.omega, omega_of(v)), &mut rows.residual[3..]);
        }
        rows.add_forces(step, (&self.f_k, &self.f), impulses.terms);
        if !self.force_q.is_empty() {
            self.body.space().magnitudes(&self.at.1, &mut self.magnitudes);
            rows.add_positions(step, &self.force_q, &self.magnitudes);
        }
        rows
    }
}

/// Adds `factor` times the product of the matrix k and a - b to `out`.
fn add_product(factor: f64, k: &[[f64; 3]; 3], (a, b): ([f64; 3], [f64; 3]), out: &mut [f64]) {
    let difference: [f64; 3] = std::array::from_fn(|j| a[j] - b[j]);
    out.iter_mut().zip(k).for_each(|(out, row)| *out += factor * dot(row, &difference));
}

/// Threshold of [`BodyWorkspace::yields_to`], as a fraction of the moment of inertia. If a geometric
/// stiffness of this size is missing in W, each Newton iteration reduces the error by about this factor.
const YIELD: f64 = 1.0 / 8.0;

/// Returns `true` if a symmetric matrix has positive pivots, that is, if it is positive definite.
fn is_positive_definite([[a, b, c], [_, e, f], [_, _, i]]: [[f64; 3]; 3]) -> bool {
    let (e, f, i) = (e - b * b / a, f - b * c / a, i - c * c / a);
    a > 0.0 && e > 0.0 && i - f * f / e > 0.0
}

/// Returns `true` if a derivative of force and moment couples translation and rotation, or if its
/// translational block is not a multiple of the identity.
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

/// Returns $(1 - \theta) a + \theta b$.
fn between(theta: f64, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (1.0 - theta) * a[i] + theta * b[i])
}
