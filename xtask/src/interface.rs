//! `interface`: lists of the public items of the published crates, one item per line. The lists are under
//! version control, so that reviews show every change of the interface.
//!
//! The items are read from the pages of rustdoc, which show the interface to users. A line is the kind and
//! the path of an item, or a method, variant or field of an item. Members that come from traits are not
//! listed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::doc;
use crate::error::Error;
use crate::workspace;

/// Packages and the folders of their pages.
const CRATES: [(&str, &str); 12] = [
    ("siconos-expression", "siconos_expression"),
    ("siconos-linalg", "siconos_linalg"),
    ("siconos-ode", "siconos_ode"),
    ("siconos-numerics", "siconos_numerics"),
    ("siconos-kernel", "siconos_kernel"),
    ("siconos-hybrid", "siconos_hybrid"),
    ("siconos-control", "siconos_control"),
    ("siconos-sweeping", "siconos_sweeping"),
    ("siconos-mechanics", "siconos_mechanics"),
    ("siconos-io", "siconos_io"),
    ("siconos", "siconos"),
    ("siconos-figure", "siconos_figure"),
];

/// Module that requires HDF5.
const HDF5_PART: &str = "fclib::";

/// Kinds of members by the prefixes of their anchors.
const MEMBERS: [(&str, &str); 6] = [
    ("method.", "fn"),
    ("tymethod.", "required fn"),
    ("associatedtype.", "type"),
    ("associatedconstant.", "const"),
    ("variant.", "variant"),
    ("structfield.", "field"),
];

/// Writes all lists.
pub(crate) fn run() -> Result<(), Error> {
    doc::run()?;
    for (package, folder) in CRATES {
        let path = list_of(package);
        let text = written(folder)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
        }
        fs::write(&path, &text).map_err(Error::file("write", &path))?;
        println!("{}: {} lines", workspace::shown(&path), text.lines().count());
    }
    Ok(())
}

/// Compares the lists with the pages, which must exist.
pub(crate) fn check() -> Result<(), Error> {
    let mut changes = Vec::new();
    for (package, folder) in CRATES {
        let path = list_of(package);
        let listed = read(&path)?;
        let found = written(folder)?;
        let (listed, found): (BTreeSet<_>, BTreeSet<_>) = (listed.lines().collect(), found.lines().collect());
        // Without HDF5, the module `fclib` has no pages.
        let is_left_out = !found.iter().any(|line| line.starts_with(HDF5_PART));
        let gone = listed.difference(&found).filter(|line| !(is_left_out && line.starts_with(HDF5_PART)));
        changes.extend(gone.map(|line| format!("{package}: gone: {line}")));
        changes.extend(found.difference(&listed).map(|line| format!("{package}: new: {line}")));
    }
    if changes.is_empty() {
        return Ok(());
    }
    Err(Error::Interface { changes })
}

fn list_of(package: &str) -> PathBuf {
    workspace::root().join("docs/interface").join(format!("{package}.txt"))
}

/// Returns the list of a crate, sorted.
fn written(folder: &str) -> Result<String, Error> {
    let pages = workspace::target().join("doc").join(folder);
    let all = read(&pages.join("all.html"))?;
    let mut lines = BTreeSet::new();
    for link in between_all(&all, "<li><a href=\"", "\">") {
        let (module, page) = link.rsplit_once('/').unwrap_or(("", link));
        let Some((kind, name)) = page.trim_end_matches(".html").split_once('.') else { continue };
        let path: Vec<&str> = module.split('/').filter(|part| !part.is_empty()).chain([name]).collect();
        let path = path.join("::");
        lines.insert(format!("{path} ({kind})"));
        let text = read(&pages.join(link))?;
        let own = text.split("id=\"trait-implementations\"").next().unwrap_or(&text);
        let own = own.split("id=\"deref-methods").next().unwrap_or(own);
        for anchor in between_all(own, "id=\"", "\"") {
            for (beginning, kind) in MEMBERS {
                // A second method of the same name, in another `impl`, has a number as suffix. A field of a
                // variant belongs to the variant. Both are skipped.
                let member = anchor.strip_prefix(beginning).filter(|name| !name.contains(['-', '.']));
                lines.extend(member.map(|member| format!("{path}: {kind} {member}")));
            }
        }
    }
    Ok(lines.into_iter().map(|line| line + "\n").collect())
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::file("read", path))
}

/// Returns all pieces of a text between two marks.
fn between_all<'t>(text: &'t str, begin: &'t str, end: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(begin).skip(1).filter_map(move |rest| rest.split(end).next())
}

#[cfg(test)]
mod tests {
    use super::between_all;

    #[test]
    fn parts_between_marks() {
        let found: Vec<_> = between_all(
            r#"a<li><a href="x/struct.A.html">x::A</a> <li><a href="fn.b.html">b"#,
            "<li><a href=\"",
            "\">",
        )
        .collect();
        assert_eq!(found, ["x/struct.A.html", "fn.b.html"]);
        assert_eq!(between_all("nothing", "<", ">").count(), 0);
    }
}
