//! The program in a scratch folder, and a model for it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A ball of two steps a second under a gravity that is set.
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

/// Where scratch files are.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A file of this name and text in that folder.
pub(crate) fn scratch(name: &str, text: impl AsRef<[u8]>) -> String {
    fs::write(folder().join(name), text).expect("a scratch file");
    name.to_owned()
}

/// The name of a file that is not there, and has no snapshots beside it.
pub(crate) fn fresh(name: String) -> String {
    for ending in ["", ".snapshot", ".snapshot.before"] {
        // There is none at the first time.
        let _absent = fs::remove_file(folder().join(format!("{name}{ending}")));
    }
    name
}

/// What has been printed.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// The program in that folder.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siconos-rs"));
    command.args(arguments).current_dir(folder());
    command
}

/// Runs the program in that folder.
pub(crate) fn siconos(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}
