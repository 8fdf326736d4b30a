//! The systems of a model, one family per file.

mod first_order_linear;
mod first_order_nonlinear;
mod lagrangian;
mod lagrangian_linear;
mod newton_euler;

use std::ops::Range;

use siconos_expression::{Expression, Role, Scope};
use siconos_kernel::model::{DynamicalSystem, NonSmoothDynamicalSystem};

use super::origins;
use super::scopes::{FIRST, SECOND, Scopes, declare, numbered};
use super::values::vector;
use super::write::{self, Names, Sheet, Unwritten};
use crate::document::{Entry, Faults, Key, Node, Table, Value};

/// A system as its file describes it.
#[derive(Debug)]
pub(super) struct System {
    pub(super) name: String,
    /// Of its name.
    pub(super) span: Range<usize>,
    pub(super) coordinates: Coordinates,
    /// Nothing where the family is not known.
    pub(super) naming: Option<Naming>,
    /// Nothing where it is at fault.
    family: Option<Family>,
}

/// What a system is.
#[derive(Debug)]
enum Family {
    LagrangianLinear(lagrangian_linear::Described),
    Lagrangian(lagrangian::Described),
    FirstOrderLinear(first_order_linear::Described),
    FirstOrderNonlinear(first_order_nonlinear::Described),
    NewtonEuler(newton_euler::Described),
}

impl Family {
    /// The expressions of a function of the system, by the name that the kernel has for it.
    fn text(&self, function: &str) -> Option<&[Expression]> {
        match self {
            Self::LagrangianLinear(described) => described.text(function),
            Self::Lagrangian(described) => described.text(function),
            Self::FirstOrderLinear(described) => described.text(function),
            Self::FirstOrderNonlinear(described) => described.text(function),
            Self::NewtonEuler(described) => described.text(function),
        }
    }
}

/// The names of the positions or states of a system.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) names: Vec<String>,
    /// The names of the velocities; none of a first-order system.
    pub(super) velocities: Vec<String>,
}

/// What the coordinates of a family are called, unless the file names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// `q`, or `q[0]`, .., with velocities that have a prime.
    Positions,
    /// `x`, or `x[0]`, ..
    States,
    /// The place of a body and its quaternion, its velocity and angular velocity.
    Body,
}

impl Naming {
    /// The systems that have such coordinates, in the words of a message.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Positions => "Lagrangian systems",
            Self::States => "first-order systems",
            Self::Body => "rigid bodies",
        }
    }
}

type ReadFamily = fn(Parts<'_, '_>, &mut Faults<'_>) -> Option<Family>;

/// The families by the word for each, and what their coordinates are called.
const FAMILIES: [(&str, (Naming, ReadFamily)); 5] = [
    (
        "lagrangian_linear",
        (Naming::Positions, |parts, faults| {
            lagrangian_linear::read(parts, faults).map(Family::LagrangianLinear)
        }),
    ),
    (
        "lagrangian",
        (Naming::Positions, |parts, faults| lagrangian::read(parts, faults).map(Family::Lagrangian)),
    ),
    (
        "first_order_linear",
        (Naming::States, |parts, faults| {
            first_order_linear::read(parts, faults).map(Family::FirstOrderLinear)
        }),
    ),
    (
        "first_order_nonlinear",
        (Naming::States, |parts, faults| {
            first_order_nonlinear::read(parts, faults).map(Family::FirstOrderNonlinear)
        }),
    ),
    (
        "newton_euler",
        (Naming::Body, |parts, faults| newton_euler::read(parts, faults).map(Family::NewtonEuler)),
    ),
];

/// What a family is read from.
struct Parts<'p, 's> {
    table: Table<'s>,
    span: Range<usize>,
    scopes: &'p Scopes,
    coordinates: &'p Coordinates,
}

/// Reads the system under a name. What is at fault is there all the same, so that no interaction complains
/// about its name.
pub(super) fn read(entry: Entry<'_>, scopes: &Scopes, faults: &mut Faults<'_>) -> System {
    let Entry { key, key_span, value } = entry;
    let table_span = value.span.clone();
    let mut system = System {
        name: key.into_owned(),
        span: key_span,
        coordinates: Coordinates { names: Vec::new(), velocities: Vec::new() },
        naming: None,
        family: None,
    };
    check_name(&system, faults);
    let Some(table) = value.table(faults) else { return system };
    let family = faults.required(table.get("family"), "family", &system.span);
    let Some((naming, read)) = family.and_then(|family| family.word(faults, &FAMILIES)) else {
        return system;
    };
    system.naming = Some(naming);
    system.coordinates = match naming {
        Naming::Positions => {
            let names = coordinates(&table, "q", &scopes.time, faults);
            let velocities = names.iter().map(|name| format!("{name}'")).collect();
            Coordinates { names, velocities }
        }
        Naming::States => {
            Coordinates { names: coordinates(&table, "x", &scopes.time, faults), velocities: Vec::new() }
        }
        Naming::Body => Coordinates::of_body(),
    };
    let parts = Parts { table, span: table_span, scopes, coordinates: &system.coordinates };
    system.family = read(parts, faults);
    system
}

/// The name of a system stands in front of those of its coordinates.
fn check_name(system: &System, faults: &mut Faults<'_>) {
    let mut scope = Scope::new();
    let qualified = [format!("{}.q", system.name)];
    if let Err((_, error)) = declare(&mut scope, &qualified, 0, (FIRST, Role::State)) {
        faults.note(&system.span, error);
    }
}

/// How many entries a vector is written with.
fn size_of(value: &Value<'_>) -> usize {
    match &value.node {
        Node::Array(values) => values.len(),
        _ => 1,
    }
}

/// The names that a system gives to its positions or states; numbered ones where it gives none. None of them
/// may be called like another name of the model.
fn coordinates(table: &Table<'_>, word: &str, scope: &Scope, faults: &mut Faults<'_>) -> Vec<String> {
    let size = table.get(word).map_or(0, size_of);
    let given = table.get("coordinates");
    let names = match given.and_then(|value| Some((value, value.names(faults)?))) {
        Some((value, names)) if names.len() != size => {
            let found = names.len();
            faults.note(&value.span, format_args!("{found} names for {size} coordinates"));
            return numbered(word, size);
        }
        Some((_, names)) => names.into_iter().map(|(name, _)| name).collect(),
        None => numbered(word, size),
    };
    if let Err((_, error)) = declare(&mut scope.clone(), &names, 0, (FIRST, Role::State)) {
        let span = given.or(table.get(word)).map_or(0..0, |value| value.span.clone());
        faults.note(&span, error);
    }
    names
}

impl Coordinates {
    /// `x`, `y`, `z` and the quaternion `e`, scalar first; velocities `x'`, `y'`, `z'` and `omega` about axes of
    /// the body.
    fn of_body() -> Self {
        let names = ["x", "y", "z"].map(str::to_owned).into_iter();
        let velocities = ["x'", "y'", "z'"].map(str::to_owned).into_iter();
        Self {
            names: names.chain(numbered("e", 4)).collect(),
            velocities: velocities.chain(numbered("omega", 3)).collect(),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.names.len()
    }

    /// A scope with the coordinates as the first argument of a function.
    fn scope(&self, base: &Scope) -> Scope {
        let mut scope = base.clone();
        // A name that cannot be declared has been told when the coordinates were read.
        let _told = declare(&mut scope, &self.names, 0, (FIRST, Role::State));
        scope
    }

    /// A scope with the velocities as the second argument as well.
    fn scope_with_velocities(&self, base: &Scope) -> Scope {
        let mut scope = self.scope(base);
        let _told = declare(&mut scope, &self.velocities, 0, (SECOND, Role::Derivative));
        scope
    }
}

impl System {
    /// The system for these values of the parameters; nothing where it is at fault.
    pub(super) fn build(&self, parameters: &[f64]) -> Option<DynamicalSystem> {
        let family = self.family.as_ref()?;
        let mut system: DynamicalSystem = match family {
            Family::LagrangianLinear(described) => described.build(parameters)?.into(),
            Family::Lagrangian(described) => described.build(parameters)?.into(),
            Family::FirstOrderLinear(described) => described.build(parameters)?.into(),
            Family::FirstOrderNonlinear(described) => described.build(parameters)?.into(),
            Family::NewtonEuler(described) => described.build(parameters)?.into(),
        };
        let Coordinates { names, velocities } = &self.coordinates;
        let arguments: Vec<_> = names.iter().chain(velocities).cloned().collect();
        origins::set(&mut system, &arguments, |function| family.text(function)).ok()?;
        Some(system)
    }

    /// Whether reading it found a fault.
    pub(super) fn is_at_fault(&self) -> bool {
        self.family.is_none()
    }
}

/// Initial positions and velocities: as many of these as of those, 0 where they are not given.
fn positions_and_velocities(
    [q, v]: [Option<Value<'_>>; 2],
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<(Vec<Expression>, Option<Vec<Expression>>)> {
    let q = q.and_then(|q| vector(&q, &scopes.parameters, faults));
    let v = match v {
        Some(v) => {
            let size = q.as_ref().map(Vec::len);
            let read = match size {
                Some(size) => super::values::sized(&v, size, &scopes.parameters, faults),
                None => vector(&v, &scopes.parameters, faults),
            };
            Some(read?)
        }
        None => None,
    };
    Some((q?, v))
}

/// Writes all systems of a model, each by its name.
pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    names: &Names,
    unwritten: &mut Vec<Unwritten>,
) -> Value<'static> {
    let mut written = Vec::with_capacity(names.systems().len());
    for (id, name) in names.systems() {
        let Ok(system) = model.system(*id) else { continue };
        let mut sheet = Sheet::new(format!("system `{name}`"), unwritten);
        if let Some(own) = id.name().filter(|own| own != name) {
            sheet.leave(format!("name `{own}`"), "is none that expressions could have");
        }
        let coordinates = write::coordinates(model, (*id, name), system);
        let coordinates = coordinates.as_deref();
        match system {
            DynamicalSystem::Lagrangian(own) => lagrangian::write(own, coordinates, &mut sheet),
            DynamicalSystem::LagrangianLinear(own) => lagrangian_linear::write(own, coordinates, &mut sheet),
            DynamicalSystem::NewtonEuler(own) => newton_euler::write(own, &mut sheet),
            DynamicalSystem::FirstOrderNonlinear(own) => {
                first_order_nonlinear::write(own, coordinates, &mut sheet);
            }
            DynamicalSystem::FirstOrderLinear(own) => first_order_linear::write(own, coordinates, &mut sheet),
            _ => sheet.leave("family", write::NO_KEY),
        }
        written.push((name.clone(), sheet.table()));
    }
    Value::of_table(written)
}

/// Writes names, positions and velocities; velocities of 0 are left out.
fn write_positions(
    [coordinates, q, v]: [&Key; 3],
    initial: (&[f64], &[f64]),
    names: Option<&[String]>,
    sheet: &mut Sheet<'_>,
) {
    sheet.coordinates(coordinates, "q", names);
    sheet.vector(q, initial.0);
    sheet.vector_but_zero(v, initial.1);
}
