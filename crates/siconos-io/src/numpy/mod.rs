//! NumPy files: arrays (`.npy`) and archives of arrays (`.npz`).
//!
//! The format is defined by NumPy Enhancement Proposal 1. This reader checks the size of a file before it
//! allocates the memory for the declared number of entries.

mod npy;

use std::io;

#[cfg(feature = "model")]
pub(crate) use npy::array_of;
pub(crate) use npy::{ArrayReader, vector_header};

/// Error of reading a NumPy file.
#[derive(Debug)]
pub(crate) enum NumpyError {
    Io(io::Error),
    /// Invalid content, and what is expected.
    Form(String),
}

impl From<io::Error> for NumpyError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                Self::Form(format!("it is damaged or truncated: {error}"))
            }
            _ => Self::Io(error),
        }
    }
}

impl From<String> for NumpyError {
    fn from(message: String) -> Self {
        Self::Form(message)
    }
}

impl From<&str> for NumpyError {
    fn from(message: &str) -> Self {
        Self::Form(message.to_owned())
    }
}

impl From<zip::result::ZipError> for NumpyError {
    fn from(error: zip::result::ZipError) -> Self {
        match error {
            zip::result::ZipError::Io(error) => error.into(),
            error => Self::Form(format!("not an archive of arrays, or damaged or truncated: {error}")),
        }
    }
}
