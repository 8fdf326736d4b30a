//! Coordinates of bodies in contact relations: rigid bodies in space and in the plane.

use ndarray::ArrayViewMut1;

use crate::model::DynamicalSystem;
use crate::model::relation::body::{BodyRow, Placement};
use crate::model::rotation::{AXES, Quaternion};

/// Coordinates of the bodies of a contact.
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
    pub(super) fn positions(self) -> usize {
        match self {
            Self::Spatial => 7,
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

    /// Adds derivatives of one component of y to `entries`, the row of this component in the Jacobian. The
    /// derivatives are taken with respect to the translation and the rotation of a body; the rotation is in
    /// the body frame.
    pub(super) fn add(
        self,
        mut entries: ArrayViewMut1<'_, f64>,
        body: usize,
        translation: [f64; 3],
        rotation: [f64; 3],
    ) {
        match self {
            Self::Spatial => BodyRow { entries }.add(body, translation, rotation),
            Self::Planar => {
                let ([x, y, _], [_, _, angle]) = (translation, rotation);
                for (own, part) in [x, y, angle].into_iter().enumerate() {
                    entries[3 * body + own] += part;
                }
            }
        }
    }
}
