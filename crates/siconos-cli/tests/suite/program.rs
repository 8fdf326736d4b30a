//! Runs of the program in a scratch folder, and a model for them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A ball under gravity g, with two steps per second.
pub(crate) const BALL: &str = r#"
format = 1
kind = "model"
title = "A ball" # bounces

[parameters]
g = 8.0

[systems.ball]
family = "lagrangian_linear"
q = 100.0
mass = 1.0
external_force = "-g"

[interactions.floor]
systems = ["ball"]
relation = { kind = "lagrangian_linear", H = 1 }
law = { kind = "newton_impact", restitution = 0.5 }

[simulation]
kind = "time_stepping"
end = 4.0
step = 0.5
"#;

/// Returns the folder of scratch files.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// Writes a file with this name and text to the folder.
pub(crate) fn scratch(name: &str, text: impl AsRef<[u8]>) -> String {
    fs::write(folder().join(name), text).expect("a scratch file");
    name.to_owned()
}

/// Returns the name of a file that does not exist and has no snapshots next to it.
pub(crate) fn fresh(name: String) -> String {
    for ending in ["", ".snapshot", ".snapshot.before"] {
        // The files do not exist in the first test run.
        let _absent = fs::remove_file(folder().join(format!("{name}{ending}")));
    }
    name
}

/// Converts printed bytes to text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Returns a command that runs the program in the folder.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siconos-rs"));
    command.args(arguments).current_dir(folder());
    command
}

/// Runs the program in the folder.
pub(crate) fn siconos(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}
