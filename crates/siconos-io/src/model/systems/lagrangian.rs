//! General Lagrangian systems: M(q) q'' + F_gyr(q, q') + F_int(t, q, q') = F_ext(t) + p.

use siconos_expression::{Expression, Scope};
use siconos_kernel::model::{
    DynamicalSystem, FirstOrderNonlinear, Jacobian, Lagrangian, StateForce, UnitCircle,
};

use super::super::functions;
use super::super::positions::{Positions, Space};
use super::super::registered::{MatrixFunction, Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{SECOND, symbols};
use super::super::table_writer::{NO_KEY, TableWriter};
use super::super::values::{Grid, evaluated, matrix};
use super::conservative::constant_force;
use super::control::{self, Control};
use super::{SystemInput, positions_and_velocities, write_positions};
use crate::document::{Diagnostics, Form, Key, Node, Table, Value, flag, needed, optional};

pub(super) const KEYS: [Key; 13] = [
    needed(
        "family",
        Form::Word(&["lagrangian"]),
        "M q'' + F_gyr + F_int = F_ext + T u + p, where p is the force of the interactions",
    ),
    needed("q", Form::Vector, "initial positions"),
    optional("v", Form::Vector, "initial velocities; default 0"),
    optional("coordinates", Form::Names, "names of the positions; default `q`, or `q[0]`, .."),
    needed("mass", Form::MatrixOrFunction, "M, which can depend on the positions"),
    optional(
        "gyroscopic_force",
        Form::VectorOrFunction,
        "F_gyr, which can depend on positions and velocities; default 0",
    ),
    optional(
        "internal_force",
        Form::VectorOrFunction,
        "F_int, which can depend on time, positions and velocities; default 0",
    ),
    optional("external_force", Form::VectorOrFunction, "F_ext, which can depend on time; default 0"),
    optional(
        "internal_derivative",
        Form::Table,
        "derivatives `q` and `v` of F_int, instead of the derivatives of its expressions",
    ),
    optional(
        "gyroscopic_derivative",
        Form::Table,
        "derivatives `q` and `v` of F_gyr, instead of the derivatives of its expressions",
    ),
    optional(
        "control",
        Form::Table,
        "control term T u; T can depend on positions, u on time, positions and velocities; default 0",
    ),
    FIRST_ORDER,
    CONFIGURATION,
];

/// Key of the configuration space.
const CONFIGURATION: Key = optional(
    "configuration",
    Form::Word(&["unit_circle"]),
    "configuration space: a direction in the plane, with its cosine and sine as positions and `omega` as the only \
     velocity; default: positions form a vector space",
);

/// Name in the kernel of the configuration space of directions in the plane.
const UNIT_CIRCLE: &str = "UnitCircle";

/// Key of a system in first-order form.
pub(super) const FIRST_ORDER: Key = optional(
    "first_order",
    Form::Boolean,
    "`true` for first-order form, with positions and velocities as the state; default false",
);

pub(in super::super) const DERIVATIVES: [Key; 2] = [
    optional("q", Form::Matrix, "derivative with respect to positions, or to states of first-order systems"),
    optional(
        "v",
        Form::Matrix,
        "derivative with respect to velocities, or to rates of the states of first-order systems",
    ),
];

/// Names in the kernel of a force and its derivatives.
const GYROSCOPIC: [&str; 3] = ["F_gyr", "derivative of F_gyr in q", "derivative of F_gyr in v"];
pub(super) const INTERNAL: [&str; 3] = ["F_int", "derivative of F_int in q", "derivative of F_int in v"];

/// Names in the kernel of the derivatives of the control term.
const CONTROL_DERIVATIVES: [&str; 2] =
    ["derivative of the control term in q", "derivative of the control term in v"];

/// Description of the system in a file.
#[derive(Debug)]
pub(super) struct LagrangianDescription {
    q: Vec<Expression>,
    v: Option<Vec<Expression>>,
    mass: MatrixFunction,
    gyroscopic: Option<Force>,
    internal: Option<Force>,
    external: Option<VectorFunction>,
    control: Option<Control>,
    is_first_order: bool,
    space: Space,
}

/// A force with the derivatives that the file gives.
#[derive(Debug)]
pub(super) struct Force {
    pub(super) value: VectorFunction,
    pub(super) by_q: Option<Grid>,
    pub(super) by_v: Option<Grid>,
}

pub(super) fn read(
    parts: SystemInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<LagrangianDescription> {
    let SystemInput { table, span, scopes, coordinates } = parts;
    let n = coordinates.velocity_count();
    let [
        _,
        q,
        v,
        _,
        mass,
        gyroscopic,
        internal,
        external,
        internal_by,
        gyroscopic_by,
        control,
        first_order,
        configuration,
    ] = table.keyed(&KEYS, &span, diagnostics);
    let initial = positions_and_velocities([q, v], n, scopes, diagnostics);
    let steady = coordinates.scope_with_velocities(&scopes.parameters);
    let of_time = coordinates.scope_with_velocities(&scopes.time);
    let of_positions = coordinates.scope(&scopes.parameters);
    let mass = mass
        .and_then(|mass| MatrixFunction::read(&mass, (n, n), &of_positions, Arguments::State, diagnostics));
    let gyroscopic = force(gyroscopic, gyroscopic_by, n, &steady, diagnostics);
    let internal = force(internal, internal_by, n, &of_time, diagnostics);
    let external = match external {
        Some(force) => VectorFunction::sized(&force, n, &scopes.time, Arguments::Time, diagnostics).map(Some),
        None => Some(None),
    };
    let control = control::of_state(control, n, (&of_positions, &of_time), diagnostics);
    let space = configuration
        .map_or(Some(Space::Vector), |own| own.word(diagnostics, &[("unit_circle", Space::Circle)]));
    let is_first_order = flag(first_order, diagnostics);
    let (q, v) = initial?;
    let (mass, gyroscopic, internal) = (mass?, gyroscopic?, internal?);
    let (external, control, is_first_order, space) = (external?, control?, is_first_order?, space?);
    Some(LagrangianDescription { q, v, mass, gyroscopic, internal, external, control, is_first_order, space })
}

/// Returns `true` if the system in a table has first-order form.
pub(super) fn is_first_order(table: &Table<'_>) -> bool {
    let [family, ..] = &KEYS;
    table.get(family.name).is_some_and(|value| family.form.has_word(value))
        && table.get(FIRST_ORDER.name).is_some_and(|own| matches!(own.node, Node::Boolean(true)))
}

/// Returns the configuration space of the system in a table.
pub(super) fn space(table: &Table<'_>) -> Space {
    match table.get(CONFIGURATION.name) {
        Some(own) if CONFIGURATION.form.has_word(own) => Space::Circle,
        _ => Space::Vector,
    }
}

/// Reads a force, if there is one. Returns `None` if it has an error.
pub(super) fn force(
    value: Option<Value<'_>>,
    given: Option<Value<'_>>,
    n: Option<usize>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Force>> {
    let given = match given {
        None => Some([None, None]),
        Some(given) => {
            if value.is_none() {
                diagnostics.note(&given.span, "these are derivatives of a force that is missing");
            }
            derivatives(given, n, scope, diagnostics)
        }
    };
    let Some(value) = value else { return given.map(|_| None) };
    let value = VectorFunction::sized(&value, n, scope, Arguments::Motion, diagnostics)?;
    let [by_q, by_v] = given?;
    Some(Some(Force { value, by_q, by_v }))
}

/// Reads the derivatives with respect to positions and to velocities, if they are given.
pub(super) fn derivatives(
    value: Value<'_>,
    n: Option<usize>,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<[Option<Grid>; 2]> {
    let span = value.span.clone();
    let [by_q, by_v] =
        value.table(diagnostics)?.keyed(&DERIVATIVES, &span, diagnostics).map(|field| match field {
            Some(field) => matrix(&field, (n, n), scope, diagnostics).map(Some),
            None => Some(None),
        });
    Some([by_q?, by_v?])
}

impl Force {
    /// Returns the expressions of the function whose name in the kernel is `function`. `own`, `by_q` and
    /// `by_v` are the names of the force and its derivatives in the kernel.
    pub(super) fn text(&self, [own, by_q, by_v]: [&str; 3], function: &str) -> Option<&[Expression]> {
        match function {
            _ if function == own => self.value.expressions(),
            _ if function == by_q => self.by_q.as_ref().map(Grid::as_slice),
            _ if function == by_v => self.by_v.as_ref().map(Grid::as_slice),
            _ => None,
        }
    }

    fn jacobians(&self, positions: &Positions, registry: &Registry) -> (Jacobian, Jacobian) {
        let by_q = match (&self.by_q, &self.value) {
            (Some(grid), _) => functions::given_jacobian(grid),
            (None, VectorFunction::Expressions(own)) => functions::jacobian_along(own, positions),
            (None, VectorFunction::Registered(own)) => own.jacobian(registry, 0),
        };
        let by_v = match (&self.by_v, &self.value) {
            (Some(grid), _) => functions::given_jacobian(grid),
            (None, VectorFunction::Expressions(own)) => functions::jacobian(own, &symbols(SECOND, own.len())),
            (None, VectorFunction::Registered(own)) => own.jacobian(registry, 1),
        };
        (by_q, by_v)
    }
}

impl LagrangianDescription {
    /// Returns the external force if it is constant and the only force.
    pub(super) fn constant_force(&self) -> Option<&[Expression]> {
        let has_others = self.internal.is_some() || self.control.is_some() || self.is_first_order;
        if has_others { None } else { constant_force(self.external.as_ref()) }
    }

    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        let (internal, gyroscopic) = (self.internal.as_ref(), self.gyroscopic.as_ref());
        match function {
            "M" => self.mass.expressions(),
            "F_ext" => self.external.as_ref()?.expressions(),
            _ => [(INTERNAL, internal), (GYROSCOPIC, gyroscopic)]
                .into_iter()
                .find_map(|(names, force)| force?.text(names, function))
                .or_else(|| self.control.as_ref()?.text(CONTROL_DERIVATIVES, function)),
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let [internal, gyroscopic] =
            [&self.internal, &self.gyroscopic].map(|force| force.as_ref().map(|force| &force.value));
        let of_control = self.control.iter().flat_map(Control::registered);
        let mass = self.mass.registered().map(|own| ("M", own));
        [(INTERNAL[0], internal), (GYROSCOPIC[0], gyroscopic), ("F_ext", self.external.as_ref())]
            .into_iter()
            .filter_map(|(name, own)| Some((name, own?.registered()?)))
            .chain(mass)
            .chain(of_control)
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<DynamicalSystem> {
        let q = evaluated(&self.q, parameters);
        let positions = Positions::new([(self.space, q.len())]);
        let at_rest = || vec![0.0; positions.directions().len()];
        let v = self.v.as_ref().map_or_else(at_rest, |v| evaluated(v, parameters));
        let mut system = match self.mass.constant() {
            Some(mass) => Lagrangian::new(q, v, mass),
            None => {
                let mass = functions::steady_matrix(self.mass.evaluation(registry)?);
                Lagrangian::of_mass_function(q, v, mass)
            }
        };
        if self.space == Space::Circle {
            system = system.with_configuration(UnitCircle);
        }
        if let Some(force) = &self.gyroscopic {
            let (by_q, by_v) = force.jacobians(&positions, registry);
            let own = functions::steady_of_both(force.value.evaluation(registry)?);
            system = system.with_gyroscopic_force(own, by_q, by_v);
        }
        if let Some(force) = &self.internal {
            let (by_q, by_v) = force.jacobians(&positions, registry);
            let own = functions::of_both(force.value.evaluation(registry)?);
            system = system.with_internal_force(own, by_q, by_v);
        }
        if let Some(force) = &self.external {
            system = system.with_external_force(functions::of_time(force.evaluation(registry)?));
        }
        if let Some(control) = &self.control {
            system = system.with_control(control.build(&positions, registry)?);
        }
        Some(match self.is_first_order {
            true => FirstOrderNonlinear::of_lagrangian(&system).into(),
            false => system.into(),
        })
    }
}

/// Writes the system with the keys that the reader expects.
pub(super) fn write(own: &Lagrangian, coordinates: Option<&[String]>, table_writer: &mut TableWriter<'_>) {
    let [
        family,
        q,
        v,
        named,
        mass,
        gyroscopic,
        internal,
        external,
        internal_by,
        gyroscopic_by,
        control,
        _first_order,
        configuration,
    ] = &KEYS;
    table_writer.put(family, Value::of_text("lagrangian"));
    write_positions([named, q, v], (own.q0(), own.v0()), coordinates, table_writer);
    let n = own.v0().len();
    table_writer.matrix_coefficient(mass, "M", (n, n), Some(own.mass()));
    let forces = [
        ((gyroscopic, gyroscopic_by), GYROSCOPIC, own.gyroscopic_force()),
        ((internal, internal_by), INTERNAL, own.internal_force()),
    ];
    for ((key, key_by), [name, by_q, by_v], force) in forces {
        if let Some(force) = force {
            write_force(&force, n, [name, by_q, by_v], (key, key_by), table_writer);
        }
    }
    table_writer.coefficient(external, "F_ext", own.external_force());
    match own.configuration().map(|space| space.name()) {
        None => (),
        Some(Some(UNIT_CIRCLE)) => table_writer.put(configuration, Value::of_text("unit_circle")),
        Some(_) => table_writer.leave("configuration space", NO_KEY),
    }
    if let Some(own) = own.control() {
        control::write(own, n, CONTROL_DERIVATIVES, control, table_writer);
    }
}

/// Writes a force with n components under its key, and the derivatives that do not follow from its
/// expressions.
pub(super) fn write_force(
    force: &StateForce<'_>,
    n: usize,
    [name, by_q, by_v]: [&str; 3],
    (key, key_by): (&Key, &Key),
    table_writer: &mut TableWriter<'_>,
) {
    table_writer.expressions(key, name, force.origin);
    let [q, v] = &DERIVATIVES;
    let by_q = table_writer.derivative(by_q, n, force.jacobian_q, force.origin).map(|by_q| (q.name, by_q));
    let by_v = table_writer.derivative(by_v, n, force.jacobian_v, force.origin).map(|by_v| (v.name, by_v));
    if by_q.is_some() || by_v.is_some() {
        table_writer.put(key_by, Value::of_table(by_q.into_iter().chain(by_v)));
    }
}
