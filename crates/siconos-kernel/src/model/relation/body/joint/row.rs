//! Equations of joints.

use super::super::{BodyCoordinates, BodyRow, Placement};
use crate::model::rotation::vector::perpendiculars;
use crate::model::rotation::{AXES, Quaternion, cross, difference, dot, scaled};

/// Equation of a joint. The anchors are the points of the joint that are fixed to the two bodies. Vectors
/// that are fixed to a body are given in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Row {
    /// The anchors have equal coordinates along a direction of the inertial frame.
    Meet([f64; 3]),
    /// The anchors have equal coordinates along a direction fixed to the first body.
    Aligned([f64; 3]),
    /// A direction of the first body is perpendicular to a direction of the second body.
    Across([f64; 3], [f64; 3]),
    /// The angle of the first planar body minus the angle of the second has this value \[rad\].
    Turn(f64),
}

impl Row {
    pub(super) fn meet() -> [Self; 3] {
        AXES.map(Self::Meet)
    }

    /// Returns the equations that make the anchors coincide in the directions perpendicular to an axis.
    pub(super) fn aligned([first, _]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        perpendiculars(axis).map(|direction| Self::Aligned(first.orientation.rotate_back(direction)))
    }

    /// Returns the equations that keep an axis of the first body parallel to an axis of the second body.
    pub(super) fn parallel([first, second]: &[Placement; 2], axis: [f64; 3]) -> [Self; 2] {
        let of_second = second.orientation.rotate_back(axis);
        perpendiculars(axis)
            .map(|direction| Self::Across(first.orientation.rotate_back(direction), of_second))
    }

    /// Returns the equations that prevent relative rotation of the bodies.
    pub(super) fn no_turn(carried: &[Placement; 2], axis: [f64; 3]) -> [Self; 3] {
        let [first, second] = carried;
        let [a, b] = Self::parallel(carried, axis);
        let [one, other] = perpendiculars(axis);
        [a, b, Self::Across(first.orientation.rotate_back(one), second.orientation.rotate_back(other))]
    }
}

/// Bodies of a joint at their current positions.
pub(in super::super) struct JointedAt {
    placements: [Placement; 2],
    points: [[f64; 3]; 2],
    pub(in super::super) apart: [f64; 3],
    /// Angle of the first planar body minus the angle of the second; 0 in space.
    turn: f64,
}

impl JointedAt {
    pub(in super::super) fn of(coordinates: BodyCoordinates, anchors: &[[f64; 3]; 2], q: &[f64]) -> Self {
        let placements = [0, 1].map(|body| coordinates.placement(q, body));
        let points = [placements[0].point(anchors[0]), placements[1].point(anchors[1])];
        let turn = coordinates.angle(q, 0) - coordinates.angle(q, 1);
        Self { placements, points, apart: difference(points[0], points[1]), turn }
    }

    /// Returns the orientation of the first body relative to the second.
    pub(super) fn relative_attitude(&self) -> Quaternion {
        let [first, second] = &self.placements;
        second.orientation.conjugate() * first.orientation
    }

    pub(super) fn value(&self, row: Row) -> f64 {
        let [first, second] = &self.placements;
        match row {
            Row::Meet(direction) => dot(direction, self.apart),
            Row::Aligned(direction) => dot(first.orientation.rotate(direction), self.apart),
            Row::Across(a, b) => dot(first.orientation.rotate(a), second.orientation.rotate(b)),
            Row::Turn(start) => self.turn - start,
        }
    }

    /// Adds `factor` times the derivative of the value of a row with respect to the velocity coordinates.
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
                meet(first.orientation.rotate(local));
                // The direction rotates with the first body.
                let turning = cross(local, first.orientation.rotate_back(self.apart));
                entries.add(0, [0.0; 3], scaled(factor, turning));
            }
            Row::Across(a, b) => {
                let (of_first, of_second) = (first.orientation.rotate(a), second.orientation.rotate(b));
                let turns = [
                    cross(a, first.orientation.rotate_back(of_second)),
                    cross(b, second.orientation.rotate_back(of_first)),
                ];
                turns.into_iter().enumerate().for_each(|(body, turn)| {
                    entries.add(body, [0.0; 3], scaled(factor, turn));
                });
            }
            Row::Turn(_) => {
                [factor, -factor].into_iter().enumerate().for_each(|(body, rate)| {
                    entries.add(body, [0.0; 3], [0.0, 0.0, rate]);
                });
            }
        }
    }
}
