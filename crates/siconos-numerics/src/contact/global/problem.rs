//! Friction contact in global form with all data owned, for files and collections.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::{ContactLaw, GlobalProblem};
use crate::error::{ProblemError, check_finite};
use crate::linalg::{Matrix, MatrixRef, contiguous, slice};

/// A friction-contact problem in global form, owned, in the plane (`D` = 2) or in space (`D` = 3):
///
/// $$ M v = H r + f, \qquad u = H^T v + w, $$
///
/// as plain text M v = H r + f, u = H^T v + w, with Coulomb's law between u and r at every contact. With a regular M it is
/// the local problem with $W = H^T M^{-1} H$ and $q = H^T M^{-1} f + w$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::GlobalFrictionProblem;
///
/// // One particle of 2 kg above the ground, contact frame along the axes.
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let problem = GlobalFrictionProblem::<2>::new(mass, h, array![-0.2, 0.0], array![0.0, 0.0], array![0.5])?;
/// assert_eq!((problem.freedoms(), problem.contacts()), (2, 1));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "GlobalFrictionContactProblem")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct GlobalFrictionProblem<const D: usize> {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
}

impl<const D: usize> TryFrom<Unchecked> for GlobalFrictionProblem<D> {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.m, data.h, data.f, data.w, data.mu)
    }
}

impl<const D: usize> GlobalFrictionProblem<D> {
    /// Checks shapes, coefficients and finiteness. `m` is the mass matrix (or iteration matrix) \[kg\], `h` the transposed
    /// contact Jacobian with a row per degree of freedom and `D` columns per contact, `f` the free momentum \[N s\], `w` the
    /// part of the contact velocity that is given \[m/s\], `mu` the coefficients of friction \[-\].
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number.
    pub fn new(
        m: impl Into<Matrix>,
        h: impl Into<Matrix>,
        f: Array1<f64>,
        w: Array1<f64>,
        mu: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        const { assert!(D == 2 || D == 3, "Coulomb friction is in the plane or in space") };
        let problem =
            Self { m: m.into(), h: h.into(), f: contiguous(f), w: contiguous(w), mu: contiguous(mu) };
        let (m, h) = (problem.m.view(), problem.h.view());
        GlobalProblem::new(m, h, slice(&problem.f), slice(&problem.w), problem.law())?;
        for (what, matrix) in [("M", m), ("H", h)] {
            if let Some((index, value)) = matrix.first_non_finite() {
                return Err(ProblemError::NotFinite { what, index, value });
            }
        }
        check_finite("f", slice(&problem.f))?;
        check_finite("w", slice(&problem.w))?;
        Ok(problem)
    }

    /// The number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }

    /// The number of degrees of freedom.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        self.f.len()
    }

    /// The mass matrix.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'_> {
        self.m.view()
    }

    /// The transposed contact Jacobian, a column per contact unknown.
    #[must_use]
    pub fn h(&self) -> MatrixRef<'_> {
        self.h.view()
    }

    /// The free momentum.
    #[must_use]
    pub fn f(&self) -> &[f64] {
        slice(&self.f)
    }

    /// The given part of the contact velocity.
    #[must_use]
    pub fn w(&self) -> &[f64] {
        slice(&self.w)
    }

    /// The coefficients of friction.
    #[must_use]
    pub fn mu(&self) -> &[f64] {
        slice(&self.mu)
    }

    /// The law of the contacts.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'_> {
        ContactLaw::Coulomb { dimension: D, mu: slice(&self.mu) }
    }

    /// The borrowed form that solvers take.
    #[must_use]
    pub fn view(&self) -> GlobalProblem<'_> {
        GlobalProblem::of_checked(self.m(), self.h(), self.f(), self.w(), self.law())
    }

    /// Writes $u = H^T v + w$ to `u` and returns the [error](super::global_error_of_point) of a reaction `r` and global
    /// velocity `v`.
    ///
    /// # Panics
    ///
    /// When a slice has the wrong length.
    #[doc(alias = "gfc3d_compute_error")]
    #[track_caller]
    #[must_use]
    pub fn error_of_point(&self, r: &[f64], v: &[f64], u: &mut [f64]) -> f64 {
        super::global_error_of_point(&self.view(), r, v, u)
    }
}
