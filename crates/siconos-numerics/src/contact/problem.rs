//! The data that every solver of the module takes.

use siconos_linalg::MatrixRef;

use super::bodies::{BodiesProblem, Measure};
use super::scales::Scales;
use super::{ContactLaw, DelassusProblem};
use crate::engine::check_length;
use crate::error::{ProblemError, Unsupported};

/// Map from reactions to relative velocities of the contacts: the matrix W \[1/kg\] of $u = W r + q$, or the
/// bodies that it is made of.
#[derive(Clone, Copy, Debug)]
pub enum Operator<'a> {
    /// The Delassus matrix W, a row and a column per unknown.
    Delassus(MatrixRef<'a>),
    /// The bodies, $W = H^T M^{-1} H$.
    Bodies {
        /// The mass matrix (or iteration matrix) M \[kg\], regular, a row per degree of freedom.
        m: MatrixRef<'a>,
        /// The transposed contact Jacobian H, a row per degree of freedom, a column per unknown.
        h: MatrixRef<'a>,
    },
    /// W and the bodies behind it, for solvers to choose.
    Both {
        /// The Delassus matrix.
        w: MatrixRef<'a>,
        /// The mass matrix.
        m: MatrixRef<'a>,
        /// The transposed contact Jacobian.
        h: MatrixRef<'a>,
    },
}

/// A borrowed contact problem: $u = W r + q$ and a [law](ContactLaw) between the blocks of $u$ and $r$.
///
/// W is a matrix or, in the global form of Siconos, what M and H of the bodies make it: an [`Operator`].
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
/// // The same by its masses and the directions of the contact.
/// let (m, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// # let m = ndarray::Array2::from_diag(&m);
/// assert_eq!(ContactProblem::of_bodies(&m, &h, &[-0.0981, 0.0], law)?.size(), 2);
///
/// let negative = ContactLaw::Coulomb { dimension: 2, mu: &[-0.3] };
/// let refused = ContactProblem::new(&w, &[-0.0981, 0.0], negative).unwrap_err();
/// assert_eq!(refused, ProblemError::Coefficient { what: "mu", contact: 0, value: -0.3 });
/// # Ok::<(), ProblemError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ContactProblem<'a> {
    operator: Operator<'a>,
    q: &'a [f64],
    law: ContactLaw<'a>,
}

/// A problem as its points are measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    Delassus(DelassusProblem<'a>),
    Bodies(BodiesProblem<'a>),
}

impl<'a> ContactProblem<'a> {
    /// Puts together a square Delassus matrix, a vector and the law.
    ///
    /// Shapes and coefficients are checked; a solver checks that `q` is finite, and the owned class that the
    /// whole data are.
    ///
    /// # Errors
    ///
    /// [`ProblemError`]: a matrix that is not square, lengths that do not fit, a coefficient that is negative
    /// or NaN, or infinite and not $\mu$, blocks of a size that the law does not have.
    pub fn new(w: impl Into<MatrixRef<'a>>, q: &'a [f64], law: ContactLaw<'a>) -> Result<Self, ProblemError> {
        let w = w.into();
        law.check()?;
        check_square(&w)?;
        if w.rows() != law.size() {
            let (rows, blocks, expected) = (w.rows(), law.blocks(), law.size());
            return Err(ProblemError::ContactRows { rows, blocks, expected });
        }
        check_length("q", w.rows(), q.len())?;
        Ok(Self { operator: Operator::Delassus(w), q, law })
    }

    /// Puts together the bodies, a vector and the law: the mass matrix (or iteration matrix) M \[kg\], the
    /// transposed contact Jacobian H with a row per degree of freedom and a column per unknown, and the free
    /// velocities q \[m/s\] of the contacts, which they have without reactions.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    pub fn of_bodies(
        m: impl Into<MatrixRef<'a>>,
        h: impl Into<MatrixRef<'a>>,
        q: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Result<Self, ProblemError> {
        let (m, h) = (m.into(), h.into());
        law.check()?;
        check_square(&m)?;
        if h.columns() != law.size() {
            let (columns, blocks, expected) = (h.columns(), law.blocks(), law.size());
            return Err(ProblemError::ContactColumns { columns, blocks, expected });
        }
        check_length("columns of H, which", m.rows(), h.rows())?;
        check_length("q", h.columns(), q.len())?;
        Ok(Self { operator: Operator::Bodies { m, h }, q, law })
    }

    /// Puts together data of which [`new`](Self::new) has accepted the shapes before.
    pub(crate) fn of_checked(w: MatrixRef<'a>, q: &'a [f64], law: ContactLaw<'a>) -> Self {
        Self { operator: Operator::Delassus(w), q, law }
    }

    /// A problem with W and the bodies behind it.
    pub(super) fn of_both(problem: &DelassusProblem<'a>, bodies: &BodiesProblem<'a>) -> Self {
        let operator = Operator::Both { w: problem.w(), m: bodies.m(), h: bodies.h() };
        Self { operator, q: problem.q(), law: problem.law() }
    }

    /// The problem of bodies whose shapes fit.
    pub(super) fn of_checked_bodies(
        m: MatrixRef<'a>,
        h: MatrixRef<'a>,
        q: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Self {
        Self { operator: Operator::Bodies { m, h }, q, law }
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
    /// let problem = ContactProblem::new(&w, &[-1.0, 1.0, 1.0, 1.0], law)?.with_bodies(&m, &h)?;
    /// let (mut r, mut u) = ([0.0; 4], [0.0; 4]);
    /// assert!(Auto::default().solve(&problem, &mut r, &mut u)?.status.is_success());
    /// # Ok::<(), siconos_numerics::SolverError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ProblemError`]: M is not square, or H has not a row per row of M and a column per unknown.
    pub fn with_bodies(
        self,
        m: impl Into<MatrixRef<'a>>,
        h: impl Into<MatrixRef<'a>>,
    ) -> Result<Self, ProblemError> {
        let of_bodies = Self::of_bodies(m, h, self.q, self.law)?;
        let operator = match (self.operator, of_bodies.operator) {
            (Operator::Delassus(w) | Operator::Both { w, .. }, Operator::Bodies { m, h }) => {
                Operator::Both { w, m, h }
            }
            (_, bodies) => bodies,
        };
        Ok(Self { operator, ..self })
    }

    /// Returns the operator: W, the bodies, or both.
    #[must_use]
    pub fn operator(&self) -> Operator<'a> {
        self.operator
    }

    /// The problem by which points are measured: with W where that is known.
    pub(super) fn form(&self) -> Form<'a> {
        match self.operator {
            Operator::Delassus(w) | Operator::Both { w, .. } => {
                Form::Delassus(DelassusProblem::new(w, self.q, self.law))
            }
            Operator::Bodies { m, h } => Form::Bodies(BodiesProblem::new(m, h, self.q, self.law)),
        }
    }

    /// The problem with the Delassus matrix, where that is known.
    pub(super) fn delassus(&self) -> Option<DelassusProblem<'a>> {
        match self.form() {
            Form::Delassus(problem) => Some(problem),
            Form::Bodies(_) => None,
        }
    }

    /// The problem with the bodies, where they are known.
    pub(super) fn bodies(&self) -> Option<BodiesProblem<'a>> {
        match self.operator {
            Operator::Bodies { m, h } | Operator::Both { m, h, .. } => {
                Some(BodiesProblem::new(m, h, self.q, self.law))
            }
            Operator::Delassus(_) => None,
        }
    }

    /// The problem with W, for a method of this name that needs it.
    pub(super) fn need_delassus(&self, solver: &'static str) -> Result<DelassusProblem<'a>, Unsupported> {
        let (found, takes) = ("a problem without W", "problems with W");
        self.delassus().ok_or(Unsupported { solver, found, takes })
    }

    /// The problem with the bodies, for a method of this name that needs them.
    pub(super) fn need_bodies(&self, solver: &'static str) -> Result<BodiesProblem<'a>, Unsupported> {
        let (found, takes) = ("a problem whose bodies are not known", "problems with their bodies");
        self.bodies().ok_or(Unsupported { solver, found, takes })
    }

    /// The contacts of two bodies that approach each other and that nothing moves, so that the problem has no
    /// solution: the normal row of W vanishes, and $q_N < 0$. Solvers tell it as
    /// [`Status::NoSolution`](crate::Status::NoSolution). Where such bodies do not approach each other,
    /// $q_N \ge 0$, the reaction of a contact is 0. (That of a second-order cone of several rows may be
    /// another, because of its other rows.)
    #[must_use]
    pub fn immovable_and_approaching(&self) -> Vec<usize> {
        let approaches = |block: &usize| self.q[self.law.range(*block).start] < 0.0;
        let of_scales = |scales: &Scales| scales.immovable().iter().copied().filter(approaches).collect();
        match self.form() {
            Form::Delassus(problem) => {
                let mut scales = Scales::default();
                scales.prepare(&problem);
                of_scales(&scales)
            }
            Form::Bodies(problem) => {
                let mut measure = Measure::default();
                // Immovable contacts do not depend on M.
                let _singular = measure.prepare(&problem);
                of_scales(measure.scales())
            }
        }
    }

    /// The number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
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

fn check_square(matrix: &MatrixRef<'_>) -> Result<(), ProblemError> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if rows == columns { Ok(()) } else { Err(ProblemError::NotSquare { rows, columns }) }
}
