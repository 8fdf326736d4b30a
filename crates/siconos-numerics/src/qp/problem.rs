//! Data of a convex quadratic program, borrowed for solving and owned for storage.

use ndarray::Array1;
use serde::{Deserialize, Serialize};
use siconos_linalg::{Matrix, MatrixRef};

use crate::convex_set::{ConvexSet, Interval};
use crate::engine::{check_finite, check_finite_matrix, check_length, check_square};
use crate::error::ProblemError;

/// Constraints on the unknowns.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Constraints<'a> {
    /// $l \le A x \le u$. Bounds can be infinite; equal bounds define an equation.
    Linear {
        /// The matrix A.
        a: MatrixRef<'a>,
        /// The bounds l and u.
        bounds: Interval<'a>,
    },
    /// $x \in C$, with C given by its projection.
    Set(&'a dyn ConvexSet),
}

impl std::fmt::Debug for Constraints<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Linear { a, bounds } => {
                f.debug_struct("Linear").field("a", a).field("bounds", bounds).finish()
            }
            Self::Set(_) => f.write_str("Set"),
        }
    }
}

impl Constraints<'_> {
    /// Returns the kind of constraints in words, for use in messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Linear { .. } => "linear constraints",
            Self::Set(_) => "a set that is given by its projection",
        }
    }
}

/// Convex quadratic program with borrowed data: minimise $\frac12 x^T M x + q^T x$ over the [`Constraints`],
/// with $M$ symmetric positive semidefinite.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::cone::Orthant;
/// use siconos_numerics::qp::QpProblem;
///
/// let m = array![[2.0, 0.0], [0.0, 2.0]];
/// assert_eq!(QpProblem::on_set(&m, &[-1.0, 1.0], &Orthant)?.multipliers(), 2);
/// // 1 <= x_1 + x_2, and no upper bound
/// let a = array![[1.0, 1.0]];
/// let problem = QpProblem::linear(&m, &[-1.0, 1.0], &a, &[1.0], &[f64::INFINITY])?;
/// assert_eq!((problem.size(), problem.multipliers()), (2, 1));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QpProblem<'a> {
    m: MatrixRef<'a>,
    q: &'a [f64],
    constraints: Constraints<'a>,
}

impl<'a> QpProblem<'a> {
    /// Creates a program with $l \le A x \le u$.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]), the sizes differ ([`ProblemError::WrongLength`]) or
    /// the bounds are invalid ([`ProblemError::Bounds`]).
    pub fn linear(
        m: impl Into<MatrixRef<'a>>,
        q: &'a [f64],
        a: impl Into<MatrixRef<'a>>,
        lower: &'a [f64],
        upper: &'a [f64],
    ) -> Result<Self, ProblemError> {
        let (m, a) = (m.into(), a.into());
        check_square(m.rows(), m.columns(), q)?;
        check_length("columns of A", q.len(), a.columns())?;
        check_length("lower", a.rows(), lower.len())?;
        let bounds = Interval::new(lower, upper)?;
        Ok(Self { m, q, constraints: Constraints::Linear { a, bounds } })
    }

    /// Creates a program over a set given by its projection.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]) or the sizes differ ([`ProblemError::WrongLength`]).
    pub fn on_set(
        m: impl Into<MatrixRef<'a>>,
        q: &'a [f64],
        set: &'a dyn ConvexSet,
    ) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        Ok(Self { m, q, constraints: Constraints::Set(set) })
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns the number of multipliers: the number of rows of A or, over a set, the number of unknowns.
    #[must_use]
    pub fn multipliers(&self) -> usize {
        match self.constraints {
            Constraints::Linear { a, .. } => a.rows(),
            Constraints::Set(_) => self.size(),
        }
    }

    /// Returns the matrix M, `n x n`.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    /// Returns the linear term q, with `n` entries.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// Returns the constraints.
    #[must_use]
    pub fn constraints(&self) -> Constraints<'a> {
        self.constraints
    }

    /// Checks the lengths of the arguments of a solve, and that all data are finite.
    pub(super) fn check(&self, x: &[f64], y: &[f64]) -> Result<(), ProblemError> {
        check_length("x", self.size(), x.len())?;
        check_length("y", self.multipliers(), y.len())?;
        check_finite("q", self.q)?;
        check_finite("x", x)?;
        check_finite("y", y)?;
        check_finite_matrix("M", self.m)?;
        match self.constraints {
            Constraints::Linear { a, .. } => check_finite_matrix("A", a),
            Constraints::Set(_) => Ok(()),
        }
    }
}

/// Convex quadratic program that has linear constraints and owns its data, for files and collections. In a
/// file, an infinite bound is written as `null`.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::qp::ConvexQuadraticProgram;
///
/// let (lower, upper) = (array![0.0], array![f64::INFINITY]);
/// let program = ConvexQuadraticProgram::new(array![[1.0]], array![-2.0], array![[1.0]], lower, upper)?;
/// assert_eq!(program.view()?.size(), 1);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct ConvexQuadraticProgram {
    m: Matrix,
    q: Vec<f64>,
    a: Matrix,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// Data as stored in a file.
#[derive(Clone, Serialize, Deserialize)]
struct Stored {
    m: Matrix,
    q: Array1<f64>,
    a: Matrix,
    lower: Vec<Option<f64>>,
    upper: Vec<Option<f64>>,
}

impl From<ConvexQuadraticProgram> for Stored {
    fn from(program: ConvexQuadraticProgram) -> Self {
        let stored = |bounds: Vec<f64>| bounds.into_iter().map(|b| b.is_finite().then_some(b)).collect();
        let ConvexQuadraticProgram { m, q, a, lower, upper } = program;
        Self { m, q: q.into(), a, lower: stored(lower), upper: stored(upper) }
    }
}

impl TryFrom<Stored> for ConvexQuadraticProgram {
    type Error = ProblemError;

    fn try_from(data: Stored) -> Result<Self, ProblemError> {
        let or = |bounds: Vec<Option<f64>>, missing: f64| {
            bounds.into_iter().map(|b| b.unwrap_or(missing)).collect()
        };
        let (lower, upper) = (or(data.lower, f64::NEG_INFINITY), or(data.upper, f64::INFINITY));
        Self::new(data.m, data.q, data.a, lower, upper)
    }
}

impl ConvexQuadraticProgram {
    /// Creates a program. Checks the shapes and the bounds, and that all other values are finite.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]), the sizes differ ([`ProblemError::WrongLength`]),
    /// the bounds are invalid ([`ProblemError::Bounds`]) or a value is not finite
    /// ([`ProblemError::NotFinite`]).
    pub fn new(
        m: impl Into<Matrix>,
        q: Array1<f64>,
        a: impl Into<Matrix>,
        lower: Array1<f64>,
        upper: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        let (m, a) = (m.into(), a.into());
        let program = Self { m, q: q.to_vec(), a, lower: lower.to_vec(), upper: upper.to_vec() };
        let view = program.view()?;
        view.check(&vec![0.0; view.size()], &vec![0.0; view.multipliers()])?;
        Ok(program)
    }

    /// Returns the borrowed form that solvers accept.
    ///
    /// # Errors
    ///
    /// If the data are inconsistent, which [`new`](Self::new) excludes.
    pub fn view(&self) -> Result<QpProblem<'_>, ProblemError> {
        QpProblem::linear(&self.m, &self.q, &self.a, &self.lower, &self.upper)
    }
}
