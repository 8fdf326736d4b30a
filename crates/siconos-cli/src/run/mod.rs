//! Runs the model in a file, of whatever kind.

mod hybrid;
mod model;

use std::io::{self, Write};
use std::path::Path;

use siconos_io::document::Override;
use siconos_io::model::AnyModel;

use crate::arguments::RunArguments;

/// What a run came to, to be printed.
pub(crate) enum Run {
    Hybrid(hybrid::Run),
    Model(model::Run),
}

/// Does what the command line asks for. An error is bad input.
pub(crate) fn run(arguments: &RunArguments) -> Result<Run, String> {
    let overrides = overrides(&arguments.set)?;
    match AnyModel::read(&arguments.file, &overrides).map_err(|error| error.to_string())? {
        AnyModel::Hybrid(_) if arguments.checkpoint.is_some() || arguments.resume.is_some() => {
            let shown = arguments.file.display();
            Err(format!("{shown}: there are no snapshots of hybrid models, only of the kind `model`"))
        }
        AnyModel::Hybrid(model) => hybrid::run(*model, arguments).map(Run::Hybrid),
        AnyModel::Model(file) => model::run(&file, &overrides, arguments).map(Run::Model),
    }
}

/// What `--set` says.
pub(crate) fn overrides(set: &[String]) -> Result<Vec<Override>, String> {
    let one = |text: &String| text.parse().map_err(|error| format!("--set: {error}"));
    set.iter().map(one).collect()
}

impl Run {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Hybrid(run) if !run.unwritten.is_empty() => crate::BAD_INPUT,
            Self::Hybrid(run) if run.is_good() => 0,
            Self::Hybrid(_) => crate::NOT_CONVERGED,
            Self::Model(run) => run.code(),
        }
    }

    /// What has to be told beside the answer: why it could not go on, and what could not be written.
    pub(crate) fn complaints(&self) -> Vec<String> {
        match self {
            Self::Hybrid(run) => {
                let error = run.error.as_ref().map(ToString::to_string);
                error.into_iter().chain(run.unwritten.iter().cloned()).collect()
            }
            Self::Model(run) => run.complaints.clone(),
        }
    }
}

/// Writes the answer.
pub(crate) fn write(writer: &mut dyn Write, run: &Run) -> io::Result<()> {
    match run {
        Run::Hybrid(run) => hybrid::write(writer, run),
        Run::Model(run) => model::write(writer, run),
    }
}

/// Whether a file of this name can be expected to be written: its ending is known, and its folder there.
pub(crate) fn check_file(path: &Path, endings: &[&str]) -> Result<(), String> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if !endings.iter().any(|ending| name.ends_with(ending)) {
        return Err(format!("{}: unknown file extension; use one of {}", path.display(), endings.join(", ")));
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => Err(format!("{}: there is no folder `{}`", path.display(), folder.display())),
    }
}

/// Whether a table may be written: what exists is replaced only where that is asked for.
pub(crate) fn check_absent(path: Option<&Path>, may_replace: bool) -> Result<(), String> {
    match path.filter(|path| !may_replace && path.exists()) {
        None => Ok(()),
        Some(path) => Err(format!("{}: this file exists already; --force replaces it", path.display())),
    }
}
