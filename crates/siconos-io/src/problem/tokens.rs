//! The tokens of a text with their places.
//!
//! A token is described by what it should be; the description is written only when it is not that.

use std::fmt::Arguments;

use siconos_linalg::Matrix;

use super::matrix_reader::read_square;
use super::{Place, ProblemFileError, ProblemFileErrorKind as Kind};
use crate::number::{overflows, parse_number};

/// Longer tokens are cut in messages.
const LONGEST_SHOWN: usize = 40;

#[derive(Clone)]
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    /// Where the last token begins and ends.
    start: usize,
    end: usize,
    /// Matrices of the text that have been read before.
    known: &'a [KnownMatrix],
}

/// A square matrix that has been read from a text before.
pub(super) struct KnownMatrix {
    /// End of the previous token.
    begin: usize,
    /// Its last token.
    start: usize,
    end: usize,
    matrix: Matrix,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, start: 0, end: 0, known: &[] }
    }

    /// This text from its beginning, of which these matrices have been read before.
    pub(super) fn again<'b>(&self, known: &'b [KnownMatrix]) -> Tokens<'b>
    where
        'a: 'b,
    {
        Tokens { known, ..Tokens::new(self.text) }
    }

    /// The square matrix that begins here, for those who read it again; the tokens stay where they are.
    pub(super) fn known_square(&self) -> Option<KnownMatrix> {
        let mut tokens = self.clone();
        let (matrix, _) = read_square(&mut tokens, "M").ok()?;
        Some(KnownMatrix { begin: self.end, start: tokens.start, end: tokens.end, matrix })
    }

    /// Returns the matrix that begins here if it has been read before with this number of rows and columns,
    /// and continues after it.
    pub(super) fn skip_known(&mut self, rows: usize, columns: usize) -> Option<Matrix> {
        let fits = |known: &&KnownMatrix| {
            let found = known.matrix.view();
            known.begin == self.end && (found.rows(), found.columns()) == (rows, columns)
        };
        let known = self.known.iter().find(fits)?;
        (self.start, self.end) = (known.start, known.end);
        Some(known.matrix.clone())
    }

    /// The next token, if there is one.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        let gap = self.text[self.end..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let rest = &self.text[self.end + gap..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.start = self.end + gap;
        self.end = self.start + length;
        Some(&rest[..length])
    }

    /// The next token, which stays where it is.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.clone().next()
    }

    /// The next token, whatever it is.
    pub(super) fn any(&mut self, expected: Arguments<'_>) -> Result<&'a [u8], ProblemFileError> {
        match self.next() {
            Some(token) => Ok(token),
            None => {
                (self.start, self.end) = (self.text.len(), self.text.len());
                Err(self.error(Kind::Truncated { expected: expected.to_string() }))
            }
        }
    }

    /// A size, an index, a count.
    pub(super) fn size(&mut self, expected: Arguments<'_>) -> Result<usize, ProblemFileError> {
        let token = self.any(expected)?;
        parse(token).ok_or_else(|| self.not_a_size(expected))
    }

    /// A size that is known already.
    pub(super) fn known_size(&mut self, what: Arguments<'_>, must_be: usize) -> Result<(), ProblemFileError> {
        let found = self.size(what)?;
        if found == must_be { Ok(()) } else { Err(self.inconsistent(what, found, must_be)) }
    }

    /// A number that is finite.
    pub(super) fn number(&mut self, expected: Arguments<'_>) -> Result<f64, ProblemFileError> {
        let token = self.any(expected)?;
        let number = std::str::from_utf8(token).ok().and_then(parse_number);
        let number = number.ok_or_else(|| self.not_a_number(expected))?;
        if number.is_finite() { Ok(number) } else { Err(self.not_finite(expected)) }
    }

    /// A number, or `inf` or `-inf`.
    pub(super) fn bound(&mut self, expected: Arguments<'_>) -> Result<f64, ProblemFileError> {
        let token = self.any(expected)?;
        let token = std::str::from_utf8(token).unwrap_or_default();
        let number = parse_number(token).ok_or_else(|| self.not_a_number(expected))?;
        // A number too large for a double parses as infinite, but was not meant to be.
        let is_meant = !number.is_nan() && !overflows(token, number);
        if is_meant { Ok(number) } else { Err(self.not_finite(expected)) }
    }

    /// So many finite numbers, of which `what` is the name.
    pub(super) fn numbers(&mut self, what: &str, count: usize) -> Result<Vec<f64>, ProblemFileError> {
        self.check_room(Some(count), format_args!("{what}, {count} numbers,"))?;
        (1..=count).map(|i| self.number(format_args!("entry {i} of {what} (of {count})"))).collect()
    }

    /// A word of the format.
    pub(super) fn word(&mut self, word: &str) -> Result<(), ProblemFileError> {
        let token = self.any(format_args!("`{word}`"))?;
        if token == word.as_bytes() { Ok(()) } else { Err(self.not_the_word(format_args!("`{word}`"))) }
    }

    /// Refuses `count` tokens (`None`: more than can be counted) that cannot be there. To be asked before
    /// memory is.
    pub(super) fn check_room(
        &self,
        count: Option<usize>,
        what: Arguments<'_>,
    ) -> Result<(), ProblemFileError> {
        let bytes_left = self.text.len() - self.end;
        // A token and what parts it from the next take two bytes.
        if count.is_some_and(|count| count <= bytes_left.div_ceil(2)) {
            Ok(())
        } else {
            Err(self.error(Kind::TooLarge { what: what.to_string(), bytes_left }))
        }
    }

    /// An error at the token taken last.
    pub(super) fn error(&self, kind: Kind) -> ProblemFileError {
        let before = &self.text[..self.start];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        ProblemFileError::at(Place { line, column }, kind)
    }

    /// The error that the token taken last contradicts what was before.
    pub(super) fn inconsistent(
        &self,
        what: Arguments<'_>,
        found: impl ToString,
        must_be: impl ToString,
    ) -> ProblemFileError {
        let (found, must_be) = (found.to_string(), must_be.to_string());
        self.error(Kind::Inconsistent { what: what.to_string(), found, must_be })
    }

    /// The error that the token taken last is another word than the one expected.
    pub(super) fn not_the_word(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotTheWord { expected: expected.to_string(), token: self.shown() })
    }

    /// The error that the token taken last is no size.
    pub(super) fn not_a_size(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotASize { expected: expected.to_string(), token: self.shown() })
    }

    fn not_a_number(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotANumber { expected: expected.to_string(), token: self.shown() })
    }

    fn not_finite(&self, expected: Arguments<'_>) -> ProblemFileError {
        self.error(Kind::NotFinite { expected: expected.to_string(), token: self.shown() })
    }

    /// The token taken last for a message, without what would spoil a terminal.
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
