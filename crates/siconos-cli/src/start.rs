//! Initial guess of a solve.

use std::io;
use std::path::Path;

use clap::ValueEnum;
use siconos_io::ReadOptions;
use siconos_io::problem::{Problem, ProblemClass};

use crate::task::SolutionPoint;

/// Initial guess of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Start {
    /// All unknowns at 0.
    #[default]
    Zero,
    /// The first initial guess of an .hdf5 file.
    Guess,
}

/// Reads the problem and the initial guess, which is `None` if all unknowns start at 0.
pub(crate) fn read(
    path: &Path,
    class: Option<ProblemClass>,
    start: Start,
    options: ReadOptions,
) -> Result<(Problem, Option<SolutionPoint>), String> {
    match start {
        Start::Zero => {
            let problem = if path.as_os_str() == "-" {
                Problem::read_stream(io::stdin().lock(), class, options)
            } else {
                Problem::read_with(path, class, options)
            };
            Ok((problem.map_err(|error| error.to_string())?, None))
        }
        Start::Guess => read_guess(path, class),
    }
}

#[cfg(feature = "hdf5")]
fn read_guess(path: &Path, class: Option<ProblemClass>) -> Result<(Problem, Option<SolutionPoint>), String> {
    use siconos_io::fclib::FclibFile;

    let shown = path.display();
    if path.extension().is_none_or(|extension| extension != "hdf5") {
        return Err(format!("{shown}: only .hdf5 files have guesses; remove `--start guess`"));
    }
    let file = FclibFile::read(path).map_err(|error| error.to_string())?;
    if let Some(expected) = class.filter(|class| *class != file.problem.class()) {
        return Err(format!("{shown}: the class is {}, but {expected} was requested", file.problem.class()));
    }
    let Some(guess) = file.guesses.into_iter().next() else {
        return Err(format!("{shown}: the file has no guess; remove `--start guess`"));
    };
    // The velocities of the bodies are computed from the reactions.
    Ok((file.problem, Some(SolutionPoint { z: guess.r, w: guess.u })))
}

#[cfg(not(feature = "hdf5"))]
fn read_guess(path: &Path, _: Option<ProblemClass>) -> Result<(Problem, Option<SolutionPoint>), String> {
    Err(format!(
        "{}: only .hdf5 files have guesses, and this program was built without the cargo feature `hdf5`",
        path.display()
    ))
}
