//! Output of the table of methods, as text or JSON.

use std::io::{self, Write};

use crate::answer::write_json;
use crate::arguments::Format;
use crate::columns;
use crate::methods::MethodEntry;

const TITLES: [&str; 6] = ["class", "method", "in Siconos", "known to solve", "storage", "reference"];

pub(crate) fn write(writer: &mut dyn Write, entries: &[MethodEntry], format: Format) -> io::Result<()> {
    match format {
        Format::Json => write_json(writer, entries),
        Format::Text => write_table(writer, entries),
    }
}

fn write_table(writer: &mut dyn Write, entries: &[MethodEntry]) -> io::Result<()> {
    let mut lines = vec![TITLES.map(str::to_owned)];
    lines.extend(entries.iter().map(cells));
    columns::write(writer, &lines, [false; TITLES.len()])?;
    writeln!(writer, "\n* the default method")
}

fn cells(entry: &MethodEntry) -> [String; TITLES.len()] {
    let method = &entry.method;
    let mark = if entry.default { " *" } else { "" };
    let siconos = if method.siconos.is_empty() { "-" } else { method.siconos };
    [
        entry.class.to_owned(),
        format!("{}{mark}", method.name),
        siconos.to_owned(),
        method.guarantee.to_string(),
        method.storage.to_owned(),
        method.reference.to_owned(),
    ]
}
