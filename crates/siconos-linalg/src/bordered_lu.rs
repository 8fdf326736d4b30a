//! LU factorisation of a sparse matrix with a few dense rows and columns.

use ndarray::Array2;

use super::{Csc, DenseLu, SingularMatrix, SparseLu, are_finite, largest_magnitude};

/// LU factorisation of a square matrix with a nearly symmetric pattern, in which some rows and columns can be
/// dense, for example the rows of a body that touches all others.
///
/// With partial pivoting, the symbolic factorisation must allow for any order of the rows. A single dense row
/// therefore makes the predicted factors dense. Dense rows and columns are moved to the end, which gives the
/// block matrix
///
/// $$ \begin{pmatrix} A & B \cr C & D \end{pmatrix}, \qquad S = D - C A^{-1} B, $$
///
/// (block rows A, B and C, D; S = D - C A^-1 B). A is factorised as a sparse matrix and S as a dense one
/// (block elimination: Saad 2003, section 14.2). If A is closer to singular than the whole matrix, digits are
/// lost, and iterative refinement restores them.
///
/// The whole matrix is factorised without blocks if A or S is singular, and also if the refinement does not
/// converge and the matrix is small. A matrix without dense rows is factorised by [`SparseLu`].
#[derive(Clone, Debug, Default)]
pub struct BorderedLu {
    /// Factors of the whole matrix. They are used if `is_whole` is `true`.
    all: SparseLu,
    is_whole: bool,
    inner: SparseLu,
    schur: DenseLu,
    /// Position of each row of the matrix in A or in D.
    places: Vec<Position>,
    /// Rows of A, and rows of D.
    interior: Vec<usize>,
    border: Vec<usize>,
    a: Csc,
    /// Block C in compressed columns. `responses` holds the columns of $A^{-1} B$ one after the other.
    below: Csc,
    responses: Vec<f64>,
    corner: Array2<f64>,
    x: Vec<f64>,
    last: Vec<f64>,
    /// `whole` is the matrix, if it has a border. `rest` is the residual of a solution.
    whole: Csc,
    rest: Vec<f64>,
    given: Vec<f64>,
    of_row: Vec<usize>,
}

/// Position of a row of the matrix in A (interior) or in D (border).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Interior(usize),
    Border(usize),
}

/// A row or column is dense if it has more entries than this factor times the square root of the number of
/// rows, as in minimum-degree orderings (Amestoy, Davis, Duff 2004).
const FULL: f64 = 10.0;

/// The refinement stops if the largest entry of a correction is at most `SETTLED` times the largest entry of
/// the solution, or after `MOST_CORRECTIONS` corrections.
const SETTLED: f64 = 1e-8;
const MOST_CORRECTIONS: usize = 3;

/// Maximum number of unknowns for which dense factors are acceptable.
const LARGEST_WHOLE: usize = 4000;

/// Maximum number of entries of $A^{-1} B$ (128 MB). If there would be more, dense rows are not moved.
const MOST_RESPONSES: usize = 16_000_000;

impl BorderedLu {
    /// Makes the sparse factorisations eliminate columns in groups, see [`SparseLu::group_columns`].
    pub fn group_columns(&mut self) {
        self.all.group_columns();
        self.inner.group_columns();
    }

    /// Factorises a square matrix. Returns [`SingularMatrix`] if the matrix is found to be singular.
    pub fn factor(&mut self, matrix: &Csc) -> Result<(), SingularMatrix> {
        self.find_border(matrix);
        self.is_whole = self.border.is_empty() || self.factor_by_blocks(matrix).is_err();
        if self.is_whole {
            return self.all.factor(matrix);
        }
        self.whole.clone_from(matrix);
        Ok(())
    }

    fn factor_by_blocks(&mut self, matrix: &Csc) -> Result<(), SingularMatrix> {
        let (n, k) = (self.interior.len(), self.border.len());
        let Self { inner, schur, places, interior, border, a, below, responses, corner, x, .. } = self;
        a.begin(n);
        below.begin(k);
        for &column in &*interior {
            for (row, entry) in matrix.column(column) {
                match places[row] {
                    Position::Interior(i) => a.push(i, entry),
                    Position::Border(i) => below.push(i, entry),
                }
            }
            a.close_column();
            below.close_column();
        }
        inner.factor(a)?;
        responses.clear();
        if corner.dim() != (k, k) {
            *corner = Array2::zeros((k, k));
        }
        corner.fill(0.0);
        for (j, &column) in border.iter().enumerate() {
            x.clear();
            x.resize(n, 0.0);
            for (row, entry) in matrix.column(column) {
                match places[row] {
                    Position::Interior(i) => x[i] = entry,
                    Position::Border(i) => corner[[i, j]] = entry,
                }
            }
            inner.solve(x);
            for (column, x) in x.iter().enumerate() {
                below.column(column).for_each(|(i, c)| corner[[i, j]] -= c * x);
            }
            responses.extend_from_slice(x);
        }
        schur.factor_in_any_units(corner.view())
    }

    fn find_border(&mut self, matrix: &Csc) {
        let n = matrix.columns();
        let most = (FULL * (n as f64).sqrt()) as usize;
        let Self { places, interior, border, of_row, .. } = self;
        of_row.clear();
        of_row.resize(n, 0);
        matrix.row_indices().iter().for_each(|&row| of_row[row] += 1);
        let starts = matrix.starts();
        let is_full = |j: usize| of_row[j].max(starts[j + 1] - starts[j]) > most;
        border.clear();
        border.extend((0..n).filter(|&j| is_full(j)));
        if border.len() * n > MOST_RESPONSES {
            border.clear();
        }
        places.clear();
        interior.clear();
        let mut next = 0;
        for row in 0..n {
            if border.get(next) == Some(&row) {
                places.push(Position::Border(next));
                next += 1;
            } else {
                places.push(Position::Interior(interior.len()));
                interior.push(row);
            }
        }
    }

    /// Overwrites `b` with the solution. Entries that are not finite indicate a singular matrix.
    pub fn solve(&mut self, b: &mut [f64]) {
        if self.is_whole {
            return self.all.solve(b);
        }
        let (mut rest, mut given) = (std::mem::take(&mut self.rest), std::mem::take(&mut self.given));
        given.clear();
        given.extend_from_slice(b);
        self.solve_by_blocks(b);
        let mut is_settled = false;
        for _ in 0..MOST_CORRECTIONS {
            rest.clone_from(&given);
            self.whole.add_product(-1.0, b, &mut rest);
            self.solve_by_blocks(&mut rest);
            b.iter_mut().zip(&rest).for_each(|(x, correction)| *x += correction);
            // If a correction is smaller than the solution by the factor `SETTLED`, the next correction would
            // be smaller by about this factor again, and therefore at rounding level.
            is_settled = are_finite(b) && largest_magnitude(&rest) <= SETTLED * largest_magnitude(b);
            if is_settled {
                break;
            }
        }
        let has_room = given.len() <= LARGEST_WHOLE && are_finite(&given);
        if !is_settled && has_room && self.all.factor(&self.whole).is_ok() {
            self.is_whole = true;
            b.copy_from_slice(&given);
            self.all.solve(b);
        }
        (self.rest, self.given) = (rest, given);
    }

    fn solve_by_blocks(&mut self, b: &mut [f64]) {
        let Self { inner, schur, interior, border, below, responses, x, last, .. } = self;
        x.clear();
        x.extend(interior.iter().map(|&row| b[row]));
        last.clear();
        last.extend(border.iter().map(|&row| b[row]));
        inner.solve(x);
        for (column, x) in x.iter().enumerate() {
            below.column(column).for_each(|(i, c)| last[i] -= c * x);
        }
        schur.solve(last);
        for (response, y) in responses.chunks_exact(x.len().max(1)).zip(&*last) {
            x.iter_mut().zip(response).for_each(|(x, response)| *x -= response * y);
        }
        interior.iter().zip(&*x).for_each(|(&row, x)| b[row] = *x);
        border.iter().zip(&*last).for_each(|(&row, y)| b[row] = *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matrix with diagonal blocks of three rows, and with dense rows and columns at the indices `full`. If
    /// `in_units` is `true`, row i is multiplied by 2^(i mod 40).
    fn arrow(n: usize, full: &[usize], in_units: bool) -> Csc {
        let mut entries = Vec::new();
        let number = |i: usize, j: usize| ((7 * i + 13 * j) as f64).sin();
        let unit = |i: usize| if in_units { f64::powi(2.0, i as i32 % 40) } else { 1.0 };
        for j in 0..n {
            for i in 0..n {
                let is_near = i.abs_diff(j) < 3 && i / 3 == j / 3;
                if is_near || full.contains(&i) || full.contains(&j) {
                    let entry = if i == j { 4.0 } else { 0.25 * number(i, j) };
                    entries.push((i, j, unit(i) * entry));
                }
            }
        }
        Csc::from_triplets(n, n, entries).expect("inside")
    }

    fn solves(lu: &mut BorderedLu, matrix: &Csc) {
        let n = matrix.columns();
        let expected: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut b = vec![0.0; n];
        matrix.add_product(1.0, &expected, &mut b);
        lu.factor(matrix).expect("regular");
        lu.solve(&mut b);
        let off = b.iter().zip(&expected).fold(0.0_f64, |off, (x, e)| {
            let error = (x - e).abs();
            if error.is_nan() { f64::INFINITY } else { off.max(error) }
        });
        assert!(off < 1e-11, "{off:e}");
    }

    #[test]
    fn full_rows_come_last_wherever_they_are() {
        let mut lu = BorderedLu::default();
        for (full, in_units) in [
            (&[0, 1, 2][..], false),
            (&[7, 600, 1199], false),
            (&[7, 600, 1199], true),
            (&[], false),
            (&[1199], true),
        ] {
            solves(&mut lu, &arrow(1200, full, in_units));
            assert_eq!((&lu.border[..], lu.is_whole), (full, full.is_empty()));
        }
    }

    #[test]
    fn without_full_rows_the_bits_are_those_of_the_sparse_factors() {
        let matrix = arrow(300, &[], false);
        let (mut bordered, mut sparse) = (BorderedLu::default(), SparseLu::default());
        bordered.factor(&matrix).expect("regular");
        sparse.factor(&matrix).expect("regular");
        let mut x: Vec<f64> = (0..300).map(|i| (i as f64).cos()).collect();
        let mut y = x.clone();
        bordered.solve(&mut x);
        sparse.solve(&mut y);
        assert_eq!(x, y);
    }

    /// Row 500 has entries in only one border column, like the row of a Lagrange multiplier. The interior is
    /// therefore singular.
    #[test]
    fn a_singular_interior_is_factorised_with_the_rest() {
        let n = 1200;
        let mut entries = Vec::new();
        let matrix = arrow(n, &[3, 800], false);
        for j in 0..n {
            let is_free = |i: usize| i != 500 && j != 500 || (i == 3 && j == 500) || (i == 500 && j == 3);
            entries.extend(matrix.column(j).filter(|(i, _)| is_free(*i)).map(|(i, x)| (i, j, x)));
        }
        let matrix = Csc::from_triplets(n, n, entries).expect("inside");
        let mut lu = BorderedLu::default();
        solves(&mut lu, &matrix);
        assert!(lu.is_whole);
        // The same object then factorises a matrix with a border and a matrix without a border.
        for full in [&[3, 800][..], &[]] {
            solves(&mut lu, &arrow(n, full, false));
            assert_eq!(lu.is_whole, full.is_empty());
        }
    }

    /// Refinement restores the digits that are lost to a nearly singular interior.
    #[test]
    fn an_interior_near_to_singular_costs_no_digits() {
        for exponent in -18..=0 {
            costs_no_digits(10.0_f64.powi(exponent), exponent);
        }
    }

    fn costs_no_digits(pivot: f64, exponent: i32) {
        let n = 1200;
        let matrix = arrow(n, &[3, 800], false);
        let mut entries = Vec::new();
        for j in 0..n {
            // Row 500 couples to the border and only weakly to itself.
            let entry = |i: usize, x: f64| match (i == 500, j == 500) {
                (true, true) => pivot,
                (true, false) | (false, true) if ![3, 800].contains(&i) && ![3, 800].contains(&j) => 0.0,
                _ => x,
            };
            entries.extend(matrix.column(j).map(|(i, x)| (i, j, entry(i, x))));
        }
        let mut lu = BorderedLu::default();
        solves(&mut lu, &Csc::from_triplets(n, n, entries).expect("inside"));
        // For exponents from -15 to -10, rounding decides whether the whole matrix is factorised without
        // blocks.
        assert!(exponent < -9 || !lu.is_whole, "{pivot:e}");
        assert!(exponent > -16 || lu.is_whole, "{pivot:e}");
    }

    #[test]
    fn units_of_rows_and_columns_cost_no_digits() {
        let (n, full) = (1200, [3, 800]);
        let matrix = arrow(n, &full, false);
        let unit = |i: usize| f64::powi(2.0, (7 * i % 11) as i32);
        let mut scaled = matrix.clone();
        scaled.scale_entries(|i, j| unit(i) * unit(j));
        let b: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let solved = |matrix: &Csc, b: Vec<f64>| {
            let (mut lu, mut x) = (BorderedLu::default(), b);
            lu.factor(matrix).expect("regular");
            lu.solve(&mut x);
            x
        };
        let x = solved(&matrix, b.clone());
        let y = solved(&scaled, b.iter().enumerate().map(|(i, b)| b * unit(i)).collect());
        let off = x.iter().zip(y.iter().enumerate().map(|(i, y)| y * unit(i))).map(|(x, y)| (x - y).abs());
        assert!(off.fold(0.0, f64::max) < 1e-12);
    }

    #[test]
    fn a_border_that_repeats_a_row_is_singular() {
        let n = 1200;
        let mut entries = Vec::new();
        let matrix = arrow(n, &[3, 800], false);
        for j in 0..n {
            entries.extend(matrix.column(j).filter(|(i, _)| *i != 800).map(|(i, x)| (i, j, x)));
            entries.extend(matrix.column(j).filter(|(i, _)| *i == 3).map(|(_, x)| (800, j, x)));
        }
        let matrix = Csc::from_triplets(n, n, entries).expect("inside");
        let mut lu = BorderedLu::default();
        let mut b = vec![1.0; n];
        if lu.factor(&matrix).is_ok() {
            for _ in 0..2 {
                b.fill(1.0);
                lu.solve(&mut b);
                assert!(b.iter().any(|x| !x.is_finite() || x.abs() > 1e10));
            }
        }
    }
}
