//! Moreau-Jean scheme for one rigid body, with mass, inertia, forces and W at the iterate.

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
    /// `true` if the forces do not depend on the state and the gyroscopic moment is taken at the start of the
    /// step. W is then the mass, and one iteration is exact.
    is_affine: bool,
    is_prepared: bool,
    /// Geometric stiffness of the joint reactions as it enters W; `None` if W has none in this step.
    stiffness: Option<[[f64; 3]; 3]>,
    /// Angular velocity at the iterate of the last [`free_velocity`](Self::free_velocity).
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
        // Without a gyroscopic moment, all choices are equivalent.
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

    /// Returns `true` if one Newton iteration is exact whenever W has no geometric stiffness.
    pub(crate) fn is_affine(&self) -> bool {
        self.is_affine
    }

    /// Returns `true` if W is the mass matrix in this step, so that one Newton iteration is exact.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_affine && self.stiffness.is_none()
    }

    /// Returns `true` if the reaction of a joint at the point `anchor` of the body can rotate the body so
    /// much that W needs the geometric stiffness. `impulse` is the impulse of the reaction times the time
    /// over which it rotates the body \[N s^2\]. For some axis through the centre of mass, the product of
    /// `impulse` and the distance of the point from the axis must exceed a fraction of the moment of inertia.
    pub(crate) fn yields_to(&self, anchor: [f64; 3], impulse: f64) -> bool {
        let inertia = self.body.inertia().matrix();
        let [x, y, z] = anchor.map(f64::abs);
        let distances = [y + z, z + x, x + y];
        distances.iter().enumerate().any(|(i, distance)| impulse * distance > YIELD * inertia[i][i])
    }

    /// Sets the geometric stiffness of an iteration to zero, so that the caller can add the terms of each
    /// joint.
    pub(crate) fn begin_stiffness(&mut self) {
        self.stiffness = Some([[0.0; 3]; 3]);
    }

    /// Returns `true` if W has a geometric stiffness in this step.
    pub(crate) fn is_stiffened(&self) -> bool {
        self.stiffness.is_some()
    }

    /// Adds the geometric stiffness of a force P at a point a of the body. In the body frame, the moment of
    /// the force is $a \times f$ with $f = R^T P$. The negative derivative of the moment with respect to the
    /// rotation is $(a \cdot f) I - f a^T$.
    pub(crate) fn add_stiffness(&mut self, q: &[f64], anchor: [f64; 3], force: [f64; 3]) {
        let Some(stiffness) = &mut self.stiffness else { return };
        let force = Quaternion::of_body(q).rotate_back(force);
        let along = dot(&anchor, &force);
        for (i, row) in stiffness.iter_mut().enumerate() {
            row[i] += along;
            row.iter_mut().zip(anchor).for_each(|(entry, a)| *entry -= force[i] * a);
        }
    }

    /// Completes the geometric stiffness of an iteration. Sets it to zero if the symmetric part of W would
    /// otherwise not exceed half of the inertia. This happens for links in compression, which have a negative
    /// stiffness.
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

    /// Writes the constant acceleration of a [steady](Self::is_steady) body. W must have been prepared.
    pub(super) fn steady_acceleration_into(&mut self, at: At<'_>, out: &mut [f64]) {
        self.body.forces_into(at, self.body.q0(), self.body.v0(), out);
        self.w.solve(out);
    }

    /// Evaluates $F_k$, or reuses the force from the end of the previous step. Call
    /// [`evaluate`](Self::evaluate) next.
    pub(crate) fn begin(&mut self, at: At<'_>, q_k: &[f64], v_k: &[f64]) {
        if self.at.0 == at.t && (self.is_affine || (self.at.1 == q_k && self.at.2 == v_k)) {
            std::mem::swap(&mut self.f_k, &mut self.f);
        } else {
            self.body.forces_into(at, q_k, v_k, &mut self.f_k);
        }
    }

    /// Evaluates the residual $R = M (v - v_k) - h [(1 - \theta) F_k + \theta F] + h g$ at an iterate, where
    /// g is the gyroscopic moment.
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

    /// Factorises W at the iterate v, unless W is the mass matrix, and writes $v_{free} = v - W^{-1} R$ with
    /// the residual of [`evaluate`](Self::evaluate). If the forces do not depend on the state, the residual
    /// is evaluated at $v_k$, because a residual at v would contain the rounding errors of the impulses. With
    /// a geometric stiffness K, the result is then $v_{free} = v_k - W^{-1} [R - K (v - v_k)]$.
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

    /// Computes the rows of the equation of motion at the iterate of [`evaluate`](Self::evaluate). The
    /// residual is $R - p$ with the impulse p. If W is the mass matrix, one iteration is exact, and the
    /// residual contains only the change of p from the old to the new Jacobian.
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

/// Adds a multiple of the product of a stiffness and a difference of angular velocities.
fn add_product(factor: f64, k: &[[f64; 3]; 3], (a, b): ([f64; 3], [f64; 3]), out: &mut [f64]) {
    let difference: [f64; 3] = std::array::from_fn(|j| a[j] - b[j]);
    out.iter_mut().zip(k).for_each(|(out, row)| *out += factor * dot(row, &difference));
}

/// Fraction of the moment of inertia of a body above which its geometric stiffness is part of W. An iteration
/// without this stiffness reduces the error to about this fraction.
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
