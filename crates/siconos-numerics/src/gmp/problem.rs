//! The data of a problem whose blocks have different laws.

use std::ops::Range;

use ndarray::Array1;
use siconos_linalg::{Matrix, MatrixRef, contiguous, slice};

use super::MechanicalLaw;
use super::scales::Scales;
use crate::engine::{check_finite, check_finite_matrix, check_length, check_square};
use crate::error::ProblemError;
use crate::own_response;

/// Problem $w = M z + q$ with a [law](MechanicalLaw) for every block of unknowns. It owns its data.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw, error_of_point};
///
/// // A joint, and a stop that acts on the same body.
/// let laws = vec![MechanicalLaw::Equality { size: 1 }, MechanicalLaw::Complementarity { size: 1 }];
/// let problem = GenericMechanicalProblem::new(array![[2.0, 1.0], [1.0, 2.0]], array![0.0, -3.0], laws)?;
/// assert_eq!(problem.range(1), 1..2);
/// // w = (0, 0): both are active, and the joint pulls.
/// let mut w = [0.0; 2];
/// assert_eq!(error_of_point(&problem, &[-1.0, 2.0], &mut w), 0.0);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GenericMechanicalProblem {
    m: Matrix,
    q: Array1<f64>,
    laws: Vec<MechanicalLaw>,
    /// Index of the first unknown of each block, followed by the number of unknowns.
    starts: Vec<usize>,
    /// Factors $d_k$ of the error, which convert $z_k$ to the unit of $w_k$.
    responses: Vec<f64>,
    /// Scales of the error.
    scales: Scales,
}

/// Values computed from the data.
#[derive(Debug, Default)]
struct DerivedData {
    starts: Vec<usize>,
    responses: Vec<f64>,
    scales: Scales,
}

impl Default for GenericMechanicalProblem {
    /// The problem without unknowns.
    fn default() -> Self {
        Self {
            m: Matrix::default(),
            q: Array1::default(0),
            laws: Vec::new(),
            starts: vec![0],
            responses: Vec::new(),
            scales: Scales::default(),
        }
    }
}

impl GenericMechanicalProblem {
    /// Creates a problem. The sizes of the laws must add up to the number of rows of `m`.
    ///
    /// # Errors
    ///
    /// If M is not square ([`ProblemError::NotSquare`]); if q, all laws together, or the bounds of a relay
    /// have a wrong length ([`ProblemError::WrongLength`]); if bounds are invalid ([`ProblemError::Bounds`],
    /// with the index of the unknown); if a coefficient is negative or not finite
    /// ([`ProblemError::Coefficient`], with the index of the block); or if M or q is not finite
    /// ([`ProblemError::NotFinite`]).
    pub fn new(m: impl Into<Matrix>, q: Array1<f64>, laws: Vec<MechanicalLaw>) -> Result<Self, ProblemError> {
        Self::checked(m.into(), contiguous(q), laws, DerivedData::default())
    }

    /// Replaces the data, possibly by data of a different size, and reuses their memory. This is intended for
    /// a problem that changes from one solve to the next. The new data are checked as in [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// If [`new`](Self::new) returns an error for the data. In this case, the problem becomes empty.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_numerics::gmp::{GenericMechanicalProblem, MechanicalLaw};
    ///
    /// let mut problem = GenericMechanicalProblem::default();
    /// let m = array![[2.0, 0.0], [0.0, 1.0]];
    /// problem.assign((&m).into(), &[-1.0, 0.5], &[MechanicalLaw::Friction2 { mu: 0.3 }])?;
    /// assert_eq!((problem.size(), problem.blocks(), problem.q()), (2, 1, &[-1.0, 0.5][..]));
    /// assert!(problem.assign((&m).into(), &[f64::NAN, 0.5], &[MechanicalLaw::Friction2 { mu: 0.3 }]).is_err());
    /// assert_eq!(problem.size(), 0);
    /// # Ok::<(), siconos_numerics::ProblemError>(())
    /// ```
    pub fn assign(
        &mut self,
        m: MatrixRef<'_>,
        q: &[f64],
        laws: &[MechanicalLaw],
    ) -> Result<(), ProblemError> {
        let mut own_m = std::mem::take(&mut self.m);
        m.copy_to(&mut own_m);
        let mut own_q = std::mem::take(&mut self.q).into_raw_vec_and_offset().0;
        own_q.clear();
        own_q.extend_from_slice(q);
        let mut own_laws = std::mem::take(&mut self.laws);
        laws.clone_into(&mut own_laws);
        let memory = DerivedData {
            starts: std::mem::take(&mut self.starts),
            responses: std::mem::take(&mut self.responses),
            scales: std::mem::take(&mut self.scales),
        };
        let checked = Self::checked(own_m, Array1::from(own_q), own_laws, memory);
        match checked {
            Ok(problem) => *self = problem,
            Err(error) => {
                *self = Self::default();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Checks the data.
    fn checked(
        m: Matrix,
        q: Array1<f64>,
        laws: Vec<MechanicalLaw>,
        DerivedData { mut starts, mut responses, mut scales }: DerivedData,
    ) -> Result<Self, ProblemError> {
        check_square(m.rows(), m.columns(), slice(&q))?;
        starts.clear();
        starts.push(0_usize);
        for (block, law) in laws.iter().enumerate() {
            let first = starts[block];
            law.check(block, first)?;
            // Sizes are read from files, and therefore their sum can overflow.
            starts.push(first.saturating_add(law.size()));
        }
        check_length("laws (by unknowns)", q.len(), starts[laws.len()])?;
        check_finite_matrix("M", m.view())?;
        check_finite("q", slice(&q))?;
        own_response::write(m.view(), &mut responses);
        scales.find(m.view(), slice(&q), &laws, &starts, &responses);
        Ok(Self { m, q, laws, starts, responses, scales })
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns the number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.laws.len()
    }

    /// Returns the matrix M.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        self.m.view()
    }

    /// Returns the vector q.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        slice(&self.q)
    }

    /// Returns the laws, one per block.
    #[must_use]
    pub fn laws(&self) -> &[MechanicalLaw] {
        &self.laws
    }

    /// Returns the range of the indices of the unknowns of a block.
    ///
    /// # Panics
    ///
    /// If the block does not exist.
    #[track_caller]
    #[must_use]
    pub fn range(&self, block: usize) -> Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// Returns the index of the block of an unknown.
    pub(super) fn block_of(&self, unknown: usize) -> usize {
        self.starts.partition_point(|&start| start <= unknown) - 1
    }

    /// Returns the index of the first unknown of each block, followed by the number of unknowns.
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the factors $d_k$ of the error, which convert $z_k$ to the unit of $w_k$.
    pub(super) fn responses(&self) -> &[f64] {
        &self.responses
    }

    /// Returns the scales of the error.
    pub(super) fn scales(&self) -> &Scales {
        &self.scales
    }
}
