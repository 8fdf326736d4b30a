//! ZIP archives, as far as NumPy uses them: entries that are stored or deflated, of any size.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use flate2::read::DeflateDecoder;

use super::NumpyError;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const WIDE_END: u32 = 0x0606_4b50;
const WIDE_LOCATOR: u32 = 0x0706_4b50;

/// Sizes of these records without what is of any length \[bytes\].
const LOCAL_SIZE: u64 = 30;
const CENTRAL_SIZE: usize = 46;
const END_SIZE: usize = 22;
const LOCATOR_SIZE: usize = 20;

/// The record at the end may have so long a comment behind it \[bytes\].
const LONGEST_COMMENT: usize = 0xffff;

/// Version 4.5 of the format, which has sizes of 64 bits.
const VERSION: u16 = 45;
/// Names are in UTF-8.
const FLAGS: u16 = 1 << 11;
/// The first of January 1980, the first day that there is: equal tables have equal files.
const DATE: u16 = (1 << 5) | 1;

/// What says that a size stands in the extra field.
const IS_WIDE: u32 = u32::MAX;
const WIDE_FIELD: u16 = 1;

/// A member of an archive.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    method: u16,
    flags: u16,
    checksum: u32,
    /// In the archive, and unpacked \[bytes\].
    packed: u64,
    size: u64,
    offset: u64,
}

/// An archive that is read.
pub(crate) struct Archive<R> {
    reader: R,
    /// Of the whole file \[bytes\].
    pub(crate) length: u64,
    pub(crate) entries: Vec<Entry>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the list of the entries, which is at the end.
    pub(crate) fn new(mut reader: R) -> Result<Self, NumpyError> {
        let length = reader.seek(SeekFrom::End(0))?;
        let tail_length = length.min((END_SIZE + LONGEST_COMMENT + LOCATOR_SIZE) as u64);
        let tail_begin = length - tail_length;
        reader.seek(SeekFrom::Start(tail_begin))?;
        let mut tail = Vec::new();
        reader.by_ref().take(tail_length).read_to_end(&mut tail)?;
        let no_archive = "no archive of arrays: it does not end as one, or is cut";
        // Its last two bytes before the comment are the length of that.
        let is_end = |place: &usize| {
            let (record, comment) = tail[*place..].split_at(END_SIZE);
            record.starts_with(&END.to_le_bytes()) && record.ends_with(&(comment.len() as u16).to_le_bytes())
        };
        let last = tail.len().checked_sub(END_SIZE).ok_or(no_archive)?;
        let place = (last.saturating_sub(LONGEST_COMMENT)..=last).rev().find(is_end).ok_or(no_archive)?;
        let (before, end) = tail.split_at(place);
        let mut record = Record(end);
        record.skip(10);
        let mut count = u64::from(record.short().ok_or(no_archive)?);
        let mut size = u64::from(record.word().ok_or(no_archive)?);
        let mut offset = u64::from(record.word().ok_or(no_archive)?);
        // Large archives have a larger record before it.
        if let Some(mut locator) = before.last_chunk::<LOCATOR_SIZE>().map(|bytes| Record(bytes))
            && locator.word() == Some(WIDE_LOCATOR)
        {
            locator.skip(4);
            let place = locator.long().ok_or(no_archive)?;
            let bytes = bytes_at(&mut reader, place, 56)?;
            let mut record = Record(&bytes);
            if record.word() != Some(WIDE_END) {
                return Err(no_archive.into());
            }
            record.skip(28);
            count = record.long().ok_or(no_archive)?;
            size = record.long().ok_or(no_archive)?;
            offset = record.long().ok_or(no_archive)?;
        }
        let directory = bytes_at(&mut reader, offset, size)?;
        let mut record = Record(&directory);
        let mut entries = Vec::new();
        for number in 0..count {
            let damaged = || format!("the list of its arrays is damaged at the one of number {number}");
            entries.push(Entry::read(&mut record).ok_or_else(damaged)?);
        }
        Ok(Self { reader, length, entries })
    }

    /// The contents of an entry, of at most `limit` bytes.
    pub(crate) fn contents(&mut self, number: usize, limit: u64) -> Result<Vec<u8>, NumpyError> {
        let Some(entry) = self.entries.get(number) else {
            return Err(format!("there is no entry {number}").into());
        };
        if entry.flags & 1 != 0 {
            return Err("it is encrypted".into());
        }
        if entry.size > limit {
            return Err(format!("it has {} bytes, more than the limit of {limit}", entry.size).into());
        }
        let header = bytes_at(&mut self.reader, entry.offset, LOCAL_SIZE)?;
        let mut record = Record(&header);
        if record.word() != Some(LOCAL) {
            return Err("the archive is damaged where it should begin".into());
        }
        record.skip(22);
        let (Some(name), Some(extra)) = (record.short(), record.short()) else {
            return Err("the archive ends within its header".into());
        };
        self.reader.seek_relative(i64::from(name) + i64::from(extra))?;
        let packed = BufReader::new(self.reader.by_ref().take(entry.packed));
        let mut contents = Vec::new();
        // One byte more shows that there is more.
        let most = entry.size.saturating_add(1);
        match entry.method {
            0 => packed.take(most).read_to_end(&mut contents)?,
            8 => DeflateDecoder::new(packed).take(most).read_to_end(&mut contents)?,
            method => return Err(format!("it is packed by method {method}; 0 or 8 expected").into()),
        };
        if contents.len() as u64 != entry.size {
            return Err(format!("it should have {} bytes, and has not", entry.size).into());
        }
        if crc32fast::hash(&contents) != entry.checksum {
            return Err("it does not fit its checksum".into());
        }
        Ok(contents)
    }
}

impl Entry {
    /// Reads a record of the list.
    fn read(record: &mut Record<'_>) -> Option<Self> {
        let mut fixed = Record(record.bytes(CENTRAL_SIZE)?);
        if fixed.word()? != CENTRAL {
            return None;
        }
        fixed.skip(4);
        let (flags, method) = (fixed.short()?, fixed.short()?);
        fixed.skip(4);
        let checksum = fixed.word()?;
        let sizes = [fixed.word()?, fixed.word()?];
        let (name, extra, comment) = (fixed.short()?, fixed.short()?, fixed.short()?);
        fixed.skip(8);
        let offset = fixed.word()?;
        let name = String::from_utf8_lossy(record.bytes(usize::from(name))?).into_owned();
        let mut extra = Record(record.bytes(usize::from(extra))?);
        record.bytes(usize::from(comment))?;
        let mut wide = Record(&[]);
        while let (Some(field), Some(length)) = (extra.short(), extra.short()) {
            let bytes = extra.bytes(usize::from(length))?;
            if field == WIDE_FIELD {
                wide = Record(bytes);
            }
        }
        // In this order, and only those that do not fit above.
        let mut widened = |narrow: u32| if narrow == IS_WIDE { wide.long() } else { Some(u64::from(narrow)) };
        let [packed, size] = sizes;
        let size = widened(size)?;
        let packed = widened(packed)?;
        let offset = widened(offset)?;
        Some(Self { name, method, flags, checksum, packed, size, offset })
    }
}

/// So many bytes at a place, as many as there are: memory is asked for as they come.
fn bytes_at(reader: &mut (impl Read + Seek), place: u64, count: u64) -> Result<Vec<u8>, NumpyError> {
    reader.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(count).read_to_end(&mut bytes)?;
    if read as u64 == count { Ok(bytes) } else { Err("the archive is damaged, or cut".into()) }
}

/// Bytes that are taken apart from the front.
struct Record<'b>(&'b [u8]);

impl<'b> Record<'b> {
    fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn skip(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N).and_then(|bytes| bytes.try_into().ok())
    }

    fn short(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn word(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

/// An archive that is written, entry by entry, each stored as it is.
pub(crate) struct ArchiveWriter<W> {
    writer: W,
    written: u64,
    directory: Vec<u8>,
    entries: u64,
}

impl<W: Write> ArchiveWriter<W> {
    pub(crate) fn new(writer: W) -> Self {
        Self { writer, written: 0, directory: Vec::new(), entries: 0 }
    }

    /// Adds an entry of `size` bytes, which `write` writes: twice, since the checksum stands before them.
    pub(crate) fn add(
        &mut self,
        name: &str,
        size: u64,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut hasher = Hasher(crc32fast::Hasher::new());
        write(&mut hasher)?;
        let checksum = hasher.0.finalize();
        let length = u16::try_from(name.len()).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("a name of {} bytes", name.len()))
        })?;

        let mut shared = Vec::new();
        put(&mut shared, &[VERSION, FLAGS, 0, 0, DATE]);
        shared.extend([checksum, IS_WIDE, IS_WIDE].into_iter().flat_map(u32::to_le_bytes));
        put(&mut shared, &[length]);

        let mut local = LOCAL.to_le_bytes().to_vec();
        local.extend(&shared);
        put(&mut local, &[20]);
        local.extend(name.as_bytes());
        put(&mut local, &[WIDE_FIELD, 16]);
        local.extend([size, size].into_iter().flat_map(u64::to_le_bytes));

        let directory = &mut self.directory;
        directory.extend(CENTRAL.to_le_bytes());
        put(directory, &[VERSION]);
        directory.extend(&shared);
        // The extra field, no comment, the first disk, and no attributes.
        put(directory, &[28, 0, 0, 0, 0, 0]);
        directory.extend(IS_WIDE.to_le_bytes());
        directory.extend(name.as_bytes());
        put(directory, &[WIDE_FIELD, 24]);
        directory.extend([size, size, self.written].into_iter().flat_map(u64::to_le_bytes));

        self.writer.write_all(&local)?;
        write(&mut self.writer)?;
        self.written += local.len() as u64 + size;
        self.entries += 1;
        Ok(())
    }

    /// Writes the list of the entries, and gives the writer back.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        let size = self.directory.len() as u64;
        let mut end = self.directory;
        end.extend(WIDE_END.to_le_bytes());
        end.extend(44_u64.to_le_bytes());
        put(&mut end, &[VERSION, VERSION, 0, 0, 0, 0]);
        end.extend([self.entries, self.entries, size, self.written].into_iter().flat_map(u64::to_le_bytes));
        end.extend(WIDE_LOCATOR.to_le_bytes());
        put(&mut end, &[0, 0]);
        end.extend((self.written + size).to_le_bytes());
        put(&mut end, &[1, 0]);
        end.extend(END.to_le_bytes());
        let count = u16::try_from(self.entries).unwrap_or(u16::MAX);
        put(&mut end, &[0, 0, count, count]);
        let narrow = |number: u64| u32::try_from(number).unwrap_or(IS_WIDE);
        end.extend([narrow(size), narrow(self.written)].into_iter().flat_map(u32::to_le_bytes));
        put(&mut end, &[0]);
        self.writer.write_all(&end)?;
        Ok(self.writer)
    }
}

fn put(bytes: &mut Vec<u8>, numbers: &[u16]) {
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// A writer that keeps a checksum and nothing else.
struct Hasher(crc32fast::Hasher);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
