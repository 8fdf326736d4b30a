//! Contact problems in global form that own their data.

use ndarray::Array1;
use siconos_linalg::{Matrix, contiguous, slice};

use super::{ContactLaw, GlobalProblem};
use crate::contact::ContactLawData;
use crate::engine::{check_finite, check_finite_matrix};
use crate::error::ProblemError;

/// A contact problem in global form, owned:
///
/// $$ M v = H r + f, \qquad u = H^T v + w, $$
///
/// as plain text M v = H r + f, u = H^T v + w, with a [law](ContactLawData) between u and r at every contact.
/// With a regular M it is the local problem with $W = H^T M^{-1} H$ and $q = H^T M^{-1} f + w$.
///
/// ```
/// use ndarray::{Array2, array};
/// use siconos_numerics::contact::{ContactLawData, GlobalContactData};
///
/// // One particle of 2 kg above the ground, contact frame along the axes.
/// let (mass, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLawData::coulomb(2, [0.5]);
/// let problem = GlobalContactData::new(mass, h, array![-0.2, 0.0], array![0.0, 0.0], law)?;
/// assert_eq!((problem.degrees_of_freedom(), problem.law().blocks()), (2, 1));
///
/// // A wheel: two velocities and a rate of turn, which are those of its contact.
/// let (mass, h) = (array![2.0, 2.0, 0.1], Array2::eye(3));
/// let (f, w) = (array![-0.2, 0.0, 0.0], array![0.0, 0.0, 0.0]);
/// assert_eq!(GlobalContactData::new(mass, h, f, w, ContactLawData::rolling(3, [0.5], [0.05]))?.degrees_of_freedom(), 3);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "GlobalFrictionContactProblem")]
#[doc(alias = "GlobalRollingFrictionContactProblem")]
#[doc(alias = "gfc3d")]
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalContactData {
    m: Matrix,
    h: Matrix,
    f: Array1<f64>,
    w: Array1<f64>,
    law: ContactLawData,
}

impl GlobalContactData {
    /// Checks shapes, coefficients and finiteness. `m` is the mass matrix (or iteration matrix) \[kg\], `h`
    /// the transposed contact Jacobian with a row per degree of freedom and a column per unknown of the law,
    /// `f` the free momentum \[N s\], `w` the part of the contact velocity that is given \[m/s, rad/s\].
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number; [`ProblemError::GlobalCones`] for
    /// cones without friction.
    pub fn new(
        m: impl Into<Matrix>,
        h: impl Into<Matrix>,
        f: Array1<f64>,
        w: Array1<f64>,
        law: ContactLawData,
    ) -> Result<Self, ProblemError> {
        if matches!(law, ContactLawData::SecondOrder { .. }) {
            return Err(ProblemError::GlobalCones);
        }
        let problem = Self { m: m.into(), h: h.into(), f: contiguous(f), w: contiguous(w), law };
        GlobalProblem::new(&problem.m, &problem.h, slice(&problem.f), slice(&problem.w), problem.law())?;
        for (what, matrix) in [("M", &problem.m), ("H", &problem.h)] {
            check_finite_matrix(what, matrix.view())?;
        }
        check_finite("f", slice(&problem.f))?;
        check_finite("w", slice(&problem.w))?;
        Ok(problem)
    }

    /// The number of degrees of freedom.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.f.len()
    }

    /// The law of the contacts.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'_> {
        self.law.view()
    }

    /// The borrowed form that solvers take, with all the parts.
    #[must_use]
    pub fn view(&self) -> GlobalProblem<'_> {
        let (m, h) = (self.m.view(), self.h.view());
        GlobalProblem::of_checked(m, h, slice(&self.f), slice(&self.w), self.law())
    }
}
