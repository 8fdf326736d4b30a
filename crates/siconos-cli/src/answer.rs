//! Output of a command: lines of text for people, or one JSON object for programs.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use siconos_io::model::Unconverged;

use crate::arguments::Format;

/// Output as labelled values. The labels are also the keys of the JSON object.
pub(crate) struct Answer {
    lines: Vec<Line>,
    object: Vec<(&'static str, Value)>,
    /// Remark that is printed on standard error, not with the values.
    pub(crate) remark: Option<String>,
}

/// Line of the text output.
enum Line {
    Word(&'static str, String),
    /// Line that is printed unchanged, such as a line of a table or a command.
    Bare(String),
}

impl Answer {
    pub(crate) fn new(kind: &'static str) -> Self {
        // The format is incremented when the meaning of a key changes.
        let object = vec![("format", 1.into()), ("program", PROGRAM.into()), ("kind", kind.into())];
        Self { lines: Vec::new(), object, remark: None }
    }

    /// Adds a value to the text and to the JSON object.
    pub(crate) fn add(&mut self, word: &'static str, shown: impl ToString, value: impl Into<Value>) {
        self.lines.push(Line::Word(word, shown.to_string()));
        self.object.push((word, value.into()));
    }

    /// Adds a list. The text output has one line for each element.
    pub(crate) fn list(&mut self, word: &'static str, all: impl IntoIterator<Item = (String, Value)>) {
        let (lines, values): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let words = std::iter::once(word).chain(std::iter::repeat(""));
        self.lines.extend(words.zip(lines).map(|(word, line)| Line::Word(word, line)));
        self.object.push((word, values.into()));
    }

    /// Adds the steps that did not converge, if there are any.
    pub(crate) fn add_unconverged(&mut self, unconverged: Unconverged) {
        if let Unconverged { steps, first: Some(first) } = unconverged {
            let value = json!({ "steps": steps, "first": number(first) });
            self.add("not converged", format!("{steps} steps, the first to t = {first:?}"), value);
        }
    }

    /// Adds a value to the text output only.
    pub(crate) fn add_for_people(&mut self, word: &'static str, shown: impl ToString) {
        self.lines.push(Line::Word(word, shown.to_string()));
    }

    /// Adds a line to the text output only. It is printed unchanged, such as a line of a table, or a command.
    pub(crate) fn line_for_people(&mut self, line: impl Into<String>) {
        self.lines.push(Line::Bare(line.into()));
    }

    /// Adds a value to the JSON object only.
    pub(crate) fn add_for_programs(&mut self, key: &'static str, value: impl Into<Value>) {
        self.object.push((key, value.into()));
    }

    pub(crate) fn write(&self, writer: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Json => {
                let entries = self.object.iter().map(|(key, value)| (key.replace(' ', "_"), value.clone()));
                let object: Value = Value::Object(entries.collect());
                write_json(writer, &object)
            }
            Format::Text => {
                let words = self.lines.iter().map(|line| match line {
                    Line::Word(word, _) => word.len(),
                    Line::Bare(_) => 0,
                });
                let width = words.fold(NARROWEST, usize::max);
                self.lines.iter().try_for_each(|line| match line {
                    Line::Word(word, shown) => writeln!(writer, "{word:<width$} {shown}"),
                    Line::Bare(line) => writeln!(writer, "{line}"),
                })
            }
        }
    }
}

/// Minimum width of the column of labels \[characters\].
const NARROWEST: usize = 11;

/// Name and version of the program.
pub(crate) const PROGRAM: &str = concat!("siconos-rs ", env!("CARGO_PKG_VERSION"));

/// Writes a value as indented JSON.
pub(crate) fn write_json(writer: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *writer, value)?;
    writeln!(writer)
}

/// Converts a number to JSON. A number that is not finite becomes a string.
pub(crate) fn number(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| format!("{number}").into(), Value::Number)
}
