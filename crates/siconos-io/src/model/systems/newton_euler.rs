//! Rigid bodies: Newton's equation for the centre of mass, Euler's for the rotation.

use siconos_expression::{Expression, Scope};
use siconos_kernel::model::dynamical_system::Frame;
use siconos_kernel::model::{Inertia, NewtonEuler, Quaternion, RotationUpdate};

use super::super::functions;
use super::super::scopes::Scopes;
use super::super::values::{Grid, evaluated, matrix, sized};
use super::super::write::{NO_KEY, Sheet};
use super::Parts;
use crate::document::{Faults, Form, Key, Node, Value, needed, optional};

pub(super) const KEYS: [Key; 10] = [
    needed("family", Form::Word(&["newton_euler"]), "what kind of system it is"),
    needed("mass", Form::Number, "m"),
    needed(
        "inertia",
        Form::Moments,
        "about the centre of mass, in axes of the body: a moment, three of them, or a matrix",
    ),
    needed("position", Form::Vector, "of the centre of mass at the start"),
    optional(
        "attitude",
        Form::Table,
        "at the start: a quaternion, scalar first, or `{ axis, angle }`; default none",
    ),
    optional("velocity", Form::Vector, "of the centre of mass at the start; default 0"),
    optional("omega", Form::Vector, "angular velocity at the start, in axes of the body; default 0"),
    optional("external_force", Form::Vector, "of the time; default 0"),
    optional("external_moment", Form::Vector, "of the time, about axes of space; default 0"),
    optional("external_moment_in_body", Form::Vector, "of the time, about axes of the body; default 0"),
];

pub(in super::super) const TURN: [Key; 2] =
    [needed("axis", Form::Vector, "of any length but 0"), needed("angle", Form::Number, "in radians")];

/// What a file says of it.
#[derive(Debug)]
pub(super) struct Described {
    mass: Expression,
    inertia: Grid,
    position: Vec<Expression>,
    attitude: Attitude,
    velocity: Option<Vec<Expression>>,
    omega: Option<Vec<Expression>>,
    force: Option<Vec<Expression>>,
    moments: [Option<Vec<Expression>>; 2],
}

#[derive(Debug)]
enum Attitude {
    Quaternion(Vec<Expression>),
    Turn { axis: Vec<Expression>, angle: Expression },
}

pub(super) fn read(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let Parts { table, span, scopes, .. } = parts;
    let [_, mass, inertia, position, attitude, velocity, omega, force, moment, in_body] =
        table.keyed(&KEYS, &span, faults);
    let scope = &scopes.parameters;
    let mass = mass.and_then(|mass| super::super::values::expression(&mass, scope, faults));
    let inertia = inertia.and_then(|value| moments_of_inertia(&value, scope, faults));
    let position = position.and_then(|value| sized(&value, 3, scope, faults));
    let attitude = match attitude {
        Some(value) => read_attitude(value, scopes, faults),
        None => ["1", "0", "0", "0"]
            .map(|text| siconos_expression::parse_number(text, scope).ok())
            .into_iter()
            .collect::<Option<_>>()
            .map(Attitude::Quaternion),
    };
    let [velocity, omega] = [velocity, omega].map(|value| three(value, scope, faults));
    let [force, moment, in_body] = [force, moment, in_body].map(|value| three(value, &scopes.time, faults));
    Some(Described {
        mass: mass?,
        inertia: inertia?,
        position: position?,
        attitude: attitude?,
        velocity: velocity?,
        omega: omega?,
        force: force?,
        moments: [moment?, in_body?],
    })
}

fn three(
    value: Option<Value<'_>>,
    scope: &Scope,
    faults: &mut Faults<'_>,
) -> Option<Option<Vec<Expression>>> {
    value.map_or(Some(None), |value| sized(&value, 3, scope, faults).map(Some))
}

/// One moment is that about any axis, three are those about the axes of the body.
fn moments_of_inertia(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Grid> {
    match &value.node {
        Node::Number { .. } | Node::Text(_) => sized(value, 1, scope, faults).map(Grid::column),
        Node::Array(values) if !matches!(values.first().map(|value| &value.node), Some(Node::Array(_))) => {
            sized(value, 3, scope, faults).map(Grid::column)
        }
        _ => matrix(value, (Some(3), Some(3)), scope, faults),
    }
}

fn read_attitude(value: Value<'_>, scopes: &Scopes, faults: &mut Faults<'_>) -> Option<Attitude> {
    let scope = &scopes.parameters;
    if !matches!(value.node, Node::Table(_)) {
        return sized(&value, 4, scope, faults).map(Attitude::Quaternion);
    }
    let span = value.span.clone();
    let [axis, angle] = value.table(faults)?.keyed(&TURN, &span, faults);
    let axis = axis.and_then(|axis| direction(&axis, scope, faults));
    let angle = angle.and_then(|angle| super::super::values::expression(&angle, scope, faults));
    Some(Attitude::Turn { axis: axis?, angle: angle? })
}

/// A vector of three numbers that are not all 0.
fn direction(value: &Value<'_>, scope: &Scope, faults: &mut Faults<'_>) -> Option<Vec<Expression>> {
    let axis = sized(value, 3, scope, faults)?;
    if axis.iter().all(|entry| entry.constant() == Some(0.0)) {
        faults.note(&value.span, "this axis must be longer than 0");
        return None;
    }
    Some(axis)
}

fn array<const N: usize>(entries: &[Expression], parameters: &[f64]) -> Option<[f64; N]> {
    evaluated(entries, parameters).try_into().ok()
}

impl Described {
    /// The expressions of a function of the body, by its name.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        let [in_space, in_body] = &self.moments;
        match function {
            "F_ext" => self.force.as_deref(),
            "M_ext in space" => in_space.as_deref(),
            "M_ext in the body" => in_body.as_deref(),
            _ => None,
        }
    }

    pub(super) fn build(&self, parameters: &[f64]) -> Option<NewtonEuler> {
        let mass = self.mass.evaluate(&[&[], parameters]);
        let inertia: Inertia = match (self.inertia.rows, self.inertia.columns) {
            (1, 1) => {
                let [moment] = array(&self.inertia.entries, parameters)?;
                moment.into()
            }
            (_, 1) => array::<3>(&self.inertia.entries, parameters)?.into(),
            _ => {
                let rows: [f64; 9] = array(&self.inertia.entries, parameters)?;
                let [a, b, c, d, e, f, g, h, i] = rows;
                [[a, b, c], [d, e, f], [g, h, i]].into()
            }
        };
        let attitude = match &self.attitude {
            Attitude::Quaternion(parts) => {
                let [scalar, x, y, z] = array(parts, parameters)?;
                Quaternion::of_parts(scalar, [x, y, z])
            }
            Attitude::Turn { axis, angle } => {
                Quaternion::about(array(axis, parameters)?, angle.evaluate(&[&[], parameters]))
            }
        };
        let mut body = NewtonEuler::new(mass, inertia, array(&self.position, parameters)?, attitude);
        let or_zero = |given: &Option<Vec<Expression>>| match given {
            Some(given) => array(given, parameters),
            None => Some([0.0; 3]),
        };
        body = body.with_twist(or_zero(&self.velocity)?, or_zero(&self.omega)?);
        if let Some(force) = &self.force {
            body = match constant(force) {
                true => body.with_constant_external_force(array(force, parameters)?),
                false => body.with_external_force(functions::of_time(force)),
            };
        }
        for (frame, moment) in [Frame::Space, Frame::Body].into_iter().zip(&self.moments) {
            let Some(moment) = moment else { continue };
            body = match constant(moment) {
                true => body.with_constant_external_moment(frame, array(moment, parameters)?),
                false => body.with_external_moment(frame, functions::of_time(moment)),
            };
        }
        Some(body)
    }
}

/// Whether entries read nothing.
fn constant(entries: &[Expression]) -> bool {
    entries.iter().all(|entry| entry.constant().is_some())
}

/// Writes it by the same keys.
pub(super) fn write(own: &NewtonEuler, sheet: &mut Sheet<'_>) {
    let [family, mass, inertia, position, attitude, velocity, omega, force, moment, in_body] = &KEYS;
    sheet.put(family, Value::of_text("newton_euler"));
    sheet.number(mass, own.mass());
    let moments = own.inertia().matrix();
    let [[a, _, _], [_, b, _], [_, _, c]] = *moments;
    if moments == Inertia::from([a, b, c]).matrix() {
        sheet.vector(inertia, &[a, b, c]);
    } else {
        sheet.put(inertia, Value::of_array(moments.map(|row| Value::of_array(row.map(Value::of_number)))));
    }
    sheet.vector(position, &own.q0()[..3]);
    let (turn, none) = (own.attitude(), Quaternion::of_parts(1.0, [0.0; 3]));
    if turn != none {
        let [x, y, z] = turn.vector();
        sheet.vector(attitude, &[turn.scalar(), x, y, z]);
    }
    for (key, entries) in [velocity, omega].into_iter().zip(own.v0().chunks(3)) {
        sheet.vector_but_zero(key, entries);
    }
    sheet.coefficient(force, "F_ext", own.external_force());
    sheet.coefficient(moment, "M_ext in space", own.external_moment(Frame::Space));
    sheet.coefficient(in_body, "M_ext in the body", own.external_moment(Frame::Body));
    if own.internal_force().is_some() {
        sheet.leave("F_int", NO_KEY);
    }
    if own.rotation_update() != RotationUpdate::default() {
        sheet.leave("rotation update", NO_KEY);
    }
}
