//! Nonlinear relations of Lagrangian systems: y = h(q), or y = h(t, q). The derivatives are computed from the
//! expressions.

use siconos_expression::{Expression, Rate, Tape};
use siconos_kernel::model::{
    At, BodyGeometry, LagrangianRheonomousRelation, LagrangianScleronomousRelation, Origin, Parameters,
    Relation,
};

use super::super::functions::{self, Derivative, Evaluation};
use super::super::positions::Positions;
use super::super::registered::{Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{TIME, symbol};
use super::super::table_writer::{NO_KEY, TableWriter, is_registered};
use super::RelationInput;
use crate::document::{Diagnostics, Form, Key, Value, needed};

pub(super) const SCLERONOMOUS: [Key; 2] = [
    needed("kind", Form::Word(&["scleronomous"]), "y = h(q)"),
    needed("h", Form::VectorOrFunction, "h, which can depend on the coordinates of the systems"),
];

pub(super) const RHEONOMOUS: [Key; 2] = [
    needed("kind", Form::Word(&["rheonomous"]), "y = h(t, q)"),
    needed("h", Form::VectorOrFunction, "h, which can depend on time and the coordinates of the systems"),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct ConstraintDescription {
    h: VectorFunction,
    positions: Positions,
    is_rheonomous: bool,
}

pub(super) fn scleronomous(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ConstraintDescription> {
    let (scope, positions) = (parts.scope(&parts.scopes.parameters), parts.positions());
    let [_, h] = parts.table.keyed(&SCLERONOMOUS, &parts.span, diagnostics);
    let h = VectorFunction::of_any_size(&h?, &scope, Arguments::State, diagnostics)?;
    Some(ConstraintDescription { h, positions, is_rheonomous: false })
}

pub(super) fn rheonomous(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<ConstraintDescription> {
    let (scope, positions) = (parts.scope(&parts.scopes.time), parts.positions());
    let [_, h] = parts.table.keyed(&RHEONOMOUS, &parts.span, diagnostics);
    let h = VectorFunction::of_any_size(&h?, &scope, Arguments::State, diagnostics)?;
    Some(ConstraintDescription { h, positions, is_rheonomous: true })
}

impl ConstraintDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        self.h.expressions().filter(|_| function == "h")
    }

    /// Returns the function that is taken from a registry, with its name in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        self.h.registered().map(|own| ("h", own)).into_iter()
    }

    pub(super) fn size(&self) -> usize {
        self.h.size()
    }

    pub(super) fn build(&self, registry: &Registry) -> Option<Relation> {
        match &self.h {
            VectorFunction::Expressions(h) => Some(self.of_expressions(h)),
            VectorFunction::Registered(own) => self.of_registry(own, registry),
        }
    }

    /// Builds the relation with a function of the registry. Missing derivatives are approximated by finite
    /// differences.
    fn of_registry(&self, own: &Registered, registry: &Registry) -> Option<Relation> {
        let (h, jacobian) = (self.h.evaluation(registry)?, own.derivative(registry, 0));
        if self.is_rheonomous {
            let relation = LagrangianRheonomousRelation::new(own.size, functions::of_first(h));
            let Some(jacobian) = jacobian else { return Some(relation.into()) };
            return Some(relation.with_jacobian(functions::matrix_of_first(jacobian)).into());
        }
        let relation = LagrangianScleronomousRelation::new(own.size, functions::steady(h));
        let Some(jacobian) = jacobian else { return Some(relation.into()) };
        Some(relation.with_jacobian(functions::steady_matrix(jacobian)).into())
    }

    fn of_expressions(&self, h: &[Expression]) -> Relation {
        let size = h.len();
        let jacobian = Evaluation::Expressions(Box::new(self.derivative(h)));
        let acceleration = self.second_derivative(h);
        if self.is_rheonomous {
            let by_time = Derivative::of(h, &[symbol(TIME, 0)]);
            return LagrangianRheonomousRelation::new(size, functions::of_first(Evaluation::of(h)))
                .with_jacobian(functions::matrix_of_first(jacobian))
                .with_time_derivative(move |at: At<'_>, q: &[f64], out: &mut [f64]| {
                    by_time.write_rows(&[&[at.t], at.parameters().values(), q], out);
                })
                .with_convective_acceleration(move |at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| {
                    acceleration.evaluate(&[&[at.t], at.parameters().values(), q, v], out);
                })
                .into();
        }
        LagrangianScleronomousRelation::new(size, functions::steady(Evaluation::of(h)))
            .with_jacobian(functions::steady_matrix(jacobian))
            .with_convective_acceleration(
                move |parameters: &Parameters, q: &[f64], v: &[f64], out: &mut [f64]| {
                    acceleration.evaluate(&[&[], parameters.values(), q, v], out);
                },
            )
            .into()
    }

    /// Compiles the derivatives of y. Column j is the derivative in the direction of velocity j.
    fn derivative(&self, h: &[Expression]) -> Tape {
        Tape::compile_directions(&h.iter().collect::<Vec<_>>(), &self.positions.directions())
    }

    /// Compiles the second time derivative of y during a motion with constant velocities.
    fn second_derivative(&self, h: &[Expression]) -> Tape {
        let mut rates = self.positions.motion();
        if self.is_rheonomous {
            rates.push((symbol(TIME, 0), Rate::Number(1.0)));
        }
        Tape::compile_along(&h.iter().collect::<Vec<_>>(), &rates, 2)
    }
}

/// Writes the relation with the keys that the reader expects.
pub(super) fn write_scleronomous(own: &LagrangianScleronomousRelation, table_writer: &mut TableWriter<'_>) {
    if let Some(BodyGeometry::Contact(contact)) = own.geometry() {
        if !super::contact::write(contact, table_writer) {
            table_writer.leave("shape", NO_KEY);
        }
        return;
    }
    let [kind, h] = &SCLERONOMOUS;
    table_writer.put(kind, Value::of_text("scleronomous"));
    if function(h, own.h(), own.size(), table_writer) {
        return;
    }
    table_writer.derived("J", own.jacobian());
    table_writer.derived("convective acceleration", own.convective_acceleration());
}

/// Writes h. Returns `true` if h and its derivatives are taken from a registry.
fn function(key: &Key, origin: &Origin, size: usize, table_writer: &mut TableWriter<'_>) -> bool {
    table_writer.expressions_of_size(key, "h", origin, Some(size));
    is_registered(origin)
}

/// Writes the relation with the keys that the reader expects.
pub(super) fn write_rheonomous(own: &LagrangianRheonomousRelation, table_writer: &mut TableWriter<'_>) {
    let [kind, h] = &RHEONOMOUS;
    table_writer.put(kind, Value::of_text("rheonomous"));
    if function(h, own.h(), own.size(), table_writer) {
        return;
    }
    table_writer.derived("J", own.jacobian());
    table_writer.derived("partial derivative of h in t", own.time_derivative());
    table_writer.derived("convective acceleration", own.convective_acceleration());
}
