//! Relations of interactions, one file per kind.

mod body;
mod body_function;
mod body_space;
mod body_written;
mod connects;
mod constraint;
mod contact;
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
use super::systems::System;
use super::table_writer::{NO_KEY, TableWriter};
use crate::document::{Diagnostics, Key, Table, Value};
pub(super) use body::{REVOLUTE, ROWS, ROWS_IN_PLANE, WITH_AXIS};
use body_space::BodySpace;
use connects::Connects;
pub(super) use contact::{OBSTACLES, SHAPES};
use free_joint::Free;

/// A relation as described in the file.
#[derive(Debug)]
pub(super) enum Relation {
    LagrangianLinear(lagrangian_linear::LinearRelationDescription),
    Constraint(constraint::ConstraintDescription),
    FirstOrderLinear(first_order_linear::LinearDescription),
    FirstOrderNonlinear(first_order_nonlinear::NonlinearDescription),
    Body(body::BodyRelationDescription),
    JointMotion(joint_motion::MotionDescription),
    Coupler(coupler::CouplerDescription),
    BodyFunction(body_function::BodyFunctionDescription),
    Contact(contact::ContactDescription),
}

type ReadKind = fn(RelationInput<'_, '_>, &mut Diagnostics<'_>) -> Option<Relation>;

/// Kinds of relations by name, with the systems that they connect.
const KINDS: [(&str, (Connects, ReadKind)); 24] = [
    (
        "lagrangian_linear",
        (Connects::Lagrangian, |parts, diagnostics| {
            lagrangian_linear::read(parts, diagnostics).map(Relation::LagrangianLinear)
        }),
    ),
    (
        "scleronomous",
        (Connects::Lagrangian, |parts, diagnostics| {
            constraint::scleronomous(parts, diagnostics).map(Relation::Constraint)
        }),
    ),
    (
        "rheonomous",
        (Connects::Lagrangian, |parts, diagnostics| {
            constraint::rheonomous(parts, diagnostics).map(Relation::Constraint)
        }),
    ),
    (
        "first_order_linear",
        (Connects::FirstOrder, |parts, diagnostics| {
            first_order_linear::read(parts, diagnostics).map(Relation::FirstOrderLinear)
        }),
    ),
    (
        "first_order_nonlinear",
        (Connects::FirstOrder, |parts, diagnostics| {
            first_order_nonlinear::read(parts, diagnostics).map(Relation::FirstOrderNonlinear)
        }),
    ),
    (
        "spherical",
        (Connects::Bodies, |parts, diagnostics| body::spherical(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "revolute",
        (Connects::Bodies, |parts, diagnostics| body::with_axis(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "cylindrical",
        (Connects::Bodies, |parts, diagnostics| body::with_axis(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "prismatic",
        (Connects::Bodies, |parts, diagnostics| body::with_axis(parts, diagnostics).map(Relation::Body)),
    ),
    ("fixed", (Connects::Bodies, |parts, diagnostics| body::fixed(parts, diagnostics).map(Relation::Body))),
    (
        "distance",
        (Connects::Bodies, |parts, diagnostics| body::distance(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "ball_and_plane",
        (Connects::SpatialBodies, |parts, diagnostics| {
            body::ball_and_plane(parts, diagnostics).map(Relation::Body)
        }),
    ),
    (
        "contact",
        (Connects::SpatialBodies, |parts, diagnostics| {
            contact::spatial(parts, diagnostics).map(Relation::Contact)
        }),
    ),
    (
        "planar_contact",
        (Connects::Lagrangian, |parts, diagnostics| {
            contact::planar(parts, diagnostics).map(Relation::Contact)
        }),
    ),
    (
        "balls",
        (Connects::SpatialBodies, |parts, diagnostics| body::balls(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "points",
        (Connects::SpatialBodies, |parts, diagnostics| body::points(parts, diagnostics).map(Relation::Body)),
    ),
    (
        "angle",
        (Connects::Bodies, |parts, diagnostics| {
            joint_motion::itself(parts, Free::Angle, diagnostics).map(Relation::JointMotion)
        }),
    ),
    (
        "way",
        (Connects::Bodies, |parts, diagnostics| {
            joint_motion::itself(parts, Free::Way, diagnostics).map(Relation::JointMotion)
        }),
    ),
    (
        "stops",
        (Connects::Bodies, |parts, diagnostics| {
            joint_motion::stops(parts, diagnostics).map(Relation::JointMotion)
        }),
    ),
    (
        "prescribed",
        (Connects::Bodies, |parts, diagnostics| {
            joint_motion::prescribed(parts, diagnostics).map(Relation::JointMotion)
        }),
    ),
    (
        "gear",
        (Connects::Bodies, |parts, diagnostics| coupler::gear(parts, diagnostics).map(Relation::Coupler)),
    ),
    (
        "screw",
        (Connects::Bodies, |parts, diagnostics| coupler::screw(parts, diagnostics).map(Relation::Coupler)),
    ),
    (
        "rack",
        (Connects::Bodies, |parts, diagnostics| coupler::rack(parts, diagnostics).map(Relation::Coupler)),
    ),
    (
        "newton_euler",
        (Connects::SpatialBodies, |parts, diagnostics| {
            body_function::read(parts, diagnostics).map(Relation::BodyFunction)
        }),
    ),
];

/// Keys of each kind; the first one is `kind`.
pub(super) const KEYS: [&[Key]; 22] = [
    &lagrangian_linear::KEYS,
    &constraint::SCLERONOMOUS,
    &constraint::RHEONOMOUS,
    &first_order_linear::KEYS,
    &first_order_nonlinear::KEYS,
    &body::SPHERICAL,
    &REVOLUTE,
    &WITH_AXIS,
    &body::FIXED,
    &body::DISTANCE,
    &contact::CONTACT,
    &contact::PLANAR_CONTACT,
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
struct RelationInput<'p, 's> {
    table: Table<'s>,
    span: Range<usize>,
    scopes: &'p Scopes,
    systems: &'p [&'p System],
    /// Number of components of the law; `None` if the law has the size of the relation.
    law_size: Option<usize>,
}

/// Reads the relation of an interaction. A system is `None` if its name is unknown. `law_size` is the number
/// of components of the law, or `None` if the law has the size of the relation.
pub(super) fn read(
    value: Value<'_>,
    systems: &[Option<&System>],
    law_size: Option<usize>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Relation> {
    let span = value.span.clone();
    let table = value.table(diagnostics)?;
    let kind = diagnostics.required(table.get("kind").cloned(), "kind", &span)?;
    let (connects, read) = kind.word(diagnostics, &KINDS)?;
    // A linear relation of first-order systems can also act on Lagrangian systems and bodies.
    let is_mixed = first_order_linear::KEYS[0].form.has_word(&kind)
        && systems.iter().flatten().any(|system| connects.accepts(system));
    let accepts = |system: &System| connects.accepts(system) || (is_mixed && system.naming.is_some());
    let of_others = systems.iter().flatten().find(|system| system.naming.is_some() && !accepts(system));
    if let Some(other) = of_others {
        let message =
            format_args!("this relation requires {}, but `{}` is not one", connects.words(), other.name);
        diagnostics.note(&kind.span, message);
    }
    let of_two_spaces = connects.mixed(systems);
    if let Some([spatial, planar]) = of_two_spaces {
        let message = format_args!(
            "this relation cannot connect `{}`, which moves in space, and `{}`, which moves in a plane; all bodies must \
             be of the family `newton_euler`, or all of the family `planar_body`",
            spatial.name, planar.name
        );
        diagnostics.note(&kind.span, message);
    }
    let known: Option<Vec<&System>> = systems.iter().copied().collect();
    let is_accepted =
        |systems: &Vec<&System>| of_two_spaces.is_none() && systems.iter().all(|own| accepts(own));
    match known.filter(is_accepted) {
        Some(systems) => {
            let names_are_missing = systems.iter().any(|system| !system.coordinates.are_known);
            let parts = RelationInput { table, span, scopes, systems: &systems, law_size };
            diagnostics.with_missing_names(names_are_missing, |diagnostics| read(parts, diagnostics))
        }
        None => {
            let is_of_kind = |keys: &&&[Key]| keys.first().is_some_and(|key| key.form.has_word(&kind));
            if let Some(keys) = KEYS.iter().find(is_of_kind) {
                table.check_keys(keys, &span, diagnostics);
            }
            None
        }
    }
}

impl RelationInput<'_, '_> {
    /// Returns the space in which the bodies move; all of them move in the same space.
    fn body_space(&self) -> BodySpace {
        let first = self.systems.first().and_then(|system| BodySpace::of(system));
        first.unwrap_or(BodySpace::Spatial)
    }

    /// Returns the total number of positions or states of all systems, if it is known.
    fn columns(&self) -> Option<usize> {
        self.systems.iter().map(|system| system.coordinates.size()).sum()
    }

    /// Returns the total number of states of first-order systems and velocities of all other systems, if it
    /// is known.
    fn states_and_velocities(&self) -> Option<usize> {
        let of = |system: &&System| match system.is_first_order() {
            true => system.coordinates.size(),
            false => system.coordinates.size().map(|_| system.coordinates.velocities.len()),
        };
        self.systems.iter().map(of).sum()
    }

    /// Returns the configuration spaces of all systems.
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
    /// has a coordinate with this name.
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

    /// Extends the scope of [`scope`](Self::scope) by the multipliers as the second argument: `lambda`, or
    /// `lambda[0]`, .. If another name conflicts with them, an error is reported at `place`.
    fn scope_with_multipliers(
        &self,
        base: &Arc<Scope>,
        size: usize,
        place: &Range<usize>,
        diagnostics: &mut Diagnostics<'_>,
    ) -> Scope {
        let mut scope = self.scope(base);
        let names = super::scopes::numbered("lambda", size);
        let role = Role::Fixed("a multiplier");
        if let Err((_, error)) = super::scopes::declare(&mut scope, &names, 0, SECOND, role) {
            diagnostics.note(place, format_args!("{error}; the multipliers use this name"));
        }
        scope
    }
}

impl Relation {
    /// Returns `true` if y also depends on the multiplier.
    pub(super) fn is_compliant(&self) -> bool {
        matches!(self, Self::LagrangianLinear(described) if described.is_compliant())
    }

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
            Self::Contact(described) => described.size(),
        }
    }

    /// Returns the allowed numbers of bodies, or `None` if the number needs no check or was checked by the
    /// reader of the relation.
    pub(super) fn bodies(&self) -> Option<RangeInclusive<usize>> {
        match self {
            Self::Body(described) => Some(described.bodies()),
            Self::JointMotion(_)
            | Self::Contact(_)
            | Self::Coupler(coupler::CouplerDescription::Screw { .. }) => Some(1..=2),
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
            Self::Contact(described) => Some(described.build(parameters, systems.len())?),
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

    /// Returns the expressions of the function whose name in the kernel is `function`.
    fn text(&self, function: &str) -> Option<&[Expression]> {
        match self {
            Self::LagrangianLinear(_) | Self::Coupler(_) | Self::Contact(_) => None,
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
pub(super) fn write(relation: &KernelRelation, columns: usize, table_writer: &mut TableWriter<'_>) {
    match relation {
        KernelRelation::LagrangianLinear(own) => lagrangian_linear::write(own, table_writer),
        KernelRelation::LagrangianScleronomous(own) => constraint::write_scleronomous(own, table_writer),
        KernelRelation::LagrangianRheonomous(own) => constraint::write_rheonomous(own, table_writer),
        KernelRelation::NewtonEuler(own) => body_written::write(own, columns, table_writer),
        KernelRelation::FirstOrderLinear(own) => first_order_linear::write(own, columns, table_writer),
        KernelRelation::FirstOrderNonlinear(own) => first_order_nonlinear::write(own, table_writer),
        _ => table_writer.leave("relation", NO_KEY),
    }
}
