//! The program in a scratch folder, and a model for it.

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

/// Runs the program in that folder.
pub(crate) fn siconos(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_siconos-rs"));
    command.args(arguments).current_dir(folder()).output().expect("the program runs")
}
