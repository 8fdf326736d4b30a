//! Reference data of other programs: problem files and trajectories, which are no part of the repository.
//!
//! They lie where `SICONOS_REFERENCE` says, or else in `shared/reference` beside the workspace, a folder for
//! each kind: `lcp`, `fc3d`, .., `trajectories`. A test that finds none says so and passes, with two things
//! for whoever wants to know: it is a failure where `SICONOS_REFERENCE_REQUIRED` is set, and it is counted
//! ([`skip`]).
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

/// Where reference data are looked for, whether they are there or not.
#[must_use]
pub fn place() -> PathBuf {
    let usual = || {
        let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
        // Written without `..` if that can be: the path stands in messages.
        usual.canonicalize().unwrap_or(usual)
    };
    env::var_os("SICONOS_REFERENCE").map_or_else(usual, PathBuf::from)
}

/// The folder of all reference data, if it is on this machine; for whoever can do without.
#[must_use]
pub fn at_hand() -> Option<PathBuf> {
    Some(place()).filter(|place| place.is_dir())
}

/// The folder of all reference data; `None`, with a note that the test is skipped, where there are none.
///
/// # Panics
///
/// Where they are missing although they are required.
#[must_use]
#[track_caller]
pub fn root() -> Option<PathBuf> {
    let root = at_hand();
    if root.is_none() {
        note_skip();
    }
    root
}

/// The folder of one kind of data; `None` as of [`root`].
///
/// # Panics
///
/// As [`root`], and where there are reference data, but not of this kind.
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
        "neither $SICONOS_REFERENCE nor shared/reference beside the workspace is a folder, and reference data are required"
    );
    skip::note("there are no reference data");
}

/// The text of a file, plain or (`.gz`) compressed.
///
/// # Errors
///
/// A file that cannot be read, or is no text.
pub fn text(path: &Path) -> io::Result<String> {
    let (mut text, mut file) = (String::new(), File::open(path)?);
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(file).read_to_string(&mut text)?;
    } else {
        file.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// The rows of a trajectory of that file name, without its header; `None` as of [`folder`].
///
/// # Panics
///
/// As [`folder`], and for a file that is not there or does not hold numbers.
#[must_use]
#[track_caller]
pub fn trajectory(name: &str) -> Option<Vec<Vec<f64>>> {
    let path = folder("trajectories")?.join(name);
    let text = text(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let number = |word: &str| -> f64 {
        word.parse().unwrap_or_else(|_| panic!("{}: {word:?} is no number", path.display()))
    };
    let rows = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    Some(rows.map(|line| line.split_whitespace().map(number).collect()).collect())
}
