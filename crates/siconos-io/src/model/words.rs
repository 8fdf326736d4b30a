//! Messages of the kernel with the names that files use.

use siconos_kernel::{Error, SettingsError};

use crate::document::snake_case;

/// Names of types that have different names in files.
const CALLED_OTHERWISE: [(&str, &str); 2] =
    [("ComplementarityCondition", "complementarity"), ("EqualityCondition", "equality")];

/// Replaces the names of Rust types in a message by the names that files use, such as `MoreauJean` by
/// `moreau_jean`. Text between backticks is a name of the file and is left unchanged.
pub(super) fn in_words_of_files(message: &str) -> String {
    let mut parts = message.split('`');
    let first = parts.next().map(translated).unwrap_or_default();
    let rest = parts.enumerate().map(|(place, part)| match place % 2 {
        0 => part.to_owned(),
        _ => translated(part),
    });
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join("`")
}

fn translated(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word =
        |word: &str| match (is_of_the_code(word), CALLED_OTHERWISE.iter().find(|(own, _)| *own == word)) {
            (_, Some((_, called))) => format!("`{called}`"),
            (true, None) => format!("`{}`", snake_case(word)),
            (false, None) => word.to_owned(),
        };
    let words = text.split_inclusive(|c| !is_part(c)).map(|with_end| {
        let own = with_end.trim_end_matches(|c| !is_part(c));
        word(own) + &with_end[own.len()..]
    });
    words.collect()
}

/// Returns `true` if a word looks like the name of a type: it starts with a capital letter, contains another
/// one, and ends in a lower-case letter. `NaN` does not.
fn is_of_the_code(word: &str) -> bool {
    let is_capital = |c: char| c.is_ascii_uppercase();
    word.starts_with(is_capital)
        && word.chars().skip(1).any(is_capital)
        && word.ends_with(|c: char| c.is_ascii_lowercase())
        && !word.contains('_')
}

/// Returns the message of an error in a file, in the words of files.
pub(super) fn in_words(error: &Error) -> String {
    match error {
        Error::Settings(SettingsError::OutOfRange { .. }) => {
            error.to_string().replace("after t0", "after `start`")
        }
        _ => in_words_of_files(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words_of_files;

    #[test]
    fn names_of_the_code_become_those_of_files() {
        for (message, expected) in [
            (
                "system `MyPlant`: MoreauJean does not support it; use EulerMoreau, for example",
                "system `MyPlant`: `moreau_jean` does not support it; use `euler_moreau`, for example",
            ),
            ("use a ComplementarityCondition, or drop D", "use a `complementarity`, or drop D"),
            ("D1MinusLinear: step 1, t = 0: W is NaN", "`d1_minus_linear`: step 1, t = 0: W is NaN"),
            ("Newton's loop, H^T, q' and DAE", "Newton's loop, H^T, q' and DAE"),
            ("", ""),
        ] {
            assert_eq!(in_words_of_files(message), expected);
        }
    }
}
