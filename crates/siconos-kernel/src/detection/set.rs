//! Set of the contacts of a step.

use super::{ContactKey, DetectedContact, DetectionError};

/// Contacts of a step. A [`ContactSource`](super::ContactSource) adds them in any order; the step processes
/// them in the order of their keys.
#[derive(Clone, Debug, Default)]
pub struct ContactSet {
    list: Vec<DetectedContact>,
}

impl ContactSet {
    /// Adds a contact.
    pub fn push(&mut self, contact: DetectedContact) {
        self.list.push(contact);
    }

    /// Returns the number of contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the contacts, in the order of their keys after the detection.
    #[must_use]
    pub fn as_slice(&self) -> &[DetectedContact] {
        &self.list
    }

    pub(crate) fn retain(&mut self, keeps: impl Fn(&DetectedContact) -> bool) {
        self.list.retain(keeps);
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// Sorts the contacts by key and checks them.
    pub(crate) fn finish(&mut self) -> Result<(), DetectionError> {
        self.list.sort_unstable_by_key(|contact| contact.key);
        self.list.iter().try_for_each(DetectedContact::check)?;
        let is_duplicate = |pair: &&[DetectedContact]| pair[0].key == pair[1].key;
        let duplicate: Option<ContactKey> = self.list.windows(2).find(is_duplicate).map(|pair| pair[0].key);
        duplicate.map_or(Ok(()), |key| Err(DetectionError::Duplicate { key }))
    }
}
