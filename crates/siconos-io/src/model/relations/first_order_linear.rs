//! Linear relations of first-order systems: y = C x + D lambda + e, r = B lambda.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::FirstOrderLinearRelation;

use super::super::functions;
use super::super::registered::{MatrixFunction, Registered, VectorFunction, count};
use super::super::registry::{Arguments, Registry};
use super::super::table_writer::{TableWriter, registered, registered_name};
use super::super::values::{Grid, length, matrix};
use super::RelationInput;
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 7] = [
    needed("kind", Form::Word(&["first_order_linear"]), "y = C x + D lambda + F z + e, r = B lambda"),
    needed(
        "C",
        Form::MatrixOrFunction,
        "C, constant or a function of time: a row for each component of y; x contains the states of first-order systems and the velocities of all others",
    ),
    needed(
        "B",
        Form::MatrixOrFunction,
        "B, constant or a function of time: a column for each multiplier; r is a rate of first-order systems, and a force on all others",
    ),
    optional("D", Form::MatrixOrFunction, "D, constant or a function of time; default 0"),
    optional("offset", Form::VectorOrFunction, "e, constant or a function of time; default 0"),
    optional("F", Form::Matrix, "F, constant: a row for each component of y; default 0"),
    optional(
        "z",
        Form::VectorOrFunction,
        "z, constant or a function of time: an entry for each column of F; required with `F`",
    ),
];

/// Description of the relation in a file.
#[derive(Debug)]
pub(in super::super) struct LinearDescription {
    c: MatrixFunction,
    b: MatrixFunction,
    d: Option<MatrixFunction>,
    offset: Option<VectorFunction>,
    /// F and z of the term F z.
    parameters: Option<(Grid, VectorFunction)>,
}

pub(super) fn read(
    parts: RelationInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<LinearDescription> {
    let states = parts.states_and_velocities();
    let RelationInput { table, span, scopes, .. } = parts;
    let of_time = &*scopes.time;
    let [_, c, b, d, offset, f, z] = table.keyed(&KEYS, &span, diagnostics);
    let size = c.as_ref().and_then(count);
    let c = c.and_then(|c| MatrixFunction::read(&c, (None, states), of_time, Arguments::Time, diagnostics));
    let b = b.and_then(|b| MatrixFunction::read(&b, (states, size), of_time, Arguments::Time, diagnostics));
    let d = match d {
        Some(d) => MatrixFunction::read(&d, (size, size), of_time, Arguments::Time, diagnostics).map(Some),
        None => Some(None),
    };
    let offset = match offset {
        Some(offset) => VectorFunction::sized(&offset, size, of_time, Arguments::Time, diagnostics).map(Some),
        None => Some(None),
    };
    let parameters = match (f, z) {
        (None, None) => Some(None),
        (Some(f), Some(z)) => {
            let f = matrix(&f, (size, length(&z)), &scopes.parameters, diagnostics);
            let columns = f.as_ref().map(|f| f.columns).or_else(|| length(&z));
            let z = VectorFunction::sized(&z, columns, of_time, Arguments::Time, diagnostics);
            f.zip(z).map(Some)
        }
        (Some(alone), None) | (None, Some(alone)) => {
            diagnostics.note(&alone.span, "`F` and `z` are the factors of a product; give both");
            None
        }
    };
    Some(LinearDescription { c: c?, b: b?, d: d?, offset: offset?, parameters: parameters? })
}

impl LinearDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "C" => self.c.expressions(),
            "B" => self.b.expressions(),
            "D" => self.d.as_ref()?.expressions(),
            "e" => self.offset.as_ref()?.expressions(),
            "z" => self.parameters.as_ref()?.1.expressions(),
            _ => None,
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        [
            ("C", self.c.registered()),
            ("B", self.b.registered()),
            ("D", self.d.as_ref().and_then(MatrixFunction::registered)),
            ("e", self.offset.as_ref().and_then(VectorFunction::registered)),
            ("z", self.parameters.as_ref().and_then(|(_, z)| z.registered())),
        ]
        .into_iter()
        .filter_map(|(name, own)| Some((name, own?)))
    }

    pub(super) fn size(&self) -> usize {
        self.c.rows()
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<FirstOrderLinearRelation> {
        let mut relation = match (self.c.constant(), self.b.constant()) {
            (Some(c), Some(b)) => FirstOrderLinearRelation::new(c, b),
            _ => FirstOrderLinearRelation::of_functions(
                self.size(),
                functions::matrix_of_time(self.c.evaluation(registry)?),
                functions::matrix_of_time(self.b.evaluation(registry)?),
            ),
        };
        if let Some(d) = &self.d {
            relation = match d.constant() {
                Some(d) => relation.with_d(d),
                None => relation.with_d_function(functions::matrix_of_time(d.evaluation(registry)?)),
            };
        }
        if let Some((f, z)) = &self.parameters {
            let f = f.values(parameters)?;
            relation = match z.constant() {
                Some(z) => relation.with_parameters(f, z),
                None => relation.with_parameter_function(f, functions::of_time(z.evaluation(registry)?)),
            };
        }
        let Some(e) = &self.offset else { return Some(relation) };
        Some(match e.constant() {
            Some(e) => relation.with_offset(Array1::from(e)),
            None => relation.with_offset_function(functions::of_time(e.evaluation(registry)?)),
        })
    }
}

/// Writes the relation with the keys that the reader expects. Its systems have `states` states in total.
pub(super) fn write(own: &FirstOrderLinearRelation, states: usize, table_writer: &mut TableWriter<'_>) {
    let [kind, c, b, d, offset, of_f, of_z] = &KEYS;
    let size = own.size();
    table_writer.put(kind, Value::of_text("first_order_linear"));
    match own.c().function().and_then(registered_name) {
        Some(name) => table_writer.put(c, registered(name, Some(size))),
        None => table_writer.matrix_coefficient(c, "C", (size, states), Some(own.c())),
    }
    table_writer.matrix_coefficient(b, "B", (states, size), Some(own.b()));
    table_writer.matrix_coefficient(d, "D", (size, size), own.d());
    table_writer.coefficient(offset, "e", own.offset());
    if let Some((f, z)) = own.parameters() {
        table_writer.matrix(of_f, f.view());
        table_writer.coefficient(of_z, "z", Some(z));
    }
}
