//! The angle by which a joint has turned.

use std::f64::consts::TAU;

use super::row::across;
use super::{JointedAt, Row};
use crate::model::relation::body::Placement;
use crate::model::rotation::{Quaternion, cross, dot};

/// The turning of the first body of a joint about an axis that the second, or space, carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// A direction at right angles to the axis, as the first body carries it.
    of_first: [f64; 3],
    /// The direction where it is at the start, and the one a quarter of a turn further, as the second carries
    /// them.
    along: [f64; 3],
    across: [f64; 3],
    /// The attitude of the first body relative to the second at the start.
    start: Quaternion,
}

impl Turn {
    /// The turning about an axis of space.
    pub(super) fn about(axis: [f64; 3], [first, second]: &[Placement; 2]) -> Self {
        let ([one, other], of_second) = (across(axis), second.attitude.conjugate());
        Self {
            of_first: first.attitude.rotate_back(one),
            along: of_second.rotate(one),
            across: of_second.rotate(other),
            start: of_second * first.attitude,
        }
    }

    pub(super) fn directions(self) -> [[f64; 3]; 3] {
        [self.of_first, self.along, self.across]
    }

    /// The rows that are the cosine and the sine of the angle.
    pub(super) fn rows(&self) -> [Row; 2] {
        [self.along, self.across].map(|of_second| Row::Across(self.of_first, of_second))
    }

    /// The angle, from $-\pi$ to $\pi$.
    pub(super) fn angle(&self, bodies: &JointedAt) -> f64 {
        let [cosine, sine] = self.rows().map(|row| bodies.value(row));
        sine.atan2(cosine)
    }

    /// The angle within a turn of a value: attitudes as quaternions come back after two turns, and not after
    /// one.
    pub(super) fn angle_within_a_turn(&self, of: f64, bodies: &JointedAt) -> f64 {
        let turned = bodies.relative_attitude() * self.start.conjugate();
        let axis = cross(self.along, self.across);
        let twist = 2.0 * dot(turned.vector(), axis).atan2(turned.scalar());
        // The twist is as exact as the joint is closed, and tells the number of turns.
        nearest(self.angle(bodies), nearest(twist, of, 2.0 * TAU), TAU)
    }
}

/// The value nearest to another of those that a multiple of a period makes of an angle.
pub(super) fn nearest(angle: f64, to: f64, period: f64) -> f64 {
    angle + period * ((to - angle) / period).round()
}
