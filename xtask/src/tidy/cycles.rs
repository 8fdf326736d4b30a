//! Rule: the imports between the modules of a library have no cycles.
//!
//! A node is a module directly below the root of a crate, or below `model` of `siconos-io`, with all of its
//! files. The root itself and modules that consist of re-exports, such as a prelude, are not nodes: an import
//! of a re-exported item counts as an import of the module that defines it.

use std::collections::{BTreeMap, BTreeSet};

use super::crates;
use super::imports::Imports;
use super::modules::{Path, Source, sources_of};
use super::offence::Offence;

/// Imports between modules as a directed graph, with the position of the earliest import of each edge.
type Graph = BTreeMap<String, BTreeMap<String, (String, usize)>>;

/// Returns the violations in all sources. `sources` contains paths and texts.
pub(super) fn offences(sources: &[(String, String)]) -> Vec<Offence> {
    let folders = crates::libraries().map(|name| (name, &[][..])).chain([("siconos-io", &["model"][..])]);
    folders.flat_map(|(name, below)| of_folder(&sources_of(name, sources, Imports::of), below)).collect()
}

/// Returns the violations among the modules directly below the module `root`.
fn of_folder(sources: &[Source<'_, Imports>], root: &[&str]) -> Vec<Offence> {
    let graph = graph(sources, root);
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|from| (from.as_str(), reached_from(&graph, from))).collect();
    let cycle_of = |module: &str| -> Vec<&str> {
        reached[module].iter().filter(|other| reached[**other].contains(module)).copied().collect()
    };
    let cycles: BTreeSet<Vec<&str>> = graph.keys().map(|module| cycle_of(module)).collect();
    cycles.iter().filter(|cycle| !cycle.is_empty()).map(|cycle| offence(&graph, cycle)).collect()
}

fn offence(graph: &Graph, cycle: &[&str]) -> Offence {
    let inner = |from: &str| graph[from].iter().filter(|(to, _)| cycle.contains(&to.as_str()));
    let arrows = cycle.iter().flat_map(|from| inner(from).map(move |(to, place)| (from, to, place)));
    let shown: Vec<_> =
        arrows.clone().map(|(from, to, (path, line))| format!("{from} -> {to} in {path}:{line}")).collect();
    let text = format!("import cycle of the modules {}: {}", cycle.join(", "), shown.join(", "));
    let (path, line) = arrows.map(|(.., place)| place).next().map_or(("", 0), |(path, line)| (path, *line));
    Offence::new(path, line, text)
}

/// Returns the graph of the modules directly below the module `root`.
fn graph(sources: &[Source<'_, Imports>], root: &[&str]) -> Graph {
    let is_transparent =
        |source: &Source<'_, Imports>| source.found.is_facade || root.starts_with(&texts(&source.module));
    let named = sources.iter().filter(|source| is_transparent(source)).flat_map(|source| {
        let bound = source.found.all.iter().filter_map(|import| Some((import.name.as_ref()?, &import.path)));
        bound.map(|(name, path)| ([&source.module[..], std::slice::from_ref(name)].concat(), path))
    });
    let names: BTreeMap<Path, &Path> = named.filter(|(name, path)| !path.starts_with(name)).collect();
    let node = |path: &Path| -> Option<String> {
        texts(path).starts_with(root).then(|| path.get(root.len()).cloned()).flatten()
    };
    let inner: Vec<_> = sources
        .iter()
        .filter(|source| !is_transparent(source))
        .filter_map(|source| Some((node(&source.module)?, source)))
        .collect();
    let mut graph: Graph = inner.iter().map(|(module, _)| (module.clone(), BTreeMap::new())).collect();
    let modules: Vec<String> = graph.keys().cloned().collect();
    for (module, source) in inner {
        for import in &source.found.all {
            let target = node(&followed(import.path.clone(), &names));
            let is_target = |to: &&String| Some(*to) == target.as_ref() || target.as_deref() == Some("*");
            for to in modules.iter().filter(|to| **to != module).filter(is_target) {
                let arrows = graph.entry(module.clone()).or_default();
                arrows.entry(to.clone()).or_insert_with(|| (source.path.to_owned(), import.line));
            }
        }
    }
    graph
}

fn texts(path: &[String]) -> Vec<&str> {
    path.iter().map(String::as_str).collect()
}

/// Returns the path that a name refers to, through any number of re-exports.
fn followed(mut path: Path, names: &BTreeMap<Path, &Path>) -> Path {
    // Circular re-exports do not compile.
    let step = |path: &Path| {
        let found = (1..=path.len()).find_map(|k| Some((names.get(&path[..k])?, k)));
        found.map(|(target, k)| [&target[..], &path[k..]].concat())
    };
    while let Some(next) = step(&path) {
        path = next;
    }
    path
}

/// Returns the modules that are reachable from a module by imports.
fn reached_from<'a>(graph: &'a Graph, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        open.extend(graph[module].keys().map(String::as_str).filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::{Imports, of_folder, sources_of};

    /// Returns the messages for the cycles of a crate with these files, below the module `root`.
    fn cycles(files: &[(&str, &str)], root: &[&str]) -> Vec<String> {
        let source = |&(path, text): &(&str, &str)| (format!("crates/x/src/{path}"), text.to_owned());
        let sources: Vec<_> = files.iter().map(source).collect();
        of_folder(&sources_of("x", &sources, Imports::of), root).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_cycle_is_reported_with_a_file_for_each_arrow() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("a.rs", "//! A.\n\nuse super::b::B;\n"),
            ("b/mod.rs", "mod d;\n"),
            ("b/d.rs", "fn f() { super::super::a::g() }\n"),
            ("c.rs", "use crate::{a::A, b};\n"),
        ];
        let text = "crates/x/src/a.rs:3: import cycle of the modules a, b: \
                    a -> b in crates/x/src/a.rs:3, b -> a in crates/x/src/b/d.rs:1";
        assert_eq!(cycles(&files, &[]), [text]);
    }

    #[test]
    fn cycles_that_do_not_meet_are_reported_each() {
        let files = [
            ("a.rs", "use crate::b;"),
            ("b.rs", "use crate::{a, c};"),
            ("c.rs", "use crate::d;"),
            ("d.rs", "use crate::e;"),
            ("e.rs", "use crate::c;"),
        ];
        let found = cycles(&files, &[]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("modules a, b:") && found[1].contains("modules c, d, e:"), "{found:?}");
    }

    #[test]
    fn comments_and_tests_make_no_cycle() {
        let files = [
            ("a.rs", "use crate::b;\n#[cfg(test)]\nmod every;\n"),
            ("a/every.rs", "use crate::c;\n"),
            (
                "b.rs",
                "//! As in [`a`](super::a), not crate::a.\n/* use crate::a; */\nconst T: &str = \"crate::a::b\";",
            ),
            ("b/tests.rs", "use crate::a;\n"),
            ("b/more_tests.rs", "use crate::a;\n"),
            ("c.rs", "use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n"),
        ];
        assert_eq!(cycles(&files, &[]), [""; 0]);
    }

    #[test]
    fn a_name_of_the_root_is_an_import_of_its_module() {
        let through = |root: &str, import: &str| {
            let files = [
                ("lib.rs", root),
                ("a.rs", "use crate::b;\n"),
                ("b.rs", import),
                ("prelude.rs", "pub use crate::a::A;\n"),
            ];
            cycles(&files, &[]).len()
        };
        let root = "mod a;\nmod b;\npub mod prelude;\npub use a::{A, inner::{C as D}};\n";
        assert_eq!(through(root, "use super::A;"), 1);
        assert_eq!(through(root, "use crate::{D};"), 1);
        assert_eq!(through(root, "fn f(x: crate::A) {}"), 1);
        assert_eq!(through(root, "use crate::prelude::A;"), 1);
        assert_eq!(through(root, "use super::*;"), 1);
        assert_eq!(through(root, "use super::Other;"), 0);
        assert_eq!(through("pub use self::prelude::A;", "use super::A;"), 1);
        // A module and a function have the same name.
        assert_eq!(through("pub use a::a;", "use super::a;"), 1);
    }

    #[test]
    fn a_folder_is_checked_below_its_module() {
        let files = [
            ("lib.rs", "mod m;\npub use m::A;\n"),
            ("m/mod.rs", "mod a;\nmod b;\npub use a::A;\n"),
            ("m/a.rs", "use super::b;\n"),
            ("m/b/c.rs", "use crate::A;\n"),
        ];
        assert_eq!(cycles(&files, &[]), [""; 0]);
        let found = cycles(&files, &["m"]);
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
