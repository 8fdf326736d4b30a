//! The parts of interactions.

use crate::model::InteractionId;

/// The smallest part of an interaction that index sets hold: as many components as its law has, or one
/// component of a [`ComplementarityCondition`](crate::model::ComplementarityCondition) between Lagrangian
/// systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitaryRelation {
    /// The interaction.
    pub interaction: InteractionId,
    /// The number of the part, counted from 0.
    pub block: usize,
}
