//! Trajectories: tables of named columns with one row per sample.
//!
//! A [`Table`] is read and written in these formats. The file extension selects the format:
//!
//! | extension | format | column names | provenance | numbers | append rows |
//! | --- | --- | --- | --- | --- | --- |
//! | `.csv` | comma-separated values with a header line | in the header | lines with `#` above the header | shortest digits that determine the double; `nan`, `inf`, `-inf` | yes |
//! | `.json` | one object, with `columns`, `data` row by row, and `provenance` | in `columns` | in `provenance` | shortest digits; the strings `"nan"`, `"inf"`, `"-inf"` | no |
//! | `.jsonl` | JSON lines, an object per row, [`Table::from_json_lines`] | in the keys | none | as `.json` | yes |
//! | `.slog` | [`log`]: rows with checksums | in the head | in the head | every bit | yes |
//! | `.ref` | a line `rows cols`, then one row per line, separated by white space | `c0`, `c1`, .. | none | as `.csv` | no |
//! | `.dat`, `.txt` | one row of numbers per line, without a header, as `numpy.savetxt` and C++ streams write them | `c0`, `c1`, .. | lines with `#` | as `.csv` | no |
//! | `.npz` | NumPy archive, a vector for each column, [`Table::from_npz`] | names of the arrays | none | every bit | no |
//! | `.h5` | HDF5, a dataset for each column in the root; requires the feature `hdf5` | the attribute `columns`, or the names of the datasets | the attribute `provenance` | every bit | no |
//!
//! A [`TableWriter`] writes the rows of a run as they are computed, in one of the formats to which rows can
//! be appended. An interrupted run truncates such a file to any number of rows and continues it. HDF5 and NPZ
//! files cannot be continued: an HDF5 file that was truncated during writing cannot be opened, and an NPZ
//! file has its directory at the end. To get an HDF5 or NPZ file, write a log during the run and convert it
//! afterwards. Files for VTK are written by [`vtk`](crate::vtk).
//!
//! A [`TableReader`] reads a file row by row and converts it to another format, in memory that does not
//! depend on the number of rows. Only `.json` files are read as a whole. A [`TableSummary`] and an
//! [`Envelope`] describe such rows in memory that does not depend on their number.
//!
//! In Python, `h5py.File("run.h5")["q"][:]` and `numpy.load("run.npz")["q"]` return the column q, and
//! `pandas.DataFrame([json.loads(line) for line in open("run.jsonl")])` returns the table.
//! (`pandas.read_json` rounds numbers and rejects the smallest ones.)
//!
//! Readers accept the number formats of C, C++, NumPy and Fortran, see [`Table::from_plain`].
//!
//! If the extension is followed by `.gz`, the text is compressed by gzip. Numbers in text have enough digits
//! to determine the double, so a table that is written and read again is identical bit for bit. The only
//! exceptions are the sign and the payload of a NaN, because every NaN is written as `nan`.
//!
//! Lines that start with `#` at the top of a CSV file state the origin of the numbers. They are kept in
//! [`Table::provenance`] and written back.

mod by_column;
mod csv_format;
mod encoding;
mod envelope;
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
mod npz_columns;
mod npz_format;
mod plain_format;
mod reader;
mod reference_format;
mod rows_of_columns;
mod summary;
mod table;
mod target;
mod units;
mod writer;

pub(crate) use by_column::{ByColumn, ColumnStore, write_numbers};
pub use envelope::Envelope;
pub use error::{TableError, TableErrorKind};
pub use reader::TableReader;
pub use summary::{ColumnSummary, TableSummary};
pub use table::Table;
#[cfg(feature = "model")]
pub(crate) use table::check_name;
pub use writer::TableWriter;
