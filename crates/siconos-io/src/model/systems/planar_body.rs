//! Rigid bodies in the plane, with the coordinates x, y and angle.

use siconos_expression::Expression;
use siconos_kernel::model::LagrangianLinear;

use super::super::functions;
use super::super::functions::Evaluation;
use super::super::values::{evaluated, expression, is_constant, sized};
use super::SystemInput;
use crate::document::{Diagnostics, Form, Key, Table, Value, needed, optional};

pub(super) const KEYS: [Key; 9] = [
    needed(
        "family",
        Form::Word(&[PLANAR_BODY]),
        "rigid body in the plane, with the coordinates `x`, `y` and `angle`",
    ),
    needed("mass", Form::Number, "mass"),
    needed("inertia", Form::Number, "moment of inertia about the centre of mass"),
    needed("position", Form::Vector, "initial position of the centre of mass, two numbers"),
    optional("angle", Form::Number, "initial angle, in radians, counterclockwise; default 0"),
    optional("velocity", Form::Vector, "initial velocity of the centre of mass, two numbers; default 0"),
    optional("omega", Form::Number, "initial angular velocity; default 0"),
    optional(
        "external_force",
        Form::Vector,
        "force on the centre of mass, two numbers, which can depend on time; default 0",
    ),
    optional("external_moment", Form::Number, "external moment, which can depend on time; default 0"),
];

/// Name of the family.
const PLANAR_BODY: &str = "planar_body";

/// Returns `true` if a table describes a planar body.
pub(super) fn is_planar(table: &Table<'_>) -> bool {
    table.get("family").is_some_and(|family| KEYS[0].form.has_word(family))
}

/// Description of the body in a file. Vectors have the entries x, y and angle.
#[derive(Debug)]
pub(super) struct PlanarDescription {
    mass: Expression,
    inertia: Expression,
    position: Vec<Expression>,
    velocity: Vec<Expression>,
    force: Vec<Expression>,
}

pub(super) fn read(
    parts: SystemInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<PlanarDescription> {
    let SystemInput { table, span, scopes, .. } = parts;
    let [_, mass, inertia, position, angle, velocity, omega, force, moment] =
        table.keyed(&KEYS, &span, diagnostics);
    let (constant, of_time) = (&*scopes.parameters, &*scopes.time);
    let [mass, inertia] = [mass, inertia].map(|own| expression(&own?, constant, diagnostics));
    let mut three = |vector: Option<Value<'_>>, last: Option<Value<'_>>, scope| {
        let zero = || siconos_expression::parse_number("0", constant).ok();
        let vector = match vector {
            Some(vector) => sized(&vector, 2, scope, diagnostics),
            None => Some(vec![zero()?, zero()?]),
        };
        let last = match last {
            Some(last) => expression(&last, scope, diagnostics),
            None => zero(),
        };
        let mut three = vector?;
        three.push(last?);
        Some(three)
    };
    let is_placed = position.is_some();
    let position = three(position, angle, constant);
    let (velocity, force) = (three(velocity, omega, constant), three(force, moment, of_time));
    let description = PlanarDescription {
        mass: mass?,
        inertia: inertia?,
        position: position?,
        velocity: velocity?,
        force: force?,
    };
    is_placed.then_some(description)
}

impl PlanarDescription {
    /// Returns the external force and moment if they are constant.
    pub(super) fn constant_force(&self) -> Option<&[Expression]> {
        is_constant(&self.force).then_some(&self.force)
    }

    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        (function == "F_ext").then_some(&self.force)
    }

    pub(super) fn build(&self, parameters: &[f64]) -> Option<LagrangianLinear> {
        let number = |own: &Expression| own.evaluate(&[&[], parameters]);
        let position = evaluated(&self.position, parameters).try_into().ok()?;
        let body = LagrangianLinear::planar_body(number(&self.mass), number(&self.inertia), position)
            .with_velocity(evaluated(&self.velocity, parameters));
        let constant: Option<Vec<f64>> = self.force.iter().map(Expression::constant).collect();
        Some(match constant {
            Some(force) if force.iter().all(|force| *force == 0.0) => body,
            Some(force) => body.with_constant_external_force(force),
            None => body.with_external_force(functions::of_time(Evaluation::of(&self.force))),
        })
    }
}
