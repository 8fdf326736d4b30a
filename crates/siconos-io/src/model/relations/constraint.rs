//! Nonlinear relations of Lagrangian systems: y = h(q), or y = h(t, q), with the derivatives of their
//! expressions.

use siconos_expression::{Expression, Rate, Symbol, Tape};
use siconos_kernel::model::{
    At, LagrangianRheonomousRelation, LagrangianScleronomousRelation, Parameters, Relation,
};

use super::super::functions::{self, Derivative};
use super::super::scopes::{SECOND, TIME, symbol, symbols};
use super::super::values::vector;
use super::super::write::Sheet;
use super::Parts;
use crate::document::{Faults, Form, Key, Value, needed};

pub(super) const SCLERONOMOUS: [Key; 2] = [
    needed("kind", Form::Word(&["scleronomous"]), "what kind of relation it is"),
    needed("h", Form::Vector, "y of the coordinates of its systems"),
];

pub(super) const RHEONOMOUS: [Key; 2] = [
    needed("kind", Form::Word(&["rheonomous"]), "what kind of relation it is"),
    needed("h", Form::Vector, "y of the time and the coordinates of its systems"),
];

/// What a file says of it.
#[derive(Debug)]
pub(in super::super) struct Described {
    h: Vec<Expression>,
    coordinates: Vec<Symbol>,
    is_rheonomous: bool,
}

pub(super) fn scleronomous(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let (scope, coordinates) = (parts.scope(&parts.scopes.parameters), parts.coordinates());
    let [_, h] = parts.table.keyed(&SCLERONOMOUS, &parts.span, faults);
    Some(Described { h: vector(&h?, &scope, faults)?, coordinates, is_rheonomous: false })
}

pub(super) fn rheonomous(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let (scope, coordinates) = (parts.scope(&parts.scopes.time), parts.coordinates());
    let [_, h] = parts.table.keyed(&RHEONOMOUS, &parts.span, faults);
    Some(Described { h: vector(&h?, &scope, faults)?, coordinates, is_rheonomous: true })
}

impl Described {
    /// The expressions of a function of the relation, by its name.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        (function == "h").then_some(&self.h)
    }

    pub(super) fn size(&self) -> usize {
        self.h.len()
    }

    pub(super) fn build(&self) -> Relation {
        let size = self.h.len();
        let jacobian = Derivative::of(&self.h, &self.coordinates);
        let acceleration = self.second_derivative();
        if self.is_rheonomous {
            let by_time = Derivative::of(&self.h, &[symbol(TIME, 0)]);
            return LagrangianRheonomousRelation::new(size, functions::of_first(&self.h))
                .with_jacobian(move |at: At<'_>, q: &[f64], out| {
                    jacobian.write(&[&[at.t], at.parameters().values(), q], out);
                })
                .with_time_derivative(move |at: At<'_>, q: &[f64], out: &mut [f64]| {
                    by_time.write_rows(&[&[at.t], at.parameters().values(), q], out);
                })
                .with_convective_acceleration(move |at: At<'_>, q: &[f64], v: &[f64], out: &mut [f64]| {
                    acceleration.evaluate(&[&[at.t], at.parameters().values(), q, v], out);
                })
                .into();
        }
        LagrangianScleronomousRelation::new(size, functions::steady(&self.h))
            .with_jacobian(move |parameters: &Parameters, q: &[f64], out| {
                jacobian.write(&[&[], parameters.values(), q], out);
            })
            .with_convective_acceleration(
                move |parameters: &Parameters, q: &[f64], v: &[f64], out: &mut [f64]| {
                    acceleration.evaluate(&[&[], parameters.values(), q, v], out);
                },
            )
            .into()
    }

    /// The second derivative of y along a motion whose velocities do not change.
    fn second_derivative(&self) -> Tape {
        let velocities = symbols(SECOND, self.coordinates.len()).into_iter().map(Rate::Symbol);
        let mut rates: Vec<_> = self.coordinates.iter().copied().zip(velocities).collect();
        if self.is_rheonomous {
            rates.push((symbol(TIME, 0), Rate::Number(1.0)));
        }
        Tape::compile_along(&self.h.iter().collect::<Vec<_>>(), &rates, 2)
    }
}

/// Writes it by the same keys.
pub(super) fn write_scleronomous(own: &LagrangianScleronomousRelation, sheet: &mut Sheet<'_>) {
    let [kind, h] = &SCLERONOMOUS;
    sheet.put(kind, Value::of_text("scleronomous"));
    sheet.expressions(h, "h", own.h());
    sheet.derived("J", own.jacobian());
    sheet.derived("convective acceleration", own.convective_acceleration());
}

/// Writes it by the same keys.
pub(super) fn write_rheonomous(own: &LagrangianRheonomousRelation, sheet: &mut Sheet<'_>) {
    let [kind, h] = &RHEONOMOUS;
    sheet.put(kind, Value::of_text("rheonomous"));
    sheet.expressions(h, "h", own.h());
    sheet.derived("J", own.jacobian());
    sheet.derived("partial derivative of h in t", own.time_derivative());
    sheet.derived("convective acceleration", own.convective_acceleration());
}
