//! Lines of text with their numbers, for both formats.

use std::io::{BufRead, BufReader, Read};

use super::TableError;

pub(super) struct NumberedLines<R> {
    reader: BufReader<R>,
    /// Number of the line read last, from 1; 0 before the first.
    line: u64,
}

impl<R: Read> NumberedLines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), line: 0 }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The next line without its end, be that `\n` or `\r\n`; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<String>, TableError> {
        let mut text = String::new();
        let read = self.reader.read_line(&mut text);
        if read.map_err(|source| TableError::reading(self.line + 1, source))? == 0 {
            return Ok(None);
        }
        self.line += 1;
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        Ok(Some(text))
    }

    /// The next line that is not blank.
    pub(super) fn next_filled(&mut self) -> Result<Option<String>, TableError> {
        while let Some(text) = self.next()? {
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}
