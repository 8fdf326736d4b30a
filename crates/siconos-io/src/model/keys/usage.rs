//! Tables and keys that a model file uses, for the links from the page to the example models.

use toml::{Table, Value};

use super::KeyTable;

/// Keys of a table that a model uses.
pub(super) fn used_keys(model: &Table, table: &KeyTable) -> Vec<String> {
    let kind = model.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind != table.file {
        return Vec::new();
    }
    let mut found = Vec::new();
    let root = Value::Table(model.clone());
    let path: Vec<&str> = table.path.split('.').filter(|part| !part.is_empty()).collect();
    for own in at(&root, &path) {
        collect(own, table, &mut found);
    }
    // A law can also be written in its interaction.
    if table.path == "laws.NAME" {
        for own in at(&root, &["interactions", "NAME", "law"]) {
            collect(own, table, &mut found);
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Adds the keys of a value if it is the table: if its kind is one of the words of the table.
fn collect(value: &Value, table: &KeyTable, found: &mut Vec<String>) {
    match value {
        Value::Array(all) => all.iter().for_each(|own| collect(own, table, found)),
        Value::String(word) if table.words.contains(&word.as_str()) => found.push("kind".to_owned()),
        Value::Table(own) => {
            let word = ["kind", "family"].iter().find_map(|key| own.get(*key)?.as_str());
            if table.words.is_empty() || word.is_some_and(|word| table.words.contains(&word)) {
                found.extend(
                    own.keys().filter(|key| table.keys.iter().any(|known| known.name == *key)).cloned(),
                );
            }
        }
        _ => (),
    }
}

/// Returns the values at a path, in which `NAME` matches every key.
fn at<'v>(value: &'v Value, path: &[&str]) -> Vec<&'v Value> {
    let Some((first, rest)) = path.split_first() else { return vec![value] };
    let Value::Table(table) = value else { return Vec::new() };
    match *first {
        "NAME" => table.values().flat_map(|value| at(value, rest)).collect(),
        key => table.get(key).map_or_else(Vec::new, |value| at(value, rest)),
    }
}
