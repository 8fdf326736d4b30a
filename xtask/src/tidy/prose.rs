//! Comments and pages: width, opening words, refused phrases.

use super::crates::{self, COMPUTATION, OTHERS};
use super::offence::Offence;

/// Column at which prose wraps.
const WIDTH: usize = 110;

/// Opening words that are unclear in a list of items, where rustdoc shows only the first sentence.
const ALONE: [&str; 4] = ["It ", "That of ", "Those of ", "The same"];

/// Opening words of a question. A doc comment must open with a noun phrase or a verb in the third person.
const INTERROGATIVE: [&str; 9] = ["What", "Where", "How", "Whether", "Which", "When", "Who", "Whose", "Why"];

/// Phrases that a native reader has to read twice.
const REFUSED: [&str; 10] = [
    "anew",
    "beside",
    "go on",
    "goes on",
    "so many",
    "do not fit",
    "does not fit",
    "is told",
    "are told",
    "tells",
];

/// Openings of sentences that put the object first.
const INVERTED: [&str; 7] = ["Of a ", "Of an ", "Of the ", "Of all ", "Of each ", "Of this ", "Of these "];

/// Returns the violations in a page. Code blocks are skipped.
pub(super) fn offences_of_page(path: &str, text: &str) -> Vec<Offence> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.extend(refused(path, number, line));
        }
    }
    found
}

/// Returns the refused phrases of a line.
fn refused(path: &str, number: usize, content: &str) -> Vec<Offence> {
    let words: Vec<String> = content
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let has = |phrase: &str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    };
    let phrases = REFUSED.iter().filter(|phrase| has(phrase)).map(|phrase| format!("`{phrase}` is refused"));
    let text = content.trim_start();
    let opens = |opening: &str| {
        text.starts_with(opening) || [". ", ": "].iter().any(|end| text.contains(&format!("{end}{opening}")))
    };
    let inverted = INVERTED.iter().filter(|opening| opens(opening));
    let inverted = inverted.map(|opening| format!("a sentence opens with `{}`", opening.trim_end()));
    phrases.chain(inverted).map(|text| Offence::new(path, number, text)).collect()
}

/// Returns the violations in the comments of a source.
pub(super) fn offences(path: &str, text: &str) -> Vec<Offence> {
    let mut found = Vec::new();
    let (mut before, mut is_code, mut is_formula) = (None, false, false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some((mark, content)) = comment(line) else {
            (before, is_code, is_formula) = (None, false, false);
            continue;
        };
        let is_first = before != Some(mark);
        before = Some(mark);
        if content.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if let Some(sign) = eaten(content).filter(|_| !is_code && mark != "//") {
            let message = format!("Markdown removes the backslash before `{sign}` and so changes a formula");
            found.push(Offence::new(path, number, message));
        }
        let was_formula = is_formula;
        is_formula ^= content.matches("$$").count() == 1;
        if is_code || was_formula || is_formula || content.contains("$$") {
            continue;
        }
        found.extend(refused(path, number, content));
        if is_first && mark != "//" {
            let first = content.split_whitespace().next().unwrap_or_default();
            if INTERROGATIVE.contains(&first.trim_end_matches(',')) {
                let message = format!("a doc comment opens with `{first}`, not with a noun phrase or a verb");
                found.push(Offence::new(path, number, message));
            }
        }
        if is_first && is_library(path) && mark != "//" {
            let opening = ALONE.iter().find(|opening| content.trim_start().starts_with(**opening));
            found.extend(opening.map(|opening| {
                let opening = opening.trim_end();
                Offence::new(
                    path,
                    number,
                    format!("`{opening}` is unclear where only the first sentence is shown"),
                )
            }));
        }
        if line.chars().count() > WIDTH && can_wrap(content) {
            found.push(Offence::new(path, number, format!("a comment of more than {WIDTH} columns")));
        }
    }
    found
}

/// Returns a character whose backslash Markdown removes from a formula, such as a thin space, a brace or a
/// new row. Brackets of units are excluded.
fn eaten(content: &str) -> Option<char> {
    let signs = content.chars().zip(content.chars().skip(1));
    signs.filter(|(backslash, sign)| *backslash == '\\' && ",;:!{}|\\".contains(*sign)).map(|it| it.1).next()
}

/// Returns the marker and the text of a line that contains only a comment.
fn comment(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    ["///", "//!", "//"].into_iter().find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
}

fn is_library(path: &str) -> bool {
    let is_listed = |name| COMPUTATION.contains(&name) || OTHERS.contains(&name);
    crates::of_source(path).is_some_and(is_listed) && !path.contains("/tests")
}

/// Returns `true` if a line can be broken. Tables, indented blocks and rulers cannot.
fn can_wrap(content: &str) -> bool {
    let text = content.trim();
    if text.starts_with('|') || content.starts_with("     ") || text.starts_with("# ") {
        return false;
    }
    let (mut is_code, mut is_formula) = (false, false);
    text.chars()
        .filter(|c| {
            is_code ^= *c == '`' && !is_formula;
            is_formula ^= *c == '$' && !is_code;
            *c == ' ' && !is_code && !is_formula
        })
        .count()
        > 1
}

#[cfg(test)]
mod tests {
    use super::{offences, offences_of_page};

    const SOURCE: &str = "crates/siconos-kernel/src/state.rs";

    fn lines_of(text: &str) -> Vec<usize> {
        offences(SOURCE, text).iter().map(|offence| offence.line).collect()
    }

    #[test]
    fn an_opening_means_something_alone() {
        let text = "//! The state.\n/// Those of W.\nfn f();\n/// A. Then:\n/// The same is said of B.\nfn g();\n/// The same.\n";
        assert_eq!(lines_of(text), [2, 7]);
        assert_eq!(offences("crates/siconos-kernel/tests/state.rs", text), []);
    }

    #[test]
    fn questions_and_refused_phrases_are_found() {
        let text = "//! Where it is.\n/// Name.\n/// How it is.\nfn f();\n// Beside it.\n// it goes\n// on\n/// Of the two: one.\n";
        assert_eq!(lines_of(text), [1, 5, 8]);
        assert_eq!(lines_of("/// ```\n/// let a = 1; // computed anew\n/// ```\n"), []);
        let page = "So many.\n```\nanew\n```\nThe factor fits: Of all methods, none does not fit.\n";
        let found = offences_of_page("a.md", page);
        assert_eq!(found.iter().map(|offence| offence.line).collect::<Vec<_>>(), [1, 5, 5]);
    }

    #[test]
    fn a_backslash_reaches_the_formula() {
        let text = "/// $a \\, b$ and $a \\cdot b$ \\[m\\].\n// $a \\, b$\n/// $$ a \\\\ b $$\n/// ```\n/// \\, \n/// ```\n";
        assert_eq!(lines_of(text), [1, 3]);
    }

    #[test]
    fn prose_wraps_and_the_rest_need_not() {
        let long = "word ".repeat(30);
        assert_eq!(lines_of(&format!("/// {long}\n    // {long}\n")), [1, 2]);
        for fine in [
            format!("/// | {long} |\n"),
            format!("/// ```\n/// {long}\n/// ```\n"),
            format!("/// $$ {long} $$\n"),
            format!("/// $$\n/// {long}\n/// $$\n"),
            format!("/// ${long}$.\n"),
            format!("/// {}\n", "w".repeat(200)),
            format!("let a = \"{long}\";\n"),
        ] {
            assert!(lines_of(&fine).is_empty(), "{fine}");
        }
    }
}
