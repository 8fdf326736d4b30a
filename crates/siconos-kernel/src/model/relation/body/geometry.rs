//! What a relation of rigid bodies was made of.

use super::{Coupler, Distance, Joint, JointCoordinate, JointStop, PointContact, PrescribedMotion};
use crate::model::origin::Origin;
use crate::model::parts::{Composed, PartList};

/// What a [`NewtonEulerRelation`](super::NewtonEulerRelation) was made of, where it was not made of functions
/// of the user: with these data, and bodies that begin where they did, it can be made again.
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
    /// A contact in a point.
    Contact(PointContact),
    /// The equations of a joint.
    Joint(Joint),
    /// The way or angle that a joint leaves free.
    Coordinate(JointCoordinate),
    /// Stops of such a coordinate.
    Stops(JointStop),
    /// A motion that such a coordinate is to follow.
    Prescribed(PrescribedMotion),
    /// The distance of two points.
    Distance(Distance),
    /// An equation between two such coordinates.
    Coupler(Coupler),
}

impl Composed for BodyGeometry {
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
