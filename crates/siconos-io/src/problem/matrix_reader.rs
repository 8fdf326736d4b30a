//! Matrices in the `.dat` format. This module reads the storage code, dense matrices and sparse blocks.

use ndarray::Array2;
use siconos_linalg::{BlockCsr, Matrix};

use super::sparse_reader::read_sparse;
use super::tokens::Tokens;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

/// Reads the matrix named `name`, whose numbers of rows and columns are known from earlier data. The caller
/// must have checked that the rest of the file can contain a vector of each of these lengths.
pub(super) fn read_matrix(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
) -> Result<Matrix, ProblemFileError> {
    if let Some(known) = tokens.skip_known(rows, columns) {
        return Ok(known);
    }
    let storage = read_storage(tokens, name)?;
    tokens.known_size(format_args!("the number of rows of {name}"), rows)?;
    read_entries(tokens, name, storage, rows, columns)
}

/// Reads the matrix named `name`, whose number of columns is known. The number of rows is read from the
/// header of the matrix and must be at least `least_rows`.
pub(super) fn read_tall(
    tokens: &mut Tokens<'_>,
    name: &str,
    least_rows: usize,
    columns: usize,
) -> Result<Matrix, ProblemFileError> {
    let storage = read_storage(tokens, name)?;
    let what = format_args!("the number of rows of {name}");
    let rows = tokens.size(what)?;
    if rows < least_rows {
        return Err(tokens.inconsistent(what, rows, format_args!("at least {least_rows}")));
    }
    tokens.check_room(Some(rows), format_args!("{name}, {rows} rows,"))?;
    read_entries(tokens, name, storage, rows, columns)
}

/// Reads the square matrix named `name`. The number of rows is read from its header. Returns an error if the
/// rest of the file is too short for a vector of this length.
pub(super) fn read_square(tokens: &mut Tokens<'_>, name: &str) -> Result<(Matrix, usize), ProblemFileError> {
    let storage = read_storage(tokens, name)?;
    let rows = tokens.size(format_args!("the number of rows of {name}"))?;
    tokens.check_room(Some(rows), format_args!("{name}, {rows} rows,"))?;
    Ok((read_entries(tokens, name, storage, rows, rows)?, rows))
}

fn read_storage(tokens: &mut Tokens<'_>, name: &str) -> Result<usize, ProblemFileError> {
    let expected = format_args!("the storage of {name}, 0 (dense), 1 (sparse blocks) or 2 (sparse)");
    let storage = tokens.size(expected)?;
    if storage <= 2 {
        return Ok(storage);
    }
    let what = format_args!("the storage of {name}");
    Err(tokens.inconsistent(what, storage, "0 (dense), 1 (sparse blocks) or 2 (sparse)"))
}

/// Reads the data after the number of rows in the header.
fn read_entries(
    tokens: &mut Tokens<'_>,
    name: &str,
    storage: usize,
    rows: usize,
    columns: usize,
) -> Result<Matrix, ProblemFileError> {
    tokens.known_size(format_args!("the number of columns of {name}"), columns)?;
    Ok(match storage {
        0 => {
            tokens.known_size(format_args!("the repeated number of rows of {name}"), rows)?;
            tokens.known_size(format_args!("the repeated number of columns of {name}"), columns)?;
            read_columns(tokens, name, rows, columns)?.into()
        }
        1 => read_blocks(tokens, name, rows, columns)?.into(),
        _ => read_sparse(tokens, name, rows, columns)?.into(),
    })
}

/// Reads the entries of a dense matrix, column by column.
fn read_columns(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
) -> Result<Array2<f64>, ProblemFileError> {
    tokens.check_room(rows.checked_mul(columns), format_args!("{name}, {rows} x {columns},"))?;
    let mut matrix = Array2::zeros((rows, columns));
    for j in 0..columns {
        for i in 0..rows {
            matrix[[i, j]] = tokens.number(format_args!("entry ({i}, {j}) of {name}"))?;
        }
    }
    Ok(matrix)
}

fn read_blocks(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
) -> Result<BlockCsr, ProblemFileError> {
    let count = tokens.size(format_args!("the number of blocks of {name}"))?;
    tokens.check_room(Some(count), format_args!("{name}, {count} blocks,"))?;
    let block_rows = tokens.size(format_args!("the number of block rows of {name}"))?;
    tokens.check_room(Some(block_rows), format_args!("{name}, {block_rows} block rows,"))?;
    let block_columns = tokens.size(format_args!("the number of block columns of {name}"))?;
    tokens.check_room(Some(block_columns), format_args!("{name}, {block_columns} block columns,"))?;
    let row_sizes =
        read_partition(tokens, format_args!("the last row of a block row of {name}"), block_rows, rows)?;
    let column_sizes = read_partition(
        tokens,
        format_args!("the last column of a block column of {name}"),
        block_columns,
        columns,
    )?;
    let places = read_pattern(tokens, name, count, block_rows, block_columns)?;

    let mut blocks = Vec::with_capacity(count);
    for (number, (i, j)) in places.into_iter().enumerate() {
        tokens.known_size(format_args!("the number of a block of {name}"), number)?;
        let block =
            read_columns(tokens, &format!("block {number} of {name}"), row_sizes[i], column_sizes[j])?;
        blocks.push((i, j, block));
    }
    BlockCsr::from_blocks(&row_sizes, &column_sizes, blocks)
        .map_err(|error| tokens.error(Kind::Problem(error.into())))
}

/// Reads cumulative sizes, of which the last must be `end`, and returns the sizes.
fn read_partition(
    tokens: &mut Tokens<'_>,
    what: std::fmt::Arguments<'_>,
    count: usize,
    end: usize,
) -> Result<Vec<usize>, ProblemFileError> {
    let mut previous = 0;
    let mut sizes = Vec::with_capacity(count);
    for _ in 0..count {
        let next = tokens.size(what)?;
        if next < previous || next > end {
            return Err(tokens.inconsistent(what, next, format_args!("{previous} to {end}")));
        }
        sizes.push(next - previous);
        previous = next;
    }
    if previous == end {
        Ok(sizes)
    } else {
        Err(tokens.inconsistent(what, previous, format_args!("{end} at the end")))
    }
}

/// Reads the two index lists and returns the block row and block column of each block.
fn read_pattern(
    tokens: &mut Tokens<'_>,
    name: &str,
    count: usize,
    block_rows: usize,
    block_columns: usize,
) -> Result<Vec<(usize, usize)>, ProblemFileError> {
    // The list can omit empty block rows at its end.
    let what = format_args!("the length of the list of first blocks of {name}");
    let listed = tokens.size(what)?;
    if listed == 0 || listed - 1 > block_rows {
        return Err(tokens.inconsistent(
            what,
            listed,
            format_args!("from 1 to {}, one more than the number of block rows", block_rows + 1),
        ));
    }
    tokens.known_size(format_args!("the length of the list of block columns of {name}"), count)?;

    let what = format_args!("the first block of a block row of {name}");
    tokens.known_size(what, 0)?;
    let ends = read_partition(tokens, what, listed - 1, count)?;
    let what = format_args!("the block column of a block of {name}");
    let mut last_row = vec![None; block_columns];
    let mut places = Vec::with_capacity(count);
    for (i, blocks) in ends.into_iter().enumerate() {
        for _ in 0..blocks {
            let j = tokens.size(what)?;
            if j >= block_columns {
                return Err(tokens.inconsistent(what, j, format_args!("below {block_columns}")));
            }
            if last_row[j].replace(i) == Some(i) {
                return Err(tokens.inconsistent(
                    what,
                    j,
                    "different from the block columns before it in its block row",
                ));
            }
            places.push((i, j));
        }
    }
    Ok(places)
}
