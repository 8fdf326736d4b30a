//! Backend with LAPACK, through `ndarray-linalg`.

use ndarray::{Array2, ArrayView2, ArrayViewMut1, OwnedRepr};
use ndarray_linalg::{
    EigVals, Eigh, FactorizeInto, LUFactorized, ReciprocalConditionNum, SVD, Solve, UPLO, c64,
};
// OpenBLAS is used through `ndarray-linalg`. This import makes the linker keep the library.
use openblas_src as _;

use super::blas_threads;
use crate::cost::dense_factorisation;
use crate::operations;

/// Factorisation $P A = L U$ by `dgetrf`.
#[derive(Clone)]
pub(crate) struct LargeLu(LUFactorized<OwnedRepr<f64>>);

impl LargeLu {
    /// Factorises a matrix whose largest entry is near 1. Returns `None` if a pivot vanishes.
    pub(crate) fn factor(a: Array2<f64>) -> Option<Self> {
        operations::count(|| dense_factorisation(a.nrows()));
        blas_threads::restrict();
        a.factorize_into().ok().map(Self)
    }

    /// Returns an estimate of $1 / (\lVert A \rVert_1 \lVert A^{-1} \rVert_1)$.
    pub(crate) fn reciprocal_condition(&self) -> f64 {
        // NOTE: `rcond` of ndarray-linalg uses the norm of the factors, including the unit diagonal of L,
        // instead of the norm of the matrix. If the largest entry is near 1, the difference does not matter.
        // A matrix with small entries would be reported as singular.
        self.0.rcond().unwrap_or(0.0)
    }

    pub(crate) fn solve(&self, b: &mut [f64]) {
        operations::count(|| 2.0 * (b.len() * b.len()) as f64);
        let is_solved = self.0.solve_inplace(&mut ArrayViewMut1::from(b)).is_ok();
        debug_assert!(is_solved, "sizes agree and the factors are regular");
    }
}

/// Computes eigenvalues with `dgeev`, which balances the matrix first. Returns `None` if the iteration does
/// not converge.
pub(crate) fn eigenvalues(a: ArrayView2<'_, f64>) -> Option<Vec<(f64, f64)>> {
    blas_threads::restrict();
    let values = row_by_row(a).eigvals().ok()?;
    Some(values.iter().map(|z| (z.re, z.im)).collect())
}

/// Computes eigenvalues and eigenvectors (the columns) with `dsyev`, from the lower triangle of the matrix.
/// Returns `None` if the iteration does not converge.
pub(crate) fn symmetric_eigen(a: &Array2<f64>) -> Option<(Vec<f64>, Array2<f64>)> {
    blas_threads::restrict();
    let (values, vectors) = a.eigh(UPLO::Lower).ok()?;
    Some((values.to_vec(), vectors))
}

/// Computes singular values with `dgesvd`. Returns `None` if the iteration does not converge.
pub(crate) fn singular_values(a: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    blas_threads::restrict();
    let (_, values, _) = row_by_row(a).svd(false, false).ok()?;
    Some(values.to_vec())
}

/// Computes singular values with `zgesvd`. Returns `None` if the iteration does not converge.
pub(crate) fn complex_singular_values(re: ArrayView2<'_, f64>, im: ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    let z = Array2::from_shape_fn(re.dim(), |place| c64::new(re[place], im[place]));
    blas_threads::restrict();
    let (_, values, _) = z.svd(false, false).ok()?;
    Some(values.to_vec())
}

/// Copies a matrix to standard layout.
// NOTE: ndarray treats a view of one row or column as standard layout regardless of its strides, and
// ndarray-linalg rejects it.
fn row_by_row(a: ArrayView2<'_, f64>) -> Array2<f64> {
    Array2::from_shape_fn(a.dim(), |place| a[place])
}
