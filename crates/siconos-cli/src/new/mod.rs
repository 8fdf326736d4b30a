//! `new`: writes a commented file to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use crate::arguments::NewArguments;

/// Kind of file that `new` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StarterKind {
    /// A ball on a floor: a Lagrangian system with an impact law.
    BouncingBall,
    /// A rectifier: a first-order system with a diode.
    Circuit,
    /// A rod on a hinge with a stop, and a box on a slope: rigid bodies with joints, contacts and friction.
    Mechanism,
    /// A thermostat: an equation with events and a discrete variable.
    Hybrid,
    /// A linear complementarity problem for `solve`.
    Problem,
}

/// Name of the file in the comments of the files.
const NAME: &str = "NAME.toml";

impl StarterKind {
    fn text(self) -> &'static str {
        match self {
            Self::BouncingBall => include_str!("bouncing-ball.toml"),
            Self::Circuit => include_str!("circuit.toml"),
            Self::Mechanism => include_str!("mechanism.toml"),
            Self::Hybrid => include_str!("hybrid.toml"),
            Self::Problem => include_str!("problem.json"),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Problem => "json",
            _ => "toml",
        }
    }

    /// Returns the command that uses the file.
    fn command(self, file: &str) -> String {
        match self {
            Self::Problem => format!("siconos-rs solve {file}"),
            _ => format!("siconos-rs run {file} --plot"),
        }
    }
}

/// Writes the file. Returns the text to print.
pub(crate) fn run(arguments: &NewArguments) -> Result<String, String> {
    let kind = arguments.kind;
    let path = path(&arguments.name, kind)?;
    let shown = path.display().to_string();
    let mut options = OpenOptions::new();
    options.write(true).create(true).create_new(!arguments.force).truncate(arguments.force);
    let mut file = options.open(&path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => format!("{shown}: this file already exists; use --force to replace it"),
        _ => format!("{shown}: {error}"),
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    file.write_all(kind.text().replace(NAME, &name).as_bytes())
        .map_err(|error| format!("{shown}: {error}"))?;
    Ok(format!("{shown} was written; next: {}", kind.command(&shown)))
}

/// Returns the path of the file, with the extension of its kind.
fn path(name: &std::path::Path, kind: StarterKind) -> Result<PathBuf, String> {
    let extension = kind.extension();
    match name.extension() {
        None => Ok(name.with_extension(extension)),
        Some(found) if found == extension => Ok(name.to_owned()),
        Some(found) => Err(format!(
            "{}: the extension of this kind of file must be .{extension}, not .{}",
            name.display(),
            found.display()
        )),
    }
}
