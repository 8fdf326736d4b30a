//! Rows of files that store one column after the other.

use super::{Table, TableError};

/// Maximum size of the rows in memory \[bytes\].
pub(super) const BLOCK: usize = 4 << 20;

/// Columns of a file, each of which is read from its first number to its last.
pub(super) trait ReadColumns {
    /// Replaces the content of `numbers` by the next `count` numbers of a column.
    fn read(&mut self, column: usize, count: usize, numbers: &mut Vec<f64>) -> Result<(), TableError>;

    /// Checks the file after all numbers have been read.
    fn finish(&mut self) -> Result<(), TableError>;
}

/// Rows of columns, of which one block is in memory.
pub(super) struct RowsOfColumns<'f> {
    columns: Box<dyn ReadColumns + 'f>,
    /// Number of rows that have not been read from the file.
    left: usize,
    /// Maximum number of rows of a block.
    block_rows: usize,
    block: Table,
    /// Index of the next row in the block.
    next: usize,
    /// Numbers of the block by columns.
    numbers: Vec<Vec<f64>>,
}

impl<'f> RowsOfColumns<'f> {
    /// Creates a reader of `rows` rows. The columns of `head` are those of the file.
    pub(super) fn new(columns: impl ReadColumns + 'f, head: &Table, rows: usize) -> Self {
        Self::with_block(columns, head, rows, BLOCK)
    }

    /// Creates a reader with blocks of this size \[bytes\], or of one row if a row is larger.
    fn with_block(columns: impl ReadColumns + 'f, head: &Table, rows: usize, block: usize) -> Self {
        let width = head.columns().len();
        Self {
            columns: Box::new(columns),
            left: rows,
            block_rows: (block / (size_of::<f64>() * width)).max(1),
            block: head.without_rows(),
            next: 0,
            numbers: vec![Vec::new(); width],
        }
    }

    /// Returns the next row, or `None` after the last row.
    pub(super) fn next_row(&mut self) -> Result<Option<&[f64]>, TableError> {
        if self.next == self.block.len() {
            if self.left == 0 {
                self.columns.finish()?;
                return Ok(None);
            }
            let count = self.left.min(self.block_rows);
            for (column, numbers) in self.numbers.iter_mut().enumerate() {
                self.columns.read(column, count, numbers)?;
            }
            self.block.clear();
            self.block.push_columns(&self.numbers);
            self.left -= count;
            self.next = 0;
        }
        self.next += 1;
        Ok(Some(self.block.row(self.next - 1)))
    }

    /// Returns a table of all rows.
    pub(super) fn table(mut self) -> Result<Table, TableError> {
        let mut table = self.block.without_rows();
        while let Some(row) = self.next_row()? {
            table.push_entries(row);
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::{ReadColumns, RowsOfColumns};
    use crate::trajectory::{Table, TableError};

    /// Columns whose numbers are 100 times the index of the column plus the index of the row.
    struct Counted(Vec<usize>);

    impl ReadColumns for Counted {
        fn read(&mut self, column: usize, count: usize, numbers: &mut Vec<f64>) -> Result<(), TableError> {
            let first = self.0[column];
            self.0[column] += count;
            numbers.clear();
            numbers.extend((first..first + count).map(|row| (100 * column + row) as f64));
            Ok(())
        }

        fn finish(&mut self) -> Result<(), TableError> {
            assert_eq!(self.0[0], self.0[1]);
            Ok(())
        }
    }

    #[test]
    fn rows_do_not_depend_on_the_size_of_the_blocks() {
        let head = Table::new(["a", "b"]);
        for (rows, block) in [(0, 64), (1, 1), (4, 64), (9, 64), (7, 1), (3, 1 << 20)] {
            let columns = Counted(vec![0; 2]);
            let table = RowsOfColumns::with_block(columns, &head, rows, block).table().expect("rows");
            assert_eq!(table.len(), rows);
            let mut expected = (0..rows).map(|row| [row as f64, (100 + row) as f64]);
            assert!(table.rows().all(|row| expected.next().is_some_and(|numbers| row == numbers)));
        }
    }
}
