//! Contact problem, the input of every solver of the module.

use siconos_linalg::MatrixRef;

use super::bodies::{BodiesError, BodiesProblem};
use super::scales::Scales;
use super::{ContactLaw, DelassusProblem};
use crate::engine::check_length;
use crate::error::{ProblemError, Unsupported};

/// Linear operator from reactions to relative velocities at the contacts. It is given by the matrix W
/// \[1/kg\] of $u = W r + q$, or by the matrices of the bodies, from which W can be computed.
#[derive(Clone, Copy, Debug)]
pub enum Operator<'a> {
    /// The Delassus matrix W, with one row and one column per unknown.
    Delassus(MatrixRef<'a>),
    /// The bodies, which define $W = H^T M^{-1} H$.
    Bodies {
        /// Nonsingular mass matrix (or iteration matrix) M \[kg\], with one row per degree of freedom.
        m: MatrixRef<'a>,
        /// Transposed contact Jacobian H, with one row per degree of freedom and one column per unknown.
        h: MatrixRef<'a>,
    },
    /// Both W and the bodies. Each solver uses the form that it needs.
    Both {
        /// Delassus matrix W.
        w: MatrixRef<'a>,
        /// Mass matrix M.
        m: MatrixRef<'a>,
        /// Transposed contact Jacobian H.
        h: MatrixRef<'a>,
    },
}

/// Borrowed contact problem: $u = W r + q$ and a [law](ContactLaw) that relates the blocks of $u$ and $r$.
///
/// The [`Operator`] holds W or, in the global formulation of Siconos, the matrices M and H of the bodies.
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::ProblemError;
/// use siconos_numerics::contact::{ContactLaw, ContactProblem};
///
/// // A mass of 2 kg at rest on the ground under its weight; each block is (normal, tangential).
/// let w = array![[0.5, 0.0], [0.0, 0.5]];
/// let law = ContactLaw::Coulomb { dimension: 2, mu: &[0.3] };
/// assert_eq!(ContactProblem::new(&w, &[-0.0981, 0.0], law)?.size(), 2);
///
/// // The same problem, given by the mass matrix and the contact directions.
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

/// Problem given by W or by the bodies. The error is computed from the given matrices.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form<'a> {
    Delassus(DelassusProblem<'a>),
    Bodies(BodiesProblem<'a>),
}

impl<'a> ContactProblem<'a> {
    /// Creates a problem from a square Delassus matrix W \[1/kg\], the free velocity q \[m/s\] and the law.
    ///
    /// Only shapes and coefficients are checked here. Solvers check that `q` is finite;
    /// [`ContactData::new`](super::ContactData::new) checks that all data are finite.
    ///
    /// # Errors
    /// If W is not square, if the length of `q` or the size of the law differs from the number of rows of W,
    /// if a coefficient is negative or NaN, if a coefficient other than $\mu$ is infinite, or if the law does
    /// not support this number of components per block ([`ProblemError`]).
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

    /// Creates a problem from its bodies and the law. `m` is the mass matrix (or iteration matrix) M \[kg\].
    /// `h` is the transposed contact Jacobian H, with one row per degree of freedom and one column per
    /// unknown. `q` is the free velocity \[m/s\], that is, the velocity u for zero reactions.
    ///
    /// # Errors
    ///
    /// If M is not square, if H does not have one row per row of M and one column per unknown, or if `q` or
    /// the law is invalid as in [`new`](Self::new).
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
        check_length("columns of H", m.rows(), h.rows())?;
        check_length("q", h.columns(), q.len())?;
        Ok(Self { operator: Operator::Bodies { m, h }, q, law })
    }

    /// Creates a problem from data whose shapes [`new`](Self::new) has accepted.
    pub(crate) fn of_checked(w: MatrixRef<'a>, q: &'a [f64], law: ContactLaw<'a>) -> Self {
        Self { operator: Operator::Delassus(w), q, law }
    }

    /// Creates a problem with both W and the bodies.
    pub(super) fn of_both(problem: &DelassusProblem<'a>, bodies: &BodiesProblem<'a>) -> Self {
        let operator = Operator::Both { w: problem.w(), m: bodies.m(), h: bodies.h() };
        Self { operator, q: problem.q(), law: problem.law() }
    }

    /// Creates a problem from bodies whose shapes have been checked.
    pub(super) fn of_checked_bodies(
        m: MatrixRef<'a>,
        h: MatrixRef<'a>,
        q: &'a [f64],
        law: ContactLaw<'a>,
    ) -> Self {
        Self { operator: Operator::Bodies { m, h }, q, law }
    }

    /// Adds the bodies to a problem that is given by W. M is the symmetric positive definite mass matrix
    /// \[kg\], with one row per degree of freedom. H has one row per degree of freedom and one column per
    /// unknown. W must be $H^T M^{-1} H$.
    ///
    /// If there are more unknowns than degrees of freedom, [`Auto`](super::Auto) prefers methods that
    /// factorise sparse matrices of the size of M. It factorises matrices of the size of W only afterwards,
    /// and only if that is affordable. `Auto` checks with one test vector that W equals $H^T M^{-1} H$ within
    /// its tolerance. If the check fails, or if a coefficient of friction is infinite, `Auto` ignores the
    /// bodies. For example, masses read from a file with six digits pass the check at a tolerance of 1e-3,
    /// but not at 1e-8.
    ///
    /// ```
    /// use ndarray::array;
    /// use siconos_numerics::Solver;
    /// use siconos_numerics::contact::{Auto, ContactLaw, ContactProblem};
    ///
    /// // A mass of 2 kg between two walls; each contact has a normal and a tangential direction.
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
    /// If M is not square, or if H does not have one row per row of M and one column per unknown
    /// ([`ProblemError`]).
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

    /// Returns the problem with W if W is given, otherwise the problem with the bodies. The error is computed
    /// in this form.
    pub(super) fn form(&self) -> Form<'a> {
        match self.operator {
            Operator::Delassus(w) | Operator::Both { w, .. } => {
                Form::Delassus(DelassusProblem::new(w, self.q, self.law))
            }
            Operator::Bodies { m, h } => Form::Bodies(BodiesProblem::new(m, h, self.q, self.law)),
        }
    }

    /// Returns the problem with the Delassus matrix, or `None` if W is not given.
    pub(super) fn delassus(&self) -> Option<DelassusProblem<'a>> {
        match self.form() {
            Form::Delassus(problem) => Some(problem),
            Form::Bodies(_) => None,
        }
    }

    /// Returns the problem with the bodies, or `None` if the bodies are not given.
    pub(super) fn bodies(&self) -> Option<BodiesProblem<'a>> {
        match self.operator {
            Operator::Bodies { m, h } | Operator::Both { m, h, .. } => {
                Some(BodiesProblem::new(m, h, self.q, self.law))
            }
            Operator::Delassus(_) => None,
        }
    }

    /// Returns the problem with W, or an error that names `solver` if W is not given.
    pub(super) fn need_delassus(&self, solver: &'static str) -> Result<DelassusProblem<'a>, Unsupported> {
        let (found, takes) = ("a problem without W", "problems with W");
        self.delassus().ok_or(Unsupported { solver, found, takes })
    }

    /// Returns the problem with the bodies, or an error that names `solver` if the bodies are not given.
    pub(super) fn need_bodies(&self, solver: &'static str) -> Result<BodiesProblem<'a>, Unsupported> {
        let (found, takes) = ("a problem without bodies", "problems with their bodies");
        self.bodies().ok_or(Unsupported { solver, found, takes })
    }

    /// Returns the contacts whose bodies approach each other although no reaction can move the bodies. For
    /// these contacts, the normal row of W is zero, and $q_N < 0$.
    ///
    /// A problem with such a contact has no solution, and solvers return
    /// [`Status::NoSolution`](crate::Status::NoSolution). If the normal row of W is zero and $q_N \ge 0$, the
    /// reaction of the contact is 0. Second-order cones with several rows are an exception: the reaction can
    /// be nonzero because of the other rows of the cone.
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
                let mut measure = BodiesError::default();
                // The set of immovable contacts does not depend on M, so a singular M is ignored.
                let _singular = measure.prepare(&problem);
                of_scales(measure.scales())
            }
        }
    }

    /// Returns the number of unknowns.
    #[must_use]
    pub fn size(&self) -> usize {
        self.q.len()
    }

    /// Returns the free velocity \[m/s\], one entry per unknown.
    #[must_use]
    pub fn q(&self) -> &'a [f64] {
        self.q
    }

    /// Returns the law.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'a> {
        self.law
    }
}

fn check_square(matrix: &MatrixRef<'_>) -> Result<(), ProblemError> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    if rows == columns { Ok(()) } else { Err(ProblemError::NotSquare { rows, columns }) }
}
