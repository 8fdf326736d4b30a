//! Identifiers of unitary relations.

use std::fmt;

use crate::model::RelationId;

/// Smallest part of a relation that can be in an index set. It has as many components as the law, or one
/// component for a [`ComplementarityCondition`](crate::model::ComplementarityCondition) between Lagrangian
/// systems. A detected contact is one unitary relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitaryRelation {
    /// Interaction or detected contact to which the unitary relation belongs.
    pub relation: RelationId,
    /// Index of the unitary relation within the interaction, starting from 0.
    pub block: usize,
}

/// The relation, followed by the block unless it is the first one.
impl fmt::Display for UnitaryRelation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.relation, self.block) {
            (RelationId::Interaction(id), 0) => id.fmt(f),
            (RelationId::Interaction(id), block) => write!(f, "{id}, block {block}"),
            (RelationId::Contact(key), _) => key.fmt(f),
        }
    }
}
