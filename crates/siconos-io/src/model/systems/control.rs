//! Control terms T u: inputs u that are functions of the state, and the matrix T that applies them to a
//! system.

use siconos_expression::{Expression, Scope, parse_number};
use siconos_kernel::model::{ControlTerm, Jacobian, Origin};
use siconos_kernel::ndarray::Array2;

use super::super::functions;
use super::super::positions::Positions;
use super::super::registered::{MatrixFunction, Registered, VectorFunction, count};
use super::super::registry::{Arguments, Registry};
use super::super::scopes::{SECOND, Scopes, symbols};
use super::super::table_writer::{TableWriter, is_registered};
use super::super::values::{Grid, matrix};
use super::lagrangian::{self, DERIVATIVES};
use crate::document::{Diagnostics, Form, Key, Value, needed, optional};

pub(in super::super) const CONTROL: [Key; 3] = [
    needed(
        "T",
        Form::MatrixOrFunction,
        "T of the control term T u: a row for each velocity or state, a column for each input",
    ),
    needed("u", Form::VectorOrFunction, "inputs u"),
    optional(
        "derivative",
        Form::Table,
        "derivatives `q` and `v` of T u, instead of the derivatives of its expressions, or of finite differences if T or u \
         is a function of the program; not for linear systems",
    ),
];

/// Description of the control term in a file.
#[derive(Debug)]
pub(super) struct Control {
    pub(super) matrix: MatrixFunction,
    pub(super) inputs: VectorFunction,
    /// Derivatives of T u in the file. The first one is with respect to positions or states, the second one
    /// with respect to velocities or rates of the states.
    derivatives: [Option<Grid>; 2],
    /// Product T u, if T and u are expressions. The derivatives are computed from it.
    products: Option<Vec<Expression>>,
}

/// Reads the control term of a linear system with n states, if there is one. Returns `None` if it has an
/// error.
pub(super) fn of_time(
    value: Option<Value<'_>>,
    n: Option<usize>,
    scopes: &Scopes,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Control>> {
    read(value, n, (&scopes.parameters, &scopes.time), None, Arguments::Time, diagnostics)
}

/// Reads the control term of a system with n velocities or states, if there is one. Returns `None` if it has
/// an error. The names that T can read must be a subset of the names that u can read.
pub(super) fn of_state(
    value: Option<Value<'_>>,
    n: Option<usize>,
    (of_matrix, of_inputs): (&Scope, &Scope),
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Control>> {
    read(value, n, (of_matrix, of_inputs), Some(Arguments::State), Arguments::Motion, diagnostics)
}

/// Reads T in the scope `of_matrix` and u in the scope `of_inputs`. If T or u is a function of the program,
/// it has the arguments `matrix_arguments` or `input_arguments`. If `matrix_arguments` is `None`, T cannot be
/// a function of the program.
fn read(
    value: Option<Value<'_>>,
    n: Option<usize>,
    (of_matrix, of_inputs): (&Scope, &Scope),
    matrix_arguments: Option<Arguments>,
    input_arguments: Arguments,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Option<Control>> {
    let Some(value) = value else { return Some(None) };
    let span = value.span.clone();
    let [of_t, of_u, derivative] = value.table(diagnostics)?.keyed(&CONTROL, &span, diagnostics);
    let shape = (n, of_u.as_ref().and_then(count));
    let matrix = of_t.and_then(|value| match matrix_arguments {
        Some(arguments) => MatrixFunction::read(&value, shape, of_matrix, arguments, diagnostics),
        // The kernel requires a constant matrix.
        None => matrix(&value, shape, of_matrix, diagnostics).map(MatrixFunction::Expressions),
    });
    let inputs =
        of_u.and_then(|value| VectorFunction::of_any_size(&value, of_inputs, input_arguments, diagnostics));
    let derivatives = match derivative {
        Some(value) if matrix_arguments.is_none() => {
            diagnostics.note(
                &value.span,
                "the inputs of a linear system depend only on the time, so they have no derivatives here",
            );
            None
        }
        Some(value) => lagrangian::derivatives(value, n, of_inputs, diagnostics),
        None => Some([None, None]),
    };
    let (matrix, inputs, derivatives) = (matrix?, inputs?, derivatives?);
    if inputs.size() == 0 {
        diagnostics.note(&span, "a control term requires at least one input");
        return None;
    }
    let products = match (&matrix, &inputs) {
        (MatrixFunction::Expressions(matrix), VectorFunction::Expressions(inputs)) => {
            let rows = matrix.entries.chunks(matrix.columns);
            let product = |row| {
                let product = parse_number(&product(row, inputs), of_inputs).map_err(|error| {
                    diagnostics.note(&span, format_args!("the product of T and u: {error}"));
                });
                product.ok().filter(|product| diagnostics.spend(product.size(), &span))
            };
            Some(rows.map(product).collect::<Option<Vec<_>>>()?)
        }
        _ => None,
    };
    Some(Some(Control { matrix, inputs, derivatives, products }))
}

/// Returns the product of a row of T and u as text.
fn product(row: &[Expression], inputs: &[Expression]) -> String {
    let terms = row.iter().zip(inputs).filter(|(entry, _)| entry.constant() != Some(0.0));
    let terms: Vec<_> = terms.map(|(entry, input)| format!("({entry}) * ({input})")).collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

impl Control {
    /// Returns the expressions of the function whose name in the kernel is `function`: T, u, or a derivative
    /// in the file. `by_q` and `by_v` are the names of the derivatives in the kernel.
    pub(super) fn text(&self, [by_q, by_v]: [&str; 2], function: &str) -> Option<&[Expression]> {
        let [of_q, of_v] = &self.derivatives;
        match function {
            "T" => self.matrix.expressions(),
            "u" => self.inputs.expressions(),
            _ if function == by_q => of_q.as_ref().map(Grid::as_slice),
            _ if function == by_v => of_v.as_ref().map(Grid::as_slice),
            _ => None,
        }
    }

    /// Returns the functions that are taken from a registry, with their names in the kernel.
    pub(super) fn registered(&self) -> impl Iterator<Item = (&'static str, &Registered)> {
        let own = [("T", self.matrix.registered()), ("u", self.inputs.registered())];
        own.into_iter().filter_map(|(name, own)| Some((name, own?)))
    }

    /// Builds the term as a function of the state. Its derivatives are taken from the file, or else computed
    /// from the expressions.
    pub(super) fn build(&self, positions: &Positions, registry: &Registry) -> Option<ControlTerm> {
        let inputs = functions::of_both(self.inputs.evaluation(registry)?);
        let term = match self.matrix.constant() {
            Some(matrix) => ControlTerm::new(matrix, inputs),
            None => {
                let matrix = functions::steady_matrix(self.matrix.evaluation(registry)?);
                ControlTerm::of_matrix_function(self.inputs.size(), matrix, inputs)
            }
        };
        let by_q = |products: &Vec<Expression>| functions::jacobian_along(products, positions);
        let by_v =
            |products: &Vec<Expression>| functions::jacobian(products, &symbols(SECOND, products.len()));
        let by = |given: &Option<Grid>, derived: &dyn Fn(&Vec<Expression>) -> Jacobian| match given {
            Some(given) => functions::given_jacobian(given),
            None => self.products.as_ref().map_or(Jacobian::FiniteDifference, derived),
        };
        let [of_q, of_v] = &self.derivatives;
        Some(term.with_jacobians(by(of_q, &by_q), by(of_v, &by_v)))
    }
}

/// Writes the control term of a system with n velocities or states.
pub(super) fn write(
    own: &ControlTerm,
    n: usize,
    [by_q, by_v]: [&str; 2],
    key: &Key,
    table_writer: &mut TableWriter<'_>,
) {
    let matrix = table_writer.matrix_value("T", (n, own.inputs()), own.matrix());
    let is_of_registry = [Some(own.law()), own.matrix().function()].into_iter().flatten().any(is_registered);
    let [q, v] = &DERIVATIVES;
    let given =
        [(q, by_q, own.jacobian_q()), (v, by_v, own.jacobian_v())].map(|(key, name, given)| match given {
            // Not written: a reader also computes finite differences if T or u is a function of the program.
            Jacobian::FiniteDifference if is_of_registry => None,
            given => table_writer.derivative(name, n, given, own.law()).map(|value| (key.name, value)),
        });
    let given = given.iter().any(Option::is_some).then(|| Value::of_table(given.into_iter().flatten()));
    write_table(matrix, own.law(), own.inputs(), given, key, table_writer);
}

/// Writes a control term with a constant matrix and with inputs that are functions of the time.
pub(super) fn write_of_time(
    matrix: &Array2<f64>,
    inputs: &Origin,
    key: &Key,
    table_writer: &mut TableWriter<'_>,
) {
    let of_numbers = super::super::table_writer::numbers(matrix.view());
    write_table(Some(of_numbers), inputs, matrix.ncols(), None, key, table_writer);
}

fn write_table(
    matrix: Option<Value<'static>>,
    inputs: &Origin,
    count: usize,
    derivative: Option<Value<'static>>,
    key: &Key,
    table_writer: &mut TableWriter<'_>,
) {
    let inputs = table_writer.vector_value("u", inputs, Some(count));
    let [of_t, of_u, of_derivative] = &CONTROL;
    if let (Some(matrix), Some(inputs)) = (matrix, inputs) {
        let derivative = derivative.map(|value| (of_derivative.name, value));
        let entries = [(of_t.name, matrix), (of_u.name, inputs)].into_iter().chain(derivative);
        table_writer.put(key, Value::of_table(entries));
    }
}
