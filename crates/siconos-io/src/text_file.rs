//! Text files, optionally compressed by gzip.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// Options for reading files.
///
/// ```
/// use siconos_io::ReadOptions;
///
/// let options = ReadOptions { largest_expansion: 1 << 20 };
/// assert!(ReadOptions::default().largest_expansion > options.largest_expansion);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Maximum size of a gzip file after decompression \[bytes\]. A file of one megabyte can expand to a
    /// gigabyte of spaces; the limit keeps a reader from running out of memory. The arrays in a NumPy archive
    /// can be larger than the archive by at most this number of bytes. Default: 1 GiB (2^30).
    pub largest_expansion: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { largest_expansion: 1 << 30 }
    }
}

/// Error for a gzip file whose decompressed text is longer than the limit.
#[derive(Debug, thiserror::Error)]
#[error("the gzip file expands to more than {limit} bytes of text")]
pub(crate) struct ExpandsTooFar {
    limit: u64,
}

/// Returns the limit if `error` reports that the limit of the decompressed size was exceeded.
pub(crate) fn met_limit(error: &io::Error) -> Option<u64> {
    error.get_ref()?.downcast_ref::<ExpandsTooFar>().map(|error| error.limit)
}

/// Opens a text file and skips a byte order mark at its start.
pub(crate) fn open(path: &Path, is_compressed: bool, options: ReadOptions) -> io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    Ok(if is_compressed { Box::new(unmarked(expanded(file, options))?) } else { Box::new(unmarked(file)?) })
}

/// The byte order mark of UTF-8.
pub(crate) const MARK: &str = "\u{feff}";

/// Skips a byte order mark at the start of a stream.
pub(crate) fn unmarked<'r, R: Read + 'r>(mut reader: R) -> io::Result<impl Read + use<'r, R>> {
    let mut start = Vec::with_capacity(MARK.len());
    reader.by_ref().take(MARK.len() as u64).read_to_end(&mut start)?;
    if start == MARK.as_bytes() {
        start.clear();
    }
    Ok(Cursor::new(start).chain(reader))
}

/// Removes a byte order mark from the start of `text`.
#[cfg(any(test, feature = "model"))]
pub(crate) fn unmarked_text(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Returns a reader of the decompressed text of a gzip stream.
pub(crate) fn expanded<'r>(stream: impl Read + 'r, options: ReadOptions) -> impl Read + 'r {
    let limit = options.largest_expansion;
    Limited { inner: MultiGzDecoder::new(stream), left: limit, limit }
}

/// Reader that returns an error if `inner` has more than `limit` bytes.
struct Limited<R> {
    inner: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !buffer.is_empty() {
            // A text of exactly `limit` bytes is accepted.
            return match self.inner.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(io::Error::other(ExpandsTooFar { limit: self.limit })),
            };
        }
        let most = usize::try_from(self.left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let read = self.inner.read(&mut buffer[..most])?;
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Limited, met_limit, unmarked, unmarked_text};

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        for text in ["", "a", "ab", "abc", "abcd", "\u{feff}", "\u{feff}a", "\u{feff}abc", "a\u{feff}"] {
            let mut read = String::new();
            unmarked(text.as_bytes()).expect("a text").read_to_string(&mut read).expect("a text");
            assert_eq!(read, text.trim_start_matches('\u{feff}'));
            assert_eq!(unmarked_text(text), read);
        }
    }

    #[test]
    fn a_text_may_be_as_long_as_the_limit_and_no_longer() {
        let read = |limit| {
            let mut text = Vec::new();
            let mut reader = Limited { inner: &b"0123456789"[..], left: limit, limit };
            reader.read_to_end(&mut text).map(|_| text)
        };
        assert_eq!(read(10).expect("just as long"), b"0123456789");
        assert_eq!(read(u64::MAX).expect("any length").len(), 10);
        assert_eq!(met_limit(&read(9).expect_err("too long")), Some(9));
        assert_eq!(met_limit(&read(0).expect_err("too long")), Some(0));
    }
}
