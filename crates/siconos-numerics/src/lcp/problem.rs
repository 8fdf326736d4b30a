//! Borrowed and owned data of a linear complementarity problem.

use ndarray::Array1;
use siconos_linalg::{Matrix, MatrixRef, contiguous, slice};

use crate::box_constraints::BoxProblem;
use crate::engine::{check_finite, check_finite_matrix, check_square};
use crate::error::ProblemError;

/// Linear complementarity problem $w = M z + q$, $0 \le w \perp z \ge 0$ with borrowed data, in the form that
/// solvers accept.
///
/// The data are borrowed because in time-stepping the set of active contacts, and with it the size of the
/// problem, can change at every step.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::ProblemError;
/// use siconos_numerics::lcp::LcpProblem;
///
/// let m = array![[2.0, 1.0], [1.0, 2.0]];
/// assert_eq!(LcpProblem::new(&m, &[-1.0, 1.0])?.size(), 2);
/// let refused = LcpProblem::new(&m, &[-1.0]).unwrap_err();
/// assert_eq!(refused, ProblemError::WrongLength { what: "q", expected: 2, found: 1 });
/// # Ok::<(), ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LcpProblem<'a> {
    m: MatrixRef<'a>,
    q: &'a [f64],
}

impl<'a> LcpProblem<'a> {
    /// Creates a problem from a square matrix and a vector with one entry per row.
    ///
    /// Only the shapes are checked. Solvers check that `q` is finite; [`LinearComplementarityProblem::new`]
    /// checks that both `m` and `q` are finite.
    ///
    /// # Errors
    ///
    /// If the matrix is not square ([`ProblemError::NotSquare`]), or if `q` has a different number of entries
    /// ([`ProblemError::WrongLength`]).
    pub fn new(m: impl Into<MatrixRef<'a>>, q: &'a [f64]) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        Ok(Self { m, q })
    }

    /// Returns the number of unknowns, `n`.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns the matrix M, `n x n`.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    /// Returns the vector q, with `n` entries.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }
}

impl BoxProblem for LcpProblem<'_> {
    fn m(&self) -> MatrixRef<'_> {
        self.m.reborrow()
    }

    fn q(&self) -> &[f64] {
        self.q
    }

    fn bounds(&self, _: usize) -> (f64, f64) {
        (0.0, f64::INFINITY)
    }
}

/// Linear complementarity problem that owns its data, for files and collections.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::lcp::LinearComplementarityProblem;
///
/// let problem = LinearComplementarityProblem::new(array![[1.0]], array![-2.0])?;
/// assert_eq!(problem.view().size(), 1);
/// assert!(LinearComplementarityProblem::new(array![[f64::NAN]], array![-2.0]).is_err());
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "LCP")]
#[derive(Clone, Debug, PartialEq)]
pub struct LinearComplementarityProblem {
    m: Matrix,
    q: Array1<f64>,
}

impl LinearComplementarityProblem {
    /// Creates a problem. Checks the shapes, and that all entries are finite.
    ///
    /// # Errors
    ///
    /// If the matrix is not square ([`ProblemError::NotSquare`]), if `q` has a different number of entries
    /// ([`ProblemError::WrongLength`]), or if an entry is not finite ([`ProblemError::NotFinite`]).
    pub fn new(m: impl Into<Matrix>, q: Array1<f64>) -> Result<Self, ProblemError> {
        let (m, q) = (m.into(), contiguous(q));
        check_square(m.rows(), m.columns(), slice(&q))?;
        check_finite_matrix("M", m.view())?;
        check_finite("q", slice(&q))?;
        Ok(Self { m, q })
    }

    /// Returns the borrowed form that solvers accept.
    #[must_use]
    pub fn view(&self) -> LcpProblem<'_> {
        LcpProblem { m: self.m.view(), q: slice(&self.q) }
    }
}
