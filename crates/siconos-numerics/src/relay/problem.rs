//! Data of a relay problem, borrowed for solving and owned for storage.

use ndarray::Array1;
use siconos_linalg::{Matrix, MatrixRef, contiguous, slice};

use crate::box_constraints::BoxProblem;
use crate::convex_set::Interval;
use crate::engine::{check_finite, check_finite_matrix, check_length, check_square};
use crate::error::ProblemError;

/// Relay problem $w = M z + q$, $l \le z \le u$, $-w \in N_{[l, u]}(z)$ with borrowed data, in the form that
/// solvers accept.
///
/// Bounds can be infinite. A lower bound can equal the upper bound; the unknown is then a constant.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::ProblemError;
/// use siconos_numerics::relay::RelayProblem;
///
/// let m = array![[1.0]];
/// assert_eq!(RelayProblem::new(&m, &[0.5], &[0.0], &[f64::INFINITY])?.size(), 1);
/// let refused = RelayProblem::new(&m, &[0.5], &[1.0], &[0.0]).unwrap_err();
/// assert_eq!(refused, ProblemError::Bounds { index: 0, lower: 1.0, upper: 0.0 });
/// # Ok::<(), ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RelayProblem<'a> {
    m: MatrixRef<'a>,
    q: &'a [f64],
    bounds: Interval<'a>,
}

impl<'a> RelayProblem<'a> {
    /// Creates a problem from a square matrix, a vector and the bounds of each unknown.
    ///
    /// Shapes and bounds are checked. A solver checks that `q` is finite; [`BoxComplementarityProblem::new`]
    /// checks that both `m` and `q` are finite.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]), the sizes differ ([`ProblemError::WrongLength`]) or
    /// the bounds are invalid ([`ProblemError::Bounds`]).
    pub fn new(
        m: impl Into<MatrixRef<'a>>,
        q: &'a [f64],
        lower: &'a [f64],
        upper: &'a [f64],
    ) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        check_length("lower", m.rows(), lower.len())?;
        Ok(Self { m, q, bounds: Interval::new(lower, upper)? })
    }

    /// Returns the number of unknowns.
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

    /// Returns the `n` lower bounds.
    #[must_use]
    pub fn lower(&self) -> &'a [f64] {
        self.bounds.lower()
    }

    /// Returns the `n` upper bounds.
    #[must_use]
    pub fn upper(&self) -> &'a [f64] {
        self.bounds.upper()
    }

    /// Returns the bounds as a convex set.
    #[must_use]
    pub fn bounds(&self) -> Interval<'a> {
        self.bounds
    }
}

impl BoxProblem for RelayProblem<'_> {
    fn m(&self) -> MatrixRef<'_> {
        self.m.reborrow()
    }

    fn q(&self) -> &[f64] {
        self.q
    }

    fn bounds(&self, i: usize) -> (f64, f64) {
        (self.bounds.lower()[i], self.bounds.upper()[i])
    }
}

/// Relay problem that owns its data, for files and collections.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::relay::BoxComplementarityProblem;
///
/// let friction = BoxComplementarityProblem::new(array![[2.0]], array![-1.0], array![0.0], array![f64::INFINITY])?;
/// assert_eq!(friction.view().upper(), [f64::INFINITY]);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "RelayProblem")]
#[doc(alias = "box LCP")]
#[derive(Clone, Debug, PartialEq)]
pub struct BoxComplementarityProblem {
    m: Matrix,
    q: Array1<f64>,
    lower: Array1<f64>,
    upper: Array1<f64>,
}

impl BoxComplementarityProblem {
    /// Creates a problem. Checks the shapes and the bounds, and that the matrix and the vector are finite.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]), the sizes differ ([`ProblemError::WrongLength`]), a
    /// value is not finite ([`ProblemError::NotFinite`]) or the bounds are invalid
    /// ([`ProblemError::Bounds`]).
    pub fn new(
        m: impl Into<Matrix>,
        q: Array1<f64>,
        lower: Array1<f64>,
        upper: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        let problem =
            Self { m: m.into(), q: contiguous(q), lower: contiguous(lower), upper: contiguous(upper) };
        RelayProblem::new(&problem.m, slice(&problem.q), slice(&problem.lower), slice(&problem.upper))?;
        check_finite_matrix("M", problem.m.view())?;
        check_finite("q", slice(&problem.q))?;
        Ok(problem)
    }

    /// Returns the borrowed form that solvers accept.
    #[must_use]
    pub fn view(&self) -> RelayProblem<'_> {
        let bounds = Interval::of_checked(slice(&self.lower), slice(&self.upper));
        RelayProblem { m: self.m.view(), q: slice(&self.q), bounds }
    }
}
