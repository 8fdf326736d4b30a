//! Files: the format and the compression follow from the end of the name.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind};
use crate::ReadOptions;
use crate::text_file::open;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Dat,
    Json,
    Hdf5,
}

impl Format {
    /// The format, and whether it is compressed.
    fn of(path: &Path) -> Result<(Self, bool), ProblemFileError> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (name, compressed) = name.strip_suffix(".gz").map_or((&*name, false), |name| (name, true));
        match name.rsplit_once('.') {
            Some((_, "dat")) => Ok((Self::Dat, compressed)),
            Some((_, "json")) => Ok((Self::Json, compressed)),
            // It compresses inside.
            Some((_, "hdf5")) if !compressed => Ok((Self::Hdf5, false)),
            _ => Err(Kind::UnknownExtension.into()),
        }
    }
}

impl Problem {
    /// Reads the file at `path`, in the format that the end of its name says (see [`problem`](super)). Without a class,
    /// that of the file is taken, which JSON and HDF5 name and `.dat` mostly shows.
    ///
    /// # Errors
    ///
    /// [`ProblemFileError`] with the path: an unknown extension, a file that cannot be read, a gzip file that expands beyond
    /// the default of [`ReadOptions`], another class than asked for, and whatever [`Problem::from_dat`] and
    /// [`Problem::from_json`] refuse.
    pub fn read(path: impl AsRef<Path>, class: Option<ProblemClass>) -> Result<Self, ProblemFileError> {
        Self::read_with(path, class, ReadOptions::default())
    }

    /// As [`Problem::read`], with options.
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
            match class {
                Some(expected) if expected != problem.class() => {
                    Err(Kind::WrongClass { expected, found: problem.class() }.into())
                }
                _ => Ok(problem),
            }
        };
        read().map_err(|error: ProblemFileError| error.in_file(path))
    }

    /// Writes the file at `path`, in the format that the end of its name says (see [`problem`](super)), and replaces what
    /// was there.
    ///
    /// # Errors
    ///
    /// [`ProblemFileError`] with the path: an unknown extension, a file that cannot be written, a storage or a class that
    /// the format does not have.
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
    // The errors of the HDF5 library do not say whether the file is there at all.
    File::open(path)?;
    Ok(crate::fclib::Fclib::read(path)?.problem)
}

#[cfg(not(feature = "hdf5"))]
fn read_hdf5(_path: &Path) -> Result<Problem, ProblemFileError> {
    Err(Kind::NeedsHdf5.into())
}

#[cfg(feature = "hdf5")]
fn write_hdf5(problem: &Problem, path: &Path) -> Result<(), ProblemFileError> {
    Ok(crate::fclib::Fclib::from(problem.clone()).write(path)?)
}

#[cfg(not(feature = "hdf5"))]
fn write_hdf5(_problem: &Problem, _path: &Path) -> Result<(), ProblemFileError> {
    Err(Kind::NeedsHdf5.into())
}
