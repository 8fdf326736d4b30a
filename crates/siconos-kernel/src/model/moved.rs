//! Where things go when the gaps between them are closed.

use crate::index::{Place, Span};

/// A list of K of which some stay, in their order and without gaps.
#[derive(Clone, Debug)]
pub(crate) struct Moved<K> {
    /// By place, where it goes if it stays: how many of those before it do; behind them the end of all that
    /// do.
    before: Vec<Place<K>>,
}

impl<K> Moved<K> {
    /// Closes the gaps of a list of some length between spans that stay.
    pub(crate) fn keeping(length: usize, spans: impl Iterator<Item = Span<K>>) -> Self {
        let mut before = vec![Place::new(0); length + 1];
        for span in spans {
            before[1..][span.range()].fill(Place::new(1));
        }
        let mut kept = 0;
        for count in &mut before {
            kept += count.index();
            *count = Place::new(kept);
        }
        Self { before }
    }

    /// How many stay.
    pub(crate) fn kept(&self) -> usize {
        self.before[self.before.len() - 1].index()
    }

    /// Where a place has gone; of one that does not stay, where the next has.
    pub(crate) fn before(&self, place: Place<K>) -> Place<K> {
        self.before[place.index()]
    }

    /// Where a place has gone, if it stays.
    pub(crate) fn of(&self, place: Place<K>) -> Option<Place<K>> {
        (self.before[place.index() + 1] > self.before(place)).then(|| self.before(place))
    }

    /// Where a span has gone; empty where nothing of it stays.
    pub(crate) fn span(&self, span: Span<K>) -> Span<K> {
        Span::of(self.before(span.start()).index()..self.before(span.end()).index())
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
    pub(crate) fn rename(&self, places: &mut Vec<Place<K>>) {
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
        let moved = Moved::<Rows>::keeping(8, [5..7, 0..1, 2..4].into_iter().map(Span::of));
        assert_eq!(moved.kept(), 5);
        let mut places: Vec<_> = (0..8).map(Place::new).collect();
        moved.rename(&mut places);
        assert_eq!(places, [0, 1, 2, 3, 4].map(Place::new));
        let mut list = vec!['a', 'b', 'c', 'd', 'e', 'f'];
        moved.close(&mut list);
        assert_eq!(list, ['a', 'c', 'd', 'f'], "a list may end before the last place");
        let ranges = [2..4, 5..7, 4..4].map(|range| moved.span(Span::of(range)).range());
        assert_eq!(ranges, [1..3, 3..5, 3..3]);
        assert_eq!([4, 5].map(|place| moved.of(Place::new(place))), [None, Some(Place::new(3))]);
        assert_eq!(moved.before(Place::new(8)).index(), 5);
    }
}
