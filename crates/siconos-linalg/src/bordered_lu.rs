//! LU of a sparse matrix of which a few rows and columns are full.

use ndarray::Array2;

use super::{Csc, DenseLu, SingularMatrix, SparseLu, are_finite, largest_magnitude};

/// LU of a square matrix with a pattern that is nearly symmetric, some of whose rows and columns may be full,
/// as those of a body that touches all others.
///
/// Partial pivoting has to provide for any order of rows: where one is full, for factors without a zero. So
/// full rows and columns come last, by blocks: with the others in front,
///
/// $$ \begin{pmatrix} A & B \cr C & D \end{pmatrix}, \qquad S = D - C A^{-1} B, $$
///
/// (rows A, B and C, D; S = D - C A^-1 B), A is factorised as a sparse matrix and S as a dense one (block
/// elimination: Saad 2003, section 14.2). Where A is nearer to singular than the whole, digits are lost, for
/// which solutions are corrected. Where A or S is singular the whole is factorised as it is, and so is a
/// small one where corrections do not settle. Without full rows this is [`SparseLu`].
#[derive(Clone, Debug, Default)]
pub struct BorderedLu {
    /// The factors of the matrix as it is, where they are those in use.
    all: SparseLu,
    is_whole: bool,
    inner: SparseLu,
    schur: DenseLu,
    /// The place of each row: in A, or in D.
    places: Vec<Place>,
    /// The rows of A and of D.
    interior: Vec<usize>,
    border: Vec<usize>,
    a: Csc,
    /// C, column by column, and $A^{-1} B$, one column after the other.
    below: Csc,
    responses: Vec<f64>,
    corner: Array2<f64>,
    x: Vec<f64>,
    last: Vec<f64>,
    /// The matrix, where there is a border, and what a solution leaves of the right-hand side.
    whole: Csc,
    rest: Vec<f64>,
    given: Vec<f64>,
    of_row: Vec<usize>,
}

/// Where a row of the matrix is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Interior(usize),
    Border(usize),
}

/// A row or column with more entries than this times the root of their number is full, as for minimum degree
/// (Amestoy, Davis, Duff 2004).
const FULL: f64 = 10.0;

/// Solutions are corrected until a correction is this part of them, but not more often than that.
const SETTLED: f64 = 1e-8;
const MOST_CORRECTIONS: usize = 3;

/// Up to so many unknowns there is room for factors without a zero.
const LARGEST_WHOLE: usize = 4000;

/// Full rows whose columns of $A^{-1} B$ have more entries together stay where they are: 128 MB.
const MOST_RESPONSES: usize = 16_000_000;

impl BorderedLu {
    /// As [`SparseLu::group_columns`].
    pub fn group_columns(&mut self) {
        self.all.group_columns();
        self.inner.group_columns();
    }

    /// Factorises a square matrix.
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
                    Place::Interior(i) => a.push(i, entry),
                    Place::Border(i) => below.push(i, entry),
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
                    Place::Interior(i) => x[i] = entry,
                    Place::Border(i) => corner[[i, j]] = entry,
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
                places.push(Place::Border(next));
                next += 1;
            } else {
                places.push(Place::Interior(interior.len()));
                interior.push(row);
            }
        }
    }

    /// Overwrites `b` with the solution; entries that are not finite tell that the matrix was singular.
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
            // The next one would be about as much smaller again.
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

    /// Chains of three, all of which have entries in some rows and columns; row i is in units of 2^i, if so.
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

    /// Without a part of its own the matrix is that of the border alone: the multiplier of a row of it, say.
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
        // One with a border after it, and one without.
        for full in [&[3, 800][..], &[]] {
            solves(&mut lu, &arrow(n, full, false));
            assert_eq!(lu.is_whole, full.is_empty());
        }
    }

    /// The digits that a nearly singular interior costs come back with the correction.
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
            // A row that couples to the border and to little else.
            let entry = |i: usize, x: f64| match (i == 500, j == 500) {
                (true, true) => pivot,
                (true, false) | (false, true) if ![3, 800].contains(&i) && ![3, 800].contains(&j) => 0.0,
                _ => x,
            };
            entries.extend(matrix.column(j).map(|(i, x)| (i, j, entry(i, x))));
        }
        let mut lu = BorderedLu::default();
        solves(&mut lu, &Csc::from_triplets(n, n, entries).expect("inside"));
        // In between rounding decides.
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
