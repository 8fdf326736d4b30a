//! Text files, compressed or not.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// How files are read.
///
/// ```
/// use siconos_io::ReadOptions;
///
/// let options = ReadOptions { largest_expansion: 1 << 20 };
/// assert!(ReadOptions::default().largest_expansion > options.largest_expansion);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The largest number of bytes that the text in a gzip file may have: a file of a megabyte may hold a
    /// gigabyte of blanks, and a reader should not find out by running out of memory. Arrays in an archive of
    /// NumPy may have so many bytes more than the archive. Default 1 GiB (2^30).
    pub largest_expansion: u64,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { largest_expansion: 1 << 30 }
    }
}

/// The text in a gzip file is longer than it may be.
#[derive(Debug, thiserror::Error)]
#[error("the text in the gzip file has more than {limit} bytes")]
pub(crate) struct ExpandsTooFar {
    limit: u64,
}

/// The limit that a failed read has met, if it was that.
pub(crate) fn met_limit(error: &io::Error) -> Option<u64> {
    error.get_ref()?.downcast_ref::<ExpandsTooFar>().map(|error| error.limit)
}

/// Opens a file to read its text.
pub(crate) fn open(path: &Path, is_compressed: bool, options: ReadOptions) -> io::Result<Box<dyn Read>> {
    let file = File::open(path)?;
    Ok(if is_compressed { Box::new(expanded(file, options)) } else { Box::new(file) })
}

/// The text in a gzip stream.
pub(crate) fn expanded<'r>(stream: impl Read + 'r, options: ReadOptions) -> impl Read + 'r {
    let limit = options.largest_expansion;
    Limited { inner: MultiGzDecoder::new(stream), left: limit, limit }
}

/// A reader that fails where more than `limit` bytes would come.
struct Limited<R> {
    inner: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !buffer.is_empty() {
            // A text that ends here is just as long as it may be.
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

    use super::{Limited, met_limit};

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
