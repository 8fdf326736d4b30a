//! Control terms T u: inputs that are functions of the state, and the matrix that maps them onto a system.

use siconos_expression::{Expression, Scope, parse_number};
use siconos_kernel::model::{ControlTerm, Jacobian, Origin};
use siconos_kernel::ndarray::Array2;

use super::super::functions;
use super::super::scopes::{FIRST, SECOND, symbols};
use super::super::values::{Grid, length, matrix, sized};
use super::super::write::Sheet;
use crate::document::{Faults, Form, Key, Value, needed};

pub(in super::super) const CONTROL: [Key; 2] = [
    needed("T", Form::Matrix, "a row for each velocity or state, a column for each input"),
    needed("u", Form::Vector, "the inputs"),
];

/// What a file says of it.
#[derive(Debug)]
pub(super) struct Control {
    pub(super) matrix: Grid,
    pub(super) inputs: Vec<Expression>,
    /// T u, of which the derivatives are taken.
    products: Vec<Expression>,
}

/// A control term of a system with so many velocities or states, if there is one; nothing where it is at
/// fault. What the matrix may read, the inputs may read as well.
pub(super) fn read(
    value: Option<Value<'_>>,
    n: Option<usize>,
    (of_matrix, of_inputs): (&Scope, &Scope),
    faults: &mut Faults<'_>,
) -> Option<Option<Control>> {
    let Some(value) = value else { return Some(None) };
    let span = value.span.clone();
    let [of_t, of_u] = value.table(faults)?.keyed(&CONTROL, &span, faults);
    let count = of_u.as_ref().and_then(length);
    let matrix = of_t.and_then(|value| matrix(&value, (n, count), of_matrix, faults));
    let inputs = of_u.and_then(|value| sized(&value, count, of_inputs, faults));
    let (matrix, inputs) = (matrix?, inputs?);
    if inputs.is_empty() {
        faults.note(&span, "a control term needs an input at least");
        return None;
    }
    let mut products = Vec::with_capacity(matrix.rows);
    for row in matrix.entries.chunks(matrix.columns) {
        let product = match parse_number(&product(row, &inputs), of_inputs) {
            Ok(product) => product,
            Err(error) => {
                faults.note(&span, format_args!("the product of T and u: {error}"));
                return None;
            }
        };
        if !faults.spend(product.size(), &span) {
            return None;
        }
        products.push(product);
    }
    Some(Some(Control { matrix, inputs, products }))
}

/// The text of a row of T times u.
fn product(row: &[Expression], inputs: &[Expression]) -> String {
    let terms = row.iter().zip(inputs).filter(|(entry, _)| entry.constant() != Some(0.0));
    let terms: Vec<_> = terms.map(|(entry, input)| format!("({entry}) * ({input})")).collect();
    if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
}

impl Control {
    /// The expressions of its functions, by their names.
    pub(super) fn text(&self, function: &str) -> Option<&[Expression]> {
        match function {
            "T" => Some(&self.matrix.entries),
            "u" => Some(&self.inputs),
            _ => None,
        }
    }

    /// As a function of the state, with the derivatives of the expressions.
    pub(super) fn build(&self) -> ControlTerm {
        let inputs = functions::of_both(&self.inputs);
        let reads_nothing = self.matrix.entries.iter().all(|entry| entry.symbols().next().is_none());
        let term = match self.matrix.values(&[]).filter(|_| reads_nothing) {
            Some(matrix) => ControlTerm::new(matrix, inputs),
            None => {
                let matrix = functions::steady_matrix(&self.matrix.entries);
                ControlTerm::of_matrix_function(self.inputs.len(), matrix, inputs)
            }
        };
        let by = |bank| functions::jacobian(&self.products, &symbols(bank, self.products.len()));
        term.with_jacobians(by(FIRST), by(SECOND))
    }
}

/// Writes a control term of a system with so many velocities or states.
pub(super) fn write(own: &ControlTerm, n: usize, [by_q, by_v]: [&str; 2], key: &Key, sheet: &mut Sheet<'_>) {
    let matrix = sheet.matrix_value("T", (n, own.inputs()), own.matrix());
    write_table(matrix, own.law(), key, sheet);
    for (name, jacobian) in [(by_q, own.jacobian_q()), (by_v, own.jacobian_v())] {
        match jacobian {
            // Constant ones are those of the expressions, as far as anyone can tell.
            Jacobian::Zero | Jacobian::Constant(_) => (),
            Jacobian::Function(own) => sheet.derived(name, Some(own.origin())),
            _ => sheet.derived(name, None),
        }
    }
}

/// Writes one whose matrix is constant and whose inputs are functions of the time.
pub(super) fn write_of_time((matrix, inputs): (&Array2<f64>, &Origin), key: &Key, sheet: &mut Sheet<'_>) {
    let matrix = super::super::write::numbers(matrix.view());
    write_table(Some(matrix), inputs, key, sheet);
}

fn write_table(matrix: Option<Value<'static>>, inputs: &Origin, key: &Key, sheet: &mut Sheet<'_>) {
    let inputs =
        sheet.texts("u", inputs).map(|texts| Value::of_array(texts.iter().map(|text| Value::of_entry(text))));
    let [of_t, of_u] = &CONTROL;
    if let (Some(matrix), Some(inputs)) = (matrix, inputs) {
        sheet.put(key, Value::of_table([(of_t.name, matrix), (of_u.name, inputs)]));
    }
}
