//! The data of a problem in global form as solvers take them.

use siconos_linalg::MatrixRef;

use super::ContactLaw;
use crate::engine::{check_finite, check_length};
use crate::error::ProblemError;

/// A borrowed contact problem in global form, with any [law](ContactLaw) between the blocks of u and r:
///
/// $$ M v = H r + f, \qquad u = H^T v + w, $$
///
/// as plain text M v = H r + f, u = H^T v + w. [`GlobalContactData`](super::GlobalContactData) owns its
/// arrays. With second-order cones it is a convex program: minimise $\frac12 v^T M v - f^T v$ subject to
/// $H^T v + w \in K^{\ast}$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{ContactLaw, GlobalProblem};
///
/// let (mass, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5] };
/// let problem = GlobalProblem::new(&mass, &h, &[-0.2, 0.0], &[0.0, 0.0], law)?;
/// assert_eq!((problem.degrees_of_freedom(), problem.size()), (2, 2));
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GlobalProblem<'a> {
    m: MatrixRef<'a>,
    h: MatrixRef<'a>,
    f: &'a [f64],
    w: &'a [f64],
    law: ContactLaw<'a>,
}

impl<'a> GlobalProblem<'a> {
    /// Puts together the mass matrix, the transposed contact Jacobian (a row per degree of freedom, a column
    /// per contact unknown), the free momentum, the given part of the contact velocity, and the law.
    ///
    /// Shapes and coefficients are checked; a solver checks that `f` and `w` are finite, and the owned class
    /// that the whole data are.
    ///
    /// # Errors
    ///
    /// [`ProblemError`] that names the array, the contact and the number.
    pub fn new(
        m: impl Into<MatrixRef<'a>>,
        h: impl Into<MatrixRef<'a>>,
        f: &'a [f64],
        w: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Result<Self, ProblemError> {
        let (m, h) = (m.into(), h.into());
        law.check()?;
        if m.rows() != m.columns() {
            return Err(ProblemError::NotSquare { rows: m.rows(), columns: m.columns() });
        }
        check_length("f", m.rows(), f.len())?;
        if h.columns() != law.size() {
            let (blocks, expected) = (law.blocks(), law.size());
            return Err(ProblemError::ContactColumns { columns: h.columns(), blocks, expected });
        }
        check_length("columns of H, which", m.rows(), h.rows())?;
        check_length("w", h.columns(), w.len())?;
        Ok(Self { m, h, f, w, law })
    }

    /// Puts together data of which [`new`](Self::new) has accepted the shapes before.
    pub(crate) fn of_checked(
        m: MatrixRef<'a>,
        h: MatrixRef<'a>,
        f: &'a [f64],
        w: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Self {
        Self { m, h, f, w, law }
    }

    /// The number of degrees of freedom, the entries of v.
    #[must_use]
    pub fn degrees_of_freedom(&self) -> usize {
        self.f.len()
    }

    /// The number of contact unknowns, the entries of r and u.
    #[must_use]
    pub fn size(&self) -> usize {
        self.w.len()
    }

    /// The mass matrix.
    #[must_use]
    pub fn m(&self) -> MatrixRef<'a> {
        self.m
    }

    /// The transposed contact Jacobian.
    #[must_use]
    pub fn h(&self) -> MatrixRef<'a> {
        self.h
    }

    /// The free momentum.
    #[must_use]
    pub fn f(&self) -> &'a [f64] {
        self.f
    }

    /// The given part of the contact velocity.
    #[must_use]
    pub fn w(&self) -> &'a [f64] {
        self.w
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'a> {
        self.law
    }

    /// Checks the arrays of a solve: lengths, and f, w and the initial r and v finite.
    pub(crate) fn check_solve(&self, z: &[f64], u: &[f64]) -> Result<(), ProblemError> {
        check_length("z", self.size() + self.degrees_of_freedom(), z.len())?;
        check_length("u", self.size(), u.len())?;
        for (what, values) in [("f", self.f), ("w", self.w), ("z", z)] {
            check_finite(what, values)?;
        }
        Ok(())
    }
}
