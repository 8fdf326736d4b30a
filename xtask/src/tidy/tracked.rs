//! Rules for files under version control. Only files that people write are allowed, except for the generated
//! files listed here. A module with submodules must be a folder with a `mod.rs`.

use super::offence::Offence;

/// Suffixes of the names of files that people write.
const WRITTEN: [&str; 8] =
    [".rs", ".toml", ".md", ".css", ".dict", ".cff", "katex-header.html", ".gitignore"];

/// Single files that are allowed: the lock file of cargo, licences, CI, the problem that the command `new`
/// writes.
const SINGLE: [&str; 6] = [
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    ".ci/run",
    ".github/workflows/ci.yml",
    "crates/siconos-cli/src/new/problem.json",
];

/// Folders with generated files that are kept, to be read or compared: figures of the documents, lists of
/// public items, references of scenarios, inputs found by fuzzing, snapshots of older formats, problem files,
/// failing cases of property tests.
const KEPT: [&str; 9] = [
    "docs/figures/",
    "crates/siconos/figures/",
    "docs/interface/",
    "regression/references/",
    "fuzz/corpus/",
    "crates/siconos-io/tests/refused/",
    "crates/siconos-io/tests/bad/",
    "crates/siconos-io/tests/snapshots/",
    "crates/siconos-cli/tests/problems/",
];
const KEPT_KIND: &str = ".proptest-regressions";

/// Returns the violations of the tracked files, given by their paths from the root of the tree.
pub(super) fn offences<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<Offence> {
    let paths: Vec<&str> = paths.collect();
    let foreign = paths.iter().filter(|path| !is_ours(path));
    let foreign = foreign.map(|path| Offence::new(path, 1, "is tracked, but this kind of file must not be"));
    let split = paths.iter().filter(|path| has_folder_beside(path, &paths));
    let split =
        split.map(|path| Offence::new(path, 1, "has a folder of the same name: move it there as `mod.rs`"));
    foreign.chain(split).collect()
}

/// Returns `true` if a module is both a file and a folder of the same name. It should be a folder only.
fn has_folder_beside(path: &str, paths: &[&str]) -> bool {
    let in_folder =
        |stem: &str, other: &str| other.strip_prefix(stem).is_some_and(|rest| rest.starts_with('/'));
    path.strip_suffix(".rs").is_some_and(|stem| paths.iter().any(|other| in_folder(stem, other)))
}

fn is_ours(path: &str) -> bool {
    let is_built = path.split('/').any(|part| part == "target");
    !is_built
        && (WRITTEN.iter().any(|end| path.ends_with(end))
            || SINGLE.contains(&path)
            || KEPT.iter().any(|folder| path.starts_with(folder))
            || path.ends_with(KEPT_KIND))
}

#[cfg(test)]
mod tests {
    use super::offences;

    #[test]
    fn what_a_program_has_made_is_an_offence() {
        let ours =
            ["Cargo.lock", "xtask/src/main.rs", "docs/figures/rlcd.svg", "README.md", "fuzz/corpus/solve/a"];
        assert_eq!(offences(ours.into_iter()), []);
        let foreign =
            ["benches/target/criterion/report.json", "benches/target/a.rs", "docs/plot.svg", "LICENSE"];
        let found: Vec<_> = offences(foreign.into_iter()).into_iter().map(|offence| offence.path).collect();
        assert_eq!(found, foreign);
    }

    #[test]
    fn a_module_is_a_file_or_a_folder() {
        let both = ["a/src/lemke.rs", "a/src/lemke/basis.rs", "a/src/lemke_path.rs"];
        let found: Vec<_> = offences(both.into_iter()).into_iter().map(|offence| offence.path).collect();
        assert_eq!(found, ["a/src/lemke.rs"]);
        assert_eq!(offences(["a/src/lemke/mod.rs", "a/src/lemke/basis.rs"].into_iter()), []);
    }
}
