//! Copies KaTeX next to the documentation, so that browsers draw the formulas without a network.
//!
//! The files come from a system package and are not in the tree. Without them the pages show the source text
//! of the formulas.

use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::packages::{self, Need};
use crate::workspace::copy;

/// Folders in which systems install KaTeX: two folders of Debian packages, followed by the global folders of
/// node.
const FOLDERS: [&str; 5] = [
    "/usr/share/javascript/katex",
    "/usr/share/nodejs/katex/dist",
    "/usr/lib/node_modules/katex/dist",
    "/usr/local/lib/node_modules/katex/dist",
    "/opt/homebrew/lib/node_modules/katex/dist",
];

/// Files that `docs/katex-header.html` loads; the names are equal in all folders.
const FILES: [&str; 3] = ["katex.min.css", "katex.min.js", "contrib/auto-render.js"];

/// Copies KaTeX to `doc/katex`, after installing it if possible. A missing KaTeX is reported and is not an
/// error.
pub(crate) fn provide(doc: &Path) -> Result<(), Error> {
    let Some(source) = source() else {
        return Ok(());
    };
    let destination = doc.join("katex");
    for file in FILES {
        copy(&source.join(file), &destination.join(file))?;
    }
    let fonts = source.join("fonts");
    for entry in fs::read_dir(&fonts).map_err(Error::file("list", &fonts))? {
        let font = entry.map_err(Error::file("list", &fonts))?.path();
        // All current browsers support woff2. The older formats are three times as large.
        if let Some(name) = font.file_name().filter(|_| font.extension().is_some_and(|kind| kind == "woff2"))
        {
            copy(&font, &destination.join("fonts").join(name))?;
        }
    }
    Ok(())
}

/// Returns a folder with a complete KaTeX, which is installed if necessary.
fn source() -> Option<&'static Path> {
    if let Some(folder) = installed() {
        return Some(folder);
    }
    let reason = match packages::install(Need::Katex, "its files were not found") {
        Ok(()) => "the installed package does not contain the expected files".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    let found = installed();
    if found.is_none() {
        let remedy = packages::typed_command(Need::Katex);
        println!(
            "Formulas stay plain text, because KaTeX is missing ({reason}). To install it: `{remedy}` or \
             `npm install --global katex`"
        );
    }
    found
}

fn installed() -> Option<&'static Path> {
    FOLDERS.into_iter().map(Path::new).find(|folder| FILES.iter().all(|file| folder.join(file).is_file()))
}
