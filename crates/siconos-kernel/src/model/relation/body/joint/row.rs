//! The equations that joints are made of.

use super::super::{BodyRow, Placement};
use crate::model::rotation::{AXES, Quaternion, cross, difference, dot, length, scaled};

/// One equation of a joint. Vectors are along the axes of the body that carries them.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Row {
    /// The two anchors have one coordinate of space in common.
    Meet([f64; 3]),
    /// They have one in a direction that the first body carries.
    Aligned([f64; 3]),
    /// A direction of the first body is at right angles to one of the second.
    Across([f64; 3], [f64; 3]),
}

impl Row {
    pub(super) fn meet() -> [Self; 3] {
        AXES.map(Self::Meet)
    }

    /// The anchors meet across an axis.
    pub(super) fn aligned([first, _]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        across(axis).map(|direction| Self::Aligned(first.attitude.rotate_back(direction)))
    }

    /// The bodies keep an axis in common.
    pub(super) fn parallel([first, second]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        let of_second = second.attitude.rotate_back(axis);
        across(axis).map(|direction| Self::Across(first.attitude.rotate_back(direction), of_second))
    }

    /// The bodies do not turn to each other.
    pub(super) fn no_turn(carried: &[Placement; 2], axis: [f64; 3]) -> [Self; 3] {
        let [first, second] = carried;
        let [a, b] = Self::parallel(carried, axis);
        let [one, other] = across(axis);
        [a, b, Self::Across(first.attitude.rotate_back(one), second.attitude.rotate_back(other))]
    }
}

/// Two directions at right angles to an axis of length 1 and to each other.
pub(super) fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    // The axis of space that is furthest from it.
    let smallest = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs())).unwrap_or(0);
    let first = cross(axis, AXES[smallest]);
    let first = scaled(1.0 / length(first), first);
    [first, cross(axis, first)]
}

/// The bodies of a joint where they are.
pub(in super::super) struct JointedAt {
    placements: [Placement; 2],
    points: [[f64; 3]; 2],
    pub(in super::super) apart: [f64; 3],
}

impl JointedAt {
    pub(in super::super) fn of(anchors: &[[f64; 3]; 2], q: &[f64]) -> Self {
        let placements = [0, 1].map(|body| Placement::of(q, body));
        let points = [placements[0].point(anchors[0]), placements[1].point(anchors[1])];
        Self { placements, points, apart: difference(points[0], points[1]) }
    }

    /// The attitude of the first body relative to the second.
    pub(super) fn relative_attitude(&self) -> Quaternion {
        let [first, second] = &self.placements;
        second.attitude.conjugate() * first.attitude
    }

    pub(super) fn value(&self, row: Row) -> f64 {
        let [first, second] = &self.placements;
        match row {
            Row::Meet(direction) => dot(direction, self.apart),
            Row::Aligned(direction) => dot(first.attitude.rotate(direction), self.apart),
            Row::Across(a, b) => dot(first.attitude.rotate(a), second.attitude.rotate(b)),
        }
    }

    /// Adds a multiple of the derivative of a row along the velocities.
    pub(in super::super) fn add_derivative(&self, factor: f64, row: Row, entries: &mut BodyRow<'_>) {
        let [first, second] = &self.placements;
        let mut meet = |direction: [f64; 3]| {
            for (body, sign) in [(0, factor), (1, -factor)] {
                let direction = scaled(sign, direction);
                entries.add(body, direction, self.placements[body].lever(self.points[body], direction));
            }
        };
        match row {
            Row::Meet(direction) => meet(direction),
            Row::Aligned(local) => {
                meet(first.attitude.rotate(local));
                // The direction turns as well.
                let turning = cross(local, first.attitude.rotate_back(self.apart));
                entries.add(0, [0.0; 3], scaled(factor, turning));
            }
            Row::Across(a, b) => {
                let (of_first, of_second) = (first.attitude.rotate(a), second.attitude.rotate(b));
                let turns = [
                    cross(a, first.attitude.rotate_back(of_second)),
                    cross(b, second.attitude.rotate_back(of_first)),
                ];
                turns.into_iter().enumerate().for_each(|(body, turn)| {
                    entries.add(body, [0.0; 3], scaled(factor, turn));
                });
            }
        }
    }
}
