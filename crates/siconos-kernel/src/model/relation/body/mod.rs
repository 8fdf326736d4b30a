//! Relations of rigid bodies: functions of their positions, contacts in a point, and joints.

mod distance;
mod geometry;
mod joint;
mod newton_euler;
mod point_contact;

pub use distance::Distance;
pub use geometry::BodyGeometry;
pub use joint::{
    Coupler, CouplerKind, Joint, JointCoordinate, JointKind, JointStop, Jointed, PrescribedMotion,
};
pub use newton_euler::NewtonEulerRelation;
pub use point_contact::{ContactPoints, ContactRows, ContactShape, PointContact};

use crate::model::rotation::{Quaternion, add, cross, difference, unit};
use crate::model::{ModelError, check_finite};

/// Where a body is, or the obstacles and pivots of space, which are where its axes are.
#[derive(Clone, Copy, Debug)]
struct Placement {
    centre: [f64; 3],
    attitude: Quaternion,
}

impl Placement {
    const OF_SPACE: Self = Self { centre: [0.0; 3], attitude: Quaternion::IDENTITY };

    /// The placement of one of the bodies whose positions are these; behind them there is space.
    fn of(q: &[f64], body: usize) -> Self {
        q.chunks_exact(7)
            .nth(body)
            .map_or(Self::OF_SPACE, |q| Self { centre: [q[0], q[1], q[2]], attitude: Quaternion::of_body(q) })
    }

    /// The point that the body carries at this place along its axes.
    fn point(&self, local: [f64; 3]) -> [f64; 3] {
        add(self.centre, self.attitude.rotate(local))
    }

    /// Where a point of space is along the axes of the body.
    fn local(&self, point: [f64; 3]) -> [f64; 3] {
        self.attitude.rotate_back(difference(point, self.centre))
    }

    /// The derivative along a turn of the body of the component, in a direction of space, of a point that it
    /// carries: the moment $r \times e$ of a unit force, along its own axes.
    fn lever(&self, point: [f64; 3], direction: [f64; 3]) -> [f64; 3] {
        self.attitude.rotate_back(cross(difference(point, self.centre), direction))
    }
}

/// The vector of length 1 in a direction of the user.
fn direction(what: &'static str, given: [f64; 3]) -> Result<[f64; 3], ModelError> {
    check_finite(what, &given)?;
    unit(given).ok_or(ModelError::NoDirection { what })
}

/// The derivatives of one component of y along the velocities of some bodies.
struct BodyRow<'a> {
    entries: ndarray::ArrayViewMut1<'a, f64>,
}

impl BodyRow<'_> {
    /// Adds the derivatives along translation and rotation of a body; space does not move.
    fn add(&mut self, body: usize, translation: [f64; 3], rotation: [f64; 3]) {
        if self.entries.len() < 6 * (body + 1) {
            return;
        }
        for i in 0..3 {
            self.entries[6 * body + i] += translation[i];
            self.entries[6 * body + 3 + i] += rotation[i];
        }
    }
}
