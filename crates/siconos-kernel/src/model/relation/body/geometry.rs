//! Geometry of relations between rigid bodies.

use super::{Coupler, Distance, Joint, JointCoordinate, JointStop, PointContact, PrescribedMotion};
use crate::model::origin::Origin;
use crate::model::parts::{HasParts, PartList};

/// Geometry from which a [`NewtonEulerRelation`](super::NewtonEulerRelation) was created. A relation can be
/// recreated from its geometry and the bodies in their initial placement. A relation that was created from
/// user functions has no geometry.
///
/// ```
/// use siconos_kernel::model::{
///     BodyGeometry, Distance, Inertia, NewtonEuler, NewtonEulerRelation, Quaternion,
/// };
///
/// let load = NewtonEuler::new(5.0, Inertia::of_ball(5.0, 0.1), [0.0, 0.0, -1.1], Quaternion::IDENTITY);
/// let rope = Distance::between(&load, [0.0, 0.0, -1.0], [0.0; 3])?.slack();
/// let relation = NewtonEulerRelation::from(rope);
/// let Some(BodyGeometry::Distance(rope)) = relation.geometry() else { panic!("it was made of one") };
/// assert_eq!((rope.points()[0], rope.length(), rope.is_slack()), ([0.0, 0.0, -1.0], 1.0, true));
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BodyGeometry {
    /// Point contact.
    Contact(PointContact),
    /// The equations of a joint.
    Joint(Joint),
    /// Displacement or angle that a joint permits.
    Coordinate(JointCoordinate),
    /// Stops of a joint coordinate.
    Stops(JointStop),
    /// Prescribed motion of a joint coordinate.
    Prescribed(PrescribedMotion),
    /// Distance between two points.
    Distance(Distance),
    /// Equation between two joint coordinates.
    Coupler(Coupler),
}

impl HasParts for BodyGeometry {
    fn parts(&self) -> PartList<'_> {
        match self {
            Self::Contact(contact) => contact.parts(),
            Self::Joint(joint) => joint.parts("Joint"),
            Self::Coordinate(coordinate) => coordinate.parts("JointCoordinate"),
            Self::Stops(stops) => stops.parts(),
            Self::Prescribed(motion) => motion.parts(),
            Self::Distance(distance) => distance.parts(),
            Self::Coupler(coupler) => coupler.parts(),
        }
    }

    fn origins_mut(&mut self) -> Vec<&mut Origin> {
        match self {
            Self::Contact(contact) => contact.origins_mut(),
            Self::Prescribed(motion) => motion.origins_mut(),
            _ => Vec::new(),
        }
    }
}
