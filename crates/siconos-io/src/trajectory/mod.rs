//! Trajectories: tables of named columns with one row per sample.
//!
//! A [`Table`] is read and written in three formats, chosen by the end of the file name:
//!
//! | name ends in | format | columns are named | numbers |
//! | --- | --- | --- | --- |
//! | `.csv` | comma-separated values with a header line | by the header | 17 significant digits, `nan`, `inf`, `-inf` |
//! | `.ref` | a line `rows cols`, then one row per line, separated by white space | `c0`, `c1`, .. | the same |
//! | `.dat`, `.txt` | one row of numbers per line, without a header, as `numpy.savetxt` and C++ streams write them | `c0`, `c1`, .. | the same |
//!
//! Readers take the spellings of numbers of other programs as well, see [`Table::from_plain`].
//!
//! A further `.gz` stands for the same text compressed by gzip. Seventeen significant digits determine a
//! double without doubt, so a table that was written and read again is the same bit for bit (the sign and
//! payload of a NaN excepted: any NaN is written `nan`).
//!
//! Lines that begin with `#` at the top of a CSV file tell where its numbers come from. They are kept in
//! [`Table::provenance`] and written back.

mod csv_format;
mod error;
mod file;
mod lines;
mod plain_format;
mod reference_format;
mod table;

pub use error::{TableError, TableErrorKind};
pub use table::Table;
