//! Rolling friction with all data owned, for files and collections.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::{ContactLaw, ContactProblem};
use crate::error::ProblemError;
use crate::linalg::{Matrix, contiguous, slice};

/// A problem of rolling friction in the plane (`D` = 3, blocks (N, T, R)) or in space (`D` = 5, blocks
/// (N, T1, T2, R1, R2)), owned: $u = W r + q$, $\lVert r_T \rVert \le \mu r_N$ and $\lVert r_R \rVert \le \mu_r r_N$.
///
/// ```
/// use ndarray::{Array2, array};
/// use siconos_numerics::contact::RollingFrictionProblem;
///
/// let wheel = RollingFrictionProblem::<3>::new(Array2::eye(3), array![-1.0, 0.1, 0.2], array![0.3], array![0.05])?;
/// assert_eq!((wheel.contacts(), wheel.view().size()), (1, 3));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "RollingFrictionContactProblem")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct RollingFrictionProblem<const D: usize> {
    w: Matrix,
    q: Array1<f64>,
    mu: Array1<f64>,
    mu_rolling: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    w: Matrix,
    q: Array1<f64>,
    mu: Array1<f64>,
    mu_rolling: Array1<f64>,
}

impl<const D: usize> TryFrom<Unchecked> for RollingFrictionProblem<D> {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.w, data.q, data.mu, data.mu_rolling)
    }
}

impl<const D: usize> RollingFrictionProblem<D> {
    /// Checks shapes, coefficients and finiteness. `w` is the Delassus matrix, `D nc` rows; `q` the free velocity; `mu`
    /// the coefficients of friction \[-\] and `mu_rolling` those of rolling friction \[m\], one per contact.
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number.
    pub fn new(
        w: impl Into<Matrix>,
        q: Array1<f64>,
        mu: Array1<f64>,
        mu_rolling: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        const { assert!(D == 3 || D == 5, "rolling friction is in the plane or in space") };
        let problem =
            Self { w: w.into(), q: contiguous(q), mu: contiguous(mu), mu_rolling: contiguous(mu_rolling) };
        ContactProblem::check_owned("W", &problem.w, slice(&problem.q), problem.law())?;
        Ok(problem)
    }

    /// The number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The Delassus matrix.
    #[must_use]
    pub fn w(&self) -> &Matrix {
        &self.w
    }

    /// The free velocity.
    #[must_use]
    pub fn q(&self) -> &[f64] {
        slice(&self.q)
    }

    /// The coefficients of friction.
    #[must_use]
    pub fn mu(&self) -> &[f64] {
        slice(&self.mu)
    }

    /// The coefficients of rolling friction.
    #[must_use]
    pub fn mu_rolling(&self) -> &[f64] {
        slice(&self.mu_rolling)
    }

    fn law(&self) -> ContactLaw<'_> {
        ContactLaw::Rolling { dimension: D, mu: slice(&self.mu), mu_rolling: slice(&self.mu_rolling) }
    }

    /// The borrowed form that solvers take.
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        ContactProblem::of_checked(self.w.view(), slice(&self.q), self.law())
    }
}
