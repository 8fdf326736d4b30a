//! Names declared in a file.

use std::ops::Range;

use siconos_expression::{did_you_mean, nearest};

use super::Diagnostics;

/// Returns `true` if a name is [plain](is_plain), and adds a diagnostic otherwise. Dots, indices and primes
/// are reserved for composed names such as `ball.q[1]'`.
pub(crate) fn check_plain(name: &str, span: &Range<usize>, diagnostics: &mut Diagnostics<'_>) -> bool {
    if is_plain(name) {
        return true;
    }
    let shown = name.replace(char::is_control, " ");
    let message = format!(
        "`{shown}` is not a valid name; use letters a to z, digits and `_`, not starting with a digit"
    );
    diagnostics.note(span, message);
    false
}

/// Returns `true` if a name consists of letters a to z, digits and `_`, and does not start with a digit.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns `true` if `text` contains `name` as a complete name. Occurrences in a longer name do not count.
pub(crate) fn stands_in(text: &str, name: &str) -> bool {
    let ends = |place: usize| {
        let begins_there = !text[..place].ends_with(|c| is_letter(c) || c == '.');
        let goes_on = |c| is_letter(c) || matches!(c, '.' | '[' | '\'');
        begins_there && !text[place + name.len()..].starts_with(goes_on)
    };
    text.match_indices(name).any(|(place, _)| ends(place))
}

/// Adds a diagnostic for an unknown name. It suggests the most similar known name.
pub(crate) fn note_unknown<'k>(
    (what, name): (&str, &str),
    span: &Range<usize>,
    known: impl Iterator<Item = &'k str>,
    diagnostics: &mut Diagnostics<'_>,
) {
    let near = match diagnostics.is_worth_a_search() {
        true => nearest(name, known),
        false => None,
    };
    let near = did_you_mean(near.as_deref());
    diagnostics.note(span, format_args!("there is no {what} `{name}`{near}"));
}

#[cfg(test)]
mod tests {
    use super::stands_in;

    #[test]
    fn a_name_in_a_longer_one_does_not_stand_there() {
        assert!(stands_in("2 * s[0] + 1", "s[0]") && stands_in("h", "h"));
        assert!(!stands_in("gains[0] + gains[1]", "s[0]"));
        for longer in ["h2", "h'", "h[0]", "ball.h", "sh", "h.q", ""] {
            assert!(!stands_in(longer, "h"), "{longer}");
        }
    }
}
