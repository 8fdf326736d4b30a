//! `doc`: rustdoc of all crates, with formulas that show without a network.
//!
//! `.cargo/config.toml` names the header with the formulas for plain `cargo doc`; here it goes in by an
//! environment variable, since flags from there take the place of those of the configuration.

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

/// Puts the figures beside the pages: those that are bitmaps do not stand in them.
fn copy_figures(doc: &Path) -> Result<(), Error> {
    let figures = workspace::root().join("docs/figures");
    for file in workspace::files_below(&figures, |_| false)? {
        if let Some(name) = file.file_name() {
            workspace::copy(&file, &doc.join("figures").join(name))?;
        }
    }
    Ok(())
}

/// The documentation as a check: every warning is a failure, formulas need not be drawn, and the public items
/// are those that are listed.
pub(crate) fn check() -> Result<(), Error> {
    command::run(&mut rustdoc(&["-D", "warnings"]))?;
    interface::check()
}

/// `cargo doc` with the formula header and more flags for rustdoc, after those that the caller's environment
/// holds.
fn rustdoc(more: &[&str]) -> Command {
    let header = workspace::root().join("docs/katex-header.html");
    let mut flags = given_flags();
    flags.extend(["--html-in-header".to_owned(), header.to_string_lossy().into_owned()]);
    flags.extend(more.iter().map(|&flag| flag.to_owned()));
    let mut doc = command::cargo(["doc", "--workspace", "--no-deps"]);
    hdf5::with_features(&mut doc);
    // The encoded form, since RUSTDOCFLAGS splits a root path that holds a space.
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
