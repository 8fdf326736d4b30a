//! Typed generational ids and the arenas that they index. Model objects refer to each other by id instead of
//! by pointer.
//!
//! An [`Id<T>`] is a `Copy` value that is valid only in an arena of type `T`. It contains the stamp of the
//! change that created the object; the stamp is unique in the process. An id that is stale (its object was
//! removed) or belongs to another model therefore finds no object, never a wrong one. Every loop of the crate
//! runs in insertion order, so simulation results do not depend on which slots were free.

mod name;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::marker::PhantomData;

use self::name::Name;

/// Id of an object in an [`Arena<T>`]. Ids are valid only in the current process and cannot be written to a
/// file.
///
/// Messages show the name of the object, in backticks. If it has none, they show the slot and the stamp,
/// `#3@17`; `{:?}` shows all three. Slots are reused, but stamps are not: if `#3@40` exists, the object
/// `#3@17` was removed.
pub struct Id<T> {
    index: u32,
    /// Name of the object, used only in messages; comparisons ignore it.
    name: Option<Name>,
    stamp: u64,
    of: PhantomData<fn() -> T>,
}

// Implemented by hand because a derive would require these traits of `T`, which an id does not contain.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.stamp) == (other.index, other.stamp)
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// Insertion order.
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.stamp, self.index).cmp(&(other.stamp, other.index))
    }
}
impl<T> std::hash::Hash for Id<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.index, self.stamp).hash(state);
    }
}
impl<T> std::fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} (#{}@{})", self.index, self.stamp),
            None => write!(f, "#{}@{}", self.index, self.stamp),
        }
    }
}
impl<T> std::fmt::Display for Id<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.name() {
            Some(name) => write!(f, "`{name}`"),
            None => std::fmt::Debug::fmt(self, f),
        }
    }
}

impl<T> Id<T> {
    fn new(index: usize, name: Option<Name>, stamp: u64) -> Self {
        // An arena with more than 2^32 objects exceeds the memory of the target machines.
        Self { index: u32::try_from(index).unwrap_or(u32::MAX), name, stamp, of: PhantomData }
    }

    /// Returns the name of the object, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        self.name.map(Name::text)
    }

    fn slot(self) -> usize {
        self.index as usize
    }
}

#[derive(Clone, Debug)]
struct Slot<T> {
    /// Stamp of the object in this slot or, if the slot is free, of the previous object.
    stamp: u64,
    /// Index of the object in [`Arena::insertion_order`].
    order: usize,
    value: Option<T>,
}

/// Objects of one type, accessed by [`Id`] and iterated in insertion order.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    slots: Vec<Slot<T>>,
    free: Vec<usize>,
    /// Ids in insertion order, with `None` for each removed object. The number of `None` entries is at most
    /// the number of objects plus [`FEW_GAPS`].
    insertion_order: Vec<Option<Id<T>>>,
    alive: usize,
    names: BTreeMap<Name, Id<T>>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            insertion_order: Vec::new(),
            alive: 0,
            names: BTreeMap::new(),
        }
    }
}

/// Maximum number of `None` entries in the list of ids, in addition to one per object.
const FEW_GAPS: usize = 32;

impl<T> Arena<T> {
    /// Adds an object. No other object may have the same stamp or the same name.
    pub fn insert(&mut self, name: Option<&str>, value: T, stamp: u64) -> Id<T> {
        let slot = Slot { stamp, order: self.insertion_order.len(), value: Some(value) };
        let index = self.free.pop().unwrap_or(self.slots.len());
        match self.slots.get_mut(index) {
            Some(free) => *free = slot,
            None => self.slots.push(slot),
        }
        let name = name.map(Name::of);
        let id = Id::new(index, name, stamp);
        self.insertion_order.push(Some(id));
        self.alive += 1;
        if let Some(name) = name {
            self.names.insert(name, id);
        }
        id
    }

    /// Removes an object. Its id is stale afterwards.
    pub(crate) fn remove(&mut self, id: Id<T>) -> Option<T> {
        let slot = self.slots.get_mut(id.slot()).filter(|slot| slot.stamp == id.stamp)?;
        let value = slot.value.take()?;
        let order = slot.order;
        self.free.push(id.slot());
        self.insertion_order[order] = None;
        self.alive -= 1;
        if self.insertion_order.len() > 2 * self.alive + FEW_GAPS {
            self.close_gaps();
        }
        if let Some(name) = id.name {
            self.names.remove(&name);
        }
        Some(value)
    }

    /// Removes the `None` entries from `insertion_order`. This takes one pass over the list, and is done only
    /// if more than half of its entries are `None`.
    fn close_gaps(&mut self) {
        self.insertion_order.retain(Option::is_some);
        for (order, id) in self.insertion_order.iter().flatten().enumerate() {
            self.slots[id.slot()].order = order;
        }
    }

    /// Returns a reference to the object, or `None` for a stale id.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.slots.get(id.slot()).filter(|slot| slot.stamp == id.stamp)?.value.as_ref()
    }

    /// Returns a mutable reference to the object, or `None` for a stale id.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        self.slots.get_mut(id.slot()).filter(|slot| slot.stamp == id.stamp)?.value.as_mut()
    }

    /// Returns the id of the object with this name, if there is one.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Id<T>> {
        self.names.get(&Name::known(name)?).copied()
    }

    /// Iterates over the ids in insertion order.
    pub fn ids(&self) -> impl Iterator<Item = Id<T>> + '_ {
        self.insertion_order.iter().flatten().copied()
    }

    /// Iterates over the objects and their ids in insertion order.
    pub fn iter(&self) -> impl Iterator<Item = (Id<T>, &T)> {
        self.ids().filter_map(|id| Some((id, self.get(id)?)))
    }

    /// Returns the number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Returns `true` if the arena is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }
}

/// Table of values for the objects of an arena, stored outside the arena.
///
/// A simulation uses side tables to store data about the systems of a model, independently of the model.
#[derive(Debug)]
pub struct SideTable<T, W> {
    entries: Vec<Option<(u64, W)>>,
    of: PhantomData<fn() -> T>,
}

impl<T, W: Clone> Clone for SideTable<T, W> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), of: PhantomData }
    }

    // A derived implementation would not reuse the memory.
    fn clone_from(&mut self, source: &Self) {
        self.entries.clone_from(&source.entries);
    }
}

impl<T, W> Default for SideTable<T, W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, W: PartialEq> PartialEq for SideTable<T, W> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<T, W> SideTable<T, W> {
    /// Creates an empty table.
    pub const fn new() -> Self {
        Self { entries: Vec::new(), of: PhantomData }
    }

    /// Returns `true` if no value was ever attached.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Attaches a value to an object. A value attached earlier to the same slot is replaced.
    pub fn insert(&mut self, id: Id<T>, value: W) {
        *self.slot(id) = Some((id.stamp, value));
    }

    /// Returns a mutable reference to the value attached to an object. If there is none, the default is
    /// attached first.
    pub(crate) fn entry(&mut self, id: Id<T>) -> &mut W
    where
        W: Default,
    {
        let slot = self.slot(id);
        slot.take_if(|(stamp, _)| *stamp != id.stamp);
        &mut slot.get_or_insert_with(|| (id.stamp, W::default())).1
    }

    /// Returns the slot of an object, which can still contain the value of an earlier object.
    fn slot(&mut self, id: Id<T>) -> &mut Option<(u64, W)> {
        if self.entries.len() <= id.slot() {
            self.entries.resize_with(id.slot() + 1, || None);
        }
        &mut self.entries[id.slot()]
    }

    /// Removes the value of an object, if it has one.
    pub(crate) fn remove(&mut self, id: Id<T>) {
        if self.get(id).is_some() {
            self.entries[id.slot()] = None;
        }
    }

    /// Removes the values of the objects for which `is_kept` returns `false`.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut(Id<T>) -> bool) {
        for (slot, entry) in self.entries.iter_mut().enumerate() {
            entry.take_if(|(stamp, _)| !is_kept(Id::new(slot, None, *stamp)));
        }
    }

    /// Iterates over all values, in unspecified order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut W> {
        self.entries.iter_mut().flatten().map(|(_, value)| value)
    }

    /// Returns the value attached to an object, if there is one.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&W> {
        match self.entries.get(id.slot()) {
            Some(Some((stamp, value))) if *stamp == id.stamp => Some(value),
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
        let first = arena.insert(None, "first", 1);
        let second = arena.insert(None, "second", 2);
        assert_eq!(arena.remove(first), Some("first"));
        let third = arena.insert(None, "third", 3);
        assert_eq!(third.slot(), first.slot());
        assert_eq!(arena.get(first), None);
        assert_eq!(arena.remove(first), None);
        assert_eq!(arena.get(third), Some(&"third"));
        assert_eq!(
            arena.ids().collect::<Vec<_>>(),
            [second, third],
            "insertion order, not the order of slots"
        );
    }

    /// After removals in various orders, the remaining objects are still found and are iterated in insertion
    /// order.
    #[test]
    fn births_keep_their_order_through_removals() {
        for stride in [1, 3, 7, 499] {
            let mut arena = Arena::default();
            let mut left: Vec<_> = (0..500_u64).map(|k| arena.insert(None, k, k + 1)).collect();
            let mut stamp = 1000;
            while left.len() > 1 {
                let id = left.remove(stride % left.len());
                assert!(arena.remove(id).is_some());
                if left.len().is_multiple_of(11) {
                    left.push(arena.insert(None, stamp, stamp));
                    left.remove(0);
                    stamp += 1;
                    let oldest = arena.ids().next().expect("some are left");
                    arena.remove(oldest);
                }
                assert_eq!(arena.ids().collect::<Vec<_>>(), left);
                assert_eq!((arena.len(), arena.iter().count()), (left.len(), left.len()));
                assert!(arena.insertion_order.len() <= 2 * arena.len() + FEW_GAPS);
            }
        }
    }

    #[test]
    fn clones_that_go_their_own_ways_do_not_know_each_others_objects() {
        let mut one = Arena::default();
        let common = one.insert(None, "common", 1);
        let mut other = one.clone();
        let (mine, yours) = (one.insert(None, "mine", 2), other.insert(None, "yours", 3));
        assert_eq!(mine.slot(), yours.slot());
        assert_eq!((one.get(common), other.get(common)), (Some(&"common"), Some(&"common")));
        assert_eq!((one.get(yours), other.get(mine)), (None, None));
    }

    #[test]
    fn a_side_table_does_not_confuse_the_tenants_of_a_slot() {
        let mut arena = Arena::default();
        let mut table = SideTable::default();
        let old = arena.insert(None, (), 1);
        table.insert(old, 1);
        arena.remove(old);
        let new = arena.insert(None, (), 2);
        assert_eq!((table.get(old), table.get(new)), (Some(&1), None));
        table.insert(new, 2);
        assert_eq!((table.get(old), table.get(new)), (None, Some(&2)));
    }
}
