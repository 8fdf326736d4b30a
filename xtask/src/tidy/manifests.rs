//! Rules for manifests: shared settings of all crates, and the direction of dependencies.
//!
//! Manifests are read line by line instead of by a TOML parser. This suffices for the layout of the project's
//! own files.

use super::crates::COMPUTATION;
use super::offence::Offence;

/// Allowed dependencies of each crate. They are the first crates of [`COMPUTATION`], given by their number,
/// and other crates, given by name.
const ARROWS: [(&str, usize, &[&str]); 18] = [
    ("siconos-expression", 0, &[]),
    ("siconos-figure", 0, &[]),
    ("siconos-linalg", 0, &[]),
    ("siconos-ode", 1, &[]),
    ("siconos-numerics", 1, &[]),
    ("siconos-kernel", 3, &[]),
    ("siconos-hybrid", 4, &[]),
    ("siconos-control", 4, &[]),
    ("siconos-sweeping", 4, &[]),
    ("siconos-mechanics", 4, &[]),
    ("siconos-io", 7, &["siconos-expression"]),
    ("siconos", 8, &["siconos-expression", "siconos-figure", "siconos-io"]),
    ("siconos-cli", 8, &["siconos-figure", "siconos-io"]),
    ("siconos-testkit", 3, &[]),
    ("siconos-models", 4, &[]),
    ("siconos-examples", 8, &["siconos-figure", "siconos-io", "siconos-models"]),
    ("siconos-regression", 3, &["siconos-figure", "siconos-io", "siconos-testkit", "siconos-examples"]),
    ("siconos-fuzz", 3, &["siconos-expression", "siconos-io"]),
];

/// Crate for tests only. Other crates may depend on it only in `[dev-dependencies]`.
const TESTKIT: &str = "siconos-testkit";
/// Tests that are a program, not a test target.
const REGRESSION: &str = "siconos-regression";

/// `key = value` in a manifest, with its table.
struct Entry<'a> {
    line: usize,
    table: &'a str,
    key: &'a str,
    value: &'a str,
}

/// Returns the violations in one `Cargo.toml`. The rules do not apply to the manifest of the workspace.
pub(super) fn offences(path: &str, text: &str) -> Vec<Offence> {
    let entries = entries(text);
    let Some(package) = entries.iter().find(|entry| entry.table == "package" && entry.key == "name") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (table, key) in [("package", "license.workspace"), ("lints", "workspace")] {
        let is_shared = entries.iter().any(|entry| is_key(entry, table, key) && entry.value == "true");
        if !is_shared {
            let text = format!("`{key} = true` is missing in [{table}]");
            found.push(Offence::new(path, package.line, text));
        }
    }

    let name = package.value.trim_matches('"');
    let (below, others) = ARROWS
        .iter()
        .find(|(owner, ..)| *owner == name)
        .map_or((&[][..], &[][..]), |&(_, below, others)| (&COMPUTATION[..below], others));
    for (line, dependency) in dependencies(text, &entries) {
        let is_ours = dependency == "siconos" || dependency.starts_with("siconos-");
        if dependency == TESTKIT && name != REGRESSION {
            let text = format!("{TESTKIT} belongs in [dev-dependencies]");
            found.push(Offence::new(path, line, text));
        } else if is_ours && !below.contains(&dependency) && !others.contains(&dependency) {
            found.push(Offence::new(path, line, format!("{name} must not depend on {dependency}")));
        }
    }
    found
}

/// Returns `true` if an entry is the key `key` of the table `table`. The entry can be below the header of the
/// table or have the name of the table as prefix.
fn is_key(entry: &Entry<'_>, table: &str, key: &str) -> bool {
    (entry.table == table && entry.key == key)
        || (entry.table.is_empty() && entry.key.strip_prefix(table) == Some(format!(".{key}").as_str()))
}

/// Returns the entries of all tables, without comments. If the value is a list over several lines, the entry
/// contains only the first line.
fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut table = "";
    let mut found = Vec::new();
    for (line, content) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(header) = header(content) {
            table = header;
        } else if let Some((key, value)) = content.split_once('=').filter(|_| !content.starts_with('#')) {
            found.push(Entry { line, table, key: key.trim(), value: value.trim() });
        }
    }
    found
}

fn header(line: &str) -> Option<&str> {
    line.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| name.trim())
}

/// Returns the names under `[dependencies]` with their line numbers. Dependencies of one target and
/// dependencies with their own table are included.
fn dependencies<'a>(text: &'a str, entries: &[Entry<'a>]) -> Vec<(usize, &'a str)> {
    let below = entries
        .iter()
        .filter(|entry| entry.table == "dependencies" || entry.table.ends_with(".dependencies"))
        .map(|entry| (entry.line, entry.key.split_once('.').map_or(entry.key, |(name, _)| name)));
    let own_tables = (1..).zip(text.lines()).filter_map(|(line, content)| {
        let (before, name) = header(content.trim())?.split_once("dependencies.")?;
        (before.is_empty() || before.ends_with('.')).then_some((line, name))
    });
    below.chain(own_tables).collect()
}

#[cfg(test)]
mod tests {
    use super::offences;

    const HEAD: &str =
        "[package]\nname = \"siconos-kernel\"\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";

    #[track_caller]
    fn assert_lines(manifest: &str, lines: &[usize]) {
        let found: Vec<usize> =
            offences("crates/a/Cargo.toml", manifest).iter().map(|offence| offence.line).collect();
        assert_eq!(found, lines, "{manifest}");
    }

    #[test]
    fn licence_and_lints_are_shared() {
        assert_lines(HEAD, &[]);
        assert_lines("[package]\nname = \"a\"\nlicense = \"MIT\"\n", &[2, 2]);
        assert_lines(
            "lints.workspace = true\n[package]\nname = \"a\"\nlicense.workspace = true # shared\n",
            &[3],
        );
    }

    #[test]
    fn the_workspace_manifest_is_no_crate() {
        assert_lines("[workspace]\nresolver = \"3\"\n", &[]);
    }

    #[test]
    fn dependencies_point_one_way() {
        let allowed =
            "[dependencies]\nsiconos-numerics.workspace = true\n\n[dev-dependencies]\nsiconos-io = \"1\"\n";
        assert_lines(&format!("{HEAD}{allowed}"), &[]);
        assert_lines(&format!("{HEAD}[dependencies]\nsiconos-io.workspace = true\n"), &[8]);
        assert_lines(&format!("{HEAD}[dependencies]\nsiconos-io = {{ path = \"../io\" }}\n"), &[8]);
        assert_lines(&format!("{HEAD}[dependencies.siconos-io]\nworkspace = true\n"), &[7]);
        assert_lines(&format!("{HEAD}[dependencies]\nsiconos-expression.workspace = true\n"), &[8]);
        let expression = HEAD.replace("siconos-kernel", "siconos-expression");
        assert_lines(&format!("{expression}[dependencies]\nsiconos-numerics.workspace = true\n"), &[8]);
        assert_lines(&format!("{HEAD}[target.'cfg(unix)'.dependencies]\nsiconos-io = \"1\"\n"), &[8]);
        assert_lines(&format!("{HEAD}[dependencies]\nsiconos-figure.workspace = true\n"), &[8]);
        let unlisted = HEAD.replace("siconos-kernel", "siconos-new");
        assert_lines(&format!("{unlisted}[dependencies]\nsiconos-linalg.workspace = true\n"), &[8]);
        let figure = HEAD.replace("siconos-kernel", "siconos-figure");
        assert_lines(&format!("{figure}[dependencies]\nsiconos-io.workspace = true\n"), &[8]);
    }

    #[test]
    fn the_testkit_is_a_dev_dependency() {
        assert_lines(&format!("{HEAD}[dependencies]\nsiconos-testkit.workspace = true\n"), &[8]);
        assert_lines(&format!("{HEAD}[dev-dependencies]\nsiconos-testkit.workspace = true\n"), &[]);
        let regression = HEAD.replace("siconos-kernel", "siconos-regression");
        assert_lines(&format!("{regression}[dependencies]\nsiconos-testkit.workspace = true\n"), &[]);
    }
}
