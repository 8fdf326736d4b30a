//! Reading and writing the files of nonsmooth simulations.
//!
//! | module | contents | files |
//! | --- | --- | --- |
//! | [`trajectory`] | tables of named columns with one row per time, written as a whole or row by row | `.csv`, `.jsonl`, `.ref`, `.dat`, `.txt`, each with `.gz`; `.slog`, `.npz`, `.h5` |
//! | [`contacts`] | detected contacts, one row per contact and time | as [`trajectory`] |
//! | [`vtk`] | points with fields, for ParaView and VTK | `.vtp`, `.pvd` |
//! | [`problem`] | data of one complementarity or contact problem | `.dat`, `.dat.gz`, `.json`, `.json.gz`, `.hdf5` |
//! | [`model`] | a model: systems, relations, laws and their simulation | `.toml`, `.json` |
//! | [`hybrid`] | a hybrid model: equations, discrete variables and events | `.toml`, `.json` |
//! | [`document`] | diagnostics, overrides and conversion of model files | `.toml`, `.json` |
//! | [`snapshot`] | state from which an interrupted run resumes | any extension |
//! | [`study`] | parameter studies: runs of one model with different values | as [`model`] and [`hybrid`] |
//! | `fclib` | contact problems with initial guesses and solutions | `.hdf5` |
//!
//! `.hdf5` and `.h5` files and the module `fclib` require the cargo feature `hdf5`, which links the installed
//! HDF5 library (`libhdf5-dev` in Debian, `hdf5-devel` in Fedora, `hdf5` in Arch and Homebrew). The modules
//! [`contacts`], [`model`], [`hybrid`], [`document`], [`snapshot`] and [`study`] require the feature `model`,
//! which is enabled by default. A program that only reads problems can disable it; this crate then does not
//! depend on `siconos-kernel`.
//!
//! Every text reader accepts any [`std::io::Read`] as well as a path. Every error states the file, the line
//! and the column (in HDF5 files, the dataset), the text found there and the text expected there. A number
//! that is written and read again is identical bit for bit. [`ReadOptions`] limits the decompressed size of
//! gzip files.
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
pub mod contacts;
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
#[cfg(feature = "model")]
mod output;
pub mod problem;
mod problem_class;
#[cfg(feature = "model")]
mod run_error;
#[cfg(feature = "model")]
pub mod snapshot;
#[cfg(feature = "model")]
pub mod study;
mod text_file;
pub mod trajectory;
mod unfinished;
pub mod vtk;

/// Crates that define the types of models and their diagnostics.
#[cfg(feature = "model")]
pub use {siconos_expression, siconos_kernel};

/// Version of `ndarray` whose arrays this crate takes and returns.
pub use ndarray;
pub use text_file::ReadOptions;
