//! Numbered lines of text, used by all text formats.

use std::io::{self, BufRead, BufReader, Read};

use super::{TableError, TableErrorKind};

/// Maximum length of a line with its line end \[bytes\]. It limits the memory for a file that is not text or
/// has no line breaks.
const LONGEST: usize = 1 << 25;

pub(super) struct NumberedLines<R> {
    reader: BufReader<R>,
    /// Number of the line that was read last, counted from 1; 0 before the first line.
    line: u64,
    /// End of the line that was read last \[bytes from the start of the text\].
    byte: u64,
    is_whole: bool,
}

impl<R: Read> NumberedLines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), line: 0, byte: 0, is_whole: true }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns the end of the line that was read last \[bytes from the start of the text\].
    pub(super) fn byte(&self) -> u64 {
        self.byte
    }

    /// Returns `true` if the line read last ends with a line break.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the next line without its line end, `\n` or `\r\n`; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<String>, TableError> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes);
        let wrong = |source| TableError::reading(self.line + 1, source);
        match read.map_err(wrong)? {
            0 => return Ok(None),
            length if length > LONGEST => {
                return Err(TableError::at(self.line + 1, TableErrorKind::LongLine { limit: LONGEST }));
            }
            _ => (),
        }
        self.is_whole = bytes.ends_with(b"\n");
        let invalid = |_| io::Error::new(io::ErrorKind::InvalidData, "the line is not UTF-8 text");
        let mut text = String::from_utf8(bytes).map_err(invalid).map_err(wrong)?;
        self.line += 1;
        self.byte += text.len() as u64;
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        Ok(Some(text))
    }

    /// Returns the next line that is not blank.
    pub(super) fn next_filled(&mut self) -> Result<Option<String>, TableError> {
        while let Some(text) = self.next()? {
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}
