//! The list in which faults are noted while a file is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use siconos_expression::{Excerpt, ParseError, ParseErrorKind};

use super::{DocumentError, Fault, Text};
use crate::text_file::unmarked_text;

/// What has been found wrong so far.
#[derive(Debug)]
pub(crate) struct Faults<'s> {
    source: &'s str,
    name: &'s str,
    /// Of the file that the text is from.
    folder: Option<PathBuf>,
    event: Option<usize>,
    noted: Vec<Noted>,
    /// Names of what is at fault itself: that texts do not find them is no fault of theirs.
    excused: BTreeSet<String>,
    /// Places of values that are at fault themselves: what they are not is no other fault.
    excused_values: Vec<Range<usize>>,
    /// Whether names may be missing because what declares them is at fault.
    names_are_missing: bool,
    /// Names that some texts may read and others may not, and what they are.
    elsewhere: BTreeMap<String, Elsewhere>,
    /// Entries of matrices that the file says are there, without writing them.
    announced: usize,
    /// Entries of the dense matrices that the model will have, written or not.
    dense: usize,
    /// Operations and operands of all expressions.
    nodes: usize,
}

/// So many faults are told one by one, if the lines that they are in are not longer than this together
/// \[bytes\].
const MOST_FAULTS: usize = 1000;
const MOST_TEXT: usize = 16 << 20;

/// So many entries the dense matrices of a model may have together, as derivatives of functions are: 800 MB.
const MOST_DENSE: usize = 100_000_000;

/// So many operations and operands the expressions of a file may have together: a short text that calls
/// functions of functions stands for very many.
const MOST_NODES: usize = 4_000_000;

/// What is said of a name that a text cannot read.
#[derive(Debug)]
enum Elsewhere {
    /// What it is.
    Is(&'static str),
    /// All of it.
    Says(String),
}

#[derive(Debug, PartialEq, Eq)]
struct Noted {
    span: Range<usize>,
    event: Option<usize>,
    message: String,
}

impl<'s> Faults<'s> {
    /// An empty list for a text, without its byte order mark, and the name that messages give it.
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

    /// A list for a text that stands in a folder, below which it may name files.
    pub(crate) fn within(self, folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned), ..self }
    }

    /// The folder of the file that the text is from; nothing of a text alone.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// The text and its name, to be kept.
    pub(crate) fn text(&self) -> (String, String) {
        (self.source.to_owned(), self.name.to_owned())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.noted.len()
    }

    /// Whether names like one that is wrong are still looked for: among very many names, for very many that
    /// are wrong, that would take too long.
    pub(crate) fn is_worth_a_search(&self) -> bool {
        self.noted.len() < MOST_FAULTS
    }

    /// Notes that something is wrong with some bytes of the text.
    pub(crate) fn note(&mut self, span: &Range<usize>, message: impl fmt::Display) {
        if self.excused_values.contains(span) {
            return;
        }
        self.noted.push(Noted { span: span.clone(), event: self.event, message: message.to_string() });
    }

    /// Notes what is wrong with an expression in a string, of which `skipped` bytes were not parsed.
    pub(crate) fn note_in(&mut self, text: &Text<'_>, skipped: usize, error: &ParseError) {
        let place = error.span.start + skipped..error.span.end + skipped;
        self.note_kind(&text.span_of(&place), &error.kind);
    }

    /// Notes what is wrong with some bytes of an expression, unless that follows from another fault.
    pub(crate) fn note_kind(&mut self, span: &Range<usize>, kind: &ParseErrorKind) {
        match kind {
            // What is wrong with the function is told where it stands.
            ParseErrorKind::FaultyFunction { .. } => (),
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

    /// Lets nothing complain that there is no such name: what should declare it is at fault, which is told.
    pub(crate) fn excuse(&mut self, name: &str) {
        self.excused.insert(name.to_owned());
    }

    /// Lets nothing else complain about the value at a place: it is at fault, which is told.
    pub(crate) fn excuse_value(&mut self, span: &Range<usize>) {
        self.excused_values.push(span.clone());
    }

    /// Reads texts whose names are not all known, because what declares them is at fault.
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

    /// Counts so many more entries of matrices that are not written one by one; false where these are more
    /// than a file may have.
    pub(crate) fn announce(&mut self, entries: usize, most: usize) -> bool {
        self.announced = self.announced.saturating_add(entries);
        self.announced <= most
    }

    /// Counts the entries of one more dense matrix, of which a file writes but its rows; false, with a fault
    /// where that is first so, if all of them are more than a model may have.
    pub(crate) fn fill(&mut self, (rows, columns): (usize, usize), span: &Range<usize>) -> bool {
        let before = self.dense;
        self.dense = before.saturating_add(rows.saturating_mul(columns));
        if before <= MOST_DENSE && self.dense > MOST_DENSE {
            let message = format!(
                "with the {rows} x {columns} entries of a matrix of this the dense matrices of the model have more \
                 than {MOST_DENSE} entries"
            );
            self.note(span, message);
        }
        self.dense <= MOST_DENSE
    }

    /// Counts the operations and operands of one more expression; false, with a fault where that is first so,
    /// if all of them are more than a file may have.
    pub(crate) fn spend(&mut self, nodes: usize, span: &Range<usize>) -> bool {
        let before = self.nodes;
        self.nodes = before.saturating_add(nodes);
        if before <= MOST_NODES && self.nodes > MOST_NODES {
            let message = format!(
                "with this the expressions of the file have more than {MOST_NODES} operations and operands, with all \
                 functions written out"
            );
            self.note(span, message);
        }
        self.nodes <= MOST_NODES
    }

    /// Says what a name is where other texts may read it.
    pub(crate) fn known_elsewhere(&mut self, name: &str, what: &'static str) {
        self.elsewhere.insert(name.to_owned(), Elsewhere::Is(what));
    }

    /// Says why a name cannot be read where it is not known.
    pub(crate) fn unreadable(&mut self, name: &str, message: String) {
        self.elsewhere.insert(name.to_owned(), Elsewhere::Says(message));
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

    /// All that was noted, in the order of the places.
    pub(crate) fn into_list(self) -> Vec<Fault> {
        match self.check(Some(())) {
            Err(DocumentError::Faults { faults, .. }) => faults,
            _ => Vec::new(),
        }
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

    /// All faults in the order of their places, each once; of very many the first ones and how many there are
    /// besides.
    fn into_error(mut self) -> DocumentError {
        self.noted.sort_by_key(|noted| (noted.span.start, noted.span.end));
        self.noted.dedup();
        let mut lines = Lines::new(self.source);
        let (mut faults, mut length, all) = (Vec::new(), 0, self.noted.len());
        for (place, Noted { span, event, message }) in self.noted.into_iter().enumerate() {
            let excerpt = lines.excerpt(&span);
            length += excerpt.text.len();
            if place == MOST_FAULTS || (place > 0 && length > MOST_TEXT) {
                let message = format!("here is the first of {} more faults", all - place);
                faults.push(Fault { message, event: None, excerpt });
                break;
            }
            faults.push(Fault { message, event, excerpt });
        }
        DocumentError::Faults { name: self.name.to_owned(), faults }
    }
}

/// A text whose lines are looked for from the top on, for places in their order.
struct Lines<'s> {
    source: &'s str,
    /// How many lines are above, and where the next one begins.
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
