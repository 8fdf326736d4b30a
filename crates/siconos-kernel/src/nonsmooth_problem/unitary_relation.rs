//! Identifiers of the unitary relations of interactions.

use std::fmt;

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

/// The interaction, followed by the block unless it is the first one.
impl fmt::Display for UnitaryRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.block {
            0 => write!(f, "{}", self.interaction),
            block => write!(f, "{}, block {block}", self.interaction),
        }
    }
}
