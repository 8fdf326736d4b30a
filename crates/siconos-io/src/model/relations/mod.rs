//! Relations of interactions, one file per kind.

mod body;
mod body_function;
mod body_written;
mod constraint;
mod coupler;
mod first_order_linear;
mod first_order_nonlinear;
mod free_joint;
mod joint_motion;
mod lagrangian_linear;

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use siconos_expression::{Expression, Role, Scope, Symbol};
use siconos_kernel::ModelError;
use siconos_kernel::model::{DynamicalSystem, Relation as KernelRelation};

use super::origins;
use super::positions::Positions;
use super::registered::Registered;
use super::registry::Registry;
use super::scopes::{FIRST, SECOND, Scopes, name, symbol, symbols};
use super::sheet::{NO_KEY, Sheet};
use super::systems::{Naming, System};
use crate::document::{Faults, Key, Table, Value};
pub(super) use body::{ROWS, ROWS_IN_PLANE, WITH_AXIS};
use free_joint::Free;

/// A relation as described in the file.
#[derive(Debug)]
pub(super) enum Relation {
    LagrangianLinear(lagrangian_linear::Described),
    Constraint(constraint::Described),
    FirstOrderLinear(first_order_linear::Described),
    FirstOrderNonlinear(first_order_nonlinear::Described),
    Body(body::Described),
    JointMotion(joint_motion::Described),
    Coupler(coupler::Described),
    BodyFunction(body_function::Described),
}

type ReadKind = fn(Parts<'_, '_>, &mut Faults<'_>) -> Option<Relation>;

/// Kinds of relations by name, with the systems that they are for.
const KINDS: [(&str, (Naming, ReadKind)); 22] = [
    (
        "lagrangian_linear",
        (Naming::Positions, |parts, faults| {
            lagrangian_linear::read(parts, faults).map(Relation::LagrangianLinear)
        }),
    ),
    (
        "scleronomous",
        (Naming::Positions, |parts, faults| {
            constraint::scleronomous(parts, faults).map(Relation::Constraint)
        }),
    ),
    (
        "rheonomous",
        (Naming::Positions, |parts, faults| constraint::rheonomous(parts, faults).map(Relation::Constraint)),
    ),
    (
        "first_order_linear",
        (Naming::States, |parts, faults| {
            first_order_linear::read(parts, faults).map(Relation::FirstOrderLinear)
        }),
    ),
    (
        "first_order_nonlinear",
        (Naming::States, |parts, faults| {
            first_order_nonlinear::read(parts, faults).map(Relation::FirstOrderNonlinear)
        }),
    ),
    ("spherical", (Naming::Body, |parts, faults| body::spherical(parts, faults).map(Relation::Body))),
    ("revolute", (Naming::Body, |parts, faults| body::with_axis(parts, faults).map(Relation::Body))),
    ("cylindrical", (Naming::Body, |parts, faults| body::with_axis(parts, faults).map(Relation::Body))),
    ("prismatic", (Naming::Body, |parts, faults| body::with_axis(parts, faults).map(Relation::Body))),
    ("fixed", (Naming::Body, |parts, faults| body::fixed(parts, faults).map(Relation::Body))),
    ("distance", (Naming::Body, |parts, faults| body::distance(parts, faults).map(Relation::Body))),
    (
        "ball_and_plane",
        (Naming::Body, |parts, faults| body::ball_and_plane(parts, faults).map(Relation::Body)),
    ),
    ("balls", (Naming::Body, |parts, faults| body::balls(parts, faults).map(Relation::Body))),
    ("points", (Naming::Body, |parts, faults| body::points(parts, faults).map(Relation::Body))),
    (
        "angle",
        (Naming::Body, |parts, faults| {
            joint_motion::itself(parts, Free::Angle, faults).map(Relation::JointMotion)
        }),
    ),
    (
        "way",
        (Naming::Body, |parts, faults| {
            joint_motion::itself(parts, Free::Way, faults).map(Relation::JointMotion)
        }),
    ),
    ("stops", (Naming::Body, |parts, faults| joint_motion::stops(parts, faults).map(Relation::JointMotion))),
    (
        "prescribed",
        (Naming::Body, |parts, faults| joint_motion::prescribed(parts, faults).map(Relation::JointMotion)),
    ),
    ("gear", (Naming::Body, |parts, faults| coupler::gear(parts, faults).map(Relation::Coupler))),
    ("screw", (Naming::Body, |parts, faults| coupler::screw(parts, faults).map(Relation::Coupler))),
    ("rack", (Naming::Body, |parts, faults| coupler::rack(parts, faults).map(Relation::Coupler))),
    (
        "newton_euler",
        (Naming::Body, |parts, faults| body_function::read(parts, faults).map(Relation::BodyFunction)),
    ),
];

/// Keys of each kind; the first one is `kind`.
pub(super) const KEYS: [&[Key]; 19] = [
    &lagrangian_linear::KEYS,
    &constraint::SCLERONOMOUS,
    &constraint::RHEONOMOUS,
    &first_order_linear::KEYS,
    &first_order_nonlinear::KEYS,
    &body::SPHERICAL,
    &WITH_AXIS,
    &body::FIXED,
    &body::DISTANCE,
    &body::BALL_AND_PLANE,
    &body::BALLS,
    &body::POINTS,
    &joint_motion::FREE_OF_JOINT,
    &joint_motion::STOPS,
    &joint_motion::PRESCRIBED,
    &coupler::GEAR,
    &coupler::SCREW,
    &coupler::RACK,
    &body_function::KEYS,
];

/// Data from which a relation is read.
struct Parts<'p, 's> {
    table: Table<'s>,
    span: Range<usize>,
    scopes: &'p Scopes,
    systems: &'p [&'p System],
}

/// Reads the relation between systems, which are `None` if they are unknown.
pub(super) fn read(
    value: Value<'_>,
    systems: &[Option<&System>],
    scopes: &Scopes,
    faults: &mut Faults<'_>,
) -> Option<Relation> {
    let span = value.span.clone();
    let table = value.table(faults)?;
    let kind = faults.required(table.get("kind").cloned(), "kind", &span)?;
    let (naming, read) = kind.word(faults, &KINDS)?;
    let of_others =
        systems.iter().flatten().find(|system| system.naming.is_some_and(|other| other != naming));
    if let Some(other) = of_others {
        let message = format_args!("this relation is for {}, and `{}` is none", naming.words(), other.name);
        faults.note(&kind.span, message);
    }
    let known: Option<Vec<&System>> = systems.iter().copied().collect();
    match known.filter(|systems| systems.iter().all(|system| system.naming == Some(naming))) {
        Some(systems) => {
            let names_are_missing = systems.iter().any(|system| !system.coordinates.are_known);
            let parts = Parts { table, span, scopes, systems: &systems };
            faults.with_missing_names(names_are_missing, |faults| read(parts, faults))
        }
        None => {
            let is_of_kind = |keys: &&&[Key]| keys.first().is_some_and(|key| key.form.has_word(&kind));
            if let Some(keys) = KEYS.iter().find(is_of_kind) {
                table.check_keys(keys, &span, faults);
            }
            None
        }
    }
}

impl Parts<'_, '_> {
    /// Returns the number of positions or states of all systems, if it is known.
    fn columns(&self) -> Option<usize> {
        self.systems.iter().map(|system| system.coordinates.size()).sum()
    }

    /// Returns the spaces of the positions of all systems.
    fn positions(&self) -> Positions {
        let of = |system: &&System| (system.coordinates.space, system.coordinates.names.len());
        Positions::new(self.systems.iter().map(of))
    }

    /// Returns the symbols of all coordinates.
    fn coordinates(&self) -> Vec<Symbol> {
        symbols(FIRST, self.columns().unwrap_or_default())
    }

    /// Returns a scope in which the coordinates of all systems are the first argument of a function. Each
    /// coordinate is read with the name of its system, `ball.q`, and also by its own name if no other system
    /// has it.
    fn scope(&self, base: &Arc<Scope>) -> Scope {
        let mut scope = Scope::standing_on(base);
        let mut index = 0;
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for own in self.systems.iter().flat_map(|system| &system.coordinates.names) {
            *counts.entry(own).or_default() += 1;
        }
        for system in self.systems {
            for own in &system.coordinates.names {
                let symbol = symbol(FIRST, index);
                // A name that cannot be declared is reported where the system is read.
                let _told = scope.declare(&format!("{}.{own}", system.name), name(symbol, Role::State));
                if counts.get(own.as_str()) == Some(&1) {
                    let _told = scope.declare(own, name(symbol, Role::State));
                }
                index += 1;
            }
        }
        scope
    }

    /// As [`scope`](Self::scope), with the multipliers as the second argument: `lambda`, or `lambda[0]`, .. A
    /// conflict with other names is reported at `place`.
    fn scope_with_multipliers(
        &self,
        base: &Arc<Scope>,
        size: usize,
        place: &Range<usize>,
        faults: &mut Faults<'_>,
    ) -> Scope {
        let mut scope = self.scope(base);
        let names = super::scopes::numbered("lambda", size);
        let role = Role::Fixed("a multiplier");
        if let Err((_, error)) = super::scopes::declare(&mut scope, &names, 0, SECOND, role) {
            faults.note(place, format_args!("{error}; the multipliers need this name for themselves"));
        }
        scope
    }
}

impl Relation {
    /// Returns the number of components of y.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::LagrangianLinear(described) => described.size(),
            Self::Constraint(described) => described.size(),
            Self::FirstOrderLinear(described) => described.size(),
            Self::FirstOrderNonlinear(described) => described.size(),
            Self::Body(described) => described.size(),
            Self::JointMotion(described) => described.size(),
            Self::Coupler(_) => 1,
            Self::BodyFunction(described) => described.size(),
        }
    }

    /// Returns the numbers of bodies that the relation can have, unless its keys determine them.
    pub(super) fn bodies(&self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Body(described) => Some(described.bodies()),
            Self::JointMotion(_) | Self::Coupler(coupler::Described::Screw { .. }) => Some(1..=2),
            _ => None,
        }
    }

    /// Builds the relation between these systems for these values of the parameters. `arguments` are the
    /// names of the coordinates of the systems.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if a joint or a contact cannot be built.
    pub(super) fn build(
        &self,
        parameters: &[f64],
        systems: &[&DynamicalSystem],
        arguments: &[String],
        registry: &Registry,
    ) -> Result<Option<KernelRelation>, ModelError> {
        let mut relation: Option<KernelRelation> = match self {
            Self::LagrangianLinear(described) => described.build(parameters).map(Into::into),
            Self::Constraint(described) => described.build(registry),
            Self::FirstOrderLinear(described) => described.build(parameters, registry).map(Into::into),
            Self::FirstOrderNonlinear(described) => described.build(parameters, registry).map(Into::into),
            Self::Body(described) => described.build(parameters, systems)?,
            Self::JointMotion(described) => described.build(parameters, systems)?,
            Self::Coupler(described) => described.build(parameters, systems)?,
            Self::BodyFunction(described) => Some(described.build().into()),
        };
        if let Some(relation) = &mut relation {
            origins::set(relation, arguments, |function| self.text(function))?;
            origins::set_registered(relation, self.registered())?;
        }
        Ok(relation)
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> Vec<(&'static str, &Registered)> {
        match self {
            Self::Constraint(described) => described.registered().collect(),
            Self::FirstOrderLinear(described) => described.registered().collect(),
            Self::FirstOrderNonlinear(described) => described.registered().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the expressions of a function of the relation, by its name in the kernel.
    fn text(&self, function: &str) -> Option<&[Expression]> {
        match self {
            Self::LagrangianLinear(_) | Self::Coupler(_) => None,
            Self::Constraint(described) => described.text(function),
            Self::FirstOrderLinear(described) => described.text(function),
            Self::FirstOrderNonlinear(described) => described.text(function),
            Self::Body(described) => described.text(function),
            Self::JointMotion(described) => described.text(function),
            Self::BodyFunction(described) => described.text(function),
        }
    }
}

/// Writes a relation between systems with `columns` coordinates in total.
pub(super) fn write(relation: &KernelRelation, columns: usize, sheet: &mut Sheet<'_>) {
    match relation {
        KernelRelation::LagrangianLinear(own) => lagrangian_linear::write(own, sheet),
        KernelRelation::LagrangianScleronomous(own) => constraint::write_scleronomous(own, sheet),
        KernelRelation::LagrangianRheonomous(own) => constraint::write_rheonomous(own, sheet),
        KernelRelation::NewtonEuler(own) => body_written::write(own, columns, sheet),
        KernelRelation::FirstOrderLinear(own) => first_order_linear::write(own, columns, sheet),
        KernelRelation::FirstOrderNonlinear(own) => first_order_nonlinear::write(own, sheet),
        _ => sheet.leave("relation", NO_KEY),
    }
}
