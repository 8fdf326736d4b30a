//! Names that a file gives to what it declares.

use std::ops::Range;

use siconos_expression::{did_you_mean, nearest};

use super::Faults;

/// Notes a name that is not plain: points, indices and primes belong to names that are made of others, as
/// `ball.q[1]'`. True where it is one.
pub(crate) fn check_plain(name: &str, span: &Range<usize>, faults: &mut Faults<'_>) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_plain = name.chars().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain && !name.is_empty() {
        return true;
    }
    let shown = name.replace(char::is_control, " ");
    let message = format!("`{shown}` is not a name: letters a to z, digits and `_`, with no digit in front");
    faults.note(span, message);
    false
}

/// Notes that there is nothing of this name, with the nearest that there is.
pub(crate) fn note_unknown<'k>(
    (what, name): (&str, &str),
    span: &Range<usize>,
    known: impl Iterator<Item = &'k str>,
    faults: &mut Faults<'_>,
) {
    let near = match faults.is_worth_a_search() {
        true => nearest(name, known),
        false => None,
    };
    let near = did_you_mean(near.as_deref());
    faults.note(span, format_args!("there is no {what} `{name}`{near}"));
}
