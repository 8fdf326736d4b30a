//! LU factorisation of a dense matrix.
//!
//! Up to [`LARGEST_OWN_LU`] unknowns this crate uses its own elimination, because calling a library costs
//! more than the elimination itself. The elimination allocates memory only if the matrix is larger than all
//! previous ones. For larger matrices, the factorisation is computed by `dgetrf` of LAPACK, or by faer if the
//! feature `openblas` is disabled. Both allocate memory in each factorisation, but not in a solve.

use ndarray::{Array2, ArrayView2};

use super::backend::LargeLu;
use super::pivot_units::{PivotUnits, ROUNDING_PIVOT};
use super::powers::power_of_two_below;
use super::triangular_factors::{LARGEST_OWN_LU, TriangularFactors};
use super::{SingularMatrix, first_non_finite};
use crate::cost::dense_factorisation;
use crate::operations;

/// Factorisation $P A = L U$ with partial pivoting (Golub and Van Loan 2013, section 3.4), with its
/// workspace.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::DenseLu;
///
/// let mut lu = DenseLu::default();
/// lu.factor(array![[0.0, 2.0], [1.0, 1.0]].view())?;
/// let mut x = [4.0, 3.0];
/// lu.solve(&mut x);
/// assert_eq!(x, [1.0, 2.0]);
/// # Ok::<(), siconos_linalg::SingularMatrix>(())
/// ```
#[derive(Clone, Default)]
pub struct DenseLu {
    n: usize,
    /// Matrix row by row, overwritten by its factors.
    lu: Vec<f64>,
    factors: TriangularFactors,
    pivots: Vec<usize>,
    /// `true` if a pivot was not on the diagonal.
    has_exchanged_rows: bool,
    row_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    large: Option<LargeLu>,
    /// `true` if a pivot is so small that it may consist only of rounding errors. Large matrices are also
    /// checked by their reciprocal condition number.
    is_near_singular: bool,
    /// Scale factors of rows and columns. A large matrix is multiplied by them. For a small matrix they are
    /// used only to compare pivots.
    units: PivotUnits,
}

impl std::fmt::Debug for DenseLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DenseLu")
            .field("n", &self.n)
            .field("by_library", &self.large.is_some())
            .finish_non_exhaustive()
    }
}

impl DenseLu {
    /// Returns the number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factorises a square matrix.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] if an entry is not finite; if a pivot is at most `n` times the machine precision,
    /// relative to both the largest entry of its row and the largest entry of its column; or, above
    /// [`LARGEST_OWN_LU`] unknowns, if the reciprocal condition number is at most the machine precision.
    /// [`solve`](Self::solve) must not be called in these cases.
    ///
    /// # Panics
    ///
    /// If the matrix is not square.
    #[track_caller]
    pub fn factor(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        self.begin(a)?;
        // A large matrix is divided by one common factor. A small matrix is eliminated by this crate and
        // needs no scaling.
        let is_large = self.n > LARGEST_OWN_LU;
        let largest = if is_large { self.lu.iter().fold(0.0_f64, |m, x| m.max(x.abs())) } else { 1.0 };
        let unit = if largest > 0.0 { largest.log2().floor().max(-1022.0).exp2() } else { 1.0 };
        self.units.set(self.n, 1.0 / unit);
        self.factor_in_units()
    }

    /// Factorises a square matrix whose rows and columns have different units.
    ///
    /// Pivots are compared after scaling by powers of two that are computed from the matrix. If units are
    /// changed by powers of two, the solutions are bit-identical apart from this change of units.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] as for [`factor`](Self::factor).
    ///
    /// # Panics
    ///
    /// If the matrix is not square.
    #[track_caller]
    pub fn factor_in_any_units(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        self.begin(a)?;
        self.units.find(&self.lu, self.n);
        self.factor_in_units()
    }

    /// Returns `true` if the last matrix may be a singular matrix with rounding errors in its entries. This
    /// is the case if a pivot is very small relative to its row and its column. Above [`LARGEST_OWN_LU`]
    /// unknowns, it is also the case if the reciprocal condition number is very small.
    pub fn is_near_singular(&self) -> bool {
        self.is_near_singular
    }

    /// Copies the entries of a matrix.
    #[track_caller]
    fn begin(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        assert_eq!(a.nrows(), a.ncols(), "an LU factorisation requires a square matrix");
        let n = a.nrows();
        self.n = n;
        self.large = None;
        self.lu.clear();
        match a.as_slice() {
            Some(entries) => self.lu.extend_from_slice(entries),
            None => self.lu.extend(a.iter()),
        }
        match first_non_finite(&self.lu) {
            None => Ok(()),
            Some(index) => Err(SingularMatrix::Pivot { column: index % n, pivot: self.lu[index] }),
        }
    }

    fn factor_in_units(&mut self) -> Result<(), SingularMatrix> {
        if self.n > LARGEST_OWN_LU {
            return self.factor_large().or_else(|_singular| {
                self.equilibrate();
                self.factor_large()
            });
        }
        operations::count(|| dense_factorisation(self.n));
        // The most common sizes are compiled separately, so that their loops are unrolled.
        match self.n {
            2 => self.factor_of_size(2),
            3 => self.factor_of_size(3),
            n => self.factor_of_size(n),
        }
    }

    #[inline(always)]
    fn factor_of_size(&mut self, n: usize) -> Result<(), SingularMatrix> {
        self.measure(n);
        self.eliminate(n)?;
        self.factors.take(&self.lu, n);
        Ok(())
    }

    /// Overwrites `b` with $A^{-1} b$.
    ///
    /// # Panics
    ///
    /// If the length of `b` differs from [`size`](Self::size).
    #[track_caller]
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "the length of the right-hand side must be the number of rows");
        match &self.large {
            None => {
                operations::count(|| 2.0 * (self.n * self.n) as f64);
                self.substitute(b);
            }
            Some(factors) => {
                b.iter_mut().zip(&self.units.rows).for_each(|(b, unit)| *b *= unit);
                factors.solve(b);
                b.iter_mut().zip(&self.units.columns).for_each(|(x, unit)| *x *= unit);
            }
        }
    }

    /// Computes the largest scaled entry of each row and column.
    #[inline(always)]
    fn measure(&mut self, n: usize) {
        for sizes in [&mut self.row_sizes, &mut self.column_sizes] {
            sizes.clear();
            sizes.resize(n, 0.0);
        }
        if n > 0 {
            let rows = self.lu.chunks_exact(n).zip(&self.units.rows);
            for ((row, row_unit), row_size) in rows.zip(&mut self.row_sizes) {
                let columns = row.iter().zip(&self.units.columns);
                for ((x, column_unit), column_size) in columns.zip(&mut self.column_sizes) {
                    let size = x.abs() * row_unit * column_unit;
                    *row_size = row_size.max(size);
                    *column_size = column_size.max(size);
                }
            }
        }
    }

    #[inline(always)]
    fn eliminate(&mut self, n: usize) -> Result<(), SingularMatrix> {
        let rounding = f64::EPSILON * n as f64;
        self.pivots.clear();
        self.has_exchanged_rows = false;
        self.is_near_singular = false;
        for k in 0..n {
            let mut pivot_row = k;
            let size = |i: usize| self.lu[i * n + k].abs() * self.units.rows[i];
            let mut largest = size(k);
            for i in k + 1..n {
                if size(i) > largest {
                    (pivot_row, largest) = (i, size(i));
                }
            }
            let pivot = self.lu[pivot_row * n + k];
            // A pivot is rejected only if it is small relative to both its row and its column, because
            // entries in other rows and columns can have different units.
            let size = self.row_sizes[pivot_row].min(self.column_sizes[k]);
            largest *= self.units.columns[k];
            if largest <= rounding * size || pivot.is_nan() {
                return Err(SingularMatrix::Pivot { column: k, pivot });
            }
            self.is_near_singular |= largest < ROUNDING_PIVOT * size;
            self.pivots.push(pivot_row);
            self.has_exchanged_rows |= pivot_row != k;
            self.row_sizes.swap(k, pivot_row);
            self.units.rows.swap(k, pivot_row);
            if pivot_row != k {
                for j in 0..n {
                    self.lu.swap(k * n + j, pivot_row * n + j);
                }
            }
            let (upper, lower) = self.lu.split_at_mut((k + 1) * n);
            let row_k = &upper[k * n..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / pivot;
                row[k] = factor;
                if factor != 0.0 {
                    for (x, u) in row[k + 1..].iter_mut().zip(&row_k[k + 1..]) {
                        *x -= factor * u;
                    }
                }
            }
        }
        Ok(())
    }

    fn substitute(&self, b: &mut [f64]) {
        if self.has_exchanged_rows {
            for (k, &pivot_row) in self.pivots.iter().enumerate() {
                b.swap(k, pivot_row);
            }
        }
        self.factors.solve(b);
    }

    /// Multiplies the scale factors of rows and columns by further factors, so that the largest scaled entry
    /// of each row and column is near 1.
    ///
    /// Otherwise, a diagonal entry that is only the rounding error of a zero would make all other scaled
    /// entries large, and the condition number would indicate a singular matrix.
    fn equilibrate(&mut self) {
        for is_row in [true, false] {
            self.measure(self.n);
            let (units, sizes) = if is_row {
                (&mut self.units.rows, &self.row_sizes)
            } else {
                (&mut self.units.columns, &self.column_sizes)
            };
            units.iter_mut().zip(sizes).for_each(|(unit, size)| *unit /= power_of_two_below(*size));
        }
    }

    fn factor_large(&mut self) -> Result<(), SingularMatrix> {
        let PivotUnits { rows, columns, .. } = &self.units;
        let scaled =
            Array2::from_shape_fn((self.n, self.n), |(i, j)| self.lu[i * self.n + j] * rows[i] * columns[j]);
        // LAPACK and faer report a pivot that is exactly zero but not a tiny one, so the condition number is
        // checked.
        let factors = LargeLu::factor(scaled).ok_or(SingularMatrix::Condition { reciprocal: 0.0 })?;
        let reciprocal = factors.reciprocal_condition();
        if reciprocal <= f64::EPSILON {
            return Err(SingularMatrix::Condition { reciprocal });
        }
        self.is_near_singular = reciprocal < ROUNDING_PIVOT;
        self.large = Some(factors);
        Ok(())
    }
}
