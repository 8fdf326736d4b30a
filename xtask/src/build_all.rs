//! `build`: all targets of all crates, optimised.

use crate::command;
use crate::error::Error;
use crate::hdf5;
use crate::setup;

/// Builds with all cargo features. The HDF5 features are left out if HDF5 is missing. [`setup`] provides the
/// libraries that the other features need.
pub(crate) fn run() -> Result<(), Error> {
    setup::ensure()?;
    let mut build = command::cargo(["build", "--workspace", "--all-targets", "--release"]);
    let with_hdf5 = hdf5::ensure();
    if with_hdf5 {
        build.arg("--all-features");
    }
    command::run(&mut build)?;
    let features = if with_hdf5 { "all cargo features" } else { "all cargo features except HDF5" };
    println!("Built all targets of all crates with {features}");
    Ok(())
}
