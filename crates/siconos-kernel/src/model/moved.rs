//! Where things go when the gaps between them are closed.

use std::ops::Range;

/// A list of which some places stay, in their order and without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Moved {
    /// By place, how many of those before it stay; behind them the number of all that do.
    before: Vec<u32>,
}

impl Moved {
    /// Closes the gaps of a list of some length between ranges that stay.
    pub(crate) fn keeping(length: usize, ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut before = vec![0; length + 1];
        for range in ranges {
            before[range.start + 1..=range.end].fill(1);
        }
        let mut kept = 0;
        for count in &mut before {
            kept += *count;
            *count = kept;
        }
        Self { before }
    }

    /// How many places stay.
    pub(crate) fn kept(&self) -> usize {
        self.before(self.before.len() - 1)
    }

    /// How many places before one stay.
    pub(crate) fn before(&self, place: usize) -> usize {
        self.before[place] as usize
    }

    /// Where a place has gone, if it stays.
    pub(crate) fn of(&self, place: usize) -> Option<usize> {
        (self.before[place + 1] > self.before[place]).then(|| self.before(place))
    }

    /// Where a range has gone; empty where nothing of it stays.
    pub(crate) fn range(&self, range: &Range<usize>) -> Range<usize> {
        self.before(range.start)..self.before(range.end)
    }

    /// Closes the gaps of a list that has something for each place, or for the first ones.
    pub(crate) fn close<T>(&self, list: &mut Vec<T>) {
        let mut place = 0;
        list.retain(|_| {
            place += 1;
            self.before[place] > self.before[place - 1]
        });
    }

    /// Writes where the places of a list have gone, and drops those that do not stay.
    pub(crate) fn rename(&self, places: &mut Vec<usize>) {
        places.retain(|&place| self.of(place).is_some());
        places.iter_mut().for_each(|place| *place = self.before(*place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_keeps_its_order() {
        let moved = Moved::keeping(8, [5..7, 0..1, 2..4].into_iter());
        assert_eq!(moved.kept(), 5);
        let mut places: Vec<_> = (0..8).collect();
        moved.rename(&mut places);
        assert_eq!(places, [0, 1, 2, 3, 4]);
        let mut list = vec!['a', 'b', 'c', 'd', 'e', 'f'];
        moved.close(&mut list);
        assert_eq!(list, ['a', 'c', 'd', 'f'], "a list may end before the last place");
        assert_eq!((moved.range(&(2..4)), moved.range(&(5..7)), moved.range(&(4..4))), (1..3, 3..5, 3..3));
        assert_eq!((moved.of(4), moved.of(5), moved.before(8)), (None, Some(3), 5));
    }
}
