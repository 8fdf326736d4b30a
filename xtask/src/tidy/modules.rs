//! Modules of a crate, without test modules.

use std::collections::BTreeSet;

use super::crates;
use super::source::code_only;
use super::tokens::{Token, tokens, without_attributes_and_tests};

/// Path from the root of the crate; in a glob the last name is `*`.
pub(super) type Path = Vec<String>;

/// Source of a crate, with the data read from it.
pub(super) struct Source<'a, T> {
    pub(super) path: &'a str,
    pub(super) module: Path,
    pub(super) found: T,
}

/// Returns the sources of one crate, from the paths and texts of all sources. `read` receives the path of the
/// module and its tokens, without attributes and tests.
pub(super) fn sources_of<'a, T>(
    name: &str,
    sources: &'a [(String, String)],
    read: impl Fn(&[String], &[Token<'_>]) -> T,
) -> Vec<Source<'a, T>> {
    let mut tests: BTreeSet<Path> = BTreeSet::new();
    let of_crate = sources.iter().filter(|(path, _)| crates::of_source(path) == Some(name));
    let mut scanned: Vec<_> = of_crate
        .filter_map(|(path, text)| {
            let file = path.split_once("/src/")?.1.strip_suffix(".rs")?;
            let mut module: Path = file.split('/').map(str::to_owned).collect();
            let _ = module.pop_if(|name| ["lib", "main", "mod"].contains(&name.as_str()));
            let code = code_only(text);
            let (tokens, own_tests) = without_attributes_and_tests(&tokens(&code));
            tests.extend(own_tests.into_iter().map(|name| [&module[..], &[name.to_owned()]].concat()));
            let found = read(&module, &tokens);
            (!file.ends_with("tests")).then_some(Source { path, module, found })
        })
        .collect();
    scanned.retain(|source| (1..=source.module.len()).all(|k| !tests.contains(&source.module[..k])));
    scanned
}
