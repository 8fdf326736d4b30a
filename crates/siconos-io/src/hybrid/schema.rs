//! JSON Schema of files of hybrid systems, generated from the lists of keys that the reader uses.

use serde_json::{Value, json};

use super::{keys, outputs};
use crate::document::FORMAT;
use crate::document::json_schema::{any_of, array, named, nothing, number, table};
use crate::output::of_output;

/// Returns the JSON Schema (draft 2020-12) of model files of kind `hybrid`. Editors use it to complete and
/// check a file while it is written. The schema does not check the content of equations, triggers and
/// actions; only the reader does.
///
/// ```
/// let schema = siconos_io::hybrid::schema();
/// assert_eq!(schema["properties"]["kind"]["enum"][0], "hybrid");
/// ```
#[must_use]
pub fn schema() -> Value {
    let mut root = table(&keys::ROOT, &of_root);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("A hybrid system");
    root
}

fn of_root(key: &str) -> Option<Value> {
    Some(match key {
        "format" => json!({ "const": FORMAT }),
        "constants" | "parameters" => named(number()),
        "time" => table(&keys::TIME, &nothing),
        "variables" => named(table(&keys::VARIABLE, &of_variable)),
        "discrete" => {
            let initial = || json!({ "type": ["number", "string", "boolean"] });
            named(any_of([initial(), table(&keys::DISCRETE, &|key| (key == "initial").then(initial))]))
        }
        "events" => array(table(&keys::EVENT, &nothing)),
        "settings" => table(&keys::SETTINGS, &of_setting),
        "output" => table(&outputs::KEYS, &of_output(&outputs::COLUMN)),
        _ => return None,
    })
}

fn of_variable(key: &str) -> Option<Value> {
    (key == "initial").then(numbers)
}

fn of_setting(key: &str) -> Option<Value> {
    key.ends_with("_tolerance").then(numbers)
}

/// Returns the schema of one number, or an array of numbers.
fn numbers() -> Value {
    any_of([number(), array(number())])
}
