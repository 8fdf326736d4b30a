//! The table of methods, as text or JSON.

use std::io::{self, Write};

use crate::arguments::Format;
use crate::methods::Entry;

const TITLES: [&str; 6] = ["class", "method", "in Siconos", "known to solve", "storage", "reference"];

pub(crate) fn write(writer: &mut dyn Write, entries: &[Entry], format: Format) -> io::Result<()> {
    match format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *writer, entries)?;
            writeln!(writer)
        }
        Format::Text => write_table(writer, entries),
    }
}

fn write_table(writer: &mut dyn Write, entries: &[Entry]) -> io::Result<()> {
    let mut lines = vec![TITLES.map(str::to_owned)];
    lines.extend(entries.iter().map(cells));
    let mut widths = [0; TITLES.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for line in &lines {
        let text: String = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
        writeln!(writer, "{}", text.trim_end())?;
    }
    writeln!(writer, "\n* the method that is taken when none is named")
}

fn cells(entry: &Entry) -> [String; TITLES.len()] {
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
