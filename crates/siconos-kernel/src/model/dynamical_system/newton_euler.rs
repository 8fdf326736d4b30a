//! Rigid bodies in space.

use std::sync::Arc;

use ndarray::{Array1, Array2};

use super::force::{Force, INTERNAL, StateForce};
use super::inertia::Inertia;
use super::jacobian::{DerivativePoint, DifferenceScratch, Jacobian, Variable};
use crate::model::coefficient::{Coefficient, VectorCoefficient};
use crate::model::configuration::{Factor, PositionSpace};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};
use crate::model::rotation::{AXES, Quaternion, RigidPlacement, RotationUpdate, cross};
use crate::model::{At, ModelError, check_finite};

/// Frame in which a moment is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Inertial frame.
    Space,
    /// Frame fixed to the body.
    Body,
}

impl Frame {
    fn name(self) -> &'static str {
        match self {
            Self::Space => "space",
            Self::Body => "body",
        }
    }
}

/// Rigid body, with Newton's equation for its centre of mass and Euler's equation for its rotation,
///
/// $$ m \dot V + F_{int} = F_{ext}(t) + p_V, \qquad
///    I \dot \Omega + \Omega \times I \Omega + M_{int} = M_{ext}(t) + p_\Omega, \qquad \dot q = T(q) v $$
///
/// (as plain text: m V' + F_int = F_ext(t) + p_V, I Omega' + Omega x I Omega + M_int = M_ext(t) + p_Omega, q'
/// = T(q) v). The position $q = (x, a)$ has seven entries: the centre of mass \[m\], and the orientation as a
/// unit [`Quaternion`], scalar first. The velocity $v = (V, \Omega)$ has six entries: the velocity of the
/// centre of mass in the inertial frame \[m/s\], and the angular velocity in the body frame \[rad/s\]. See
/// the developer's notes of Siconos, section 9.
///
/// ```
/// use siconos_kernel::model::{Inertia, NewtonEuler, NonSmoothDynamicalSystem, Quaternion};
///
/// // A ball of 1 kg with a radius of 0.1 m in the air, spinning about the vertical axis.
/// let ball = NewtonEuler::new(1.0, Inertia::of_ball(1.0, 0.1), [0.0, 0.0, 1.0], Quaternion::IDENTITY)
///     .with_twist([0.0; 3], [0.0, 0.0, 10.0])
///     .with_constant_external_force([0.0, 0.0, -9.81]);
/// let mut model = NonSmoothDynamicalSystem::new();
/// model.add_system(ball)?;
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonEulerDS")]
#[doc(alias = "RigidBodyDS")]
#[derive(Clone, Debug)]
pub struct NewtonEuler {
    q0: [f64; 7],
    /// Initial orientation as it was given.
    orientation: Quaternion,
    v0: [f64; 6],
    space: PositionSpace,
    rotation_update: RotationUpdate,
    mass: f64,
    inertia: Inertia,
    internal: Option<(Frame, Force)>,
    external_force: Option<VectorCoefficient>,
    external_moments: [Option<VectorCoefficient>; 2],
}

/// Workspace of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyScratch {
    difference: DifferenceScratch,
}

impl NewtonEuler {
    /// Creates a body at rest from its mass \[kg\], its inertia about the centre of mass in the body frame
    /// \[kg m2\], the position of its centre of mass \[m\] and its orientation. The quaternion is normalised;
    /// a warning is logged if its length differs from 1 by more than 1e-6.
    ///
    /// The arguments are checked when the body is added to a model.
    #[must_use]
    pub fn new(mass: f64, inertia: impl Into<Inertia>, position: [f64; 3], orientation: Quaternion) -> Self {
        let [x, y, z] = position;
        let [a, b, c, d] = of_unit_length(orientation).0;
        Self {
            q0: [x, y, z, a, b, c, d],
            orientation,
            v0: [0.0; 6],
            space: placed_by(RotationUpdate::default()),
            rotation_update: RotationUpdate::default(),
            mass,
            inertia: inertia.into(),
            internal: None,
            external_force: None,
            external_moments: [None, None],
        }
    }

    /// Sets the initial velocity of the centre of mass in the inertial frame \[m/s\], and the initial angular
    /// velocity in the body frame \[rad/s\]. Default: at rest.
    #[must_use]
    pub fn with_twist(mut self, velocity: [f64; 3], omega: [f64; 3]) -> Self {
        let ([a, b, c], [d, e, f]) = (velocity, omega);
        self.v0 = [a, b, c, d, e, f];
        self
    }

    /// Sets the rule with which a step updates the orientation. Default: [`RotationUpdate::Exponential`].
    #[must_use]
    pub fn with_rotation_update(mut self, update: RotationUpdate) -> Self {
        (self.space, self.rotation_update) = (placed_by(update), update);
        self
    }

    /// Sets the external force on the centre of mass \[N\] as a function `F_ext(at, out)`, in the inertial
    /// frame. Default: none.
    #[must_use]
    pub fn with_external_force(mut self, force: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static) -> Self {
        self.external_force = Some(VectorCoefficient::of_time(force));
        self
    }

    /// Sets a constant external force on the centre of mass \[N\], in the inertial frame, such as a weight.
    #[must_use]
    pub fn with_constant_external_force(mut self, force: [f64; 3]) -> Self {
        self.external_force = Some(VectorCoefficient::Constant(Array1::from_iter(force)));
        self
    }

    /// Sets the external moment \[N m\] as a function `M_ext(at, out)`, given in `frame`. A body can have one
    /// moment in each frame. Default: none.
    #[must_use]
    pub fn with_external_moment(
        mut self,
        frame: Frame,
        moment: impl Fn(At<'_>, &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.external_moments[frame as usize] = Some(VectorCoefficient::of_time(moment));
        self
    }

    /// Sets a constant external moment \[N m\], given in `frame`.
    #[must_use]
    pub fn with_constant_external_moment(mut self, frame: Frame, moment: [f64; 3]) -> Self {
        self.external_moments[frame as usize] = Some(VectorCoefficient::Constant(Array1::from_iter(moment)));
        self
    }

    /// Sets the internal force and moment `F_int(at, q, v, out)`, six entries, and their derivatives
    /// (`6 x 6`) with respect to q, in velocity coordinates, and with respect to v. The force and the moment
    /// oppose motion: a spring is `F_int = k x`. The moment and its derivatives are given in `frame`; the
    /// terms due to the rotation of the frame are added internally. Default: none.
    #[must_use]
    pub fn with_internal_force(
        mut self,
        frame: Frame,
        force: impl Fn(At<'_>, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
        jacobian_q: Jacobian,
        jacobian_v: Jacobian,
    ) -> Self {
        self.internal = Some((frame, Force::new(INTERNAL, force, (jacobian_q, jacobian_v))));
        self
    }

    /// Returns the initial position and orientation.
    #[must_use]
    pub fn q0(&self) -> &[f64] {
        &self.q0
    }

    /// Returns the initial velocity and angular velocity.
    #[must_use]
    pub fn v0(&self) -> &[f64] {
        &self.v0
    }

    /// Returns the initial orientation as it was given, before normalisation.
    #[must_use]
    pub fn orientation(&self) -> Quaternion {
        self.orientation
    }

    /// Returns the mass \[kg\].
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Returns the inertia about the centre of mass, in the body frame.
    #[must_use]
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    /// Returns the internal force and moment with the frame of the moment, if any.
    #[must_use]
    pub fn internal_force(&self) -> Option<(Frame, StateForce<'_>)> {
        self.internal.as_ref().map(|(frame, force)| (*frame, force.view()))
    }

    /// Returns the external force on the centre of mass, if any.
    #[must_use]
    pub fn external_force(&self) -> Option<Coefficient<'_, Array1<f64>>> {
        self.external_force.as_ref().map(VectorCoefficient::view)
    }

    /// Returns the external moment in a frame, if any.
    #[must_use]
    pub fn external_moment(&self, frame: Frame) -> Option<Coefficient<'_, Array1<f64>>> {
        self.external_moments[frame as usize].as_ref().map(VectorCoefficient::view)
    }

    /// Returns the rule with which a step updates the orientation.
    #[must_use]
    pub fn rotation_update(&self) -> RotationUpdate {
        self.rotation_update
    }

    /// Returns T(q), `7 x 6`, with $\dot q = T(q) v$. Its lower right block maps $\Omega$ to
    /// $\frac{1}{2} q \circ (0, \Omega)$.
    #[doc(alias = "T")]
    #[must_use]
    pub fn tangent(q: &[f64; 7]) -> [[f64; 6]; 7] {
        let mut tangent = [[0.0; 6]; 7];
        for (j, axis) in AXES.into_iter().enumerate() {
            tangent[j][j] = 1.0;
            let rate = Quaternion::of_body(q).rate(axis).0;
            (0..4).for_each(|i| tangent[3 + i][3 + j] = rate[i]);
        }
        tangent
    }

    /// Returns the force on the centre of mass and the moment in the body frame without the reactions of
    /// interactions, $(F_{ext} - F_{int}, M_{ext} - M_{int} - \Omega \times I \Omega)$ \[N, N m\]. For a free
    /// body, the result equals $M \dot v$.
    #[doc(alias = "_Fl")]
    #[must_use]
    pub fn total_force<'a>(&self, at: impl Into<At<'a>>, q: &[f64; 7], v: &[f64; 6]) -> [f64; 6] {
        let mut force = [0.0; 6];
        self.forces_into(at.into(), q, v, &mut force);
        let gyroscopic = self.inertia.gyroscopic_moment([v[3], v[4], v[5]]);
        std::array::from_fn(|i| if i < 3 { force[i] } else { force[i] - gyroscopic[i - 3] })
    }

    /// Returns the space of the positions.
    pub(crate) fn space(&self) -> &PositionSpace {
        &self.space
    }

    /// Returns `true` if the forces, in velocity coordinates, depend only on time.
    pub(crate) fn has_forces_of_time(&self) -> bool {
        self.internal.is_none() && self.external_moments[Frame::Space as usize].is_none()
    }

    /// Returns `true` if the forces are constant.
    pub(crate) fn has_constant_forces(&self) -> bool {
        let mut external = self.external_moments.iter().chain([&self.external_force]).flatten();
        self.has_forces_of_time() && external.all(VectorCoefficient::is_constant)
    }

    /// Allocates the workspace for evaluating the derivatives of the forces.
    pub(crate) fn scratch(&self) -> BodyScratch {
        let n = if self.internal.is_some() { 6 } else { 0 };
        BodyScratch { difference: DifferenceScratch::new(n, n) }
    }

    /// Writes to `out` $F_{ext} - F_{int}$ and $M_{ext} - M_{int}$ in velocity coordinates.
    pub(crate) fn forces_into(&self, at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let orientation = Quaternion::of_body(q);
        if let Some((frame, force)) = &self.internal {
            force.write(at, q, v, out);
            if *frame == Frame::Space {
                let moment = orientation.rotate_back([out[3], out[4], out[5]]);
                out[3..].copy_from_slice(&moment);
            }
            out.iter_mut().for_each(|force| *force = -*force);
        }
        let (on_centre, on_rotation) = out.split_at_mut(3);
        let mut value = [0.0; 3];
        if let Some(force) = &self.external_force {
            force.write(at, &mut value);
            add(value, on_centre);
        }
        for (frame, moment) in [Frame::Space, Frame::Body].into_iter().zip(&self.external_moments) {
            if let Some(moment) = moment {
                moment.write(at, &mut value);
                let of_body = if frame == Frame::Space { orientation.rotate_back(value) } else { value };
                add(of_body, on_rotation);
            }
        }
    }

    /// Writes the tangent stiffness and the tangent damping, which are the negative derivatives of
    /// [`forces_into`](Self::forces_into) with respect to q, in velocity coordinates, and with respect to v.
    pub(crate) fn jacobians_into(
        &self,
        at: At<'_>,
        q: &[f64],
        v: &[f64],
        scratch: &mut BodyScratch,
        out_q: &mut Array2<f64>,
        out_v: &mut Array2<f64>,
    ) {
        let orientation = Quaternion::of_body(q);
        out_q.fill(0.0);
        out_v.fill(0.0);
        if let Some((frame, force)) = &self.internal {
            for (variable, out) in [(Variable::Position, &mut *out_q), (Variable::Velocity, &mut *out_v)] {
                let point = DerivativePoint { at, q, v, variable, space: &self.space };
                force.add_jacobian(point, &mut scratch.difference, out);
                if *frame == Frame::Space {
                    for mut column in out.columns_mut() {
                        let turned = orientation.rotate_back([column[3], column[4], column[5]]);
                        (0..3).for_each(|i| column[3 + i] = turned[i]);
                    }
                }
            }
            if *frame == Frame::Space {
                let mut value = [0.0; 6];
                force.write(at, q, v, &mut value);
                add_turning(1.0, orientation.rotate_back([value[3], value[4], value[5]]), out_q);
            }
        }
        if let Some(moment) = &self.external_moments[Frame::Space as usize] {
            let mut value = [0.0; 3];
            moment.write(at, &mut value);
            add_turning(-1.0, orientation.rotate_back(value), out_q);
        }
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_finite("position and orientation", &self.q0)?;
        check_finite("twist", &self.v0)?;
        if Quaternion::of_body(&self.q0).norm() == 0.0 {
            return Err(ModelError::ZeroOrientation);
        }
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(ModelError::Mass { value: self.mass });
        }
        self.inertia.check()?;
        if let Some((_, force)) = &self.internal {
            force.check(6)?;
        }
        let mut external = self.external_moments.iter().chain([&self.external_force]).flatten();
        external.try_for_each(|force| force.check("external force or moment", 3))
    }
}

impl HasParts for NewtonEuler {
    fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("NewtonEuler");
        parts.number("mass", self.mass);
        parts.vector("inertia", self.inertia.matrix().as_flattened());
        parts.word(
            "rotation update",
            match self.rotation_update {
                RotationUpdate::Exponential => "exponential",
                RotationUpdate::Tangent => "tangent",
            },
        );
        if let Some((frame, force)) = &self.internal {
            parts.word("frame of F_int", frame.name());
            force.list(&mut parts);
        }
        self.external_force.iter().for_each(|force| force.list("F_ext", &mut parts));
        for (name, moment) in ["M_ext in space", "M_ext in the body"].into_iter().zip(&self.external_moments)
        {
            moment.iter().for_each(|moment| moment.list(name, &mut parts));
        }
        parts
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        let external = [&mut self.external_force].into_iter().chain(&mut self.external_moments).flatten();
        let internal = self.internal.iter_mut().flat_map(|(_, force)| force.origins_mut());
        internal.chain(external.filter_map(VectorCoefficient::origin_mut)).collect()
    }
}

/// Normalises a quaternion. A quaternion that is 0 or not finite is returned unchanged and rejected later.
fn of_unit_length(orientation: Quaternion) -> Quaternion {
    let unit = orientation.normalised();
    if unit.0.iter().any(|part| !part.is_finite()) {
        return orientation;
    }
    let norm = orientation.norm();
    if (norm - 1.0).abs() > 1e-6 {
        tracing::warn!(norm, "an orientation whose length is not 1 is normalised");
    }
    unit
}

fn placed_by(update: RotationUpdate) -> PositionSpace {
    let space = Some(Arc::new(RigidPlacement { update }) as _);
    PositionSpace::of([Factor { positions: 7, velocities: 6, space }])
}

fn add(value: [f64; 3], out: &mut [f64]) {
    out.iter_mut().zip(value).for_each(|(out, value)| *out += value);
}

/// Adds `factor` times the derivative of $R^T M$ with respect to rotations of the body, $[R^T M]_\times$.
fn add_turning(factor: f64, moment: [f64; 3], out_q: &mut Array2<f64>) {
    for (j, axis) in AXES.into_iter().enumerate() {
        let change = cross(moment, axis);
        (0..3).for_each(|i| out_q[[3 + i, 3 + j]] += factor * change[i]);
    }
}
