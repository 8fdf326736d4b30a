//! Index maps for removing entries from lists.

use crate::index::{IndexRange, TypedIndex};

/// Map from old to new indices for a list of K from which entries are removed. The remaining entries keep
/// their order.
#[derive(Clone, Debug)]
pub(crate) struct GapMap<K> {
    /// Number of remaining entries before each index. For a remaining entry, this is its new index. The last
    /// element is the number of all remaining entries.
    before: Vec<TypedIndex<K>>,
}

impl<K> GapMap<K> {
    /// Creates the map for a list with `length` entries, of which the entries in `spans` remain.
    pub(crate) fn keeping(length: usize, spans: impl Iterator<Item = IndexRange<K>>) -> Self {
        let mut before = vec![TypedIndex::new(0); length + 1];
        for span in spans {
            before[1..][span.range()].fill(TypedIndex::new(1));
        }
        let mut kept = 0;
        for count in &mut before {
            kept += count.index();
            *count = TypedIndex::new(kept);
        }
        Self { before }
    }

    /// Returns the number of remaining entries.
    pub(crate) fn kept(&self) -> usize {
        self.before[self.before.len() - 1].index()
    }

    /// Returns the new index of an entry; for a removed entry, the new index of the next remaining entry.
    pub(crate) fn before(&self, place: TypedIndex<K>) -> TypedIndex<K> {
        self.before[place.index()]
    }

    /// Returns the new index of an entry, or `None` if it is removed.
    pub(crate) fn of(&self, place: TypedIndex<K>) -> Option<TypedIndex<K>> {
        (self.before[place.index() + 1] > self.before(place)).then(|| self.before(place))
    }

    /// Returns the new range of the remaining entries of a range; empty if none of its entries remain.
    pub(crate) fn span(&self, span: IndexRange<K>) -> IndexRange<K> {
        IndexRange::of(self.before(span.start()).index()..self.before(span.end()).index())
    }

    /// Removes from a list the entries that do not remain. The list can be shorter than the map.
    pub(crate) fn close<T>(&self, list: &mut Vec<T>) {
        let mut place = 0;
        list.retain(|_| {
            place += 1;
            self.before[place] > self.before[place - 1]
        });
    }

    /// Replaces each index in a list with its new value, and drops the indices of removed entries.
    pub(crate) fn rename(&self, places: &mut Vec<TypedIndex<K>>) {
        places.retain(|&place| self.of(place).is_some());
        places.iter_mut().for_each(|place| *place = self.before(*place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Rows;

    #[test]
    fn what_stays_keeps_its_order() {
        let moved = GapMap::<Rows>::keeping(8, [5..7, 0..1, 2..4].into_iter().map(IndexRange::of));
        assert_eq!(moved.kept(), 5);
        let mut places: Vec<_> = (0..8).map(TypedIndex::new).collect();
        moved.rename(&mut places);
        assert_eq!(places, [0, 1, 2, 3, 4].map(TypedIndex::new));
        let mut list = vec!['a', 'b', 'c', 'd', 'e', 'f'];
        moved.close(&mut list);
        assert_eq!(list, ['a', 'c', 'd', 'f'], "a list may end before the last place");
        let ranges = [2..4, 5..7, 4..4].map(|range| moved.span(IndexRange::of(range)).range());
        assert_eq!(ranges, [1..3, 3..5, 3..3]);
        assert_eq!([4, 5].map(|place| moved.of(TypedIndex::new(place))), [None, Some(TypedIndex::new(3))]);
        assert_eq!(moved.before(TypedIndex::new(8)).index(), 5);
    }
}
