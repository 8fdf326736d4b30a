//! Errors with the line that they are in, for people to read.

use std::fmt::Write;

use crate::error::ParseError;

impl ParseError {
    /// The error with its place: file, line and column (both from 1, columns in characters), the line, and
    /// carets below what is wrong.
    ///
    /// `offset` is the byte of `source` at which the text began that was parsed; with a text of its own it
    /// is 0. An offset beyond the end of the source is taken as the end.
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
        let start = boundary(source, offset.saturating_add(self.span.start));
        let end = boundary(source, offset.saturating_add(self.span.end)).max(start);

        let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |length| start + length);
        let number = source[..line_start].matches('\n').count() + 1;
        let before = source[line_start..start].chars().count();
        let width = source[start..end.min(line_end)].trim_end_matches('\r').chars().count().max(1);

        // A tab has no width that is known here.
        let line = source[line_start..line_end].trim_end_matches('\r').replace('\t', " ");
        let gutter = number.to_string().len();
        let mut text = format!("{file}:{number}:{}: {self}", before + 1);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n{:gutter$} |\n{number} | {line}\n{:gutter$} | {:before$}{:^<width$}",
            "", "", "", ""
        );
        text
    }
}

/// The last boundary of a character at or before a byte.
fn boundary(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
