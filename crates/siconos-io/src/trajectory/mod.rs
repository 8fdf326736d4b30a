//! Trajectories: tables of named columns with one row per sample.
//!
//! A [`Table`] is read and written in these formats, chosen by the end of the file name:
//!
//! | name ends in | format | columns are named | provenance | numbers | grows by rows |
//! | --- | --- | --- | --- | --- | --- |
//! | `.csv` | comma-separated values with a header line | by the header | lines with `#` above it | 17 significant digits, `nan`, `inf`, `-inf` | yes |
//! | `.json` | one object, with `columns`, `data` row by row, and `provenance` | by `columns` | in the object | the shortest digits that determine them, with `"nan"`, `"inf"`, `"-inf"` as strings | no |
//! | `.jsonl` | JSON lines, an object per row, [`Table::from_json_lines`] | by the keys | none | the same | yes |
//! | `.slog` | [`log`]: checksummed rows | in the head | in the head | every bit | yes |
//! | `.ref` | a line `rows cols`, then one row per line, separated by white space | `c0`, `c1`, .. | none | 17 significant digits | no |
//! | `.dat`, `.txt` | one row of numbers per line, without a header, as `numpy.savetxt` and C++ streams write them | `c0`, `c1`, .. | lines with `#` | the same | no |
//! | `.npz` | archive of NumPy, a vector for each column, [`Table::from_npz`] | by the arrays | none | every bit | no |
//! | `.h5` | HDF5, a dataset for each column in the root, with the feature `hdf5` | by the attribute `columns`, else by the datasets | the attribute `provenance` | every bit | no |
//!
//! A run writes its rows as they come, with a [`TableWriter`], into one of the formats that grow by rows;
//! such a file can be cut back to any number of rows, and gone on with. HDF5 and NPZ files cannot: an HDF5
//! file that was cut while it was written cannot be opened, and an NPZ file has its list at its end. They are
//! made of a log when all is over, with [`Table::read`] and [`Table::write`]; files for VTK by
//! [`vtk`](crate::vtk).
//!
//! In Python, `h5py.File("run.h5")["q"][:]` and `numpy.load("run.npz")["q"]` are the column q, and
//! `pandas.DataFrame([json.loads(line) for line in open("run.jsonl")])` is the table. (`pandas.read_json`
//! rounds numbers, and refuses the smallest.)
//!
//! Readers take the spellings of numbers of other programs as well, see [`Table::from_plain`].
//!
//! A further `.gz` behind the name of a text stands for the same text compressed by gzip. Seventeen
//! significant digits determine a double without doubt, so a table that was written and read again is the
//! same bit for bit (the sign and payload of a NaN excepted, in a text: any NaN is written `nan`).
//!
//! Lines that begin with `#` at the top of a CSV file tell where its numbers come from. They are kept in
//! [`Table::provenance`] and written back.

mod csv_format;
mod encoding;
mod error;
mod exclusive;
mod file;
#[cfg(feature = "hdf5")]
mod hdf5_format;
mod json_lines;
mod json_numbers;
mod lines;
pub mod log;
mod log_format;
mod npz_format;
mod plain_format;
mod reference_format;
mod table;
mod target;
mod writer;

pub use error::{TableError, TableErrorKind};
pub use table::Table;
#[cfg(feature = "model")]
pub(crate) use table::check_name;
pub use writer::TableWriter;
