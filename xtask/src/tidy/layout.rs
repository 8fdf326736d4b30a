//! Layout of a file: module docs, length, white space.

use super::offence::Offence;

/// Maximum number of lines of a source.
const MOST_LINES: usize = 800;
/// Number of lines above which a note is printed.
const MANY_LINES: usize = 500;

/// Returns the violations in one source, manifest or document.
pub(super) fn offences(path: &str, text: &str) -> Vec<Offence> {
    let mut found = Vec::new();
    if path.ends_with(".rs") {
        // The page of a crate may be a separate Markdown file.
        if !text.starts_with("//!") && !text.starts_with("#![doc = include_str!") {
            found.push(Offence::new(path, 1, "the file must begin with a module doc comment (`//!`)"));
        }
        let length = text.lines().count();
        if length > MOST_LINES {
            let text = format!("{length} lines; the limit is {MOST_LINES}");
            found.push(Offence::new(path, length, text));
        }
    }

    // `split` instead of `lines`, which would remove a carriage return.
    let lines: Vec<&str> = text.split('\n').collect();
    for (number, line) in (1..).zip(&lines) {
        if line.contains('\t') {
            found.push(Offence::new(path, number, "tab"));
        }
        if line.ends_with(char::is_whitespace) {
            found.push(Offence::new(path, number, "blank at the end of the line"));
        }
    }
    if lines.last().is_some_and(|rest| !rest.is_empty()) {
        found.push(Offence::new(path, lines.len(), "no newline at the end of the file"));
    }
    found
}

/// Returns a note on a file that is long but violates no rule.
pub(super) fn notes(path: &str, text: &str) -> Option<Offence> {
    let length = text.lines().count();
    let is_long = path.ends_with(".rs") && length > MANY_LINES && length <= MOST_LINES;
    is_long.then(|| {
        Offence::new(path, length, format!("{length} lines; more than {MANY_LINES} deserve a second look"))
    })
}

#[cfg(test)]
mod tests {
    use super::{Offence, notes, offences};

    fn lines_of(found: &[Offence]) -> Vec<usize> {
        found.iter().map(|offence| offence.line).collect()
    }

    #[test]
    fn a_good_source_has_no_offence() {
        assert_eq!(offences("a.rs", "//! Doc.\n\nfn f() {}\n"), []);
        assert_eq!(offences("a.md", "# Title\n"), []);
        assert_eq!(offences("a.toml", ""), []);
    }

    #[test]
    fn every_blank_is_found_where_it_is() {
        let found = offences("a.rs", "//! Doc.\nlet a;\t// tab\nlet b; \nlet c;\r\nlet d;");
        assert_eq!(lines_of(&found), [2, 3, 4, 5]);
    }

    #[test]
    fn a_source_needs_a_module_doc_and_a_document_does_not() {
        assert_eq!(lines_of(&offences("a.rs", "// Not a doc.\n")), [1]);
        assert_eq!(lines_of(&offences("a.rs", "")), [1]);
        assert_eq!(offences("a.toml", "[package]\n"), []);
    }

    #[test]
    fn long_sources_are_noted_and_longer_ones_refused() {
        let source = |lines: usize| "//!\n".repeat(lines);
        assert_eq!(notes("a.rs", &source(500)), None);
        assert!(notes("a.rs", &source(501)).is_some());
        assert_eq!(offences("a.rs", &source(800)), []);
        assert_eq!(lines_of(&offences("a.rs", &source(801))), [801]);
        assert_eq!(offences("a.md", &source(801)), []);
    }
}
