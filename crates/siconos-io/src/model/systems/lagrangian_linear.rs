//! Lagrangian systems with constant matrices: M q'' + C q' + K q = F_ext(t) + p.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::LagrangianLinear;

use super::super::functions;
use super::super::registered::{Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::table_writer::TableWriter;
use super::super::values::{Stored, evaluated, stored};
use super::conservative::constant_force;
use super::{SystemInput, positions_and_velocities, write_positions};
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 8] = [
    needed(
        "family",
        Form::Word(&["lagrangian_linear"]),
        "M q'' + C q' + K q = F_ext + p, where p is the force of the interactions",
    ),
    needed("q", Form::Vector, "initial positions"),
    optional("v", Form::Vector, "initial velocities; default 0"),
    optional("coordinates", Form::Names, "names of the positions; default `q`, or `q[0]`, .."),
    needed("mass", Form::Matrix, "M, constant"),
    optional("damping", Form::Matrix, "C, constant; default 0"),
    optional("stiffness", Form::Matrix, "K, constant; default 0"),
    optional("external_force", Form::VectorOrFunction, "F_ext, which can depend on time; default 0"),
];

/// Description of the system in a file.
#[derive(Debug)]
pub(super) struct LagrangianDescription {
    q: Vec<Expression>,
    v: Option<Vec<Expression>>,
    mass: Stored,
    damping: Option<Stored>,
    stiffness: Option<Stored>,
    force: Option<VectorFunction>,
}

pub(super) fn read(
    parts: SystemInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<LagrangianDescription> {
    let SystemInput { table, span, scopes, coordinates } = parts;
    let n = coordinates.size();
    let [_, q, v, _, mass, damping, stiffness, force] = table.keyed(&KEYS, &span, diagnostics);
    let initial = positions_and_velocities([q, v], n, scopes, diagnostics);
    let mut square = |value: Option<Value<'_>>| match value {
        Some(value) => stored(&value, (n, n), &scopes.parameters, diagnostics).map(Some),
        None => Some(None),
    };
    let (mass, damping, stiffness) = (square(mass), square(damping), square(stiffness));
    let force = match force {
        Some(force) => VectorFunction::sized(&force, n, &scopes.time, Arguments::Time, diagnostics).map(Some),
        None => Some(None),
    };
    let (q, v) = initial?;
    Some(LagrangianDescription {
        q,
        v,
        mass: mass??,
        damping: damping?,
        stiffness: stiffness?,
        force: force?,
    })
}

impl LagrangianDescription {
    /// Returns the external force if it is constant.
    pub(super) fn constant_force(&self) -> Option<&[Expression]> {
        constant_force(self.force.as_ref())
    }

    /// Returns the entries of the stiffness matrix if it is constant and symmetric.
    pub(super) fn symmetric_stiffness(&self) -> Option<Vec<(usize, usize, &Expression)>> {
        self.stiffness.as_ref().map_or_else(|| Some(Vec::new()), Stored::symmetric_entries)
    }

    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "F_ext" => self.force.as_ref()?.expressions(),
            _ => None,
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        self.force.as_ref().and_then(VectorFunction::registered).map(|own| ("F_ext", own)).into_iter()
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<LagrangianLinear> {
        let q = evaluated(&self.q, parameters);
        let v = self.v.as_ref().map_or_else(|| vec![0.0; q.len()], |v| evaluated(v, parameters));
        let mut system = LagrangianLinear::new(q, v, self.mass.values(parameters)?);
        if let Some(damping) = &self.damping {
            system = system.with_damping(damping.values(parameters)?);
        }
        if let Some(stiffness) = &self.stiffness {
            system = system.with_stiffness(stiffness.values(parameters)?);
        }
        let Some(force) = &self.force else { return Some(system) };
        Some(match force.constant() {
            Some(force) => system.with_constant_external_force(Array1::from(force)),
            None => system.with_external_force(functions::of_time(force.evaluation(registry)?)),
        })
    }
}

/// Writes the system with the keys that the reader expects.
pub(super) fn write(
    own: &LagrangianLinear,
    coordinates: Option<&[String]>,
    table_writer: &mut TableWriter<'_>,
) {
    let [family, q, v, named, mass, damping, stiffness, external] = &KEYS;
    table_writer.put(family, Value::of_text("lagrangian_linear"));
    write_positions([named, q, v], (own.q0(), own.v0()), coordinates, table_writer);
    table_writer.stored(mass, own.mass());
    for (key, matrix) in [(damping, own.damping()), (stiffness, own.stiffness())] {
        if let Some(matrix) = matrix {
            table_writer.stored(key, matrix);
        }
    }
    table_writer.coefficient(external, "F_ext", own.external_force());
}
