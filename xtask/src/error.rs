//! Errors of the commands, and their exit codes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use crate::cli::UsageError;
use crate::openblas::Unusable;
use crate::packages::Refusal;
use crate::workspace;

/// Failure of a command, with the information needed to fix it.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line is wrong.
    Usage(UsageError),
    /// A child process could not be started.
    Start { line: String, source: io::Error },
    /// A child process failed.
    Exit {
        line: String,
        status: ExitStatus,
        /// Failed tests or scenarios, if the process reports them.
        failed: Vec<String>,
    },
    /// A file or folder could not be read or written.
    File { action: &'static str, path: PathBuf, source: io::Error },
    /// OpenBLAS cannot be linked, and could not be installed.
    OpenBlasMissing { why: Unusable, why_not_installed: Refusal, remedy: String },
    /// OpenBLAS was just installed, but still cannot be used.
    OpenBlasUnusable { why: Unusable },
    /// `tidy` found violations and has listed them.
    Untidy { offences: usize },
    /// The public items differ from the lists under version control.
    Interface { changes: Vec<String> },
    /// No step and no scenario has a name that contains the filter.
    NothingMatches { filter: String },
    /// The runner has no scenarios, although no filter was given.
    NoScenarios,
}

impl Error {
    /// Wraps an error of `std::fs`: `map_err(Error::file("read", path))`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }

    /// Returns the lines of the summary of `regress`: the failed tests or scenarios, or the error itself.
    pub(crate) fn failures(&self) -> Vec<String> {
        match self {
            Self::Exit { failed, .. } if !failed.is_empty() => failed.clone(),
            _ => vec![self.to_string()],
        }
    }

    /// Returns 2 for errors in the command line or the system, 4 if nothing matches (like the scenario
    /// runner), and 1 otherwise.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) | Self::OpenBlasMissing { .. } | Self::OpenBlasUnusable { .. } => {
                ExitCode::from(2)
            }
            Self::NothingMatches { .. } => ExitCode::from(4),
            Self::Start { .. }
            | Self::Exit { .. }
            | Self::File { .. }
            | Self::Untidy { .. }
            | Self::Interface { .. }
            | Self::NoScenarios => ExitCode::FAILURE,
        }
    }
}

impl From<UsageError> for Error {
    fn from(error: UsageError) -> Self {
        Self::Usage(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => write!(f, "{error}"),
            Self::Start { line, source } => write!(f, "could not start `{line}`: {source}"),
            Self::Exit { line, status, .. } => write!(f, "`{line}` failed ({status})"),
            Self::File { action, path, source } => {
                write!(f, "could not {action} {}: {source}", workspace::shown(path))
            }
            Self::OpenBlasMissing { why, why_not_installed, remedy } => {
                writeln!(f, "OpenBLAS cannot be used: {why}")?;
                writeln!(f, "It was not installed: {why_not_installed}. To install it, type")?;
                write!(f, "    {}", remedy.replace('\n', "\n    "))
            }
            Self::OpenBlasUnusable { why } => {
                write!(f, "OpenBLAS was installed but cannot be used: {why}")
            }
            Self::Untidy { offences: 1 } => write!(f, "1 violation of the rules of the project"),
            Self::Untidy { offences } => write!(f, "{offences} violations of the rules of the project"),
            Self::Interface { changes } => {
                changes.iter().try_for_each(|change| writeln!(f, "{change}"))?;
                write!(f, "the public interface has changed: `cargo xtask interface` rewrites the lists")
            }
            Self::NothingMatches { filter } => {
                write!(f, "no step and no scenario has `{filter}` in its name; `--list` shows them")
            }
            Self::NoScenarios => write!(f, "there are no regression scenarios"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start { source, .. } | Self::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
