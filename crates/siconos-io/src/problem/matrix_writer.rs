//! Writer of matrices in the `.dat` format.

use std::io::Write;

use ndarray::ArrayView2;
use siconos_linalg::{BlockCsr, Csc, MatrixRef};

use super::{ProblemFileError, ProblemFileErrorKind as Kind};

pub(super) fn write_matrix(writer: &mut dyn Write, m: MatrixRef<'_>) -> Result<(), ProblemFileError> {
    let (rows, columns) = (m.rows(), m.columns());
    match m {
        MatrixRef::Dense(a) => {
            writeln!(writer, "0\n{rows}\n{columns}\n{rows} {columns}")?;
            write_columns(writer, a)
        }
        MatrixRef::BlockCsr(a) => {
            writeln!(writer, "1\n{rows}\n{columns}")?;
            write_blocks(writer, a)
        }
        MatrixRef::Csc(a) => {
            writeln!(writer, "2\n{rows}\n{columns}")?;
            write_sparse(writer, a)
        }
        // The format has no diagonal storage, and matrices are not converted silently.
        other => Err(Kind::UnsupportedStorage { storage: other.storage() }.into()),
    }
}

/// Writes values on one line, each with the fewest digits that determine the double.
pub(super) fn write_line<T: std::fmt::Debug>(
    writer: &mut dyn Write,
    values: impl IntoIterator<Item = T>,
) -> Result<(), ProblemFileError> {
    for (index, value) in values.into_iter().enumerate() {
        let gap = if index == 0 { "" } else { " " };
        write!(writer, "{gap}{value:?}")?;
    }
    Ok(writeln!(writer)?)
}

fn write_columns(writer: &mut dyn Write, a: ArrayView2<'_, f64>) -> Result<(), ProblemFileError> {
    a.columns().into_iter().try_for_each(|column| write_line(writer, column))
}

fn write_blocks(writer: &mut dyn Write, a: &BlockCsr) -> Result<(), ProblemFileError> {
    let (row_ends, column_ends) = (&a.row_starts()[1..], &a.column_starts()[1..]);
    writeln!(writer, "{}\n{}\n{}", a.blocks(), row_ends.len(), column_ends.len())?;
    write_line(writer, row_ends)?;
    write_line(writer, column_ends)?;
    writeln!(writer, "{} {}", a.first_blocks().len(), a.blocks())?;
    write_line(writer, a.first_blocks())?;
    write_line(writer, a.block_columns())?;
    let mut number = 0;
    for block_row in 0..a.block_rows() {
        for (_, block) in a.block_row(block_row).blocks() {
            writeln!(writer, "{number}")?;
            write_columns(writer, block)?;
            number += 1;
        }
    }
    Ok(())
}

fn write_sparse(writer: &mut dyn Write, a: &Csc) -> Result<(), ProblemFileError> {
    let (rows, columns, entries) = (a.rows(), a.columns(), a.entries());
    let norm =
        (0..columns).map(|j| a.column(j).map(|(_, value)| value.abs()).sum::<f64>()).fold(0.0, f64::max);
    // A sum of finite entries can overflow, but the reader expects a finite number.
    let norm = norm.min(f64::MAX);
    writeln!(writer, "2\ncompressed columns")?;
    writeln!(writer, "{rows}-by-{columns}, nzmax: {entries} nnz: {entries}, 1-norm: {norm:?}")?;
    for j in 0..columns {
        let (first, end) = (a.starts()[j], a.starts()[j + 1]);
        match end.checked_sub(1) {
            Some(last) => writeln!(writer, "    col {j} : locations {first} to {last}")?,
            None => writeln!(writer, "    col {j} : locations 0 to -1")?,
        }
        for (i, value) in a.column(j) {
            writeln!(writer, "      {i} : {value:?}")?;
        }
    }
    Ok(())
}
