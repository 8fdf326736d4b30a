//! Errors in settings. Their messages use the names of types and variants in files.

use std::fmt;
use std::ops::Range;

use serde::de::Unexpected;
use siconos_expression::ParseErrorKind;

use super::snake_case;
use crate::document::value::{suggestion, unknown_key};

/// Error and its position, if it is known.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) span: Option<Range<usize>>,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// A required key is missing.
    Missing(&'static str),
    /// Error of an expression.
    Text(ParseErrorKind),
    Other(String),
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(key) => write!(f, "the key `{key}` is missing"),
            Self::Text(kind) => write!(f, "{kind}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl Wrong {
    pub(super) fn at(mut self, span: &Range<usize>) -> Self {
        self.span.get_or_insert_with(|| span.clone());
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.what.fmt(f)
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { span: None, what: What::Other(message.to_string()) }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn serde::de::Expected) -> Self {
        let found = match found {
            Unexpected::Str(_) => "a string".to_owned(),
            Unexpected::Float(_) | Unexpected::Unsigned(_) | Unexpected::Signed(_) => "a number".to_owned(),
            Unexpected::Bool(_) => "a boolean".to_owned(),
            Unexpected::Seq => "an array".to_owned(),
            Unexpected::Map => "a table".to_owned(),
            other => other.to_string(),
        };
        Self::custom(format_args!("expected {expected}, found {found}"))
    }

    fn unknown_field(key: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(unknown_key(key, expected))
    }

    fn unknown_variant(word: &str, expected: &'static [&'static str]) -> Self {
        let words: Vec<_> = expected.iter().map(|variant| snake_case(variant)).collect();
        let near = suggestion(word, words.iter().map(String::as_str));
        let all = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        Self::custom(format_args!("expected one of {all}, found `{word}`{near}"))
    }

    fn missing_field(key: &'static str) -> Self {
        Self { span: None, what: What::Missing(key) }
    }
}
