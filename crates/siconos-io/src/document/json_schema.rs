//! Building blocks of the JSON Schemas of all kinds of model files.

use serde_json::{Map, Value, json};

use super::{Form, Key};

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

/// Function that returns the schema of the value of a key, or `None` if the [`Form`] of the key determines
/// the schema.
pub(crate) type Inner<'i> = &'i dyn Fn(&str) -> Option<Value>;

/// Leaves the schema of every key to its [`Form`].
pub(crate) fn nothing(_key: &str) -> Option<Value> {
    None
}

/// Returns the schema of a table that has the given keys and no others.
pub(crate) fn table(keys: &[Key], inner: Inner<'_>) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut value = inner(key.name).unwrap_or_else(|| of_form(key.form));
        value["description"] = json!(key.says);
        properties.insert(key.name.to_owned(), value);
    }
    let needed: Vec<_> = keys.iter().filter(|key| key.is_needed).map(|key| key.name).collect();
    object(properties, &needed)
}

/// Returns the schema of an array in a separate file.
pub(crate) fn of_file() -> Value {
    object(json!({ "file": { "type": "string" } }), &["file"])
}

pub(crate) fn vector() -> Value {
    let count = json!({ "type": "integer", "minimum": 1 });
    let formula = object(json!({ "size": count, "entry": number() }), &["size", "entry"]);
    any_of([number(), array(number()), formula, of_file()])
}

/// Returns the schema of a function of a registry.
fn of_registry() -> Value {
    object(
        json!({ "function": { "type": "string" }, "size": { "type": "integer", "minimum": 1 } }),
        &["function"],
    )
}

fn matrix() -> Value {
    let count = json!({ "type": "integer", "minimum": 1 });
    let entries = json!({ "type": "array", "items": { "type": "array", "minItems": 3, "maxItems": 3 } });
    let sparse = object(
        json!({ "rows": count, "columns": count, "entries": entries }),
        &["rows", "columns", "entries"],
    );
    let formula =
        object(json!({ "rows": count, "columns": count, "entry": number() }), &["rows", "columns", "entry"]);
    let diagonal = object(json!({ "diagonal": vector() }), &["diagonal"]);
    any_of([number(), array(array(number())), diagonal, sparse, formula, of_file()])
}

fn of_form(form: Form) -> Value {
    match form {
        Form::Number => number(),
        Form::Count => json!({ "type": "integer", "minimum": 0 }),
        Form::Boolean => boolean(),
        Form::Text => text(),
        Form::Word(words) => json!({ "enum": words }),
        Form::Vector => vector(),
        Form::Matrix => matrix(),
        Form::Function => of_registry(),
        Form::VectorOrFunction => any_of([vector(), of_registry()]),
        Form::MatrixOrFunction => any_of([matrix(), of_registry()]),
        Form::Moments => any_of([number(), array(number()), matrix()]),
        Form::Names => any_of([text(), array(text())]),
        Form::Table | Form::Named => json!({ "type": "object" }),
        Form::Tables => array(json!({ "type": "object" })),
        Form::Settings => json!({ "type": ["string", "object"] }),
    }
}
