//! Tokens of a text file with their positions.
//!
//! The argument `expected` describes the expected token. It is formatted only if there is an error.

use std::fmt::Arguments;

use siconos_linalg::Matrix;

use super::matrix_reader::read_square;
use super::{ProblemFileError, ProblemFileErrorKind as Kind, TextPosition};
use crate::number::{overflows, parse_number};

/// Maximum length of a token in messages. Longer tokens are truncated.
const LONGEST_SHOWN: usize = 40;

#[derive(Clone)]
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    /// Byte positions of the start and the end of the token read last.
    start: usize,
    end: usize,
    /// Matrices that have already been read from the same text.
    known: &'a [KnownMatrix],
}

/// Square matrix that has already been read from the text.
pub(super) struct KnownMatrix {
    /// Byte position after the token that precedes the matrix.
    begin: usize,
    /// Byte positions of the start and the end of the last token of the matrix.
    start: usize,
    end: usize,
    matrix: Matrix,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, start: 0, end: 0, known: &[] }
    }

    /// Returns a reader that starts at the beginning of the same text. It reuses the matrices `known`, which
    /// have already been read from the text.
    pub(super) fn again<'b>(&self, known: &'b [KnownMatrix]) -> Tokens<'b>
    where
        'a: 'b,
    {
        Tokens { known, ..Tokens::new(self.text) }
    }

    /// Reads a square matrix at the current position without moving the position. Returns `None` if the text
    /// at this position is not a square matrix.
    pub(super) fn known_square(&self) -> Option<KnownMatrix> {
        let mut tokens = self.clone();
        let (matrix, _) = read_square(&mut tokens, "M").ok()?;
        Some(KnownMatrix { begin: self.end, start: tokens.start, end: tokens.end, matrix })
    }

    /// If a matrix with this number of rows and columns has already been read at the current position,
    /// returns it and moves the position to the end of the matrix.
    pub(super) fn skip_known(&mut self, rows: usize, columns: usize) -> Option<Matrix> {
        let fits = |known: &&KnownMatrix| {
            let found = known.matrix.view();
            known.begin == self.end && (found.rows(), found.columns()) == (rows, columns)
        };
        let known = self.known.iter().find(fits)?;
        (self.start, self.end) = (known.start, known.end);
        Some(known.matrix.clone())
    }

    /// Returns the next token, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let gap = self.text[self.end..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.text[self.end + gap..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.start = self.end + gap;
        self.end = self.start + length;
        Some(&rest[..length])
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// Returns the next token, which can be any text.
    pub(super) fn any(&mut self, expected: Arguments<'_>) -> Result<&'a [u8], ProblemFileError> {
        match self.next() {
            Some(token) => Ok(token),
            None => {
                (self.start, self.end) = (self.text.len(), self.text.len());
                Err(self.error(Kind::Truncated { expected: expected.to_string() }))
            }
        }
    }

    /// Reads a size, an index or a count.
    pub(super) fn size(&mut self, expected: Arguments<'_>) -> Result<usize, ProblemFileError> {
        let token = self.any(expected)?;
        parse(token).ok_or_else(|| self.not_a_size(expected))
    }

    /// Reads a size that must be equal to `must_be`.
    pub(super) fn known_size(&mut self, what: Arguments<'_>, must_be: usize) -> Result<(), ProblemFileError> {
        let found = self.size(what)?;
        if found == must_be { Ok(()) } else { Err(self.inconsistent(what, found, must_be)) }
    }

    /// Reads a finite number.
    pub(super) fn number(&mut self, expected: Arguments<'_>) -> Result<f64, ProblemFileError> {
        let token = self.any(expected)?;
        let number = std::str::from_utf8(token).ok().and_then(parse_number);
        let number = number.ok_or_else(|| self.not_a_number(expected))?;
        if number.is_finite() { Ok(number) } else { Err(self.not_finite(expected)) }
    }

    /// Reads a number, `inf` or `-inf`.
    pub(super) fn bound(&mut self, expected: Arguments<'_>) -> Result<f64, ProblemFileError> {
        let token = self.any(expected)?;
        let token = std::str::from_utf8(token).unwrap_or_default();
        let number = parse_number(token).ok_or_else(|| self.not_a_number(expected))?;
        // A number that is too large for a double is parsed as infinite, but must be reported as an error.
        let is_meant = !number.is_nan() && !overflows(token, number);
        if is_meant { Ok(number) } else { Err(self.not_finite(expected)) }
    }

    /// Reads `count` finite numbers. `what` is the name of the array in messages.
    pub(super) fn numbers(&mut self, what: &str, count: usize) -> Result<Vec<f64>, ProblemFileError> {
        self.check_room(Some(count), format_args!("{what}, {count} numbers,"))?;
        (1..=count).map(|i| self.number(format_args!("entry {i} of {what} (of {count})"))).collect()
    }

    /// Reads the keyword `word`.
    pub(super) fn word(&mut self, word: &str) -> Result<(), ProblemFileError> {
        let token = self.any(format_args!("`{word}`"))?;
        if token == word.as_bytes() { Ok(()) } else { Err(self.not_the_word(format_args!("`{word}`"))) }
    }

    /// Returns an error if the rest of the text is too short for `count` tokens. `count` is `None` if its
    /// computation overflows. Call this function before memory is allocated.
    pub(super) fn check_room(
        &self,
        count: Option<usize>,
        what: Arguments<'_>,
    ) -> Result<(), ProblemFileError> {
        let bytes_left = self.text.len() - self.end;
        // A token and the separator after it have at least two bytes.
        if count.is_some_and(|count| count <= bytes_left.div_ceil(2)) {
            Ok(())
        } else {
            Err(self.error(Kind::TooLarge { what: what.to_string(), bytes_left }))
        }
    }

    /// Returns an error at the position of the token read last.
    pub(super) fn error(&self, kind: Kind) -> ProblemFileError {
        let before = &self.text[..self.start];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        ProblemFileError::at(TextPosition { line, column }, kind)
    }

    /// Returns the error that the token read last contradicts earlier data.
    pub(super) fn inconsistent(
        &self,
        what: Arguments<'_>,
        found: impl ToString,
        must_be: impl ToString,
    ) -> ProblemFileError {
        let (found, must_be) = (found.to_string(), must_be.to_string());
        self.error(Kind::Inconsistent { what: what.to_string(), found, must_be })
    }

    /// Returns the error that the token read last is not the expected keyword.
    pub(super) fn not_the_word(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotTheWord { expected: expected.to_string(), token: self.shown() })
    }

    /// Returns the error that the token read last is not a size.
    pub(super) fn not_a_size(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotASize { expected: expected.to_string(), token: self.shown() })
    }

    fn not_a_number(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotANumber { expected: expected.to_string(), token: self.shown() })
    }

    fn not_finite(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotFinite { expected: expected.to_string(), token: self.shown() })
    }

    /// Returns the token read last for a message, without control characters.
    fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.text[self.start..self.end]);
        let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let mut shown: String = text.chars().take(LONGEST_SHOWN).map(printable).collect();
        if text.chars().nth(LONGEST_SHOWN).is_some() {
            shown.push_str("..");
        }
        shown
    }
}

fn parse<T: std::str::FromStr>(token: &[u8]) -> Option<T> {
    std::str::from_utf8(token).ok()?.parse().ok()
}
