//! Contact problems that own their data, with friction, rolling friction or second-order cones.

use ndarray::Array1;
use siconos_linalg::{Matrix, SingularMatrix, contiguous, slice};

use super::bodies::Mass;
use super::{ContactLaw, ContactProblem};
use crate::engine::{check_finite, check_finite_matrix, check_length};
use crate::error::ProblemError;

/// Law that relates the velocity and the reaction of every block of unknowns. It owns its coefficients;
/// [`ContactLaw`] borrows them.
///
/// ```
/// use siconos_numerics::contact::{ContactLaw, ContactLawData};
///
/// let law = ContactLawData::coulomb(3, [0.3, 0.5]);
/// assert_eq!(law.view(), ContactLaw::Coulomb { dimension: 3, mu: &[0.3, 0.5] });
/// assert_eq!(ContactLawData::from(law.view()), law);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactLawData {
    /// Coulomb friction, [`ContactLaw::Coulomb`].
    Coulomb {
        /// Number of components per block: 2 for blocks (N, T), 3 for blocks (N, T1, T2).
        dimension: usize,
        /// Coefficients of friction \[-\], one per contact; infinity is allowed.
        mu: Vec<f64>,
    },
    /// Rolling friction, [`ContactLaw::Rolling`].
    Rolling {
        /// Number of components per block: 3 for blocks (N, T, R), 5 for blocks (N, T1, T2, R1, R2).
        dimension: usize,
        /// Coefficients of friction \[-\], one per contact; infinity is allowed.
        mu: Vec<f64>,
        /// Coefficients of rolling friction \[m\], one per contact; all must be finite.
        mu_rolling: Vec<f64>,
    },
    /// Second-order cones of any sizes, [`ContactLaw::SecondOrder`].
    SecondOrder {
        /// Index of the first unknown of each cone. The last entry is the number of unknowns.
        starts: Vec<usize>,
        /// Slopes $\tau$ of the cones \[-\], one per cone; the standard cone has slope 1.
        tau: Vec<f64>,
    },
}

impl ContactLawData {
    /// Creates Coulomb friction in the plane (`dimension` 2) or in space (`dimension` 3). `mu` holds the
    /// coefficient of friction \[-\] of each contact.
    #[must_use]
    pub fn coulomb(dimension: usize, mu: impl Into<Vec<f64>>) -> Self {
        Self::Coulomb { dimension, mu: mu.into() }
    }

    /// Creates rolling friction in the plane (`dimension` 3) or in space (`dimension` 5). `mu` holds the
    /// coefficient of friction \[-\] of each contact, and `mu_rolling` its coefficient of rolling friction
    /// \[m\].
    #[must_use]
    pub fn rolling(dimension: usize, mu: impl Into<Vec<f64>>, mu_rolling: impl Into<Vec<f64>>) -> Self {
        Self::Rolling { dimension, mu: mu.into(), mu_rolling: mu_rolling.into() }
    }

    /// Creates second-order cones. `sizes` holds the number of unknowns of each cone, and `tau` its slope
    /// \[-\].
    #[must_use]
    pub fn cones(sizes: &[usize], tau: impl Into<Vec<f64>>) -> Self {
        let ends = sizes.iter().scan(0, |end, size| {
            *end += size;
            Some(*end)
        });
        Self::SecondOrder { starts: std::iter::once(0).chain(ends).collect(), tau: tau.into() }
    }

    /// Returns the borrowed form of the law. Its methods give the number of blocks, the range of each block
    /// and the projections onto the cones.
    #[must_use]
    pub fn view(&self) -> ContactLaw<'_> {
        match self {
            Self::Coulomb { dimension, mu } => ContactLaw::Coulomb { dimension: *dimension, mu },
            Self::Rolling { dimension, mu, mu_rolling } => {
                ContactLaw::Rolling { dimension: *dimension, mu, mu_rolling }
            }
            Self::SecondOrder { starts, tau } => ContactLaw::SecondOrder { starts, tau },
        }
    }
}

impl From<ContactLaw<'_>> for ContactLawData {
    fn from(law: ContactLaw<'_>) -> Self {
        match law {
            ContactLaw::Coulomb { dimension, mu } => Self::coulomb(dimension, mu),
            ContactLaw::Rolling { dimension, mu, mu_rolling } => Self::rolling(dimension, mu, mu_rolling),
            ContactLaw::SecondOrder { starts, tau } => {
                Self::SecondOrder { starts: starts.to_vec(), tau: tau.to_vec() }
            }
        }
    }
}

/// Contact problem that owns its data. It consists of $u = W r + q$ and a [law](ContactLawData) that relates
/// the blocks of u and r.
///
/// ```
/// use ndarray::{Array2, array};
/// use siconos_numerics::Solver;
/// use siconos_numerics::contact::{ContactData, ContactLawData, NonsmoothGaussSeidel};
///
/// // A mass of 2 kg slides and stops within the step. The friction impulse that stops it is
/// // 0.1 N s, which is less than mu r_N.
/// let w = array![[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
/// let problem = ContactData::new(w, array![-1.0, 0.05, 0.0], ContactLawData::coulomb(3, [0.3]))?;
/// let (mut r, mut u) = ([0.0; 3], [0.0; 3]);
/// let info = NonsmoothGaussSeidel::default().solve(&problem.view(), &mut r, &mut u)?;
/// assert!(info.status.is_success());
/// assert!((r[0] - 2.0).abs() < 1e-12 && (r[1] + 0.1).abs() < 1e-12);
///
/// // A wheel that rolls in the plane.
/// let law = ContactLawData::rolling(3, [0.3], [0.05]);
/// let wheel = ContactData::new(Array2::eye(3), array![-1.0, 0.1, 0.2], law)?;
/// assert_eq!((wheel.law().blocks(), wheel.view().size()), (1, 3));
///
/// // A half-line, and a cone in five dimensions.
/// let law = ContactLawData::cones(&[1, 5], [1.0, 0.5]);
/// assert_eq!(ContactData::new(Array2::eye(6), array![-1.0, 0.0, 0.0, 1.0, 2.0, 3.0], law)?.law().blocks(), 2);
/// # Ok::<(), siconos_numerics::SolverError>(())
/// ```
#[doc(alias = "fc3d")]
#[doc(alias = "FrictionContactProblem")]
#[doc(alias = "RollingFrictionContactProblem")]
#[doc(alias = "SecondOrderConeLinearComplementarityProblem")]
#[doc(alias = "SOCLCP")]
#[derive(Clone, Debug, PartialEq)]
pub struct ContactData {
    operator: OperatorData,
    q: Array1<f64>,
    law: ContactLawData,
}

/// Owned data of an [`Operator`](super::Operator).
#[derive(Clone, Debug, PartialEq)]
pub enum OperatorData {
    /// The Delassus matrix W.
    Delassus(Matrix),
    /// The bodies, in the global formulation of Siconos.
    Bodies(Box<BodiesData>),
}

/// Bodies of a contact problem in the global formulation. The equations are $M v = H r + f$ and
/// $u = H^T v + w$ (plain text: M v = H r + f, u = H^T v + w).
///
/// ```
/// use ndarray::array;
/// use siconos_numerics::contact::{BodiesData, ContactData, ContactLawData};
///
/// // A particle of 2 kg above the ground; the contact frame is aligned with the axes.
/// let (m, h) = (array![2.0, 2.0], array![[1.0, 0.0], [0.0, 1.0]]);
/// let bodies = BodiesData { m: m.into(), h: h.into(), f: array![-0.2, 0.0], w: array![0.0, 0.0] };
/// let problem = ContactData::of_bodies(bodies, ContactLawData::coulomb(2, [0.5]))?;
/// assert_eq!(problem.q(), [-0.1, 0.0]);
/// assert_eq!(problem.velocities(&[0.2, 0.0]), [0.0, 0.0]);
/// # Ok::<(), siconos_numerics::ProblemError>(())
/// ```
#[doc(alias = "GlobalFrictionContactProblem")]
#[doc(alias = "GlobalRollingFrictionContactProblem")]
#[doc(alias = "gfc3d")]
#[derive(Clone, Debug, PartialEq)]
pub struct BodiesData {
    /// Nonsingular mass matrix (or iteration matrix) M \[kg\].
    pub m: Matrix,
    /// Transposed contact Jacobian H, with one row per degree of freedom and one column per unknown of the
    /// contact law.
    pub h: Matrix,
    /// Free momentum f \[N s\], one entry per degree of freedom.
    pub f: Array1<f64>,
    /// Prescribed velocity w of the contacts \[m/s, rad/s\], one entry per unknown of the contact law. It is
    /// added to $H^T v$.
    pub w: Array1<f64>,
}

impl BodiesData {
    /// Returns the velocities $M^{-1} (H r + f)$ of the bodies, or an error if M is singular.
    fn velocities(&self, r: &[f64]) -> Result<Vec<f64>, SingularMatrix> {
        let mut v = self.f.to_vec();
        self.h.view().add_product(1.0, r, &mut v);
        let mut mass = Mass::default();
        mass.factor(self.m.view())?;
        mass.solve(&mut v);
        Ok(v)
    }
}

impl ContactData {
    /// Creates a problem after checking shapes, coefficients and finiteness. `w` is the Delassus matrix
    /// \[1/kg\], with one row per unknown of the law. `q` is the free velocity \[m/s\].
    ///
    /// # Errors
    ///
    /// If shapes differ, if an entry is not finite, or if a coefficient is outside its range. The
    /// [`ProblemError`] names the array, the contact and the invalid value. For second-order cones, the error
    /// message calls the matrix M, as the literature does.
    pub fn new(w: impl Into<Matrix>, q: Array1<f64>, law: ContactLawData) -> Result<Self, ProblemError> {
        let (w, q) = (w.into(), contiguous(q));
        ContactProblem::new(&w, slice(&q), law.view())?;
        let what = if matches!(law, ContactLawData::SecondOrder { .. }) { "M" } else { "W" };
        check_finite_matrix(what, w.view())?;
        check_finite("q", slice(&q))?;
        Ok(Self { operator: OperatorData::Delassus(w), q, law })
    }

    /// Creates a problem from its bodies after checking shapes, coefficients and finiteness. The problem has
    /// $W = H^T M^{-1} H$ and $q = H^T M^{-1} f + w$. If M is singular to working precision, q is set to w,
    /// and every solver returns an error for this problem.
    ///
    /// # Errors
    ///
    /// If shapes differ, if an entry is not finite, or if a coefficient is outside its range. The
    /// [`ProblemError`] names the array, the contact and the invalid value.
    pub fn of_bodies(bodies: BodiesData, law: ContactLawData) -> Result<Self, ProblemError> {
        let BodiesData { m, h, f, w } = bodies;
        let bodies = BodiesData { m, h, f: contiguous(f), w: contiguous(w) };
        let (given, momentum) = (slice(&bodies.w), slice(&bodies.f));
        ContactProblem::of_bodies(&bodies.m, &bodies.h, given, law.view())?;
        check_length("f", bodies.m.rows(), momentum.len())?;
        for (what, matrix) in [("M", &bodies.m), ("H", &bodies.h)] {
            check_finite_matrix(what, matrix.view())?;
        }
        check_finite("f", momentum)?;
        check_finite("w", given)?;
        let mut q = given.to_vec();
        if let Ok(free) = bodies.velocities(&vec![0.0; given.len()]) {
            bodies.h.view().add_transposed_product(1.0, &free, &mut q);
        }
        if q.iter().any(|q| !q.is_finite()) {
            q.copy_from_slice(given);
        }
        Ok(Self { operator: OperatorData::Bodies(Box::new(bodies)), q: q.into(), law })
    }

    /// Returns the operator: W or the bodies.
    #[must_use]
    pub fn operator(&self) -> &OperatorData {
        &self.operator
    }

    /// Returns the bodies if the problem is in the global formulation, or `None` if W is given.
    #[must_use]
    pub fn bodies(&self) -> Option<&BodiesData> {
        match &self.operator {
            OperatorData::Bodies(bodies) => Some(bodies),
            OperatorData::Delassus(_) => None,
        }
    }

    /// Computes the velocities $v = M^{-1} (H r + f)$ \[m/s, rad/s\] of the bodies for the reactions `r`.
    /// Returns an empty vector if the bodies are not given or if M is singular.
    ///
    /// # Panics
    ///
    /// If the length of `r` differs from the size of the problem.
    #[must_use]
    pub fn velocities(&self, r: &[f64]) -> Vec<f64> {
        self.bodies().and_then(|bodies| bodies.velocities(r).ok()).unwrap_or_default()
    }

    /// Returns the free velocity \[m/s\].
    #[must_use]
    pub fn q(&self) -> &[f64] {
        slice(&self.q)
    }

    /// Returns the law that relates the blocks of u and r.
    #[must_use]
    pub fn law(&self) -> ContactLaw<'_> {
        self.law.view()
    }

    /// Returns the borrowed form of the problem, which is the input of all solvers.
    #[must_use]
    pub fn view(&self) -> ContactProblem<'_> {
        let (q, law) = (slice(&self.q), self.law());
        match &self.operator {
            OperatorData::Delassus(w) => ContactProblem::of_checked(w.view(), q, law),
            OperatorData::Bodies(bodies) => {
                ContactProblem::of_checked_bodies(bodies.m.view(), bodies.h.view(), q, law)
            }
        }
    }
}
