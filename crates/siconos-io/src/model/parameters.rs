//! Parameters: named numbers, or arrays of numbers, that expressions read.

use std::ops::Range;

use siconos_expression::{Role, Scope};
use siconos_kernel::model::NonSmoothDynamicalSystem;

use super::scopes::{PARAMETERS, T, name, numbered, symbol};
use super::table_writer::{NO_NAME, UnwrittenPart};
use super::values::of_column;
use crate::document::{Diagnostics, Node, Table, TreeEntry, Value, check_plain, is_plain, stands_in};

/// A parameter with its values.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) values: Vec<f64>,
    /// `true` if expressions read the values with an index, `gains[0]`. An array can have a single value.
    pub(super) is_array: bool,
}

/// Reads the table of parameters, and declares their names: `gravity`, or `gains[0]`, .. for an array.
pub(super) fn read(
    table: Table<'_>,
    constants: &Scope,
    scope: &mut Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut place = 0;
    for TreeEntry { key, key_span: span, value } in table.entries {
        let values = values(&value, constants, diagnostics);
        let (own, is_array) = (key.into_owned(), matches!(value.node, Node::Array(_)));
        let names = if is_array {
            (0..values.len()).map(|index| format!("{own}[{index}]")).collect()
        } else {
            numbered(&own, 1)
        };
        if own == T {
            diagnostics.note(&span, format_args!("`{T}` is the time and cannot be a parameter"));
        } else if !check_plain(&own, &span, diagnostics) {
            diagnostics.excuse(&own);
        } else if let Err(error) = scope.check_name(&own) {
            diagnostics.note(&span, error);
            diagnostics.excuse(&own);
        }
        if values.is_empty() {
            diagnostics.note(&value.span, format_args!("the parameter `{own}` has no values"));
            diagnostics.excuse(&own);
        }
        for own in names {
            // A name that cannot be declared has been reported.
            let _told = scope.declare(&own, name(symbol(PARAMETERS, place), Role::Parameter));
            place += 1;
        }
        parameters.push(Parameter { name: own, span, values, is_array });
    }
    parameters
}

/// Returns the scope `constants` with all parameters added. `named` contains the names of the parameters.
pub(super) fn as_constants(parameters: &[Parameter], named: &Scope, mut constants: Scope) -> Scope {
    let values: Vec<f64> = parameters.iter().flat_map(|own| own.values.iter().copied()).collect();
    for (own, meaning) in named.iter().filter(|(_, meaning)| meaning.symbol.slot == PARAMETERS) {
        if let Some(value) = values.get(meaning.symbol.index as usize) {
            // A valid name of a parameter is also valid for a constant.
            let _declared = constants.declare_constant(own, *value);
        }
    }
    constants
}

/// Returns the values of a parameter. A value with an error is replaced by 1 to avoid further errors.
fn values(value: &Value<'_>, constants: &Scope, diagnostics: &mut Diagnostics<'_>) -> Vec<f64> {
    match &value.node {
        Node::Array(values) => values
            .iter()
            .map(|own| of_column(own, value).constant(constants, diagnostics).unwrap_or(1.0))
            .collect(),
        _ => vec![value.constant(constants, diagnostics).unwrap_or(1.0)],
    }
}

/// Writes the parameters of a model with their initial values. Returns `None` if the model has none. A
/// parameter is an array if it is listed in `arrays`, or if an expression reads it with an index.
pub(super) fn write(
    model: &NonSmoothDynamicalSystem,
    arrays: &[String],
    texts: &str,
    unwritten: &mut Vec<UnwrittenPart>,
) -> Option<Value<'static>> {
    let mut written = Vec::new();
    for (_, parameter) in model.parameters().iter() {
        let own = parameter.name();
        let values = parameter.initial().iter().map(|value| Value::of_number(*value));
        let is_array = values.len() != 1
            || arrays.iter().any(|known| known == own)
            || stands_in(texts, &format!("{own}[0]"));
        let declared = if is_array { format!("{own}[0]") } else { own.to_owned() };
        let can_be_read =
            Scope::new().declare(&declared, name(symbol(PARAMETERS, 0), Role::Parameter)).is_ok();
        if own == T || !is_plain(own) || !can_be_read {
            let (object, part) = (format!("parameter `{own}`"), "its name".to_owned());
            unwritten.push(UnwrittenPart { object, part, reason: NO_NAME });
            continue;
        }
        let mut values: Vec<_> = values.collect();
        let value = if is_array { Value::of_array(values) } else { values.remove(0) };
        written.push((own, value));
    }
    (!written.is_empty()).then(|| Value::of_table(written))
}
