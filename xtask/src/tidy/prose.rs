//! Comments: how wide they are, and how they begin.

use super::crates::{self, COMPUTATION, OTHERS};
use super::offence::Offence;

/// Prose wraps at this column.
const WIDTH: usize = 110;

/// Openings that say nothing where rustdoc shows a sentence alone, in a list of items.
const ALONE: [&str; 4] = ["It ", "That of ", "Those of ", "The same"];

/// Offences of one source.
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
            let message = format!("markdown eats the backslash before `{sign}`: formulas lose what it means");
            found.push(Offence::new(path, number, message));
        }
        let was_formula = is_formula;
        is_formula ^= content.matches("$$").count() == 1;
        if is_code || was_formula || is_formula || content.contains("$$") {
            continue;
        }
        if is_first && is_library(path) && mark != "//" {
            let opening = ALONE.iter().find(|opening| content.trim_start().starts_with(**opening));
            found.extend(opening.map(|opening| {
                let opening = opening.trim_end();
                Offence::new(
                    path,
                    number,
                    format!("`{opening}` says nothing where the sentence stands alone"),
                )
            }));
        }
        if line.chars().count() > WIDTH && can_wrap(content) {
            found.push(Offence::new(path, number, format!("a comment of more than {WIDTH} columns")));
        }
    }
    found
}

/// A sign behind a backslash that does not reach the formula: thin spaces, braces, new rows. Brackets of
/// units are meant.
fn eaten(content: &str) -> Option<char> {
    let signs = content.chars().zip(content.chars().skip(1));
    signs.filter(|(backslash, sign)| *backslash == '\\' && ",;:!{}|\\".contains(*sign)).map(|it| it.1).next()
}

/// The mark and the text of a line that is a comment and nothing else.
fn comment(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    ["///", "//!", "//"].into_iter().find_map(|mark| Some((mark, line.strip_prefix(mark)?)))
}

fn is_library(path: &str) -> bool {
    let is_listed = |name| COMPUTATION.contains(&name) || OTHERS.contains(&name);
    crates::of_source(path).is_some_and(is_listed) && !path.contains("/tests")
}

/// Whether a line has a place to break. Tables, indented blocks and rulers have none.
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
    use super::offences;

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
