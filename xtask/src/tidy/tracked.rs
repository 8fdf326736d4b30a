//! Which files belong under version control: what people write, and nothing that a program has made, but for what is listed here.

use super::offence::Offence;

/// What people write, by the ends of the names.
const WRITTEN: [&str; 6] = [".rs", ".toml", ".md", ".css", ".dict", ".gitignore"];

/// Files of their own: what cargo locks, licences, the command of CI, the header that shows formulas.
const SINGLE: [&str; 5] =
    ["Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", ".ci/run", "docs/katex-header.html"];

/// What programs have made and people look at or compare with: figures of the documents, references of scenarios, inputs that
/// fuzzing has found, cases in which a property once failed.
const KEPT: [&str; 3] = ["docs/figures/", "regression/references/", "fuzz/corpus/"];
const KEPT_KIND: &str = ".proptest-regressions";

/// Offences of the tracked files, by their paths from the root of the tree.
pub(super) fn offences<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<Offence> {
    let foreign = paths.filter(|path| !is_ours(path));
    foreign.map(|path| Offence::new(path, 1, "is tracked, but of no kind that belongs here")).collect()
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
}
