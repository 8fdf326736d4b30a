//! Removal of comments and literals from a Rust source.

/// Returns the source with every comment, string and character literal replaced by blanks. Newlines are kept,
/// so that line numbers stay correct and only code remains.
pub(super) fn code_only(source: &str) -> String {
    let mut code = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(here) = rest.chars().next() {
        let (is_code, length) = match length_of_prose(&code, rest) {
            0 => (true, here.len_utf8()),
            length => (false, length),
        };
        let (taken, left) = rest.split_at(length);
        code.extend(taken.chars().map(|c| if is_code || c == '\n' { c } else { ' ' }));
        rest = left;
    }
    code
}

/// Returns the number of bytes of the comment or literal at the start of `rest`, or 0 if `rest` starts with
/// code. `code_before` shows whether a string is raw. A literal without an end extends to the end of the
/// source.
fn length_of_prose(code_before: &str, rest: &str) -> usize {
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        length_of_block_comment(rest)
    } else if let Some(inner) = rest.strip_prefix('"') {
        // A raw string has an `r` and any number of hashes before its opening quote, and an equal number of
        // hashes after its closing quote.
        let prefix = code_before.trim_end_matches('#');
        if prefix.ends_with('r') {
            let end = format!("\"{}", &code_before[prefix.len()..]);
            inner.find(&end).map_or(rest.len(), |length| 1 + length + end.len())
        } else {
            length_to_closing(rest, '"')
        }
    } else if is_character(rest) {
        length_to_closing(rest, '\'')
    } else {
        0
    }
}

/// Returns the number of bytes of a block comment; block comments nest.
fn length_of_block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Returns `true` if a single quote starts a character literal: its character is escaped, or the closing
/// quote follows the character. Otherwise the quote starts a lifetime or a label.
fn is_character(rest: &str) -> bool {
    let mut characters = rest.chars();
    characters.next() == Some('\'') && (characters.next() == Some('\\') || characters.next() == Some('\''))
}

/// Returns the number of bytes up to and including the closing quote. A quote after a backslash does not
/// count.
fn length_to_closing(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    let closing = rest.char_indices().skip(1).find(|&(_, c)| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    closing.map_or(rest.len(), |(at, _)| at + quote.len_utf8())
}

/// Returns the line numbers, from 1, of the lines of `code` that contain the word `name`.
pub(super) fn lines_naming(code: &str, name: &str) -> Vec<usize> {
    (1..).zip(code.lines()).filter(|(_, line)| names(line, name)).map(|(number, _)| number).collect()
}

/// Returns `true` if `name` occurs in the line as a whole word.
fn names(line: &str, name: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(start, _)| {
        let (before, after) = (&line[..start], &line[start + name.len()..]);
        let grows_left = name.starts_with(in_word) && before.ends_with(in_word);
        let grows_right = name.ends_with(in_word) && after.starts_with(in_word);
        !grows_left && !grows_right
    })
}

#[cfg(test)]
mod tests {
    use super::{code_only, lines_naming, names};

    /// Checks that blanking keeps every line and leaves, apart from blanks, exactly `code`.
    #[track_caller]
    fn leaves(source: &str, code: &str) {
        let scanned = code_only(source);
        assert_eq!(scanned.chars().count(), source.chars().count(), "{scanned:?}");
        assert_eq!(scanned.lines().count(), source.lines().count(), "{scanned:?}");
        assert_eq!(scanned.split_whitespace().collect::<Vec<_>>().join(" "), code);
    }

    #[test]
    fn comments_vanish() {
        leaves("a; // RefCell\nb; /* x /* y */ z */ c;", "a; b; c;");
        leaves("//! Mutex\n/// `todo!`\nfn f() {}", "fn f() {}");
    }

    #[test]
    fn the_contents_of_literals_vanish() {
        leaves(r#"f("println! \" // no comment"); g"#, "f( ); g");
        leaves(r###"f(r#"a " b"#); g; f(br"\"); h"###, "f(r# ); g; f(br ); h");
        leaves("f('\"', '\\'', '\\u{1F}', 'x'); g", "f( , , , ); g");
        leaves("\"two\nlines\" a", "a");
    }

    #[test]
    fn lifetimes_are_no_literals() {
        leaves("fn f<'a>(x: &'a str, y: &'a str) {}", "fn f<'a>(x: &'a str, y: &'a str) {}");
        leaves("'outer: loop { break 'outer; }", "'outer: loop { break 'outer; }");
    }

    #[test]
    fn an_unfinished_source_ends_the_scan() {
        leaves("a; /* never closed", "a;");
        leaves("a(\"never closed \\", "a(");
        leaves("a('\\", "a(");
    }

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("use std::cell::RefCell;", "RefCell"));
        assert!(!names("let my_RefCells = 1;", "RefCell"));
        assert!(names("x: Rc<f64>", "Rc<"));
        assert!(!names("x: Arc<f64>", "Rc<"));
        assert!(names("print!(x)", "print!") && !names("eprint!(x)", "print!"));
        assert!(names("use std::fs::File;", "std::fs"));
        assert!(names("prefaer faer::Mat", "faer"));
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(lines_naming("a\nb a\nc\na", "a"), [1, 2, 4]);
    }
}
