//! Puts KaTeX, which draws the formulas, beside the documentation, so that a browser needs no network for
//! them.
//!
//! The files come from the system's package and are not kept in the tree. Without them the pages show the
//! formulas as they are written, which is why they are written to be read.

use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::packages::{self, Need};
use crate::workspace::copy;

/// Where systems keep KaTeX: Debian's two packages, then the global folders of node.
const FOLDERS: [&str; 5] = [
    "/usr/share/javascript/katex",
    "/usr/share/nodejs/katex/dist",
    "/usr/lib/node_modules/katex/dist",
    "/usr/local/lib/node_modules/katex/dist",
    "/opt/homebrew/lib/node_modules/katex/dist",
];

/// What `docs/katex-header.html` loads; these names are the same in all of the folders.
const FILES: [&str; 3] = ["katex.min.css", "katex.min.js", "contrib/auto-render.js"];

/// Copies KaTeX to `doc/katex`, after installing it if that is possible; if not, says so and is content.
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
        // Every browser of the last ten years takes woff2; the older formats are three times the size.
        if let Some(name) = font.file_name().filter(|_| font.extension().is_some_and(|kind| kind == "woff2"))
        {
            copy(&font, &destination.join("fonts").join(name))?;
        }
    }
    Ok(())
}

/// A folder with all of KaTeX, installed now if need be.
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
