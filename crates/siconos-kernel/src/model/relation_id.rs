//! Identifier of an interaction or of a detected contact.

use std::fmt;

use super::{ContactKey, InteractionId};

/// Identifier of the relation of an interaction or of a detected contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationId {
    /// Interaction of the model.
    Interaction(InteractionId),
    /// Contact that a [`ContactSource`](crate::detection::ContactSource) has detected.
    Contact(ContactKey),
}

impl RelationId {
    /// Returns the interaction; `None` for a detected contact.
    #[must_use]
    pub fn interaction(self) -> Option<InteractionId> {
        match self {
            Self::Interaction(id) => Some(id),
            Self::Contact(_) => None,
        }
    }

    /// Returns the key of a detected contact; `None` for an interaction.
    #[must_use]
    pub fn contact(self) -> Option<ContactKey> {
        match self {
            Self::Interaction(_) => None,
            Self::Contact(key) => Some(key),
        }
    }
}

impl From<InteractionId> for RelationId {
    fn from(id: InteractionId) -> Self {
        Self::Interaction(id)
    }
}

impl PartialEq<InteractionId> for RelationId {
    fn eq(&self, other: &InteractionId) -> bool {
        self.interaction() == Some(*other)
    }
}

impl fmt::Display for RelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interaction(id) => write!(f, "interaction {id}"),
            Self::Contact(key) => key.fmt(f),
        }
    }
}
