//! Nonlinear relations of first-order systems: y = h(t, x, lambda), r = g(t, x, lambda). The derivatives are
//! computed from the expressions.

use siconos_expression::{Expression, Role, Symbol};
use siconos_kernel::model::{FirstOrderNonlinearRelation, RelationJacobian, RelationPoint};

use super::super::functions::{self, Derivative};
use super::super::registered::{Registered, VectorFunction, count};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{FIRST, SECOND, THIRD, declare, numbered, symbols};
use super::super::table_writer::{TableWriter, is_registered};
use super::super::values::{evaluated, length, vector};
use super::RelationInput;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 4] = [
    needed("kind", Form::Word(&["first_order_nonlinear"]), "y = h(t, x, lambda), r = g(t, x, lambda)"),
    needed("h", Form::VectorOrFunction, "h, which can depend on time, states and multipliers"),
    needed(
        "g",
        Form::VectorOrFunction,
        "g, which can depend on time, states and multipliers: an entry for each state",
    ),
    optional("z", Form::Vector, "constant numbers that h and g can read as `z`, or `z[0]`, .."),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct NonlinearDescription {
    h: VectorFunction,
    g: VectorFunction,
    z: Vec<Expression>,
}

pub(super) fn read(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<NonlinearDescription> {
    let states = parts.columns();
    let of_h = parts.table.get("h");
    let size = of_h.and_then(count).unwrap_or_default();
    let place = of_h.map_or_else(|| parts.span.clone(), |h| h.span.clone());
    let mut scope = parts.scope_with_multipliers(&parts.scopes.time, size, &place, diagnostics);
    let [_, h, g, z] = parts.table.keyed(&KEYS, &parts.span, diagnostics);
    let z = match z {
        Some(z) => {
            let names = numbered("z", length(&z).unwrap_or_default());
            if let Err((_, error)) = declare(&mut scope, &names, 0, THIRD, Role::Fixed("a number")) {
                diagnostics.note(&z.span, error);
            }
            vector(&z, &parts.scopes.parameters, diagnostics)
        }
        None => Some(Vec::new()),
    };
    let h = h.and_then(|h| VectorFunction::of_any_size(&h, &scope, Arguments::Point, diagnostics));
    let g = g.and_then(|g| VectorFunction::sized(&g, states, &scope, Arguments::Point, diagnostics));
    Some(NonlinearDescription { h: h?, g: g?, z: z? })
}

impl NonlinearDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "h" => self.h.expressions(),
            "g" => self.g.expressions(),
            _ => None,
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let own = [("h", self.h.registered()), ("g", self.g.registered())];
        own.into_iter().filter_map(|(name, own)| Some((name, own?)))
    }

    pub(super) fn size(&self) -> usize {
        self.h.size()
    }

    pub(super) fn build(
        &self,
        parameters: &[f64],
        registry: &Registry,
    ) -> Option<FirstOrderNonlinearRelation> {
        let variables = [symbols(FIRST, self.g.size()), symbols(SECOND, self.h.size())];
        let [[c, d], [k, b]] = [&self.h, &self.g].map(|own| {
            [0, 1].map(|place| match own {
                VectorFunction::Expressions(own) => jacobian(own, &variables[place]),
                VectorFunction::Registered(own) => {
                    own.derivative(registry, place).map_or(RelationJacobian::FiniteDifference, |own| {
                        RelationJacobian::function(functions::matrix_of_point(own))
                    })
                }
            })
        });
        let [h, g] = [self.h.evaluation(registry)?, self.g.evaluation(registry)?].map(functions::of_point);
        let relation = FirstOrderNonlinearRelation::new(self.h.size(), h, g);
        let relation = relation.with_c(c).with_d(d).with_k(k).with_b(b);
        Some(relation.with_parameters(evaluated(&self.z, parameters)))
    }
}

fn jacobian(entries: &[Expression], variables: &[Symbol]) -> RelationJacobian {
    let derivative = Derivative::of(entries, variables);
    if derivative.is_zero() {
        return RelationJacobian::Zero;
    }
    if let Some(constant) = derivative.constant() {
        return RelationJacobian::Constant(constant);
    }
    RelationJacobian::function(move |point: RelationPoint<'_>, out| {
        let slots = [&[point.t], point.at().parameters().values(), point.x, point.lambda, point.z];
        derivative.write(&slots, out);
    })
}

/// Writes the relation with the keys that the reader expects.
pub(super) fn write(own: &FirstOrderNonlinearRelation, table_writer: &mut TableWriter<'_>) {
    let [kind, h, g, z] = &KEYS;
    table_writer.put(kind, Value::of_text("first_order_nonlinear"));
    table_writer.expressions_of_size(h, "h", own.h(), Some(own.size()));
    table_writer.expressions(g, "g", own.g());
    let derivatives =
        [("C", own.c(), own.h()), ("D", own.d(), own.h()), ("K", own.k(), own.g()), ("B", own.b(), own.g())];
    for (name, jacobian, of) in derivatives {
        match jacobian {
            // Not written, because the reader also takes the derivative from the registry or computes finite
            // differences.
            _ if is_registered(of) => (),
            // Not written: constant derivatives are assumed to agree with the expressions.
            Some(RelationJacobian::Zero | RelationJacobian::Constant(_)) => (),
            Some(RelationJacobian::Function(own)) => table_writer.derived(name, Some(own.origin())),
            _ => table_writer.derived(name, None),
        }
    }
    if !own.parameters().is_empty() {
        table_writer.vector(z, own.parameters());
    }
}
