//! Rigid bodies: Newton's equation for the centre of mass, Euler's equation for the rotation.

use siconos_expression::{Expression, Scope};
use siconos_kernel::model::dynamical_system::Frame;
use siconos_kernel::model::{Inertia, NewtonEuler, Quaternion, RotationUpdate};

use super::super::functions;
use super::super::registered::{Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{SECOND, Scopes, symbols};
use super::super::table_writer::TableWriter;
use super::super::values::{Grid, direction, evaluated, matrix, of_column, sized};
use super::conservative::constant_force;
use super::lagrangian::{self, Force, INTERNAL};
use super::{Coordinates, SystemInput};
use crate::document::{Diagnostics, Form, Key, Node, Value, needed, optional};

pub(super) const KEYS: [Key; 14] = [
    needed(
        "family",
        Form::Word(&["newton_euler"]),
        "rigid body: m V' + F_int = F_ext + p, and Euler's equation for its rotation",
    ),
    needed("mass", Form::Number, "mass m"),
    needed(
        "inertia",
        Form::Moments,
        "inertia about the centre of mass, in the body frame: one moment for all axes, three moments, or a 3 x 3 matrix",
    ),
    needed("position", Form::Vector, "initial position of the centre of mass"),
    optional(
        "attitude",
        Form::Table,
        "initial orientation: a quaternion, scalar first, or `{ axis, angle }`; default: the identity",
    ),
    optional(
        "velocity",
        Form::Vector,
        "initial velocity of the centre of mass, in the inertial frame; default 0",
    ),
    optional("omega", Form::Vector, "initial angular velocity, in the body frame; default 0"),
    optional(
        "external_force",
        Form::VectorOrFunction,
        "F_ext on the centre of mass, in the inertial frame, which can depend on time; default 0",
    ),
    optional(
        "external_moment",
        Form::VectorOrFunction,
        "external moment in the inertial frame, which can depend on time; default 0",
    ),
    optional(
        "external_moment_in_body",
        Form::VectorOrFunction,
        "external moment in the body frame, which can depend on time; default 0",
    ),
    optional(
        "internal_force",
        Form::VectorOrFunction,
        "F_int, a force and a moment with three entries each, which can depend on time, position and velocity; default 0",
    ),
    optional(
        "internal_frame",
        Form::Word(&["space", "body"]),
        "frame of the moment in `internal_force`; default space",
    ),
    optional(
        "internal_derivative",
        Form::Table,
        "6 x 6 derivatives of F_int, instead of the derivatives of its expressions: `q` with respect to displacement and \
         rotation, `v` with respect to velocity and angular velocity",
    ),
    optional(
        "rotation_update",
        Form::Word(&["exponential", "tangent"]),
        "formula that updates the orientation in a step; default exponential",
    ),
];

pub(in super::super) const ORIENTATION: [Key; 2] = [
    needed("axis", Form::Vector, "axis of rotation; of nonzero length"),
    needed("angle", Form::Number, "angle of rotation, in radians"),
];

/// Description of the body in a file.
#[derive(Debug)]
pub(super) struct BodyDescription {
    mass: Expression,
    inertia: Grid,
    position: Vec<Expression>,
    attitude: Orientation,
    velocity: Option<Vec<Expression>>,
    omega: Option<Vec<Expression>>,
    force: Option<VectorFunction>,
    moments: [Option<VectorFunction>; 2],
    internal: Option<Force>,
    frame: Frame,
    rotation_update: RotationUpdate,
}

/// Frames of moments, by name.
const FRAMES: [(&str, Frame); 2] = [("space", Frame::Space), ("body", Frame::Body)];

const ROTATION_UPDATES: [(&str, RotationUpdate); 2] =
    [("exponential", RotationUpdate::Exponential), ("tangent", RotationUpdate::Tangent)];

/// Returns the word that files use for a value.
fn word_of<T: PartialEq>(words: &[(&'static str, T)], meaning: &T) -> &'static str {
    words.iter().find(|(_, other)| other == meaning).map_or("", |(word, _)| word)
}

#[derive(Debug)]
enum Orientation {
    Quaternion(Vec<Expression>),
    Turn { axis: Vec<Expression>, angle: Expression },
}

pub(super) fn read(parts: SystemInput<'_, '_>, diagnostics: &mut Diagnostics<'_>) -> Option<BodyDescription> {
    let SystemInput { table, span, scopes, coordinates } = parts;
    let [
        _,
        mass,
        inertia,
        position,
        attitude,
        velocity,
        omega,
        force,
        moment,
        in_body,
        internal,
        frame,
        internal_by,
        rotation_update,
    ] = table.keyed(&KEYS, &span, diagnostics);
    let scope = &scopes.parameters;
    let mass = mass.and_then(|mass| super::super::values::expression(&mass, scope, diagnostics));
    let inertia = inertia.and_then(|value| moments_of_inertia(&value, scope, diagnostics));
    let position = position.and_then(|value| sized(&value, 3, scope, diagnostics));
    let attitude = match attitude {
        Some(value) => read_attitude(value, scopes, diagnostics),
        None => ["1", "0", "0", "0"]
            .map(|text| siconos_expression::parse_number(text, scope).ok())
            .into_iter()
            .collect::<Option<_>>()
            .map(Orientation::Quaternion),
    };
    let [velocity, omega] = [velocity, omega].map(|value| three(value, scope, diagnostics));
    let of_time = &*scopes.time;
    let [force, moment, in_body] = [force, moment, in_body].map(|value| match value {
        Some(value) => {
            VectorFunction::sized(&value, Some(3), of_time, Arguments::Time, diagnostics).map(Some)
        }
        None => Some(None),
    });
    let internal = internal_force([internal, internal_by], &frame, coordinates, scopes, diagnostics);
    let frame = frame.map_or(Some(Frame::Space), |frame| frame.word(diagnostics, &FRAMES));
    let rotation_update = rotation_update
        .map_or(Some(RotationUpdate::default()), |update| update.word(diagnostics, &ROTATION_UPDATES));
    Some(BodyDescription {
        mass: mass?,
        inertia: inertia?,
        position: position?,
        attitude: attitude?,
        velocity: velocity?,
        omega: omega?,
        force: force?,
        moments: [moment?, in_body?],
        internal: internal?,
        frame: frame?,
        rotation_update: rotation_update?,
    })
}

/// Reads the internal force and moment, which are functions of the position and velocity of the body.
fn internal_force(
    [force, derivatives]: [Option<Value<'_>>; 2],
    frame: &Option<Value<'_>>,
    coordinates: &Coordinates,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Force>> {
    if let (None, Some(frame)) = (&force, frame) {
        diagnostics.note(&frame.span, "this is the frame of a force that is missing");
    }
    lagrangian::force(
        force,
        derivatives,
        Some(6),
        &coordinates.scope_with_velocities(&scopes.time),
        diagnostics,
    )
}

fn three(
    value: Option<Value<'_>>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Vec<Expression>>> {
    value.map_or(Some(None), |value| sized(&value, 3, scope, diagnostics).map(Some))
}

/// Reads moments of inertia: one moment for all axes, three moments about the axes of the body, or a matrix.
fn moments_of_inertia(value: &Value<'_>, scope: &Scope, diagnostics: &mut Diagnostics<'_>) -> Option<Grid> {
    match &value.node {
        Node::Number { .. } | Node::Text(_) => sized(value, 1, scope, diagnostics).map(Grid::column),
        Node::Array(values)
            if !matches!(values.first().map(|own| &of_column(own, value).node), Some(Node::Array(_))) =>
        {
            sized(value, 3, scope, diagnostics).map(Grid::column)
        }
        _ => matrix(value, (Some(3), Some(3)), scope, diagnostics),
    }
}

fn read_attitude(
    value: Value<'_>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Orientation> {
    let scope = &scopes.parameters;
    if !matches!(value.node, Node::Table(_)) {
        return sized(&value, 4, scope, diagnostics).map(Orientation::Quaternion);
    }
    let span = value.span.clone();
    let [axis, angle] = value.table(diagnostics)?.keyed(&ORIENTATION, &span, diagnostics);
    let axis = axis.and_then(|axis| direction(&axis, scope, diagnostics));
    let angle = angle.and_then(|angle| super::super::values::expression(&angle, scope, diagnostics));
    Some(Orientation::Turn { axis: axis?, angle: angle? })
}

fn array<const N: usize>(entries: &[Expression], parameters: &[f64]) -> Option<[f64; N]> {
    evaluated(entries, parameters).try_into().ok()
}

impl BodyDescription {
    /// Returns the external force if it is constant and the only force.
    pub(super) fn constant_force(&self) -> Option<&[Expression]> {
        let has_others = self.internal.is_some() || self.moments.iter().any(Option::is_some);
        if has_others { None } else { constant_force(self.force.as_ref()) }
    }

    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        let [in_space, in_body] = &self.moments;
        match function {
            "F_ext" => self.force.as_ref()?.expressions(),
            "M_ext in space" => in_space.as_ref()?.expressions(),
            "M_ext in the body" => in_body.as_ref()?.expressions(),
            _ => self.internal.as_ref()?.text(INTERNAL, function),
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let [in_space, in_body] = &self.moments;
        [
            (INTERNAL[0], self.internal.as_ref().map(|force| &force.value)),
            ("F_ext", self.force.as_ref()),
            ("M_ext in space", in_space.as_ref()),
            ("M_ext in the body", in_body.as_ref()),
        ]
        .into_iter()
        .filter_map(|(name, own)| Some((name, own?.registered()?)))
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<NewtonEuler> {
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
            Orientation::Quaternion(parts) => {
                let [scalar, x, y, z] = array(parts, parameters)?;
                Quaternion::of_parts(scalar, [x, y, z])
            }
            Orientation::Turn { axis, angle } => {
                Quaternion::about(array(axis, parameters)?, angle.evaluate(&[&[], parameters]))
            }
        };
        let mut body = NewtonEuler::new(mass, inertia, array(&self.position, parameters)?, attitude);
        let or_zero = |given: &Option<Vec<Expression>>| match given {
            Some(given) => array(given, parameters),
            None => Some([0.0; 3]),
        };
        body = body.with_twist(or_zero(&self.velocity)?, or_zero(&self.omega)?);
        let three = |own: &VectorFunction| own.constant().and_then(|own| <[f64; 3]>::try_from(own).ok());
        if let Some(force) = &self.force {
            body = match three(force) {
                Some(force) => body.with_constant_external_force(force),
                None => body.with_external_force(functions::of_time(force.evaluation(registry)?)),
            };
        }
        for (frame, moment) in [Frame::Space, Frame::Body].into_iter().zip(&self.moments) {
            let Some(moment) = moment else { continue };
            body = match three(moment) {
                Some(moment) => body.with_constant_external_moment(frame, moment),
                None => body.with_external_moment(frame, functions::of_time(moment.evaluation(registry)?)),
            };
        }
        if let Some(force) = &self.internal {
            let given = |grid: &Option<Grid>| grid.as_ref().map(functions::given_jacobian);
            let [by_q, by_v] = [&force.by_q, &force.by_v].map(given);
            let (by_q, by_v) = match &force.value {
                VectorFunction::Expressions(own) => (
                    by_q.unwrap_or_else(|| functions::jacobian_of_body(own)),
                    by_v.unwrap_or_else(|| functions::jacobian(own, &symbols(SECOND, 6))),
                ),
                VectorFunction::Registered(own) => (
                    by_q.unwrap_or_else(|| own.jacobian(registry, 0)),
                    by_v.unwrap_or_else(|| own.jacobian(registry, 1)),
                ),
            };
            let own = functions::of_both(force.value.evaluation(registry)?);
            body = body.with_internal_force(self.frame, own, by_q, by_v);
        }
        Some(body.with_rotation_update(self.rotation_update))
    }
}

/// Writes the body with the keys that the reader expects.
pub(super) fn write(own: &NewtonEuler, table_writer: &mut TableWriter<'_>) {
    let [
        family,
        mass,
        inertia,
        position,
        attitude,
        velocity,
        omega,
        force,
        moment,
        in_body,
        internal,
        frame,
        internal_by,
        rotation_update,
    ] = &KEYS;
    table_writer.put(family, Value::of_text("newton_euler"));
    table_writer.number(mass, own.mass());
    let moments = own.inertia().matrix();
    let [[a, _, _], [_, b, _], [_, _, c]] = *moments;
    let bits = |rows: &[[f64; 3]; 3]| rows.map(|row| row.map(f64::to_bits));
    if bits(moments) == bits(Inertia::from([a, b, c]).matrix()) {
        table_writer.vector(inertia, &[a, b, c]);
    } else {
        table_writer
            .put(inertia, Value::of_array(moments.map(|row| Value::of_array(row.map(Value::of_number)))));
    }
    table_writer.vector(position, &own.q0()[..3]);
    let (turn, none) = (own.orientation(), Quaternion::of_parts(1.0, [0.0; 3]));
    if turn.0.map(f64::to_bits) != none.0.map(f64::to_bits) {
        let [x, y, z] = turn.vector();
        table_writer.vector(attitude, &[turn.scalar(), x, y, z]);
    }
    for (key, entries) in [velocity, omega].into_iter().zip(own.v0().chunks(3)) {
        table_writer.vector_but_zero(key, entries);
    }
    table_writer.coefficient(force, "F_ext", own.external_force());
    table_writer.coefficient(moment, "M_ext in space", own.external_moment(Frame::Space));
    table_writer.coefficient(in_body, "M_ext in the body", own.external_moment(Frame::Body));
    if let Some((of_moment, force)) = own.internal_force() {
        lagrangian::write_force(&force, 6, INTERNAL, (internal, internal_by), table_writer);
        if of_moment != Frame::Space {
            table_writer.put(frame, Value::of_text(word_of(&FRAMES, &of_moment)));
        }
    }
    let update = own.rotation_update();
    if update != RotationUpdate::default() {
        table_writer.put(rotation_update, Value::of_text(word_of(&ROTATION_UPDATES, &update)));
    }
}
