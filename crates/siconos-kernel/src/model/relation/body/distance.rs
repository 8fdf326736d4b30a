//! Distance between two points of bodies.

use ndarray::ArrayViewMut2;

use super::joint::{JointBodies, JointedAt, Row, check_point};
use super::{BodyCoordinates, BodyGeometry, BodyRow, NewtonEulerRelation};
use crate::model::parts::PartList;
use crate::model::relation::constraint::Constraint;
use crate::model::rotation::{difference, length, scaled};
use crate::model::{At, ModelError, check_finite};

/// Distance between two points minus a length, $y = \lVert p_1 - p_2 \rVert - l$ \[m\]. Each point is fixed
/// to a body or to the inertial frame. With a [`SpringDamper`](crate::model::SpringDamper), the relation is a
/// spring between the two points. With an [`EqualityCondition`](crate::model::EqualityCondition), it is a
/// massless rod. With [`slack`](Self::slack) and a [`NewtonImpact`](crate::model::NewtonImpact), it is a
/// rope, which can only pull.
///
/// If the points coincide, the direction between them is undefined: y is -l, and the step ends with an error
/// that names the interaction.
///
/// ```
/// use siconos_kernel::model::Distance;
/// use siconos_kernel::prelude::*;
///
/// // A box that hangs from the ceiling by a rod of 1 m, attached to its upper face.
/// let load = NewtonEuler::new(5.0, 0.1, [0.0, 0.0, -1.2], Quaternion::IDENTITY);
/// let rod = Distance::between(&load, [0.0, 0.0, -1.0], [0.0; 3])?;
/// let mut model = NonSmoothDynamicalSystem::new();
/// let load = model.add_system(load)?;
/// model.add_interaction([load], rod, EqualityCondition::new(1)?)?;
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    coordinates: BodyCoordinates,
    bodies: usize,
    /// Initial points in the inertial frame.
    points: [[f64; 3]; 2],
    /// The two points in the frames of their bodies.
    anchors: [[f64; 3]; 2],
    length: f64,
    /// Sign of y: 1, or -1 for a rope.
    sign: f64,
}

impl Distance {
    /// Creates the distance between two points, given in the inertial frame at the initial time \[m\]. The
    /// first point is fixed to the first body, and the second point to the second body or the inertial frame.
    /// The length l is the initial distance, so y is initially 0.
    ///
    /// # Errors
    ///
    /// If a coordinate is not finite ([`ModelError::NotFinite`]), the points coincide
    /// ([`ModelError::NoDirection`]), or a point of planar bodies is outside of the plane
    /// ([`ModelError::OutOfPlane`]).
    pub fn between<'a>(
        bodies: impl Into<JointBodies<'a>>,
        first: [f64; 3],
        second: [f64; 3],
    ) -> Result<Self, ModelError> {
        check_finite("points of a distance", first.iter().chain(&second))?;
        let bodies = bodies.into();
        if bodies.coordinates() == BodyCoordinates::Planar {
            [first, second].into_iter().try_for_each(|point| check_point("point of a distance", point))?;
        }
        let length = length(difference(first, second));
        if length == 0.0 {
            return Err(ModelError::NoDirection { what: "line between two points" });
        }
        let [own, other] = bodies.placements();
        Ok(Self {
            coordinates: bodies.coordinates(),
            bodies: bodies.count(),
            points: [first, second],
            anchors: [own.local(first), other.local(second)],
            length,
            sign: 1.0,
        })
    }

    /// Sets the length l \[m\], for example the rest length of a spring. It must not be negative.
    ///
    /// # Errors
    ///
    /// If the length is negative or not finite ([`ModelError::Length`]).
    pub fn with_length(mut self, length: f64) -> Result<Self, ModelError> {
        if !(length.is_finite() && length >= 0.0) {
            return Err(ModelError::Length { value: length });
        }
        self.length = length;
        Ok(self)
    }

    /// Changes the sign of y, so that y is the slack of a rope of length l.
    #[must_use]
    pub fn slack(mut self) -> Self {
        self.sign = -1.0;
        self
    }

    /// Returns the initial points in the inertial frame \[m\], as they were given.
    #[must_use]
    pub fn points(&self) -> [[f64; 3]; 2] {
        self.points
    }

    /// Returns the length l \[m\].
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns `true` if y is the slack of a rope.
    #[must_use]
    pub fn is_slack(&self) -> bool {
        self.sign < 0.0
    }

    /// Returns the number of bodies. If it is 1, the second point is fixed to the inertial frame.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    pub(super) fn parts(&self) -> PartList<'_> {
        let mut parts = PartList::of("Distance");
        parts.count("number of bodies", self.bodies);
        parts.vector("points", self.points.as_flattened());
        parts.vector("points on the bodies", self.anchors.as_flattened());
        parts.number("length", self.length);
        parts.word("sign", if self.is_slack() { "slack" } else { "stretch" });
        parts
    }
}

impl From<Distance> for NewtonEulerRelation {
    fn from(distance: Distance) -> Self {
        let coordinates = distance.coordinates;
        let h = move |_: At<'_>, q: &[f64], y: &mut [f64]| {
            let apart = JointedAt::of(coordinates, &distance.anchors, q).apart;
            y[0] = distance.sign * (length(apart) - distance.length);
        };
        let jacobian = move |_: At<'_>, q: &[f64], j: &mut ArrayViewMut2<'_, f64>| {
            let bodies = JointedAt::of(coordinates, &distance.anchors, q);
            let along = scaled(1.0 / length(bodies.apart), bodies.apart);
            let mut row = BodyRow { coordinates, entries: j.row_mut(0) };
            bodies.add_derivative(distance.sign, Row::Meet(along), &mut row);
        };
        let geometry = BodyGeometry::Distance(distance);
        let scale = match coordinates {
            BodyCoordinates::Spatial => 0.0,
            BodyCoordinates::Planar => distance.length + distance.anchors.map(length).iter().sum::<f64>(),
        };
        Self(
            Constraint::of_geometry(geometry, 1, h, jacobian)
                .with_scales([scale])
                .between(distance.bodies)
                .of_positions(coordinates.positions()),
        )
    }
}
