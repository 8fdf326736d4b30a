//! The data of an affine variational inequality.

use ndarray::{Array1, Array2, ArrayView2};
use serde::{Deserialize, Serialize};
use siconos_linalg::{Matrix, MatrixRef, slice};

use super::scales::Scales;
use crate::engine::{check_finite, check_finite_matrix, check_length, check_square};
use crate::error::ProblemError;

/// Affine variational inequality with borrowed data: find $z \in P = \lbrace z : H z \ge K \rbrace$ with
/// $(M z + q)^T (y - z) \ge 0$ for all $y \in P$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::ProblemError;
/// use siconos_numerics::avi::AviProblem;
///
/// // The triangle z_1 >= 0, z_2 >= 0, z_1 + z_2 <= 1.
/// let (m, h) = (array![[1.0, 0.0], [0.0, 1.0]], array![[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]);
/// let problem = AviProblem::new(&m, &[-2.0, 0.0], h.view(), &[0.0, 0.0, -1.0])?;
/// assert_eq!((problem.size(), problem.inequalities()), (2, 3));
/// assert!(AviProblem::new(&m, &[-2.0, 0.0], h.view(), &[0.0]).is_err());
/// # Ok::<(), ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AviProblem<'a> {
    m: MatrixRef<'a>,
    q: &'a [f64],
    h: ArrayView2<'a, f64>,
    k: &'a [f64],
    /// Scales of the error, if a solver has computed them.
    scales: Option<&'a Scales>,
}

impl<'a> AviProblem<'a> {
    /// Creates a problem from the map and the polyhedron. Only shapes are checked; a solver checks that the
    /// data are finite.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]) or the sizes differ ([`ProblemError::WrongLength`]).
    pub fn new(
        m: impl Into<MatrixRef<'a>>,
        q: &'a [f64],
        h: ArrayView2<'a, f64>,
        k: &'a [f64],
    ) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        check_length("a row of H", q.len(), h.ncols())?;
        check_length("K", h.nrows(), k.len())?;
        Ok(Self { m, q, h, k, scales: None })
    }

    /// Returns this problem with its scales.
    pub(super) fn with_scales<'b>(&'b self, scales: &'b Scales) -> AviProblem<'b> {
        AviProblem { m: self.m.reborrow(), q: self.q, h: self.h.view(), k: self.k, scales: Some(scales) }
    }

    /// Returns the scales, if a solver has set them.
    pub(super) fn scales(&self) -> Option<&'a Scales> {
        self.scales
    }

    /// Returns the number of unknowns, `n`.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns the number of inequalities, `p`.
    #[must_use]
    pub fn inequalities(&self) -> usize {
        self.k.len()
    }

    /// Returns the matrix M of the map, `n x n`.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    /// Returns the constant term q of the map, with `n` entries.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// Returns the matrix H of the polyhedron, `p x n`.
    #[must_use]
    pub fn h(&self) -> ArrayView2<'a, f64> {
        self.h
    }

    /// Returns the right-hand side K of the polyhedron, with `p` entries.
    #[must_use]
    pub fn k(&self) -> &'a [f64] {
        self.k
    }
}

/// Affine variational inequality that owns its data, for files and collections.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::avi::AffineVariationalInequality;
///
/// let half_line = AffineVariationalInequality::new(array![[1.0]], array![2.0], array![[1.0]], array![0.0])?;
/// let text = serde_json::to_string(&half_line).unwrap();
/// assert_eq!(serde_json::from_str::<AffineVariationalInequality>(&text).unwrap(), half_line);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "AVI")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct AffineVariationalInequality {
    m: Matrix,
    q: Array1<f64>,
    h: Array2<f64>,
    k: Array1<f64>,
}

/// Data as stored in a file.
#[derive(Deserialize)]
struct Unchecked {
    m: Matrix,
    q: Array1<f64>,
    h: Array2<f64>,
    k: Array1<f64>,
}

impl TryFrom<Unchecked> for AffineVariationalInequality {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.m, data.q, data.h, data.k)
    }
}

impl AffineVariationalInequality {
    /// Creates a problem. Checks the shapes, and that all entries are finite.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]), the sizes differ ([`ProblemError::WrongLength`]) or
    /// an entry is not finite ([`ProblemError::NotFinite`]).
    pub fn new(
        m: impl Into<Matrix>,
        q: Array1<f64>,
        h: Array2<f64>,
        k: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        let (q, k) = (q.into_iter().collect(), k.into_iter().collect());
        let problem = Self { m: m.into(), q, h, k };
        let view = AviProblem::new(&problem.m, slice(&problem.q), problem.h.view(), slice(&problem.k))?;
        check_data(&view)?;
        Ok(problem)
    }

    /// Returns the borrowed form that solvers accept.
    #[must_use]
    pub fn view(&self) -> AviProblem<'_> {
        AviProblem { m: self.m.view(), q: slice(&self.q), h: self.h.view(), k: slice(&self.k), scales: None }
    }
}

/// Checks that all data are finite.
pub(super) fn check_data(problem: &AviProblem<'_>) -> Result<(), ProblemError> {
    check_finite_matrix("M", problem.m.reborrow())?;
    check_finite_matrix("H", MatrixRef::Dense(problem.h))?;
    check_finite("q", problem.q)?;
    check_finite("K", problem.k)
}
