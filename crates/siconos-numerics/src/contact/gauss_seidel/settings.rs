//! Settings of the Gauss-Seidel sweeps.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;
use crate::method::Limits;

/// Method that solves the problem of one contact, with the other contacts fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LocalSolver {
    /// Exact solution for Coulomb friction. The contact opens, sticks, or slides; the sliding reaction is
    /// determined by the root of a quartic (Bonnefon and Daviet 2011). For other laws
    /// [`Hybrid`](Self::Hybrid) is used instead.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_QUARTIC (562)")]
    #[default]
    Exact,
    /// One projection onto the cone. The step length is the reciprocal of the largest row sum of the diagonal
    /// block.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone (552)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnCone (3001)")]
    Projection,
    /// Projections onto the cone until the contact is solved, with an adaptive step length that is kept from
    /// one sweep to the next. This is the fixed-point method of [`crate::engine::fixed_point`] for one
    /// contact.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (553)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (3002)")]
    ProjectionWithLocalIteration,
    /// One projected step for the normal reaction with step length $1/W_{NN}$, followed by one step for the
    /// tangential reaction, which is shortened to $\mu r_N$. Requires a law with friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithDiagonalization (555)")]
    ProjectionWithDiagonalization,
    /// Semismooth Newton steps on the function of Alart and Curnier (1991), section 3, with a friction disc
    /// of radius $\mu (r_N - \rho u_N)_+$. Requires a law with friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN (550)")]
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN_GP (551)")]
    NewtonAlartCurnier,
    /// Semismooth Newton steps on the function of Jean (1999), section 5, after Moreau, with a friction disc
    /// of radius $\mu (r_N)_+$. Requires a law with friction.
    NewtonJeanMoreau,
    /// Semismooth Newton steps on the natural map of the block. Supports every law.
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN (3003)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN_GP (3004)")]
    NewtonNaturalMap,
    /// Newton steps on the function of Alart and Curnier for laws with friction, and on the natural map for
    /// second-order cones. If the Newton steps fail, the solver runs projections as in
    /// [`ProjectionWithLocalIteration`](Self::ProjectionWithLocalIteration), and then Newton steps from the
    /// result of the projections.
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

    /// Returns `true` if the solver adds the shift of De Saxce to a velocity. The shift is infinite if
    /// friction is infinite.
    pub(crate) fn needs_finite_friction(self) -> bool {
        use LocalSolver::{NewtonNaturalMap, Projection, ProjectionWithLocalIteration};
        matches!(self, Projection | ProjectionWithLocalIteration | NewtonNaturalMap)
    }

    /// Returns `true` if the solver splits a reaction into a normal component and discs. This requires a law
    /// with friction.
    pub(crate) fn needs_friction(self) -> bool {
        use LocalSolver::{NewtonAlartCurnier, NewtonJeanMoreau, ProjectionWithDiagonalization};
        matches!(self, ProjectionWithDiagonalization | NewtonAlartCurnier | NewtonJeanMoreau)
    }
}

/// Order in which a sweep visits the contacts.
///
/// If there are many more contact unknowns than degrees of freedom, as for rocks with many contacts each,
/// sweeps in one direction can end in a cycle. Sweeps in alternating directions or in random order leave the
/// cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SweepOrder {
    /// Ascending order of the indices.
    #[default]
    Forward,
    /// Ascending and descending order in alternation; each direction counts as one sweep.
    Symmetric,
    /// One random order for all sweeps.
    ShuffledOnce {
        /// Seed of the random numbers; equal seeds give equal orders.
        seed: u64,
    },
    /// A new random order for every sweep.
    Shuffled {
        /// Seed of the random numbers; equal seeds give equal orders.
        seed: u64,
    },
}

/// Test that decides when the full [`error`](crate::contact::error) is computed, which costs a product with
/// the matrix.
///
/// Whatever the test, a solve ends as `Converged` only if the full error is within the tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StoppingTest {
    /// Test based on the violations of the law that a sweep finds before it solves each contact. The full
    /// error is computed when these violations come near the tolerance, and after 1, 2, 4, 8, .. sweeps.
    #[default]
    Violation,
    /// Test based on the change of the reactions in a sweep. The full error is computed when the norm of the
    /// change is at most the tolerance times the norm of the reactions. If the full error then exceeds the
    /// tolerance, the test becomes stricter in proportion.
    Change,
    /// Computation of the full error after every N sweeps.
    Every {
        /// Number N of sweeps, at least 1.
        sweeps: usize,
    },
}

/// Freezing of converged contacts. Frozen contacts are left out of the sweeps for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Freezing {
    /// Number of successive sweeps after which a contact is frozen if its reaction did not change in any of
    /// them. A change below 0.1 times the tolerance of the solver, relative to the reaction, does not count.
    /// Default 5, at least 1.
    pub after: usize,
    /// Number of sweeps for which a contact stays frozen. Default 10, at least 1.
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
    /// The [`error`](crate::contact::error) at which a point counts as a solution. Default 1e-8, above 0.
    pub tolerance: f64,
    /// Maximum number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// Solver of the one-contact problem. Default [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// Tolerance relative to the reaction of the contact, for the local solvers that iterate. Default 1e-12,
    /// above 0.
    pub local_tolerance: f64,
    /// Maximum number of steps in one solution of a contact, for the local solvers that iterate. Default 50,
    /// at least 1.
    pub local_iterations: usize,
    /// Relaxation factor $\omega$ in $r \leftarrow P_K(r + \omega (r_{new} - r))$. Default 1, in (0, 2).
    pub relaxation: f64,
    /// Order in which a sweep visits the contacts. Default [`SweepOrder::Forward`].
    pub order: SweepOrder,
    /// Test that decides when the full error is computed. Default [`StoppingTest::Violation`].
    pub stopping: StoppingTest,
    /// Freezing of converged contacts; `None` to never freeze contacts. Default `None`.
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
