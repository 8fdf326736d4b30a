//! Settings of the Gauss-Seidel sweeps.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;
use crate::method::Limits;

/// Method that solves the problem of one contact while the other reactions are fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LocalSolver {
    /// Exact solution for Coulomb friction. The contact opens, sticks or slides. The sliding reaction is
    /// determined by the root of a quartic (Bonnefon and Daviet 2011). For other laws,
    /// [`Hybrid`](Self::Hybrid) is used instead.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_QUARTIC (562)")]
    #[default]
    Exact,
    /// One projection onto the cone. The step length is the reciprocal of the largest row sum of the diagonal
    /// block.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone (552)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnCone (3001)")]
    Projection,
    /// Repeated projections onto the cone until the contact is solved. The step length is adaptive and is
    /// kept from one sweep to the next. This is the fixed-point method of [`crate::engine::fixed_point`],
    /// applied to one contact.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (553)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (3002)")]
    ProjectionWithLocalIteration,
    /// One projected step for the normal reaction with step length $1/W_{NN}$, followed by one step for the
    /// tangential reaction, which is shortened to $\mu r_N$. Requires a law with friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithDiagonalization (555)")]
    ProjectionWithDiagonalization,
    /// Semismooth Newton method for the function of Alart and Curnier (1991), section 3. The friction disc
    /// has the radius $\mu (r_N - \rho u_N)_+$. Requires a law with friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN (550)")]
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN_GP (551)")]
    NewtonAlartCurnier,
    /// Semismooth Newton method for the function of Jean and Moreau (Jean 1999, section 5). The friction disc
    /// has the radius $\mu (r_N)_+$. Requires a law with friction.
    NewtonJeanMoreau,
    /// Semismooth Newton method for the natural map of the block. Supports every law.
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN (3003)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN_GP (3004)")]
    NewtonNaturalMap,
    /// Newton's method for the function of Alart and Curnier if the law has friction, or for the natural map
    /// if it is a second-order cone. If Newton's method fails, it is restarted from the result of projections
    /// as in [`ProjectionWithLocalIteration`](Self::ProjectionWithLocalIteration).
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID (565)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID (3005)")]
    Hybrid,
}

impl LocalSolver {
    /// All local solvers.
    pub const ALL: [Self; 8] = [
        Self::Exact,
        Self::Projection,
        Self::ProjectionWithLocalIteration,
        Self::ProjectionWithDiagonalization,
        Self::NewtonAlartCurnier,
        Self::NewtonJeanMoreau,
        Self::NewtonNaturalMap,
        Self::Hybrid,
    ];

    /// Returns `true` if the solver adds De Saxce's shift to a velocity. The shift is infinite if friction is
    /// infinite.
    pub(crate) fn needs_finite_friction(self) -> bool {
        use LocalSolver::{NewtonNaturalMap, Projection, ProjectionWithLocalIteration};
        matches!(self, Projection | ProjectionWithLocalIteration | NewtonNaturalMap)
    }

    /// Returns `true` if the solver treats the normal component of a reaction and its discs separately. This
    /// requires a law with friction.
    pub(crate) fn needs_friction(self) -> bool {
        use LocalSolver::{NewtonAlartCurnier, NewtonJeanMoreau, ProjectionWithDiagonalization};
        matches!(self, ProjectionWithDiagonalization | NewtonAlartCurnier | NewtonJeanMoreau)
    }
}

/// Order in which a sweep visits the contacts.
///
/// If there are many more contact unknowns than degrees of freedom, as for rocks with many contacts each, the
/// iterates of sweeps in a fixed direction can cycle. Alternating directions or random orders avoid such
/// cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SweepOrder {
    /// Ascending order of the indices.
    #[default]
    Forward,
    /// Alternation of ascending and descending order. Each direction is counted as one sweep.
    Symmetric,
    /// One random order for all sweeps.
    ShuffledOnce {
        /// Seed of the random numbers. Equal seeds give equal orders.
        seed: u64,
    },
    /// A new random order for every sweep.
    Shuffled {
        /// Seed of the random numbers. Equal seeds give equal orders.
        seed: u64,
    },
}

/// Test that decides when the full [`error`](crate::contact::error) is computed, which costs a product with
/// the matrix.
///
/// With every test, a solve ends as `Converged` only if the full error is within the tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StoppingTest {
    /// The full error is computed if the violations of the law that a sweep finds before it solves each
    /// contact are near the tolerance. It is also computed after 1, 2, 4, 8, .. sweeps.
    #[default]
    Violation,
    /// The full error is computed if the norm of the change of the reactions in a sweep is at most a
    /// threshold times the norm of the reactions. Initially, the threshold is the tolerance. If the full
    /// error exceeds the tolerance, the threshold becomes the relative change in this sweep, multiplied by
    /// the ratio of the tolerance to the error or, if the ratio is smaller, by 0.1.
    Change,
    /// The full error is computed after every N sweeps.
    Every {
        /// Number N of sweeps. Must be at least 1.
        sweeps: usize,
    },
}

/// Freezing of converged contacts. Sweeps omit a frozen contact for a given number of sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Freezing {
    /// Number of successive sweeps without a change of the reaction after which a contact is frozen. A change
    /// is ignored if it is below 0.1 times the tolerance of the solver, relative to the reaction. Default: 5.
    /// Must be at least 1.
    pub after: usize,
    /// Number of sweeps for which a contact stays frozen. Default: 10. Must be at least 1.
    pub sweeps: usize,
}

impl Default for Freezing {
    fn default() -> Self {
        Self { after: 5, sweeps: 10 }
    }
}

/// Settings of [`NonsmoothGaussSeidel`](super::NonsmoothGaussSeidel).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaussSeidelSettings {
    /// Maximum [`error`](crate::contact::error) of an accepted solution. Default: 1e-8. Must be positive.
    pub tolerance: f64,
    /// Maximum number of sweeps. Default: 10 000.
    pub max_iterations: usize,
    /// Solver of the one-contact problem. Default: [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// Tolerance of the local solvers that iterate, relative to the reaction of the contact. Default: 1e-12.
    /// Must be positive.
    pub local_tolerance: f64,
    /// Maximum number of steps of the local solvers that iterate, per solution of a contact. Default: 50.
    /// Must be at least 1.
    pub local_iterations: usize,
    /// Relaxation factor $\omega$ in $r \leftarrow P_K(r + \omega (r_{new} - r))$. Default: 1. Must be in (0,
    /// 2).
    pub relaxation: f64,
    /// Order in which a sweep visits the contacts. Default: [`SweepOrder::Forward`].
    pub order: SweepOrder,
    /// Test that decides when the full error is computed. Default: [`StoppingTest::Violation`].
    pub stopping: StoppingTest,
    /// Freezing of converged contacts, or `None` if contacts are never frozen. Default: `None`.
    pub freezing: Option<Freezing>,
}

impl Default for GaussSeidelSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 10_000,
            local: LocalSolver::default(),
            local_tolerance: 1e-12,
            local_iterations: 50,
            relaxation: 1.0,
            order: SweepOrder::default(),
            stopping: StoppingTest::default(),
            freezing: None,
        }
    }
}

impl GaussSeidelSettings {
    pub(in crate::contact) fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, max_iterations: self.max_iterations }
    }

    /// Returns the tolerance and the maximum number of steps of the local solver.
    pub(super) fn local_limits(&self) -> Limits {
        Limits { tolerance: self.local_tolerance, max_iterations: self.local_iterations }
    }

    pub(in crate::contact) fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check_tolerance(self.tolerance)?;
        SettingsError::check_at_least(
            "local_tolerance",
            self.local_tolerance,
            f64::MIN_POSITIVE,
            "positive",
        )?;
        let count = |name, value| SettingsError::check_at_least(name, value as f64, 1.0, "at least 1");
        count("local_iterations", self.local_iterations)?;
        if let StoppingTest::Every { sweeps } = self.stopping {
            count("stopping.sweeps", sweeps)?;
        }
        if let Some(Freezing { after, sweeps }) = self.freezing {
            count("freezing.after", after)?;
            count("freezing.sweeps", sweeps)?;
        }
        SettingsError::check_relaxation("relaxation", self.relaxation)
    }
}
