//! The list in which faults are noted while a file is read.

use std::fmt;
use std::ops::Range;

use siconos_expression::{Excerpt, ParseError};

use super::{DocumentError, Fault, Text};

/// What has been found wrong so far.
#[derive(Debug)]
pub(crate) struct Faults<'s> {
    source: &'s str,
    name: &'s str,
    event: Option<usize>,
    noted: Vec<Noted>,
    /// Operations of all expressions so far.
    operations: usize,
}

/// So many operations of the expressions of a file, functions written out, fit into a few gigabytes.
const MOST_OPERATIONS: usize = 10_000_000;

#[derive(Debug)]
struct Noted {
    span: Range<usize>,
    event: Option<usize>,
    message: String,
}

impl<'s> Faults<'s> {
    /// An empty list for a text and the name that messages give it.
    pub(crate) fn new(source: &'s str, name: &'s str) -> Self {
        Self { source, name, event: None, noted: Vec::new(), operations: 0 }
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// The text and its name, to be kept.
    pub(crate) fn text(&self) -> (String, String) {
        (self.source.to_owned(), self.name.to_owned())
    }

    /// Counts the operations of an expression; it is at fault where those of the file become too many.
    pub(crate) fn count_operations(&mut self, span: &Range<usize>, operations: usize) -> bool {
        self.operations = self.operations.saturating_add(operations);
        let fits = self.operations <= MOST_OPERATIONS;
        if !fits {
            let message = "with this the expressions of the file have more than 10 million operations, functions \
                           written out";
            self.note(span, message);
        }
        fits
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.noted.len()
    }

    /// Notes that something is wrong with some bytes of the text.
    pub(crate) fn note(&mut self, span: &Range<usize>, message: impl fmt::Display) {
        self.noted.push(Noted { span: span.clone(), event: self.event, message: message.to_string() });
    }

    /// Notes what is wrong with an expression in a string, of which `skipped` bytes were not parsed.
    pub(crate) fn note_in(&mut self, text: &Text<'_>, skipped: usize, error: &ParseError) {
        let place = error.span.start + skipped..error.span.end + skipped;
        self.note(&text.span_of(&place), &error.kind);
    }

    /// The value of a key that a table has to have; without it the table is at fault.
    pub(crate) fn required<T>(&mut self, value: Option<T>, key: &str, table: &Range<usize>) -> Option<T> {
        if value.is_none() {
            self.note(table, format_args!("the key `{key}` is missing"));
        }
        value
    }

    /// Reads an event; what is wrong in it is told with its number, from 1.
    pub(crate) fn in_event<R>(&mut self, number: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.event.replace(number);
        let result = read(self);
        self.event = before;
        result
    }

    /// What was read, if nothing is wrong.
    pub(crate) fn check<T>(mut self, read: Option<T>) -> Result<T, DocumentError> {
        if read.is_none() && self.noted.is_empty() {
            self.note(&(0..0), "this cannot be read");
        }
        match read {
            Some(read) if self.noted.is_empty() => Ok(read),
            _ => Err(self.into_error()),
        }
    }

    fn into_error(mut self) -> DocumentError {
        self.noted.sort_by_key(|noted| (noted.span.start, noted.span.end));
        let source = self.source;
        let fault =
            |Noted { span, event, message }| Fault { message, event, excerpt: Excerpt::new(source, span) };
        DocumentError::Faults {
            name: self.name.to_owned(),
            faults: self.noted.into_iter().map(fault).collect(),
        }
    }
}
