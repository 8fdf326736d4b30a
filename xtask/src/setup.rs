//! `setup`: what cargo cannot fetch is OpenBLAS, so see that it links, and install it if it does not; and
//! HDF5, without which one feature is left out.

use crate::error::Error;
use crate::hdf5;
use crate::openblas::{self, OpenBlas};
use crate::packages::{self, Need};

/// The command itself: as [`ensure`], and says what it found.
pub(crate) fn run() -> Result<(), Error> {
    let found = ensure()?;
    match found.version {
        Some(version) => println!("OpenBLAS {version} can be linked"),
        None => println!("OpenBLAS can be linked (pkg-config does not know its version)"),
    }
    if hdf5::ensure() {
        println!("HDF5 is there");
    }
    Ok(())
}

/// What the other commands begin with: silent and quick when OpenBLAS is there.
///
/// A C linker needs no check: without one this program would not have been built.
pub(crate) fn ensure() -> Result<OpenBlas, Error> {
    let unusable = match openblas::find()? {
        Ok(found) => return Ok(found),
        Err(unusable) => unusable,
    };
    let installed = packages::plan(Need::OpenBlas).and_then(|installation| {
        eprintln!("Installing OpenBLAS: {unusable}");
        installation.carry_out()
    });
    if let Err(why_not_installed) = installed {
        let remedy = packages::typed_command(Need::OpenBlas);
        return Err(Error::OpenBlasMissing { why: unusable, why_not_installed, remedy });
    }
    // The manager may be content while the library is not, for instance one of another architecture.
    openblas::find()?.map_err(|why| Error::OpenBlasUnusable { why })
}
