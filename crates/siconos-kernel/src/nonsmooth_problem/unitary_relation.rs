//! Identifiers of the unitary relations of interactions.

use crate::model::InteractionId;

/// Smallest part of an interaction that can be in an index set. It has as many components as the law, or one
/// component for a [`ComplementarityCondition`](crate::model::ComplementarityCondition) between Lagrangian
/// systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitaryRelation {
    /// Interaction to which the unitary relation belongs.
    pub interaction: InteractionId,
    /// Index of the unitary relation within the interaction, starting from 0.
    pub block: usize,
}
