//! Coordinates of the bodies of a relation: rigid bodies in space and in the plane.

use ndarray::ArrayViewMut1;

use super::Placement;
use crate::model::DynamicalSystem;
use crate::model::rotation::{AXES, Quaternion};

/// Coordinates of the bodies of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyCoordinates {
    /// Position: centre of mass and quaternion. Velocity: velocity of the centre of mass in the inertial
    /// frame, and angular velocity in the body frame.
    Spatial,
    /// x, y and angle, with their rates as velocities. The plane is z = 0.
    Planar,
}

impl BodyCoordinates {
    /// Returns the coordinates of a rigid body or planar body; `None` for other systems.
    pub(crate) fn of(system: &DynamicalSystem) -> Option<Self> {
        match system {
            DynamicalSystem::NewtonEuler(_) => Some(Self::Spatial),
            DynamicalSystem::Lagrangian(_) | DynamicalSystem::LagrangianLinear(_) => {
                let has_plane = system.space().is_vector() && system.degrees_of_freedom() == 3;
                has_plane.then_some(Self::Planar)
            }
            DynamicalSystem::FirstOrderNonlinear(_) | DynamicalSystem::FirstOrderLinear(_) => None,
        }
    }

    /// Returns the number of position coordinates of one body.
    pub(in crate::model::relation) fn positions(self) -> usize {
        match self {
            Self::Spatial => 7,
            Self::Planar => 3,
        }
    }

    /// Returns the number of velocity coordinates of one body.
    pub(super) fn velocities(self) -> usize {
        match self {
            Self::Spatial => 6,
            Self::Planar => 3,
        }
    }

    /// Returns the third axis in space, or the second axis in the plane.
    pub(super) fn last_axis(self) -> [f64; 3] {
        match self {
            Self::Spatial => AXES[2],
            Self::Planar => AXES[1],
        }
    }

    /// Returns the placement of a body. An index after the last body means the inertial frame.
    pub(super) fn placement(self, q: &[f64], body: usize) -> Placement {
        match self {
            Self::Spatial => Placement::of(q, body),
            Self::Planar => q.chunks_exact(3).nth(body).map_or(Placement::INERTIAL_FRAME, |q| Placement {
                centre: [q[0], q[1], 0.0],
                orientation: Quaternion::about(AXES[2], q[2]),
            }),
        }
    }

    /// Returns the angle of a planar body, or of the inertial frame if `body` is an index after the last
    /// body; 0 in space.
    pub(super) fn angle(self, q: &[f64], body: usize) -> f64 {
        match self {
            Self::Spatial => 0.0,
            Self::Planar => q.get(3 * body + 2).copied().unwrap_or_default(),
        }
    }

    /// Splits velocity coordinates of one body into a translation, and a rotation in the body frame.
    pub(super) fn split(self, of_body: &[f64]) -> [[f64; 3]; 2] {
        match (self, of_body) {
            (Self::Spatial, &[x, y, z, a, b, c]) => [[x, y, z], [a, b, c]],
            (Self::Planar, &[x, y, angle]) => [[x, y, 0.0], [0.0, 0.0, angle]],
            _ => [[0.0; 3]; 2],
        }
    }
}

/// Derivatives of one component of y with respect to the velocities of the bodies.
pub(super) struct BodyRow<'a> {
    pub(super) coordinates: BodyCoordinates,
    pub(super) entries: ArrayViewMut1<'a, f64>,
}

impl BodyRow<'_> {
    /// Adds the derivatives with respect to translation and rotation of a body. The rotation is in the body
    /// frame. Does nothing if `body` is an index after the last body, which means the inertial frame.
    pub(super) fn add(&mut self, body: usize, translation: [f64; 3], rotation: [f64; 3]) {
        let (size, entries) = (self.coordinates.velocities(), &mut self.entries);
        let first = size * body;
        if entries.len() < first + size {
            return;
        }
        let ([x, y, z], [a, b, c]) = (translation, rotation);
        let mut add = |values: &[f64]| {
            values.iter().enumerate().for_each(|(i, value)| entries[first + i] += value);
        };
        match self.coordinates {
            BodyCoordinates::Spatial => add(&[x, y, z, a, b, c]),
            BodyCoordinates::Planar => add(&[x, y, c]),
        }
    }
}
