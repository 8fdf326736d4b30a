//! Paths that a Rust source imports within its crate, without its tests.

use super::modules::Path;
use super::tokens::{Token, is_in_word};

/// Path in a source.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) path: Path,
    /// Name that a `use` binds to the path.
    pub(super) name: Option<String>,
    /// Line number, from 1.
    pub(super) line: usize,
}

/// Imports of one source.
pub(super) struct Imports {
    pub(super) all: Vec<Import>,
    /// `true` if the source consists of re-exports.
    pub(super) is_facade: bool,
}

impl Imports {
    /// Scans the tokens of a module, without attributes and tests.
    pub(super) fn of(module: &[String], tokens: &[Token<'_>]) -> Self {
        let mut items = tokens.split(|token| token.text == ";").filter(|item| !item.is_empty());
        let is_facade = items.all(|item| {
            let is_visibility = |text: &&str| ["pub", "(", ")", "crate", "super", "in", "::"].contains(text);
            let mut words = item.iter().map(|token| token.text);
            words.next() == Some("pub") && words.find(|text| !is_visibility(text)) == Some("use")
        });
        Self { all: Scanner::new(module, tokens).scan(), is_facade }
    }
}

struct Scanner<'a, 'b> {
    tokens: &'b [Token<'a>],
    at: usize,
    /// Module of the current token, and for each inline module the depth of its braces.
    module: Path,
    inline: Vec<usize>,
    found: Vec<Import>,
}

impl<'a, 'b> Scanner<'a, 'b> {
    fn new(module: &[String], tokens: &'b [Token<'a>]) -> Self {
        Self { tokens, at: 0, module: module.to_vec(), inline: Vec::new(), found: Vec::new() }
    }

    fn text(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    fn scan(mut self) -> Vec<Import> {
        let mut depth = 0;
        let mut before = "";
        while self.at < self.tokens.len() {
            let text = self.text(0);
            match text {
                "mod" if self.text(2) == "{" => {
                    self.module.push(self.text(1).to_owned());
                    self.inline.push(depth);
                    self.at += 1;
                }
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if self.inline.last() == Some(&depth) {
                        self.inline.pop();
                        self.module.pop();
                    }
                }
                "use" => {
                    self.at += 1;
                    self.path(self.module.clone(), true);
                    continue;
                }
                "crate" | "super" | "self" if before != "::" => {
                    self.path(self.module.clone(), false);
                    before = "";
                    continue;
                }
                _ => {}
            }
            before = text;
            self.at += 1;
        }
        self.found
    }

    /// Scans the continuation of `path`, including the paths in its groups.
    fn path(&mut self, mut path: Path, is_use: bool) {
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        let mut is_empty = true;
        loop {
            match self.text(0) {
                "crate" => path.clear(),
                "super" => drop(path.pop()),
                "self" => {}
                "{" => {
                    while !["}", ""].contains(&self.text(0)) {
                        self.at += 1;
                        self.path(path.clone(), is_use);
                    }
                    self.at += 1;
                    return;
                }
                name if name == "*" || name.starts_with(is_in_word) => path.push(name.to_owned()),
                // This is the end of a group, or the types of a generic item.
                _ if is_empty => return,
                _ => break,
            }
            is_empty = false;
            self.at += 1;
            if self.text(0) != "::" {
                break;
            }
            self.at += 1;
        }
        let mut name = path.last().cloned().filter(|_| is_use);
        if is_use && self.text(0) == "as" {
            name = Some(self.text(1).to_owned());
            self.at += 2;
        }
        self.found.push(Import { path, name, line });
    }
}

#[cfg(test)]
mod tests {
    use super::Imports;
    use crate::tidy::source::code_only;
    use crate::tidy::tokens::{tokens, without_attributes_and_tests};

    fn scan(module: &[String], source: &str) -> Imports {
        Imports::of(module, &without_attributes_and_tests(&tokens(&code_only(source))).0)
    }

    /// Returns the paths in a source of the module `a::b`, as text.
    fn paths(source: &str) -> Vec<String> {
        let module = ["a".to_owned(), "b".to_owned()];
        scan(&module, source).all.iter().map(|import| import.path.join("::")).collect()
    }

    #[test]
    fn paths_start_at_the_root_of_the_crate() {
        assert_eq!(
            paths("use crate::x::Y;\nuse super::z;\nuse super::super::w::{V};"),
            ["x::Y", "a::z", "w::V"]
        );
        assert_eq!(
            paths("fn f(x: &crate::x::X) -> u8 { super::super::y::g::<u8>(x.self_) }"),
            ["x::X", "y::g"]
        );
        assert_eq!(paths("pub(in crate::a) fn f() {}"), ["a"]);
        assert_eq!(paths("macro_rules! m { () => { $crate::x::f() } }"), ["x::f"]);
    }

    #[test]
    fn groups_nest() {
        let source = "use crate::{\n    a::{self, b::C as D},\n    e,\n};\nuse crate::f;";
        assert_eq!(paths(source), ["a", "a::b::C", "e", "f"]);
        let found = scan(&[], source).all;
        assert_eq!(found.iter().map(|import| import.line).collect::<Vec<_>>(), [2, 2, 3, 5]);
        assert_eq!(found[1].name.as_deref(), Some("D"));
        assert_eq!(paths("use crate::*;"), ["*"]);
    }

    #[test]
    fn modules_within_a_source_are_a_level_of_their_own() {
        let source = "mod c { fn f() { super::super::super::x::g() } }\nfn g() { super::super::y::h() }";
        assert_eq!(paths(source), ["x::g", "y::h"]);
    }

    #[test]
    fn prose_attributes_and_tests_do_not_count() {
        assert_eq!(paths("//! [`crate::x::Y`]\n/// use crate::x;\nconst A: &str = \"crate::x\";"), [""; 0]);
        assert_eq!(paths("#[cfg(test)]\nmod tests {\n    use crate::x;\n}\nuse crate::y;"), ["y"]);
        assert_eq!(
            paths("#[cfg(all(test, unix))]\n#[allow(a)]\nfn f() { crate::x::g() }\nuse crate::y;"),
            ["y"]
        );
        assert_eq!(paths("#[cfg(test)]\nuse crate::x;\nuse crate::y;"), ["y"]);
        assert_eq!(paths("#[cfg(any(test, unix))]\nuse crate::x;"), ["x"]);
    }

    #[test]
    fn a_facade_has_nothing_but_re_exports() {
        let is_facade = |source| scan(&[], source).is_facade;
        assert!(is_facade(
            "//! Names.\n\npub use crate::a::B;\n#[doc(no_inline)]\npub(crate) use crate::{c, d};"
        ));
        assert!(!is_facade("pub use crate::a::B;\nmod c;"));
    }
}
