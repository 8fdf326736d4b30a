//! Constants, parameters, and discrete variables with their types and initial values.

use std::ops::Range;

use siconos_expression::Scope;
use siconos_hybrid::VariableType;

use super::cycles::Readings;
use super::keys;
use crate::document::{Diagnostics, Node, Table, TreeEntry, Value, check_plain};

/// A discrete variable.
#[derive(Debug)]
pub(super) struct Discrete {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) kind: VariableType,
    pub(super) initial: f64,
}

/// A parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) value: f64,
}

const TYPES: [(&str, VariableType); 3] =
    [("float", VariableType::Float), ("integer", VariableType::Integer), ("boolean", VariableType::Boolean)];

/// Reads the table of constants. Each constant can read the constants above it.
pub(crate) fn read_constants(table: Table<'_>, diagnostics: &mut Diagnostics<'_>) -> Scope {
    let mut constants = Scope::new();
    let mut readings = Readings::of(&table);
    for (place, TreeEntry { key, key_span, value }) in table.entries.into_iter().enumerate() {
        let not_above = readings.first_not_above(place);
        let circle = not_above.and_then(|other| why_unreadable(&mut readings, (place, other), diagnostics));
        // A constant with an error is also declared, so that its name is not reported as unknown.
        let value = value.constant(&constants, diagnostics).unwrap_or(1.0);
        // A cycle is reported once, at its first constant.
        circle.iter().flatten().for_each(|place| diagnostics.excuse(readings.name(*place)));
        if let Err(error) = constants.declare_constant(&key, value) {
            diagnostics.note(&key_span, error);
            diagnostics.excuse(&key);
        } else {
            check_plain(&key, &key_span, diagnostics);
        }
    }
    constants
}

/// Sets the message for the constant at index `place`, which reads the constant at index `other` although
/// `other` is not above it in the file. Either the two constants are in a cycle, or `other` must be moved up.
/// Returns the cycle, if there is one.
fn why_unreadable(
    readings: &mut Readings,
    (place, other): (usize, usize),
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Vec<usize>> {
    let name = readings.name(other).to_owned();
    if diagnostics.is_excused(&name) {
        return None;
    }
    let circle = readings.circle(place, other);
    let why = match &circle {
        Some(circle) => readings.in_words(circle),
        None => {
            format!(
                "`{name}` is a constant that is defined later and cannot be read here; move it above this one"
            )
        }
    };
    diagnostics.unreadable(&name, why);
    circle
}

/// Reads the table of discrete variables.
pub(super) fn read_discrete(
    table: Table<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Discrete> {
    let discrete = |(name, span, value): (String, Range<usize>, Value<'_>)| {
        // A variable with an error is also declared, so that its name is not reported as unknown.
        let (kind, initial) = typed(value, constants, diagnostics).unwrap_or_default();
        Discrete { name, span, kind, initial }
    };
    let entries = table.entries.into_iter();
    entries.map(|entry| (entry.key.into_owned(), entry.key_span, entry.value)).map(discrete).collect()
}

/// Reads the type and the initial value. They are given by a table, or by the initial value alone.
fn typed(
    value: Value<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<(VariableType, f64)> {
    let span = value.span.clone();
    match value.node {
        Node::Table(table) => {
            let [kind, initial] = table.fields(diagnostics, keys::names(&keys::DISCRETE));
            let kind = diagnostics.required(kind, "type", &span);
            let initial = diagnostics.required(initial, "initial", &span);
            let kind = kind?.word(diagnostics, &TYPES)?;
            Some((
                kind,
                initial
                    .and_then(|initial| of_type(kind, &initial, constants, diagnostics))
                    .unwrap_or_default(),
            ))
        }
        Node::Boolean(initial) => Some((VariableType::Boolean, f64::from(initial))),
        _ => Some((VariableType::Float, value.constant(constants, diagnostics)?)),
    }
}

fn of_type(
    kind: VariableType,
    initial: &Value<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<f64> {
    match kind {
        VariableType::Float => initial.constant(constants, diagnostics),
        VariableType::Boolean => initial.boolean(diagnostics).map(f64::from),
        VariableType::Integer => {
            let value = initial.constant(constants, diagnostics)?;
            let Some(must_be) = kind.refuses(value) else { return Some(value) };
            diagnostics.note(&initial.span, format_args!("this is {value}; it must be {must_be}"));
            None
        }
    }
}

/// Reads the table of parameters.
pub(super) fn read_parameters(
    table: Table<'_>,
    constants: &Scope,
    diagnostics: &mut Diagnostics<'_>,
) -> Vec<Parameter> {
    let entries = table.entries.into_iter();
    let parameter = |(name, span, value): (String, Range<usize>, Value<'_>)| Parameter {
        name,
        span,
        value: value.constant(constants, diagnostics).unwrap_or_default(),
    };
    entries.map(|entry| (entry.key.into_owned(), entry.key_span, entry.value)).map(parameter).collect()
}
