//! Joints of planar bodies.

use super::{JointKind, Row};
use crate::model::ModelError;
use crate::model::rotation::{AXES, Quaternion, cross, length, scaled};

/// Checks that planar bodies can have a joint.
pub(super) fn check(kind: JointKind, point: [f64; 3], axis: Option<[f64; 3]>) -> Result<(), ModelError> {
    let instead = match kind {
        JointKind::Spherical => Some("a revolute joint with the axis [0, 0, 1]"),
        JointKind::Cylindrical => Some("a revolute or a prismatic joint"),
        JointKind::Revolute | JointKind::Prismatic | JointKind::Fixed => None,
    };
    if let Some(instead) = instead {
        return Err(ModelError::SpatialJoint { kind: kind.name(), instead });
    }
    check_point("point of a joint", point)?;
    match (kind, axis) {
        (JointKind::Revolute, Some(axis @ [x, y, _])) if x != 0.0 || y != 0.0 => {
            let instead = "it must be perpendicular to the plane, as [0, 0, 1]";
            Err(ModelError::OutOfPlane { what: "axis of a revolute joint", given: axis, instead })
        }
        (JointKind::Prismatic, Some(axis)) => check_point("axis of a prismatic joint", axis),
        _ => Ok(()),
    }
}

/// Returns the equations of a joint of planar bodies at the given initial positions x, y and angle.
pub(super) fn rows(kind: JointKind, axis: Option<[f64; 3]>, [first, second]: [[f64; 3]; 2]) -> Vec<Row> {
    let turn = Row::Turn(first[2] - second[2]);
    let [x, y, _] = AXES.map(Row::Meet);
    match axis {
        Some(axis) if kind == JointKind::Prismatic => {
            let across = scaled(1.0 / length(axis), cross(AXES[2], axis));
            vec![Row::Aligned(Quaternion::about(AXES[2], first[2]).rotate_back(across)), turn]
        }
        Some(_) => vec![x, y],
        None => vec![x, y, turn],
    }
}

/// Checks that a point or a direction is in the plane z = 0.
pub(in super::super) fn check_point(what: &'static str, given: [f64; 3]) -> Result<(), ModelError> {
    match given {
        [_, _, 0.0] => Ok(()),
        _ => Err(ModelError::OutOfPlane { what, given, instead: "its third component must be 0" }),
    }
}
