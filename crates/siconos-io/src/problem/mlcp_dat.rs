//! Mixed problems in the `.dat` format, given by one matrix M, by four blocks A, B, C, D, or by both.

use std::io::Write;

use ndarray::{Array1, Array2, s};
use siconos_linalg::Matrix;
use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpBlocks, MlcpRow};

use super::matrix_reader::read_tall;
use super::matrix_writer::{write_line, write_matrix};
use super::tokens::Tokens;
use super::{ProblemFileError, ProblemFileErrorKind as Kind};

/// Relative tolerance in the comparison of printed numbers, which have at least six digits.
const PRINTED: f64 = 1e-5;

pub(super) fn read_mlcp(
    tokens: &mut Tokens<'_>,
) -> Result<MixedLinearComplementarityProblem, ProblemFileError> {
    let with_matrix = read_flag(tokens, format_args!("s1, which is 1 if M follows,"))?;
    let with_blocks = read_flag(tokens, format_args!("s2, which is 1 if A, B, C, D follow,"))?;
    if !with_matrix && !with_blocks {
        return Err(tokens.inconsistent(format_args!("s2"), 0, "1, since s1 is 0"));
    }
    let n = tokens.size(format_args!("the number of equalities n"))?;
    let m = tokens.size(format_args!("the number of complementarities m"))?;
    let size = n.checked_add(m);
    tokens.check_room(size, format_args!("a problem of {n} + {m} rows"))?;
    // `check_room` returns an error if the sum overflows.
    let size = size.unwrap_or_default();

    if !with_matrix {
        let blocks = read_blocks(tokens, n, m, None)?;
        return MixedLinearComplementarityProblem::from_blocks(blocks)
            .map_err(|error| tokens.error(Kind::Problem(error)));
    }
    let rows = read_rows(tokens, n, size)?;
    let matrix = read_tall(tokens, "M", size, size)?;
    if matrix.rows() > size {
        return read_rectangular(tokens, (n, m), &rows, &matrix, with_blocks);
    }
    let q = tokens.numbers("q", size)?;
    let problem = MixedLinearComplementarityProblem::new(matrix, q.into(), rows)
        .map_err(|error| tokens.error(Kind::Problem(error)))?;
    if with_blocks {
        read_blocks(tokens, n, m, Some(&problem.blocks()))?;
    }
    Ok(problem)
}

/// Reads the data that follow a matrix with more rows than columns. Such a problem has more equalities than
/// free unknowns, and the complementarities are its last rows.
///
/// The problem is made square by adding free unknowns with zero columns after the n free unknowns of the
/// file. This does not change the solutions for the other unknowns. The vector q in a file of Siconos has
/// only as many entries as M has columns, so the entries for the complementarities are read from b. The
/// blocks B and D are complete in the file, but A and C are not, so they are skipped.
fn read_rectangular(
    tokens: &mut Tokens<'_>,
    (n, m): (usize, usize),
    rows: &[MlcpRow],
    matrix: &Matrix,
    with_blocks: bool,
) -> Result<MixedLinearComplementarityProblem, ProblemFileError> {
    let (size, tall) = (n + m, matrix.rows());
    let equalities = tall - m;
    let Matrix::Dense(matrix) = matrix else {
        let what = format_args!("the storage of a matrix with more rows than unknowns");
        return Err(tokens.inconsistent(what, matrix.view().storage(), "0 (dense)"));
    };
    // A square matrix with many more columns than the matrix in the file could exceed the memory.
    if tall > 2 * size {
        let what = format_args!("the number of rows of M");
        return Err(tokens.inconsistent(
            what,
            tall,
            format_args!("at most {}, twice the number of unknowns", 2 * size),
        ));
    }
    if rows[..n].contains(&MlcpRow::Complementarity) {
        let what = format_args!("the order of the rows of a matrix with more rows than unknowns");
        return Err(tokens.inconsistent(what, "mixed", "equalities first"));
    }
    let mut q = tokens.numbers("q", size)?;
    if with_blocks && equalities <= size {
        let known = MlcpBlocks {
            a: Array2::zeros((n, n)),
            b: matrix.slice(s![equalities.., n..]).to_owned(),
            c: Array2::zeros((n, m)),
            d: matrix.slice(s![equalities.., ..n]).to_owned(),
            q_equality: q[..n].to_vec().into(),
            q_complementarity: Array1::zeros(m),
        };
        skip_numbers(tokens, "A", n.saturating_mul(n))?;
        read_table(tokens, "B", m, m, Some(&known.b))?;
        skip_numbers(tokens, "C", n.saturating_mul(m))?;
        read_table(tokens, "D", m, n, Some(&known.d))?;
        read_vector(tokens, "a", n, Some(&known.q_equality))?;
        q.truncate(equalities);
        q.extend(read_vector(tokens, "b", m, None)?);
    } else {
        q.extend(tokens.numbers("q, one for each row of M,", tall - size)?);
    }
    let mut square = Array2::zeros((tall, tall));
    square.slice_mut(s![.., ..n]).assign(&matrix.slice(s![.., ..n]));
    square.slice_mut(s![.., equalities..]).assign(&matrix.slice(s![.., n..]));
    let mut rows = vec![MlcpRow::Equality; equalities];
    rows.resize(tall, MlcpRow::Complementarity);
    MixedLinearComplementarityProblem::new(square, q.into(), rows)
        .map_err(|error| tokens.error(Kind::Problem(error)))
}

fn skip_numbers(tokens: &mut Tokens<'_>, name: &str, count: usize) -> Result<(), ProblemFileError> {
    tokens.numbers(name, count).map(|_| ())
}

fn read_flag(tokens: &mut Tokens<'_>, what: std::fmt::Arguments<'_>) -> Result<bool, ProblemFileError> {
    match tokens.size(what)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(tokens.inconsistent(what, other, "0 or 1")),
    }
}

/// Reads the list of the first row of each block, which ends with the number of rows, followed by the kind of
/// each block. Returns the kind of each row.
fn read_rows(tokens: &mut Tokens<'_>, n: usize, size: usize) -> Result<Vec<MlcpRow>, ProblemFileError> {
    let what = format_args!("the first row of a block of rows");
    let mut starts = vec![0];
    tokens.known_size(what, 0)?;
    let mut previous = 0;
    while previous < size {
        let start = tokens.size(what)?;
        if start < previous || start > size {
            return Err(tokens.inconsistent(what, start, format_args!("{previous} to {size}")));
        }
        starts.push(start);
        previous = start;
    }
    let mut rows = Vec::with_capacity(size);
    for pair in starts.windows(2) {
        let is_complementarity = read_flag(tokens, format_args!("the kind of a block of rows"))?;
        rows.resize(pair[1], if is_complementarity { MlcpRow::Complementarity } else { MlcpRow::Equality });
    }
    let equalities = rows.iter().filter(|row| **row == MlcpRow::Equality).count();
    if equalities == n {
        Ok(rows)
    } else {
        let what = format_args!("the number of equalities in the blocks of rows");
        Err(tokens.inconsistent(what, equalities, format_args!("{n}, which is n")))
    }
}

/// Reads A, B, C, D, a, b, and compares them with `known`.
fn read_blocks(
    tokens: &mut Tokens<'_>,
    n: usize,
    m: usize,
    known: Option<&MlcpBlocks>,
) -> Result<MlcpBlocks, ProblemFileError> {
    let a = read_table(tokens, "A", n, n, known.map(|known| &known.a))?;
    let b = read_table(tokens, "B", m, m, known.map(|known| &known.b))?;
    let c = read_table(tokens, "C", n, m, known.map(|known| &known.c))?;
    let d = read_table(tokens, "D", m, n, known.map(|known| &known.d))?;
    let q_equality = read_vector(tokens, "a", n, known.map(|known| &known.q_equality))?;
    let q_complementarity = read_vector(tokens, "b", m, known.map(|known| &known.q_complementarity))?;
    Ok(MlcpBlocks { a, b, c, d, q_equality, q_complementarity })
}

/// Reads a matrix row by row.
fn read_table(
    tokens: &mut Tokens<'_>,
    name: &str,
    rows: usize,
    columns: usize,
    known: Option<&Array2<f64>>,
) -> Result<Array2<f64>, ProblemFileError> {
    tokens.check_room(rows.checked_mul(columns), format_args!("{name}, {rows} x {columns},"))?;
    let mut table = Array2::zeros((rows, columns));
    for i in 0..rows {
        for j in 0..columns {
            let what = format_args!("entry ({i}, {j}) of {name}");
            table[[i, j]] = read_known(tokens, what, known.map(|known| known[[i, j]]))?;
        }
    }
    Ok(table)
}

fn read_vector(
    tokens: &mut Tokens<'_>,
    name: &str,
    size: usize,
    known: Option<&Array1<f64>>,
) -> Result<Array1<f64>, ProblemFileError> {
    tokens.check_room(Some(size), format_args!("{name}, {size} numbers,"))?;
    (0..size)
        .map(|i| {
            let what = format_args!("entry {} of {name} (of {size})", i + 1);
            read_known(tokens, what, known.map(|known| known[i]))
        })
        .collect()
}

/// Reads a number and compares it with `known`, if given, up to the precision of printed numbers.
fn read_known(
    tokens: &mut Tokens<'_>,
    what: std::fmt::Arguments<'_>,
    known: Option<f64>,
) -> Result<f64, ProblemFileError> {
    let number = tokens.number(what)?;
    match known {
        // Halving each number avoids an overflow in the difference.
        Some(known) if (0.5 * number - 0.5 * known).abs() > 0.5 * PRINTED * number.abs().max(known.abs()) => {
            Err(tokens.inconsistent(what, number, format_args!("{known:?}, as in M and q")))
        }
        _ => Ok(number),
    }
}

pub(super) fn write_mlcp(
    writer: &mut dyn Write,
    problem: &MixedLinearComplementarityProblem,
) -> Result<(), ProblemFileError> {
    let problem = problem.view();
    let rows = problem.rows();
    let n = rows.iter().filter(|row| **row == MlcpRow::Equality).count();
    writeln!(writer, "1\n0\n{n}\n{}", rows.len() - n)?;
    let runs = || rows.chunk_by(|a, b| a == b);
    let ends = runs().scan(0, |end, run| {
        *end += run.len();
        Some(*end)
    });
    write_line(writer, std::iter::once(0).chain(ends))?;
    write_line(writer, runs().map(|run| u8::from(run[0] == MlcpRow::Complementarity)))?;
    write_matrix(writer, problem.m())?;
    write_line(writer, problem.q())
}
