//! Systems of a model, one file per family.

mod conservative;
mod control;
mod first_order_linear;
mod first_order_nonlinear;
mod lagrangian;
mod lagrangian_linear;
mod newton_euler;
mod planar_body;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use siconos_expression::{Expression, Role, Scope};
use siconos_kernel::model::{DynamicalSystem, NonSmoothDynamicalSystem};

pub(super) use control::CONTROL;
pub(super) use lagrangian::DERIVATIVES;
pub(super) use newton_euler::ORIENTATION;

use super::origins;
use super::positions::Space;
use super::registered::Registered;
use super::registry::Registry;
use super::scopes::{FIRST, SECOND, Scopes, declare, numbered};
use super::table_writer::{NO_KEY, Names, TableWriter, UnwrittenPart};
use super::values::{length, vector};
use crate::document::{Diagnostics, Key, Table, TreeEntry, Value, check_plain};

/// Name by which outputs read the sum of the impulses on a system in a step.
pub(super) const IMPULSE: &str = "impulse";

/// A system as described in the file.
#[derive(Debug)]
pub(super) struct System {
    pub(super) name: String,
    /// Location of the system's name.
    pub(super) span: Range<usize>,
    pub(super) coordinates: Coordinates,
    /// Default names of the coordinates; `None` if the family is unknown.
    pub(super) naming: Option<Naming>,
    /// Data of the family; `None` if they have an error.
    family: Option<Family>,
}

/// Family of a system.
#[derive(Debug)]
enum Family {
    LagrangianLinear(lagrangian_linear::LagrangianDescription),
    Lagrangian(lagrangian::LagrangianDescription),
    FirstOrderLinear(first_order_linear::LinearDescription),
    FirstOrderNonlinear(first_order_nonlinear::NonlinearDescription),
    NewtonEuler(newton_euler::BodyDescription),
    PlanarBody(planar_body::PlanarDescription),
}

impl System {
    /// Returns `true` if the system has states and no velocities.
    pub(super) fn is_first_order(&self) -> bool {
        self.coordinates.velocities.is_empty()
    }
}

impl Family {
    /// Returns `true` if the family stores all entries of its matrices, including zeros.
    fn has_dense_matrices(&self) -> bool {
        !matches!(self, Self::LagrangianLinear(_) | Self::NewtonEuler(_) | Self::PlanarBody(_))
    }

    /// Returns the expressions of the function whose name in the kernel is `function`.
    fn text(&self, function: &str) -> Option<&[Expression]> {
        match self {
            Self::LagrangianLinear(described) => described.text(function),
            Self::Lagrangian(described) => described.text(function),
            Self::FirstOrderLinear(described) => described.text(function),
            Self::FirstOrderNonlinear(described) => described.text(function),
            Self::NewtonEuler(described) => described.text(function),
            Self::PlanarBody(described) => described.text(function),
        }
    }
}

impl Family {
    /// Returns the functions that are taken from a registry, with their names in the kernel.
    fn registered(&self) -> Vec<(&'static str, &Registered)> {
        match self {
            Self::LagrangianLinear(described) => described.registered().collect(),
            Self::Lagrangian(described) => described.registered().collect(),
            Self::FirstOrderLinear(described) => described.registered().collect(),
            Self::FirstOrderNonlinear(described) => described.registered().collect(),
            Self::NewtonEuler(described) => described.registered().collect(),
            Self::PlanarBody(_) => Vec::new(),
        }
    }
}

/// Name of the only velocity, an angular velocity, of a system whose configuration is a direction in the
/// plane.
const OMEGA: &str = "omega";

/// Names of the positions or states of a system.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) names: Vec<String>,
    /// Names of the velocities; empty for a first-order system.
    pub(super) velocities: Vec<String>,
    /// Number of positions or states; `None` if it is unknown or the file is inconsistent.
    size: Option<usize>,
    /// `true` if all names are known and valid.
    pub(super) are_known: bool,
    /// Configuration space.
    pub(super) space: Space,
}

/// Default names of the coordinates of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// `q`, or `q[0]`, ..; velocities have a prime.
    Positions,
    /// `x`, or `x[0]`, ..
    States,
    /// Position and quaternion of a body, with its velocity and angular velocity.
    Body,
}

type ReadFamily = fn(SystemInput<'_, '_>, &mut Diagnostics<'_>) -> Option<Family>;

/// Keys of each family; the first one is `family`.
pub(super) const KEYS: [&[Key]; 6] = [
    &lagrangian_linear::KEYS,
    &lagrangian::KEYS,
    &first_order_linear::KEYS,
    &first_order_nonlinear::KEYS,
    &newton_euler::KEYS,
    &planar_body::KEYS,
];

/// Families by name, with the default names of their coordinates.
const FAMILIES: [(&str, (Naming, ReadFamily)); 6] = [
    (
        "lagrangian_linear",
        (Naming::Positions, |parts, diagnostics| {
            lagrangian_linear::read(parts, diagnostics).map(Family::LagrangianLinear)
        }),
    ),
    (
        "lagrangian",
        (Naming::Positions, |parts, diagnostics| {
            lagrangian::read(parts, diagnostics).map(Family::Lagrangian)
        }),
    ),
    (
        "first_order_linear",
        (Naming::States, |parts, diagnostics| {
            first_order_linear::read(parts, diagnostics).map(Family::FirstOrderLinear)
        }),
    ),
    (
        "first_order_nonlinear",
        (Naming::States, |parts, diagnostics| {
            first_order_nonlinear::read(parts, diagnostics).map(Family::FirstOrderNonlinear)
        }),
    ),
    (
        "newton_euler",
        (Naming::Body, |parts, diagnostics| newton_euler::read(parts, diagnostics).map(Family::NewtonEuler)),
    ),
    (
        "planar_body",
        (Naming::Positions, |parts, diagnostics| {
            planar_body::read(parts, diagnostics).map(Family::PlanarBody)
        }),
    ),
];

/// Data from which a family is read.
struct SystemInput<'p, 's> {
    table: Table<'s>,
    span: Range<usize>,
    scopes: &'p Scopes,
    coordinates: &'p Coordinates,
}

/// Reads a system. A system with errors is returned as well, so that its name is known to interactions.
pub(super) fn read(entry: TreeEntry<'_>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> System {
    let TreeEntry { key, key_span, value } = entry;
    let table_span = value.span.clone();
    let mut system = System {
        name: key.into_owned(),
        span: key_span,
        coordinates: Coordinates::unknown(),
        naming: None,
        family: None,
    };
    check_plain(&system.name, &system.span, diagnostics);
    let Some(table) = value.table(diagnostics) else { return system };
    let family = diagnostics.required(table.get("family"), "family", &system.span);
    let Some((naming, read)) = family.and_then(|family| family.word(diagnostics, &FAMILIES)) else {
        return system;
    };
    let is_view = lagrangian::is_first_order(&table);
    system.naming = Some(naming);
    system.coordinates = match naming {
        Naming::Positions if planar_body::is_planar(&table) => {
            Coordinates::of_planar_body().checked(&system.span, scopes, diagnostics)
        }
        Naming::Positions => {
            let mut read = coordinates(&table, "q", &scopes.time, diagnostics);
            read.space = lagrangian::space(&table);
            match read.space {
                Space::Vector => {
                    read.velocities = read.names.iter().map(|name| format!("{name}'")).collect();
                }
                Space::Circle => read.turn(table.get("q"), &scopes.time, diagnostics),
            }
            read
        }
        Naming::States => coordinates(&table, "x", &scopes.time, diagnostics),
        Naming::Body => Coordinates::of_body().checked(&system.span, scopes, diagnostics),
    };
    let parts = SystemInput { table, span: table_span, scopes, coordinates: &system.coordinates };
    let names_are_missing = !system.coordinates.are_known;
    system.family = diagnostics.with_missing_names(names_are_missing, |diagnostics| read(parts, diagnostics));
    let n = system.coordinates.size().unwrap_or_default();
    if system.family.as_ref().is_some_and(Family::has_dense_matrices)
        && !diagnostics.fill((n, n), &system.span)
    {
        system.family = None;
    }
    if is_view {
        system.naming = Some(Naming::States);
        system.coordinates = system.coordinates.as_states();
    }
    system
}

/// Reads the names of the positions or states of a system. They are numbered by default. Conflicts with other
/// names of the model are reported.
fn coordinates(
    table: &Table<'_>,
    word: &str,
    scope: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Coordinates {
    let initial = table.get(word);
    let size = initial.and_then(length);
    let of = |names: Vec<String>, size, are_known| Coordinates {
        names,
        size,
        are_known,
        ..Coordinates::unknown()
    };
    let Some(given) = table.get("coordinates") else {
        let names = numbered(word, size.unwrap_or_default());
        let span = initial.map_or(0..0, |value| value.span.clone());
        let mut are_free = size.is_some();
        if let Some(error) = names.iter().find_map(|name| scope.check_name(name).err()) {
            diagnostics.note(&span, format_args!("{error}; give other names with `coordinates`"));
            are_free = false;
        }
        return of(names, size, are_free);
    };
    let Some(names) = given.names(diagnostics) else { return of(Vec::new(), size, false) };
    let (mut are_free, mut known) = (true, BTreeSet::new());
    for (name, span) in &names {
        if !check_plain(name, span, diagnostics) {
            are_free = false;
        } else if !known.insert(name) {
            diagnostics.note(span, format_args!("`{name}` appears twice"));
            are_free = false;
        } else if name == IMPULSE {
            let message = format_args!(
                "`{IMPULSE}` is the name of the impulse of a system in outputs; use another name \
                 for the coordinate"
            );
            diagnostics.note(span, message);
            are_free = false;
        } else if let Err(error) = scope.check_name(name) {
            diagnostics.note(span, format_args!("{error}; use another name for the coordinate"));
            are_free = false;
        }
    }
    let (found, names) = (names.len(), names.into_iter().map(|(name, _)| name).collect());
    match size {
        Some(size) if size != found => {
            let s = if found == 1 { "" } else { "s" };
            diagnostics.note(
                &given.span,
                format_args!("found {found} name{s}; expected {size}, one for each coordinate of `{word}`"),
            );
            of(names, None, are_free)
        }
        _ => of(names, Some(found), are_free),
    }
}

impl Coordinates {
    /// Returns the coordinates of a body: `x`, `y`, `z` and the quaternion `e`, scalar first; velocities
    /// `x'`, `y'`, `z'`, and `omega` in the body frame.
    fn of_body() -> Self {
        let names = ["x", "y", "z"].map(str::to_owned).into_iter();
        let velocities = ["x'", "y'", "z'"].map(str::to_owned).into_iter();
        Self {
            names: names.chain(numbered("e", 4)).collect(),
            velocities: velocities.chain(numbered("omega", 3)).collect(),
            size: Some(7),
            are_known: true,
            space: Space::Vector,
        }
    }

    /// Returns the coordinates of a planar body: `x`, `y` and `angle`; velocities have a prime.
    fn of_planar_body() -> Self {
        let names = ["x", "y", "angle"];
        Self {
            names: names.map(str::to_owned).to_vec(),
            velocities: names.map(|name| format!("{name}'")).to_vec(),
            size: Some(names.len()),
            are_known: true,
            space: Space::Vector,
        }
    }

    /// Reports a conflict between the names of a body and a name of the model. It is an error, because
    /// expressions could read the wrong one unnoticed.
    fn checked(self, span: &Range<usize>, scopes: &Scopes, diagnostics: &mut Diagnostics<'_>) -> Self {
        let mut all = self.names.iter().chain(&self.velocities);
        if let Some(error) = all.find_map(|name| scopes.time.check_name(name).err()) {
            diagnostics.note(span, format_args!("{error}; a body uses this name"));
        }
        self
    }

    /// Returns the coordinates in first-order form: positions and velocities are the states.
    fn as_states(&self) -> Self {
        let names: Vec<_> = self.names.iter().chain(&self.velocities).cloned().collect();
        let size = self.size.map(|_| names.len());
        Self { names, velocities: Vec::new(), size, ..*self }
    }

    fn unknown() -> Self {
        let (names, velocities) = (Vec::new(), Vec::new());
        Self { names, velocities, size: None, are_known: false, space: Space::Vector }
    }

    /// Returns the number of positions or states, if it is known.
    pub(super) fn size(&self) -> Option<usize> {
        self.size
    }

    /// Returns the number of velocities, if it is known.
    fn velocity_count(&self) -> Option<usize> {
        if self.space == Space::Circle { Some(1) } else { self.size }
    }

    /// Treats the two coordinates as a direction in the plane, with `omega` as the only velocity.
    fn turn(&mut self, q: Option<&Value<'_>>, scope: &Scope, diagnostics: &mut Diagnostics<'_>) {
        self.velocities = vec![OMEGA.to_owned()];
        let Some(q) = q else { return };
        if self.size.is_some_and(|size| size != 2) {
            let message = "a direction in the plane must have two numbers, its cosine and its sine";
            diagnostics.note(&q.span, message);
            self.are_known = false;
        }
        if self.names.iter().any(|name| name == OMEGA) || scope.check_name(OMEGA).is_err() {
            diagnostics
                .note(&q.span, format_args!("`{OMEGA}` is the velocity of this system and appears twice"));
            self.are_known = false;
        }
    }

    /// Returns a scope with the coordinates as the first argument of a function.
    fn scope(&self, base: &Arc<Scope>) -> Scope {
        let mut scope = Scope::standing_on(base);
        // A name that cannot be declared was reported when the coordinates were read.
        let _told = declare(&mut scope, &self.names, 0, FIRST, Role::State);
        scope
    }

    /// Returns a scope that also has the rates of the states, with a prime, as the second argument.
    fn scope_with_rates(&self, base: &Arc<Scope>) -> Scope {
        let mut scope = self.scope(base);
        let _told = declare(&mut scope, &self.names, 1, SECOND, Role::Derivative);
        scope
    }

    /// Returns a scope that also has the velocities as the second argument.
    fn scope_with_velocities(&self, base: &Arc<Scope>) -> Scope {
        let mut scope = self.scope(base);
        let _told = declare(&mut scope, &self.velocities, 0, SECOND, Role::Derivative);
        scope
    }
}

impl System {
    /// Builds the system for these values of the parameters. Returns `None` if it has an error.
    pub(super) fn build(
        &self,
        parameters: &[f64],
        registry: &Registry,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Option<DynamicalSystem> {
        let family = self.family.as_ref()?;
        let registered = family.registered();
        registered.iter().for_each(|(_, own)| own.check(registry, diagnostics));
        let mut system: DynamicalSystem = match family {
            Family::LagrangianLinear(described) => described.build(parameters, registry)?.into(),
            Family::Lagrangian(described) => described.build(parameters, registry)?,
            Family::FirstOrderLinear(described) => described.build(parameters, registry)?.into(),
            Family::FirstOrderNonlinear(described) => described.build(parameters, registry)?.into(),
            Family::NewtonEuler(described) => described.build(parameters, registry)?.into(),
            Family::PlanarBody(described) => described.build(parameters)?.into(),
        };
        let Coordinates { names, velocities, .. } = &self.coordinates;
        let arguments: Vec<_> = names.iter().chain(velocities).cloned().collect();
        origins::set(&mut system, &arguments, |function| family.text(function)).ok()?;
        origins::set_registered(&mut system, registered).ok()?;
        Some(system)
    }
}

/// Reads initial positions and `size` initial velocities. Velocities that the file omits are 0.
fn positions_and_velocities(
    [q, v]: [Option<Value<'_>>; 2],
    size: Option<usize>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(Vec<Expression>, Option<Vec<Expression>>)> {
    let q = q.and_then(|q| vector(&q, &scopes.parameters, diagnostics));
    let v =
        v.map_or(Some(None), |v| super::values::sized(&v, size, &scopes.parameters, diagnostics).map(Some));
    Some((q?, v?))
}

/// Writes all systems of a model with their names.
pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    names: &Names,
    unwritten: &mut Vec<UnwrittenPart>,
) -> Value<'static> {
    let mut written = Vec::with_capacity(names.systems().len());
    for (id, name) in names.systems() {
        let Ok(system) = model.system(*id) else { continue };
        let mut table_writer = TableWriter::new(format!("system `{name}`"), unwritten);
        let coordinates = names.coordinates(model, *id, name, system);
        let coordinates = coordinates.as_deref();
        match system {
            DynamicalSystem::Lagrangian(own) => lagrangian::write(own, coordinates, &mut table_writer),
            DynamicalSystem::LagrangianLinear(own) => {
                lagrangian_linear::write(own, coordinates, &mut table_writer);
            }
            DynamicalSystem::NewtonEuler(own) => newton_euler::write(own, &mut table_writer),
            DynamicalSystem::FirstOrderNonlinear(own) => {
                first_order_nonlinear::write(own, coordinates, &mut table_writer);
            }
            DynamicalSystem::FirstOrderLinear(own) => {
                first_order_linear::write(own, coordinates, &mut table_writer);
            }
            _ => table_writer.leave("family", NO_KEY),
        }
        written.push((name.clone(), table_writer.table()));
    }
    Value::of_table(written)
}

/// Writes names, positions and velocities. Velocities that are all 0 are omitted.
fn write_positions(
    [coordinates, q, v]: [&Key; 3],
    initial: (&[f64], &[f64]),
    names: Option<&[String]>,
    table_writer: &mut TableWriter<'_>,
) {
    table_writer.coordinates(coordinates, "q", names);
    table_writer.vector(q, initial.0);
    table_writer.vector_but_zero(v, initial.1);
}
