//! Applies the rules to every file of the tree and lists the violations.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{cycles, layout, manifests, names, parameters, prose, subjects, tracked};
use crate::command;
use crate::error::Error;
use crate::workspace;

pub(crate) fn run() -> Result<(), Error> {
    let mut offences = Vec::new();
    let mut notes = Vec::new();
    let mut sources = Vec::new();
    let files = texts()?;
    for file in &files {
        let text = fs::read_to_string(file).map_err(Error::file("read", file))?;
        let path = workspace::shown(file);
        offences.extend(layout::offences(&path, &text));
        if path.ends_with(".rs") {
            offences.extend(prose::offences(&path, &text));
            offences.extend(names::offences(&path, &text));
        }
        notes.extend(layout::notes(&path, &text));
        if path.ends_with(".md") {
            offences.extend(prose::offences_of_page(&path, &text));
        }
        if path.ends_with("Cargo.toml") {
            offences.extend(manifests::offences(&path, &text));
        }
        sources.push((path, text));
    }
    offences.extend(cycles::offences(&sources));
    offences.extend(parameters::offences(&sources));
    match command::answer(Command::new("git").arg("ls-files").current_dir(workspace::root())) {
        Some(tracked) => {
            offences.extend(tracked::offences(tracked.lines()));
            offences.extend(subjects::offences());
        }
        None => println!("note: no version control here, so the tracked files were not checked"),
    }
    for note in &notes {
        println!("note: {note}");
    }
    offences.sort();
    for offence in &offences {
        println!("{offence}");
    }
    if offences.is_empty() {
        println!("{} files keep the rules of the project", files.len());
        Ok(())
    } else {
        Err(Error::Untidy { offences: offences.len() })
    }
}

/// Returns all sources, manifests and documents of the tree.
fn texts() -> Result<Vec<PathBuf>, Error> {
    let mut files = workspace::files_below(workspace::root(), is_foreign)?;
    files.retain(|file| {
        file.extension().is_some_and(|kind| ["rs", "toml", "md"].iter().any(|ours| kind == *ours))
    });
    Ok(files)
}

/// Returns `true` for folders without our files: hidden folders except cargo's, and build folders, which
/// cargo marks with a tag file.
fn is_foreign(folder: &Path) -> bool {
    let hidden =
        folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.') && name != ".cargo");
    hidden || folder == workspace::target() || folder.join("CACHEDIR.TAG").exists()
}
