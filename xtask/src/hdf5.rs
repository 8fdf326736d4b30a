//! The HDF5 library, which one cargo feature needs and all else does without.
//!
//! It reads and writes FCLIB's contact problems. Where it cannot be installed, everything is built without
//! it, and the commands say so.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::command;
use crate::packages::{self, Need};

/// The features that need it.
const FEATURES: &str = "siconos-io/hdf5,siconos-io-tests/hdf5,siconos-cli/hdf5,siconos-regression/hdf5";

/// Adds the features to a cargo command for the whole workspace, where the library is there or can be
/// installed.
pub(crate) fn with_features(cargo: &mut Command) -> &mut Command {
    if ensure() { cargo.args(["--features", FEATURES]) } else { cargo }
}

/// Whether it is there; if not, it is installed where that is allowed. It is not worth an error.
///
/// Found out once, so that what is missing is said once.
pub(crate) fn ensure() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(find_or_install)
}

fn find_or_install() -> bool {
    if is_there() {
        return true;
    }
    let installed = packages::plan(Need::Hdf5).and_then(|installation| {
        eprintln!("Installing HDF5, which FCLIB's problem files need");
        installation.carry_out()
    });
    let found = is_there();
    if !found {
        let why = installed
            .err()
            .map_or_else(|| "it was installed, but is not found".to_owned(), |why| why.to_string());
        let remedy = packages::typed_command(Need::Hdf5);
        eprintln!("Without HDF5, and so without .hdf5 files: {why}. To install it, type");
        eprintln!("    {}", remedy.replace('\n', "\n    "));
    }
    found
}

/// Where the build script of the bindings looks for it.
fn is_there() -> bool {
    let pkg_config = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    env::var_os("HDF5_DIR").is_some()
        || command::answer(Command::new(pkg_config).args(["--modversion", "hdf5"])).is_some()
        || ["/usr/include/hdf5.h", "/usr/local/include/hdf5.h"]
            .iter()
            .any(|header| Path::new(header).is_file())
}
