//! Names: how they are written, which ones the language keeps, and which known one an unknown one resembles.

use crate::expression::{Binary, Unary};

/// Words of expressions.
const WORDS: [&str; 10] = ["true", "false", "not", "and", "or", "xor", "implies", "if", "then", "else"];

/// Functions that are not one operation: of events, and of triggers.
const SPECIAL_FUNCTIONS: [&str; 8] =
    ["pre", "change", "rising_edge", "falling_edge", "edge", "increasing", "decreasing", "side"];

/// The constants.
const CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("tau", std::f64::consts::TAU)];

/// What a constant is called in messages.
pub(crate) const A_CONSTANT: &str = "a constant";

/// Words that end an action, and the one that is none.
pub(crate) const CONTROLS: [&str; 7] =
    ["halt", "delay_halt", "to_begin", "to_end", "break_iteration", "no_mark", "none"];

/// Longer names are not compared: nobody mistypes one.
const LONGEST_COMPARED: usize = 64;
/// So many letters may be wrong, missing or too many.
const FARTHEST: usize = 2;

pub(crate) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub(crate) fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(crate) fn is_name(text: &str) -> bool {
    let stem = text.trim_end_matches('\'');
    stem.starts_with(starts_name) && stem.chars().all(continues_name)
}

pub(crate) fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

pub(crate) fn is_function(name: &str) -> bool {
    Unary::named(name).is_some() || Binary::named(name).is_some() || SPECIAL_FUNCTIONS.contains(&name)
}

/// What the language has under this name, in the words of a message.
pub(crate) fn reserved(name: &str) -> Option<&'static str> {
    if WORDS.contains(&name) || CONTROLS.contains(&name) {
        Some("a word of the language")
    } else if is_function(name) {
        Some("a function")
    } else if constant(name).is_some() {
        Some(A_CONSTANT)
    } else {
        None
    }
}

/// All functions that an expression can call.
pub(crate) fn functions() -> impl Iterator<Item = &'static str> {
    let special = SPECIAL_FUNCTIONS.iter().copied();
    Unary::FUNCTIONS
        .iter()
        .map(|(name, _)| *name)
        .chain(Binary::FUNCTIONS.iter().map(|it| it.0))
        .chain(special)
}

/// All constants.
pub(crate) fn constants<'a>() -> impl Iterator<Item = &'a str> {
    CONSTANTS.iter().map(|(name, _)| *name)
}

/// The known name nearest to an unknown one, the first of several; none where all are far. At most two
/// letters may be wrong, missing or too many, and one has to be right.
///
/// ```
/// use siconos_expression::nearest;
///
/// let keys = ["trigger", "action"];
/// assert_eq!(nearest("triger", keys.into_iter()).as_deref(), Some("trigger"));
/// assert_eq!(nearest("speed", keys.into_iter()), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let length = name.chars().count();
    let measured = known.filter_map(|other| Some((distance(name, other)?, other)));
    let near = measured.filter(|(distance, _)| *distance <= FARTHEST && *distance < length);
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other.to_owned())
}

/// How many letters have to be put in, taken out or replaced to make one name of the other (Levenshtein's
/// distance); none where that is clearly too many.
fn distance(a: &str, b: &str) -> Option<usize> {
    if a.len().abs_diff(b.len()) > FARTHEST || a.len() > LONGEST_COMPARED {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, in_a) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, in_b) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(in_a != in_b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied()
}

#[cfg(test)]
mod tests {
    use super::{distance, is_name, nearest};

    #[test]
    fn names_have_primes_at_the_end_only() {
        for name in ["y", "y'", "y''", "_", "a_1'"] {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "'", "1a", "y'a", "é", "a b"] {
            assert!(!is_name(other), "{other}");
        }
    }

    #[test]
    fn the_nearest_name_shares_a_letter() {
        let known = || ["speed", "spread", "k"].into_iter();
        assert_eq!(nearest("sped", known()).as_deref(), Some("speed"));
        assert_eq!(nearest("kk", known()).as_deref(), Some("k"));
        assert_eq!(nearest("z", known()), None);
        assert_eq!(nearest("acceleration", known()), None);
    }

    #[test]
    fn distances_are_symmetric() {
        for (a, b, expected) in [("abc", "abc", 0), ("abc", "acb", 2), ("abc", "ab", 1), ("", "ab", 2)] {
            assert_eq!(distance(a, b), Some(expected));
            assert_eq!(distance(b, a), Some(expected));
        }
    }
}
