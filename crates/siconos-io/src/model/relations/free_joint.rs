//! Joint coordinates, given by the joint that leaves them free:
//! `joint = { kind = "revolute", point = .., axis = .. }`.

use std::ops::Range;

use siconos_expression::{Expression, Scope};
use siconos_kernel::ModelError;
use siconos_kernel::model::{Joint, JointBodies, JointCoordinate, JointKind};

use super::body::{self, REVOLUTE, WITH_AXIS};
use super::body_space::BodySpace;
use crate::document::{Diagnostics, Table, Value};

/// A joint that leaves a displacement or an angle free.
#[derive(Debug)]
pub(in super::super) struct FreeJoint {
    kind: JointKind,
    space: BodySpace,
    point: Vec<Expression>,
    axis: Vec<Expression>,
    /// Location of the joint's table.
    span: Range<usize>,
}

/// Kind of a joint coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// Displacement along the axis.
    Way,
    /// Angle about the axis.
    Angle,
}

pub(super) const FREE: [(&str, Free); 2] = [("angle", Free::Angle), ("way", Free::Way)];

impl Free {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Way => "way",
            Self::Angle => "angle",
        }
    }
}

/// Joints with an axis, by name.
pub(super) const KINDS: [(&str, JointKind); 3] = [
    ("revolute", JointKind::Revolute),
    ("cylindrical", JointKind::Cylindrical),
    ("prismatic", JointKind::Prismatic),
];

/// Reads a joint between bodies that move in a space. The scope contains the parameters.
pub(super) fn read(
    value: Value<'_>,
    space: BodySpace,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<FreeJoint> {
    let span = value.span.clone();
    of_table(value.table(diagnostics)?, span, space, scope, diagnostics)
}

/// Reads a joint with an axis. `table` contains its kind, point and axis. It is the value of the key `joint`,
/// or the table of the joint relation itself.
pub(super) fn of_table(
    table: Table<'_>,
    span: Range<usize>,
    space: BodySpace,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<FreeJoint> {
    let is_revolute = table.get("kind").is_some_and(|kind| REVOLUTE[0].form.has_word(kind));
    let keys = if is_revolute { &REVOLUTE } else { &WITH_AXIS };
    let [kind, point, axis] = table.keyed(keys, &span, diagnostics);
    let kind = kind.and_then(|kind| kind.word(diagnostics, &KINDS));
    let point = point.and_then(|point| space.vector(&point, scope, diagnostics));
    let axis = match axis {
        Some(axis) => space.vector(&axis, scope, diagnostics),
        None if is_revolute => diagnostics.required(space.normal(scope), "axis", &span),
        None => None,
    };
    Some(FreeJoint { kind: kind?, space, point: point?, axis: axis?, span })
}

/// Returns `true` if a joint with an axis leaves this coordinate free.
fn leaves(kind: JointKind, free: Free) -> bool {
    match free {
        Free::Way => kind != JointKind::Revolute,
        Free::Angle => kind != JointKind::Prismatic,
    }
}

impl FreeJoint {
    /// Returns the number of equations of the joint.
    pub(super) fn size(&self) -> usize {
        match (self.kind, self.space) {
            (JointKind::Cylindrical, _) => 4,
            (_, BodySpace::Spatial) => 5,
            (_, BodySpace::Planar) => 2,
        }
    }

    /// Reports an error if the joint does not leave this coordinate free.
    pub(super) fn leaving(self, free: Free, diagnostics: &mut Diagnostics<'_>) -> Option<Self> {
        if leaves(self.kind, free) {
            return Some(self);
        }
        let others = KINDS.iter().filter(|(_, kind)| leaves(*kind, free));
        let others = others.map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
        let message = format_args!("this joint leaves no `{}` free; it must be {others}", free.word());
        diagnostics.note(&self.span, message);
        None
    }

    /// Returns the only free coordinate. Reports an error if there are two, because the file must select one.
    pub(super) fn only(&self, diagnostics: &mut Diagnostics<'_>) -> Option<Free> {
        match self.kind {
            JointKind::Revolute => Some(Free::Angle),
            JointKind::Prismatic => Some(Free::Way),
            _ => {
                diagnostics.note(
                    &self.span,
                    "this joint leaves an angle and a displacement free; select one with `of`",
                );
                None
            }
        }
    }

    /// Builds the joint between these bodies.
    pub(super) fn build<'b>(
        &self,
        parameters: &[f64],
        bodies: impl Into<JointBodies<'b>>,
    ) -> Result<Joint, ModelError> {
        let [point, axis] = [&self.point, &self.axis].map(|entries| body::array(entries, parameters));
        match self.kind {
            JointKind::Cylindrical => Joint::cylindrical(bodies, point, axis),
            JointKind::Prismatic => Joint::prismatic(bodies, point, axis),
            _ => Joint::revolute(bodies, point, axis),
        }
    }

    /// Builds the joint coordinate between these bodies. Returns `None` if the joint does not leave the
    /// coordinate free, which [`leaving`](Self::leaving) reports.
    pub(super) fn coordinate<'b>(
        &self,
        free: Free,
        parameters: &[f64],
        bodies: impl Into<JointBodies<'b>>,
    ) -> Result<Option<JointCoordinate>, ModelError> {
        let joint = self.build(parameters, bodies)?;
        Ok(match free {
            Free::Way => joint.displacement(),
            Free::Angle => joint.angle(),
        })
    }
}
