//! Impact laws: restitution and friction.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::description::{LawDescription, OTHER_EVENTS, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// Newton's impact law: while $y \le 0$, $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ with the
/// coefficient of restitution e between 0 (no rebound) and 1 (no loss).
///
/// The law acts on velocities. With [`Projection::Combined`](crate::integrator::Projection::Combined), a step
/// with an impact ends at y = 0, so the height that the rebound gains within the step is lost, and even a
/// ball with e = 1 comes to rest. Without projection, or in an event-driven simulation, e = 1 conserves
/// energy.
///
/// ```
/// use siconos_kernel::model::NewtonImpact;
///
/// assert_eq!(NewtonImpact::new(0.9)?.restitution(), 0.9);
/// assert!(NewtonImpact::new(-0.1).is_err());
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonImpactNSL")]
#[doc(alias = "NewtonImpactLawNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewtonImpact {
    #[serde(deserialize_with = "checked_restitution")]
    restitution: f64,
}

/// Checks a coefficient from a file, as the constructor does.
fn checked_restitution<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    NewtonImpact::new(f64::deserialize(deserializer)?).map(|law| law.restitution).map_err(D::Error::custom)
}

impl NewtonImpact {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "NewtonImpact",
        rows: RowLaw::Complementarity,
        opens: true,
        is_force: false,
        refused: Refusals::of_impact_law(),
    };

    /// Creates the law with the coefficient of restitution `e`.
    ///
    /// # Errors
    ///
    /// If `e` is not between 0 and 1 ([`ModelError::Restitution`]).
    pub fn new(e: f64) -> Result<Self, ModelError> {
        if (0.0..=1.0).contains(&e) {
            Ok(Self { restitution: e })
        } else {
            Err(ModelError::Restitution { value: e })
        }
    }

    /// Returns the coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }
}

/// Newton's impact law with Coulomb friction. A block has the components (N, T) in the plane and (N, T1, T2)
/// in space, along the normal N and the tangents T. With rolling friction, a block has the components (N, T,
/// R) in the plane and (N, T1, T2, R1, R2) in space, where R denotes rolling.
///
/// The first component of y is the gap; the rates of the other components are sliding velocities. While
/// $y_N \le 0$, with $u = \dot y^+ + (e_N \dot y_N^-, e_T \dot y_T^-)$ and the impulse $\lambda$,
///
/// $$ 0 \le u_N \perp \lambda_N \ge 0, \qquad \lVert \lambda_T \rVert \le \mu \lambda_N, \qquad
///    u_T \ne 0 \Rightarrow \lambda_T = -\mu \lambda_N u_T / \lVert u_T \rVert. $$
///
/// As plain text: u_N and lambda_N are complementary. The length of lambda_T is at most mu lambda_N; if the
/// contact slides, the length is mu lambda_N, and lambda_T is opposite to u_T. With the default tangential
/// restitution of 0, $u_T$ is the sliding velocity after the impact. All components must be scaled to metres,
/// the first along the unit normal and the others along orthonormal tangents, because the friction cone is
/// circular in the tangential components.
///
/// [`with_rolling`](Self::with_rolling) adds rows with rolling velocities \[rad/s\], whose multipliers are
/// moments times the step size \[N m s\]:
///
/// $$ \lVert \lambda_R \rVert \le \mu_r \lambda_N, \qquad
///    u_R \ne 0 \Rightarrow \lambda_R = -\mu_r \lambda_N u_R / \lVert u_R \rVert, $$
///
/// as plain text: the length of lambda_R is at most mu_r lambda_N; if the body rolls, the length is mu_r
/// lambda_N, and lambda_R is opposite to u_R. Rolling velocities have no restitution.
///
/// [`with_cohesion`](Self::with_cohesion) sets the maximum tension c \[N\] that the contact withstands. The
/// cone of admissible impulses is shifted by c h along the normal, with the step size h,
///
/// $$ 0 \le u_N \perp \lambda_N + c h \ge 0, \qquad \lVert \lambda_T \rVert \le \mu (\lambda_N + c h), $$
///
/// as plain text: u_N and lambda_N + c h are complementary, and the length of lambda_T is at most mu
/// (lambda_N + c h). The length of lambda_R is at most mu_r (lambda_N + c h). The bond acts while the contact
/// is closed, breaks if the tension exceeds c, and acts again when the contact closes again. It stores no
/// energy.
///
/// References: Moreau (1988), "Unilateral contact and dry friction in finite freedom dynamics"; Acary and
/// Brogliato (2008), section 3.9; Acary and Bourrier (2021), "Coulomb friction with rolling resistance as a
/// cone complementarity problem", European Journal of Mechanics A/Solids 85; Jean, Acary and Monerie (2001),
/// "Non-smooth contact dynamics approach of cohesive materials", Philosophical Transactions A 359, for the
/// shift.
///
/// ```
/// use siconos_kernel::model::{NewtonImpactFriction, NonSmoothLaw};
///
/// let law = NewtonImpactFriction::in_space(0.5, 0.3)?;
/// assert_eq!((law.restitution(), law.tangential_restitution(), law.mu()), (0.5, 0.0, 0.3));
/// assert_eq!(NonSmoothLaw::from(law).size(), 3);
/// // A tyre: a ball with a radius of 0.1 m stays at rest on slopes up to 2 %.
/// let tyre = law.with_rolling(2e-3)?;
/// assert_eq!((tyre.mu_rolling(), NonSmoothLaw::from(tyre).size()), (Some(2e-3), 5));
/// // A super ball reverses its spin.
/// assert!(NewtonImpactFriction::in_plane(0.8, 2.0)?.with_tangential_restitution(0.6).is_ok());
/// assert!(NewtonImpactFriction::in_plane(0.8, -0.1).is_err());
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonImpactFrictionNSL")]
#[doc(alias = "NewtonImpactRollingFrictionNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedFriction")]
pub struct NewtonImpactFriction {
    dimension: usize,
    restitution: f64,
    tangential_restitution: f64,
    mu: f64,
    mu_rolling: Option<f64>,
    cohesion: f64,
}

/// Unchecked coefficients, as read from a file.
#[derive(Deserialize)]
struct UncheckedFriction {
    dimension: usize,
    restitution: f64,
    #[serde(default)]
    tangential_restitution: f64,
    mu: f64,
    #[serde(default)]
    mu_rolling: Option<f64>,
    #[serde(default)]
    cohesion: f64,
}

impl TryFrom<UncheckedFriction> for NewtonImpactFriction {
    type Error = ModelError;

    fn try_from(data: UncheckedFriction) -> Result<Self, ModelError> {
        if !matches!(data.dimension, 2 | 3) {
            return Err(ModelError::ContactDimension { value: data.dimension });
        }
        let law = Self::new(data.dimension, data.restitution, data.mu)?
            .with_tangential_restitution(data.tangential_restitution)?
            .with_cohesion(data.cohesion)?;
        data.mu_rolling.map_or(Ok(law), |mu_rolling| law.with_rolling(mu_rolling))
    }
}

impl NewtonImpactFriction {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "NewtonImpactFriction",
        rows: RowLaw::Friction,
        opens: true,
        is_force: false,
        refused: Refusals {
            compliant: Some(Refusal::new(
                "friction on a compliant relation",
                "use a ComplementarityCondition, or drop D",
            )),
            off_velocities: Some(Refusal::new("friction", "use MoreauJean")),
            events: Some(Refusal::new(
                "friction, whose sticking and sliding are events of their own",
                "use NewtonImpact, or TimeStepping with MoreauJean",
            )),
            first_order_events: Some(Refusal::new("friction", OTHER_EVENTS)),
            ..Refusals::of_impact_law()
        },
    };

    fn new(dimension: usize, e: f64, mu: f64) -> Result<Self, ModelError> {
        let restitution = NewtonImpact::new(e)?.restitution;
        if mu.is_finite() && mu >= 0.0 {
            let (tangential_restitution, mu_rolling, cohesion) = (0.0, None, 0.0);
            Ok(Self { dimension, restitution, tangential_restitution, mu, mu_rolling, cohesion })
        } else {
            Err(ModelError::Friction { value: mu })
        }
    }

    /// Creates the law in the plane, with the restitution `e` along the normal and the coefficient of
    /// friction `mu`.
    ///
    /// # Errors
    ///
    /// If `e` is not between 0 and 1 ([`ModelError::Restitution`]), or `mu` is negative or not finite
    /// ([`ModelError::Friction`]).
    pub fn in_plane(e: f64, mu: f64) -> Result<Self, ModelError> {
        Self::new(2, e, mu)
    }

    /// Creates the law in space, with restitution `e` along the normal and the coefficient of friction `mu`.
    ///
    /// # Errors
    ///
    /// If `e` is not between 0 and 1 ([`ModelError::Restitution`]), or `mu` is negative or not finite
    /// ([`ModelError::Friction`]).
    pub fn in_space(e: f64, mu: f64) -> Result<Self, ModelError> {
        Self::new(3, e, mu)
    }

    /// Sets the coefficient of restitution of the sliding velocity. Default: 0. Must be between -1 and 1.
    ///
    /// # Errors
    ///
    /// If `e` is not between -1 and 1 ([`ModelError::TangentialRestitution`]).
    pub fn with_tangential_restitution(mut self, e: f64) -> Result<Self, ModelError> {
        if (-1.0..=1.0).contains(&e) {
            self.tangential_restitution = e;
            Ok(self)
        } else {
            Err(ModelError::TangentialRestitution { value: e })
        }
    }

    /// Selects the law of Fremond: friction opposes the mean of the sliding velocities before and after the
    /// impact, $(u_T^+ + u_T^-) / 2$. This is equivalent to a tangential restitution of 1. An impact at a
    /// single contact then never gains energy, for any e and mu, because friction against the mean velocity
    /// always dissipates energy. With friction against $u_T^+$ and a restitution e above 0, an impact can
    /// gain energy.
    ///
    /// Reference: Fremond (1995), "Rigid bodies collisions", Physics Letters A 204, 33-41.
    ///
    /// ```
    /// use siconos_kernel::model::NewtonImpactFriction;
    ///
    /// let law = NewtonImpactFriction::in_plane(0.9, 0.5)?.of_fremond();
    /// assert_eq!(law.tangential_restitution(), 1.0);
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    #[doc(alias = "FremondImpactFrictionNSL")]
    #[must_use]
    pub fn of_fremond(self) -> Self {
        Self { tangential_restitution: 1.0, ..self }
    }

    /// Adds rolling friction with the coefficient `mu_rolling` \[m\]. The block then also has rows for the
    /// rolling velocities, one in the plane and two in space, as in a
    /// [`PointContact`](crate::model::PointContact) with
    /// [`ContactRows::Rolling`](crate::model::ContactRows::Rolling).
    ///
    /// # Errors
    ///
    /// If `mu_rolling` is negative or not finite ([`ModelError::RollingFriction`]).
    pub fn with_rolling(mut self, mu_rolling: f64) -> Result<Self, ModelError> {
        if mu_rolling.is_finite() && mu_rolling >= 0.0 {
            self.mu_rolling = Some(mu_rolling);
            Ok(self)
        } else {
            Err(ModelError::RollingFriction { value: mu_rolling })
        }
    }

    /// Sets the cohesion, which is the maximum tension \[N\] that each contact withstands. Default: 0.
    ///
    /// Supported by time-stepping with [`MoreauJean`](crate::integrator::MoreauJean), with
    /// [`Projection::Direct`](crate::integrator::Projection::Direct) or without projection.
    ///
    /// ```
    /// use siconos_kernel::model::NewtonImpactFriction;
    ///
    /// let wet_sand = NewtonImpactFriction::in_space(0.0, 0.6)?.with_cohesion(2e-4)?;
    /// assert_eq!(wet_sand.cohesion(), 2e-4);
    /// # Ok::<(), siconos_kernel::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `cohesion` is negative or not finite ([`ModelError::Cohesion`]).
    pub fn with_cohesion(mut self, cohesion: f64) -> Result<Self, ModelError> {
        if cohesion.is_finite() && cohesion >= 0.0 {
            self.cohesion = cohesion;
            Ok(self)
        } else {
            Err(ModelError::Cohesion { value: cohesion })
        }
    }

    /// Returns the cohesion \[N\].
    #[must_use]
    pub fn cohesion(&self) -> f64 {
        self.cohesion
    }

    /// Returns the number of components that are velocities of the contact point: 2 in the plane, 3 in space.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the number of components of a block: 2 in the plane and 3 in space, or 3 and 5 with rolling
    /// friction.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.mu_rolling {
            None => self.dimension,
            Some(_) => 2 * self.dimension - 1,
        }
    }

    /// Returns the coefficient of rolling friction \[m\], if any.
    #[must_use]
    pub fn mu_rolling(&self) -> Option<f64> {
        self.mu_rolling
    }

    /// Returns the coefficient of restitution along the normal.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// Returns the coefficient of restitution along the tangents.
    #[must_use]
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }

    /// Returns the coefficient of friction.
    #[must_use]
    pub fn mu(&self) -> f64 {
        self.mu
    }
}
