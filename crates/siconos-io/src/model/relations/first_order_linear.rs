//! Linear relations of first-order systems: y = C x + D lambda + e, r = B lambda.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::FirstOrderLinearRelation;

use super::super::functions;
use super::super::values::{Grid, evaluated, is_constant, length, matrix, row_count, sized};
use super::super::write::Sheet;
use super::Parts;
use crate::document::{Faults, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 7] = [
    needed("kind", Form::Word(&["first_order_linear"]), "what kind of relation it is"),
    needed("C", Form::Matrix, "C, constant or of the time: a row for each component of y"),
    needed("B", Form::Matrix, "B, constant or of the time: a column for each multiplier"),
    optional("D", Form::Matrix, "D, constant or of the time; default 0"),
    optional("offset", Form::Vector, "e, constant or of the time; default 0"),
    optional("F", Form::Matrix, "F of a part F z of y, constant: a row for each component of y"),
    optional("z", Form::Vector, "z, constant or of the time: an entry for each column of F"),
];

/// What a file says of it.
#[derive(Debug)]
pub(in super::super) struct Described {
    c: Grid,
    b: Grid,
    d: Option<Grid>,
    offset: Option<Vec<Expression>>,
    /// F and z.
    parameters: Option<(Grid, Vec<Expression>)>,
}

pub(super) fn read(parts: Parts<'_, '_>, faults: &mut Faults<'_>) -> Option<Described> {
    let states = parts.columns();
    let Parts { table, span, scopes, .. } = parts;
    let scope = &scopes.time;
    let [_, c, b, d, offset, f, z] = table.keyed(&KEYS, &span, faults);
    let size = c.as_ref().and_then(row_count);
    let c = c.and_then(|c| matrix(&c, (None, states), scope, faults));
    let b = b.and_then(|b| matrix(&b, (states, size), scope, faults));
    let d = match d {
        Some(d) => matrix(&d, (size, size), scope, faults).map(Some),
        None => Some(None),
    };
    let offset = match offset {
        Some(offset) => sized(&offset, size, scope, faults).map(Some),
        None => Some(None),
    };
    let parameters = match (f, z) {
        (None, None) => Some(None),
        (Some(f), Some(z)) => {
            let count = length(&z);
            let f = matrix(&f, (size, count), &scopes.parameters, faults);
            let z = sized(&z, count, scope, faults);
            f.zip(z).map(Some)
        }
        (Some(alone), None) | (None, Some(alone)) => {
            faults.note(&alone.span, "`F` and `z` are factors of one product; the other is missing");
            None
        }
    };
    Some(Described { c: c?, b: b?, d: d?, offset: offset?, parameters: parameters? })
}

impl Described {
    /// The expressions of a function of the relation, by its name.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "C" => Some(&self.c.entries),
            "B" => Some(&self.b.entries),
            "D" => self.d.as_ref().map(Grid::as_slice),
            "e" => self.offset.as_deref(),
            "z" => self.parameters.as_ref().map(|(_, z)| &z[..]),
            _ => None,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.c.rows
    }

    pub(super) fn build(&self, parameters: &[f64]) -> Option<FirstOrderLinearRelation> {
        let mut relation = match (self.c.values(parameters), self.b.values(parameters)) {
            (Some(c), Some(b)) => FirstOrderLinearRelation::new(c, b),
            _ => FirstOrderLinearRelation::of_functions(
                self.size(),
                functions::matrix_of_time(&self.c),
                functions::matrix_of_time(&self.b),
            ),
        };
        relation = match &self.d {
            None => relation,
            Some(d) => match d.values(parameters) {
                Some(d) => relation.with_d(d),
                None => relation.with_d_function(functions::matrix_of_time(d)),
            },
        };
        if let Some((f, z)) = &self.parameters {
            let f = f.values(parameters)?;
            relation = match is_constant(z) {
                true => relation.with_parameters(f, evaluated(z, parameters)),
                false => relation.with_parameter_function(f, functions::of_time(z)),
            };
        }
        Some(match &self.offset {
            None => relation,
            Some(e) if is_constant(e) => relation.with_offset(Array1::from(evaluated(e, parameters))),
            Some(e) => relation.with_offset_function(functions::of_time(e)),
        })
    }
}

/// Writes it by the same keys, between systems of so many states.
pub(super) fn write(own: &FirstOrderLinearRelation, states: usize, sheet: &mut Sheet<'_>) {
    let [kind, c, b, d, offset, of_f, of_z] = &KEYS;
    let size = own.size();
    sheet.put(kind, Value::of_text("first_order_linear"));
    sheet.matrix_coefficient(c, "C", (size, states), Some(own.c()));
    sheet.matrix_coefficient(b, "B", (states, size), Some(own.b()));
    sheet.matrix_coefficient(d, "D", (size, size), own.d());
    sheet.coefficient(offset, "e", own.offset());
    if let Some((f, z)) = own.parameters() {
        sheet.matrix(of_f, f.view());
        sheet.coefficient(of_z, "z", Some(z));
    }
}
