//! Rotation angle of a joint.

use std::f64::consts::TAU;

use super::{JointedAt, Row};
use crate::model::relation::body::Placement;
use crate::model::rotation::vector::perpendiculars;
use crate::model::rotation::{Quaternion, cross, dot};

/// Rotation of the first body of a joint about an axis fixed in the second body, or in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointRotation {
    /// Direction perpendicular to the axis, in the frame of the first body.
    of_first: [f64; 3],
    /// Initial value of this direction, in the frame of the second body.
    along: [f64; 3],
    /// Direction a quarter of a revolution after `along`, in the frame of the second body.
    across: [f64; 3],
    /// Initial orientation of the first body relative to the second.
    start: Quaternion,
}

impl JointRotation {
    /// Creates the rotation about an axis given in the inertial frame.
    pub(super) fn about(axis: [f64; 3], [first, second]: &[Placement; 2]) -> Self {
        let ([one, other], of_second) = (perpendiculars(axis), second.orientation.conjugate());
        Self {
            of_first: first.orientation.rotate_back(one),
            along: of_second.rotate(one),
            across: of_second.rotate(other),
            start: of_second * first.orientation,
        }
    }

    pub(super) fn directions(self) -> [[f64; 3]; 3] {
        [self.of_first, self.along, self.across]
    }

    /// Returns the rows whose values are the cosine and the sine of the angle.
    pub(super) fn rows(&self) -> [Row; 2] {
        [self.along, self.across].map(|of_second| Row::Across(self.of_first, of_second))
    }

    /// Returns the angle, from $-\pi$ to $\pi$.
    pub(super) fn angle(&self, bodies: &JointedAt) -> f64 {
        let [cosine, sine] = self.rows().map(|row| bodies.value(row));
        sine.atan2(cosine)
    }

    /// Returns the angle without jumps at full revolutions. `of` is an estimate, which must differ from the
    /// angle by less than one revolution. The quaternions of the bodies determine the angle up to multiples
    /// of two revolutions.
    pub(super) fn angle_within_a_turn(&self, of: f64, bodies: &JointedAt) -> f64 {
        let turned = bodies.relative_attitude() * self.start.conjugate();
        let axis = cross(self.along, self.across);
        let twist = 2.0 * dot(turned.vector(), axis).atan2(turned.scalar());
        // The twist is exact only if the equations of the joint are satisfied, so it only determines the
        // number of revolutions.
        nearest(self.angle(bodies), nearest(twist, of, 2.0 * TAU), TAU)
    }
}

/// Returns the angle plus the multiple of the period for which the sum is nearest to `to`.
pub(super) fn nearest(angle: f64, to: f64, period: f64) -> f64 {
    angle + period * ((to - angle) / period).round()
}
