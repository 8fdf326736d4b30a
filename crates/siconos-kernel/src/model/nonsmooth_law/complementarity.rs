//! Complementarity and equality conditions, alone or combined in one block.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// Complementarity condition $0 \le y \perp \lambda \ge 0$, in blocks of `size` components.
///
/// For a first-order system, the condition holds in every step. For Lagrangian systems under
/// [`MoreauJean`](crate::integrator::MoreauJean), it holds at velocity level while the contact is closed,
/// which results in impacts without restitution. For a compliant relation (with D), it holds at position
/// level. Between Lagrangian systems, each component is a separate contact (a unitary relation) that opens
/// and closes independently, regardless of the block size: one interaction with n components is equivalent to
/// n interactions with one component. Components form one block only if a compliance D couples them.
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

/// Equality condition $y = 0$ with $\lambda$ of any sign, in blocks of `size` components. An example is the
/// law of a joint. The condition is always active.
///
/// For a first-order system, the condition holds for y itself, which results in a differential-algebraic
/// equation. Under [`MoreauJean`](crate::integrator::MoreauJean), it holds for the velocity at the end of
/// each step, so the position drifts by $O(h^2)$ per step.
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

/// Checks that a block has at least one component.
fn nonempty(what: &'static str, size: usize) -> Result<usize, ModelError> {
    if size == 0 { Err(ModelError::Empty { what }) } else { Ok(size) }
}

/// Checks a size from a file, as the constructors do.
fn checked_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    nonempty("law", usize::deserialize(deserializer)?).map_err(D::Error::custom)
}

impl ComplementarityCondition {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "ComplementarityCondition",
        rows: RowLaw::Complementarity,
        opens: true,
        is_force: false,
        refused: Refusals::NONE,
    };

    /// Creates a law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// If `size` is 0 ([`ModelError::Empty`]).
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("complementarity condition", size).map(|size| Self { size })
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

impl EqualityCondition {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "EqualityCondition",
        rows: RowLaw::Equality,
        opens: false,
        is_force: false,
        refused: Refusals::NONE,
    };

    /// Creates a law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// If `size` is 0 ([`ModelError::Empty`]).
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("equality condition", size).map(|size| Self { size })
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// Mixed complementarity condition. Each block consists of equalities, $y_i = 0$ with $\lambda_i$ of any
/// sign, followed by complementary pairs, $0 \le y_i \perp \lambda_i \ge 0$.
///
/// ```
/// use siconos_kernel::model::{MixedComplementarityCondition, NonSmoothLaw};
///
/// let law = MixedComplementarityCondition::new(1, 2)?;
/// assert_eq!((law.equalities(), NonSmoothLaw::from(law).size()), (1, 3));
/// # Ok::<(), siconos_kernel::ModelError>(())
/// ```
#[doc(alias = "MixedComplementarityConditionNSL")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedMixed")]
pub struct MixedComplementarityCondition {
    equalities: usize,
    complementarities: usize,
}

/// Unchecked sizes, as read from a file.
#[derive(Deserialize)]
struct UncheckedMixed {
    equalities: usize,
    complementarities: usize,
}

impl TryFrom<UncheckedMixed> for MixedComplementarityCondition {
    type Error = ModelError;

    fn try_from(data: UncheckedMixed) -> Result<Self, ModelError> {
        Self::new(data.equalities, data.complementarities)
    }
}

impl MixedComplementarityCondition {
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "MixedComplementarityCondition",
        rows: RowLaw::Mixed,
        opens: false,
        is_force: false,
        refused: Refusals::of_first_order_law(Refusal::new(
            "equalities and contacts in one block",
            "split them into two interactions",
        )),
    };

    /// Creates a law for blocks of `equalities` equalities followed by `complementarities` complementary
    /// pairs.
    ///
    /// # Errors
    ///
    /// If both arguments are 0 ([`ModelError::Empty`]).
    pub fn new(equalities: usize, complementarities: usize) -> Result<Self, ModelError> {
        nonempty("mixed complementarity condition", equalities.saturating_add(complementarities))?;
        Ok(Self { equalities, complementarities })
    }

    /// Returns the number of equalities at the beginning of a block.
    #[must_use]
    pub fn equalities(&self) -> usize {
        self.equalities
    }

    /// Returns the number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        // The sum saturates instead of overflowing, because a file can contain arbitrarily large sizes, which
        // no relation has.
        self.equalities.saturating_add(self.complementarities)
    }
}
