//! Gears, screws and racks: relations between the coordinates of two joints.

use std::num::NonZeroI32;
use std::ops::Range;

use siconos_expression::{Expression, Scope};
use siconos_kernel::ModelError;
use siconos_kernel::model::{Coupler, DynamicalSystem, JointCoordinate, Relation};

use super::super::values::{expression, of_column};
use super::RelationInput;
use super::body::{StartingBody, bodies, jointed};
use super::body_space::BodySpace;
use super::free_joint::{self, Free, FreeJoint};
use crate::document::{Diagnostics, Form, Key, Node, Value, needed, optional};

pub(super) const GEAR: [Key; 6] = [
    needed(
        "kind",
        Form::Word(&["gear"]),
        "pair of gears: first teeth * first angle + second teeth * second angle = 0",
    ),
    needed("first_joint", Form::Table, SAYS_JOINT),
    needed("second_joint", Form::Table, SAYS_JOINT),
    needed(
        "teeth",
        Form::Vector,
        "numbers of teeth of both wheels; one of them must be negative if a wheel runs in a ring gear",
    ),
    optional("first_bodies", Form::Count, SAYS_FIRST_BODIES),
    optional("shares_frame", Form::Boolean, SAYS_SHARES_FRAME),
];

pub(super) const RACK: [Key; 6] = [
    needed(
        "kind",
        Form::Word(&["rack"]),
        "rack and pinion: displacement of the first joint = `radius` * angle of the second joint",
    ),
    needed("first_joint", Form::Table, SAYS_JOINT),
    needed("second_joint", Form::Table, SAYS_JOINT),
    needed("radius", Form::Number, "radius of the pinion; negative to reverse the motion of the rack"),
    optional("first_bodies", Form::Count, SAYS_FIRST_BODIES),
    optional("shares_frame", Form::Boolean, SAYS_SHARES_FRAME),
];

pub(super) const SCREW: [Key; 3] = [
    needed(
        "kind",
        Form::Word(&["screw"]),
        "screw: the displacement of a cylindrical joint is proportional to its angle",
    ),
    needed("joint", Form::Table, SAYS_JOINT),
    needed("lead", Form::Number, "displacement per revolution; negative for a left-handed thread"),
];

const SAYS_JOINT: &str = "joint, as a table with the keys of a joint relation";

const SAYS_FIRST_BODIES: &str =
    "number of systems from the start of `systems` that belong to the first joint; default: half of them";

const SAYS_SHARES_FRAME: &str =
    "`true` if the third system, such as a housing, is the second body of both joints; default false";

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) enum CouplerDescription {
    Screw { joint: FreeJoint, lead: Expression },
    Pair { joints: [FreeJoint; 2], ratio: Ratio, bodies: Bodies },
}

/// Ratio of two joint coordinates.
#[derive(Debug)]
pub(in super::super) enum Ratio {
    Teeth([NonZeroI32; 2]),
    Radius(Expression),
}

/// Systems of the interaction that belong to each joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Bodies {
    /// The first joint has this number of systems from the start of the list. The second joint has all other
    /// systems.
    InTurn(usize),
    /// The first and the third system belong to the first joint, the second and the third to the second
    /// joint.
    SharingFrame,
}

pub(super) fn gear(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<CouplerDescription> {
    let (count, space) = (parts.systems.len(), parts.body_space());
    let scope = &*parts.scopes.parameters;
    let [_, first, second, teeth, first_bodies, shares_frame] =
        parts.table.keyed(&GEAR, &parts.span, diagnostics);
    let joints = joints([(first, Free::Angle), (second, Free::Angle)], space, scope, diagnostics);
    let teeth = teeth.and_then(|teeth| two_counts(&teeth, &parts.scopes.constants, diagnostics));
    let bodies = distribution(count, [first_bodies, shares_frame], &parts.span, diagnostics);
    Some(CouplerDescription::Pair { joints: joints?, ratio: Ratio::Teeth(teeth?), bodies: bodies? })
}

pub(super) fn rack(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<CouplerDescription> {
    let (count, space) = (parts.systems.len(), parts.body_space());
    let scope = &*parts.scopes.parameters;
    let [_, first, second, radius, first_bodies, shares_frame] =
        parts.table.keyed(&RACK, &parts.span, diagnostics);
    let joints = joints([(first, Free::Way), (second, Free::Angle)], space, scope, diagnostics);
    let radius = radius.and_then(|radius| expression(&radius, scope, diagnostics));
    let bodies = distribution(count, [first_bodies, shares_frame], &parts.span, diagnostics);
    Some(CouplerDescription::Pair { joints: joints?, ratio: Ratio::Radius(radius?), bodies: bodies? })
}

pub(super) fn screw(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<CouplerDescription> {
    let (space, scope) = (parts.body_space(), &*parts.scopes.parameters);
    let [_, joint, lead] = parts.table.keyed(&SCREW, &parts.span, diagnostics);
    let joint = joint.and_then(|joint| free_joint::read(joint, space, scope, diagnostics));
    let joint =
        joint.and_then(|joint| joint.leaving(Free::Way, diagnostics)?.leaving(Free::Angle, diagnostics));
    let lead = lead.and_then(|lead| expression(&lead, scope, diagnostics));
    Some(CouplerDescription::Screw { joint: joint?, lead: lead? })
}

fn joints(
    values: [(Option<Value<'_>>, Free); 2],
    space: BodySpace,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<[FreeJoint; 2]> {
    let read = values
        .map(|(value, free)| free_joint::read(value?, space, scope, diagnostics)?.leaving(free, diagnostics));
    let [first, second] = read;
    Some([first?, second?])
}

/// Reads two nonzero whole numbers.
fn two_counts(
    value: &Value<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<[NonZeroI32; 2]> {
    let entries = match &value.node {
        Node::Array(entries) if entries.len() == 2 => entries,
        _ => return value.refused(diagnostics, "the numbers of teeth of both wheels, an array of two"),
    };
    let mut one = |entry: &Value<'_>| {
        let entry = of_column(entry, value);
        let number = entry.constant(constants, diagnostics)?;
        let is_count = number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
        let count = is_count.then(|| NonZeroI32::new(number as i32)).flatten();
        if count.is_none() {
            let message = format_args!("this is {number}; a number of teeth must be a nonzero whole number");
            diagnostics.note(&entry.span, message);
        }
        count
    };
    let (first, second) = (one(&entries[0]), one(&entries[1]));
    Some([first?, second?])
}

/// Assigns the systems of the interaction to the two joints.
fn distribution(
    count: usize,
    [first_bodies, shares_frame]: [Option<Value<'_>>; 2],
    span: &Range<usize>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Bodies> {
    let said = first_bodies.as_ref().map_or(Some(None), |first| first.count(diagnostics, 1).map(Some));
    let shares = shares_frame.as_ref().map_or(Some(false), |shares| shares.boolean(diagnostics));
    let (said, shares) = said.zip(shares)?;
    if !(2..=4).contains(&count) {
        diagnostics
            .note(span, format_args!("this relation requires two, three or four bodies, found {count}"));
        return None;
    }
    match (said, shares) {
        (None, true) if count == 3 => Some(Bodies::SharingFrame),
        (None, true) => {
            diagnostics.note(
                span,
                "joints that share their second body require three bodies, with the shared body last",
            );
            None
        }
        (Some(_), true) => {
            let place = first_bodies.map_or(span.clone(), |value| value.span);
            diagnostics.note(&place, "this cannot be combined with `shares_frame`");
            None
        }
        (None, false) if count == 3 => {
            diagnostics.note(
                span,
                "three bodies can be assigned in several ways; give the number of bodies of the first joint, `first_bodies`, or \
                 set `shares_frame` if the third body belongs to both joints",
            );
            None
        }
        (None, false) => Some(Bodies::InTurn(count / 2)),
        (Some(first), false) if first < count && [first, count - first].iter().all(|own| *own <= 2) => {
            Some(Bodies::InTurn(first))
        }
        (Some(first), false) => {
            let place = first_bodies.map_or(span.clone(), |value| value.span);
            let message = format_args!(
                "with {first} of {count} bodies for the first joint, one of the joints does not have one or two bodies"
            );
            diagnostics.note(&place, message);
            None
        }
    }
}

impl CouplerDescription {
    /// Builds the relation between these bodies. Returns `None` if their number is wrong.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if an axis has no direction, planar bodies cannot have the joint, or a lead or radius
    /// is 0.
    pub(super) fn build(
        &self,
        parameters: &[f64],
        systems: &[&DynamicalSystem],
    ) -> Result<Option<Relation>, ModelError> {
        let all = bodies(systems);
        let number = |value: &Expression| value.evaluate(&[&[], parameters]);
        let (joints, ratio, bodies) = match self {
            Self::Screw { joint, lead } => {
                let Some(between) = jointed(&all) else { return Ok(None) };
                let joint = joint.build(parameters, between)?;
                return Ok(Some(Coupler::screw(&joint, number(lead))?.into()));
            }
            Self::Pair { joints, ratio, bodies } => (joints, ratio, bodies),
        };
        let Some(between) = bodies.of_joints(&all) else { return Ok(None) };
        let frees = match ratio {
            Ratio::Teeth(_) => [Free::Angle; 2],
            Ratio::Radius(_) => [Free::Way, Free::Angle],
        };
        let of = |side: usize| -> Result<Option<JointCoordinate>, ModelError> {
            match jointed(&between[side]) {
                Some(bodies) => joints[side].coordinate(frees[side], parameters, bodies),
                None => Ok(None),
            }
        };
        let (Some(first), Some(second)) = (of(0)?, of(1)?) else { return Ok(None) };
        let coupler = match ratio {
            Ratio::Teeth([of_first, of_second]) => Coupler::gear((&first, *of_first), (&second, *of_second))?,
            Ratio::Radius(radius) => Coupler::rack(&first, (&second, number(radius)))?,
        };
        Ok(Some(match bodies {
            Bodies::SharingFrame => coupler.sharing_frame()?.into(),
            Bodies::InTurn(_) => coupler.into(),
        }))
    }
}

impl Bodies {
    /// Returns the bodies of both joints.
    fn of_joints<'b>(self, all: &[StartingBody<'b>]) -> Option<[Vec<StartingBody<'b>>; 2]> {
        match (self, all) {
            (Self::SharingFrame, &[first, second, frame]) => Some([vec![first, frame], vec![second, frame]]),
            (Self::SharingFrame, _) => None,
            (Self::InTurn(count), all) => {
                let (first, second) = all.split_at_checked(count)?;
                Some([first.to_vec(), second.to_vec()])
            }
        }
    }
}
