//! The data of a mixed linear complementarity problem in the row-tagged form.

use serde::{Deserialize, Serialize};

use crate::error::{ProblemError, check_length, check_square};
use crate::linalg::MatrixRef;

/// What one row of a mixed problem asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MlcpRow {
    /// $w_i = 0$, $z_i$ free.
    Equality,
    /// $0 \le w_i \perp z_i \ge 0$.
    Complementarity,
}

/// A borrowed problem; see the [module](super) for its formulas.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::mlcp::{MlcpProblem, MlcpRow};
///
/// let rows = [MlcpRow::Equality, MlcpRow::Complementarity];
/// let problem = MlcpProblem::new(&array![[2.0, 1.0], [1.0, 2.0]], &[-1.0, 1.0], &rows).map(|p| p.size());
/// assert_eq!(problem, Ok(2));
/// ```
#[doc(alias = "MLCP")]
#[derive(Clone, Copy, Debug)]
pub struct MlcpProblem<'a> {
    m: MatrixRef<'a>,
    q: &'a [f64],
    rows: &'a [MlcpRow],
}

impl<'a> MlcpProblem<'a> {
    /// Puts together a square matrix, a vector and a tag per row.
    ///
    /// # Errors
    ///
    /// [`ProblemError::NotSquare`], [`ProblemError::WrongLength`].
    pub fn new(m: impl Into<MatrixRef<'a>>, q: &'a [f64], rows: &'a [MlcpRow]) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        check_length("rows", m.rows(), rows.len())?;
        Ok(Self { m, q, rows })
    }

    /// The number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// The matrix, `n x n`.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    /// The vector, `n`.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// The tags, `n`.
    #[must_use]
    pub fn rows(&self) -> &'a [MlcpRow] {
        self.rows
    }
}
