//! What a command has to tell: lines for people, one object for programs.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};
use siconos_io::model::Unconverged;

use crate::arguments::Format;

/// Words, each with what stands behind it; the words are also the keys of the object.
pub(crate) struct Answer {
    lines: Vec<Line>,
    object: Vec<(&'static str, Value)>,
    /// What has to be told beside it.
    pub(crate) remark: Option<String>,
}

/// A line for people.
enum Line {
    Word(&'static str, String),
    /// Of a table or a command, as it is.
    Bare(String),
}

impl Answer {
    pub(crate) fn new(kind: &'static str) -> Self {
        // The format grows when a key changes its meaning.
        let object = vec![("format", 1.into()), ("program", PROGRAM.into()), ("kind", kind.into())];
        Self { lines: Vec::new(), object, remark: None }
    }

    /// One thing, for people and programs alike.
    pub(crate) fn add(&mut self, word: &'static str, shown: impl ToString, value: impl Into<Value>) {
        self.lines.push(Line::Word(word, shown.to_string()));
        self.object.push((word, value.into()));
    }

    /// A list, of which each has a line.
    pub(crate) fn list(&mut self, word: &'static str, all: impl IntoIterator<Item = (String, Value)>) {
        let (lines, values): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        let words = std::iter::once(word).chain(std::iter::repeat(""));
        self.lines.extend(words.zip(lines).map(|(word, line)| Line::Word(word, line)));
        self.object.push((word, values.into()));
    }

    /// The steps that did not converge, if there are any.
    pub(crate) fn add_unconverged(&mut self, unconverged: Unconverged) {
        if let Unconverged { steps, first: Some(first) } = unconverged {
            let value = json!({ "steps": steps, "first": number(first) });
            self.add("not converged", format!("{steps} steps, the first to t = {first:?}"), value);
        }
    }

    /// What is told to people in words, and to programs otherwise.
    pub(crate) fn add_for_people(&mut self, word: &'static str, shown: impl ToString) {
        self.lines.push(Line::Word(word, shown.to_string()));
    }

    /// A line as it is: of a table, of a command to copy.
    pub(crate) fn line_for_people(&mut self, line: impl Into<String>) {
        self.lines.push(Line::Bare(line.into()));
    }

    /// What people are told otherwise, or need not know.
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

/// Words stand in a column that is no narrower.
const NARROWEST: usize = 11;

/// The program and its version.
pub(crate) const PROGRAM: &str = concat!("siconos-rs ", env!("CARGO_PKG_VERSION"));

/// Writes an object over several lines.
pub(crate) fn write_json(writer: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *writer, value)?;
    writeln!(writer)
}

/// A number as JSON has it: a text where it is not finite.
pub(crate) fn number(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| format!("{number}").into(), Value::Number)
}
