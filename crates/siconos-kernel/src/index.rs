//! Typed indices into tables, and ranges of indices. The type ensures that, for example, the index of an
//! interaction cannot be used for a block of systems. Indices have 32 bits, because memory bandwidth limits
//! the speed of a step with many contacts.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// Marker of indices of the rows of y and lambda.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {}

/// Marker of indices of the unknowns of a step: velocities of mechanical systems and states of first-order
/// systems.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dofs {}

/// Marker of indices into the position vector q.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Positions {}

/// Marker of indices into the array of the Jacobians of all interactions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JacobianEntries {}

/// Marker of indices of the Jacobian columns of one interaction. The columns are ordered by block of systems.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Columns {}

/// Marker of indices of the columns of a relation, or of the columns of its support. The columns are ordered
/// by system.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RelationColumns {}

pub(crate) type RowIndex = TypedIndex<Rows>;

/// Index of one entry of kind `K`.
pub(crate) struct TypedIndex<K> {
    index: u32,
    of: PhantomData<fn() -> K>,
}

/// Contiguous range of indices of entries of kind `K`.
pub(crate) struct IndexRange<K> {
    start: u32,
    end: u32,
    of: PhantomData<fn() -> K>,
}

// Implemented by hand because a derive would require these traits of `K`, which is only a marker.
impl<K> Clone for TypedIndex<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for TypedIndex<K> {}
impl<K> PartialEq for TypedIndex<K> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<K> Eq for TypedIndex<K> {}
impl<K> PartialOrd for TypedIndex<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for TypedIndex<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<K> Hash for TypedIndex<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<K> fmt::Debug for TypedIndex<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}
impl<K> Clone for IndexRange<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for IndexRange<K> {}
impl<K> Default for IndexRange<K> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<K> fmt::Debug for IndexRange<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.start..self.end).fmt(f)
    }
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).expect("a model has less than 2^32 of each kind")
}

impl<K> TypedIndex<K> {
    pub(crate) const FIRST: Self = Self::at(0);

    /// Placeholder for a missing index.
    pub(crate) const NONE: Self = Self::at(u32::MAX);

    const fn at(index: u32) -> Self {
        Self { index, of: PhantomData }
    }

    pub(crate) fn new(index: usize) -> Self {
        Self::at(narrow(index))
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.index as usize
    }

    /// Returns the range from this index up to `end`, exclusive.
    #[inline(always)]
    pub(crate) fn up_to(self, end: Self) -> IndexRange<K> {
        IndexRange { start: self.index, end: end.index, of: PhantomData }
    }

    /// Returns the following index.
    pub(crate) fn next(self) -> Self {
        Self::at(self.index + 1)
    }
}

impl<K> IndexRange<K> {
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0, of: PhantomData };

    pub(crate) fn of(range: Range<usize>) -> Self {
        Self { start: narrow(range.start), end: narrow(range.end), of: PhantomData }
    }

    /// Returns the index of the first entry. For an empty range this equals [`end`](Self::end).
    #[inline(always)]
    pub(crate) fn start(self) -> TypedIndex<K> {
        TypedIndex::at(self.start)
    }

    /// Returns the index after the last entry.
    #[inline(always)]
    pub(crate) fn end(self) -> TypedIndex<K> {
        TypedIndex::at(self.end)
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns a subrange; `range` is relative to the start of this range.
    #[inline(always)]
    pub(crate) fn part(self, range: Range<usize>) -> Self {
        Self { start: self.start + narrow(range.start), end: self.start + narrow(range.end), ..self }
    }

    /// Returns the range of the `count` entries after this range.
    pub(crate) fn next(self, count: usize) -> Self {
        Self { start: self.end, end: self.end + narrow(count), ..self }
    }

    #[inline(always)]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = TypedIndex<K>> + ExactSizeIterator + Clone {
        (self.start..self.end).map(TypedIndex::at)
    }

    /// Returns the range as plain indices, for slices that are not a [`Table`].
    #[inline(always)]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the index of the entry at offset `index` in this range.
    #[inline(always)]
    pub(crate) fn at(self, index: usize) -> TypedIndex<K> {
        TypedIndex::at(self.start + narrow(index))
    }

    /// Returns the offset of `place` in this range.
    #[inline(always)]
    pub(crate) fn index_of(self, place: TypedIndex<K>) -> usize {
        (place.index - self.start) as usize
    }

    /// Returns the range relative to the index `first`.
    #[inline(always)]
    pub(crate) fn within(self, first: TypedIndex<K>) -> Range<usize> {
        (self.start - first.index) as usize..(self.end - first.index) as usize
    }
}

/// Vector of values that is indexed by [`TypedIndex<K>`]; by default the values are the entries `K`
/// themselves.
#[derive(Clone, Debug)]
pub(crate) struct Table<K, T = K> {
    list: Vec<T>,
    of: PhantomData<fn() -> K>,
}

impl<K, T> Table<K, T> {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count), of: PhantomData }
    }

    /// Appends a value and returns its index.
    pub(crate) fn push(&mut self, value: T) -> TypedIndex<K> {
        let place = self.end();
        self.list.push(value);
        place
    }

    /// Returns the index of the next value to be appended.
    pub(crate) fn end(&self) -> TypedIndex<K> {
        TypedIndex::new(self.list.len())
    }

    /// Returns the range of the values that were appended since the end index was `first`.
    pub(crate) fn since(&self, first: TypedIndex<K>) -> IndexRange<K> {
        first.up_to(self.end())
    }

    pub(crate) fn places(
        &self,
    ) -> impl DoubleEndedIterator<Item = TypedIndex<K>> + ExactSizeIterator + use<K, T> {
        TypedIndex::at(0).up_to(self.end()).iter()
    }

    /// Iterates over the indices and values.
    #[inline(always)]
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = (TypedIndex<K>, &T)> + ExactSizeIterator {
        // The cast cannot overflow: `push` checks that the number of values fits into 32 bits.
        self.list.iter().enumerate().map(|(index, value)| (TypedIndex::at(index as u32), value))
    }
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<K, T> FromIterator<T> for Table<K, T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        Self { list: all.into_iter().collect(), of: PhantomData }
    }
}

impl<K, T> Deref for Table<K, T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.list
    }
}

impl<K, T> DerefMut for Table<K, T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.list
    }
}

impl<K, T> Index<TypedIndex<K>> for Table<K, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: TypedIndex<K>) -> &T {
        &self.list[place.index()]
    }
}

impl<K, T> IndexMut<TypedIndex<K>> for Table<K, T> {
    #[inline(always)]
    fn index_mut(&mut self, place: TypedIndex<K>) -> &mut T {
        &mut self.list[place.index()]
    }
}

impl<K, T> Index<IndexRange<K>> for Table<K, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, span: IndexRange<K>) -> &[T] {
        &self.list[span.range()]
    }
}

impl<K, T> IndexMut<IndexRange<K>> for Table<K, T> {
    #[inline(always)]
    fn index_mut(&mut self, span: IndexRange<K>) -> &mut [T] {
        &mut self.list[span.range()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_cut_by_places_of_its_own() {
        let mut table: Table<Rows, char> = "abc".chars().collect();
        let first = table.end();
        assert_eq!((table.push('d'), table.push('e')), (TypedIndex::new(3), TypedIndex::new(4)));
        let span = table.since(first);
        assert_eq!((&table[span], table[span.start()], span.range()), (&['d', 'e'][..], 'd', 3..5));
        assert_eq!(span.iter().map(|place| table[place]).collect::<String>(), "de");
        assert_eq!((span.len(), span.part(0..1).range(), span.next(3).range()), (2, 3..4, 5..8));
        assert_eq!(
            (span.within(TypedIndex::new(1)), span.index_of(span.at(1)), span.is_empty()),
            (2..4, 1, false)
        );
        table[span].fill('f');
        assert!(table.entries().all(|(place, value)| (*value == 'f') == (place >= first)));
        assert_eq!(size_of::<(TypedIndex<Rows>, IndexRange<Dofs>)>(), 12);
    }
}
