//! Columns of a NumPy archive, each with its own reader of the same file.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use crc32fast::Hasher;
use flate2::bufread::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::rows_of_columns::{ReadColumns, RowsOfColumns};
use super::{Table, TableError, TableErrorKind};
use crate::ReadOptions;
use crate::numpy::{ArrayReader, NumpyError};

/// Ending of the names of the entries.
pub(super) const ENDING: &str = ".npy";

/// Maximum size of the buffers of all columns \[bytes\].
const BUFFERS: usize = 1 << 22;
/// Largest and smallest size of the buffer of one column \[bytes\].
const BUFFER: (usize, usize) = (1 << 10, 1 << 16);

/// Columns of an archive.
struct NpzColumns<'f> {
    columns: Vec<NpzColumn<'f>>,
}

struct NpzColumn<'f> {
    name: String,
    array: ArrayReader<Checked<Box<dyn Read + 'f>>>,
}

/// Opens an archive. Returns its columns as a table without rows, and a reader of its rows.
pub(super) fn open<'f>(
    mut file: impl Read + Seek + 'f,
    options: ReadOptions,
) -> Result<(Table, RowsOfColumns<'f>), TableError> {
    let whole = |error: NumpyError| of_numpy("", error);
    let length = file.seek(SeekFrom::End(0)).map_err(|error| whole(error.into()))?;
    let mut archive = ZipArchive::new(file).map_err(|error| whole(error.into()))?;
    let name_of = |name: &str| name.strip_suffix(ENDING).unwrap_or(name).to_owned();
    if archive.has_duplicate_names() {
        return Err(whole("two of its arrays have the same name".into()));
    }
    let names = archive.file_names().map(|name| name.map(|name| name_of(&name)));
    let names: Vec<_> = names.collect::<Result<_, _>>().map_err(|error| whole(error.into()))?;
    let head = Table::with_columns(names).map_err(|(_, kind)| kind)?;
    // The bytes of an uncompressed entry are limited by the length of the file. However, several entries
    // can refer to the same bytes, so the total is limited as well.
    let mut left = length.saturating_add(options.largest_expansion);
    let mut entries = Vec::with_capacity(head.columns().len());
    for (number, name) in head.columns().iter().enumerate() {
        let entry = Entry::of(&mut archive, number).map_err(|error| of_numpy(name, error))?;
        if entry.size > left {
            let message = format!("it has {} bytes; the limit is {left}", entry.size);
            return Err(of_numpy(name, message.into()));
        }
        left -= entry.size;
        entries.push(entry);
    }
    let file = Rc::new(RefCell::new(archive.into_inner()));
    let mut columns: Vec<NpzColumn<'f>> = Vec::with_capacity(entries.len());
    let buffer = (BUFFERS / entries.len()).clamp(BUFFER.0, BUFFER.1);
    for (name, entry) in head.columns().iter().zip(entries) {
        let wrong = |error| of_numpy(name, error);
        let size = entry.size;
        let array = ArrayReader::new(entry.open(&file, buffer), size).map_err(wrong)?;
        if array.shape().len() != 1 {
            return Err(wrong(format!("expected a vector, found shape {:?}", array.shape()).into()));
        }
        let (found, first) = (array.left(), columns.first().map(|first| first.array.left()));
        if let Some(first) = first.filter(|first| *first != found) {
            let message = format!("it has {found} numbers, but the first array has {first}");
            return Err(wrong(message.into()));
        }
        columns.push(NpzColumn { name: name.clone(), array });
    }
    let rows = columns.first().map_or(0, |column| column.array.left());
    let rows = RowsOfColumns::new(NpzColumns { columns }, &head, rows);
    Ok((head, rows))
}

/// Returns the error of an entry, or of the archive if `entry` is empty.
fn of_numpy(entry: &str, error: NumpyError) -> TableError {
    match error {
        NumpyError::Io(source) => TableErrorKind::Io(source),
        NumpyError::Form(what) => TableErrorKind::Npz { entry: entry.to_owned(), what },
    }
    .into()
}

impl ReadColumns for NpzColumns<'_> {
    fn read(&mut self, column: usize, count: usize, numbers: &mut Vec<f64>) -> Result<(), TableError> {
        let NpzColumn { name, array } = &mut self.columns[column];
        array.read(count, numbers).map_err(|error| of_numpy(name, error))
    }

    fn finish(&mut self) -> Result<(), TableError> {
        for NpzColumn { name, array } in &mut self.columns {
            array.reader().finish().map_err(|error| of_numpy(name, error.into()))?;
        }
        Ok(())
    }
}

/// Entry of an archive.
struct Entry {
    is_deflated: bool,
    /// First byte of the entry in the file.
    start: u64,
    /// Size in the file \[bytes\].
    stored: u64,
    /// Size after decompression \[bytes\].
    size: u64,
    checksum: u32,
}

impl Entry {
    fn of(archive: &mut ZipArchive<impl Read + Seek>, number: usize) -> Result<Self, NumpyError> {
        let entry = archive.by_index(number)?;
        Ok(Self {
            is_deflated: entry.compression() == CompressionMethod::Deflated,
            start: entry.data_start().ok_or("its place in the archive is unknown")?,
            stored: entry.compressed_size(),
            size: entry.size(),
            checksum: entry.crc32(),
        })
    }

    /// Returns a reader of the content, with a buffer of this size \[bytes\].
    fn open<'f>(
        self,
        file: &Rc<RefCell<impl Read + Seek + 'f>>,
        buffer: usize,
    ) -> Checked<Box<dyn Read + 'f>> {
        let section = Section { file: Rc::clone(file), next: self.start, left: self.stored };
        let section = BufReader::with_capacity(buffer, section);
        // One more byte than declared, which `Checked::finish` finds.
        let most = self.size.saturating_add(1);
        let inner: Box<dyn Read> = match self.is_deflated {
            true => Box::new(DeflateDecoder::new(section).take(most)),
            false => Box::new(section.take(most)),
        };
        Checked { inner, hasher: Hasher::new(), checksum: self.checksum }
    }
}

/// Section of a file that other readers read as well.
struct Section<F> {
    file: Rc<RefCell<F>>,
    /// Index of the next byte in the file.
    next: u64,
    /// Number of bytes that have not been read.
    left: u64,
}

impl<F: Read + Seek> Read for Section<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(self.next))?;
        let read = file.by_ref().take(self.left).read(buffer)?;
        self.next += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

/// Reader that compares the checksum of all bytes with the expected one.
struct Checked<R> {
    inner: R,
    hasher: Hasher,
    checksum: u32,
}

impl<R: Read> Checked<R> {
    /// Checks that there are no more bytes, and the checksum of all bytes.
    fn finish(&mut self) -> io::Result<()> {
        let invalid = |message| Err(io::Error::new(io::ErrorKind::InvalidData, message));
        if self.inner.read(&mut [0])? > 0 {
            return invalid("it is longer than its declared size");
        }
        match self.hasher.clone().finalize() == self.checksum {
            true => Ok(()),
            false => invalid("invalid checksum"),
        }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::open;
    use crate::ReadOptions;
    use crate::numpy::vector_header;
    use crate::trajectory::{Table, TableError};

    /// Returns an archive with a stored column and a deflated one, as other programs can write it.
    fn archive(stored: &[f64], deflated: &[f64]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, column, method) in
            [("t.npy", stored, CompressionMethod::Stored), ("q", deflated, CompressionMethod::Deflated)]
        {
            let options = SimpleFileOptions::DEFAULT.compression_method(method);
            archive.start_file(name, options).expect("a name");
            archive.write_all(&vector_header(column.len())).expect("there is memory");
            for number in column {
                archive.write_all(&number.to_le_bytes()).expect("there is memory");
            }
        }
        archive.finish().expect("there is memory").into_inner()
    }

    fn read(archive: &[u8], options: ReadOptions) -> Result<Table, TableError> {
        open(Cursor::new(archive), options)?.1.table()
    }

    #[test]
    fn stored_and_compressed_columns_are_read_together() {
        let stored: Vec<f64> = (0..100_000).map(f64::from).collect();
        let deflated: Vec<f64> = (0..100_000).map(|k| f64::from(k % 7)).collect();
        let mut bytes = archive(&stored, &deflated);
        let table = read(&bytes, ReadOptions::default()).expect("an archive");
        assert_eq!(table.columns(), ["t", "q"]);
        let mut pairs = stored.iter().zip(&deflated);
        assert!(table.rows().all(|row| pairs.next().is_some_and(|(t, q)| row == [*t, *q])));

        let error = read(&bytes, ReadOptions { largest_expansion: 0 }).expect_err("too much data");
        assert!(error.to_string().contains("the limit is"), "{error}");
        let error = read(&archive(&stored, &deflated[1..]), ReadOptions::default()).expect_err("lengths");
        assert!(error.to_string().contains("99999 numbers, but the first array has 100000"), "{error}");
        // A declared size that is smaller than the content, and a header that is longer than the file.
        let central = bytes.windows(4).position(|mark| mark == b"PK\x01\x02").expect("a directory");
        let mut shorter = bytes.clone();
        let size = u32::from_le_bytes(*shorter[central + 24..].first_chunk().expect("a size"));
        assert!(size != u32::MAX, "the archive has no ZIP64 fields");
        shorter[central + 24..central + 28].copy_from_slice(&(size - 8).to_le_bytes());
        let error = read(&shorter, ReadOptions::default()).expect_err("too long");
        assert!(error.to_string().contains("its shape is"), "{error}");
        // A damaged number is found by its checksum.
        bytes[50_000] ^= 1;
        let error = read(&bytes, ReadOptions::default()).expect_err("damaged");
        assert!(error.to_string().contains("`t`: it is damaged or truncated: invalid checksum"), "{error}");
    }
}
