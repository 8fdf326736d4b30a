//! Position and orientation.

use siconos_kernel::engine::vector::{add, difference};
use siconos_kernel::model::Quaternion;

/// Position and orientation of a frame relative to another frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin of the frame \[m\].
    pub position: [f64; 3],
    /// Orientation of the frame, a unit quaternion.
    pub orientation: Quaternion,
}

impl Pose {
    /// Frame that coincides with the other frame.
    pub const IDENTITY: Self = Self { position: [0.0; 3], orientation: Quaternion::IDENTITY };

    /// Creates a translation.
    #[must_use]
    pub fn at(position: [f64; 3]) -> Self {
        Self { position, ..Self::IDENTITY }
    }

    /// Transforms a point of the frame to the other frame.
    #[must_use]
    pub fn point(&self, local: [f64; 3]) -> [f64; 3] {
        add(self.position, self.orientation.rotate(local))
    }

    /// Transforms a point of the other frame to this frame.
    #[must_use]
    pub fn local(&self, point: [f64; 3]) -> [f64; 3] {
        self.orientation.rotate_back(difference(point, self.position))
    }

    /// Returns the pose of a frame that is given relative to this frame.
    #[must_use]
    pub fn then(&self, inner: &Self) -> Self {
        let orientation = (self.orientation * inner.orientation).normalised();
        Self { position: self.point(inner.position), orientation }
    }

    /// Returns the pose of a rigid body or a planar body from its coordinates: seven in space, or x, y and
    /// the angle in the plane.
    #[must_use]
    pub(crate) fn of_coordinates(q: &[f64]) -> Self {
        match *q {
            [x, y, angle] => {
                Self { position: [x, y, 0.0], orientation: Quaternion::about([0.0, 0.0, 1.0], angle) }
            }
            _ => Self { position: [q[0], q[1], q[2]], orientation: Quaternion::of_body(q) },
        }
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
