//! Borrowed and owned data of a mixed linear complementarity problem, with a type per row or in blocks.

use ndarray::{Array1, Array2, s};
use serde::{Deserialize, Serialize};
use siconos_linalg::{Matrix, MatrixError, MatrixRef, contiguous, slice};

use crate::box_constraints::BoxProblem;
use crate::engine::{check_finite, check_finite_matrix, check_length, check_square};
use crate::error::ProblemError;

/// Type of one row of a mixed problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MlcpRow {
    /// $w_i = 0$, $z_i$ free.
    Equality,
    /// $0 \le w_i \perp z_i \ge 0$.
    Complementarity,
}

/// Mixed linear complementarity problem with borrowed data; the [module](super) defines it.
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
    /// Creates a problem from a square matrix, a vector and the type of each row.
    ///
    /// # Errors
    ///
    /// If the matrix is not square ([`ProblemError::NotSquare`]), or if `q` or `rows` has a different length
    /// ([`ProblemError::WrongLength`]).
    pub fn new(m: impl Into<MatrixRef<'a>>, q: &'a [f64], rows: &'a [MlcpRow]) -> Result<Self, ProblemError> {
        let m = m.into();
        check_square(m.rows(), m.columns(), q)?;
        check_length("rows", m.rows(), rows.len())?;
        Ok(Self { m, q, rows })
    }

    /// Returns the number of rows, `n`.
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

    /// Returns the type of each row, `n` entries.
    #[must_use]
    pub fn rows(&self) -> &'a [MlcpRow] {
        self.rows
    }
}

impl BoxProblem for MlcpProblem<'_> {
    fn m(&self) -> MatrixRef<'_> {
        self.m.reborrow()
    }

    fn q(&self) -> &[f64] {
        self.q
    }

    fn bounds(&self, i: usize) -> (f64, f64) {
        match self.rows[i] {
            MlcpRow::Equality => (f64::NEG_INFINITY, f64::INFINITY),
            MlcpRow::Complementarity => (0.0, f64::INFINITY),
        }
    }
}

/// Mixed linear complementarity problem that owns its data, for files and collections.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::mlcp::{MixedLinearComplementarityProblem, MlcpRow};
///
/// let rows = vec![MlcpRow::Complementarity, MlcpRow::Equality];
/// let problem = MixedLinearComplementarityProblem::new(array![[2.0, 1.0], [0.0, 3.0]], array![-1.0, 1.0], rows)?;
/// assert_eq!(problem.view().size(), 2);
/// // In blocks the equality comes first.
/// let blocks = problem.blocks();
/// assert_eq!((blocks.a, blocks.b), (array![[3.0]], array![[2.0]]));
/// assert_eq!((blocks.c, blocks.d), (array![[0.0]], array![[1.0]]));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "MLCP")]
#[derive(Clone, Debug, PartialEq)]
pub struct MixedLinearComplementarityProblem {
    m: Matrix,
    q: Array1<f64>,
    rows: Vec<MlcpRow>,
}

/// Mixed problem in blocks, with n equalities for the free unknowns u and m complementarity rows for v:
///
/// $$ A u + C v + a = 0, \qquad w = D u + B v + b, \qquad 0 \le w \perp v \ge 0. $$
///
/// As plain text: A u + C v + q_equality = 0; w = D u + B v + q_complementarity, w >= 0, v >= 0, w_i v_i = 0.
/// The whole matrix is `[[A, C], [D, B]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct MlcpBlocks {
    /// A, `n x n`: equality rows, free unknowns.
    pub a: Array2<f64>,
    /// B, `m x m`: complementarity rows, complementary unknowns.
    pub b: Array2<f64>,
    /// C, `n x m`: equality rows, complementary unknowns.
    pub c: Array2<f64>,
    /// D, `m x n`: complementarity rows, free unknowns.
    pub d: Array2<f64>,
    /// Vector a of the formula, `n`.
    pub q_equality: Array1<f64>,
    /// Vector b of the formula, `m`.
    pub q_complementarity: Array1<f64>,
}

impl MixedLinearComplementarityProblem {
    /// Creates a problem. Checks the shapes, and that all entries are finite.
    ///
    /// # Errors
    ///
    /// If the matrix is not square ([`ProblemError::NotSquare`]), if `q` or `rows` has a different length
    /// ([`ProblemError::WrongLength`]), or if an entry is not finite ([`ProblemError::NotFinite`]).
    pub fn new(m: impl Into<Matrix>, q: Array1<f64>, rows: Vec<MlcpRow>) -> Result<Self, ProblemError> {
        let (m, q) = (m.into(), contiguous(q));
        check_square(m.rows(), m.columns(), slice(&q))?;
        check_length("rows", m.rows(), rows.len())?;
        check_finite_matrix("M", m.view())?;
        check_finite("q", slice(&q))?;
        Ok(Self { m, q, rows })
    }

    /// Creates a problem from blocks: first the equality rows, then the complementarity rows.
    ///
    /// # Errors
    ///
    /// If a block has the wrong shape ([`MatrixError::BlockShape`], with its position in `[[A, C], [D, B]]`),
    /// if a vector does not have the length of its block ([`ProblemError::WrongLength`]), or if an entry is
    /// not finite ([`ProblemError::NotFinite`]).
    pub fn from_blocks(blocks: MlcpBlocks) -> Result<Self, ProblemError> {
        let MlcpBlocks { a, b, c, d, q_equality, q_complementarity } = blocks;
        let sizes = [a.nrows(), b.nrows()];
        for (block_row, block_column, block) in [(0, 0, &a), (1, 1, &b), (0, 1, &c), (1, 0, &d)] {
            let expected = (sizes[block_row], sizes[block_column]);
            if block.dim() != expected {
                let (rows, columns) = block.dim();
                return Err(MatrixError::BlockShape {
                    block_row,
                    block_column,
                    expected_rows: expected.0,
                    expected_columns: expected.1,
                    rows,
                    columns,
                }
                .into());
            }
        }
        check_length("q_equality", sizes[0], q_equality.len())?;
        check_length("q_complementarity", sizes[1], q_complementarity.len())?;

        let (n, size) = (sizes[0], sizes[0] + sizes[1]);
        let mut m = Array2::zeros((size, size));
        m.slice_mut(s![..n, ..n]).assign(&a);
        m.slice_mut(s![..n, n..]).assign(&c);
        m.slice_mut(s![n.., ..n]).assign(&d);
        m.slice_mut(s![n.., n..]).assign(&b);
        let q = q_equality.iter().chain(&q_complementarity).copied().collect();
        let mut rows = vec![MlcpRow::Equality; n];
        rows.resize(size, MlcpRow::Complementarity);
        Self::new(m, q, rows)
    }

    /// Returns the problem in dense blocks; the rows of each type keep their order.
    #[must_use]
    pub fn blocks(&self) -> MlcpBlocks {
        let m = self.m.view().to_dense();
        let places = |kind| -> Vec<usize> {
            self.rows.iter().enumerate().filter(|(_, row)| **row == kind).map(|(i, _)| i).collect()
        };
        let (free, bound) = (places(MlcpRow::Equality), places(MlcpRow::Complementarity));
        let block = |rows: &[usize], columns: &[usize]| {
            Array2::from_shape_fn((rows.len(), columns.len()), |(i, j)| m[[rows[i], columns[j]]])
        };
        let part = |rows: &[usize]| rows.iter().map(|&i| self.q[i]).collect();
        MlcpBlocks {
            a: block(&free, &free),
            b: block(&bound, &bound),
            c: block(&free, &bound),
            d: block(&bound, &free),
            q_equality: part(&free),
            q_complementarity: part(&bound),
        }
    }

    /// Returns the borrowed form that solvers accept.
    #[must_use]
    pub fn view(&self) -> MlcpProblem<'_> {
        MlcpProblem { m: self.m.view(), q: slice(&self.q), rows: &self.rows }
    }
}
