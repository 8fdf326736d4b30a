//! JSON output, indented by two spaces. Each object at the first two levels is written on several lines.
//! Other values are broken only if they are too long for one line.

use super::{Line, PrintError, WIDTH};
use crate::document::{Node, Table, Value};

const LINE: Line = Line { key: text, equals: ": ", text, number };

pub(super) fn print(root: &Table<'_>) -> Result<String, PrintError> {
    let mut printed = String::new();
    table(&mut printed, root, 0)?;
    printed.push('\n');
    Ok(printed)
}

/// Depth of nesting up to which a table is always written on several lines.
const SPREAD: usize = 2;

fn table(out: &mut String, table: &Table<'_>, depth: usize) -> Result<(), PrintError> {
    out.push_str("{\n");
    let indent = 2 * (depth + 1);
    for (place, entry) in table.entries.iter().enumerate() {
        let head = format!("{}{}{}", " ".repeat(indent), text(&entry.key), LINE.equals);
        let comma = if place + 1 < table.entries.len() { "," } else { "" };
        out.push_str(&head);
        value(out, &entry.value, depth + 1, head.len() + comma.len())?;
        out.push_str(comma);
        out.push('\n');
    }
    out.push_str(&" ".repeat(2 * depth));
    out.push('}');
    Ok(())
}

fn value(out: &mut String, value: &Value<'_>, depth: usize, taken: usize) -> Result<(), PrintError> {
    let flat = LINE.value(value)?;
    let fits = taken + flat.len() <= WIDTH;
    match &value.node {
        Node::Table(own) if !own.entries.is_empty() && (depth < SPREAD || !fits) => table(out, own, depth),
        Node::Array(values) if !fits => {
            let (elements, blanks) = (LINE.elements(values, 2 * (depth + 1))?, " ".repeat(2 * depth));
            out.push_str(&format!("[\n{elements}{blanks}]"));
            Ok(())
        }
        _ => {
            out.push_str(&flat);
            Ok(())
        }
    }
}

fn text(content: &str) -> String {
    serde_json::Value::from(content).to_string()
}

/// Returns the text of a number. Infinity is written as an expression, because JSON has no literal for it.
fn number(number: f64) -> Result<String, PrintError> {
    if number.is_nan() {
        return Err(PrintError::NotANumber);
    }
    Ok(if number.is_finite() { format!("{number:?}") } else { format!("\"{number}\"") })
}
