//! Complementarity over second-order cones with all data owned, for files and collections.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::{ContactLaw, ContactProblem};
use crate::error::ProblemError;
use crate::linalg::{Matrix, contiguous, slice};

/// A second-order cone linear complementarity problem, owned: $w = M z + q$ with $K^{\ast} \ni w \perp z \in K$ for a
/// product of cones $\lVert \bar z \rVert \le \tau z_0$ of **any** sizes. It is a contact problem without the shift of De
/// Saxce; a cone of size 1 is the half line.
///
/// ```
/// use ndarray::{Array2, array};
/// use siconos_numerics::contact::SecondOrderConeProblem;
///
/// // A half line, and a cone in five dimensions.
/// let starts = vec![0, 1, 6];
/// let problem = SecondOrderConeProblem::new(Array2::eye(6), array![-1.0, 0.0, 0.0, 1.0, 2.0, 3.0], starts, array![1.0, 0.5])?;
/// assert_eq!(problem.cones(), 2);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "SOCLCP")]
#[doc(alias = "SecondOrderConeLinearComplementarityProblem")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct SecondOrderConeProblem {
    m: Matrix,
    q: Array1<f64>,
    starts: Vec<usize>,
    tau: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    m: Matrix,
    q: Array1<f64>,
    starts: Vec<usize>,
    tau: Array1<f64>,
}

impl TryFrom<Unchecked> for SecondOrderConeProblem {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.m, data.q, data.starts, data.tau)
    }
}

impl SecondOrderConeProblem {
    /// Checks shapes, slopes and finiteness. `starts` holds the first unknown of each cone and the number of unknowns at
    /// the end, `tau` the slopes of the cones (1 is the usual cone).
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the cone and the number.
    pub fn new(
        m: impl Into<Matrix>,
        q: Array1<f64>,
        starts: Vec<usize>,
        tau: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        let problem = Self { m: m.into(), q: contiguous(q), starts, tau: contiguous(tau) };
        ContactProblem::check_owned("M", &problem.m, slice(&problem.q), problem.law())?;
        Ok(problem)
    }

    /// The number of cones.
    #[must_use]
    pub fn cones(&self) -> usize {
        self.tau.len()
    }

    /// The matrix.
    #[must_use]
    pub fn m(&self) -> &Matrix {
        &self.m
    }

    /// The vector.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        slice(&self.q)
    }

    /// First unknown of each cone, and the number of unknowns at the end.
    #[must_use]
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The slopes of the cones.
    #[must_use]
    pub fn tau(&self) -> &[f64] {
        slice(&self.tau)
    }

    fn law(&self) -> ContactLaw<'_> {
        ContactLaw::SecondOrder { starts: &self.starts, tau: slice(&self.tau) }
    }

    /// The borrowed form that solvers take.
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        ContactProblem::of_checked(self.m.view(), slice(&self.q), self.law())
    }
}
