//! Building blocks of the JSON Schemas of all kinds of model files.

use serde_json::{Value, json};

/// Returns the schema of a table that has the keys of `properties` and no others; `needed` lists the required
/// keys.
pub(crate) fn object(properties: impl Into<Value>, needed: &[impl AsRef<str>]) -> Value {
    let needed: Vec<_> = needed.iter().map(AsRef::as_ref).collect();
    json!({
        "type": "object",
        "properties": properties.into(),
        "required": needed,
        "additionalProperties": false,
    })
}

/// Returns the schema of a table with arbitrary keys, whose values have the schema `value`.
pub(crate) fn named(value: Value) -> Value {
    json!({ "type": "object", "additionalProperties": value })
}

pub(crate) fn any_of(choices: impl IntoIterator<Item = Value>) -> Value {
    json!({ "anyOf": choices.into_iter().collect::<Vec<_>>() })
}

pub(crate) fn array(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// Returns the schema of a number or an expression.
pub(crate) fn number() -> Value {
    json!({ "type": ["number", "string"] })
}

pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

pub(crate) fn boolean() -> Value {
    json!({ "type": "boolean" })
}
