//! Lexer: conversion of text to tokens.

use std::ops::Range;

use super::MAX_TEXT_BYTES;
use crate::error::{ParseError, ParseErrorKind};
use crate::names;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    /// Name or word of the language.
    Name,
    /// Operator or bracket, as written.
    Sign(&'static str),
    /// End of a line between statements.
    Newline,
    /// End of the text, always the last token.
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// Treatment of line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    /// A line end is equivalent to a blank.
    AreBlanks,
    /// A line end is a token, except within parentheses and brackets.
    AreKept,
}

/// All signs. A longer sign precedes its prefixes.
const SIGNS: [&str; 23] = [
    "<=", ">=", "==", "!=", "..", "+", "-", "*", "/", "%", "^", "<", ">", "=", "(", ")", "[", "]", "{", "}",
    ",", ";", "\n",
];

/// Signs of other languages, with their equivalents in this language.
const FOREIGN: [(char, &str); 3] = [('&', "`and`"), ('|', "`or`"), ('!', "`not`")];

/// Converts text to tokens.
pub(super) fn tokens(text: &str, lines: Lines) -> Result<Vec<Token>, ParseError> {
    if text.len() > MAX_TEXT_BYTES {
        let kind = ParseErrorKind::TooLong { length: text.len(), limit: MAX_TEXT_BYTES };
        return Err(ParseError::new(0..text.len(), kind));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    // Number of open parentheses and brackets.
    let mut open = 0_usize;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if first.is_ascii_digit() || is_fraction(rest) {
            let length = number_length(rest);
            (Some(TokenKind::Number(number(rest, length, at)?)), length)
        } else if names::starts_name(first) {
            (Some(TokenKind::Name), name(rest, at)?)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            match sign {
                "(" | "[" => open += 1,
                ")" | "]" => open = open.saturating_sub(1),
                "{" | "}" => open = 0,
                _ => {}
            }
            let kind = match sign {
                "\n" => (lines == Lines::AreKept && open == 0).then_some(TokenKind::Newline),
                sign => Some(TokenKind::Sign(sign)),
            };
            (kind, sign.len())
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else {
            let instead = FOREIGN.iter().find(|(foreign, _)| *foreign == first).map(|(_, here)| *here);
            let kind = ParseErrorKind::UnknownCharacter { found: first, instead };
            return Err(ParseError::new(at..at + first.len_utf8(), kind));
        };
        tokens.extend(kind.map(|kind| Token { kind, span: at..at + length }));
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, span: at..at });
    Ok(tokens)
}

/// Returns `true` if the text starts with a point followed by a digit, as in `.5`.
fn is_fraction(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// Returns the length in bytes of a number: digits with at most one point, and an optional exponent. Two
/// successive points are not part of a number, because they denote a range.
fn number_length(rest: &str) -> usize {
    let mut length = digits(rest);
    if rest[length..].starts_with('.') && !rest[length..].starts_with("..") {
        length += 1;
        length += digits(&rest[length..]);
    }
    if let Some(exponent) = rest[length..].strip_prefix(['e', 'E']) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits(unsigned) > 0 {
            length = rest.len() - unsigned.len() + digits(unsigned);
        }
    }
    length
}

/// Returns the value of a number of the given length. A letter directly after the number is an error.
fn number(rest: &str, length: usize, at: usize) -> Result<f64, ParseError> {
    let sticking = names::name_length(&rest[length..]);
    let text = rest[..length + sticking].to_owned();
    let span = at..at + text.len();
    match text.parse::<f64>() {
        Ok(value) if sticking == 0 && value.is_finite() => Ok(value),
        Ok(_) if sticking == 0 => Err(ParseError::new(span, ParseErrorKind::TooLarge { text })),
        _ => Err(ParseError::new(span, ParseErrorKind::NotANumber { text })),
    }
}

/// Returns the length in bytes of a name. Brackets directly after the name must contain an index.
fn name(rest: &str, at: usize) -> Result<usize, ParseError> {
    let length = names::name_length(rest);
    if rest[length..].starts_with('[') {
        let kind = ParseErrorKind::NotAnIndex { name: rest[..length].to_owned() };
        return Err(ParseError::new(at + length..at + length + 1, kind));
    }
    Ok(length)
}
