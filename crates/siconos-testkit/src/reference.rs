//! Reference data of other programs: problem files and trajectories, which are not in the repository.
//!
//! The environment variable `SICONOS_REFERENCE` names the folder of the data. Its default is
//! `shared/reference` next to the workspace. The folder contains one folder for each kind of data: `lcp`,
//! `fc3d`, .., `trajectories`. A test without its reference data is reported as skipped and counted
//! ([`skip`]). It passes, unless `SICONOS_REFERENCE_REQUIRED` is set.
//!
//! ```
//! use siconos_testkit::reference;
//!
//! if let Some(rows) = reference::trajectory("BouncingBallTS.ref") {
//!     assert_eq!(rows[0].len(), 5);
//! }
//! ```

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use crate::skip;

/// Returns the folder of the reference data. The folder need not exist.
#[must_use]
pub fn place() -> PathBuf {
    let usual = || {
        let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
        // The path without `..` is preferred, because messages contain it.
        usual.canonicalize().unwrap_or(usual)
    };
    env::var_os("SICONOS_REFERENCE").map_or_else(usual, PathBuf::from)
}

/// Returns the folder of the reference data, or `None` if it does not exist. A missing folder is not
/// reported.
#[must_use]
pub fn at_hand() -> Option<PathBuf> {
    Some(place()).filter(|place| place.is_dir())
}

/// Returns the folder of the reference data. If it does not exist, the test is reported as skipped and the
/// result is `None`.
///
/// # Panics
///
/// If the folder is missing and `SICONOS_REFERENCE_REQUIRED` is set.
#[must_use]
#[track_caller]
pub fn root() -> Option<PathBuf> {
    let root = at_hand();
    if root.is_none() {
        note_skip();
    }
    root
}

/// Returns the folder of one kind of data, or `None` if [`root`] returns `None`.
///
/// # Panics
///
/// If [`root`] panics, or if the folder of the reference data exists but has no folder of this kind.
#[must_use]
#[track_caller]
pub fn folder(kind: &str) -> Option<PathBuf> {
    let folder = root()?.join(kind);
    assert!(folder.is_dir(), "there is no folder {}", folder.display());
    Some(folder)
}

#[track_caller]
fn note_skip() {
    assert!(
        env::var_os("SICONOS_REFERENCE_REQUIRED").is_none(),
        "neither $SICONOS_REFERENCE nor shared/reference next to the workspace is a folder, and reference data are required"
    );
    skip::note("there are no reference data");
}

/// Returns the text of a file, which can be compressed (`.gz`).
///
/// # Errors
///
/// If the file cannot be read or is not text.
pub fn text(path: &Path) -> io::Result<String> {
    let (mut text, mut file) = (String::new(), File::open(path)?);
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        file.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Returns the rows of the trajectory in the file `name`, without the header, or `None` if [`folder`] returns
/// `None`.
///
/// # Panics
///
/// If [`folder`] panics, or if the file is missing or contains a word that is not a number.
#[must_use]
#[track_caller]
pub fn trajectory(name: &str) -> Option<Vec<Vec<f64>>> {
    let path = folder("trajectories")?.join(name);
    let text = text(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let number = |word: &str| -> f64 {
        word.parse().unwrap_or_else(|_| panic!("{}: {word:?} is not a number", path.display()))
    };
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    Some(rows.map(|line| line.split_whitespace().map(number).collect()).collect())
}
