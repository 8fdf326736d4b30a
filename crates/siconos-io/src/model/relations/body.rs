//! Relations of rigid bodies: joints, distances and point contacts.

use std::ops::RangeInclusive;

use siconos_expression::{Expression, Tape};
use siconos_kernel::ModelError;
use siconos_kernel::model::{
    ContactPoints, ContactRows, Distance, DynamicalSystem, Joint, JointBodies, NewtonEuler, Parameters,
    PointContact, Relation,
};

use super::super::values::{direction, evaluated, expression, sized};
use super::RelationInput;
use super::body_space::BodySpace;
use super::free_joint::{self, FreeJoint};
use crate::document::{Diagnostics, Form, Key, Node, Table, Value, flag, needed, optional};

pub(super) const SPHERICAL: [Key; 2] = [
    needed("kind", Form::Word(&["spherical"]), "spherical joint, only in space"),
    needed("point", Form::Vector, "point of the joint at the start, in the inertial frame"),
];

pub(in super::super) const REVOLUTE: [Key; 3] = [
    needed("kind", Form::Word(&["revolute"]), "joint that leaves a rotation free"),
    needed("point", Form::Vector, SAYS_POINT),
    optional(
        "axis",
        Form::Vector,
        "axis at the start, in the inertial frame; of nonzero length; required in space; default for planar \
         bodies: [0, 0, 1]",
    ),
];

pub(in super::super) const WITH_AXIS: [Key; 3] = [
    needed(
        "kind",
        Form::Word(&["cylindrical", "prismatic"]),
        "joint that leaves a rotation and a displacement, or a displacement free; a cylindrical joint only in space",
    ),
    needed("point", Form::Vector, SAYS_POINT),
    needed(
        "axis",
        Form::Vector,
        "axis at the start, in the inertial frame; of nonzero length; two numbers suffice for planar bodies",
    ),
];

const SAYS_POINT: &str =
    "point of the joint at the start, in the inertial frame; two numbers suffice for planar bodies";

pub(super) const FIXED: [Key; 1] =
    [needed("kind", Form::Word(&["fixed"]), "rigid joint without degrees of freedom")];

pub(super) const DISTANCE: [Key; 5] = [
    needed("kind", Form::Word(&["distance"]), "two points at a given distance, or at most at this distance"),
    needed(
        "first",
        Form::Vector,
        "point of the first body at the start, in the inertial frame; two numbers suffice for planar bodies",
    ),
    needed(
        "second",
        Form::Vector,
        "point of the second body at the start, in the inertial frame; a point at rest if there is one body; two \
         numbers suffice for planar bodies",
    ),
    optional("length", Form::Number, "prescribed distance; default: the distance at the start"),
    optional("slack", Form::Boolean, "`true` for y = length - distance, as for a rope; default false"),
];

pub(super) const BALL_AND_PLANE: [Key; 5] = [
    needed("kind", Form::Word(&["ball_and_plane"]), "contact of a ball, the only body, with a plane at rest"),
    needed("rows", Form::Settings, SAYS_ROWS),
    needed("radius", Form::Number, "radius of the ball"),
    optional("point", Form::Vector, "point of the plane; default: the origin"),
    needed("normal", Form::Vector, "normal of the plane, on the side of the ball"),
];

pub(super) const BALLS: [Key; 4] = [
    needed("kind", Form::Word(&["balls"]), "contact of two balls, which are the two bodies"),
    needed("rows", Form::Settings, SAYS_ROWS),
    needed("first", Form::Number, "radius of the first ball"),
    needed("second", Form::Number, "radius of the second ball"),
];

pub(super) const POINTS: [Key; 5] = [
    needed(
        "kind",
        Form::Word(&["points"]),
        "contact of one or two bodies at points that are functions of the coordinates",
    ),
    needed("rows", Form::Settings, SAYS_ROWS),
    needed("first", Form::Vector, "contact point of the first body, in the inertial frame"),
    needed(
        "second",
        Form::Vector,
        "contact point of the second body or of the obstacle, in the inertial frame",
    ),
    needed("normal", Form::Vector, "normal from the second body to the first; of nonzero length"),
];

const SAYS_ROWS: &str = "components of the contact: `normal`, `friction` or `rolling`; for motion in a plane, \
     `{ kind = \"in_plane\", axis = [..] }`, where `axis` is the normal of the plane, or the kind `rolling_in_plane`";

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) enum BodyRelationDescription {
    Spherical { point: Vec<Expression> },
    Fixed { space: BodySpace },
    WithAxis(FreeJoint),
    Distance { first: Vec<Expression>, second: Vec<Expression>, length: Option<Expression>, is_slack: bool },
    BallAndPlane { rows: ContactRows, radius: Expression, point: Vec<Expression>, normal: Vec<Expression> },
    Balls { rows: ContactRows, first: Expression, second: Expression },
    Points { rows: ContactRows, points: Vec<Expression> },
}

pub(super) fn spherical(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let (space, scope) = (parts.body_space(), &parts.scopes.parameters);
    let [_, point] = parts.table.keyed(&SPHERICAL, &parts.span, diagnostics);
    let point = space.vector(&point?, scope, diagnostics)?;
    Some(BodyRelationDescription::Spherical { point })
}

pub(super) fn fixed(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let space = parts.body_space();
    let [_kind] = parts.table.keyed(&FIXED, &parts.span, diagnostics);
    Some(BodyRelationDescription::Fixed { space })
}

pub(super) fn with_axis(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let (space, scope) = (parts.body_space(), &*parts.scopes.parameters);
    free_joint::of_table(parts.table, parts.span, space, scope, diagnostics)
        .map(BodyRelationDescription::WithAxis)
}

pub(super) fn distance(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let (space, scope) = (parts.body_space(), &parts.scopes.parameters);
    let [_, first, second, length, slack] = parts.table.keyed(&DISTANCE, &parts.span, diagnostics);
    let [first, second] = [first, second].map(|point| space.vector(&point?, scope, diagnostics));
    let length = length.map_or(Some(None), |length| expression(&length, scope, diagnostics).map(Some));
    let is_slack = flag(slack, diagnostics);
    Some(BodyRelationDescription::Distance {
        first: first?,
        second: second?,
        length: length?,
        is_slack: is_slack?,
    })
}

pub(super) fn ball_and_plane(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let scope = &parts.scopes.parameters;
    let [_, rows, radius, point, normal] = parts.table.keyed(&BALL_AND_PLANE, &parts.span, diagnostics);
    let rows = rows.and_then(|rows| contact_rows(&rows, &parts.scopes.constants, diagnostics));
    let radius = radius.and_then(|radius| expression(&radius, scope, diagnostics));
    let point = point.map_or(Some(Vec::new()), |point| sized(&point, 3, scope, diagnostics));
    let normal = normal.and_then(|normal| sized(&normal, 3, scope, diagnostics));
    Some(BodyRelationDescription::BallAndPlane {
        rows: rows?,
        radius: radius?,
        point: point?,
        normal: normal?,
    })
}

pub(super) fn balls(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let scope = &parts.scopes.parameters;
    let [_, rows, first, second] = parts.table.keyed(&BALLS, &parts.span, diagnostics);
    let rows = rows.and_then(|rows| contact_rows(&rows, &parts.scopes.constants, diagnostics));
    let [first, second] = [first, second].map(|value| expression(&value?, scope, diagnostics));
    Some(BodyRelationDescription::Balls { rows: rows?, first: first?, second: second? })
}

pub(super) fn points(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyRelationDescription> {
    let scope = parts.scope(&parts.scopes.parameters);
    let [_, rows, first, second, normal] = parts.table.keyed(&POINTS, &parts.span, diagnostics);
    let rows = rows.and_then(|rows| contact_rows(&rows, &parts.scopes.constants, diagnostics));
    let read = [first, second, normal].map(|value| sized(&value?, 3, &scope, diagnostics));
    let [first, second, normal] = read;
    Some(BodyRelationDescription::Points { rows: rows?, points: [first?, second?, normal?].concat() })
}

/// Names of the rows of a spatial contact. A planar contact has the rows in [`ROWS_IN_PLANE`] and an axis.
pub(in super::super) const ROWS: [&str; 3] = ["normal", "friction", "rolling"];
pub(in super::super) const ROWS_IN_PLANE: [&str; 2] = ["in_plane", "rolling_in_plane"];

/// Reads the rows of a contact, which are components of the relative velocity.
pub(super) fn contact_rows(
    value: &Value<'_>,
    constants: &siconos_expression::Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ContactRows> {
    let Node::Table(table) = &value.node else {
        let meanings = [ContactRows::Normal, ContactRows::Friction, ContactRows::Rolling];
        return value.word(diagnostics, &with_meanings(ROWS, meanings));
    };
    let table: Table<'_> = table.clone();
    let [kind, axis] = table.fields(diagnostics, ["kind", "axis"]);
    let kind = diagnostics.required(kind, "kind", &value.span);
    let axis = diagnostics.required(axis, "axis", &value.span);
    let axis = axis.and_then(|axis| direction(&axis, constants, diagnostics));
    let is_rolling = kind?.word(diagnostics, &with_meanings(ROWS_IN_PLANE, [false, true]))?;
    let axis = array(&axis?, &[]);
    Some(if is_rolling { ContactRows::RollingInPlane { axis } } else { ContactRows::InPlane { axis } })
}

fn with_meanings<T: Copy, const N: usize>(
    words: [&'static str; N],
    meanings: [T; N],
) -> [(&'static str, T); N] {
    std::array::from_fn(|place| (words[place], meanings[place]))
}

/// Returns the values of `entries`, which must be three expressions.
pub(super) fn array(entries: &[Expression], parameters: &[f64]) -> [f64; 3] {
    evaluated(entries, parameters).try_into().unwrap_or_default()
}

/// A body of a joint, at its start.
#[derive(Clone, Copy, Debug)]
pub(super) enum StartingBody<'s> {
    Spatial(&'s NewtonEuler),
    /// The positions x, y and angle.
    Planar([f64; 3]),
}

/// Returns the bodies among the given systems.
pub(super) fn bodies<'s>(systems: &[&'s DynamicalSystem]) -> Vec<StartingBody<'s>> {
    let body = |system: &&'s DynamicalSystem| match system {
        DynamicalSystem::NewtonEuler(body) => Some(StartingBody::Spatial(body)),
        system => system.q0().try_into().ok().map(StartingBody::Planar),
    };
    systems.iter().filter_map(body).collect()
}

/// Returns the bodies of a joint, or `None` if there are not one or two bodies in the same space.
pub(super) fn jointed<'b>(bodies: &[StartingBody<'b>]) -> Option<JointBodies<'b>> {
    match *bodies {
        [StartingBody::Spatial(one)] => Some(one.into()),
        [StartingBody::Spatial(first), StartingBody::Spatial(second)] => Some((first, second).into()),
        [StartingBody::Planar(one)] => Some(JointBodies::in_plane(one, None)),
        [StartingBody::Planar(first), StartingBody::Planar(second)] => {
            Some(JointBodies::in_plane(first, Some(second)))
        }
        _ => None,
    }
}

impl BodyRelationDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match self {
            Self::Points { points, .. } if function == "geometry" => Some(points),
            _ => None,
        }
    }

    /// Returns the allowed numbers of bodies.
    pub(super) fn bodies(&self) -> RangeInclusive<usize> {
        match self {
            Self::BallAndPlane { .. } => 1..=1,
            Self::Balls { .. } => 2..=2,
            _ => 1..=2,
        }
    }

    /// Returns the number of components of y.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Spherical { .. } => 3,
            Self::Fixed { space: BodySpace::Spatial } => 6,
            Self::Fixed { space: BodySpace::Planar } => 3,
            Self::WithAxis(joint) => joint.size(),
            Self::Distance { .. } => 1,
            Self::BallAndPlane { rows, .. } | Self::Balls { rows, .. } | Self::Points { rows, .. } => {
                rows.count()
            }
        }
    }

    /// Builds the relation between these bodies. Returns `None` if a joint does not have one or two bodies.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if an axis has no direction, planar bodies cannot have the joint, or a length or a
    /// radius is negative or not finite.
    pub(super) fn build(
        &self,
        parameters: &[f64],
        systems: &[&DynamicalSystem],
    ) -> Result<Option<Relation>, ModelError> {
        let between = jointed(&bodies(systems));
        let of = |entries: &[Expression]| array(entries, parameters);
        let number = |value: &Expression| value.evaluate(&[&[], parameters]);
        Ok(Some(match self {
            Self::Spherical { point } => {
                let Some(bodies) = between else { return Ok(None) };
                Joint::spherical(bodies, of(point))?.into()
            }
            Self::Fixed { .. } => {
                let Some(bodies) = between else { return Ok(None) };
                Joint::fixed(bodies)?.into()
            }
            Self::WithAxis(joint) => {
                let Some(bodies) = between else { return Ok(None) };
                joint.build(parameters, bodies)?.into()
            }
            Self::Distance { first, second, length, is_slack } => {
                let Some(bodies) = between else { return Ok(None) };
                let mut distance = Distance::between(bodies, of(first), of(second))?;
                if let Some(length) = length {
                    distance = distance.with_length(number(length))?;
                }
                if *is_slack { distance.slack().into() } else { distance.into() }
            }
            Self::BallAndPlane { rows, radius, point, normal } => {
                PointContact::of_ball_and_plane(*rows, number(radius), of(point), of(normal))?.into()
            }
            Self::Balls { rows, first, second } => {
                PointContact::of_balls(*rows, number(first), number(second))?.into()
            }
            Self::Points { rows, points } => PointContact::new(*rows, geometry(points)).into(),
        }))
    }
}

/// Returns a function that computes both contact points and the normal from the coordinates.
fn geometry(points: &[Expression]) -> impl Fn(&Parameters, &[f64]) -> ContactPoints + Send + Sync + use<> {
    let tape = Tape::compile(&points.iter().collect::<Vec<_>>());
    move |parameters: &Parameters, q: &[f64]| {
        let mut out = [0.0; 9];
        tape.evaluate(&[&[], parameters.values(), q], &mut out);
        let [a, b, c, d, e, f, g, h, i] = out;
        ContactPoints { first: [a, b, c], second: [d, e, f], normal: [g, h, i] }
    }
}
