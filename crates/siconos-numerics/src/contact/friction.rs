//! Coulomb friction with all data owned, for files and collections.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::{ContactLaw, ContactProblem};
use crate::error::ProblemError;
use crate::linalg::{Matrix, contiguous, slice};

/// A friction-contact problem in the plane (`D` = 2) or in space (`D` = 3), owned: $u = W r + q$ with Coulomb's law at
/// every contact, blocks (N, T) or (N, T1, T2).
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{FrictionContactProblem, NonsmoothGaussSeidel};
///
/// // A mass of 2 kg slides to a stop within the step: the friction impulse needed, 0.1 N s, is below mu r_N.
/// let w = array![[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
/// let problem = FrictionContactProblem::<3>::new(w, array![-1.0, 0.05, 0.0], array![0.3])?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let info = NonsmoothGaussSeidel::default().solve(&problem.view(), &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 2.0).abs() < 1e-12 && (r[1] + 0.1).abs() < 1e-12);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "fc3d")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct FrictionContactProblem<const D: usize> {
    w: Matrix,
    q: Array1<f64>,
    mu: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    w: Matrix,
    q: Array1<f64>,
    mu: Array1<f64>,
}

impl<const D: usize> TryFrom<Unchecked> for FrictionContactProblem<D> {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.w, data.q, data.mu)
    }
}

impl<const D: usize> FrictionContactProblem<D> {
    /// Checks shapes, coefficients and finiteness. `w` is the Delassus matrix \[1/kg\], `D nc` rows; `q` the free
    /// velocity \[m/s\]; `mu` the coefficients of friction \[-\], one per contact.
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number.
    pub fn new(w: impl Into<Matrix>, q: Array1<f64>, mu: Array1<f64>) -> Result<Self, ProblemError> {
        const { assert!(D == 2 || D == 3, "Coulomb friction is in the plane or in space") };
        let problem = Self { w: w.into(), q: contiguous(q), mu: contiguous(mu) };
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

    fn law(&self) -> ContactLaw<'_> {
        ContactLaw::Coulomb { dimension: D, mu: slice(&self.mu) }
    }

    /// The borrowed form that solvers take.
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        ContactProblem::of_checked(self.w.view(), slice(&self.q), self.law())
    }
}
