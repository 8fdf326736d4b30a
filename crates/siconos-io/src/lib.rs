//! Persistence of nonsmooth simulations: what goes to a file and comes back from one.
//!
//! | module | what it keeps | files |
//! | --- | --- | --- |
//! | [`trajectory`] | a table of named columns, one row per sample in time, as a whole or row by row | `.csv`, `.jsonl`, `.ref`, `.dat`, `.txt`, each with `.gz`; `.slog`, `.npz`, `.h5` |
//! | [`vtk`] | points and what is known at them, for ParaView and VTK | `.vtp`, `.pvd` |
//! | [`problem`] | the data of one complementarity or contact problem | `.dat`, `.dat.gz`, `.json`, `.json.gz`, `.hdf5` |
//! | [`model`] | a model: systems, relations, laws and their simulation | `.toml`, `.json` |
//! | [`hybrid`] | a model with events: equations, discrete variables, events | `.toml` |
//! | `fclib` | contact problems with guesses and solutions | `.hdf5` |
//!
//! `.hdf5` and `.h5` files, and the module `fclib`, are there with the cargo feature `hdf5`, which links the
//! HDF5 library of the system (`libhdf5-dev` in Debian, `hdf5-devel` in Fedora, `hdf5` in Arch and Homebrew).
//! The modules [`model`], [`hybrid`] and [`document`] are there with the feature `model`, which is on by
//! default; a program that reads problems only does without it, and without the kernel.
//!
//! Every reader of text takes any [`std::io::Read`] as well as a path, and every error says which file, which
//! line, which column (in HDF5 files, which dataset), what was found there and what would have been right.
//! Numbers survive a round trip bit for bit. How far a gzip file may expand is limited, see [`ReadOptions`].
//!
//! ```
//! use siconos_io::trajectory::Table;
//!
//! let mut table = Table::new(["t", "q"]);
//! table.push_row(&[0.0, 1.0])?;
//! table.push_row(&[0.005, 0.1 + 0.2])?;
//!
//! let mut file = Vec::new();
//! table.to_csv(&mut file)?;
//! assert_eq!(Table::from_csv(file.as_slice())?, table);
//! # Ok::<(), siconos_io::trajectory::TableError>(())
//! ```
#![deny(missing_docs)]

#[cfg(feature = "model")]
pub mod document;
#[cfg(feature = "hdf5")]
pub mod fclib;
mod folder;
#[cfg(feature = "model")]
pub mod hybrid;
mod locked;
#[cfg(feature = "model")]
pub mod model;
mod number;
mod numpy;
pub mod problem;
mod problem_class;
#[cfg(feature = "model")]
mod run_error;
#[cfg(feature = "model")]
pub mod snapshot;
#[cfg(feature = "model")]
pub mod sweep;
mod text_file;
pub mod trajectory;
mod unfinished;
pub mod vtk;

/// The crates whose types a model and its faults have.
#[cfg(feature = "model")]
pub use {siconos_expression, siconos_kernel};

/// The version of `ndarray` whose arrays this crate takes and returns.
pub use ndarray;
pub use text_file::ReadOptions;
