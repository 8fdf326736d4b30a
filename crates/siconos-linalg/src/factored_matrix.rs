//! Matrix that is factorised as a diagonal, banded, sparse or dense matrix, depending on its pattern.

use ndarray::{Array1, Array2, ArrayView1};

use super::matrix::is_sparse;
use super::sparse_factors::Sparse;
use super::{Csc, DenseLu, MatrixRef, SingularMatrix};

/// Square matrix with its factors. Depending on the pattern, these are the reciprocals of a diagonal, factors
/// of a band, sparse Cholesky or LU factors, or dense LU factors.
///
/// If rows and columns are scaled by powers of two, the solutions are scaled accordingly, bit for bit. This
/// holds if the row and the column of each unknown are scaled alike, as in an iteration matrix, where
/// $W_{ij}$ becomes $W_{ij} a_i a_j / e$ with a common factor e. It also holds if rows and columns are scaled
/// independently.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::{FactoredMatrix, Matrix};
///
/// // M + h^2 K of two masses between three springs.
/// let (mass, stiffness) = (Matrix::from(array![1.0, 1.0]), Matrix::from(array![[2.0, -1.0], [-1.0, 2.0]]));
/// let mut w = FactoredMatrix::default();
/// w.factor_sum(&[(1.0, mass.view()), (1.0, stiffness.view())])?;
/// let mut x = [2.0, 2.0];
/// w.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-15));
/// # Ok::<(), siconos_linalg::SingularMatrix>(())
/// ```
#[derive(Clone, Debug)]
pub struct FactoredMatrix(Factors);

#[derive(Clone, Debug)]
enum Factors {
    Diagonal { entries: Vec<f64>, inverse: Vec<f64> },
    Sparse(Box<Sparse>),
    Dense(Box<Dense>),
    Split(Box<Split>),
}

/// Block-diagonal matrix: a diagonal followed by a dense block.
#[derive(Clone, Debug, Default)]
struct Split {
    diagonal: Vec<f64>,
    block: Dense,
}

#[derive(Clone, Debug, Default)]
struct Dense {
    matrix: Array2<f64>,
    lu: DenseLu,
}

impl Dense {
    fn zeroed(&mut self, n: usize) -> &mut Array2<f64> {
        if self.matrix.dim() == (n, n) {
            self.matrix.fill(0.0);
        } else {
            self.matrix = Array2::zeros((n, n));
        }
        &mut self.matrix
    }

    fn add_magnitudes(&self, pair: impl Fn(usize) -> (f64, f64), (a, b): (&mut [f64], &mut [f64])) {
        let rows = self.matrix.as_slice().unwrap_or_default().chunks_exact(a.len().max(1));
        for ((a, b), row) in a.iter_mut().zip(b).zip(rows) {
            row.iter().enumerate().for_each(|(j, d)| add_magnitude((a, b), *d, pair(j)));
        }
    }
}

impl Split {
    fn solve(&self, b: &mut [f64]) {
        let (head, tail) = b.split_at_mut(self.diagonal.len());
        head.iter_mut().zip(&self.diagonal).for_each(|(b, d)| *b /= d);
        self.block.lu.solve(tail);
    }
}

/// Returns `true` if a diagonal entry and its reciprocal are finite. Diagonal entries can have different
/// units, so they are not compared with each other.
fn is_invertible(d: f64) -> bool {
    d.is_finite() && (1.0 / d).is_finite()
}

#[inline]
fn add_magnitude(target: (&mut f64, &mut f64), entry: f64, (x, y): (f64, f64)) {
    *target.0 += entry.abs() * x;
    *target.1 += entry.abs() * y;
}

fn add_magnitudes_of_diagonal(
    entries: &[f64],
    pair: impl Fn(usize) -> (f64, f64),
    (a, b): (&mut [f64], &mut [f64]),
) {
    let targets = a.iter_mut().zip(b).zip(entries).enumerate();
    targets.for_each(|(i, (target, d))| add_magnitude(target, *d, pair(i)));
}

impl Default for FactoredMatrix {
    /// Returns an empty matrix.
    fn default() -> Self {
        Self(Factors::Diagonal { entries: Vec::new(), inverse: Vec::new() })
    }
}

impl FactoredMatrix {
    /// Factorises a sum of matrices, each multiplied by a factor. The workspace and the order of elimination
    /// are reused as long as the pattern does not change.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the sum is singular to working precision. [`to_dense`](Self::to_dense) still
    /// returns the sum.
    ///
    /// # Panics
    ///
    /// If `terms` is empty, or the matrices are not square or differ in size.
    #[track_caller]
    pub fn factor_sum(&mut self, terms: &[(f64, MatrixRef<'_>)]) -> Result<(), SingularMatrix> {
        let n = terms[0].1.rows();
        if terms.iter().all(|(_, matrix)| matches!(matrix, MatrixRef::Diagonal(_))) {
            return self.invert_diagonal(n, terms);
        }
        let entries: usize = terms.iter().map(|(_, matrix)| matrix.non_zeros()).sum();
        if is_sparse(n, entries) {
            let mut sum = Vec::with_capacity(entries);
            for (factor, matrix) in terms {
                let is_dense = matches!(matrix, MatrixRef::Dense(_));
                matrix.for_each_entry(|i, j, x| {
                    if !is_dense || x != 0.0 {
                        sum.push((i, j, factor * x));
                    }
                });
            }
            return self.factor_sparse(n, sum);
        }
        let sum = self.dense_mut(n);
        for (factor, matrix) in terms {
            match matrix {
                MatrixRef::Diagonal(d) => sum.diag_mut().scaled_add(*factor, d),
                MatrixRef::Dense(a) => sum.scaled_add(*factor, a),
                other => sum.scaled_add(*factor, &other.to_dense()),
            }
        }
        self.factor()
    }

    /// Returns the storage of a dense `n x n` matrix, filled with zeros. The caller writes the entries and
    /// then calls [`factor`](Self::factor).
    pub fn dense_mut(&mut self, n: usize) -> &mut Array2<f64> {
        if !matches!(&self.0, Factors::Dense(_)) {
            self.0 = Factors::Dense(Box::default());
        }
        let Factors::Dense(dense) = &mut self.0 else { unreachable!("it has just been made dense") };
        dense.zeroed(n)
    }

    /// Returns the storage of a dense block of `n` rows, filled with zeros. The caller writes the entries and
    /// then calls [`factor`](Self::factor).
    ///
    /// The block is preceded by `rows` rows that have the diagonal entry `entry` and no other entries. All
    /// rows of the block must have the same unit, as for the rotation of a body.
    pub fn split_mut(&mut self, rows: usize, entry: f64, n: usize) -> &mut Array2<f64> {
        if !matches!(&self.0, Factors::Split(_)) {
            self.0 = Factors::Split(Box::default());
        }
        let Factors::Split(split) = &mut self.0 else { unreachable!("it has just been made of two parts") };
        split.diagonal.resize(rows, entry);
        split.diagonal.fill(entry);
        split.block.zeroed(n)
    }

    /// Factorises the matrix written to [`dense_mut`](Self::dense_mut) or [`split_mut`](Self::split_mut). It
    /// has no effect on a matrix in another storage.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the matrix is singular to working precision.
    pub fn factor(&mut self) -> Result<(), SingularMatrix> {
        match &mut self.0 {
            Factors::Dense(dense) => dense.lu.factor_in_any_units(dense.matrix.view()),
            Factors::Split(split) => match split.diagonal.iter().position(|d| !is_invertible(*d)) {
                Some(column) => Err(SingularMatrix::Pivot { column, pivot: split.diagonal[column] }),
                None => split.block.lu.factor(split.block.matrix.view()),
            },
            _ => Ok(()),
        }
    }

    fn invert_diagonal(&mut self, n: usize, terms: &[(f64, MatrixRef<'_>)]) -> Result<(), SingularMatrix> {
        if !matches!(&self.0, Factors::Diagonal { .. }) {
            *self = Self::default();
        }
        let Factors::Diagonal { entries, inverse } = &mut self.0 else {
            unreachable!("it has just been made")
        };
        entries.clear();
        entries.resize(n, 0.0);
        for (factor, matrix) in terms {
            matrix.for_each_diagonal(|i, d| entries[i] += factor * d);
        }
        inverse.clear();
        inverse.extend(entries.iter().map(|d| 1.0 / d));
        let singular = entries.iter().position(|d| !is_invertible(*d));
        let singular = singular.map(|column| SingularMatrix::Pivot { column, pivot: entries[column] });
        singular.map_or(Ok(()), Err)
    }

    /// Factorises an `n x n` matrix given by its entries (row, column, value). Duplicate entries are added.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if the matrix is singular to working precision.
    ///
    /// # Panics
    ///
    /// If an entry is outside the matrix.
    #[track_caller]
    pub fn factor_entries(
        &mut self,
        n: usize,
        entries: Vec<(usize, usize, f64)>,
    ) -> Result<(), SingularMatrix> {
        assert!(entries.iter().all(|&(i, j, _)| i < n && j < n), "entries lie in the matrix");
        if is_sparse(n, entries.len()) {
            return self.factor_sparse(n, entries);
        }
        let sum = self.dense_mut(n);
        entries.into_iter().for_each(|(i, j, x)| sum[[i, j]] += x);
        self.factor()
    }

    fn factor_sparse(&mut self, n: usize, entries: Vec<(usize, usize, f64)>) -> Result<(), SingularMatrix> {
        if let Some(&(_, column, pivot)) = entries.iter().find(|(.., value)| !value.is_finite()) {
            return Err(SingularMatrix::Pivot { column, pivot });
        }
        let below = entries.iter().map(|(i, j, _)| i.abs_diff(*j)).max().unwrap_or(0);
        let sum = Csc::from_triplets(n, n, entries).unwrap_or_default();
        if below == 0 {
            let diagonal = (0..n).map(|i| sum.get(i, i)).collect::<Array1<_>>();
            return self.invert_diagonal(n, &[(1.0, MatrixRef::Diagonal(diagonal.view()))]);
        }
        if !matches!(&self.0, Factors::Sparse(_)) {
            self.0 = Factors::Sparse(Box::default());
        }
        let Factors::Sparse(sparse) = &mut self.0 else { unreachable!("it has just been made sparse") };
        sparse.matrix = sum;
        sparse.factor(below)
    }

    /// Overwrites `b` with $A^{-1} b$.
    ///
    /// # Panics
    ///
    /// If the length of `b` differs from the number of rows.
    #[inline]
    #[track_caller]
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.0 {
            Factors::Diagonal { inverse, .. } => {
                assert_eq!(b.len(), inverse.len(), "the right-hand side must have an entry for each row");
                b.iter_mut().zip(inverse).for_each(|(b, inverse)| *b *= *inverse);
            }
            Factors::Sparse(sparse) => sparse.solve(b),
            Factors::Dense(dense) => dense.lu.solve(b),
            Factors::Split(split) => split.solve(b),
        }
    }

    /// Overwrites `b` with $v + A^{-1} b$.
    ///
    /// # Panics
    ///
    /// If the length of `b` differs from the number of rows.
    #[inline]
    #[track_caller]
    pub fn solve_onto(&mut self, v: &[f64], b: &mut [f64]) {
        self.solve(b);
        b.iter_mut().zip(v).for_each(|(b, v)| *b += v);
    }

    /// Adds $\sum_j |A_{ij}| x_j$ to entry i of `a`, and $\sum_j |A_{ij}| y_j$ to entry i of `b`. `pair(j)`
    /// returns $(x_j, y_j)$.
    ///
    /// # Panics
    ///
    /// If the lengths of the vectors differ from the number of rows.
    #[inline]
    #[track_caller]
    pub fn add_magnitudes(&self, pair: impl Fn(usize) -> (f64, f64), (a, b): (&mut [f64], &mut [f64])) {
        match &self.0 {
            Factors::Diagonal { entries, .. } => add_magnitudes_of_diagonal(entries, pair, (a, b)),
            Factors::Sparse(sparse) => {
                for j in 0..sparse.matrix.columns() {
                    let of_column = pair(j);
                    let entries = sparse.matrix.column(j);
                    entries.for_each(|(i, d)| add_magnitude((&mut a[i], &mut b[i]), d, of_column));
                }
            }
            Factors::Dense(dense) => dense.add_magnitudes(pair, (a, b)),
            Factors::Split(split) => {
                let rows = split.diagonal.len();
                let ((a, a_block), (b, b_block)) = (a.split_at_mut(rows), b.split_at_mut(rows));
                add_magnitudes_of_diagonal(&split.diagonal, &pair, (a, b));
                split.block.add_magnitudes(|j| pair(rows + j), (a_block, b_block));
            }
        }
    }

    /// Writes the diagonal to `out`.
    pub fn diagonal_into(&self, out: &mut [f64]) {
        match &self.0 {
            Factors::Diagonal { entries, .. } => out.iter_mut().zip(entries).for_each(|(out, d)| *out = *d),
            Factors::Sparse(sparse) => {
                out.iter_mut().enumerate().for_each(|(i, out)| *out = sparse.matrix.get(i, i));
            }
            Factors::Dense(dense) => {
                out.iter_mut().zip(dense.matrix.diag()).for_each(|(out, d)| *out = *d);
            }
            Factors::Split(split) => {
                let entries = split.diagonal.iter().chain(split.block.matrix.diag());
                out.iter_mut().zip(entries).for_each(|(out, d)| *out = *d);
            }
        }
    }

    /// Returns the matrix in dense storage.
    #[must_use]
    pub fn to_dense(&self) -> Array2<f64> {
        match &self.0 {
            Factors::Diagonal { entries, .. } => {
                Array2::from_diag(&entries.iter().copied().collect::<Array1<_>>())
            }
            Factors::Sparse(sparse) => sparse.matrix.to_dense(),
            Factors::Dense(dense) => dense.matrix.clone(),
            Factors::Split(split) => {
                let n = split.diagonal.len() + split.block.matrix.nrows();
                let mut dense = Array2::zeros((n, n));
                self.for_each_entry(|i, j, x| dense[[i, j]] = x);
                dense
            }
        }
    }

    /// Calls `visit` with the row, the column and the value of each stored entry.
    pub fn for_each_entry(&self, mut visit: impl FnMut(usize, usize, f64)) {
        match &self.0 {
            Factors::Diagonal { entries, .. } => {
                MatrixRef::Diagonal(ArrayView1::from(&entries[..])).for_each_entry(visit);
            }
            Factors::Sparse(sparse) => MatrixRef::Csc(&sparse.matrix).for_each_entry(visit),
            Factors::Dense(dense) => MatrixRef::Dense(dense.matrix.view()).for_each_entry(visit),
            Factors::Split(split) => {
                let rows = split.diagonal.len();
                split.diagonal.iter().enumerate().for_each(|(i, d)| visit(i, i, *d));
                let block = split.block.matrix.indexed_iter();
                block.for_each(|((i, j), x)| visit(rows + i, rows + j, *x));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Matrix, power_of_two};

    /// Laplacian matrix on a grid of w x h points, plus a diagonal.
    fn laplace(w: usize, h: usize, diagonal: f64, skew: f64) -> Csc {
        let place = |i: usize, j: usize| i * h + j;
        let mut entries = Vec::new();
        for (i, j) in (0..w).flat_map(|i| (0..h).map(move |j| (i, j))) {
            entries.push((place(i, j), place(i, j), diagonal + 4.0 + 0.01 * (i + 2 * j) as f64));
            for (other, sign) in [(place(i + 1, j), i + 1 < w), (place(i, j + 1), j + 1 < h)] {
                if sign {
                    entries.push((place(i, j), other, -1.0 - skew));
                    entries.push((other, place(i, j), -1.0 + skew));
                }
            }
        }
        Csc::from_triplets(w * h, w * h, entries).expect("entries of the matrix")
    }

    fn solved(matrix: MatrixRef<'_>, b: &[f64]) -> Vec<f64> {
        let (mut w, mut x) = (FactoredMatrix::default(), b.to_vec());
        w.factor_sum(&[(1.0, matrix)]).expect("a regular matrix");
        w.solve(&mut x);
        x
    }

    /// The matrices are a band, a grid, and an unsymmetric matrix on a grid. Their solutions agree with the
    /// solutions of dense LU, and are bit-identical if the units change.
    #[test]
    fn every_storage_has_the_same_solution_in_all_units() {
        for (w, h, skew, expected) in [(60, 1, 0.0, "Band"), (12, 12, 0.0, "Cholesky"), (12, 12, 0.3, "Lu")] {
            let matrix = laplace(w, h, 0.1, skew);
            let n = w * h;
            let b: Vec<_> = (0..n).map(|i| (0.7 * i as f64).sin()).collect();
            let mut factored = FactoredMatrix::default();
            factored.factor_sum(&[(1.0, (&matrix).into())]).expect("a regular matrix");
            let Factors::Sparse(sparse) = &factored.0 else { panic!("not stored as a sparse matrix") };
            assert_eq!(format!("{:?}", sparse.factors), expected);
            let x = solved((&matrix).into(), &b);
            let mut dense = DenseLu::default();
            dense.factor(matrix.to_dense().view()).expect("a regular matrix");
            let mut y = b.clone();
            dense.solve(&mut y);
            let mut of_clone = b.clone();
            factored.clone().solve(&mut of_clone);
            assert_eq!(of_clone, x);
            assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-13), "{expected}");

            let powers = [3, -40, 17, 0, 101, -1, 12];
            let power = |i: usize| power_of_two(powers[i % powers.len()]);
            let mut other = matrix.clone();
            other.scale_entries(|i, j| power(i) * power(j) * 8.0);
            let scaled_b: Vec<_> = b.iter().enumerate().map(|(i, b)| b * power(i)).collect();
            let scaled = solved((&other).into(), &scaled_b);
            assert!(
                scaled.iter().zip(&x).enumerate().all(|(i, (s, x))| s * power(i) * 8.0 == *x),
                "{expected}"
            );

            // Rows and columns are scaled independently.
            let mut other = matrix.clone();
            other.scale_entries(|i, j| power(i) * power(3 * j + 1));
            let scaled = solved((&other).into(), &scaled_b);
            let same = scaled.iter().zip(&x).enumerate().all(|(i, (s, x))| s * power(3 * i + 1) == *x);
            assert!(same, "{expected}");
        }
    }

    #[test]
    fn a_dense_matrix_of_zeros_but_few_is_not_stored_as_one() {
        let band = laplace(100, 1, 0.0, 0.0);
        let (dense, mass) = (Matrix::from(band.to_dense()), Matrix::from(Array1::from_elem(100, 2.0)));
        let mut w = FactoredMatrix::default();
        w.factor_sum(&[(1.0, mass.view()), (0.5, dense.view())]).expect("a regular matrix");
        assert!(matches!(&w.0, Factors::Sparse(_)));
        let mut diagonal = vec![0.0; 100];
        w.diagonal_into(&mut diagonal);
        assert_eq!((diagonal[7], w.to_dense()[[7, 8]]), (2.0 + 0.5 * band.get(7, 7), -0.5));
        let (mut sums, mut doubled) = (vec![0.0; 100], vec![0.0; 100]);
        w.add_magnitudes(|_| (1.0, 2.0), (&mut sums, &mut doubled));
        assert_eq!((sums[7], doubled[7]), (diagonal[7] + 1.0, 2.0 * diagonal[7] + 2.0));
        let diagonal = Matrix::from(Array2::from_diag(&Array1::from_elem(100, 2.0)));
        w.factor_sum(&[(1.0, diagonal.view())]).expect("a regular matrix");
        assert!(matches!(&w.0, Factors::Diagonal { .. }));
    }

    #[test]
    fn entries_are_summed_and_stored_as_they_ask() {
        let band = laplace(100, 1, 0.5, 0.2);
        let mut entries = Vec::new();
        MatrixRef::Csc(&band).for_each_entry(|i, j, x| entries.extend([(i, j, 0.25 * x), (i, j, 0.75 * x)]));
        let b: Vec<_> = (0..100).map(|i| (0.3 * i as f64).cos()).collect();
        let (mut w, mut x) = (FactoredMatrix::default(), b.clone());
        w.factor_entries(100, entries).expect("a regular matrix");
        assert!(matches!(&w.0, Factors::Sparse(_)));
        w.solve(&mut x);
        assert_eq!(x, solved((&band).into(), &b));
        w.factor_entries(2, vec![(0, 0, 1.0), (1, 1, 2.0), (0, 0, 3.0)]).expect("a regular matrix");
        assert!(matches!(&w.0, Factors::Dense(_)));
        let mut x = [8.0, 1.0];
        w.solve(&mut x);
        assert_eq!(x, [2.0, 0.5]);
    }

    #[test]
    fn a_diagonal_before_a_block_is_the_matrix_of_both() {
        let block = ndarray::array![[3.0, 0.5, -0.25], [0.75, 2.0, 0.125], [0.0, -0.5, 1.5]];
        let (mut split, mut dense) = (FactoredMatrix::default(), FactoredMatrix::default());
        split.split_mut(2, 4.0, 3).assign(&block);
        split.factor().expect("a regular matrix");
        let all = split.to_dense();
        assert_eq!((all[[1, 1]], all[[0, 1]], all[[1, 3]], all[[3, 2]]), (4.0, 0.0, 0.0, 0.75));
        dense.dense_mut(5).assign(&all);
        dense.factor().expect("a regular matrix");
        let b = [1.0, -2.0, 0.5, 0.25, 3.0];
        let (mut x, mut y) = (b, b);
        split.solve(&mut x);
        dense.solve(&mut y);
        assert!(x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-15), "{x:?} {y:?}");
        let read = |matrix: &FactoredMatrix| {
            let (mut sums, mut doubled, mut diagonal) = ([0.0; 5], [0.0; 5], [0.0; 5]);
            matrix.add_magnitudes(|j| (b[j], 2.0 * b[j]), (&mut sums, &mut doubled));
            matrix.diagonal_into(&mut diagonal);
            (sums, doubled, diagonal)
        };
        assert_eq!(read(&split), read(&dense));
        split.split_mut(2, 0.0, 3).assign(&block);
        assert_eq!(split.factor(), Err(SingularMatrix::Pivot { column: 0, pivot: 0.0 }));
    }

    /// Springs without a support have a singular stiffness matrix, stored as a band or as a grid.
    #[test]
    fn singular_matrices_are_refused() {
        for (w, h) in [(60, 1), (12, 12)] {
            let mut matrix = laplace(w, h, 0.0, 0.0);
            let sums: Vec<f64> = (0..w * h).map(|j| matrix.column(j).map(|(_, x)| x).sum()).collect();
            for (j, sum) in sums.iter().enumerate() {
                let place =
                    matrix.starts()[j] + matrix.column(j).position(|(i, _)| i == j).expect("a diagonal");
                matrix.values_mut()[place] -= sum;
            }
            assert!(FactoredMatrix::default().factor_sum(&[(1.0, (&matrix).into())]).is_err(), "{w} x {h}");
        }
        let zero = Matrix::from(Array1::from_vec(vec![1.0, 0.0]));
        let error = FactoredMatrix::default().factor_sum(&[(1.0, zero.view())]).expect_err("it is singular");
        assert_eq!(error, SingularMatrix::Pivot { column: 1, pivot: 0.0 });
    }
}
