//! Complementarity and equality, and both in one block.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::description::{LawDescription, Refusals, RowLaw};
use crate::model::ModelError;
use crate::model::Refusal;

/// $0 \le y \perp \lambda \ge 0$, in blocks of `size` components.
///
/// On a first-order system it holds in every step. On a Lagrangian system under
/// [`MoreauJean`](crate::integrator::MoreauJean) it holds at velocity level while the contact is closed,
/// which is an impact without restitution; on a compliant relation (with D) at position level. There each
/// component is a contact of its own, a unitary relation that closes and opens by itself, whatever the size
/// of the blocks: n components are n interactions of one component. Only components that a compliance D
/// couples stay one block.
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
/// On a first-order system it holds for y itself: a differential algebraic equation. Under
/// [`MoreauJean`](crate::integrator::MoreauJean) it holds for the velocity at the end of each step, so the
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
    pub(super) const DESCRIPTION: LawDescription = LawDescription {
        name: "ComplementarityCondition",
        rows: RowLaw::Complementarity,
        opens: true,
        is_force: false,
        refused: Refusals::NONE,
    };

    /// A law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] when `size` is 0.
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("complementarity condition", size).map(|size| Self { size })
    }

    /// The number of components of a block.
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

    /// A law for blocks of `size` components.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] when `size` is 0.
    pub fn new(size: usize) -> Result<Self, ModelError> {
        nonempty("equality condition", size).map(|size| Self { size })
    }

    /// The number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// The first components of a block are equalities, $y_i = 0$ with $\lambda_i$ free; the others are
/// complementary, $0 \le y_i \perp \lambda_i \ge 0$.
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

/// The sizes as a file has them.
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
            "make two interactions of them",
        )),
    };

    /// A law for blocks of `equalities` equalities and `complementarities` complementary pairs, in this
    /// order.
    ///
    /// # Errors
    ///
    /// [`ModelError::Empty`] when both are 0.
    pub fn new(equalities: usize, complementarities: usize) -> Result<Self, ModelError> {
        nonempty("mixed complementarity condition", equalities.saturating_add(complementarities))?;
        Ok(Self { equalities, complementarities })
    }

    /// The number of equalities at the beginning of a block.
    #[must_use]
    pub fn equalities(&self) -> usize {
        self.equalities
    }

    /// The number of components of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        // A file may say anything; no relation is as large as what does not fit.
        self.equalities.saturating_add(self.complementarities)
    }
}
