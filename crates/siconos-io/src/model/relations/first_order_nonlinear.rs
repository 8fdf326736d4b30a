//! Nonlinear relations of first-order systems: y = h(t, x, lambda), r = g(t, x, lambda), with the derivatives
//! of their expressions.

use ndarray::ArrayViewMut2;
use siconos_expression::{Expression, Role, Symbol, Tape};
use siconos_kernel::model::{FirstOrderNonlinearRelation, RelationJacobian, RelationPoint};

use super::super::functions::Derivative;
use super::super::scopes::{FIRST, SECOND, THIRD, declare, numbered, symbols};
use super::super::values::{evaluated, length, sized, vector};
use super::super::write::Sheet;
use super::Parts;
use crate::document::{Faults, Form, Key, Node, Value, needed, optional};

pub(super) const KEYS: [Key; 4] = [
    needed("kind", Form::Word(&["first_order_nonlinear"]), "what kind of relation it is"),
    needed("h", Form::Vector, "y of time, states and multipliers"),
    needed("g", Form::Vector, "r of time, states and multipliers"),
    optional("z", Form::Vector, "numbers that h and g read as `z`, or `z[0]`, .."),
];

/// What a file says of it.
#[derive(Debug)]
pub(in super::super) struct Described {
    h: Vec<Expression>,
    g: Vec<Expression>,
    z: Vec<Expression>,
}

pub(super) fn read(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let states = parts.columns();
    let size = parts.table.get("h").map_or(0, |h| match &h.node {
        Node::Array(values) => values.len(),
        _ => 1,
    });
    let mut scope = parts.scope_with_multipliers(&parts.scopes.time, size);
    let [_, h, g, z] = parts.table.keyed(&KEYS, &parts.span, faults);
    let z = match z {
        Some(z) => {
            let names = numbered("z", length(&z).unwrap_or_default());
            if let Err((_, error)) = declare(&mut scope, &names, 0, (THIRD, Role::Fixed("a number"))) {
                faults.note(&z.span, error);
            }
            vector(&z, &parts.scopes.parameters, faults)
        }
        None => Some(Vec::new()),
    };
    let h = h.and_then(|h| vector(&h, &scope, faults));
    let g = g.and_then(|g| sized(&g, states, &scope, faults));
    Some(Described { h: h?, g: g?, z: z? })
}

impl Described {
    /// The expressions of a function of the relation, by its name.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "h" => Some(&self.h),
            "g" => Some(&self.g),
            _ => None,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.h.len()
    }

    pub(super) fn build(&self, parameters: &[f64]) -> FirstOrderNonlinearRelation {
        let (states, multipliers) = (symbols(FIRST, self.g.len()), symbols(SECOND, self.h.len()));
        FirstOrderNonlinearRelation::new(self.h.len(), function(&self.h), function(&self.g))
            .with_c(jacobian(&self.h, &states))
            .with_d(jacobian(&self.h, &multipliers))
            .with_k(jacobian(&self.g, &states))
            .with_b(jacobian(&self.g, &multipliers))
            .with_parameters(evaluated(&self.z, parameters))
    }
}

fn function(entries: &[Expression]) -> impl Fn(RelationPoint<'_>, &mut [f64]) + Send + Sync + use<> {
    let tape = Tape::compile(&entries.iter().collect::<Vec<_>>());
    move |point: RelationPoint<'_>, out: &mut [f64]| {
        tape.evaluate(&[&[point.t], point.at().parameters().values(), point.x, point.lambda, point.z], out);
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
    RelationJacobian::function(move |point: RelationPoint<'_>, out: &mut ArrayViewMut2<'_, f64>| {
        let banks = [&[point.t], point.at().parameters().values(), point.x, point.lambda, point.z];
        derivative.write(&banks, out);
    })
}

/// Writes it by the same keys.
pub(super) fn write(own: &FirstOrderNonlinearRelation, sheet: &mut Sheet<'_>) {
    let [kind, h, g, z] = &KEYS;
    sheet.put(kind, Value::of_text("first_order_nonlinear"));
    sheet.expressions(h, "h", own.h());
    sheet.expressions(g, "g", own.g());
    for (name, jacobian) in [("C", own.c()), ("D", own.d()), ("K", own.k()), ("B", own.b())] {
        match jacobian {
            // Constant ones are those of the expressions, as far as anyone can tell.
            Some(RelationJacobian::Zero | RelationJacobian::Constant(_)) => (),
            Some(RelationJacobian::Function(own)) => sheet.derived(name, Some(own.origin())),
            _ => sheet.derived(name, None),
        }
    }
    if !own.parameters().is_empty() {
        sheet.vector(z, own.parameters());
    }
}
