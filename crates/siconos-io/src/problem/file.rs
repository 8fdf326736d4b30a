//! Files: the format and the compression follow from the end of the name.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::{Problem, ProblemClass, ProblemFileError, ProblemFileErrorKind as Kind};

#[derive(Clone, Copy)]
enum Format {
    Dat,
    Json,
}

impl Format {
    /// The format, and whether it is compressed.
    fn of(path: &Path) -> Result<(Self, bool), ProblemFileError> {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let (name, compressed) = name.strip_suffix(".gz").map_or((&*name, false), |name| (name, true));
        match name.rsplit_once('.') {
            Some((_, "dat")) => Ok((Self::Dat, compressed)),
            Some((_, "json")) => Ok((Self::Json, compressed)),
            _ => Err(Kind::UnknownExtension.into()),
        }
    }

    fn read(self, reader: impl Read, class: Option<ProblemClass>) -> Result<Problem, ProblemFileError> {
        match self {
            Self::Dat => Problem::from_dat(reader, class),
            Self::Json => {
                let problem = Problem::from_json(reader)?;
                match class {
                    Some(expected) if expected != problem.class() => {
                        Err(Kind::WrongClass { expected, found: problem.class() }.into())
                    }
                    _ => Ok(problem),
                }
            }
        }
    }

    fn write(self, problem: &Problem, writer: impl Write) -> Result<(), ProblemFileError> {
        match self {
            Self::Dat => problem.to_dat(writer),
            Self::Json => problem.to_json(writer),
        }
    }
}

impl Problem {
    /// Reads the file at `path`, in the format that the end of its name says (see [`problem`](super)). Without a class,
    /// that of the file is taken, which JSON names and `.dat` mostly shows.
    ///
    /// # Errors
    ///
    /// [`ProblemFileError`] with the path: an unknown extension, a file that cannot be read, another class than asked for,
    /// and whatever [`Problem::from_dat`] and [`Problem::from_json`] refuse.
    pub fn read(path: impl AsRef<Path>, class: Option<ProblemClass>) -> Result<Self, ProblemFileError> {
        let path = path.as_ref();
        let read = || {
            let (format, compressed) = Format::of(path)?;
            let file = File::open(path)?;
            if compressed { format.read(MultiGzDecoder::new(file), class) } else { format.read(file, class) }
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Writes the file at `path`, in the format that the end of its name says (see [`problem`](super)), and replaces what
    /// was there.
    ///
    /// # Errors
    ///
    /// [`ProblemFileError`] with the path: an unknown extension, a file that cannot be written, a storage that the format
    /// does not have.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ProblemFileError> {
        let path = path.as_ref();
        let write = || {
            let (format, compressed) = Format::of(path)?;
            let mut file = BufWriter::new(File::create(path)?);
            if compressed {
                let mut encoder = GzEncoder::new(file, Compression::default());
                format.write(self, &mut encoder)?;
                file = encoder.finish()?;
            } else {
                format.write(self, &mut file)?;
            }
            Ok(file.flush()?)
        };
        write().map_err(|error: ProblemFileError| error.in_file(path))
    }
}
