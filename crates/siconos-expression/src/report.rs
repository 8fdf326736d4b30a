//! Display of errors together with the source line in which they occur.

use std::fmt;
use std::ops::Range;

use crate::error::ParseError;

/// Excerpt of a source text for an error message: line, column, text of the line, and carets below the error.
///
/// Lines and columns are counted from 1, and columns are counted in characters. If the error extends over
/// several lines, only the first line is shown. `Display` prints the excerpt in the form that follows a
/// message:
/// ```
/// use siconos_expression::Excerpt;
///
/// let excerpt = Excerpt::new("[equations]\nf = 1 + speed", 20..25);
/// assert_eq!((excerpt.line, excerpt.column), (2, 9));
/// let expected = ["  |", "2 | f = 1 + speed", "  |         ^^^^^"].join("\n");
/// assert_eq!(excerpt.to_string(), expected);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Line number, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// Text of the line, with each control character (such as a tab) replaced by a blank.
    pub text: String,
    /// Number of characters of the error on this line, at least 1.
    pub width: usize,
}

impl Excerpt {
    /// Creates the excerpt for a byte range of `source`. A position beyond the end of `source` is replaced by
    /// the end.
    pub fn new(source: &str, span: Range<usize>) -> Self {
        let start = boundary(source, span.start);
        let end = boundary(source, span.end).max(start);
        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |length| start + length);
        let width = source[start..end.min(line_end)].trim_end_matches('\r').chars().count();
        Self {
            line: source[..line_start].matches('\n').count() + 1,
            column: source[line_start..start].chars().count() + 1,
            text: source[line_start..line_end].trim_end_matches('\r').replace(char::is_control, " "),
            width: width.max(1),
        }
    }
}

/// Maximum length, in characters, of a line that is shown in full.
const LONGEST_LINE: usize = 160;
/// Maximum number of characters that are shown before the error if the line is longer.
const MOST_BEFORE: usize = 60;

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, .. } = self;
        let (gutter, length) = (line.to_string().len(), self.text.chars().count());
        let is_cut = length > LONGEST_LINE;
        let first = if is_cut { (self.column - 1).saturating_sub(MOST_BEFORE) } else { 0 };
        let text: String = self.text.chars().skip(first).take(LONGEST_LINE).collect();
        let [left, right] =
            [first > 0, is_cut && first + LONGEST_LINE < length].map(|is_cut| if is_cut { ".." } else { "" });
        let before = left.len() + self.column - 1 - first;
        let width = self.width.min((LONGEST_LINE + first + 1).saturating_sub(self.column).max(1));
        let mark = "^".repeat(width);
        write!(f, "{:gutter$} |\n{line} | {left}{text}{right}\n{:gutter$} | {:before$}{mark}", "", "", "")
    }
}

impl ParseError {
    /// Returns the error with its position: file, line and column, and an [`Excerpt`].
    ///
    /// `offset` is the byte index in `source` at which the parsed text starts. It is 0 if `source` is the
    /// parsed text. An offset beyond the end of `source` is replaced by the end.
    ///
    /// ```
    /// use siconos_expression::{Scope, parse_expression};
    ///
    /// let source = "[equations]\nf = 1 + speed";
    /// let offset = source.find("1 +").unwrap();
    /// let error = parse_expression(&source[offset..], &Scope::new()).unwrap_err();
    /// let expected = "\
    /// model.txt:2:9: unknown name `speed`
    ///   |
    /// 2 | f = 1 + speed
    ///   |         ^^^^^";
    /// assert_eq!(error.in_source("model.txt", source, offset), expected);
    /// ```
    pub fn in_source(&self, file: &str, source: &str, offset: usize) -> String {
        let [start, end] = [self.span.start, self.span.end].map(|byte| offset.saturating_add(byte));
        let excerpt = Excerpt::new(source, start..end);
        format!("{file}:{}:{}: {self}\n{excerpt}", excerpt.line, excerpt.column)
    }
}

/// Returns the last character boundary that is at or before byte index `byte`.
fn boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
