//! LU factorisation of a dense matrix, kept and used for many right-hand sides.
//!
//! Up to [`LARGEST_OWN_LU`] unknowns the factorisation is our own and allocates nothing once the object has
//! seen a matrix of that size: the call of a library costs more than the elimination there. Above, it is
//! LAPACK's `dgetrf`, or faer's without the feature `openblas`; either allocates its result at each
//! factorisation (not at each solve).

use ndarray::{Array2, ArrayView2};

use super::backend::LargeLu;
use super::pivot_units::{PivotUnits, ROUNDING_PIVOT};
use super::powers::power_of_two_below;
use super::triangular_factors::{LARGEST_OWN_LU, TriangularFactors};
use super::{SingularMatrix, first_non_finite};
use crate::cost::dense_factorisation;
use crate::operations;

/// $P A = L U$ with partial pivoting (Golub and Van Loan 2013, section 3.4), and its memory.
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
    /// The matrix row by row, and what elimination makes of it.
    lu: Vec<f64>,
    factors: TriangularFactors,
    pivots: Vec<usize>,
    /// Whether a pivot was not on the diagonal.
    has_exchanged_rows: bool,
    row_sizes: Vec<f64>,
    column_sizes: Vec<f64>,
    large: Option<LargeLu>,
    /// `true` if a pivot, or the reciprocal condition number of a large matrix, may be the rounding of sums.
    is_near_singular: bool,
    /// The factors of rows and columns of a large matrix. Pivots of a small one are compared in these units.
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
    /// The number of unknowns of the last matrix.
    #[must_use]
    pub fn size(&self) -> usize {
        self.n
    }

    /// Factorises a square matrix.
    ///
    /// # Errors
    ///
    /// [`SingularMatrix`] when an entry is not finite; when a pivot is below `n` times the machine precision
    /// both times the largest entry of its row and times that of its column; above [`LARGEST_OWN_LU`]
    /// unknowns, when the reciprocal condition number is below the machine precision. Nothing can be solved
    /// then.
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    #[track_caller]
    pub fn factor(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        self.begin(a)?;
        // One unit for all; our own elimination needs none.
        let is_large = self.n > LARGEST_OWN_LU;
        let largest = if is_large { self.lu.iter().fold(0.0_f64, |m, x| m.max(x.abs())) } else { 1.0 };
        let unit = if largest > 0.0 { largest.log2().floor().max(-1022.0).exp2() } else { 1.0 };
        self.units.set(self.n, 1.0 / unit);
        self.factor_in_units()
    }

    /// Factorises a square matrix whose rows and columns have units of their own: pivots are compared in
    /// units that the matrix itself determines. In other units, by powers of two, the solutions are the same
    /// bit for bit.
    ///
    /// # Errors
    ///
    /// As [`factor`](Self::factor).
    ///
    /// # Panics
    ///
    /// When the matrix is not square.
    #[track_caller]
    pub fn factor_in_any_units(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        self.begin(a)?;
        self.units.find(&self.lu, self.n);
        self.factor_in_units()
    }

    /// Returns `true` if the last matrix may be a singular one whose entries are sums that were rounded: a
    /// pivot is that small relative to its row and its column, or the reciprocal condition number of a
    /// matrix above [`LARGEST_OWN_LU`].
    pub fn is_near_singular(&self) -> bool {
        self.is_near_singular
    }

    /// Takes over the entries of a matrix.
    #[track_caller]
    fn begin(&mut self, a: ArrayView2<'_, f64>) -> Result<(), SingularMatrix> {
        assert_eq!(a.nrows(), a.ncols(), "only a square matrix has an LU factorisation here");
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
        // Compiled once more for the sizes of most systems, whose loops are then spelled out.
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
    /// When `b` has not [`size`](Self::size) entries.
    #[track_caller]
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.n, "the right-hand side must have as many entries as the matrix has rows");
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

    /// Notes the largest entry of each row and column, in the units in which pivots are compared.
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
            // Small beside its row and beside its column: large entries elsewhere have other units.
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

    /// Gives rows and columns units in which their largest entries are near 1, beginning with those they
    /// have: a diagonal entry that is only what rounding left of 0 makes all else large in the units of a
    /// matrix, and the matrix singular by its condition.
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
        // A library reports an exactly vanishing pivot, and a tiny one not at all: hence the condition.
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
