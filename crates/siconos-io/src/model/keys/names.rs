//! Names of values that outputs and events of models can read.

use super::{KeyDescription, KeyTable, RULES};

/// Returns a table of the names of values that outputs and events of models can read, such as `floor.gap`,
/// with their meanings. It is the table on the page `docs/model-files.md`. The names of systems, interactions
/// and devices are examples.
///
/// ```
/// use siconos_io::model::keys::names;
///
/// let table = names();
/// assert!(table.keys.iter().any(|value| value.name == "floor.gap" && value.meaning.contains("contact")));
/// ```
#[must_use]
pub fn names() -> KeyTable {
    let rows =
        RULES.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "));
    let keys = rows.flat_map(|(names, meaning)| {
        names.split("`, `").map(move |name| KeyDescription {
            name,
            value: String::new(),
            is_required: false,
            meaning,
        })
    });
    KeyTable {
        file: "model",
        path: "expressions",
        words: vec!["names"],
        meaning: "values that outputs and events can read",
        keys: keys.collect(),
    }
}
