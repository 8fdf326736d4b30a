//! Expected errors at positions that are marked in a text.

use std::ops::Range;

use siconos_expression::ParseError;

/// Checks that a text is refused at the marked position, as in `1 + «x»`, with this message. The marks are
/// removed before the text is parsed.
#[track_caller]
pub(crate) fn assert_error<T: std::fmt::Debug>(
    parse: impl Fn(&str) -> Result<T, ParseError>,
    marked: &str,
    message: &str,
) {
    let (text, span) = unmarked(marked);
    match parse(&text) {
        Ok(parsed) => panic!("`{text}` is read as {parsed:?}"),
        Err(error) => {
            assert_eq!(without_names(&error.to_string()), message, "{text}");
            assert_eq!(error.span, span, "{text}: {error}");
        }
    }
}

/// Returns a message without the list of the known names, which the tests of names check.
pub(crate) fn without_names(message: &str) -> &str {
    message.split("; the names here are ").next().unwrap_or_default()
}

fn unmarked(marked: &str) -> (String, Range<usize>) {
    let (before, rest) = marked.split_once('«').expect("a mark");
    let (inside, behind) = rest.split_once('»').expect("a second mark");
    (format!("{before}{inside}{behind}"), before.len()..before.len() + inside.len())
}
