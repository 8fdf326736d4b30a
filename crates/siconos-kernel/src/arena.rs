//! Typed generational ids and the arenas behind them: what stands in for pointers between model objects.
//!
//! An [`Id<T>`] is a `Copy` value that only fits the arena of its own type, and a stale one (its object was removed)
//! finds nothing, never another object. Every loop of the crate runs in order of birth, so that the result of a
//! simulation does not depend on which slots were free.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

/// The name of an object in an [`Arena<T>`].
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Id<T> {
    index: u32,
    generation: u32,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

// Written out because a derive would ask the same of `T`, of which an id holds nothing.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
    }
}
impl<T> Eq for Id<T> {}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.index, self.generation).hash(state);
    }
}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.index)?;
        if self.generation > 0 { write!(f, "v{}", self.generation) } else { Ok(()) }
    }
}
impl<T> std::fmt::Display for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self, f)
    }
}

impl<T> Id<T> {
    fn new(index: usize, generation: u32) -> Self {
        // An arena of more than 2^32 objects does not fit into the memory of the machines this is made for.
        Self { index: u32::try_from(index).unwrap_or(u32::MAX), generation, of: PhantomData }
    }

    fn slot(self) -> usize {
        self.index as usize
    }
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// Objects of one kind, found by [`Id`], walked in order of birth.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
    births: Vec<Id<T>>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), births: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Puts an object in.
    pub fn insert(&mut self, value: T) -> Id<T> {
        let id = match self.free.pop() {
            Some(index) => {
                self.slots[index].value = Some(value);
                Id::new(index, self.slots[index].generation)
            }
            None => {
                self.slots.push(Slot { generation: 0, value: Some(value) });
                Id::new(self.slots.len() - 1, 0)
            }
        };
        self.births.push(id);
        id
    }

    /// Takes an object out; its id is stale from then on.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let slot = self.slots.get_mut(id.slot()).filter(|slot| slot.generation == id.generation)?;
        let value = slot.value.take()?;
        slot.generation += 1;
        self.free.push(id.slot());
        self.births.retain(|&other| other != id);
        Some(value)
    }

    /// The object, or `None` for a stale id.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.slots.get(id.slot()).filter(|slot| slot.generation == id.generation)?.value.as_ref()
    }

    /// The object to be changed, or `None` for a stale id.
    pub(crate) fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.slots.get_mut(id.slot()).filter(|slot| slot.generation == id.generation)?.value.as_mut()
    }

    /// Ids in order of birth.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id<T>> + '_ {
        self.births.iter().copied()
    }

    /// Objects with their ids in order of birth.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.births.iter().filter_map(|&id| Some((id, self.get(id)?)))
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.births.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.births.is_empty()
    }
}

/// Values of another owner attached to the objects of an arena.
///
/// This is how a simulation keeps its own data about a system without the model knowing of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "W: Serialize", deserialize = "W: Deserialize<'de>"))]
pub struct SideTable<T, W> {
    entries: Vec<Option<(u32, W)>>,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

impl<T, W> Default for SideTable<T, W> {
    fn default() -> Self {
        Self { entries: Vec::new(), of: PhantomData }
    }
}

impl<T, W> SideTable<T, W> {
    /// Attaches a value, in place of one attached to the same slot before.
    pub fn insert(&mut self, id: Id<T>, value: W) {
        if self.entries.len() <= id.slot() {
            self.entries.resize_with(id.slot() + 1, || None);
        }
        self.entries[id.slot()] = Some((id.generation, value));
    }

    /// The value attached to an object, if any.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&W> {
        match self.entries.get(id.slot()) {
            Some(Some((generation, value))) if *generation == id.generation => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_id_finds_nothing_though_its_slot_is_in_use_again() {
        let mut arena = Arena::default();
        let first = arena.insert("first");
        let second = arena.insert("second");
        assert_eq!(arena.remove(first), Some("first"));
        let third = arena.insert("third");
        assert_eq!(third.slot(), first.slot());
        assert_eq!(arena.get(first), None);
        assert_eq!(arena.remove(first), None);
        assert_eq!(arena.get(third), Some(&"third"));
        assert_eq!(arena.ids().collect::<Vec<_>>(), [second, third], "order of birth, not of slots");
    }

    #[test]
    fn a_side_table_does_not_confuse_generations() {
        let mut arena = Arena::default();
        let mut table = SideTable::default();
        let old = arena.insert(());
        table.insert(old, 1);
        arena.remove(old);
        let new = arena.insert(());
        assert_eq!((table.get(old), table.get(new)), (Some(&1), None));
        table.insert(new, 2);
        assert_eq!((table.get(old), table.get(new)), (None, Some(&2)));
    }
}
