//! What a joint leaves free, by the joint itself: `joint = { kind = "revolute", point = .., axis = .. }`.

use std::ops::Range;

use siconos_expression::{Expression, Scope};
use siconos_kernel::ModelError;
use siconos_kernel::model::{Joint, JointCoordinate, JointKind, Jointed};

use super::super::values::sized;
use super::body::{self, WITH_AXIS};
use crate::document::{Faults, Table, Value};

/// A joint that leaves a way or an angle free.
#[derive(Debug)]
pub(in super::super) struct FreeJoint {
    kind: JointKind,
    point: Vec<Expression>,
    axis: Vec<Expression>,
    /// Of its table.
    span: Range<usize>,
}

/// What of a joint is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Free {
    /// The way along its axis.
    Way,
    /// The angle about its axis.
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

/// The joints with an axis, by their words.
pub(super) const KINDS: [(&str, JointKind); 3] = [
    ("revolute", JointKind::Revolute),
    ("cylindrical", JointKind::Cylindrical),
    ("prismatic", JointKind::Prismatic),
];

pub(super) fn read(value: Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<FreeJoint> {
    let span = value.span.clone();
    of_table(value.table(faults)?, span, scope, faults)
}

/// Reads a joint with an axis from a table of its own, or from that of its relation.
pub(super) fn of_table(
    table: Table<'_>,
    span: Range<usize>,
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<FreeJoint> {
    let [kind, point, axis] = table.keyed(&WITH_AXIS, &span, faults);
    let kind = kind.and_then(|kind| kind.word(faults, &KINDS));
    let [point, axis] = [point, axis].map(|value| sized(&value?, 3, scope, faults));
    Some(FreeJoint { kind: kind?, point: point?, axis: axis?, span })
}

/// Whether a joint with an axis leaves this free.
fn leaves(kind: JointKind, free: Free) -> bool {
    match free {
        Free::Way => kind != JointKind::Revolute,
        Free::Angle => kind != JointKind::Prismatic,
    }
}

impl FreeJoint {
    /// The number of its equations.
    pub(super) fn size(&self) -> usize {
        if self.kind == JointKind::Cylindrical { 4 } else { 5 }
    }

    /// Notes where it does not leave this free.
    pub(super) fn leaving(self, free: Free, faults: &mut Faults<'_>) -> Option<Self> {
        if leaves(self.kind, free) {
            return Some(self);
        }
        let others = KINDS.iter().filter(|(_, kind)| leaves(*kind, free));
        let others = others.map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
        let message = format_args!("this joint leaves no {} free; it must be {others}", free.word());
        faults.note(&self.span, message);
        None
    }

    /// What it leaves free, where that is one thing; else it has to be said.
    pub(super) fn only(&self, faults: &mut Faults<'_>) -> Option<Free> {
        match self.kind {
            JointKind::Revolute => Some(Free::Angle),
            JointKind::Prismatic => Some(Free::Way),
            _ => {
                faults
                    .note(&self.span, "this joint leaves an angle and a way free; `of` says which is meant");
                None
            }
        }
    }

    /// The joint between these bodies.
    pub(super) fn build<'b>(
        &self,
        parameters: &[f64],
        bodies: impl Into<Jointed<'b>>,
    ) -> Result<Joint, ModelError> {
        let [point, axis] = [&self.point, &self.axis].map(|entries| body::array(entries, parameters));
        match self.kind {
            JointKind::Cylindrical => Joint::cylindrical(bodies, point, axis),
            JointKind::Prismatic => Joint::prismatic(bodies, point, axis),
            _ => Joint::revolute(bodies, point, axis),
        }
    }

    /// What it leaves free between these bodies; nothing only where `leaving` has noted a fault.
    pub(super) fn coordinate<'b>(
        &self,
        free: Free,
        parameters: &[f64],
        bodies: impl Into<Jointed<'b>>,
    ) -> Result<Option<JointCoordinate>, ModelError> {
        let joint = self.build(parameters, bodies)?;
        Ok(match free {
            Free::Way => joint.way(),
            Free::Angle => joint.angle(),
        })
    }
}
