//! Rolling friction in global form with all data owned, for files and collections.

use ndarray::Array1;
use serde::{Deserialize, Serialize};

use super::{ContactLaw, GlobalProblem};
use crate::error::{ProblemError, check_finite};
use crate::linalg::{Matrix, MatrixRef, contiguous, slice};

/// A problem of rolling friction in global form, owned, in the plane (`D` = 3, blocks (N, T, R)) or in space (`D` = 5, blocks
/// (N, T1, T2, R1, R2)):
///
/// $$ M v = H r + f, \qquad u = H^T v + w, $$
///
/// as plain text M v = H r + f, u = H^T v + w, with $\lVert r_T \rVert \le \mu r_N$ and $\lVert r_R \rVert \le \mu_r r_N$ as in
/// [`RollingFrictionProblem`](crate::contact::RollingFrictionProblem).
///
/// ```
/// use ndarray::{Array2, array};
/// use siconos_numerics::contact::GlobalRollingProblem;
///
/// // A wheel: two velocities and a rate of turn, which are those of its contact.
/// let (mass, h) = (array![2.0, 2.0, 0.1], Array2::eye(3));
/// let (f, w) = (array![-0.2, 0.0, 0.0], array![0.0, 0.0, 0.0]);
/// let problem = GlobalRollingProblem::<3>::new(mass, h, f, w, array![0.5], array![0.05])?;
/// assert_eq!((problem.freedoms(), problem.contacts()), (3, 1));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "GlobalRollingFrictionContactProblem")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct GlobalRollingProblem<const D: usize> {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
    mu_rolling: Array1<f64>,
}

/// The data as a file has them.
#[derive(Deserialize)]
struct Unchecked {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    mu: Array1<f64>,
    mu_rolling: Array1<f64>,
}

impl<const D: usize> TryFrom<Unchecked> for GlobalRollingProblem<D> {
    type Error = ProblemError;

    fn try_from(data: Unchecked) -> Result<Self, ProblemError> {
        Self::new(data.m, data.h, data.f, data.w, data.mu, data.mu_rolling)
    }
}

impl<const D: usize> GlobalRollingProblem<D> {
    /// Checks shapes, coefficients and finiteness. `m` is the mass matrix (or iteration matrix) \[kg\], `h` the transposed
    /// contact Jacobian with a row per degree of freedom and `D` columns per contact, `f` the free momentum \[N s\], `w` the
    /// part of the contact velocity that is given \[m/s, rad/s\], `mu` the coefficients of friction \[-\] and `mu_rolling` those
    /// of rolling friction \[m\], one per contact.
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
        mu_rolling: Array1<f64>,
    ) -> Result<Self, ProblemError> {
        const { assert!(D == 3 || D == 5, "rolling friction is in the plane or in space") };
        let problem = Self {
            m: m.into(),
            h: h.into(),
            f: contiguous(f),
            w: contiguous(w),
            mu: contiguous(mu),
            mu_rolling: contiguous(mu_rolling),
        };
        GlobalProblem::new(problem.m(), problem.h(), problem.f(), problem.w(), problem.law())?;
        for (what, matrix) in [("M", problem.m()), ("H", problem.h())] {
            if let Some((index, value)) = matrix.first_non_finite() {
                return Err(ProblemError::NotFinite { what, index, value });
            }
        }
        check_finite("f", problem.f())?;
        check_finite("w", problem.w())?;
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

    /// The coefficients of rolling friction.
    #[must_use]
    pub fn mu_rolling(&self) -> &[f64] {
        slice(&self.mu_rolling)
    }

    /// The law of the contacts.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'_> {
        ContactLaw::Rolling { dimension: D, mu: slice(&self.mu), mu_rolling: slice(&self.mu_rolling) }
    }

    /// The borrowed form that solvers take.
    #[must_use]
    pub fn view(&self) -> GlobalProblem<'_> {
        GlobalProblem::of_checked(self.m(), self.h(), self.f(), self.w(), self.law())
    }
}
