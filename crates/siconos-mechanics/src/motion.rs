//! Motion of bodies without degrees of freedom.

use siconos_kernel::engine::vector::{add, cross, difference, length, scaled};
use siconos_kernel::model::Quaternion;

use crate::pose::Pose;

/// Motion of a body without degrees of freedom: a constant velocity of a point, and a constant angular
/// velocity about this point.
///
/// The default is a body at rest. A rotating drum has an angular velocity about a point of its axis. A
/// conveyor belt is a body at rest whose surface has a velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Pose at time 0.
    pub start: Pose,
    /// Velocity of the point `centre` \[m/s\].
    pub velocity: [f64; 3],
    /// Angular velocity in the inertial frame \[rad/s\].
    pub omega: [f64; 3],
    /// Point about which the body rotates, at time 0 \[m\].
    pub centre: [f64; 3],
    /// Velocity of the surface relative to the body \[m/s\], in the inertial frame.
    pub surface: [f64; 3],
}

impl Motion {
    /// Creates a body at rest.
    #[must_use]
    pub fn rest(pose: Pose) -> Self {
        Self { start: pose, velocity: [0.0; 3], omega: [0.0; 3], centre: pose.position, surface: [0.0; 3] }
    }

    /// Returns the pose at a time \[s\].
    #[must_use]
    pub fn pose(&self, t: f64) -> Pose {
        let turned = Quaternion::exp(scaled(t, self.omega));
        let centre = add(self.centre, scaled(t, self.velocity));
        let arm = turned.rotate(difference(self.start.position, self.centre));
        Pose { position: add(centre, arm), orientation: (turned * self.start.orientation).normalised() }
    }

    /// Returns the velocity of a point of the surface at a time \[m/s\].
    #[must_use]
    pub fn velocity(&self, t: f64, point: [f64; 3]) -> [f64; 3] {
        let centre = add(self.centre, scaled(t, self.velocity));
        let of_body = add(self.velocity, cross(self.omega, difference(point, centre)));
        add(self.surface, of_body)
    }

    /// Returns an upper bound of the speeds of the points within `reach` of the origin of the body.
    pub(crate) fn speed(&self, reach: f64) -> f64 {
        let arm = reach + length(difference(self.start.position, self.centre));
        length(self.velocity) + length(self.omega) * arm
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self::rest(Pose::IDENTITY)
    }
}
