//! FCLIB files: collections of contact problems with friction, in HDF5.
//!
//! The format is defined in Acary, Brémond, Koziara, Pérignon (2014), *FCLIB: a collection of discrete 3D
//! Frictional Contact problems*; problems from several codes are published in this format. This module
//! requires the cargo feature `hdf5`, which links the installed HDF5 library. [`Problem::read`] and
//! [`Problem::write`] also accept files with the extension `.hdf5`, but only for the problem. [`FclibFile`]
//! also contains the description, the initial guesses and the solution.
//!
//! | group or dataset | content |
//! | --- | --- |
//! | `fclib_local/W` | Delassus matrix of u = W r + q |
//! | `fclib_local/vectors/{q,mu}` | free velocities and coefficients of friction |
//! | `fclib_global/{M,H}` | matrices of M v = H r + f, u = H^T v + w |
//! | `fclib_global/vectors/{f,w,mu}` | vectors of M v = H r + f, u = H^T v + w, and coefficients of friction |
//! | `fclib_global_rolling/{M,H}`, `fclib_global_rolling/vectors/{f,w,mu,mu_r}` | global form with rolling friction |
//! | `*/spacedim` | number of unknowns of a contact: 2 or 3; with rolling friction, 3 or 5 |
//! | `*/info/{title,description,math_info}` | texts |
//! | `guesses/number_of_guesses`, `guesses/<i>/{r,u,v}` | initial guesses, numbered from 1 |
//! | `solution/{r,u,v}` | solution (in many published files it is zero or has no value) |
//!
//! A matrix is a group of `m`, `n`, `nz`, `nzmax`, `p`, `i`, `x`. In `nz`, -1 denotes compressed columns and
//! -2 compressed rows; a non-negative value is the number of triplets. A local W is read as
//! [`BlockCsr`](siconos_linalg::BlockCsr) with one block for each pair of contacts, and M and H as
//! [`Csc`](siconos_linalg::Csc). All three are written in compressed columns. A matrix that is written and
//! read again has the same entries, but can have a different storage.
//!
//! ```no_run
//! use siconos_io::fclib::FclibFile;
//!
//! let file = FclibFile::read("LMGC_100_PR_PerioBox-i00361-60-03000.hdf5")?;
//! println!("{}: {} unknowns", file.info.title, file.problem.size());
//! # Ok::<(), siconos_io::fclib::FclibError>(())
//! ```

mod error;
mod folder;
mod reader;
mod sparse;
mod writer;

use std::path::Path;

use hdf5::File;
use siconos_numerics::contact::ContactLaw;

pub use error::{FclibError, FclibErrorKind};
// The trajectory formats also use this type, for tables in HDF5 files.
pub(crate) use folder::{Hdf5Group, Hdf5Vector};

use crate::problem_class::Problem;

/// Contents of an FCLIB file.
#[derive(Clone, Debug, PartialEq)]
pub struct FclibFile {
    /// Problem, of class fc2d, fc3d, gfc2d, gfc3d or grolling.
    pub problem: Problem,
    /// Description of the problem by its authors.
    pub info: ProblemInfo,
    /// Initial guesses.
    pub guesses: Vec<ContactState>,
    /// Solution, if the file has one.
    pub solution: Option<ContactState>,
}

/// Description of a problem by its authors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemInfo {
    /// Title.
    pub title: String,
    /// Origin of the problem.
    pub description: String,
    /// Description of the properties of the matrices.
    pub math_info: String,
}

/// Reactions and velocities: an initial guess or a solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactState {
    /// Reactions, with one entry for each unknown of the contacts.
    pub r: Vec<f64>,
    /// Relative velocities at the contacts, with one entry for each unknown.
    pub u: Vec<f64>,
    /// Velocities of the bodies in the global form; empty in the local form.
    pub v: Vec<f64>,
}

impl From<Problem> for FclibFile {
    /// Creates the contents of a file that has a problem, but no initial guesses and no solution.
    fn from(problem: Problem) -> Self {
        Self { problem, info: ProblemInfo::default(), guesses: Vec::new(), solution: None }
    }
}

impl FclibFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// If a dataset is missing, has the wrong type or length or invalid entries, or cannot be read by the
    /// HDF5 library. The [`FclibError`] names the dataset.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FclibError> {
        let path = path.as_ref();
        let read = || {
            let file = File::open(path).map_err(|error| FclibError::of_library("", &error))?;
            reader::read(&Hdf5Group::root(&file)?)
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Writes the file at `path` and replaces an existing file.
    ///
    /// # Errors
    ///
    /// If the format does not support the class of the problem, an initial guess or the solution has the
    /// wrong length, a size exceeds 32 bits, or the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), FclibError> {
        let path = path.as_ref();
        let write = || {
            // The contents are checked before the existing file is replaced.
            writer::check(self)?;
            let file = File::create(path).map_err(|error| FclibError::of_library("", &error))?;
            writer::write(&Hdf5Group::root(&file)?, self)?;
            file.close().map_err(|error| FclibError::of_library("", &error))
        };
        write().map_err(|error| error.in_file(path))
    }
}

/// Lengths of the vectors of a [`ContactState`].
#[derive(Clone, Copy)]
struct PointSizes {
    contacts: usize,
    /// Number of degrees of freedom of the bodies; `None` in the local form.
    freedoms: Option<usize>,
}

/// Returns the lengths of the vectors; `None` for a class that the format does not support.
fn point_sizes(problem: &Problem) -> Option<PointSizes> {
    match problem {
        Problem::Contact(problem) => {
            let freedoms = problem.bodies().map(|bodies| bodies.f.len());
            let has_group = match problem.law() {
                ContactLaw::Coulomb { .. } => true,
                ContactLaw::Rolling { .. } => freedoms.is_some(),
                _ => false,
            };
            has_group.then_some(PointSizes { contacts: problem.q().len(), freedoms })
        }
        _ => None,
    }
}
