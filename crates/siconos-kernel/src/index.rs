//! Places in tables and ranges of them, each of one kind, so that an interaction is not taken for a block of
//! systems. Half the memory of a count is enough for them: a step over many contacts waits for its tables.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut, Range};

/// Rows of y and lambda.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {}

/// Velocities, and states of first-order systems: what a step solves for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Dofs {}

/// Entries of the positions q.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Positions {}

/// Entries of all Jacobians.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JacobianEntries {}

/// Columns of the rows of one interaction, block after block of its systems.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Columns {}

/// Columns of a relation, or of its support, system after system.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RelationColumns {}

pub(crate) type RowPlace = Place<Rows>;

/// Where one K is among all.
pub(crate) struct Place<K> {
    index: u32,
    of: PhantomData<fn() -> K>,
}

/// Where some K are among all: one after the other.
pub(crate) struct Span<K> {
    start: u32,
    end: u32,
    of: PhantomData<fn() -> K>,
}

// Written out because a derive would ask the same of `K`, of which neither holds anything.
impl<K> Clone for Place<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Place<K> {}
impl<K> PartialEq for Place<K> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<K> Eq for Place<K> {}
impl<K> PartialOrd for Place<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Place<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<K> Hash for Place<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<K> fmt::Debug for Place<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}
impl<K> Clone for Span<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Span<K> {}
impl<K> Default for Span<K> {
    fn default() -> Self {
        Self::EMPTY
    }
}
impl<K> fmt::Debug for Span<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.start..self.end).fmt(f)
    }
}

fn narrow(count: usize) -> u32 {
    u32::try_from(count).expect("a model has less than 2^32 of each kind")
}

impl<K> Place<K> {
    pub(crate) const FIRST: Self = Self::at(0);

    /// Of what has no place.
    pub(crate) const NOWHERE: Self = Self::at(u32::MAX);

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

    /// All from this one on that are before another.
    #[inline(always)]
    pub(crate) fn up_to(self, end: Self) -> Span<K> {
        Span { start: self.index, end: end.index, of: PhantomData }
    }

    /// The one behind it.
    pub(crate) fn next(self) -> Self {
        Self::at(self.index + 1)
    }
}

impl<K> Span<K> {
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0, of: PhantomData };

    pub(crate) fn of(range: Range<usize>) -> Self {
        Self { start: narrow(range.start), end: narrow(range.end), of: PhantomData }
    }

    /// Where the first is; the end of what comes before where there is none.
    #[inline(always)]
    pub(crate) fn start(self) -> Place<K> {
        Place::at(self.start)
    }

    /// The place behind the last.
    #[inline(always)]
    pub(crate) fn end(self) -> Place<K> {
        Place::at(self.end)
    }

    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Some of them, counted from the first.
    #[inline(always)]
    pub(crate) fn part(self, range: Range<usize>) -> Self {
        Self { start: self.start + narrow(range.start), end: self.start + narrow(range.end), ..self }
    }

    /// So many that follow.
    pub(crate) fn next(self, count: usize) -> Self {
        Self { start: self.end, end: self.end + narrow(count), ..self }
    }

    #[inline(always)]
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = Place<K>> + ExactSizeIterator + Clone {
        (self.start..self.end).map(Place::at)
    }

    /// For slices that are no [`Table`].
    #[inline(always)]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The place of one that is counted from the first.
    #[inline(always)]
    pub(crate) fn at(self, index: usize) -> Place<K> {
        Place::at(self.start + narrow(index))
    }

    /// Where one of them is, counted from the first.
    #[inline(always)]
    pub(crate) fn index_of(self, place: Place<K>) -> usize {
        (place.index - self.start) as usize
    }

    /// Where they are among others, counted from the first of these.
    #[inline(always)]
    pub(crate) fn within(self, first: Place<K>) -> Range<usize> {
        (self.start - first.index) as usize..(self.end - first.index) as usize
    }
}

/// Something for each K, found by its place: all K where nothing else is said.
#[derive(Clone, Debug)]
pub(crate) struct Table<K, T = K> {
    list: Vec<T>,
    of: PhantomData<fn() -> K>,
}

impl<K, T> Table<K, T> {
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count), of: PhantomData }
    }

    /// Puts one at the end, and tells its place.
    pub(crate) fn push(&mut self, value: T) -> Place<K> {
        let place = self.end();
        self.list.push(value);
        place
    }

    /// The place of what comes next.
    pub(crate) fn end(&self) -> Place<K> {
        Place::new(self.list.len())
    }

    /// All that have come since a place was the end.
    pub(crate) fn since(&self, first: Place<K>) -> Span<K> {
        first.up_to(self.end())
    }

    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = Place<K>> + ExactSizeIterator + use<K, T> {
        Place::at(0).up_to(self.end()).iter()
    }

    /// All with their places.
    #[inline(always)]
    pub(crate) fn entries(&self) -> impl DoubleEndedIterator<Item = (Place<K>, &T)> + ExactSizeIterator {
        // What has been put in has had a place.
        self.list.iter().enumerate().map(|(index, value)| (Place::at(index as u32), value))
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

impl<K, T> Index<Place<K>> for Table<K, T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: Place<K>) -> &T {
        &self.list[place.index()]
    }
}

impl<K, T> IndexMut<Place<K>> for Table<K, T> {
    #[inline(always)]
    fn index_mut(&mut self, place: Place<K>) -> &mut T {
        &mut self.list[place.index()]
    }
}

impl<K, T> Index<Span<K>> for Table<K, T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, span: Span<K>) -> &[T] {
        &self.list[span.range()]
    }
}

impl<K, T> IndexMut<Span<K>> for Table<K, T> {
    #[inline(always)]
    fn index_mut(&mut self, span: Span<K>) -> &mut [T] {
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
        assert_eq!((table.push('d'), table.push('e')), (Place::new(3), Place::new(4)));
        let span = table.since(first);
        assert_eq!((&table[span], table[span.start()], span.range()), (&['d', 'e'][..], 'd', 3..5));
        assert_eq!(span.iter().map(|place| table[place]).collect::<String>(), "de");
        assert_eq!((span.len(), span.part(0..1).range(), span.next(3).range()), (2, 3..4, 5..8));
        assert_eq!(
            (span.within(Place::new(1)), span.index_of(span.at(1)), span.is_empty()),
            (2..4, 1, false)
        );
        table[span].fill('f');
        assert!(table.entries().all(|(place, value)| (*value == 'f') == (place >= first)));
        assert_eq!(size_of::<(Place<Rows>, Span<Dofs>)>(), 12);
    }
}
