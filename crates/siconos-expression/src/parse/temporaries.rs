//! Temporaries of an action, and those that have a value on every path to the current position.

use std::collections::BTreeMap;

use crate::action::Temporary;
use crate::symbol::{Symbol, Type, ValueKind};

/// `true` for each temporary that has a value. Temporaries beyond the end of the list have none.
pub(super) type Assigned = Vec<bool>;

#[derive(Clone, Debug, Default)]
pub(super) struct Temporaries {
    known: Vec<Temporary>,
    /// Indices in `known`.
    places: BTreeMap<String, usize>,
    assigned: Assigned,
}

impl Temporaries {
    fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Temporary> {
        self.place(name).map(|place| &self.known[place])
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|temporary| temporary.name.as_str())
    }

    pub(super) fn is_assigned(&self, name: &str) -> bool {
        self.place(name).is_some_and(|place| self.assigned.get(place) == Some(&true))
    }

    /// Marks a name as assigned. A new name is added.
    pub(super) fn assign(&mut self, name: &str, slot: u32, value_type: Type) -> &Temporary {
        let place = self.place(name).unwrap_or_else(|| {
            let kind = match value_type {
                Type::Number => ValueKind::Real,
                Type::Condition => ValueKind::Boolean,
            };
            // The limit is not reached: more than 2^32 names would not fit in memory.
            let index = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
            self.places.insert(name.to_owned(), self.known.len());
            self.known.push(Temporary { name: name.to_owned(), symbol: Symbol { slot, index }, kind });
            self.known.len() - 1
        });
        self.assigned.resize(self.known.len(), false);
        self.assigned[place] = true;
        &self.known[place]
    }

    /// Returns the temporaries that have a value at the current position.
    pub(super) fn assigned(&self) -> Assigned {
        self.assigned.clone()
    }

    /// Sets the temporaries that have a value at the current position.
    pub(super) fn set_assigned(&mut self, assigned: Assigned) {
        self.assigned = assigned;
    }

    pub(super) fn into_list(self) -> Vec<Temporary> {
        self.known
    }
}

/// Returns the temporaries that have a value at the end of both of two paths.
pub(super) fn on_both(a: &Assigned, b: &Assigned) -> Assigned {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}
