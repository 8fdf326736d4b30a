//! Motion of bodies without degrees of freedom.

use siconos_kernel::engine::vector::{add, cross, difference, dot, length, scaled};
use siconos_kernel::model::Quaternion;

use crate::pose::Pose;

/// Motion of a body without degrees of freedom: constant velocity and angular velocity of its frame.
///
/// The default is a body at rest. The body rotates about the origin of its frame, so the frame of a rotating
/// drum has its origin on the axis. A conveyor belt is a body at rest whose surface has a velocity.
///
/// ```
/// use siconos_mechanics::{Body, Contactor, Motion, Pose, Shape};
///
/// let floor = Contactor { pose: Pose::at([0.0, 0.0, -0.05]), ..Shape::cuboid([4.0, 1.0, 0.1])?.into() };
/// let turntable = Body::driven(floor.clone(), Motion { omega: [0.0, 0.0, 1.0], ..Motion::default() });
/// let belt = Body::driven(floor, Motion { surface: [0.5, 0.0, 0.0], ..Motion::default() });
/// # Ok::<(), siconos_mechanics::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Velocity of the origin of the body frame \[m/s\].
    pub velocity: [f64; 3],
    /// Angular velocity in the inertial frame \[rad/s\].
    pub omega: [f64; 3],
    /// Velocity of the surface relative to the body \[m/s\], in the inertial frame. Its component along the
    /// normal of a contact is ignored.
    pub surface: [f64; 3],
}

impl Motion {
    /// Returns `true` if the body does not move.
    pub(crate) fn is_rest(&self) -> bool {
        self.velocity == [0.0; 3] && self.omega == [0.0; 3]
    }

    /// Returns the pose at a time \[s\], from the pose at time 0.
    pub(crate) fn pose(&self, start: &Pose, t: f64) -> Pose {
        let turned = Quaternion::exp(scaled(t, self.omega));
        Pose {
            position: add(start.position, scaled(t, self.velocity)),
            orientation: (turned * start.orientation).normalised(),
        }
    }

    /// Returns the velocity of a point of the surface with a unit normal \[m/s\]. `origin` is the origin of
    /// the body frame.
    pub(crate) fn velocity_at(&self, origin: [f64; 3], point: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
        let of_body = add(self.velocity, cross(self.omega, difference(point, origin)));
        let along = add(self.surface, scaled(-dot(self.surface, normal), normal));
        add(of_body, along)
    }

    /// Returns an upper bound of the speeds of the points within `reach` of the origin.
    pub(crate) fn speed(&self, reach: f64) -> f64 {
        length(self.velocity) + length(self.omega) * reach
    }
}
