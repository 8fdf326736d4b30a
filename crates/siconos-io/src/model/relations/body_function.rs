//! Relations of rigid bodies, y = h(t, q), where h is a function of the positions of the bodies. The
//! derivatives are computed from the expressions.

use ndarray::{Array2, ArrayViewMut2};
use siconos_expression::{Expression, Symbol};
use siconos_kernel::model::{At, Coefficient, NewtonEulerRelation};

use super::super::functions::{self, Derivative, Evaluation};
use super::super::scopes::{TIME, symbol};
use super::super::table_writer::TableWriter;
use super::super::values::{Grid, matrix, row_count, vector};
use super::RelationInput;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 3] = [
    needed("kind", Form::Word(&["newton_euler"]), "y = h(t, q), where q are the positions of the bodies"),
    needed("h", Form::Vector, "h, which can depend on time and the coordinates of the bodies"),
    optional(
        "input",
        Form::Matrix,
        "G, which can depend on the same variables as h: a row for each multiplier, with its force on each body \
         and its moment in the body frame; default: the derivative of h",
    ),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct BodyFunctionDescription {
    h: Vec<Expression>,
    input: Option<Grid>,
    coordinates: Vec<Symbol>,
}

pub(super) fn read(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<BodyFunctionDescription> {
    let (scope, coordinates) = (parts.scope(&parts.scopes.time), parts.coordinates());
    let columns = 6 * parts.systems.len();
    let [_, h, input] = parts.table.keyed(&KEYS, &parts.span, diagnostics);
    let size = h.as_ref().and_then(row_count);
    let h = h.and_then(|h| vector(&h, &scope, diagnostics));
    let input = match input {
        Some(input) => matrix(&input, (size, Some(columns)), &scope, diagnostics).map(Some),
        None => Some(None),
    };
    Some(BodyFunctionDescription { h: h?, input: input?, coordinates })
}

impl BodyFunctionDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "h" => Some(&self.h),
            "G" => self.input.as_ref().map(Grid::as_slice),
            _ => None,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.h.len()
    }

    pub(super) fn build(&self) -> NewtonEulerRelation {
        let derivative = Derivative::of(&self.h, &self.coordinates);
        let mut relation =
            NewtonEulerRelation::new(self.h.len(), functions::of_first(Evaluation::of(&self.h)))
                .with_derivative(move |at: At<'_>, q: &[f64], out: &mut ArrayViewMut2<'_, f64>| {
                    derivative.write(&[&[at.t], at.parameters().values(), q], out);
                });
        let time = symbol(TIME, 0);
        if self.h.iter().any(|entry| entry.symbols().any(|symbol| symbol == time)) {
            let by_time = Derivative::of(&self.h, &[time]);
            relation = relation.with_time_derivative(move |at: At<'_>, q: &[f64], out: &mut [f64]| {
                by_time.write_rows(&[&[at.t], at.parameters().values(), q], out);
            });
        }
        match &self.input {
            Some(input) => relation.with_input(functions::matrix_of_first(Evaluation::of(&input.entries))),
            None => relation,
        }
    }
}

/// Writes the relation with the keys that the reader expects. Its bodies have `columns` coordinates in total.
pub(super) fn write(own: &NewtonEulerRelation, columns: usize, table_writer: &mut TableWriter<'_>) {
    let [kind, h, input] = &KEYS;
    table_writer.put(kind, Value::of_text("newton_euler"));
    if let Some(origin) = own.h() {
        table_writer.expressions(h, "h", origin);
    }
    table_writer.derived("C", own.derivative());
    if own.time_derivative().is_some() {
        table_writer.derived("partial derivative of h in t", own.time_derivative());
    }
    let function = own.input().map(Coefficient::<Array2<f64>>::Function);
    table_writer.matrix_coefficient(input, "G", (own.size(), 6 * columns / 7), function);
}
