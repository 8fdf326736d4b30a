//! Numbered lines of text, used by all text formats.

use std::io::{BufRead, BufReader, Read};

use super::TableError;

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
        let mut text = String::new();
        let read = self.reader.read_line(&mut text);
        let read = read.map_err(|source| TableError::reading(self.line + 1, source))?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.byte += read as u64;
        self.is_whole = text.ends_with('\n');
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
