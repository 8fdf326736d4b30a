//! `setup`: checks that OpenBLAS and HDF5 can be linked, and installs what is missing if that is allowed.
//!
//! Cargo cannot download these two libraries. Only OpenBLAS is required.

use crate::error::Error;
use crate::hdf5;
use crate::openblas::{self, OpenBlas};
use crate::packages::{self, Need};

/// Runs [`ensure`] and prints the versions that were found.
pub(crate) fn run() -> Result<(), Error> {
    let found = ensure()?;
    match found.version {
        Some(version) => println!("OpenBLAS {version} can be linked"),
        None => println!("OpenBLAS can be linked (pkg-config does not report its version)"),
    }
    if hdf5::ensure() {
        println!("HDF5 can be linked");
    }
    Ok(())
}

/// Checks that OpenBLAS can be linked, and installs it if necessary. Prints nothing if it is present.
///
/// A C linker needs no check: without one this program would not have been built.
pub(crate) fn ensure() -> Result<OpenBlas, Error> {
    let unusable = match openblas::find()? {
        Ok(found) => return Ok(found),
        Err(unusable) => unusable,
    };
    if let Err(why_not_installed) = packages::install(Need::OpenBlas, &unusable.to_string()) {
        let remedy = packages::typed_command(Need::OpenBlas);
        return Err(Error::OpenBlasMissing { why: unusable, why_not_installed, remedy });
    }
    // The installed library may be unusable, for example if it is for another architecture.
    openblas::find()?.map_err(|why| Error::OpenBlasUnusable { why })
}
