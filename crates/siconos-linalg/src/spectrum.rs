//! Eigenvalues and singular values of dense matrices. They are used to analyse systems, not in time steps.

use ndarray::{Array2, ArrayView2};

use super::backend;

/// Reason why eigenvalues or singular values could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SpectrumError {
    /// The matrix is not square and therefore has no eigenvalues.
    #[error("eigenvalues require a square matrix, not {rows} x {columns}")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// The real and imaginary parts differ in shape.
    #[error("the real part is {} x {}, but the imaginary part is {} x {}", real.0, real.1, imaginary.0, imaginary.1)]
    PartsDiffer {
        /// Numbers of rows and columns of the real part.
        real: (usize, usize),
        /// Numbers of rows and columns of the imaginary part.
        imaginary: (usize, usize),
    },
    /// An entry is NaN or infinite.
    #[error("the entry in row {row}, column {column} is {value}; it must be finite")]
    NotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// Value of the entry.
        value: f64,
    },
    /// The iteration did not converge. This is very rare.
    #[error("the iteration for the eigenvalues or singular values did not converge")]
    NoConvergence,
}

/// Eigenvalues and eigenvectors of a symmetric matrix, $A V = V \mathrm{diag}(w)$, $V^T V = I$.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues in ascending order.
    pub values: Vec<f64>,
    /// Eigenvectors: column k is a unit eigenvector for `values[k]`.
    pub vectors: Array2<f64>,
}

/// Returns the eigenvalues of a square matrix as pairs (real part, imaginary part), in no particular order.
/// The matrix is balanced first (Golub and Van Loan 2013, section 7.5).
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::eigenvalues;
///
/// let mut oscillator = eigenvalues(array![[0.0, 2.0], [-2.0, 0.0]].view())?;
/// oscillator.sort_by(|a, b| a.1.total_cmp(&b.1));
/// assert!((oscillator[0].1 + 2.0).abs() < 1e-15 && (oscillator[1].1 - 2.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::SpectrumError>(())
/// ```
///
/// # Errors
///
/// [`SpectrumError`] if the matrix is not square, an entry is not finite, or the iteration does not converge.
pub fn eigenvalues(a: ArrayView2<'_, f64>) -> Result<Vec<(f64, f64)>, SpectrumError> {
    check_square(a)?;
    check_finite(a)?;
    if a.is_empty() {
        return Ok(Vec::new());
    }
    backend::eigenvalues(a).ok_or(SpectrumError::NoConvergence)
}

/// Returns the eigenvalues and eigenvectors of a symmetric matrix. Only its lower triangle is read.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::symmetric_eigen;
///
/// let eigen = symmetric_eigen(array![[2.0, 1.0], [1.0, 2.0]].view())?;
/// assert!((eigen.values[0] - 1.0).abs() < 1e-15 && (eigen.values[1] - 3.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::SpectrumError>(())
/// ```
///
/// # Errors
///
/// [`SpectrumError`] if the matrix is not square, an entry is not finite, or the iteration does not converge.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<SymmetricEigen, SpectrumError> {
    check_square(a)?;
    check_finite(a)?;
    if a.is_empty() {
        return Ok(SymmetricEigen { values: Vec::new(), vectors: Array2::zeros((0, 0)) });
    }
    let lower = Array2::from_shape_fn(a.dim(), |(i, j)| if i >= j { a[[i, j]] } else { a[[j, i]] });
    let (values, vectors) = backend::symmetric_eigen(&lower).ok_or(SpectrumError::NoConvergence)?;
    Ok(SymmetricEigen { values, vectors })
}

/// Returns the min(rows, columns) singular values of a matrix of any shape, in descending order.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::singular_values;
///
/// let values = singular_values(array![[3.0, 0.0, 0.0], [0.0, 0.0, -4.0]].view())?;
/// assert!((values[0] - 4.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::SpectrumError>(())
/// ```
///
/// # Errors
///
/// [`SpectrumError`] if an entry is not finite or the iteration does not converge.
pub fn singular_values(a: ArrayView2<'_, f64>) -> Result<Vec<f64>, SpectrumError> {
    check_finite(a)?;
    if a.is_empty() {
        return Ok(Vec::new());
    }
    backend::singular_values(a).ok_or(SpectrumError::NoConvergence)
}

/// Returns the singular values of the complex matrix `re` + i `im`, in descending order.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::complex_singular_values;
///
/// let values = complex_singular_values(array![[3.0]].view(), array![[4.0]].view())?;
/// assert!((values[0] - 5.0).abs() < 1e-15);
/// # Ok::<(), siconos_linalg::SpectrumError>(())
/// ```
///
/// # Errors
///
/// [`SpectrumError`] if the shapes differ, an entry is not finite, or the iteration does not converge.
pub fn complex_singular_values(
    re: ArrayView2<'_, f64>,
    im: ArrayView2<'_, f64>,
) -> Result<Vec<f64>, SpectrumError> {
    if re.dim() != im.dim() {
        return Err(SpectrumError::PartsDiffer { real: re.dim(), imaginary: im.dim() });
    }
    check_finite(re)?;
    check_finite(im)?;
    if re.is_empty() {
        return Ok(Vec::new());
    }
    backend::complex_singular_values(re, im).ok_or(SpectrumError::NoConvergence)
}

fn check_square(a: ArrayView2<'_, f64>) -> Result<(), SpectrumError> {
    let (rows, columns) = a.dim();
    if rows == columns { Ok(()) } else { Err(SpectrumError::NotSquare { rows, columns }) }
}

fn check_finite(a: ArrayView2<'_, f64>) -> Result<(), SpectrumError> {
    match a.indexed_iter().find(|(_, x)| !x.is_finite()) {
        None => Ok(()),
        Some(((row, column), &value)) => Err(SpectrumError::NotFinite { row, column, value }),
    }
}
