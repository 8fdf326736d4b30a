//! The data that every solver of the module takes.

use siconos_linalg::MatrixRef;

use super::ContactLaw;
use super::scales::Scales;
use crate::engine::check_length;
use crate::error::ProblemError;

/// A borrowed contact problem: $u = W r + q$ and a [law](ContactLaw) between the blocks of $u$ and $r$.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::ProblemError;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// // A mass of 2 kg on the ground, at rest under its weight; the second number is tangential.
/// let w = array![[0.5, 0.0], [0.0, 0.5]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.3] };
/// assert_eq!(ContactProblem::new(&w, &[-0.0981, 0.0], law)?.size(), 2);
///
/// let negative = ContactLaw::Coulomb { dimension: 2, mu: &[-0.3] };
/// let refused = ContactProblem::new(&w, &[-0.0981, 0.0], negative).unwrap_err();
/// assert_eq!(refused, ProblemError::Coefficient { what: "mu", contact: 0, value: -0.3 });
/// # Ok::<(), ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContactProblem<'a> {
    w: MatrixRef<'a>,
    q: &'a [f64],
    law: ContactLaw<'a>,
    scales: Option<&'a Scales>,
    motion: Option<Motion<'a>>,
}

/// The bodies behind a problem: $W = H^T M^{-1} H$.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion<'a> {
    /// A row for each degree of freedom.
    pub(super) m: MatrixRef<'a>,
    /// A row for each degree of freedom, a column for each contact unknown.
    pub(super) h: MatrixRef<'a>,
}

impl<'a> ContactProblem<'a> {
    /// Puts together a square matrix, a vector and the law.
    ///
    /// Shapes and coefficients are checked; a solver checks that `q` is finite, and the owned classes that
    /// the whole data are.
    ///
    /// # Errors
    ///
    /// [`ProblemError`]: a matrix that is not square, lengths that do not fit, a coefficient that is negative
    /// or NaN, or infinite and not $\mu$, blocks of a size that the law does not have.
    pub fn new(w: impl Into<MatrixRef<'a>>, q: &'a [f64], law: ContactLaw<'a>) -> Result<Self, ProblemError> {
        let w = w.into();
        law.check()?;
        if w.rows() != w.columns() {
            return Err(ProblemError::NotSquare { rows: w.rows(), columns: w.columns() });
        }
        if w.rows() != law.size() {
            let (rows, blocks, expected) = (w.rows(), law.blocks(), law.size());
            return Err(ProblemError::ContactRows { rows, blocks, expected });
        }
        check_length("q", w.rows(), q.len())?;
        Ok(Self { w, q, law, scales: None, motion: None })
    }

    /// Puts together data of which [`new`](Self::new) has accepted the shapes before.
    pub(crate) fn of_checked(w: MatrixRef<'a>, q: &'a [f64], law: ContactLaw<'a>) -> Self {
        Self { w, q, law, scales: None, motion: None }
    }

    /// This problem with the scales of its measure at hand.
    pub(super) fn with_scales<'b>(&'b self, scales: &'b Scales) -> ContactProblem<'b> {
        ContactProblem {
            w: self.w.reborrow(),
            q: self.q,
            law: self.law,
            scales: Some(scales),
            motion: self.motion(),
        }
    }

    /// This problem with the bodies behind it at hand: the symmetric positive definite matrix of masses M
    /// (\[kg\], a row per degree of freedom) and H (a row per degree of freedom, a column per unknown), with
    /// $W = H^T M^{-1} H$. Where contacts outnumber the degrees of freedom, [`Auto`](super::Auto) factorises
    /// sparse matrices of their size first, and those of the size of W only where that is affordable. It
    /// checks on one vector whether the bodies are those of W within its tolerance: masses that a file has
    /// with six digits pass at 1e-3, and not at 1e-8. If they are not, or if a coefficient of friction is
    /// infinite, it does without them.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_numerics::Solver;
    /// use siconos_numerics::contact::{Auto, ContactLaw, ContactProblem};
    ///
    /// // A mass of 2 kg between two walls with a normal and a tangent each.
    /// let (m, h) = (array![[2.0, 0.0], [0.0, 2.0]], array![[1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]);
    /// let w = h.t().dot(&h) / 2.0;
    /// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.5, 0.5] };
    /// let problem = ContactProblem::new(&w, &[-1.0, 1.0, 1.0, 1.0], law)?.with_motion(&m, &h)?;
    /// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
    /// assert!(Auto::default().solve(&problem, &mut r, &mut u)?.status.is_success());
    /// # Ok::<(), siconos_numerics::SolverError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ProblemError`]: M is not square, or H has not a row per row of M and a column per unknown.
    pub fn with_motion(
        self,
        m: impl Into<MatrixRef<'a>>,
        h: impl Into<MatrixRef<'a>>,
    ) -> Result<Self, ProblemError> {
        let (m, h) = (m.into(), h.into());
        if m.rows() != m.columns() {
            return Err(ProblemError::NotSquare { rows: m.rows(), columns: m.columns() });
        }
        check_length("rows of H", m.rows(), h.rows())?;
        check_length("columns of H", self.size(), h.columns())?;
        Ok(Self { motion: Some(Motion { m, h }), ..self })
    }

    /// The bodies behind the problem, where they were given.
    pub(super) fn motion(&self) -> Option<Motion<'_>> {
        self.motion.as_ref().map(|motion| Motion { m: motion.m.reborrow(), h: motion.h.reborrow() })
    }

    /// The scales that came with the problem.
    pub(super) fn scales(&self) -> Option<&'a Scales> {
        self.scales
    }

    /// The contacts of two bodies that approach each other and that nothing moves, so that the problem has no
    /// solution: the normal row of W vanishes, and $q_N < 0$. Solvers tell it as
    /// [`Status::NoSolution`](crate::Status::NoSolution). Where such bodies do not approach each other,
    /// $q_N \ge 0$, the reaction of a contact is 0. (That of a second-order cone of several rows may be
    /// another, because of its other rows.)
    #[must_use]
    pub fn immovable_and_approaching(&self) -> Vec<usize> {
        let mut scales = Scales::default();
        scales.prepare(self);
        let approaches = |block: &usize| self.q[self.law.range(*block).start] < 0.0;
        scales.immovable().iter().copied().filter(approaches).collect()
    }

    /// The number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// The Delassus matrix, `n x n` (inverse mass \[1/kg\] where q are velocities and r impulses).
    #[must_use]
    pub fn w(&self) -> MatrixRef<'a> {
        self.w
    }

    /// The free velocity \[m/s\], `n`.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'a> {
        self.law
    }
}
