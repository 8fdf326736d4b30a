//! The log: a trajectory as a file that grows by rows and loses none that it has.
//!
//! A log is a head and, behind it, rows of equal length, each with a checksum of its own:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | the mark `89 53 4C 4F 47 0D 0A 1A`, which no text has and no transfer as text survives |
//! | 4 | the number of the format, 1 |
//! | 4 | the length n of the next part \[bytes\] |
//! | n | JSON, `{"columns":["t","q"],"provenance":["made by hand"]}` |
//! | 4 | CRC-32 of all of the above |
//! | 8 c + 4 | row 0: its c numbers, and the CRC-32 of head, number of the row (8 bytes) and numbers |
//! | 8 c + 4 | row 1, and so on to the end of the file |
//!
//! Whole numbers are unsigned, and all is in little-endian order, so that a file means the same everywhere.
//! Numbers keep every bit, the payload of a NaN included. The CRC-32 is that of gzip.
//!
//! What follows from this form:
//!
//! - The bytes of a file depend on its rows alone, and not on when they were written out. A run that was
//!   interrupted and went on has the same file as one that was not.
//! - Nothing that has been written is changed ever, so that whenever a run is killed, all rows that have
//!   reached the file are whole, but perhaps the last.
//! - To cut a log back to n rows is to cut the file at a byte that n tells.
//! - A checksum vouches for the place of a row as well as for its numbers: rows that are lost in the middle,
//!   exchanged, or of another log are seen.
//! - No length of the table is written anywhere, so that none can be wrong. Memory for a row is the one thing
//!   that a file can ask for, and a file has to be as large as the names of the columns are to ask for it.
//!
//! A file that was cut exactly between two rows is a log with fewer rows. How many there should be is known
//! to whoever goes on with a run, see [`TableWriter::resume`](super::TableWriter::resume).

mod head;
mod reader;
mod row;

pub use reader::LogReader;

pub(super) use head::write_head;
pub(super) use row::write_row;
