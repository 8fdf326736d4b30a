//! The HDF5 library, which reads and writes the contact problems of FCLIB.
//!
//! Only the cargo features `hdf5` need it. If it is missing, the commands leave these features out and report
//! that.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::command;
use crate::packages::{self, Need};

/// Features that need HDF5.
const FEATURES: &str = "siconos-io/hdf5,siconos-io-tests/hdf5,siconos-cli/hdf5,siconos-regression/hdf5";

/// Adds the features to a cargo command for the whole workspace if HDF5 is present or can be installed.
pub(crate) fn with_features(cargo: &mut Command) -> &mut Command {
    if ensure() { cargo.args(["--features", FEATURES]) } else { cargo }
}

/// Returns `true` if HDF5 can be linked, after installing it if necessary and allowed.
///
/// The answer is computed once, so that a missing library is reported only once.
pub(crate) fn ensure() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(find_or_install)
}

fn find_or_install() -> bool {
    if is_there() {
        return true;
    }
    let installed = packages::install(Need::Hdf5, "its headers were not found");
    let found = is_there();
    if !found {
        let why = installed.err().map_or_else(
            || "it was installed, but its headers were not found".to_owned(),
            |why| why.to_string(),
        );
        let remedy = packages::typed_command(Need::Hdf5);
        eprintln!("HDF5 is left out, so .hdf5 files cannot be read: {why}. To install it, type");
        eprintln!("    {}", remedy.replace('\n', "\n    "));
    }
    found
}

/// Returns `true` if HDF5 is in one of the folders in which the build script of the bindings looks for it.
fn is_there() -> bool {
    let pkg_config = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    env::var_os("HDF5_DIR").is_some()
        || command::answer(Command::new(pkg_config).args(["--modversion", "hdf5"])).is_some()
        || ["/usr/include/hdf5.h", "/usr/local/include/hdf5.h"]
            .iter()
            .any(|header| Path::new(header).is_file())
}
