//! Summary of a table: its number of rows, and its columns with their first and last values.

use std::path::Path;

use serde_json::{Value, json};
use siconos_io::trajectory::Table;

use crate::answer::{Answer, number};

pub(super) fn info(path: &Path) -> Result<Answer, String> {
    let table = Table::read(path).map_err(|error| error.to_string())?;
    let mut info = Answer::new("table");
    info.add("rows", table.len(), table.len());
    let ends = if table.is_empty() { Vec::new() } else { vec![0, table.len() - 1] };
    let column = |(place, name): (usize, &String)| {
        let values: Vec<f64> = ends.iter().map(|row| table.row(*row)[place]).collect();
        let shown: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
        let (values, from_to) = (values.into_iter().map(number).collect::<Vec<Value>>(), shown.join(" .. "));
        (
            format!("{name}: {from_to}"),
            json!({ "name": name, "first": values.first(), "last": values.last() }),
        )
    };
    info.list("columns", table.columns().iter().enumerate().map(column));
    Ok(info)
}
