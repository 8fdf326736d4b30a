//! Joints between bodies.

mod coordinate;
mod coupler;
mod plane;
mod row;
mod turn;

pub use coordinate::{JointCoordinate, JointStop, PrescribedMotion};
pub use coupler::{Coupler, CouplerKind};
pub(super) use plane::check_point;
pub(super) use row::{JointedAt, Row};

use std::sync::Arc;

use ndarray::{Array1, ArrayViewMut2};

use self::turn::JointRotation;
use super::{BodyCoordinates, BodyGeometry, BodyRow, NewtonEulerRelation, Placement, direction};
use crate::model::parts::PartList;
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::length;
use crate::model::{At, EqualityCondition, ModelError, NewtonEuler, check_finite};

/// Bodies of a joint: one body and the inertial frame, or two bodies. Both are in space, or both are in the
/// plane z = 0.
#[derive(Clone, Copy, Debug)]
pub struct JointBodies<'a>(JointPair<'a>);

/// First body and, unless the joint connects it with the inertial frame, second body.
#[derive(Clone, Copy, Debug)]
enum JointPair<'a> {
    Spatial(&'a NewtonEuler, Option<&'a NewtonEuler>),
    /// Initial positions x, y and angle.
    Planar([f64; 3], Option<[f64; 3]>),
}

impl<'a> From<&'a NewtonEuler> for JointBodies<'a> {
    fn from(first: &'a NewtonEuler) -> Self {
        Self(JointPair::Spatial(first, None))
    }
}

impl<'a> From<(&'a NewtonEuler, &'a NewtonEuler)> for JointBodies<'a> {
    fn from((first, second): (&'a NewtonEuler, &'a NewtonEuler)) -> Self {
        Self(JointPair::Spatial(first, Some(second)))
    }
}

impl JointBodies<'_> {
    /// Creates the bodies of a planar joint from their initial positions: x \[m\], y \[m\] and angle
    /// \[rad\]. Without a second body, the joint connects the first body with the inertial frame.
    ///
    /// A planar body is a [`LagrangianLinear`](crate::model::LagrangianLinear) or
    /// [`Lagrangian`](crate::model::Lagrangian) system with these coordinates;
    /// [`LagrangianLinear::planar_body`](crate::model::LagrangianLinear::planar_body) creates one.
    ///
    /// ```
    /// use siconos_kernel::model::{Joint, JointBodies, LagrangianLinear, NonSmoothDynamicalSystem};
    ///
    /// // A rod of 1 m that hangs from a hinge at the origin.
    /// let at = [0.0, -0.5, 0.0];
    /// let hinge = Joint::revolute(JointBodies::in_plane(at, None), [0.0; 3], [0.0, 0.0, 1.0])?;
    /// assert_eq!(hinge.size(), 2);
    /// let mut model = NonSmoothDynamicalSystem::new();
    /// let rod = model.add_system(LagrangianLinear::planar_body(1.0, 1.0 / 12.0, at))?;
    /// let condition = hinge.condition()?;
    /// model.add_interaction([rod], hinge, condition)?;
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    #[must_use]
    pub fn in_plane(first: [f64; 3], second: Option<[f64; 3]>) -> Self {
        Self(JointPair::Planar(first, second))
    }

    pub(super) fn placements(&self) -> [Placement; 2] {
        let coordinates = self.coordinates();
        let place = |q: Option<&[f64]>| q.map_or(Placement::INERTIAL_FRAME, |q| coordinates.placement(q, 0));
        match &self.0 {
            JointPair::Spatial(first, second) => {
                [place(Some(first.q0())), place(second.map(NewtonEuler::q0))]
            }
            JointPair::Planar(first, second) => [place(Some(first)), place(second.as_ref().map(|q| &q[..]))],
        }
    }

    pub(super) fn count(&self) -> usize {
        1 + usize::from(matches!(self.0, JointPair::Spatial(_, Some(_)) | JointPair::Planar(_, Some(_))))
    }

    pub(super) fn coordinates(&self) -> BodyCoordinates {
        match self.0 {
            JointPair::Spatial(..) => BodyCoordinates::Spatial,
            JointPair::Planar(..) => BodyCoordinates::Planar,
        }
    }
}

/// Relative motion that a joint permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// All rotations about a point.
    Spherical,
    /// Rotation about an axis.
    Revolute,
    /// Rotation about an axis, and displacement along it.
    Cylindrical,
    /// Displacement along an axis.
    Prismatic,
    /// No motion.
    Fixed,
}

impl JointKind {
    fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Revolute => "revolute",
            Self::Cylindrical => "cylindrical",
            Self::Prismatic => "prismatic",
            Self::Fixed => "fixed",
        }
    }
}

/// Joint between two bodies, or between a body and the inertial frame. The initial placement of the bodies
/// defines the joint. The joint consists of equations $h(q) = 0$, and is used with an [`EqualityCondition`]
/// of equal size.
///
/// Bodies [in the plane](JointBodies::in_plane) can have revolute joints, whose axis is perpendicular to the
/// plane, prismatic joints, whose axis is in the plane, and fixed joints. They have only the equations that
/// concern the motion in the plane: two for a revolute and for a prismatic joint, three for a fixed joint.
///
/// Equations that compare positions have values in \[m\]. Equations that compare directions have cosines as
/// values.
///
/// ```
/// use siconos_kernel::model::{Joint, NewtonEuler, NonSmoothDynamicalSystem, Quaternion};
///
/// // A rod of 1 m that hangs from a hinge at the origin and rotates about y.
/// let rod = NewtonEuler::new(1.0, [1.0 / 12.0, 1.0 / 12.0, 1e-4], [0.0, 0.0, -0.5], Quaternion::IDENTITY);
/// let hinge = Joint::revolute(&rod, [0.0; 3], [0.0, 1.0, 0.0])?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let rod = model.add_system(rod)?;
/// let condition = hinge.condition()?;
/// model.add_interaction([rod], hinge, condition)?;
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonEulerJointR")]
#[derive(Clone, Debug)]
pub struct Joint {
    kind: JointKind,
    coordinates: BodyCoordinates,
    bodies: usize,
    /// Initial point in the inertial frame. The field `axis` is the initial axis in the inertial frame, if
    /// any.
    point: [f64; 3],
    axis: Option<[f64; 3]>,
    /// Point of the joint in the frame of each body.
    anchors: [[f64; 3]; 2],
    rows: Vec<Row>,
    /// Axis of sliding, in the frame of the first body.
    slide: Option<[f64; 3]>,
    turn: Option<JointRotation>,
}

impl Joint {
    /// Creates a spherical joint: both bodies share a point, given in the inertial frame at the initial time
    /// \[m\]. The joint has three equations.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite ([`ModelError::NotFinite`]), or the bodies are in the plane
    /// ([`ModelError::SpatialJoint`]).
    #[doc(alias = "KneeJointR")]
    pub fn spherical<'a>(bodies: impl Into<JointBodies<'a>>, point: [f64; 3]) -> Result<Self, ModelError> {
        Self::at(JointKind::Spherical, None, bodies.into(), point, |_| Row::meet().to_vec())
    }

    /// Creates a revolute joint, or hinge: both bodies share a point and an axis through it. The joint has
    /// five equations.
    ///
    /// # Errors
    ///
    /// If `axis` has length 0 ([`ModelError::NoDirection`]), or a coordinate is not finite
    /// ([`ModelError::NotFinite`]). If planar bodies have a point outside of the plane, or an axis that is
    /// not perpendicular to the plane ([`ModelError::OutOfPlane`]).
    #[doc(alias = "PivotJointR")]
    pub fn revolute<'a>(
        bodies: impl Into<JointBodies<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (unit, bodies) = (direction("axis of a revolute joint", axis)?, bodies.into());
        let joint = Self::at(JointKind::Revolute, Some(axis), bodies, point, |carried| {
            Row::meet().into_iter().chain(Row::parallel(carried, unit)).collect()
        })?;
        Ok(joint.turning(bodies, unit))
    }

    /// Creates a cylindrical joint: the bodies slide along an axis and rotate about it. The joint has four
    /// equations.
    ///
    /// # Errors
    ///
    /// If `axis` has length 0 ([`ModelError::NoDirection`]), a coordinate is not finite
    /// ([`ModelError::NotFinite`]), or the bodies are in the plane ([`ModelError::SpatialJoint`]).
    #[doc(alias = "CylindricalJointR")]
    pub fn cylindrical<'a>(
        bodies: impl Into<JointBodies<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (unit, bodies) = (direction("axis of a cylindrical joint", axis)?, bodies.into());
        let joint = Self::at(JointKind::Cylindrical, Some(axis), bodies, point, |carried| {
            Row::aligned(carried, unit).into_iter().chain(Row::parallel(carried, unit)).collect()
        })?;
        Ok(joint.sliding(bodies, unit).turning(bodies, unit))
    }

    /// Creates a prismatic joint: the bodies slide along an axis and do not rotate. The joint has five
    /// equations.
    ///
    /// # Errors
    ///
    /// If `axis` has length 0 ([`ModelError::NoDirection`]), or a coordinate is not finite
    /// ([`ModelError::NotFinite`]). If planar bodies have a point or an axis outside of the plane
    /// ([`ModelError::OutOfPlane`]).
    #[doc(alias = "PrismaticJointR")]
    pub fn prismatic<'a>(
        bodies: impl Into<JointBodies<'a>>,
        point: [f64; 3],
        axis: [f64; 3],
    ) -> Result<Self, ModelError> {
        let (unit, bodies) = (direction("axis of a prismatic joint", axis)?, bodies.into());
        let joint = Self::at(JointKind::Prismatic, Some(axis), bodies, point, |carried| {
            Row::aligned(carried, unit).into_iter().chain(Row::no_turn(carried, unit)).collect()
        })?;
        Ok(joint.sliding(bodies, unit))
    }

    /// Creates a fixed joint: the bodies do not move relative to each other. The joint has six equations.
    ///
    /// # Errors
    ///
    /// If the centre of the first body is not finite ([`ModelError::NotFinite`]).
    #[doc(alias = "FixedJointR")]
    pub fn fixed<'a>(bodies: impl Into<JointBodies<'a>>) -> Result<Self, ModelError> {
        let bodies = bodies.into();
        let centre = bodies.placements()[0].centre;
        Self::at(JointKind::Fixed, None, bodies, centre, |carried| {
            Row::meet().into_iter().chain(Row::no_turn(carried, [0.0, 0.0, 1.0])).collect()
        })
    }

    fn at(
        kind: JointKind,
        axis: Option<[f64; 3]>,
        bodies: JointBodies<'_>,
        point: [f64; 3],
        rows: impl FnOnce(&[Placement; 2]) -> Vec<Row>,
    ) -> Result<Self, ModelError> {
        check_finite("point of a joint", &point)?;
        let (carried, coordinates) = (bodies.placements(), bodies.coordinates());
        let rows = match bodies.0 {
            JointPair::Spatial(..) => rows(&carried),
            JointPair::Planar(first, second) => {
                plane::check(kind, point, axis)?;
                plane::rows(kind, axis, [first, second.unwrap_or_default()])
            }
        };
        Ok(Self {
            kind,
            coordinates,
            bodies: bodies.count(),
            point,
            axis,
            anchors: [carried[0].local(point), carried[1].local(point)],
            rows,
            slide: None,
            turn: None,
        })
    }

    /// Permits sliding along an axis given in the inertial frame.
    fn sliding(mut self, bodies: JointBodies<'_>, axis: [f64; 3]) -> Self {
        self.slide = Some(bodies.placements()[0].orientation.rotate_back(axis));
        self
    }

    /// Permits rotation about an axis given in the inertial frame.
    fn turning(mut self, bodies: JointBodies<'_>, axis: [f64; 3]) -> Self {
        self.turn = Some(JointRotation::about(axis, &bodies.placements()));
        self
    }

    /// Returns the relative motion that the joint permits.
    #[must_use]
    pub fn kind(&self) -> JointKind {
        self.kind
    }

    /// Returns the number of bodies. If it is 1, the joint connects the body with the inertial frame.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Returns the initial point in the inertial frame \[m\], as it was given; for a fixed joint, the centre
    /// of the first body.
    #[must_use]
    pub fn point(&self) -> [f64; 3] {
        self.point
    }

    /// Returns the initial axis in the inertial frame, as it was given; `None` for spherical and fixed
    /// joints.
    #[must_use]
    pub fn axis(&self) -> Option<[f64; 3]> {
        self.axis
    }

    /// Returns a list that contains the kind `of` and the data of this joint.
    pub(super) fn parts(&self, of: &'static str) -> PartList<'_> {
        let mut parts = PartList::of(of);
        parts.word("kind of joint", self.kind.name());
        parts.count("number of bodies", self.bodies);
        parts.vector("point", &self.point[..]);
        self.axis.iter().for_each(|axis| parts.vector("axis", &axis[..]));
        parts.vector("place on the bodies", Array1::from(self.numbers()));
        parts
    }

    /// Returns all coefficients of the equations.
    fn numbers(&self) -> Vec<f64> {
        let of_row = |row: &Row| match *row {
            Row::Meet(direction) | Row::Aligned(direction) => vec![direction],
            Row::Across(first, second) => vec![first, second],
            Row::Turn(start) => vec![[0.0, 0.0, start]],
        };
        let rows = self.rows.iter().flat_map(of_row);
        let free = self.slide.into_iter().chain(self.turn.into_iter().flat_map(JointRotation::directions));
        self.anchors.into_iter().chain(rows).chain(free).flatten().collect()
    }

    /// Returns the magnitude of the terms of an equation of planar bodies; 0 in space.
    fn scale(&self, row: &Row) -> f64 {
        match (self.coordinates, row) {
            (BodyCoordinates::Spatial, _) => 0.0,
            (BodyCoordinates::Planar, Row::Meet(_) | Row::Aligned(_)) => {
                self.anchors.map(length).iter().sum()
            }
            (BodyCoordinates::Planar, Row::Across(..) | Row::Turn(_)) => 1.0,
        }
    }

    /// Returns the number of equations.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.len()
    }

    /// Returns the common point of bodies in space, in the frame of each body, if the first three equations
    /// define such a point.
    pub(crate) fn common_point(&self) -> Option<[[f64; 3]; 2]> {
        let is_spatial = self.coordinates == BodyCoordinates::Spatial;
        (is_spatial && matches!(self.rows.first(), Some(Row::Meet(_)))).then_some(self.anchors)
    }

    /// Returns the law of the joint, an equality condition with as many components as the joint has
    /// equations.
    ///
    /// # Errors
    ///
    /// If [`EqualityCondition::new`] rejects the size, which does not occur.
    pub fn condition(&self) -> Result<EqualityCondition, ModelError> {
        EqualityCondition::new(self.size())
    }
}

impl From<Joint> for NewtonEulerRelation {
    fn from(joint: Joint) -> Self {
        let (size, bodies, coordinates) = (joint.size(), joint.bodies, joint.coordinates);
        let geometry = BodyGeometry::Joint(joint.clone());
        let scales: Vec<f64> = joint.rows.iter().map(|row| joint.scale(row)).collect();
        let joint = Arc::new(joint);
        let of_value = Arc::clone(&joint);
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| of_value.write(q, y);
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| joint.differentiate(q, j);
        Self(
            Constraint::of_geometry(geometry, size, h, jacobian)
                .with_scales(scales)
                .between(bodies)
                .of_positions(coordinates.positions()),
        )
    }
}

impl Joint {
    /// Returns the bodies at positions q.
    fn at_positions(&self, q: &[f64]) -> JointedAt {
        JointedAt::of(self.coordinates, &self.anchors, q)
    }

    fn write(&self, q: &[f64], y: &mut [f64]) {
        let bodies = self.at_positions(q);
        y.iter_mut().zip(&self.rows).for_each(|(y, row)| *y = bodies.value(*row));
    }

    fn differentiate(&self, q: &[f64], j: &mut ArrayViewMut2<'_, f64>) {
        let (bodies, coordinates) = (self.at_positions(q), self.coordinates);
        for (entries, row) in j.rows_mut().into_iter().zip(&self.rows) {
            bodies.add_derivative(1.0, *row, &mut BodyRow { coordinates, entries });
        }
    }
}
