//! Sparse matrices in the `.dat` format, as printed by CSparse.

use siconos_linalg::Csc;

use super::tokens::Tokens;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

/// Form in which the entries of a sparse matrix are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Triplets,
    Columns,
    Rows,
}

pub(super) fn read_sparse(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
) -> Result<Csc, ProblemFileError> {
    let what = format_args!("the origin of {name}");
    let origin = match tokens.size(what)? {
        1 => Origin::Triplets,
        2 => Origin::Columns,
        3 => Origin::Rows,
        other => return Err(tokens.inconsistent(what, other, "1 (triplets), 2 (columns) or 3 (rows)")),
    };
    let count = read_header(tokens, name, rows, columns)?;
    if origin != Origin::Triplets && tokens.peek() == Some(b"1-norm:") {
        tokens.word("1-norm:")?;
        tokens.number(format_args!("the 1-norm of {name}"))?;
    }
    tokens.check_room(Some(count), format_args!("{name}, {count} entries,"))?;
    let mut entries = Vec::with_capacity(count);
    match origin {
        Origin::Triplets => {
            for _ in 0..count {
                let i = read_index(tokens, format_args!("the row of an entry of {name}"), rows)?;
                let j = read_index(tokens, format_args!("the column of an entry of {name}"), columns)?;
                entries.push((i, j, read_value(tokens, name, i, j)?));
            }
        }
        Origin::Columns => read_lists(tokens, name, (columns, rows), count, |tokens, j, i| {
            entries.push((i, j, read_value(tokens, name, i, j)?));
            Ok(())
        })?,
        Origin::Rows => read_lists(tokens, name, (rows, columns), count, |tokens, i, j| {
            entries.push((i, j, read_value(tokens, name, i, j)?));
            Ok(())
        })?,
    }
    Csc::from_triplets(rows, columns, entries).map_err(|error| tokens.error(Kind::Problem(error.into())))
}

/// Skips the line with the version, reads `m-by-n, nzmax: a nnz: b`, and returns the number of entries b.
fn read_header(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
) -> Result<usize, ProblemFileError> {
    let expected = format_args!("the header `{rows}-by-{columns}, nzmax: .. nnz: ..` of {name}");
    let begin = tokens.clone();
    let size = loop {
        // If the header is missing, the error is reported here, not at the end of the text.
        let missing = || begin.error(Kind::Truncated { expected: expected.to_string() });
        let token = tokens.next().ok_or_else(missing)?;
        if token.windows(4).any(|word| word == b"-by-") {
            break token;
        }
    };
    if without_comma(size) != format!("{rows}-by-{columns}").as_bytes() {
        return Err(tokens.not_the_word(expected));
    }
    tokens.word("nzmax:")?;
    tokens.size(format_args!("the number of entries of {name}"))?;
    tokens.word("nnz:")?;
    let expected = format_args!("the number of entries of {name}");
    let token = tokens.any(expected)?;
    let count = std::str::from_utf8(without_comma(token)).ok().and_then(|token| token.parse().ok());
    count.ok_or_else(|| tokens.not_a_size(expected))
}

/// Reads a list of entries for each column (or row): a line `col j : locations a to b`, followed by
/// `row : value` for each entry. Calls `visit` for each entry, with the index of the list and the index of
/// the entry in the list. `visit` must read the value.
fn read_lists<'a>(
    tokens: &mut Tokens<'a>,
    name: &str,
    (lists, places): (usize, usize),
    count: usize,
    mut visit: impl FnMut(&mut Tokens<'a>, usize, usize) -> Result<(), ProblemFileError>,
) -> Result<(), ProblemFileError> {
    let mut first = 0;
    for list in 0..lists {
        let word = tokens.any(format_args!("`col {list}` or `row {list}`"))?;
        if word != b"col" && word != b"row" {
            return Err(tokens.not_the_word(format_args!("`col {list}` or `row {list}`")));
        }
        tokens.known_size(format_args!("the number of a column or row of {name}"), list)?;
        tokens.word(":")?;
        tokens.word("locations")?;
        tokens.known_size(format_args!("the first location of column or row {list} of {name}"), first)?;
        tokens.word("to")?;
        // If the first list is empty, its last location is -1.
        let what = format_args!("the last location of column or row {list} of {name}");
        let end = if first == 0 && tokens.peek() == Some(b"-1") {
            tokens.word("-1")?;
            0
        } else {
            // The sum can only saturate for usize::MAX entries, and `count` is checked below.
            tokens.size(what)?.saturating_add(1)
        };
        if end < first || end > count {
            return Err(tokens.inconsistent(
                what,
                end - 1,
                format_args!("below the number of entries, {count}, and not below the first"),
            ));
        }
        for _ in first..end {
            let place = read_index(tokens, format_args!("the position of an entry of {name}"), places)?;
            visit(tokens, list, place)?;
        }
        first = end;
    }
    if first == count {
        Ok(())
    } else {
        Err(tokens.inconsistent(format_args!("the number of entries of {name}"), first, count))
    }
}

fn read_index(
    tokens: &mut Tokens<'_>,
    what: std::fmt::Arguments<'_>,
    size: usize,
) -> Result<usize, ProblemFileError> {
    let index = tokens.size(what)?;
    if index < size { Ok(index) } else { Err(tokens.inconsistent(what, index, format_args!("below {size}"))) }
}

/// Reads a value, with or without a preceding colon.
fn read_value(tokens: &mut Tokens<'_>, name: &str, i: usize, j: usize) -> Result<f64, ProblemFileError> {
    if tokens.peek() == Some(b":") {
        tokens.word(":")?;
    }
    tokens.number(format_args!("entry ({i}, {j}) of {name}"))
}

fn without_comma(token: &[u8]) -> &[u8] {
    token.strip_suffix(b",").unwrap_or(token)
}
