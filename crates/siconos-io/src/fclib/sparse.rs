//! Sparse matrices in FCLIB files: compressed columns, compressed rows, or triplets.

use siconos_linalg::{Csc, MatrixRef};

use super::folder::Hdf5Group;
use super::{FclibError, FclibErrorKind as Kind};

/// Value of `nz` for a matrix in compressed columns.
const COLUMNS: i64 = -1;
/// Value of `nz` for a matrix in compressed rows.
const ROWS: i64 = -2;

/// Reads the matrix of a group. `rows` and `columns` are its required size, which follows from the lengths of
/// the vectors in the file.
pub(super) fn read_sparse(folder: &Hdf5Group, rows: usize, columns: usize) -> Result<Csc, FclibError> {
    for (member, size) in [("m", rows), ("n", columns)] {
        let found = folder.integer(member)?;
        if usize::try_from(found) != Ok(size) {
            return Err(folder.wrong_entry(member, 0, found, format_args!("{size}, as the vectors require")));
        }
    }
    let entries = match folder.integer("nz")? {
        COLUMNS => read_lists(folder, columns, rows)?.into_iter().map(|(j, i, x)| (i, j, x)).collect(),
        ROWS => read_lists(folder, rows, columns)?,
        code => match usize::try_from(code) {
            Ok(count) => read_triplets(folder, count, rows, columns)?,
            Err(_) => {
                let known = "-2 (rows), -1 (columns) or the number of triplets";
                return Err(folder.wrong_entry("nz", 0, code, known));
            }
        },
    };
    Csc::from_triplets(rows, columns, entries).map_err(|error| folder.error("x", Kind::Problem(error.into())))
}

/// Reads compressed columns or rows: `p` contains the start of each, `i` the indices and `x` the values.
fn read_lists(
    folder: &Hdf5Group,
    lists: usize,
    places: usize,
) -> Result<Vec<(usize, usize, f64)>, FclibError> {
    let starts = folder.indices("p", usize::MAX)?;
    if starts.len() != lists + 1 {
        return Err(folder.wrong_length(
            "p",
            lists + 1,
            "one more than the number of rows or columns",
            starts.len(),
        ));
    }
    let (indices, values) = (folder.indices("i", places)?, folder.numbers("x")?);
    if starts[0] != 0 {
        return Err(folder.wrong_entry("p", 0, starts[0], 0));
    }
    if let Some(k) = starts.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(folder.wrong_entry("p", k + 1, starts[k + 1], format_args!("at least {}", starts[k])));
    }
    let count = starts[lists];
    check_at_least(folder, count, indices.len(), values.len())?;
    let mut entries = Vec::with_capacity(count);
    for (list, pair) in starts.windows(2).enumerate() {
        entries.extend((pair[0]..pair[1]).map(|k| (list, indices[k], values[k])));
    }
    Ok(entries)
}

/// Reads triplets: `i` contains rows, `p` columns and `x` values. Only the first `nz` entries are used.
fn read_triplets(
    folder: &Hdf5Group,
    count: usize,
    rows: usize,
    columns: usize,
) -> Result<Vec<(usize, usize, f64)>, FclibError> {
    let (i, j) = (folder.indices("i", rows)?, folder.indices("p", columns)?);
    let values = folder.numbers("x")?;
    if j.len() < count {
        return Err(folder.wrong_length("p", count, "nz", j.len()));
    }
    check_at_least(folder, count, i.len(), values.len())?;
    Ok(i.into_iter().zip(j).zip(values).map(|((i, j), value)| (i, j, value)).take(count).collect())
}

fn check_at_least(folder: &Hdf5Group, count: usize, indices: usize, values: usize) -> Result<(), FclibError> {
    for (member, found) in [("i", indices), ("x", values)] {
        if found < count {
            return Err(folder.wrong_length(member, count, "one for each entry of the matrix", found));
        }
    }
    Ok(())
}

/// Writes a matrix in compressed columns, whatever its storage is.
pub(super) fn write_sparse(folder: &Hdf5Group, matrix: MatrixRef<'_>) -> Result<(), FclibError> {
    let csc = Csc::from_matrix(matrix);
    folder.write_sizes("m", &[csc.rows()])?;
    folder.write_sizes("n", &[csc.columns()])?;
    folder.write_sizes("nzmax", &[csc.entries()])?;
    folder.write("nz", &[-1_i32])?;
    folder.write_sizes("p", csc.starts())?;
    folder.write_sizes("i", csc.row_indices())?;
    folder.write("x", csc.values())
}
