//! Nonsmooth laws: what holds between the local variables y and lambda of an interaction.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::ModelError;

/// A law of any kind.
///
/// The size of the law is that of the *unitary relation*, the smallest block that index sets and solvers handle; a
/// relation of size m carries m / size copies of the law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum NonSmoothLaw {
    /// Complementarity.
    Complementarity(ComplementarityCondition),
    /// Equality: a joint.
    Equality(EqualityCondition),
    /// Impact with restitution.
    NewtonImpact(NewtonImpact),
    /// Impact with restitution and Coulomb friction.
    NewtonImpactFriction(NewtonImpactFriction),
}

impl NonSmoothLaw {
    /// The number of components of one block of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Complementarity(law) => law.size,
            Self::Equality(law) => law.size,
            Self::NewtonImpact(_) => 1,
            Self::NewtonImpactFriction(law) => law.dimension,
        }
    }
}

/// $0 \le y \perp \lambda \ge 0$, in blocks of `size` components.
///
/// On a Lagrangian system under [`MoreauJean`](crate::integrator::MoreauJean) it holds at velocity level while the
/// contact is closed, which is an impact without restitution; on a compliant relation (with D) at position level.
///
/// ```
/// use siconos_kernel::model::{ComplementarityCondition, NonSmoothLaw};
///
/// assert_eq!(NonSmoothLaw::from(ComplementarityCondition::new(2)?).size(), 2);
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "ComplementarityConditionNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComplementarityCondition {
    #[serde(deserialize_with = "checked_size")]
    size: usize,
}

/// $y = 0$ with $\lambda$ of any sign, in blocks of `size` components: a joint. It is always active.
///
/// Under [`MoreauJean`](crate::integrator::MoreauJean) it holds for the velocity at the end of each step, so the
/// position drifts by $O(h^2)$ per step.
///
/// ```
/// use siconos_kernel::model::{EqualityCondition, NonSmoothLaw};
///
/// assert_eq!(NonSmoothLaw::from(EqualityCondition::new(3)?).size(), 3);
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "EqualityConditionNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EqualityCondition {
    #[serde(deserialize_with = "checked_size")]
    size: usize,
}

/// A block has components.
fn nonempty(what: &'static str, size: usize) -> Result<usize, ModelError> {
    if size == 0 { Err(ModelError::Empty { what }) } else { Ok(size) }
}

/// The check of the constructors for a size from a file.
fn checked_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    nonempty("law", usize::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl ComplementarityCondition {
    /// A law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] when `size` is 0.
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("complementarity condition", size).map(|size| Self { size })
    }
}

impl EqualityCondition {
    /// A law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] when `size` is 0.
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("equality condition", size).map(|size| Self { size })
    }
}

/// Newton's impact law: while $y \le 0$, $0 \le \dot y^+ + e \dot y^- \perp \lambda \ge 0$ with the coefficient of
/// restitution e between 0 (no rebound) and 1 (no loss).
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

/// The check of the constructor for a coefficient from a file.
fn checked_restitution<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    NewtonImpact::new(f64::deserialize(deserializer)?).map(|law| law.restitution).map_err(D::Error::custom)
}

impl NewtonImpact {
    /// The law with restitution `e`.
    ///
    /// # Errors
    ///
    /// [`ModelError::Restitution`] when `e` is not between 0 and 1.
    pub fn new(e: f64) -> Result<Self, ModelError> {
        if (0.0..=1.0).contains(&e) {
            Ok(Self { restitution: e })
        } else {
            Err(ModelError::Restitution { value: e })
        }
    }

    /// The coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }
}

/// Newton's impact law with Coulomb friction, over blocks (N, T) in the plane and (N, T1, T2) in space.
///
/// The first component of y is the gap; the velocities of the others are those of sliding. While $y_N \le 0$, with
/// $u = \dot y^+ + (e_N \dot y_N^-, e_T \dot y_T^-)$ and the impulse $\lambda$,
///
/// $$ 0 \le u_N \perp \lambda_N \ge 0, \qquad \lVert \lambda_T \rVert \le \mu \lambda_N, \qquad
///    u_T \ne 0 \Rightarrow \lambda_T = -\mu \lambda_N u_T / \lVert u_T \rVert. $$
///
/// As plain text: u_N and lambda_N are complementary; lambda_T stays below mu lambda_N, and where it slides it has that length
/// and points against u_T. With the usual tangential restitution of 0, $u_T$ is the sliding velocity after the impact.
/// The first component is scaled to metres along the unit normal, and the others to metres along unit tangents at
/// right angles: the cone is round in these.
///
/// References: Moreau (1988), "Unilateral contact and dry friction in finite freedom dynamics"; Acary and Brogliato (2008),
/// section 3.9.
///
/// ```
/// use siconos_kernel::model::{NewtonImpactFriction, NonSmoothLaw};
///
/// let law = NewtonImpactFriction::in_space(0.5, 0.3)?;
/// assert_eq!((law.restitution(), law.tangential_restitution(), law.mu()), (0.5, 0.0, 0.3));
/// assert_eq!(NonSmoothLaw::from(law).size(), 3);
/// // A super ball: the spin comes back.
/// assert!(NewtonImpactFriction::in_plane(0.8, 2.0)?.with_tangential_restitution(0.6).is_ok());
/// assert!(NewtonImpactFriction::in_plane(0.8, -0.1).is_err());
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "NewtonImpactFrictionNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedFriction")]
pub struct NewtonImpactFriction {
    dimension: usize,
    restitution: f64,
    tangential_restitution: f64,
    mu: f64,
}

/// The coefficients as a file has them.
#[derive(Deserialize)]
struct UncheckedFriction {
    dimension: usize,
    restitution: f64,
    #[serde(default)]
    tangential_restitution: f64,
    mu: f64,
}

impl TryFrom<UncheckedFriction> for NewtonImpactFriction {
    type Error = ModelError;

    fn try_from(data: UncheckedFriction) -> Result<Self, ModelError> {
        if !matches!(data.dimension, 2 | 3) {
            return Err(ModelError::ContactDimension { value: data.dimension });
        }
        Self::new(data.dimension, data.restitution, data.mu)?
            .with_tangential_restitution(data.tangential_restitution)
    }
}

impl NewtonImpactFriction {
    fn new(dimension: usize, e: f64, mu: f64) -> Result<Self, ModelError> {
        let restitution = NewtonImpact::new(e)?.restitution;
        if mu.is_finite() && mu >= 0.0 {
            Ok(Self { dimension, restitution, tangential_restitution: 0.0, mu })
        } else {
            Err(ModelError::Friction { value: mu })
        }
    }

    /// The law in the plane, with restitution `e` along the normal and the coefficient of friction `mu`.
    ///
    /// # Errors
    ///
    /// [`ModelError::Restitution`] when `e` is not between 0 and 1, [`ModelError::Friction`] when `mu` is negative or not
    /// finite.
    pub fn in_plane(e: f64, mu: f64) -> Result<Self, ModelError> {
        Self::new(2, e, mu)
    }

    /// The law in space, with restitution `e` along the normal and the coefficient of friction `mu`.
    ///
    /// # Errors
    ///
    /// As [`in_plane`](Self::in_plane).
    pub fn in_space(e: f64, mu: f64) -> Result<Self, ModelError> {
        Self::new(3, e, mu)
    }

    /// Gives the law a restitution of the sliding velocity, which is 0 otherwise.
    ///
    /// # Errors
    ///
    /// [`ModelError::TangentialRestitution`] when it is not between -1 and 1.
    pub fn with_tangential_restitution(mut self, e: f64) -> Result<Self, ModelError> {
        if (-1.0..=1.0).contains(&e) {
            self.tangential_restitution = e;
            Ok(self)
        } else {
            Err(ModelError::TangentialRestitution { value: e })
        }
    }

    /// The number of components: 2 in the plane, 3 in space.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The coefficient of restitution along the normal.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// The coefficient of restitution along the tangents.
    #[must_use]
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }

    /// The coefficient of friction.
    #[must_use]
    pub fn mu(&self) -> f64 {
        self.mu
    }
}

impl From<NewtonImpactFriction> for NonSmoothLaw {
    fn from(law: NewtonImpactFriction) -> Self {
        Self::NewtonImpactFriction(law)
    }
}

impl From<ComplementarityCondition> for NonSmoothLaw {
    fn from(law: ComplementarityCondition) -> Self {
        Self::Complementarity(law)
    }
}

impl From<EqualityCondition> for NonSmoothLaw {
    fn from(law: EqualityCondition) -> Self {
        Self::Equality(law)
    }
}

impl From<NewtonImpact> for NonSmoothLaw {
    fn from(law: NewtonImpact) -> Self {
        Self::NewtonImpact(law)
    }
}
