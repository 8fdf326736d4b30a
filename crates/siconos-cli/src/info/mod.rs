//! What is in a file: a model, a snapshot, a table.

mod model;
mod snapshot;
mod table;

use std::io::{self, Write};

use serde_json::Value;

use crate::arguments::{Format, InfoArguments};
use crate::convert::is_document;

/// What a file holds: for people line by line, for programs as an object.
pub(crate) struct Info {
    /// Words for a line, and what stands behind them; more lines may follow.
    lines: Vec<(&'static str, String)>,
    object: Vec<(&'static str, Value)>,
    /// What has to be told beside it.
    pub(crate) remark: Option<String>,
}

impl Info {
    fn new(kind: &'static str) -> Self {
        let program = concat!("siconos-rs ", env!("CARGO_PKG_VERSION"));
        let object = vec![("format", 1.into()), ("program", program.into()), ("kind", kind.into())];
        Self { lines: Vec::new(), object, remark: None }
    }

    /// One thing, for people and programs alike.
    fn add(&mut self, word: &'static str, shown: impl ToString, value: impl Into<Value>) {
        self.lines.push((word, shown.to_string()));
        self.object.push((word, value.into()));
    }

    /// A list, of which each has a line.
    fn list(&mut self, word: &'static str, all: Vec<(String, Value)>) {
        let (lines, values): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let words = std::iter::once(word).chain(std::iter::repeat(""));
        self.lines.extend(words.zip(lines));
        self.object.push((word, values.into()));
    }
}

/// Looks into a file. An error is bad input.
pub(crate) fn run(arguments: &InfoArguments) -> Result<Info, String> {
    let path = &arguments.file;
    let name = path.to_string_lossy();
    if is_document(path) {
        model::info(path)
    } else if [".snapshot", ".snapshot.before"].iter().any(|ending| name.ends_with(ending)) {
        snapshot::info(path)
    } else {
        table::info(path)
    }
}

/// Writes the answer.
pub(crate) fn write(writer: &mut dyn Write, info: &Info, format: Format) -> io::Result<()> {
    match format {
        Format::Json => {
            let entries = info.object.iter().map(|(key, value)| (key.replace(' ', "_"), value.clone()));
            let object: Value = Value::Object(entries.collect());
            serde_json::to_writer_pretty(&mut *writer, &object)?;
            writeln!(writer)
        }
        Format::Text => {
            for (word, shown) in &info.lines {
                writeln!(writer, "{word:<13} {shown}")?;
            }
            Ok(())
        }
    }
}

/// A number as JSON has it: a text where it is not finite.
fn number(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| format!("{number}").into(), Value::Number)
}
