//! FCLIB: collections of contact problems with friction, in HDF5 files.
//!
//! The format is that of Acary, Brémond, Koziara, Pérignon (2014), *FCLIB: a collection of discrete 3D
//! Frictional Contact problems*, in which the problems of several codes are published. This module is there
//! with the cargo feature `hdf5`, which links the HDF5 library of the system. [`Problem::read`] and
//! [`Problem::write`] take files that end in `.hdf5` as well; [`Fclib`] is for those who want the rest of the
//! file, too.
//!
//! | group or dataset | what |
//! | --- | --- |
//! | `fclib_local/W` | the Delassus matrix of u = W r + q |
//! | `fclib_local/vectors/{q,mu}` | free velocities and coefficients of friction |
//! | `fclib_global/{M,H}` | the matrices of M v = H r + f, u = H^T v + w |
//! | `fclib_global/vectors/{f,w,mu}` | and its vectors |
//! | `fclib_global_rolling/{M,H}`, `fclib_global_rolling/vectors/{f,w,mu,mu_r}` | the same with rolling friction |
//! | `*/spacedim` | the size of a contact: 2 or 3, with rolling friction 3 or 5 |
//! | `*/info/{title,description,math_info}` | texts |
//! | `guesses/number_of_guesses`, `guesses/<i>/{r,u,v}` | points to start from, counted from 1 |
//! | `solution/{r,u,v}` | a solution (in many published files all zeros, or never written) |
//!
//! A matrix is a group of `m`, `n`, `nz`, `nzmax`, `p`, `i`, `x`: -1 in `nz` stands for compressed columns,
//! -2 for compressed rows, and a number at or above 0 for so many triplets. A local W is read as
//! [`BlockCsr`](siconos_linalg::BlockCsr) with a block per pair of contacts, M and H as
//! [`Csc`](siconos_linalg::Csc). All three are written in compressed columns, so that a matrix
//! comes back with the same entries, though not in the same storage.
//!
//! ```no_run
//! use siconos_io::fclib::Fclib;
//!
//! let file = Fclib::read("LMGC_100_PR_PerioBox-i00361-60-03000.hdf5")?;
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
// Trajectories in HDF5 files are read and written through it as well.
pub(crate) use folder::Folder;

use crate::problem_class::Problem;

/// All that a file of the FCLIB format holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Fclib {
    /// The problem, of class fc2d, fc3d, gfc2d, gfc3d or grolling.
    pub problem: Problem,
    /// What its authors say of it.
    pub info: Info,
    /// Points to start from.
    pub guesses: Vec<Point>,
    /// A solution, if the file has one.
    pub solution: Option<Point>,
}

/// What the authors of a problem say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// A name.
    pub title: String,
    /// Where it is from.
    pub description: String,
    /// What is known of its matrices.
    pub math_info: String,
}

/// Reactions and velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Reactions, as many as there are unknowns of contacts.
    pub r: Vec<f64>,
    /// Velocities of the contacts.
    pub u: Vec<f64>,
    /// Velocities of the bodies, in the global form only; else empty.
    pub v: Vec<f64>,
}

impl From<Problem> for Fclib {
    /// The problem alone.
    fn from(problem: Problem) -> Self {
        Self { problem, info: Info::default(), guesses: Vec::new(), solution: None }
    }
}

impl Fclib {
    /// Reads the file at `path`.
    ///
    /// # Errors
    ///
    /// [`FclibError`] that names the dataset: one that is missing, of another type or length, with entries
    /// that cannot be, or that the HDF5 library cannot read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FclibError> {
        let path = path.as_ref();
        let read = || {
            let file = File::open(path).map_err(|error| FclibError::of_library("", &error))?;
            reader::read(&Folder::root(&file)?)
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Writes the file at `path`, and replaces what was there.
    ///
    /// # Errors
    ///
    /// [`FclibError`]: a problem of another class, a point of the wrong length, a size beyond 32 bits, a file
    /// that cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), FclibError> {
        let path = path.as_ref();
        let write = || {
            // Before the file that is there is lost.
            writer::check(self)?;
            let file = File::create(path).map_err(|error| FclibError::of_library("", &error))?;
            writer::write(&Folder::root(&file)?, self)?;
            file.close().map_err(|error| FclibError::of_library("", &error))
        };
        write().map_err(|error| error.in_file(path))
    }
}

/// The lengths of the vectors of a point.
#[derive(Clone, Copy)]
struct PointSizes {
    contacts: usize,
    /// In the global form only.
    freedoms: Option<usize>,
}

/// `None` for a class that the format does not have.
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
