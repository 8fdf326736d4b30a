//! Relations of a joint coordinate: the coordinate itself, stops, or a prescribed motion.

use siconos_expression::{Expression, Tape};
use siconos_kernel::ModelError;
use siconos_kernel::model::{At, DynamicalSystem, Relation};

use super::super::functions::Derivative;
use super::super::scopes::{TIME, symbol};
use super::super::values::expression;
use super::RelationInput;
use super::body::{bodies, jointed};
use super::free_joint::{self, FREE, Free, FreeJoint};
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const FREE_OF_JOINT: [Key; 2] = [
    needed(
        "kind",
        Form::Word(&["angle", "way"]),
        "y is the angle in radians, or the displacement, of a joint; 0 at the start",
    ),
    needed("joint", Form::Table, "joint, as a table with the keys of a joint relation"),
];

pub(super) const STOPS: [Key; 5] = [
    needed("kind", Form::Word(&["stops"]), "distances of a joint coordinate from two stops"),
    needed("joint", Form::Table, "joint, as a table with the keys of a joint relation"),
    optional("of", Form::Word(&["angle", "way"]), "joint coordinate; required if the joint leaves both free"),
    needed("lower", Form::Number, "lower stop; for an angle, in radians, at least -pi"),
    needed("upper", Form::Number, "upper stop; for an angle, in radians, at most pi"),
];

pub(super) const PRESCRIBED: [Key; 4] = [
    needed("kind", Form::Word(&["prescribed"]), "a joint coordinate follows a prescribed motion"),
    needed("joint", Form::Table, "joint, as a table with the keys of a joint relation"),
    optional("of", Form::Word(&["angle", "way"]), "joint coordinate; required if the joint leaves both free"),
    needed(
        "motion",
        Form::Number,
        "joint coordinate as a function of time; angles are in radians, modulo 2 pi",
    ),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct MotionDescription {
    joint: FreeJoint,
    free: Free,
    kind: MotionKind,
}

#[derive(Debug)]
enum MotionKind {
    Itself,
    Stops { lower: Expression, upper: Expression },
    Prescribed { motion: Expression },
}

pub(super) fn itself(
    parts: RelationInput<'_, '_>,
    free: Free,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<MotionDescription> {
    let (space, scope) = (parts.body_space(), &*parts.scopes.parameters);
    let [_, joint] = parts.table.keyed(&FREE_OF_JOINT, &parts.span, diagnostics);
    let joint = free_joint::read(joint?, space, scope, diagnostics)?.leaving(free, diagnostics)?;
    Some(MotionDescription { joint, free, kind: MotionKind::Itself })
}

pub(super) fn stops(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<MotionDescription> {
    let (space, scope) = (parts.body_space(), &*parts.scopes.parameters);
    let [_, joint, of, lower, upper] = parts.table.keyed(&STOPS, &parts.span, diagnostics);
    let joint = joint.and_then(|joint| free_joint::read(joint, space, scope, diagnostics));
    let coordinate = coordinate(joint, of, diagnostics);
    let [lower, upper] = [lower, upper].map(|value| expression(&value?, scope, diagnostics));
    let (joint, free) = coordinate?;
    Some(MotionDescription { joint, free, kind: MotionKind::Stops { lower: lower?, upper: upper? } })
}

pub(super) fn prescribed(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<MotionDescription> {
    let (space, scope) = (parts.body_space(), &*parts.scopes.parameters);
    let [_, joint, of, motion] = parts.table.keyed(&PRESCRIBED, &parts.span, diagnostics);
    let joint = joint.and_then(|joint| free_joint::read(joint, space, scope, diagnostics));
    let coordinate = coordinate(joint, of, diagnostics);
    let motion = motion.and_then(|motion| expression(&motion, &parts.scopes.time, diagnostics));
    let (joint, free) = coordinate?;
    Some(MotionDescription { joint, free, kind: MotionKind::Prescribed { motion: motion? } })
}

/// Returns a joint and the coordinate that the file selects.
fn coordinate(
    joint: Option<FreeJoint>,
    of: Option<Value<'_>>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(FreeJoint, Free)> {
    let said = of.map_or(Some(None), |of| of.word(diagnostics, &FREE).map(Some));
    let (joint, said) = joint.zip(said)?;
    match said {
        Some(free) => joint.leaving(free, diagnostics).map(|joint| (joint, free)),
        None => joint.only(diagnostics).map(|free| (joint, free)),
    }
}

impl MotionDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match &self.kind {
            MotionKind::Prescribed { motion } if function == "motion" => Some(std::slice::from_ref(motion)),
            _ => None,
        }
    }

    /// Returns the number of components of y.
    pub(super) fn size(&self) -> usize {
        if matches!(self.kind, MotionKind::Stops { .. }) { 2 } else { 1 }
    }

    /// Builds the relation between these bodies. Returns `None` if the number of bodies is not 1 or 2.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if an axis has no direction, planar bodies cannot have the joint, or the stops are not
    /// in order.
    pub(super) fn build(
        &self,
        parameters: &[f64],
        systems: &[&DynamicalSystem],
    ) -> Result<Option<Relation>, ModelError> {
        let Some(bodies) = jointed(&bodies(systems)) else { return Ok(None) };
        let Some(coordinate) = self.joint.coordinate(self.free, parameters, bodies)? else { return Ok(None) };
        let number = |value: &Expression| value.evaluate(&[&[], parameters]);
        Ok(Some(match &self.kind {
            MotionKind::Itself => coordinate.into(),
            MotionKind::Stops { lower, upper } => coordinate.stops(number(lower), number(upper))?.into(),
            MotionKind::Prescribed { motion } => {
                let own = Tape::compile(&[motion]);
                let rate = Derivative::of(std::slice::from_ref(motion), &[symbol(TIME, 0)]);
                let motion =
                    move |at: At<'_>| one(|out| own.evaluate(&[&[at.t], at.parameters().values()], out));
                let rate =
                    move |at: At<'_>| one(|out| rate.write_rows(&[&[at.t], at.parameters().values()], out));
                coordinate.prescribed(motion, rate).into()
            }
        }))
    }
}

fn one(write: impl FnOnce(&mut [f64])) -> f64 {
    let mut out = [0.0];
    write(&mut out);
    out[0]
}
