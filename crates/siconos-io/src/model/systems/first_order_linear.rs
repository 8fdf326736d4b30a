//! Linear systems of first order: M x' = A x + b(t) + r.

use ndarray::Array1;
use siconos_expression::Expression;
use siconos_kernel::model::FirstOrderLinear;

use super::super::functions;
use super::super::registered::{MatrixFunction, Registered, VectorFunction};
use super::super::registry::{Arguments, Registry};
use super::super::table_writer::{Matrix, TableWriter};
use super::super::values::{Grid, evaluated, matrix, vector};
use super::SystemInput;
use super::control::{self, Control};
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(super) const KEYS: [Key; 7] = [
    needed(
        "family",
        Form::Word(&["first_order_linear"]),
        "M x' = A x + T u + b + r, where r is the input of the interactions",
    ),
    needed("x", Form::Vector, "initial state"),
    optional("coordinates", Form::Names, "names of the states; default `x`, or `x[0]`, .."),
    needed("A", Form::MatrixOrFunction, "A, constant or a function of time"),
    optional("source", Form::VectorOrFunction, "b, constant or a function of time; default 0"),
    optional("mass", Form::Matrix, "M, constant; default: the identity"),
    optional(
        "control",
        Form::Table,
        "control term T u with constant T and u as a function of time; default 0",
    ),
];

/// Description of the system in a file.
#[derive(Debug)]
pub(super) struct LinearDescription {
    x: Vec<Expression>,
    a: MatrixFunction,
    source: Option<VectorFunction>,
    mass: Option<Grid>,
    control: Option<Control>,
}

pub(super) fn read(
    parts: SystemInput<'_, '_>,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<LinearDescription> {
    let SystemInput { table, span, scopes, coordinates } = parts;
    let n = coordinates.size();
    let [_, x, _, a, source, mass, control] = table.keyed(&KEYS, &span, diagnostics);
    let x = x.and_then(|x| vector(&x, &scopes.parameters, diagnostics));
    let of_time = &*scopes.time;
    let a = a.and_then(|a| MatrixFunction::read(&a, (n, n), of_time, Arguments::Time, diagnostics));
    let source = match source {
        Some(source) => VectorFunction::sized(&source, n, of_time, Arguments::Time, diagnostics).map(Some),
        None => Some(None),
    };
    let mass = match mass {
        Some(mass) => matrix(&mass, (n, n), &scopes.parameters, diagnostics).map(Some),
        None => Some(None),
    };
    let control = control::of_time(control, n, scopes, diagnostics);
    Some(LinearDescription { x: x?, a: a?, source: source?, mass: mass?, control: control? })
}

impl LinearDescription {
    /// Returns the expressions of the function whose name in the kernel is `function`.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "A" => self.a.expressions(),
            "b" => self.source.as_ref()?.expressions(),
            _ => self.control.as_ref()?.text(["", ""], function),
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let source = self.source.as_ref().and_then(VectorFunction::registered);
        let of_control = self.control.iter().flat_map(Control::registered);
        let own = [("A", self.a.registered()), ("b", source)];
        own.into_iter().filter_map(|(name, own)| Some((name, own?))).chain(of_control)
    }

    pub(super) fn build(&self, parameters: &[f64], registry: &Registry) -> Option<FirstOrderLinear> {
        let x = evaluated(&self.x, parameters);
        let mut system = match self.a.constant() {
            Some(a) => FirstOrderLinear::new(x, a),
            None => FirstOrderLinear::of_matrix_function(
                x,
                functions::matrix_of_time(self.a.evaluation(registry)?),
            ),
        };
        if let Some(mass) = &self.mass {
            system = system.with_mass(mass.values(parameters)?);
        }
        if let Some(control) = &self.control {
            let inputs = functions::of_time(control.inputs.evaluation(registry)?);
            system = system.with_control(control.matrix.values(parameters)?, inputs);
        }
        let Some(source) = &self.source else { return Some(system) };
        Some(match source.constant() {
            Some(source) => system.with_source(Array1::from(source)),
            None => system.with_source_function(functions::of_time(source.evaluation(registry)?)),
        })
    }
}

/// Writes the system with the keys that the reader expects.
pub(super) fn write(
    own: &FirstOrderLinear,
    coordinates: Option<&[String]>,
    table_writer: &mut TableWriter<'_>,
) {
    let [family, x, named, a, source, mass, control] = &KEYS;
    let n = own.x0().len();
    table_writer.put(family, Value::of_text("first_order_linear"));
    table_writer.coordinates(named, "x", coordinates);
    table_writer.vector(x, own.x0());
    if let Some(own) = own.mass() {
        table_writer.matrix(mass, own.dense().view());
    }
    table_writer.matrix_coefficient(a, "A", (n, n), Some(own.a()));
    table_writer.coefficient(source, "b", own.source());
    if let Some((matrix, inputs)) = own.control() {
        control::write_of_time(matrix, inputs, control, table_writer);
    }
}
