//! What can be chosen about the sweeps.

use serde::{Deserialize, Serialize};

use crate::error::SettingsError;
use crate::method::Limits;

/// How the law of one contact is solved with the others held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum LocalSolver {
    /// Exactly, for Coulomb friction: opening, sticking, or sliding by the root of a quartic (Bonnefon and
    /// Daviet 2011). Other laws take [`Hybrid`](Self::Hybrid) in its place.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_QUARTIC (562)")]
    #[default]
    Exact,
    /// One projection on the cone, with a step of the inverse size of the diagonal block.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone (552)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnCone (3001)")]
    Projection,
    /// Projections on the cone until the contact is solved, with a step that adapts itself and is remembered
    /// from one sweep to the next: the fixed point of [`crate::engine::fixed_point`] for one contact.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (553)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration (3002)")]
    ProjectionWithLocalIteration,
    /// The normal reaction first, by $1/W_{NN}$, then the tangential one, cut at $\mu r_N$. For laws of
    /// friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithDiagonalization (555)")]
    ProjectionWithDiagonalization,
    /// Semismooth Newton steps on the function of Alart and Curnier (1991), section 3, whose disc of friction
    /// has the radius $\mu (r_N - \rho u_N)_+$. For laws of friction.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN (550)")]
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN_GP (551)")]
    NewtonAlartCurnier,
    /// Semismooth Newton steps on the function of Jean (1999), section 5, after Moreau: the radius is
    /// $\mu (r_N)_+$. For laws of friction.
    NewtonJeanMoreau,
    /// Semismooth Newton steps on the natural map of the block, for every law.
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN (3003)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN_GP (3004)")]
    NewtonNaturalMap,
    /// Newton steps, of Alart and Curnier for friction and on the natural map for other cones; where they
    /// fail the local iteration, and Newton steps again from where that ends.
    #[doc(alias = "SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID (565)")]
    #[doc(alias = "SICONOS_ROLLING_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID (3005)")]
    Hybrid,
}

impl LocalSolver {
    /// All of them.
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

    /// Whether it adds the shift of De Saxce to a velocity, which infinite friction makes infinite.
    pub(crate) fn needs_finite_friction(self) -> bool {
        use LocalSolver::{NewtonNaturalMap, Projection, ProjectionWithLocalIteration};
        matches!(self, Projection | ProjectionWithLocalIteration | NewtonNaturalMap)
    }

    /// Whether it splits a reaction into a normal part and discs, which needs a law of friction.
    pub(crate) fn needs_friction(self) -> bool {
        use LocalSolver::{NewtonAlartCurnier, NewtonJeanMoreau, ProjectionWithDiagonalization};
        matches!(self, ProjectionWithDiagonalization | NewtonAlartCurnier | NewtonJeanMoreau)
    }
}

/// The order in which a sweep visits the contacts.
///
/// Where contacts outnumber the degrees of freedom by far, as with rocks of many contacts, sweeps in one
/// direction may settle into a cycle that those in both directions, or in random order, leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SweepOrder {
    /// As they are numbered.
    #[default]
    Forward,
    /// Forward and backward in turn; each counts as one sweep.
    Symmetric,
    /// Shuffled once for all sweeps.
    ShuffledOnce {
        /// Where the random numbers begin; the same one gives the same order.
        seed: u64,
    },
    /// Shuffled anew for every sweep.
    Shuffled {
        /// Where the random numbers begin; the same one gives the same orders.
        seed: u64,
    },
}

/// When the full [`error`](crate::contact::error) is computed, which costs a product with the matrix.
///
/// None of them is the last word: a solve ends as `Converged` only by the full error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum StoppingTest {
    /// When the violation, which a sweep sees of each contact before it solves it, comes near the tolerance.
    #[default]
    Violation,
    /// When the reactions changed in a sweep by less than the tolerance times their norm. Where the full
    /// error then is larger, the test is made stricter in proportion.
    Change,
    /// After so many sweeps, whatever they did.
    Every {
        /// At least 1.
        sweeps: usize,
    },
}

/// Contacts that have settled are left out for some sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Freezing {
    /// A contact is frozen when its reaction has not changed, to a tenth of the tolerance of the solver, for
    /// so many sweeps. Default 5, at least 1.
    pub after: usize,
    /// For so many sweeps; then it is looked at again. Default 10, at least 1.
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
    /// The largest number of sweeps. Default 10 000.
    pub max_iterations: usize,
    /// The solver of one contact. Default [`LocalSolver::Exact`].
    pub local: LocalSolver,
    /// When the local iteration and the Newton methods of one contact end, as a part of its reaction. Default
    /// 1e-12, above 0.
    pub local_tolerance: f64,
    /// Their largest number of steps in one visit. Default 50, at least 1.
    pub local_iterations: usize,
    /// $\omega$ in $r \leftarrow P_K(r + \omega (r_{new} - r))$. Default 1, in (0, 2).
    pub relaxation: f64,
    /// The order of the contacts. Default [`SweepOrder::Forward`].
    pub order: SweepOrder,
    /// When the full error is computed. Default [`StoppingTest::Violation`].
    pub stopping: StoppingTest,
    /// Whether settled contacts are frozen. Default not.
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

    /// The tolerance and the steps of one contact.
    pub(super) fn local_limits(&self) -> Limits {
        Limits { tolerance: self.local_tolerance, max_iterations: self.local_iterations }
    }

    pub(in crate::contact) fn check(&self) -> Result<(), SettingsError> {
        SettingsError::check_tolerance(self.tolerance)?;
        SettingsError::check_at_least("local_tolerance", self.local_tolerance, f64::MIN_POSITIVE, "above 0")?;
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
