//! Text files from the test data of Siconos, read token by token, if the files are available.
//!
//! The files contain whitespace-separated tokens; tokens after the last expected one are remarks. A matrix
//! has its type and its size. For type 0, the size follows again, then the entries; for type 1, the blocks
//! follow; both are column by column. Type 2 is a listing of columns.
use ndarray::{Array1, Array2, ShapeBuilder};
use siconos_linalg::{BlockCsr, Csc, Matrix};

/// Tokens of a file, consumed one by one.
pub(crate) struct Tokens<'a>(std::iter::Peekable<std::str::SplitWhitespace<'a>>);

impl<'a> Tokens<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self(text.split_whitespace().peekable())
    }

    pub(crate) fn next<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let token = self.0.next().ok_or("the file ends too soon")?;
        token.parse().map_err(|_| format!("unexpected {token:?}"))
    }

    pub(crate) fn list<T: std::str::FromStr>(&mut self, n: usize) -> Result<Vec<T>, String> {
        (0..n).map(|_| self.next()).collect()
    }

    /// Reads entries column by column.
    fn columns(&mut self, rows: usize, columns: usize) -> Result<Array2<f64>, String> {
        let entries = self.list(rows * columns)?;
        Array2::from_shape_vec((rows, columns).f(), entries).map_err(|error| error.to_string())
    }

    pub(crate) fn matrix(&mut self) -> Result<Matrix, String> {
        let (kind, rows, columns): (u8, usize, usize) = (self.next()?, self.next()?, self.next()?);
        match kind {
            0 => {
                let _again: Vec<usize> = self.list(2)?;
                self.columns(rows, columns).map(Matrix::from)
            }
            1 => self.blocks(),
            _ => self.sparse(rows, columns),
        }
    }

    fn blocks(&mut self) -> Result<Matrix, String> {
        let (count, block_rows, block_columns): (usize, usize, usize) =
            (self.next()?, self.next()?, self.next()?);
        let sizes = |ends: Vec<usize>| -> Vec<usize> {
            ends.iter().enumerate().map(|(i, end)| end - if i == 0 { 0 } else { ends[i - 1] }).collect()
        };
        let (row_sizes, column_sizes) = (sizes(self.list(block_rows)?), sizes(self.list(block_columns)?));
        let (filled, _) = (self.next::<usize>()?, self.next::<usize>()?);
        let (pointers, places) = (self.list::<usize>(filled)?, self.list::<usize>(count)?);
        let mut blocks = Vec::new();
        for i in 0..block_rows {
            for &j in &places[pointers[i]..pointers[i + 1]] {
                let _number: usize = self.next()?;
                blocks.push((i, j, self.columns(row_sizes[i], column_sizes[j])?));
            }
        }
        let matrix = BlockCsr::from_blocks(&row_sizes, &column_sizes, blocks);
        matrix.map(Matrix::from).map_err(|error| error.to_string())
    }

    /// Reads compressed columns as text: a header, and for each column its number, its range, and
    /// `row : value`.
    fn sparse(&mut self, rows: usize, columns: usize) -> Result<Matrix, String> {
        while !self.0.next().ok_or("no header")?.contains("-by-") {}
        let word = |tokens: &mut Self| -> Result<String, String> { tokens.next() };
        let mut entries = Vec::new();
        // The header ends at the first column.
        while self.0.next_if(|token| *token != "col").is_some() {}
        for _ in 0..columns {
            // col j : locations p0 to p1
            let _col = word(self)?;
            let column: usize = self.next()?;
            let _words = [word(self)?, word(self)?];
            let first: usize = self.next()?;
            let _to = word(self)?;
            // For a nonempty column, the index of its last entry; for an empty column, its first index minus
            // one.
            let last: i64 = self.next()?;
            for _ in first as i64..=last {
                let row: usize = self.next()?;
                let _colon = word(self)?;
                entries.push((row, column, self.next()?));
            }
        }
        Csc::from_triplets(rows, columns, entries).map(Matrix::from).map_err(|error| error.to_string())
    }

    pub(crate) fn vector(&mut self, n: usize) -> Result<Array1<f64>, String> {
        self.list(n).map(Array1::from)
    }
}
