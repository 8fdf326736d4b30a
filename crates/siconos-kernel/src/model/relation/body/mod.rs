//! Relations of rigid bodies: point contacts, distances, joints, and user functions of the positions.

mod contact;
mod coordinates;
mod distance;
mod geometry;
mod joint;
mod newton_euler;

pub use contact::{
    ContactBall, ContactPoints, ContactRows, ContactShape, ContactSurface, Disc, PlanarContact, PlanarRows,
    PlanarSurface, PointContact,
};
pub(crate) use contact::{ContactFrame, SpatialImpulse};
pub(crate) use coordinates::BodyCoordinates;
use coordinates::BodyRow;
pub use distance::Distance;
pub use geometry::BodyGeometry;
pub use joint::{
    Coupler, CouplerKind, Joint, JointBodies, JointCoordinate, JointKind, JointStop, PrescribedMotion,
};
pub use newton_euler::NewtonEulerRelation;

use crate::model::rotation::{Quaternion, add, cross, difference, unit};
use crate::model::{ModelError, check_finite};

/// Position and orientation of a body, or of the inertial frame.
#[derive(Clone, Copy, Debug)]
struct Placement {
    centre: [f64; 3],
    orientation: Quaternion,
}

impl Placement {
    const INERTIAL_FRAME: Self = Self { centre: [0.0; 3], orientation: Quaternion::IDENTITY };

    /// Returns the placement of a body from the positions of all bodies. An index after the last body means
    /// the inertial frame.
    fn of(q: &[f64], body: usize) -> Self {
        q.chunks_exact(7).nth(body).map_or(Self::INERTIAL_FRAME, |q| Self {
            centre: [q[0], q[1], q[2]],
            orientation: Quaternion::of_body(q),
        })
    }

    /// Transforms a point from the body frame to the inertial frame.
    fn point(&self, local: [f64; 3]) -> [f64; 3] {
        add(self.centre, self.orientation.rotate(local))
    }

    /// Transforms a point from the inertial frame to the body frame.
    fn local(&self, point: [f64; 3]) -> [f64; 3] {
        self.orientation.rotate_back(difference(point, self.centre))
    }

    /// Returns the moment $r \times e$ of a unit force along `direction` at a point of the body, in the body
    /// frame. This is the derivative of the coordinate of the point along `direction` with respect to
    /// rotations of the body.
    fn lever(&self, point: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
        self.orientation.rotate_back(cross(difference(point, self.centre), direction))
    }
}

/// Returns the unit vector in a user-supplied direction.
fn direction(what: &'static str, given: [f64; 3]) -> Result<[f64; 3], ModelError> {
    check_finite(what, &given)?;
    unit(given).ok_or(ModelError::NoDirection { what })
}
