//! Problem files. The extension selects the format and the compression.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind};
use crate::ReadOptions;
use crate::text_file::{MARK, expanded, open};

/// First bytes of every gzip stream.
const GZIP: [u8; 2] = [0x1f, 0x8b];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Dat,
    Json,
    Hdf5,
}

impl Format {
    /// Returns the format of a file, and `true` if it is compressed by gzip.
    fn of(path: &Path) -> Result<(Self, bool), ProblemFileError> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (name, compressed) = name.strip_suffix(".gz").map_or((&*name, false), |name| (name, true));
        match name.rsplit_once('.') {
            Some((_, "dat")) => Ok((Self::Dat, compressed)),
            Some((_, "json")) => Ok((Self::Json, compressed)),
            // HDF5 files are compressed internally, not by gzip.
            Some((_, "hdf5")) if !compressed => Ok((Self::Hdf5, false)),
            _ => Err(Kind::UnknownExtension.into()),
        }
    }
}

impl Problem {
    /// Reads the file at `path`, in the format given by its extension (see [`problem`](super)). If `class` is
    /// `None`, the class of the file is used: JSON and HDF5 files state it, and it can be inferred from most
    /// `.dat` files.
    ///
    /// # Errors
    ///
    /// If the extension is unknown, the file cannot be read, a gzip file is longer than the default limit of
    /// [`ReadOptions`] after decompression, the class of the file differs from the requested class, or
    /// [`Problem::from_dat`] or [`Problem::from_json`] returns an error. The [`ProblemFileError`] states the
    /// path.
    pub fn read(path: impl AsRef<Path>, class: Option<ProblemClass>) -> Result<Self, ProblemFileError> {
        Self::read_with(path, class, ReadOptions::default())
    }

    /// Reads the file at `path` with options, see [`Problem::read`].
    ///
    /// # Errors
    ///
    /// As [`Problem::read`].
    pub fn read_with(
        path: impl AsRef<Path>,
        class: Option<ProblemClass>,
        options: ReadOptions,
    ) -> Result<Self, ProblemFileError> {
        let path = path.as_ref();
        let read = || {
            let (format, compressed) = Format::of(path)?;
            let problem = match format {
                Format::Hdf5 => read_hdf5(path)?,
                Format::Dat => Self::from_dat(open(path, compressed, options)?, class)?,
                Format::Json => Self::from_json(open(path, compressed, options)?)?,
            };
            problem.expect_class(class)
        };
        read().map_err(|error: ProblemFileError| error.in_file(path))
    }

    /// Reads a problem from a stream and detects the format from the first bytes. A gzip stream is
    /// decompressed. The format is JSON if the text starts with `{`, and `.dat` otherwise.
    ///
    /// # Errors
    ///
    /// As [`Problem::read`]. The error has no path.
    pub fn read_stream(
        mut stream: impl Read,
        class: Option<ProblemClass>,
        options: ReadOptions,
    ) -> Result<Self, ProblemFileError> {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(ProblemFileError::reading)?;
        if bytes.starts_with(&GZIP) {
            let compressed = std::mem::take(&mut bytes);
            expanded(compressed.as_slice(), options)
                .read_to_end(&mut bytes)
                .map_err(ProblemFileError::reading)?;
        }
        let text = bytes.strip_prefix(MARK.as_bytes()).unwrap_or(&bytes);
        let is_json = text.trim_ascii_start().starts_with(b"{");
        let problem = if is_json { Self::from_json(text)? } else { Self::from_dat(text, class)? };
        problem.expect_class(class)
    }

    /// Returns the problem if its class is `class`, or if `class` is `None`.
    fn expect_class(self, class: Option<ProblemClass>) -> Result<Self, ProblemFileError> {
        match class {
            Some(expected) if expected != self.class() => {
                Err(Kind::WrongClass { expected, found: self.class() }.into())
            }
            _ => Ok(self),
        }
    }

    /// Writes the file at `path`, in the format given by its extension (see [`problem`](super)), and replaces
    /// an existing file.
    ///
    /// # Errors
    ///
    /// If the extension is unknown, the file cannot be written, or the format does not support the class or
    /// the storage of a matrix. The [`ProblemFileError`] states the path.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ProblemFileError> {
        let path = path.as_ref();
        let write = || {
            let (format, compressed) = Format::of(path)?;
            if format == Format::Hdf5 {
                return write_hdf5(self, path);
            }
            let to = |writer: &mut dyn Write| match format {
                Format::Json => self.to_json(writer),
                _ => self.to_dat(writer),
            };
            let mut file = BufWriter::new(File::create(path)?);
            if compressed {
                let mut encoder = GzEncoder::new(file, Compression::default());
                to(&mut encoder)?;
                file = encoder.finish()?;
            } else {
                to(&mut file)?;
            }
            Ok(file.flush()?)
        };
        write().map_err(|error: ProblemFileError| error.in_file(path))
    }
}

#[cfg(feature = "hdf5")]
fn read_hdf5(path: &Path) -> Result<Problem, ProblemFileError> {
    // The file is first opened without the HDF5 library, whose errors do not state whether the file exists.
    File::open(path)?;
    Ok(crate::fclib::FclibFile::read(path)?.problem)
}

#[cfg(not(feature = "hdf5"))]
fn read_hdf5(_path: &Path) -> Result<Problem, ProblemFileError> {
    Err(Kind::NeedsHdf5.into())
}

#[cfg(feature = "hdf5")]
fn write_hdf5(problem: &Problem, path: &Path) -> Result<(), ProblemFileError> {
    Ok(crate::fclib::FclibFile::from(problem.clone()).write(path)?)
}

#[cfg(not(feature = "hdf5"))]
fn write_hdf5(_problem: &Problem, _path: &Path) -> Result<(), ProblemFileError> {
    Err(Kind::NeedsHdf5.into())
}
