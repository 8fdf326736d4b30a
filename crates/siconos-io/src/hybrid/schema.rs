//! JSON Schema of files of hybrid systems, generated from the lists of keys that the reader uses.

use serde_json::{Map, Value, json};

use super::{event, read, settings};
use crate::document::FORMAT;
use crate::document::json_schema::{any_of, array, boolean, named, number, object, text};

/// Returns the JSON Schema (draft 2020-12) of model files of kind `hybrid`. Editors use it to complete and
/// check a file while it is written. The schema does not check the content of equations, triggers and
/// actions; only the reader does.
///
/// ```
/// let schema = siconos_io::hybrid::schema();
/// assert_eq!(schema["properties"]["kind"]["const"], "hybrid");
/// ```
#[must_use]
pub fn schema() -> Value {
    let mut root = table(&read::KEYS, &["format", "kind", "variables"], of_root);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("A hybrid system");
    root
}

/// Returns the schema of a table that has the given keys and no others.
fn table(keys: &[&str], needed: &[&str], of: fn(&str) -> Value) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), of(key))).collect();
    object(properties, needed)
}

fn of_root(key: &str) -> Value {
    match key {
        "format" => json!({ "const": FORMAT }),
        "kind" => json!({ "const": "hybrid" }),
        "title" => text(),
        "time" => table(&["start", "end"], &[], |_| number()),
        "variables" => named(table(&["initial", "equation"], &["initial", "equation"], of_variable)),
        "discrete" => {
            let typed = table(&["type", "initial"], &["type", "initial"], of_discrete);
            named(json!({ "anyOf": [{ "type": ["number", "string", "boolean"] }, typed] }))
        }
        "events" => array(table(&event::KEYS, &["trigger"], of_event)),
        "settings" => table(&settings::KEYS, &[], of_settings),
        // Constants and parameters.
        _ => named(number()),
    }
}

fn of_variable(key: &str) -> Value {
    match key {
        "initial" => any_of([number(), array(number())]),
        _ => text(),
    }
}

fn of_discrete(key: &str) -> Value {
    match key {
        "type" => json!({ "enum": ["float", "integer", "boolean"] }),
        _ => json!({ "type": ["number", "string", "boolean"] }),
    }
}

fn of_event(key: &str) -> Value {
    match key {
        "retrigger" | "fire_initial" | "enabled" => boolean(),
        _ => text(),
    }
}

fn of_settings(key: &str) -> Value {
    match key {
        "method" | "event_iterate" | "event_pre" => text(),
        "event_initial" => boolean(),
        "relative_tolerance" | "absolute_tolerance" => {
            json!({ "anyOf": [{ "type": "number" }, { "type": "array", "items": { "type": "number" } }] })
        }
        "max_steps" | "samples" | "event_maxiter" | "impacts" | "most_impacts" | "gap" => {
            json!({ "type": "integer", "minimum": 0 })
        }
        _ => json!({ "type": "number" }),
    }
}
