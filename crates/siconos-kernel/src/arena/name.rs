//! Object names, interned as 32-bit indices that are small enough to be part of an id.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Interned string, shared by all models of the process and kept until the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name(NonZeroU32);

#[derive(Default)]
struct Names {
    texts: Vec<&'static str>,
    places: BTreeMap<&'static str, Name>,
}

static NAMES: LazyLock<RwLock<Names>> = LazyLock::new(RwLock::default);

impl Name {
    /// Interns a string.
    pub(super) fn of(text: &str) -> Self {
        if let Some(name) = Self::known(text) {
            return name;
        }
        let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have interned the string in the meantime.
        if let Some(&name) = names.places.get(text) {
            return name;
        }
        let text: &'static str = Box::leak(text.into());
        names.texts.push(text);
        // If all 2^32 indices were in use, all new names would share the last index.
        let place = u32::try_from(names.texts.len()).ok().and_then(NonZeroU32::new);
        let name = Self(place.unwrap_or(NonZeroU32::MAX));
        names.places.insert(text, name);
        name
    }

    /// Returns the name for a string that is already interned, or `None` if it is not interned.
    pub(super) fn known(text: &str) -> Option<Self> {
        NAMES.read().unwrap_or_else(PoisonError::into_inner).places.get(text).copied()
    }

    pub(super) fn text(self) -> &'static str {
        let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        names.texts.get(self.0.get() as usize - 1).copied().unwrap_or_default()
    }
}
