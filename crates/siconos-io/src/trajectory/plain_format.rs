//! Plain numbers, as `numpy.savetxt` and C++ streams write them: one row per line, usually without a header.

use std::io::{self, BufWriter, Read, Write};

use super::csv_format::{write_provenance, write_row};
use super::lines::NumberedLines;
use super::{Table, TableError, TableErrorKind};
use crate::number::parse_number;

/// Comment characters: `#` in NumPy and gnuplot, `%` in Matlab and Octave.
const COMMENT: [char; 2] = ['#', '%'];

impl Table {
    /// Reads rows of numbers, one per line, separated by white space, commas or semicolons.
    ///
    /// Blank lines and text after `#` or `%` are ignored. Comment lines above the numbers are stored in
    /// [`Table::provenance`]. If the first line contains no number, it has the names of the columns;
    /// otherwise they are named `c0`, `c1`, .. Numbers can be written as in C, C++, NumPy, Rust and Fortran:
    /// `1.5e-3`, `1.5D-03`, `nan`, `-nan(ind)`, `1.#QNAN`, `inf`, `1.#INF`.
    ///
    /// ```
    /// use siconos_io::trajectory::Table;
    ///
    /// let table = Table::from_plain("# a falling ball\n0 1.0\n0.5 -nan(ind)\n".as_bytes())?;
    /// assert_eq!((table.len(), table.columns()), (2, &["c0".to_owned(), "c1".to_owned()][..]));
    /// assert_eq!(table.provenance, ["a falling ball"]);
    /// # Ok::<(), siconos_io::trajectory::TableError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file has no rows, the number of fields on a line differs from the first line, a field is not a
    /// number or is too large for a double, or the reader fails. The [`TableError`] states the line and the
    /// field.
    pub fn from_plain(reader: impl Read) -> Result<Self, TableError> {
        let mut lines = NumberedLines::new(reader);
        let mut table = Self::read_plain_head(&mut lines)?;
        while table.read_plain_row(&mut lines)? {}
        Ok(table)
    }

    /// Reads the provenance and the first line that is not a comment. The table has a row if this line
    /// contains numbers, and no row if it contains the names of the columns.
    pub(super) fn read_plain_head(lines: &mut NumberedLines<impl Read>) -> Result<Self, TableError> {
        let mut provenance = Vec::new();
        while let Some(line) = lines.next_filled()? {
            let line = trimmed(&line);
            if let Some(text) = line.strip_prefix(COMMENT) {
                provenance.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
                continue;
            }
            let fields = fields(without_comment(line));
            if fields.is_empty() {
                continue;
            }
            let is_header = fields.iter().all(|field| parse_number(field).is_none());
            let names: Vec<String> = if is_header {
                fields.iter().map(|field| field.trim_matches('"').to_owned()).collect()
            } else {
                (0..fields.len()).map(|index| format!("c{index}")).collect()
            };
            let mut table = Self::with_columns(names)
                .map_err(|(index, kind)| TableError::at_field(lines.line(), index + 1, kind))?;
            table.provenance = provenance;
            if !is_header {
                table.push_fields(lines.line(), fields.iter().copied(), fields.len())?;
            }
            return Ok(table);
        }
        let expected = "a row of numbers".to_owned();
        Err(TableError::at(lines.line() + 1, TableErrorKind::Truncated { expected }))
    }

    /// Appends the next row; returns `false` at the end of the text.
    pub(super) fn read_plain_row(
        &mut self,
        lines: &mut NumberedLines<impl Read>,
    ) -> Result<bool, TableError> {
        while let Some(line) = lines.next_filled()? {
            let fields = fields(without_comment(trimmed(&line)));
            if !fields.is_empty() {
                self.push_fields(lines.line(), fields.iter().copied(), fields.len())?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes rows of numbers separated by spaces, below the lines of [`Table::provenance`]. The names of the
    /// columns are not written.
    ///
    /// # Errors
    ///
    /// If the writer fails ([`TableErrorKind::Io`]).
    pub fn to_plain(&self, writer: impl Write) -> Result<(), TableError> {
        self.write_plain(&mut BufWriter::new(writer)).map_err(|source| TableErrorKind::Io(source).into())
    }

    fn write_plain(&self, writer: &mut dyn Write) -> io::Result<()> {
        write_provenance(writer, &self.provenance)?;
        for row in self.rows() {
            write_row(writer, row, " ")?;
        }
        writer.flush()
    }
}

/// Removes white space from the ends of a line, and a byte order mark from its start.
fn trimmed(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim()
}

/// Returns the text before a comment. A comment character within a word, as in `1.#QNAN`, does not start a
/// comment.
fn without_comment(line: &str) -> &str {
    let is_mark = |(at, _): &(usize, &str)| {
        line[..*at]
            .chars()
            .next_back()
            .is_none_or(|before| before.is_whitespace() || SEPARATORS.contains(&before))
    };
    line.match_indices(COMMENT).find(is_mark).map_or(line, |(at, _)| line[..at].trim_end())
}

const SEPARATORS: [char; 2] = [',', ';'];

/// Returns the fields of a line, separated by commas or semicolons if there are any, otherwise by white
/// space.
fn fields(line: &str) -> Vec<&str> {
    if line.contains(SEPARATORS) {
        line.split(SEPARATORS).map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    }
}
