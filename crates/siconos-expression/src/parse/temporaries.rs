//! Temporary variables of an action. The parser tracks which of them have a value at the current position.

use std::collections::BTreeMap;

use crate::action::Temporary;
use crate::symbol::{Symbol, Type, ValueKind};

/// For each temporary variable, `true` if it has a value on every path. Missing entries are `false`.
pub(super) type Assigned = Vec<bool>;

#[derive(Clone, Debug, Default)]
pub(super) struct Temporaries {
    known: Vec<Temporary>,
    /// Indices in `known`, by name.
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

    /// Marks a name as assigned, and adds it if it is new.
    pub(super) fn assign(&mut self, name: &str, slot: u32, value_type: Type) -> &Temporary {
        let place = self.place(name).unwrap_or_else(|| {
            let kind = match value_type {
                Type::Number => ValueKind::Real,
                Type::Condition => ValueKind::Boolean,
            };
            // This limit cannot be reached, because 2^32 names exceed the memory.
            let index = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
            self.places.insert(name.to_owned(), self.known.len());
            self.known.push(Temporary { name: name.to_owned(), symbol: Symbol { slot, index }, kind });
            self.known.len() - 1
        });
        self.assigned.resize(self.known.len(), false);
        self.assigned[place] = true;
        &self.known[place]
    }

    /// Returns which temporary variables have a value at the current position.
    pub(super) fn assigned(&self) -> Assigned {
        self.assigned.clone()
    }

    /// Sets which temporary variables have a value at the current position.
    pub(super) fn set_assigned(&mut self, assigned: Assigned) {
        self.assigned = assigned;
    }

    pub(super) fn into_list(self) -> Vec<Temporary> {
        self.known
    }
}

/// Returns which temporary variables have a value at the end of both paths.
pub(super) fn on_both(a: &Assigned, b: &Assigned) -> Assigned {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}
