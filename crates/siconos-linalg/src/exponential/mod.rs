//! Matrix exponential, and the exact step of a linear system with constant input (zero-order hold).

mod pade;

use ndarray::{Array2, ArrayView2, s};

use self::pade::{exponential_of, largest_column_sum};
use super::{MatrixRef, SingularMatrix};

/// Reason why an exponential could not be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExponentialError {
    /// The matrix is not square.
    #[error("the matrix must be square, not {rows} x {columns}")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// An entry of the matrix, or the step, is NaN or infinite.
    #[error("`{what}` must be finite, but entry {index} is {value}")]
    NotFinite {
        /// Name of the array.
        what: &'static str,
        /// Index of the first entry that is not finite, row by row.
        index: usize,
        /// Value of the entry.
        value: f64,
    },
    /// An entry of the exponential exceeds the range of double precision. This occurs for entries of the
    /// matrix above about 709.
    #[error("the exponential of a matrix of norm {norm:e} (largest column sum) is too large for a double")]
    Overflow {
        /// 1-norm $\lVert A \rVert_1$ of the matrix.
        norm: f64,
    },
    /// The denominator of the Padé approximant is singular to working precision, because the units of the
    /// rows and columns of the matrix differ too much.
    #[error("the denominator of the approximation to the exponential is singular: {0}")]
    Singular(#[from] SingularMatrix),
}

/// Returns the exponential $e^A = I + A + A^2 / 2 + A^3 / 6 + ..$ of a square matrix.
///
/// **Method.** Scaling and squaring: $e^A = (r_m(A / 2^s))^{2^s}$ with the diagonal Padé approximant $r_m$ of
/// degree 3, 5, 7, 9 or 13 (Higham 2005). The pair of m and s is the cheapest one with a backward error of at
/// most the unit roundoff. It is chosen from the norms of powers of A instead of the norm of A. If A is far
/// from normal, this avoids unnecessary squarings and the loss of accuracy that they cause (Al-Mohy and
/// Higham 2009, algorithm 5.1; norms are computed, not estimated). The exponential of a diagonal matrix is
/// computed entry by entry.
///
/// **Guarantee.** In exact arithmetic the result is $e^{A + E}$ with
/// $\lVert E \rVert_1 \le 2^{-53} \lVert A \rVert_1$. Rounding in the squarings can cost up to about $s$
/// binary digits. Small entries of the result are accurate only relative to the large entries.
///
/// The matrix is not balanced, because balancing can reduce the accuracy (Watkins 2006), and the norms of
/// powers provide most of its benefits.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::exponential;
///
/// // Rotation by 90 degrees.
/// let quarter = std::f64::consts::FRAC_PI_2;
/// let turn = exponential(array![[0.0, -quarter], [quarter, 0.0]].view())?;
/// assert!((turn - array![[0.0, -1.0], [1.0, 0.0]]).iter().all(|x| x.abs() < 1e-15));
/// # Ok::<(), siconos_linalg::ExponentialError>(())
/// ```
///
/// # Errors
///
/// [`ExponentialError::NotSquare`] if the matrix is not square, [`ExponentialError::NotFinite`] if an entry
/// is not finite, [`ExponentialError::Overflow`] if an entry of the result overflows,
/// [`ExponentialError::Singular`] if the units of rows and columns differ too much.
///
/// References: N. J. Higham (2005), "The scaling and squaring method for the matrix exponential revisited",
/// SIAM Journal on Matrix Analysis and Applications 26, 1179-1193. A. H. Al-Mohy and N. J. Higham (2009), "A
/// new scaling and squaring algorithm for the matrix exponential", SIAM Journal on Matrix Analysis and
/// Applications 31, 970-989.
#[doc(alias = "expm")]
pub fn exponential(a: ArrayView2<'_, f64>) -> Result<Array2<f64>, ExponentialError> {
    check(a)?;
    let result = if is_diagonal(a) {
        Array2::from_diag(&a.diag().mapv(f64::exp))
    } else {
        exponential_of(a.as_standard_layout().into_owned())?
    };
    if result.iter().all(|x| x.is_finite()) {
        Ok(result)
    } else {
        Err(ExponentialError::Overflow { norm: largest_column_sum(&a.to_owned()) })
    }
}

/// Matrices of an exact step of $x' = A x + b$, with b constant during the step: $x_{k+1} = T x_k + S b_k$.
#[doc(alias = "ZOH")]
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroOrderHold {
    /// $T = e^{A h}$, `n x n` (dimensionless if all states have the same unit).
    pub transition: Array2<f64>,
    /// $S = \int_0^h e^{A s} ds$, `n x n` \[s\].
    pub integral: Array2<f64>,
}

/// Returns the zero-order hold of $x' = A x + b$ over a step h \[s\]: $T = e^{A h}$ and
/// $S = \int_0^h e^{A s} ds$. The matrix A can be singular.
///
/// **Method.** One exponential of a matrix of twice the size (Van Loan 1978, theorem 1), computed by
/// [`exponential`]: exp([A h, I; 0, 0]) = [T, S / h; 0, I]. With I instead of I h in the corner, the two
/// blocks are of similar size regardless of the unit of time. The step can be negative (backward in time) or
/// 0.
///
/// ```
/// use ndarray::array;
/// use siconos_linalg::zero_order_hold;
///
/// // A unit mass under a constant unit force, starting from rest, moves by half of h squared.
/// let hold = zero_order_hold(&array![[0.0, 1.0], [0.0, 0.0]], 0.2)?;
/// assert!((hold.transition[[0, 1]] - 0.2).abs() < 1e-16);
/// assert!((hold.integral[[0, 1]] - 0.02).abs() < 1e-17);
/// # Ok::<(), siconos_linalg::ExponentialError>(())
/// ```
///
/// # Errors
///
/// The errors of [`exponential`] for the matrix A h, and [`ExponentialError::NotFinite`] if the step is not
/// finite.
///
/// Reference: C. F. Van Loan (1978), "Computing integrals involving the matrix exponential", IEEE
/// Transactions on Automatic Control 23, 395-404.
#[doc(alias = "ZeroOrderHoldOSI")]
pub fn zero_order_hold(a: &Array2<f64>, h: f64) -> Result<ZeroOrderHold, ExponentialError> {
    check(a.view())?;
    if !h.is_finite() {
        return Err(ExponentialError::NotFinite { what: "h", index: 0, value: h });
    }
    let n = a.nrows();
    let mut both = Array2::zeros((2 * n, 2 * n));
    both.slice_mut(s![..n, ..n]).assign(&(a * h));
    both.slice_mut(s![..n, n..]).diag_mut().fill(1.0);
    let both = exponential(both.view())?;
    let transition = both.slice(s![..n, ..n]).to_owned();
    let integral = both.slice(s![..n, n..]).mapv(|x| x * h);
    Ok(ZeroOrderHold { transition, integral })
}

fn check(a: ArrayView2<'_, f64>) -> Result<(), ExponentialError> {
    let (rows, columns) = a.dim();
    if rows != columns {
        return Err(ExponentialError::NotSquare { rows, columns });
    }
    match MatrixRef::Dense(a).first_non_finite() {
        None => Ok(()),
        Some((index, value)) => Err(ExponentialError::NotFinite { what: "A", index, value }),
    }
}

fn is_diagonal(a: ArrayView2<'_, f64>) -> bool {
    a.indexed_iter().all(|((i, j), x)| i == j || *x == 0.0)
}
