//! Diagnostics found in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use siconos_expression::{Excerpt, ParseError, ParseErrorKind};

use super::{Diagnostic, DocumentError, Text};
use crate::text_file::unmarked_text;

/// Diagnostics found so far in a file, and counts that must not exceed the limits for a file.
#[derive(Debug)]
pub(crate) struct Diagnostics<'s> {
    source: &'s str,
    name: &'s str,
    /// Folder of the file that contains the text.
    folder: Option<PathBuf>,
    event: Option<usize>,
    noted: Vec<Noted>,
    /// Names with an invalid declaration, which are not reported as unknown.
    excused: BTreeSet<String>,
    /// Positions of invalid values, which give no further diagnostics.
    excused_values: Vec<Range<usize>>,
    /// `true` if unknown names are not reported, because their declarations may be invalid.
    names_are_missing: bool,
    /// Names that the current expression cannot read, but other expressions of the file can.
    elsewhere: BTreeMap<String, Elsewhere>,
    /// Number of matrix entries that the file defines without listing each of them.
    announced: usize,
    /// Total number of entries of all dense matrices in the model, whether or not the file lists them.
    dense: usize,
    /// Total number of operations and operands in all expressions.
    nodes: usize,
}

/// Maximum number of diagnostics that are listed one by one.
const MOST_FAULTS: usize = 1000;
/// Maximum total length of the source lines in the list of diagnostics \[bytes\].
const MOST_TEXT: usize = 16 << 20;

/// Maximum total number of entries of a model's dense matrices. It corresponds to 800 MB. Examples of dense
/// matrices are the derivatives of functions.
const MOST_DENSE: usize = 100_000_000;

/// Maximum total number of operations and operands in the expressions of a file. Without this limit, nested
/// function calls in a short text could expand to a very large number of operations.
const MOST_NODES: usize = 4_000_000;

/// Message for a name that the current expression cannot read.
#[derive(Debug)]
enum Elsewhere {
    /// Description of the name, which becomes part of the message.
    Is(&'static str),
    /// Complete message.
    Says(String),
}

#[derive(Debug, PartialEq, Eq)]
struct Noted {
    span: Range<usize>,
    event: Option<usize>,
    message: String,
}

impl<'s> Diagnostics<'s> {
    /// Creates an empty list of diagnostics for `source`, whose byte order mark is skipped. Messages use
    /// `name`.
    pub(crate) fn new(source: &'s str, name: &'s str) -> Self {
        Self {
            source: unmarked_text(source),
            name,
            folder: None,
            event: None,
            noted: Vec::new(),
            excused: BTreeSet::new(),
            excused_values: Vec::new(),
            names_are_missing: false,
            elsewhere: BTreeMap::new(),
            announced: 0,
            dense: 0,
            nodes: 0,
        }
    }

    /// Sets the folder from which the data files named in the text are read.
    pub(crate) fn within(self, folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned), ..self }
    }

    /// Returns the folder of the file that contains the text; `None` if the text does not come from a file.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// Returns copies of the text and its name.
    pub(crate) fn text(&self) -> (String, String) {
        (self.source.to_owned(), self.name.to_owned())
    }

    /// Returns the number of diagnostics.
    pub(crate) fn count(&self) -> usize {
        self.noted.len()
    }

    /// Returns `true` if messages should suggest similar names. The search takes too long if there are many
    /// diagnostics and many names.
    pub(crate) fn is_worth_a_search(&self) -> bool {
        self.noted.len() < MOST_FAULTS
    }

    /// Adds a diagnostic for a range of bytes of the text.
    pub(crate) fn note(&mut self, span: &Range<usize>, message: impl fmt::Display) {
        if self.excused_values.contains(span) {
            return;
        }
        self.noted.push(Noted { span: span.clone(), event: self.event, message: message.to_string() });
    }

    /// Adds a diagnostic for an expression in a string. The expression starts at byte `skipped` of the
    /// string.
    pub(crate) fn note_in(&mut self, text: &Text<'_>, skipped: usize, error: &ParseError) {
        let place = error.span.start + skipped..error.span.end + skipped;
        self.note_kind(&text.span_of(&place), &error.kind);
    }

    /// Adds a diagnostic for a range of bytes of an expression, unless it follows from another error.
    pub(crate) fn note_kind(&mut self, span: &Range<usize>, kind: &ParseErrorKind) {
        match kind {
            // The error is reported at the definition of the function.
            ParseErrorKind::InvalidFunction { .. } => (),
            ParseErrorKind::UnknownName { name, .. } | ParseErrorKind::UnknownFunction { name, .. } => {
                if self.is_excused(name) {
                    return;
                }
                match self.elsewhere.get(name) {
                    Some(Elsewhere::Is(what)) => {
                        self.note(span, format!("`{name}` is {what}, which cannot be read here"));
                    }
                    Some(Elsewhere::Says(message)) => self.note(span, message.clone()),
                    None => self.note(span, kind),
                }
            }
            _ => self.note(span, kind),
        }
    }

    /// Suppresses diagnostics of an unknown name, because its declaration is invalid and has been reported.
    pub(crate) fn excuse(&mut self, name: &str) {
        self.excused.insert(name.to_owned());
    }

    /// Suppresses further diagnostics of a value, because it is invalid and has been reported.
    pub(crate) fn excuse_value(&mut self, span: &Range<usize>) {
        self.excused_values.push(span.clone());
    }

    /// Calls `read`. If `are_missing` is `true`, unknown names are not reported, because their declarations
    /// may be invalid.
    pub(crate) fn with_missing_names<R>(
        &mut self,
        are_missing: bool,
        read: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before = std::mem::replace(&mut self.names_are_missing, are_missing);
        let result = read(self);
        self.names_are_missing = before;
        result
    }

    pub(crate) fn is_excused(&self, name: &str) -> bool {
        let first = name.split(['.', '[', '\'']).next().unwrap_or(name);
        self.names_are_missing || self.excused.contains(first)
    }

    /// Adds `entries` to the number of matrix entries that are not listed individually. Returns `false` if
    /// the sum exceeds `most`.
    pub(crate) fn announce(&mut self, entries: usize, most: usize) -> bool {
        self.announced = self.announced.saturating_add(entries);
        self.announced <= most
    }

    /// Adds the entries of a dense matrix to their total number. Returns `false` if the total exceeds the
    /// limit for a model. Only the first matrix that exceeds the limit gives a diagnostic.
    pub(crate) fn fill(&mut self, (rows, columns): (usize, usize), span: &Range<usize>) -> bool {
        let before = self.dense;
        self.dense = before.saturating_add(rows.saturating_mul(columns));
        if before <= MOST_DENSE && self.dense > MOST_DENSE {
            let message = format!(
                "with the {rows} x {columns} entries of a matrix of this table, the dense matrices of the model have more \
                 than {MOST_DENSE} entries"
            );
            self.note(span, message);
        }
        self.dense <= MOST_DENSE
    }

    /// Adds the operations and operands of an expression to their total number. Returns `false` if the total
    /// exceeds the limit for a file. Only the first expression that exceeds the limit gives a diagnostic.
    pub(crate) fn spend(&mut self, nodes: usize, span: &Range<usize>) -> bool {
        let before = self.nodes;
        self.nodes = before.saturating_add(nodes);
        if before <= MOST_NODES && self.nodes > MOST_NODES {
            let message = format!(
                "with this expression, the expressions of the file have more than {MOST_NODES} operations and operands, with all \
                 functions expanded"
            );
            self.note(span, message);
        }
        self.nodes <= MOST_NODES
    }

    /// Sets the description of a name that only other expressions can read.
    pub(crate) fn known_elsewhere(&mut self, name: &str, what: &'static str) {
        self.elsewhere.insert(name.to_owned(), Elsewhere::Is(what));
    }

    /// Sets the message for a name that the current expression cannot read.
    pub(crate) fn unreadable(&mut self, name: &str, message: String) {
        self.elsewhere.insert(name.to_owned(), Elsewhere::Says(message));
    }

    /// Returns the value of a required key. If the key is missing, adds a diagnostic at the position of the
    /// table.
    pub(crate) fn required<T>(&mut self, value: Option<T>, key: &str, table: &Range<usize>) -> Option<T> {
        if value.is_none() {
            self.note(table, format_args!("the key `{key}` is missing"));
        }
        value
    }

    /// Calls `read` for an event. Each diagnostic that it adds contains `number`, the event number from 1.
    pub(crate) fn in_event<R>(&mut self, number: usize, read: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.event.replace(number);
        let result = read(self);
        self.event = before;
        result
    }

    /// Returns all diagnostics, in the order of their positions.
    pub(crate) fn into_list(self) -> Vec<Diagnostic> {
        match self.check(Some(())) {
            Err(DocumentError::Diagnostics { diagnostics, .. }) => diagnostics,
            _ => Vec::new(),
        }
    }

    /// Returns the value that was read, or the diagnostics if there are any.
    pub(crate) fn check<T>(mut self, read: Option<T>) -> Result<T, DocumentError> {
        if read.is_none() && self.noted.is_empty() {
            self.note(&(0..0), "this cannot be read");
        }
        match read {
            Some(read) if self.noted.is_empty() => Ok(read),
            _ => Err(self.into_error()),
        }
    }

    /// Returns all diagnostics in the order of their positions, without duplicates. If there are too many,
    /// the list is truncated, and a diagnostic with the number of omitted errors is appended.
    fn into_error(mut self) -> DocumentError {
        self.noted.sort_by_key(|noted| (noted.span.start, noted.span.end));
        self.noted.dedup();
        let mut lines = Lines::new(self.source);
        let (mut diagnostics, mut length, all) = (Vec::new(), 0, self.noted.len());
        for (place, Noted { span, event, message }) in self.noted.into_iter().enumerate() {
            let excerpt = lines.excerpt(&span);
            length += excerpt.text.len();
            if place == MOST_FAULTS || (place > 0 && length > MOST_TEXT) {
                let message = format!("the first of {} more errors is here", all - place);
                diagnostics.push(Diagnostic { message, event: None, excerpt });
                break;
            }
            diagnostics.push(Diagnostic { message, event, excerpt });
        }
        DocumentError::Diagnostics { name: self.name.to_owned(), diagnostics }
    }
}

/// Lines of a text, which are searched in the order of increasing positions.
struct Lines<'s> {
    source: &'s str,
    /// Number of lines before the current line. `begin` is the byte at which the current line starts.
    above: usize,
    begin: usize,
}

impl<'s> Lines<'s> {
    fn new(source: &'s str) -> Self {
        Self { source, above: 0, begin: 0 }
    }

    fn excerpt(&mut self, span: &Range<usize>) -> Excerpt {
        while let Some(length) = self.source[self.begin..].find('\n') {
            let next = self.begin + length + 1;
            if next > span.start {
                break;
            }
            (self.above, self.begin) = (self.above + 1, next);
        }
        let within = span.start.saturating_sub(self.begin)..span.end.saturating_sub(self.begin);
        let excerpt = Excerpt::new(&self.source[self.begin..], within);
        Excerpt { line: self.above + excerpt.line, ..excerpt }
    }
}
