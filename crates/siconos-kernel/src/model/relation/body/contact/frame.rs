//! Rows of one contact: directions in space, derivatives with respect to the velocities of the bodies, and
//! impulses.

use super::super::{BodyCoordinates, BodyRow};
use super::rows::{ContactRow, ContactRows};
use crate::model::relation::body::Placement;
use crate::model::rotation::{AXES, add, dot, scaled};

/// Impulse of a contact on its first body, as vectors in the inertial frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SpatialImpulse {
    /// \[N s\].
    pub(crate) linear: [f64; 3],
    /// Moment impulse of rolling friction \[N m s\].
    pub(crate) angular: [f64; 3],
}

/// Directions of the rows of a contact with a fixed normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactFrame {
    coordinates: BodyCoordinates,
    count: usize,
    rows: [ContactRow; 5],
}

impl ContactFrame {
    /// Creates the frame of a contact whose law has `count` components. The normal is a unit vector.
    pub(crate) fn new(coordinates: BodyCoordinates, count: usize, normal: [f64; 3]) -> Self {
        let axis = AXES[2];
        let rows = match (coordinates, count) {
            (_, 1) => ContactRows::Normal,
            (BodyCoordinates::Spatial, 3) => ContactRows::Friction,
            (BodyCoordinates::Spatial, _) => ContactRows::Rolling,
            (BodyCoordinates::Planar, 2) => ContactRows::InPlane { axis },
            (BodyCoordinates::Planar, _) => ContactRows::RollingInPlane { axis },
        };
        Self { coordinates, count, rows: rows.at(normal) }
    }

    fn rows(&self) -> &[ContactRow] {
        &self.rows[..self.count]
    }

    /// Transforms a point from the inertial frame to the frame of a body with the position `q`.
    pub(crate) fn local(&self, q: &[f64], point: [f64; 3]) -> [f64; 3] {
        self.coordinates.placement(q, 0).local(point)
    }

    /// Transforms a point from the frame of a body with the position `q` to the inertial frame.
    pub(crate) fn point(&self, q: &[f64], local: [f64; 3]) -> [f64; 3] {
        self.coordinates.placement(q, 0).point(local)
    }

    /// Adds `sign` times the derivatives of a row with respect to the velocity of a body at `q` to `out`,
    /// which has an entry for each degree of freedom of the body.
    pub(crate) fn add_row(&self, row: usize, q: &[f64], point: [f64; 3], sign: f64, out: &mut [f64]) {
        let (translation, rotation) =
            self.rows[row].derivative(&self.coordinates.placement(q, 0), point, sign);
        BodyRow { coordinates: self.coordinates, entries: out.into() }.add(0, translation, rotation);
    }

    /// Returns the velocity of a row that results if only the contact point of the first body moves.
    pub(crate) fn velocity(&self, row: usize, of_point: [f64; 3]) -> f64 {
        match self.rows[row] {
            ContactRow::Sliding(along) => dot(along, of_point),
            ContactRow::Rolling(_) => 0.0,
        }
    }

    /// Returns the impulse with the given components.
    pub(crate) fn impulse(&self, components: &[f64]) -> SpatialImpulse {
        let mut impulse = SpatialImpulse::default();
        for (row, component) in self.rows().iter().zip(components) {
            match *row {
                ContactRow::Sliding(along) => {
                    impulse.linear = add(impulse.linear, scaled(*component, along));
                }
                ContactRow::Rolling(about) => {
                    impulse.angular = add(impulse.angular, scaled(*component, about));
                }
            }
        }
        impulse
    }

    /// Returns the components along the normal and the tangents; 0 for missing components.
    pub(crate) fn sliding(&self, components: &[f64]) -> [f64; 3] {
        let mut sliding = [0.0; 3];
        let rows = self.rows().iter().zip(components);
        let of_points = rows.filter(|(row, _)| matches!(row, ContactRow::Sliding(_)));
        sliding.iter_mut().zip(of_points).for_each(|(out, (_, component))| *out = *component);
        sliding
    }

    /// Writes the components of an impulse.
    pub(crate) fn components(&self, impulse: &SpatialImpulse, out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(self.rows()) {
            *out = match *row {
                ContactRow::Sliding(along) => dot(along, impulse.linear),
                ContactRow::Rolling(about) => dot(about, impulse.angular),
            };
        }
    }
}

impl ContactRow {
    /// Returns `sign` times the derivatives of the row with respect to the translation and the rotation of a
    /// body with the given placement. The rotation is in the body frame. `point` is the contact point of the
    /// body.
    pub(super) fn derivative(
        self,
        placement: &Placement,
        point: [f64; 3],
        sign: f64,
    ) -> ([f64; 3], [f64; 3]) {
        match self {
            Self::Sliding(along) => {
                let direction = scaled(sign, along);
                (direction, placement.lever(point, direction))
            }
            Self::Rolling(about) => ([0.0; 3], placement.orientation.rotate_back(scaled(sign, about))),
        }
    }
}
