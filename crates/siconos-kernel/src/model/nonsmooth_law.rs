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
}

impl NonSmoothLaw {
    /// The number of components of one block of the law.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Complementarity(law) => law.size,
            Self::Equality(law) => law.size,
            Self::NewtonImpact(_) => 1,
        }
    }

    /// The coefficient of restitution; 0 for laws without impact.
    pub(crate) fn restitution(&self) -> f64 {
        match self {
            Self::Complementarity(_) | Self::Equality(_) => 0.0,
            Self::NewtonImpact(law) => law.restitution,
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
