//! `doc`: rustdoc of all crates, with formulas that are displayed without a network.
//!
//! For plain `cargo doc`, `.cargo/config.toml` names the header with the formulas. Here the header is passed
//! by an environment variable, because flags in the environment replace the flags of the configuration.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::interface;
use crate::katex;
use crate::setup;
use crate::workspace;

pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    command::run(&mut rustdoc(&[]))?;
    let folder = workspace::target().join("doc");
    katex::provide(&folder)?;
    copy_figures(&folder)?;
    println!("Documentation in {}", workspace::shown(&folder));
    Ok(())
}

/// Copies the figures next to the pages, because the pages do not embed bitmap figures.
fn copy_figures(doc: &Path) -> Result<(), Error> {
    let figures = workspace::root().join("docs/figures");
    for file in workspace::files_below(&figures, |_| false)? {
        if let Some(name) = file.file_name() {
            workspace::copy(&file, &doc.join("figures").join(name))?;
        }
    }
    Ok(())
}

/// Checks the documentation. Every warning is an error, KaTeX is not required, and the public items must
/// equal the stored lists.
pub(crate) fn check() -> Result<(), Error> {
    command::run(&mut rustdoc(&["-D", "warnings"]))?;
    interface::check()
}

/// Returns `cargo doc` with the formula header. The flags `more` for rustdoc follow the flags of the caller's
/// environment.
fn rustdoc(more: &[&str]) -> Command {
    let header = workspace::root().join("docs/katex-header.html");
    let mut flags = given_flags();
    flags.extend(["--html-in-header".to_owned(), header.to_string_lossy().into_owned()]);
    flags.extend(more.iter().map(|&flag| flag.to_owned()));
    let mut doc = command::cargo(["doc", "--workspace", "--no-deps"]);
    hdf5::with_features(&mut doc);
    // The encoded form is used, because RUSTDOCFLAGS would split a root path that contains a space.
    doc.env("CARGO_ENCODED_RUSTDOCFLAGS", flags.join("\x1f"));
    doc
}

fn given_flags() -> Vec<String> {
    let words = |text: String, separator: fn(char) -> bool| -> Vec<String> {
        text.split(separator).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    match (env::var("CARGO_ENCODED_RUSTDOCFLAGS"), env::var("RUSTDOCFLAGS")) {
        (Ok(encoded), _) => words(encoded, |c| c == '\x1f'),
        (_, Ok(plain)) => words(plain, char::is_whitespace),
        _ => Vec::new(),
    }
}
