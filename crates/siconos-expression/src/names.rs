//! Names: syntax, reserved names, and suggestions for unknown names.

use crate::expression::{Binary, Ternary, Unary};

/// Reserved words of expressions.
const WORDS: [&str; 10] = ["true", "false", "not", "and", "or", "xor", "implies", "if", "then", "else"];

/// Names of the functions that are available only in events and triggers. They are not compiled to single
/// operations, unlike the other functions.
const EVENT_FUNCTIONS: [&str; 8] =
    ["pre", "change", "rising_edge", "falling_edge", "edge", "increasing", "decreasing", "side"];

/// Constants of the language.
const CONSTANTS: [(&str, f64); 3] =
    [("pi", std::f64::consts::PI), ("tau", std::f64::consts::TAU), ("inf", f64::INFINITY)];

/// Description of a reserved word in messages.
const A_KEYWORD: &str = "a keyword";
/// Description of a constant in messages.
pub(crate) const A_CONSTANT: &str = "a constant";
/// Description of a function in messages.
pub(crate) const A_FUNCTION: &str = "a function";

/// Control words, which end an action, and `none`, the empty action.
pub(crate) const CONTROLS: [&str; 7] =
    ["halt", "delay_halt", "to_begin", "to_end", "break_iteration", "no_mark", "none"];

/// Maximum length of an unknown name for which similar names are searched.
const LONGEST_COMPARED: usize = 64;
/// Maximum edit distance of similar names, in letters.
const FARTHEST: usize = 2;

pub(crate) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub(crate) fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(starts_name) && name_length(text) == text.len()
}

/// Returns `true` for a name without points, index or primes.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

/// Returns `true` if a name contains points or an index.
pub(crate) fn is_qualified(name: &str) -> bool {
    name.contains(['.', '['])
}

/// Returns the length in bytes of the name at the start of `text`, including points, index and primes.
pub(crate) fn name_length(text: &str) -> usize {
    let part = |from: usize| text.len() - text[from..].trim_start_matches(continues_name).len();
    let mut length = part(0);
    while text[length..].strip_prefix('.').is_some_and(|next| next.starts_with(starts_name)) {
        length = part(length + 1);
    }
    if let Some(index) = text[length..].strip_prefix('[') {
        let behind = index.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() < index.len() && behind.starts_with(']') {
            length = text.len() - behind.len() + 1;
        }
    }
    text.len() - text[length..].trim_start_matches('\'').len()
}

pub(crate) fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

pub(crate) fn is_function(name: &str) -> bool {
    functions().any(|known| known == name) || is_event_function(name)
}

pub(crate) fn is_event_function(name: &str) -> bool {
    EVENT_FUNCTIONS.contains(&name)
}

/// Returns the description of a reserved name for messages, or `None` if the name is not reserved.
pub(crate) fn reserved(name: &str) -> Option<&'static str> {
    if WORDS.contains(&name) || CONTROLS.contains(&name) {
        Some(A_KEYWORD)
    } else if is_function(name) {
        Some(A_FUNCTION)
    } else if constant(name).is_some() {
        Some(A_CONSTANT)
    } else {
        None
    }
}

/// Lists all reserved names with the same description as a reserved name, for messages.
pub(crate) fn reserved_names(what: &str) -> String {
    let (kind, names): (&str, Vec<&str>) = match what {
        A_KEYWORD => ("keywords", WORDS.into_iter().chain(CONTROLS).collect()),
        A_CONSTANT => ("constants", constants().collect()),
        _ => ("functions", functions().chain(event_functions()).collect()),
    };
    format!("the {kind} of the language are {}", names.join(", "))
}

/// Iterates over the names of all functions that are available everywhere.
pub(crate) fn functions<'a>() -> impl Iterator<Item = &'a str> {
    let unary = Unary::FUNCTIONS.iter().map(|(name, _)| *name);
    let binary = Binary::FUNCTIONS.iter().map(|(name, _)| *name);
    unary.chain(binary).chain(Ternary::FUNCTIONS.iter().map(|(name, _)| *name))
}

/// Iterates over the names of the functions that are available only in events and triggers.
pub(crate) fn event_functions<'a>() -> impl Iterator<Item = &'a str> {
    EVENT_FUNCTIONS.into_iter()
}

/// Iterates over the names of all constants.
pub(crate) fn constants<'a>() -> impl Iterator<Item = &'a str> {
    CONSTANTS.iter().map(|(name, _)| *name)
}

/// Returns the known name that is most similar to an unknown name, or `None` if no name is similar. If there
/// is a tie, returns the first of the most similar names. Two names are similar if at most two letters must
/// be replaced, inserted or deleted to convert one to the other, and if at least one letter stays. Names with
/// equal numbers of parts joined by points are also similar if all their parts are similar.
///
/// ```
/// use siconos_expression::nearest;
///
/// let keys = ["trigger", "action"];
/// assert_eq!(nearest("triger", keys.into_iter()).as_deref(), Some("trigger"));
/// assert_eq!(nearest("speed", keys.into_iter()), None);
/// assert_eq!(nearest("bal.velocty", ["ball.velocity"].into_iter()).as_deref(), Some("ball.velocity"));
/// ```
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let near = known.filter_map(|other| {
        let distance = small_distance(name, other).or_else(|| distance_by_parts(name, other))?;
        Some((distance, other))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other.to_owned())
}

/// Returns the suggestion "; did you mean ..?" for a message, or an empty string if `nearest` is `None`.
///
/// ```
/// use siconos_expression::did_you_mean;
///
/// assert_eq!(did_you_mean(Some("action")), "; did you mean `action`?");
/// assert_eq!(did_you_mean(None), "");
/// ```
#[must_use]
pub fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Returns the sum of the distances of the parts, or `None` if the distance of a part is not
/// [small](small_distance).
fn distance_by_parts(name: &str, known: &str) -> Option<usize> {
    if name.split('.').count() != known.split('.').count() {
        return None;
    }
    name.split('.').zip(known.split('.')).map(|(part, known)| small_distance(part, known)).sum()
}

/// Returns the distance of two names, or `None` if it exceeds [`FARTHEST`] or all letters differ.
fn small_distance(name: &str, known: &str) -> Option<usize> {
    let length = name.chars().count();
    distance(name, known).filter(|distance| *distance <= FARTHEST && (*distance < length || *distance == 0))
}

/// Returns the Levenshtein distance of two names, or `None` if the lengths show that it is too large.
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
        for name in ["y", "y'", "y''", "_", "a_1'", "a.b", "a.b.c'", "a[0]", "a.b[12]''"] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "", "'", "1a", "y'a", "é", "a b", ".a", "a.", "a..b", "a.1", "a'.b", "a[]", "a[-1]", "a[1",
            "a[b]", "a[1].b", "a'[1]", "a[1][2]", "[1]",
        ] {
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
        let qualified = || ["ball.q", "ball.q'", "platform.lambda[3]"].into_iter();
        assert_eq!(nearest("bal.q'", qualified()).as_deref(), Some("ball.q'"));
        assert_eq!(nearest("plattfom.lamda[3]", qualified()).as_deref(), Some("platform.lambda[3]"));
        assert_eq!(nearest("arm.q", qualified()), None);
    }

    #[test]
    fn distances_are_symmetric() {
        for (a, b, expected) in [("abc", "abc", 0), ("abc", "acb", 2), ("abc", "ab", 1), ("", "ab", 2)] {
            assert_eq!(distance(a, b), Some(expected));
            assert_eq!(distance(b, a), Some(expected));
        }
    }
}
