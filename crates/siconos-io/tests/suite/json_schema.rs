//! Validator of values against a JSON Schema, limited to the keywords in the schemas of model files.
//!
//! An unknown keyword fails the test; it is not ignored.

use serde_json::{Map, Value};

/// Returns the path of the first value that violates the schema; `None` if the value is valid.
pub(crate) fn offence(schema: &Value, value: &Value) -> Option<String> {
    at(schema, value, "")
}

fn at(schema: &Value, value: &Value, path: &str) -> Option<String> {
    let keywords = match schema {
        Value::Bool(anything) => return (!anything).then(|| path.to_owned()),
        Value::Object(keywords) => keywords,
        _ => panic!("no schema: {schema}"),
    };
    keywords.iter().find_map(|(keyword, asked)| offends(keyword, asked, value, path, keywords))
}

/// Checks one keyword; the last argument contains all keywords of its schema.
fn offends(
    keyword: &str,
    asked: &Value,
    value: &Value,
    path: &str,
    beside: &Map<String, Value>,
) -> Option<String> {
    let here = |fits: bool| (!fits).then(|| format!("{path}: {keyword} {asked}"));
    match keyword {
        "$schema" | "title" | "description" => None,
        "type" => here(names(asked).any(|name| is(name, value))),
        "const" => here(value == asked),
        "enum" => here(list(asked).contains(value)),
        // The other keywords apply to values of one type and accept values of other types.
        "minimum" => here(value.as_f64().is_none_or(|number| number >= asked.as_f64().expect("a bound"))),
        "minItems" => here(value.as_array().is_none_or(|items| items.len() >= count(asked))),
        "maxItems" => here(value.as_array().is_none_or(|items| items.len() <= count(asked))),
        "required" => {
            here(value.as_object().is_none_or(|table| names(asked).all(|name| table.contains_key(name))))
        }
        "anyOf" => here(list(asked).iter().any(|choice| at(choice, value, path).is_none())),
        "items" => {
            let items = value.as_array()?.iter().enumerate();
            items.into_iter().find_map(|(index, item)| at(asked, item, &format!("{path}[{index}]")))
        }
        "properties" => {
            let mut pairs = value.as_object()?.iter();
            pairs.find_map(|(key, value)| at(asked.get(key)?, value, &format!("{path}.{key}")))
        }
        "additionalProperties" => {
            let known = beside.get("properties");
            let is_known = |key: &str| known.is_some_and(|known| known.get(key).is_some());
            let mut others = value.as_object()?.iter().filter(|(key, _)| !is_known(key));
            others.find_map(|(key, value)| at(asked, value, &format!("{path}.{key}")))
        }
        _ => panic!("the keyword `{keyword}` is not known to this test"),
    }
}

fn is(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        // A number without a fractional part, in any notation.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => panic!("the type `{name}` is not known to this test"),
    }
}

fn list(asked: &Value) -> &[Value] {
    asked.as_array().map(Vec::as_slice).expect("a list")
}

/// Returns a single name, or the names of a list.
fn names(asked: &Value) -> impl Iterator<Item = &str> {
    let one = asked.as_str().into_iter();
    one.chain(asked.as_array().into_iter().flatten().map(|name| name.as_str().expect("a name")))
}

fn count(asked: &Value) -> usize {
    usize::try_from(asked.as_u64().expect("a count")).expect("a count")
}

/// Each keyword, a value that it accepts and a value that it refuses.
#[test]
fn each_keyword_refuses() {
    use serde_json::json;
    let all = [
        (json!({ "type": "integer" }), json!(2.0), json!(2.5)),
        (json!({ "type": ["number", "string"] }), json!("a"), json!(true)),
        (json!({ "const": 1 }), json!(1), json!(2)),
        (json!({ "enum": ["a", "b"] }), json!("b"), json!("c")),
        (json!({ "minimum": 1 }), json!("text"), json!(0.5)),
        (json!({ "minItems": 1 }), json!([0]), json!([])),
        (json!({ "maxItems": 1 }), json!([0]), json!([0, 0])),
        (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({ "b": 1 })),
        (json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] }), json!(2), json!(3)),
        (json!({ "items": { "type": "number" } }), json!([1, 2]), json!([1, "a"])),
        (json!({ "properties": { "a": { "const": 1 } } }), json!({ "b": 2 }), json!({ "a": 2 })),
        (
            json!({ "properties": { "a": true }, "additionalProperties": false }),
            json!({ "a": 1 }),
            json!({ "b": 1 }),
        ),
        (json!({ "additionalProperties": { "const": 1 } }), json!({ "a": 1 }), json!({ "a": 2 })),
    ];
    for (schema, good, bad) in &all {
        assert_eq!(offence(schema, good), None, "{schema}");
        assert!(offence(schema, bad).is_some(), "{schema}");
    }
    let deep = json!({ "properties": { "a": { "items": { "type": "number" } } } });
    assert_eq!(offence(&deep, &json!({ "a": [1, "x"] })).expect("an offence"), ".a[1]: type \"number\"");
}
