//! Tables that are read column by column, for the formats that store one column after the other.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::rows_of_columns::BLOCK;
use super::{Table, TableError, TableErrorKind, TableReader};

/// Number of values of a column of a table that are passed at once.
const SLICE: usize = 4096;

/// Table whose columns can be read one after the other.
pub(crate) trait ByColumn {
    /// Returns the columns and the provenance, as a table whose rows are ignored.
    fn head(&self) -> &Table;

    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Passes the numbers of a column to `take` in slices, from the first row to the last.
    fn read_column(&self, column: usize, take: Take<'_>) -> Result<(), TableError>;
}

/// Function that receives slices of a column.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&[f64]) -> Result<(), TableError>;

impl ByColumn for Table {
    fn head(&self) -> &Table {
        self
    }

    fn rows(&self) -> usize {
        self.len()
    }

    fn read_column(&self, column: usize, take: Take<'_>) -> Result<(), TableError> {
        let mut slice = Vec::with_capacity(SLICE.min(self.len()));
        let mut rows = self.rows();
        while rows.len() > 0 {
            slice.clear();
            slice.extend(rows.by_ref().take(SLICE).map(|row| row[column]));
            take(&slice)?;
        }
        Ok(())
    }
}

/// Writes numbers in little-endian order.
pub(crate) fn write_numbers(writer: &mut dyn Write, numbers: &[f64]) -> io::Result<()> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    writer.write_all(&bytes)
}

/// Rows of any number in a temporary file, in which each block of rows is stored column by column. The memory
/// does not depend on the number of rows.
pub(crate) struct ColumnStore {
    folder: PathBuf,
    file: File,
    /// Number of rows of a block.
    block_rows: usize,
    /// Number of blocks in the file.
    blocks: usize,
    /// Rows after the last block.
    rest: Table,
}

impl ColumnStore {
    /// Creates an empty store with the columns and the provenance of `head`. Its temporary file is in
    /// `folder` and has no name.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be created. The [`TableError`] states the folder.
    pub(crate) fn new(head: &Table, folder: &Path) -> Result<Self, TableError> {
        Self::with_block(head, folder, BLOCK)
    }

    /// Creates an empty store with blocks of this size \[bytes\], or of one row if a row is larger.
    fn with_block(head: &Table, folder: &Path, block: usize) -> Result<Self, TableError> {
        let file = tempfile::tempfile_in(folder)
            .map_err(|source| TableError::from(TableErrorKind::Io(source)).in_file(folder))?;
        let row = size_of::<f64>() * head.columns().len();
        let block_rows = (block / row).max(1);
        Ok(Self { folder: folder.to_owned(), file, block_rows, blocks: 0, rest: head.without_rows() })
    }

    /// Creates a store of the remaining rows of a reader, see [`ColumnStore::new`].
    ///
    /// # Errors
    ///
    /// As [`ColumnStore::new`] and [`TableReader::next_row`]. Also if the temporary file cannot be written.
    pub(super) fn of(reader: &mut TableReader, folder: &Path) -> Result<Self, TableError> {
        let mut store = Self::new(reader.head(), folder)?;
        while let Some(row) = reader.next_row()? {
            store.push_row(row)?;
        }
        Ok(store)
    }

    /// Appends a row.
    ///
    /// # Errors
    ///
    /// If the length of the row differs from the number of columns, or the temporary file cannot be written.
    pub(crate) fn push_row(&mut self, row: &[f64]) -> Result<(), TableError> {
        self.rest.push_row(row)?;
        if self.rest.len() == self.block_rows {
            self.write_block()?;
        }
        Ok(())
    }

    fn write_block(&mut self) -> Result<(), TableError> {
        for column in 0..self.rest.columns().len() {
            self.rest.read_column(column, &mut |numbers| {
                write_numbers(&mut &self.file, numbers).map_err(|source| self.failed(source))
            })?;
        }
        self.rest.clear();
        self.blocks += 1;
        Ok(())
    }

    fn failed(&self, source: io::Error) -> TableError {
        TableError::from(TableErrorKind::Io(source)).in_file(&self.folder)
    }
}

impl ByColumn for ColumnStore {
    fn head(&self) -> &Table {
        &self.rest
    }

    fn rows(&self) -> usize {
        self.blocks * self.block_rows + self.rest.len()
    }

    fn read_column(&self, column: usize, take: Take<'_>) -> Result<(), TableError> {
        let mut bytes = vec![0; size_of::<f64>() * self.block_rows];
        let mut numbers = Vec::with_capacity(self.block_rows);
        for block in 0..self.blocks {
            let index = block * self.rest.columns().len() + column;
            let mut file = &self.file;
            file.seek(SeekFrom::Start(index as u64 * bytes.len() as u64))
                .and_then(|_| file.read_exact(&mut bytes))
                .map_err(|source| self.failed(source))?;
            numbers.clear();
            numbers.extend(bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)));
            take(&numbers)?;
        }
        self.rest.read_column(column, take)
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::{ByColumn, ColumnStore, SLICE};
    use crate::trajectory::Table;

    fn table(rows: usize) -> Table {
        let mut table = Table::new(["t", "q", "r"]);
        table.provenance = vec!["made by hand".to_owned()];
        for k in 0..rows {
            let t = k as f64;
            table.push_row(&[t, -0.5 * t, t.sin()]).expect("three columns");
        }
        table
    }

    fn columns(table: &dyn ByColumn) -> Vec<Vec<f64>> {
        let column = |column| {
            let mut numbers = Vec::new();
            let mut take = |slice: &[f64]| {
                numbers.extend_from_slice(slice);
                Ok(())
            };
            table.read_column(column, &mut take).expect("a column");
            numbers
        };
        (0..table.head().columns().len()).map(column).collect()
    }

    #[test]
    fn a_store_has_the_columns_of_its_rows() {
        for (rows, block) in [(0, 240), (7, 240), (10, 240), (35, 240), (4, 1), (2 * SLICE + 1, 8000)] {
            let whole = table(rows);
            let mut store = ColumnStore::with_block(&whole, &env::temp_dir(), block).expect("a folder");
            whole.rows().for_each(|row| store.push_row(row).expect("a row"));
            assert_eq!((store.rows(), store.blocks), (rows, rows / (block / 24).max(1)));
            assert_eq!(store.head().provenance, whole.provenance);
            assert_eq!(columns(&store), columns(&whole), "{rows} rows");
            let expected: Vec<Vec<f64>> = whole
                .columns()
                .iter()
                .map(|name| whole.column(name).expect("it is there").collect())
                .collect();
            assert_eq!(columns(&whole), expected, "{rows} rows");
        }
    }
}
