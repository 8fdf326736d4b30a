//! Comma-separated values with a header line, and `#` lines of provenance above it.

use std::io::{self, BufWriter, Read, Write};

use csv::{ReaderBuilder, StringRecord, Trim, WriterBuilder};

use super::lines::NumberedLines;
use super::{Table, TableError, TableErrorKind};
use crate::number::{overflows, parse_number};

impl Table {
    /// Reads comma-separated values with a header line.
    ///
    /// Blank lines are skipped, white space around a field is ignored, and lines at the top that start with
    /// `#` are stored in [`Table::provenance`].
    ///
    /// # Errors
    ///
    /// If the header is missing, a column has no name or a repeated name, a line has the wrong number of
    /// fields, a field is not a number, or the reader fails. The [`TableError`] states the line and the
    /// field.
    pub fn from_csv(reader: impl Read) -> Result<Self, TableError> {
        let mut lines = NumberedLines::new(reader);
        let mut table = Self::read_csv_head(&mut lines)?;
        while table.read_csv_row(&mut lines)? {}
        Ok(table)
    }

    /// Reads the provenance and the header into a table without rows.
    pub(super) fn read_csv_head(lines: &mut NumberedLines<impl Read>) -> Result<Self, TableError> {
        let mut provenance = Vec::new();
        let header = loop {
            let Some(text) = lines.next_filled()? else {
                let expected = "a header line with the names of the columns".to_owned();
                return Err(TableError::at(lines.line() + 1, TableErrorKind::Truncated { expected }));
            };
            match text.strip_prefix('#') {
                Some(text) => provenance.push(text.strip_prefix(' ').unwrap_or(text).to_owned()),
                None => break text,
            }
        };
        let columns = parse_header(&header)
            .map_err(|source| TableError::at(lines.line(), TableErrorKind::Io(source.into())))?;
        let mut table = Self::with_columns(columns)
            .map_err(|(index, kind)| TableError::at_field(lines.line(), index + 1, kind))?;
        table.provenance = provenance;
        Ok(table)
    }

    /// Appends the next row; returns `false` at the end of the text.
    pub(super) fn read_csv_row(&mut self, lines: &mut NumberedLines<impl Read>) -> Result<bool, TableError> {
        let Some(text) = lines.next_filled()? else { return Ok(false) };
        // Numbers contain no commas, so lines below the header are split at each comma. This keeps the line
        // number, which a general CSV reader loses at blank lines.
        self.push_fields(lines.line(), text.split(',').map(unquoted), text.split(',').count())?;
        Ok(true)
    }

    /// Writes comma-separated values with a header line, below the lines of [`Table::provenance`].
    ///
    /// # Errors
    ///
    /// If the writer fails ([`TableErrorKind::Io`]).
    pub fn to_csv(&self, writer: impl Write) -> Result<(), TableError> {
        self.write_csv(&mut BufWriter::new(writer)).map_err(|source| TableErrorKind::Io(source).into())
    }

    fn write_csv(&self, writer: &mut dyn Write) -> io::Result<()> {
        self.write_csv_head(writer)?;
        for row in self.rows() {
            write_row(writer, row, ",")?;
        }
        writer.flush()
    }

    /// Writes the lines of provenance and the header.
    pub(super) fn write_csv_head(&self, writer: &mut dyn Write) -> io::Result<()> {
        write_provenance(writer, &self.provenance)?;
        // With `comment`, the writer quotes the name of the first column if it starts with #. Without quotes,
        // the header would be read as provenance.
        let mut header = WriterBuilder::new().comment(Some(b'#')).from_writer(writer);
        header.write_record(self.columns())?;
        header.flush()
    }

    /// Appends the row whose numbers are the fields of one line.
    pub(super) fn push_fields<'a>(
        &mut self,
        line: u64,
        fields: impl Iterator<Item = &'a str>,
        found: usize,
    ) -> Result<(), TableError> {
        let expected = self.columns().len();
        if found != expected {
            return Err(TableError::at(line, TableErrorKind::ColumnCount { expected, found }));
        }
        for (index, token) in fields.enumerate() {
            let wrong = |kind| TableError::at_field(line, index + 1, kind);
            let value = parse_number(token)
                .ok_or_else(|| wrong(TableErrorKind::NotANumber { token: token.to_owned() }))?;
            if overflows(token, value) {
                return Err(wrong(TableErrorKind::TooLarge { token: token.to_owned() }));
            }
            self.push_entry(value);
        }
        Ok(())
    }
}

/// Writes each line of text after a `#`.
pub(super) fn write_provenance(writer: &mut dyn Write, provenance: &[String]) -> io::Result<()> {
    for line in provenance.iter().flat_map(|text| text.split('\n')) {
        let gap = if line.is_empty() { "" } else { " " };
        writeln!(writer, "#{gap}{line}")?;
    }
    Ok(())
}

/// Writes a row and ends the line.
pub(super) fn write_row(writer: &mut dyn Write, row: &[f64], separator: &str) -> io::Result<()> {
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            writer.write_all(separator.as_bytes())?;
        }
        write_number(writer, *value)?;
    }
    writer.write_all(b"\n")
}

/// Writes a number with the fewest digits that are read back as the same double.
pub(super) fn write_number(writer: &mut dyn Write, value: f64) -> io::Result<()> {
    if value.is_nan() { writer.write_all(b"nan") } else { write!(writer, "{value:?}") }
}

/// Returns the names in a header line. A quoted name can contain commas.
fn parse_header(line: &str) -> csv::Result<Vec<String>> {
    let mut reader = ReaderBuilder::new().has_headers(false).trim(Trim::All).from_reader(line.as_bytes());
    let mut record = StringRecord::new();
    reader.read_record(&mut record)?;
    Ok(record.iter().map(str::to_owned).collect())
}

fn unquoted(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}
