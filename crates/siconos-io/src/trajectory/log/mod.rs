//! Logs: trajectory files that grow row by row and keep all written rows after an interruption.
//!
//! A log is a head followed by rows of equal length, each with its own checksum:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | mark `89 53 4C 4F 47 0D 0A 1A`, which does not occur in text files, and which a transfer as text changes |
//! | 4 | format version, 1 |
//! | 4 | length n of the next field \[bytes\] |
//! | n | JSON, `{"columns":["t","q"],"provenance":["made by hand"]}` |
//! | 4 | CRC-32 of all of the above |
//! | 8 c + 4 | row 0: its c numbers, and the CRC-32 of the head, the row index (8 bytes) and the numbers |
//! | 8 c + 4 | row 1, and so on to the end of the file |
//!
//! Integers are unsigned, and all values are little-endian on every machine. Numbers are stored bit for bit,
//! including the payload of a NaN. The CRC-32 is the one used by gzip.
//!
//! Consequences of this format:
//!
//! - The bytes of a file depend only on its rows, not on the time of writing. An interrupted and resumed run
//!   produces the same file as an uninterrupted run.
//! - Written bytes never change. If a run is killed at any moment, all rows in the file are complete, except
//!   possibly the last.
//! - A log is reduced to its first n rows by truncating the file at a byte computed from n.
//! - A checksum covers the index of a row as well as its numbers. Therefore rows that are missing in the
//!   middle, exchanged or copied from another log are detected.
//! - The file does not store the length of the table, so no stored length can be wrong. A reader allocates
//!   memory for only one row. The size of a row is limited, because the file must contain the names of all
//!   columns.
//!
//! A file that was truncated exactly between two rows is a log with fewer rows. The program that resumes a
//! run must know the number of rows, see [`TableWriter::resume`](super::TableWriter::resume).

mod head;
mod reader;
mod row;

pub use reader::LogReader;

pub(super) use head::write_head;
pub(super) use row::write_row;
